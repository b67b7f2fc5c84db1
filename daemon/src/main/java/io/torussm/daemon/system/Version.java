package io.torussm.daemon.system;

/** The version of this program, from the manifest of the jar file. */
public final class Version {
    /** Name and version, such as {@code torus-sm 0.1.0}; {@code torus-sm (not packaged)} without a manifest. */
    public static final String TEXT = "torus-sm " + number();

    private Version() {}

    private static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
