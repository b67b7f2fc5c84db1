package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The model of mastership, packaging/proof/mastership.pml, as a program that accepts or rejects traces. */
final class MastershipModel {
    private static final Path SOURCE =
            Path.of("../packaging/proof/mastership.pml").toAbsolutePath();
    private static final int DEPTH = 100_000;

    private final Path directory;

    /**
     * Builds the program.
     *
     * @param directory for its files
     */
    MastershipModel(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        run(List.of(Programs.requireProgram("spin"), "-DTRACE", "-DBUG=0", "-a", SOURCE.toString()));
        run(List.of(Programs.requireProgram("gcc"), "-w", "-O1", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"));
    }

    /** Returns "accepted" and the number of steps, or "rejected at" and the line that no run of the model takes. */
    String checkTrace(String trace) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("trace.txt"), trace);
        String output = run(List.of("./pan", "-m" + DEPTH, "-w14", "-E"));
        assertThat(output).doesNotContain("max search depth too small");
        return output.lines()
                .filter(line -> line.startsWith("accepted") || line.startsWith("rejected"))
                .findFirst()
                .orElse(output);
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().put("TRACE", "trace.txt");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
