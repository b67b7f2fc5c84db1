package io.torussm.daemon.http.metrics;

import io.torussm.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The packaged alert rules, and the program of Prometheus that judges them. */
public final class AlertRules {
    public static final Path RULES = Path.of("../packaging/prometheus/torus-sm.rules.yml");

    private AlertRules() {}

    /** Returns the exit code of {@code promtool} and its output. */
    public static String promtool(Path in, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Programs.requireProgram("promtool")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(in.toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + output;
    }
}
