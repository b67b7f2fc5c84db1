package io.torussm.daemon.system;

/** The version of this program, from the manifest of the build. */
public final class Version {
    /** The name and version, such as {@code torus-sm 0.1.0}. */
    public static final String TEXT = "torus-sm " + number();

    private Version() {}

    private static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
