package io.torussm.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The programs that tests run beside those of this project, and the Debian packages that contain them. */
public final class Programs {
    /** Program to package; {@code packaging/prerequisites.sh} installs each of these. */
    static final Map<String, String> PACKAGES = Map.ofEntries(
            Map.entry("bash", "bash"),
            Map.entry("chromedriver", "chromium-driver"),
            Map.entry("chromium", "chromium"),
            Map.entry("curl", "curl"),
            Map.entry("dump_fts", "infiniband-diags"),
            Map.entry("dump_mfts", "infiniband-diags"),
            Map.entry("gcc", "gcc"),
            Map.entry("ibccconfig", "infiniband-diags"),
            Map.entry("ibccquery", "infiniband-diags"),
            Map.entry("ibdmchk", "ibutils"),
            Map.entry("ibnetdiscover", "infiniband-diags"),
            Map.entry("ibsim", "ibsim-utils"),
            Map.entry("ibtracert", "infiniband-diags"),
            Map.entry("opensm", "opensm"),
            Map.entry("openssl", "openssl"),
            Map.entry("osmtest", "opensm"),
            Map.entry("perfquery", "infiniband-diags"),
            Map.entry("promtool", "prometheus"),
            Map.entry("python3", "python3"),
            Map.entry("saquery", "infiniband-diags"),
            Map.entry("sminfo", "infiniband-diags"),
            Map.entry("smpquery", "infiniband-diags"),
            Map.entry("spin", "spin"),
            Map.entry("tshark", "tshark"),
            Map.entry("vendstat", "infiniband-diags"));

    private Programs() {}

    /**
     * Returns the path of a program. If it is not installed, skips the test, with the name of the package.
     *
     * @param name a program of {@link #PACKAGES}
     */
    public static String requireProgram(String name) {
        String debianPackage = PACKAGES.get(name);
        if (debianPackage == null) {
            throw new IllegalArgumentException("io.torussm.testing.Programs has no package for " + name);
        }
        Optional<Path> found = find(name);
        Assumptions.assumeTrue(
                found.isPresent(), () -> name + " is not installed; install it by apt-get install " + debianPackage);
        return found.orElseThrow().toString();
    }

    /** Searches for a program in PATH, and in the directories of administrators, which the PATH of users lacks. */
    static Optional<Path> find(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(File.pathSeparator, -1)), Stream.of("/usr/bin", "/usr/sbin"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
