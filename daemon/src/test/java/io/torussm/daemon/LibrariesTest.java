package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each library has the recorded checksum, independently of the contents of its repository. */
class LibrariesTest {
    private static final String MODULE = "(mad-transport|sm-core|routing-torus2qos|qos|daemon)-.*";

    /** The repository has a file where its group says; no group is wrong in the bill of materials. */
    @Test
    void eachLibraryIsOfTheGroupThatIsListed() throws Exception {
        Map<String, String> groups = Files.readAllLines(Path.of("../packaging/libraries.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" {2}"))
                .collect(Collectors.toMap(words -> words[1], words -> words[3]));
        assertThat(libraries()).allSatisfy(jar -> assertThat(jar.toString())
                .contains("/"
                        + groups.getOrDefault(String.valueOf(jar.getFileName()), "?")
                                .replace('.', '/') + "/"));
    }

    @Test
    void allLibrariesAreListed() throws Exception {
        List<String> listed = Files.readAllLines(Path.of("../packaging/libraries.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf(".jar") + 4))
                .toList();
        List<String> found = libraries().map(LibrariesTest::line).toList();
        assertThat(found).hasSizeGreaterThan(30);
        assertThat(found.stream().filter(line -> !listed.contains(line)).collect(Collectors.joining("\n")))
                .as("not in packaging/libraries.txt")
                .isEmpty();
    }

    /** Returns the class path of the tests, without modules of this project. */
    static Stream<Path> libraries() {
        String ofSurefire = System.getProperty("surefire.test.class.path", "");
        String classPath = ofSurefire.isEmpty() ? System.getProperty("java.class.path") : ofSurefire;
        return Stream.of(classPath.split(File.pathSeparator))
                .map(Path::of)
                .filter(file -> file.toString().endsWith(".jar")
                        && !String.valueOf(file.getFileName()).matches(MODULE));
    }

    private static String line(Path jar) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
            return HexFormat.of().formatHex(hash) + "  " + jar.getFileName();
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new AssertionError(jar.toString(), e);
        }
    }
}
