package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.replica.ReplicaKeys;
import io.torussm.sim.TopologyText;
import io.torussm.sim.TorusSpec;
import io.torussm.testing.IbSim;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two torus-sm processes on ibsim that replicate over the loopback; the master is killed by SIGKILL. */
@Tag("interop")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ReplicationInteropTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1,hosts=1");
    private static final String HIGH_HOST = "H-0000000100000000";
    private static final String LOW_HOST = "H-0000000100000100";
    private static final String TOOL_HOST = "H-0000000100000200";

    @TempDir
    Path dir;

    private final List<Process> started = new ArrayList<>();
    private @Nullable IbSim running;

    @BeforeEach
    void start() throws IOException {
        IbSim.assumeInstalled();
        Files.writeString(dir.resolve("torus-2QoS.conf"), TORUS.torus2QosConf());
        Path file = dir.resolve("fabric.topo");
        try (Writer writer = Files.newBufferedWriter(file)) {
            TopologyText.write(TORUS.topology(), writer);
        }
        running = IbSim.start(file);
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
        if (running != null) {
            running.close();
        }
    }

    /** A subnet manager, and what it logs. */
    private final class Sm {
        final Process process;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final List<String> seen = new ArrayList<>();

        Sm(String host, int priority, InetSocketAddress own, InetSocketAddress peer, Path key) throws IOException {
            Path conf = Files.writeString(
                    dir.resolve(host + ".conf"),
                    "replication_listen = \"127.0.0.1:" + own.getPort() + "\"\nreplication_peers = \"127.0.0.1:"
                            + peer.getPort() + "\"\nreplication_key_file = \"" + key + "\"\nlog_level = debug\n");
            List<String> command = IbSim.java(
                    "io.torussm.daemon.cli.Main",
                    "-F",
                    conf.toString(),
                    "-Q",
                    "--torus_config",
                    dir.resolve("torus-2QoS.conf").toString(),
                    "-p",
                    Integer.toString(priority),
                    "--control-socket",
                    "",
                    "--state-dir",
                    "state-" + host);
            process = Objects.requireNonNull(running)
                    .client(host, command, dir)
                    .redirectErrorStream(true)
                    .start();
            started.add(process);
            Thread reader = new Thread(
                    () -> {
                        try (BufferedReader log = process.inputReader(UTF_8)) {
                            log.lines().forEach(lines::add);
                        } catch (IOException e) {
                            lines.add(e.toString());
                        }
                    },
                    "sm-log");
            reader.setDaemon(true);
            reader.start();
        }

        void await(String wanted) throws InterruptedException {
            for (String line = next(); line != null; line = next()) {
                seen.add(line);
                if (line.contains(wanted)) {
                    return;
                }
            }
            throw new AssertionError("no line with " + wanted + ":\n" + String.join("\n", seen));
        }

        private @Nullable String next() throws InterruptedException {
            return lines.poll(60, TimeUnit.SECONDS);
        }
    }

    private String tool(List<String> command) throws IOException, InterruptedException {
        Process process = Objects.requireNonNull(running)
                .client(TOOL_HOST, command, dir)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private String stateOf(String host, String file) throws IOException {
        return Files.readString(dir.resolve("state-" + host).resolve(file));
    }

    @Test
    void aKilledMastersBooksAreKeptByTheStandby() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        InetSocketAddress one = ReplicaKeys.freeAddress();
        InetSocketAddress other = ReplicaKeys.freeAddress();
        Sm high = new Sm(HIGH_HOST, 8, one, other, key);
        high.await("SUBNET UP");
        Sm low = new Sm(LOW_HOST, 3, other, one, key);
        low.await("-> STANDBY");
        low.await("guid2lid 1.");

        assertThat(tool(IbSim.java(JoinGroup.class.getName(), "1", "7"))).contains("MLID 0xc001");
        low.await("sa-state 1.");
        String groups = tool(List.of("saquery", "-g"));
        assertThat(groups).contains("0xC001");
        String lids = stateOf(HIGH_HOST, "guid2lid");
        String registrations = stateOf(HIGH_HOST, "sa-state");
        String multicast = tool(List.of("dump_fts", "-M"));

        high.process.destroyForcibly();
        low.await("-> MASTER");
        low.await("SUBNET UP");
        assertThat(tool(List.of("saquery", "-g"))).isEqualTo(groups);
        assertThat(tool(List.of("dump_fts", "-M"))).isEqualTo(multicast);
        assertThat(stateOf(LOW_HOST, "guid2lid")).isEqualTo(lids);
        assertThat(stateOf(LOW_HOST, "sa-state")).isEqualTo(registrations).contains("member ");
    }
}
