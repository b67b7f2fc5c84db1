package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.TopologyText;
import io.torussm.sim.TorusSpec;
import io.torussm.testing.IbSim;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole program on ibsim tells a host what happens, through the real libibumad at both ends. */
@Tag("interop")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class EventInteropTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final String SM_HOST = "H-0000000100000000";
    private static final String LISTENER = "H-0000000100000100";
    private static final String TOOL_HOST = "H-0000000100000200";

    /** The switch and port of the host whose cable is pulled. */
    private static final String LEAF = "S-0000000000200060";

    private static final int LEAF_PORT = 7;

    private static final String AWAY_GUID = "100000601";

    @TempDir
    Path dir;

    private Path topology() throws IOException {
        TorusSpec spec = TorusSpec.parse(TORUS);
        Files.writeString(dir.resolve("torus-2QoS.conf"), spec.torus2QosConf());
        Path file = dir.resolve("fabric.topo");
        try (Writer writer = Files.newBufferedWriter(file)) {
            TopologyText.write(spec.topology(), writer);
        }
        return file;
    }

    private Process start(IbSim sim, String host, List<String> command) throws IOException {
        return sim.client(host, command, dir).redirectErrorStream(true).start();
    }

    /** What a process writes, line by line. */
    private static final class Output {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final List<String> seen = new ArrayList<>();

        Output(Process process) {
            Thread reader = new Thread(
                    () -> {
                        try (BufferedReader output = process.inputReader(UTF_8)) {
                            output.lines().forEach(lines::add);
                        } catch (IOException | UncheckedIOException e) {
                            lines.add(e.toString());
                        }
                    },
                    "output");
            reader.setDaemon(true);
            reader.start();
        }

        void await(String wanted) throws InterruptedException {
            for (String line = next(); line != null; line = next()) {
                if (line.contains(wanted)) {
                    return;
                }
            }
            throw new AssertionError("no line with " + wanted + ":\n" + all());
        }

        private @Nullable String next() throws InterruptedException {
            String line = lines.poll(30, TimeUnit.SECONDS);
            if (line != null) {
                seen.add(line);
            }
            return line;
        }

        String all() {
            lines.drainTo(seen);
            return String.join("\n", seen);
        }
    }

    private String tool(IbSim sim, String... command) throws IOException, InterruptedException {
        Process process = start(sim, TOOL_HOST, List.of(command));
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void aHostThatGoesAndComesBackIsReportedAndTheAnswersArrive() throws Exception {
        List<String> sm = IbSim.java(
                "io.torussm.daemon.cli.Main",
                "-Q",
                "--torus_config",
                dir.resolve("torus-2QoS.conf").toString(),
                "--state-dir",
                "state",
                "--control-socket",
                dir.resolve("control").toString());
        try (IbSim sim = IbSim.start(topology())) {
            Process master = start(sim, SM_HOST, sm);
            Output log = new Output(master);
            log.await("SUBNET UP");
            Process listener = start(sim, LISTENER, IbSim.java("io.torussm.daemon.cli.ListenToEvents", "1"));
            try {
                Output heard = new Output(listener);
                heard.await("subscribed");
                assertThat(tool(sim, "saquery", "-I"))
                        .contains("SubscriberGID...........fe80::1:0:101", "trap_num................65535");
                sim.command("Unlink \"" + LEAF + "\"[" + LEAF_PORT + "]");
                heard.await("Report 65 " + AWAY_GUID);
                sim.command("Relink \"" + LEAF + "\"[" + LEAF_PORT + "]");
                heard.await("Report 64 " + AWAY_GUID);
                assertThat(status()).containsPattern("Reports: sent \\d+, resent 0, answered \\d+, lost 0, dropped 0");
            } catch (AssertionError failure) {
                throw new AssertionError(failure.getMessage() + "\nthe SM said:\n" + log.all(), failure);
            } finally {
                listener.destroyForcibly();
                master.destroyForcibly();
            }
        }
    }

    private String status() throws IOException, InterruptedException {
        List<String> command = IbSim.java(
                "io.torussm.daemon.cli.SmctlMain",
                "--socket",
                dir.resolve("control").toString(),
                "status");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
