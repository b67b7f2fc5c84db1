package io.torussm.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Maven builds only with listed files: {@code packaging/checksums.sh}, which {@code packaging/test.sh} calls
 * before and after the build.
 */
class ChecksumsTest {
    private static final String PLUGIN = "org/example/plugin/1.0/plugin-1.0.jar";
    private static final String POM = "org/example/plugin/1.0/plugin-1.0.pom";
    private static final Path LIST = Path.of("../.mvn/checksums/checksums.sha256");

    @TempDir
    Path dir;

    private Path usual = Path.of("");
    private Path ours = Path.of("");
    private String output = "";

    /** Writes a project that lists two files, and a local repository that has them, another one, and Maven's notes. */
    @BeforeEach
    void list() throws Exception {
        usual = dir.resolve("usual repository");
        ours = dir.resolve("ours");
        put(dir.resolve("packaging/checksums.sh"), Files.readString(Path.of("../packaging/checksums.sh")));
        assertThat(dir.resolve("packaging/checksums.sh").toFile().setExecutable(true))
                .isTrue();
        put(usual.resolve(PLUGIN), "plugin");
        put(usual.resolve(POM), "pom");
        put(usual.resolve("org/example/other/2.0/other-2.0.jar"), "of another project");
        put(usual.resolve("org/example/plugin/1.0/_remote.repositories"), "notes");
        put(dir.resolve(".mvn/checksums/checksums.sha256"), line("plugin", PLUGIN) + line("pom", POM));
    }

    @Test
    void theBuildSeesExactlyTheListedFiles() throws Exception {
        assertThat(checksums("fill", usual, ours)).as(output).isZero();
        try (var files = Files.walk(ours)) {
            assertThat(files.filter(Files::isRegularFile))
                    .containsExactlyInAnyOrder(ours.resolve(PLUGIN), ours.resolve(POM));
        }
        put(ours.resolve("org/example/plugin/1.0/plugin-1.0.pom.lastUpdated"), "notes");
        assertThat(checksums("check", ours)).as(output).isZero();
    }

    @Test
    void anEmptyRepositoryIsInOrder() throws Exception {
        assertThat(checksums("fill", dir.resolve("packaging"), ours)).as(output).isZero();
        assertThat(checksums("check", ours)).as(output).isZero();
        assertThat(checksums("fill", dir.resolve("none"), dir.resolve("empty")))
                .as(output)
                .isZero();
    }

    @Test
    void aChangedFileIsRefusedBeforeTheBuildAndAfterIt() throws Exception {
        checksums("fill", usual, ours);
        put(usual.resolve(PLUGIN), "plugin, and something else");
        assertThat(checksums("fill", usual, dir.resolve("next"))).isEqualTo(1);
        assertThat(output).contains(PLUGIN + ": FAILED", usual.toString());
        put(ours.resolve(POM), "another pom");
        assertThat(checksums("check", ours)).isEqualTo(1);
        assertThat(output).contains(POM + ": FAILED");
    }

    @Test
    void unlistedFilesAreRefusedWithTheRemedy() throws Exception {
        checksums("fill", usual, ours);
        put(ours.resolve("org/example/plugin/1.1/plugin-1.1.jar"), "new");
        assertThat(checksums("check", ours)).isEqualTo(1);
        assertThat(output)
                .contains("\norg/example/plugin/1.1/plugin-1.1.jar\n", "packaging/checksums.sh write")
                .doesNotContain(POM);
    }

    @Test
    void thePluginsOfTheBuildAreListed() throws Exception {
        List<String> lines = Files.readAllLines(LIST);
        assertThat(lines).allMatch(line -> line.matches("[0-9a-f]{64}  [^ ]+\\.(jar|pom)"));
        assertThat(lines).anyMatch(line -> line.endsWith("/maven-surefire-plugin-3.5.3.jar"));
    }

    private static void put(Path file, String content) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private static String line(String content, String path) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
        return HexFormat.of().formatHex(hash) + "  " + path + "\n";
    }

    private int checksums(Object... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(dir.resolve("packaging/checksums.sh").toString()));
        for (Object word : words) {
            command.add(word.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor();
    }
}
