package io.torussm.daemon.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit status of {@code packaging/test.sh}, by which a build passes or fails, with stubs of its programs. */
class BuildScriptTest {
    @TempDir
    Path dir;

    @Test
    void aBuildWithoutAFailurePasses() throws Exception {
        assertThat(runScript(0)).isEqualTo("0: 0 passed, 0 failed, 0 skipped");
    }

    @Test
    void aBuildThatFailsDoesNotPass() throws Exception {
        assertThat(runScript(1)).isEqualTo("1: 0 passed, 1 failed, 0 skipped");
    }

    private void stub(String name, String content) throws IOException {
        Path script = dir.resolve(name);
        Files.createDirectories(script.getParent());
        Files.writeString(script, "#!/bin/sh\n" + content + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    /** Runs the script with a Maven that ends with a status. Returns its own status and its last line. */
    private String runScript(int status) throws IOException, InterruptedException {
        Files.createDirectories(dir.resolve("packaging"));
        Path script = Files.copy(Path.of("../packaging/test.sh"), dir.resolve("packaging/test.sh"));
        stub("packaging/prerequisites.sh", "build_packages= test_packages= check_packages=\nrequire_packages() { :; }");
        stub("packaging/checksums.sh", "[ \"$1\" != repository ] || echo " + dir.resolve("repository"));
        stub("packaging/newer.sh", "");
        stub("packaging/check-deb.sh", "");
        stub("bin/mvn", "exit " + status);
        Files.createDirectories(dir.resolve("daemon/target/surefire-reports"));
        ProcessBuilder command = new ProcessBuilder("bash", script.toString()).redirectErrorStream(true);
        command.environment().put("PATH", dir.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = command.start();
        String[] lines = new String(process.getInputStream().readAllBytes(), UTF_8).split("\n", -1);
        return process.waitFor() + ": " + lines[lines.length - 2];
    }
}
