package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.cli.TorusOnIbSim.Sm;
import io.torussm.daemon.replica.ReplicaKeys;
import io.torussm.event.SmEvent;
import io.torussm.testing.AwaitedFile;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Two torus-sm processes on ibsim that replicate over the loopback; the master is killed by SIGKILL. */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicationInteropTest {
    private static final String HIGH_HOST = "H-0000000100000000";
    private static final String LOW_HOST = "H-0000000100000100";
    private static final String TOOL_HOST = "H-0000000100000200";

    /** From the root, sw-2-1-0, to the member at sw-0-2-0. */
    private static final int SWITCHES_OF_TREE = 4;

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void theStandbyOfAKilledMasterKeepsLidsGroupsAndTables() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        InetSocketAddress one = ReplicaKeys.freeAddress();
        InetSocketAddress other = ReplicaKeys.freeAddress();
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, "torus:4x3x1,hosts=1", TOOL_HOST, dir)) {
            Sm high = sm(torus, HIGH_HOST, 8, one, other, key);
            high.await(SmEvent.SUBNET_UP.code());
            Sm low = sm(torus, LOW_HOST, 3, other, one, key);
            low.awaitAll("guid2lid 1.", "-> STANDBY");

            String[] join = IbSim.java(AskAsHost.class.getName(), "1", "mlid:7").toArray(String[]::new);
            assertThat(torus.tool(join)).contains("MLID 0xc001");
            String groups = torus.tool("saquery", "-g");
            assertThat(groups).contains("0xC001");
            // one loop writes both files, this one later
            String registrations = AwaitedFile.read(state(HIGH_HOST, "sa-state"), text -> text.contains("member "));
            String lids = Files.readString(state(HIGH_HOST, "guid2lid"));
            AwaitedFile.read(state(LOW_HOST, "sa-state"), registrations::equals);
            AwaitedFile.read(state(LOW_HOST, "guid2lid"), lids::equals);
            String multicast = multicastTables(torus);

            high.kill();
            low.await("-> MASTER");
            low.await(SmEvent.SUBNET_UP.code());
            assertThat(torus.tool("saquery", "-g")).isEqualTo(groups);
            assertThat(torus.tool("dump_fts", "-M")).isEqualTo(multicast);
            assertThat(state(LOW_HOST, "guid2lid")).hasContent(lids);
            assertThat(state(LOW_HOST, "sa-state")).hasContent(registrations);
        }
    }

    private static Sm sm(
            TorusOnIbSim torus, String host, int priority, InetSocketAddress own, InetSocketAddress peer, Path key)
            throws IOException {
        Path conf = Files.writeString(
                key.resolveSibling(host + ".conf"),
                "replication_listen = \"127.0.0.1:" + own.getPort() + "\"\nreplication_peers = \"127.0.0.1:"
                        + peer.getPort() + "\"\nreplication_key_file = \"" + key + "\"\nlog_level = debug\n");
        return torus.torusSm(host, "-F", conf.toString(), "-p", Integer.toString(priority));
    }

    private Path state(String host, String file) {
        return dir.resolve("state-" + host).resolve(file);
    }

    /**
     * Waits for the multicast tables: they are written soon after the join was answered, and the tree is complete when
     * each of its switches has the entry.
     */
    private static String multicastTables(TorusOnIbSim torus) throws Exception {
        String tables = torus.tool("dump_fts", "-M");
        while (tables.lines().filter(line -> line.startsWith("0xc001")).count() < SWITCHES_OF_TREE) {
            tables = torus.tool("dump_fts", "-M");
        }
        return tables;
    }
}
