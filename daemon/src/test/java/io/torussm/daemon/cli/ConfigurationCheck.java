package io.torussm.daemon.cli;

import io.torussm.daemon.system.ExitCode;
import io.torussm.transport.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * The result of {@code torus-sm --check-config}.
 *
 * @param output texts of both streams
 */
record ConfigurationCheck(ExitCode code, String output) {
    /** Checks the files of some options, in this JVM. */
    static ConfigurationCheck run(String... options) throws InterruptedException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(output, true, StandardCharsets.UTF_8);
        ExitCode code = Main.run(
                Stream.concat(Stream.of("--check-config"), Stream.of(options)).toArray(String[]::new),
                (selected, host) -> {
                    throw new TransportException("no port in this test");
                },
                to,
                to);
        return new ConfigurationCheck(code, output.toString(StandardCharsets.UTF_8));
    }
}
