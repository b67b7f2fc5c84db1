package io.torussm.daemon.system;

/** The version of this program, as the build stamped it into the manifest. */
public final class Version {
    /** Such as {@code torus-sm 0.1.0}. */
    public static final String TEXT = "torus-sm " + number();

    private Version() {}

    private static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
