package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.cli.TorusOnIbSim.Sm;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two SMs on ibsim, torus-sm or OpenSM: the master is killed, ends in order, and returns. The field's tools
 * show the master, and unchanged forwarding tables.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MastershipInteropTest {
    private static final String HIGH_HOST = "H-0000000100000000";
    private static final String LOW_HOST = "H-0000000100000100";
    private static final String TOOL_HOST = "H-0000000100000200";
    private static final String HIGH_GUID = "0x100000001";
    private static final String LOW_GUID = "0x100000101";
    private static final String DEFAULT_KEY = "1";
    private static final String SECRET_KEY = "0x5ec2e75ec2e7";
    private static final int HIGH = 8;
    private static final int LOW = 3;
    private static final String STANDING_BY = "-> STANDBY";
    private static final String UP = "SUBNET UP";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    private @Nullable TorusOnIbSim running;
    private String smKey = DEFAULT_KEY;

    @BeforeEach
    void start() throws IOException {
        running = new TorusOnIbSim(simulator, "torus:4x3x1,hosts=1", TOOL_HOST, dir);
    }

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DEFAULT_KEY, SECRET_KEY})
    void torusSmAndTorusSm(String key) throws Exception {
        smKey = key;
        Sm high = torusSm(HIGH_HOST, HIGH);
        high.await(UP);
        Sm low = torusSm(LOW_HOST, LOW);
        low.await(STANDING_BY);
        assertMaster(HIGH_GUID, HIGH);
        String tablesBefore = tables();
        String path = tool("saquery", "--src-to-dst", "1:7");

        high.kill();
        long killedNs = System.nanoTime();
        long masterNs = low.await("-> MASTER");
        printTimes("torus-sm killed, torus-sm takes over", killedNs, masterNs, low.await(UP));
        assertMaster(LOW_GUID, LOW);
        assertThat(tables()).isEqualTo(tablesBefore);
        assertThat(tool("saquery", "--src-to-dst", "1:7")).isEqualTo(path);

        long startedNs = System.nanoTime();
        Sm again = torusSm(HIGH_HOST, HIGH);
        long handedNs = again.await("-> MASTER");
        printTimes("the higher torus-sm returns (from its start)", startedNs, handedNs, again.await(UP));
        low.await("MASTER -> STANDBY");
        assertMaster(HIGH_GUID, HIGH);
        assertThat(tables()).isEqualTo(tablesBefore);

        long endedNs = System.nanoTime();
        again.process.destroy();
        long takenNs = low.await("-> MASTER: handed over");
        printTimes("torus-sm ends in order, torus-sm takes over", endedNs, takenNs, low.await(UP));
        assertThat(again.process.waitFor()).isZero();
        assertMaster(LOW_GUID, LOW);
        assertThat(tables()).isEqualTo(tablesBefore);
        assertThat(tool("saquery", "--src-to-dst", "1:7")).isEqualTo(path);
    }

    /** Both are master for a while, each of its part; ibsim forgets IsSM of a port that is cut off. */
    @Test
    void masterLosesItsLink() throws Exception {
        Sm high = torusSm(HIGH_HOST, HIGH);
        high.await(UP);
        Sm low = torusSm(LOW_HOST, LOW);
        low.await(STANDING_BY);
        String tablesBefore = tables();
        String path = tool("saquery", "--src-to-dst", "2:7");

        torus().unlink(HIGH_HOST);
        long cutNs = System.nanoTime();
        long masterNs = low.await("-> MASTER");
        printTimes("the master's link is lost, torus-sm takes over", cutNs, masterNs, low.await(UP));
        assertMaster(LOW_GUID, LOW);
        assertThat(tool("saquery", "--src-to-dst", "2:7")).isEqualTo(path);

        torus().relink(HIGH_HOST);
        long backNs = System.nanoTime();
        long handedNs = high.await("HANDOVER received", "-> MASTER: handed over");
        printTimes("its link is back (from Relink)", backNs, handedNs, high.await(UP));
        low.await("MASTER -> STANDBY");
        assertMaster(HIGH_GUID, HIGH);
        assertThat(tables()).isEqualTo(tablesBefore);
    }

    @ParameterizedTest
    @ValueSource(strings = {DEFAULT_KEY, SECRET_KEY})
    void torusSmAboveOpenSm(String key) throws Exception {
        smKey = key;
        Sm high = torusSm(HIGH_HOST, HIGH);
        high.await(UP);
        Sm low = openSm(LOW_HOST, LOW);
        low.await("Entering STANDBY");
        assertMaster(HIGH_GUID, HIGH);
        String tablesBefore = tables();

        high.kill();
        long killedNs = System.nanoTime();
        long masterNs = low.await("Entering MASTER");
        printTimes("torus-sm killed, OpenSM (polling 1 s x 3) takes over", killedNs, masterNs, low.await(UP));
        assertMaster(LOW_GUID, LOW);
        assertThat(tables()).isEqualTo(tablesBefore);

        long startedNs = System.nanoTime();
        Sm again = torusSm(HIGH_HOST, HIGH);
        long handedNs = again.await("-> MASTER");
        printTimes("torus-sm returns above OpenSM (from its start)", startedNs, handedNs, again.await(UP));
        low.await("Entering STANDBY");
        assertMaster(HIGH_GUID, HIGH);
        assertThat(tables()).isEqualTo(tablesBefore);

        long endedNs = System.nanoTime();
        again.process.destroy();
        long takenNs = low.await("Entering MASTER");
        printTimes("torus-sm ends in order, OpenSM takes over", endedNs, takenNs, low.await(UP));
        assertThat(again.process.waitFor()).isZero();
        assertMaster(LOW_GUID, LOW);
        assertThat(tables()).isEqualTo(tablesBefore);
    }

    /**
     * An OpenSM that returns sends trap 144 and waits for its TrapRepress, which ibsim swallows, and umad2sim knows no
     * timeouts: it is master then, but its first sweep may never end, as it may above another OpenSM.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void openSmAboveTorusSm(boolean isOrderly) throws Exception {
        Sm high = openSm(HIGH_HOST, HIGH);
        high.await(UP);
        Sm low = torusSm(LOW_HOST, LOW);
        low.await(STANDING_BY);
        assertMaster(HIGH_GUID, HIGH);
        String tablesBefore = tables();

        long endedNs = System.nanoTime();
        if (isOrderly) {
            high.end();
        } else {
            high.kill();
        }
        long masterNs = low.await("-> MASTER");
        String outcome = isOrderly ? "OpenSM ends in order" : "OpenSM killed";
        printTimes(outcome + ", torus-sm takes over", endedNs, masterNs, low.await(UP));
        assertMaster(LOW_GUID, LOW);
        assertThat(tables()).isEqualTo(tablesBefore);

        Sm again = openSm(HIGH_HOST, HIGH);
        again.await("Entering MASTER");
        low.await("MASTER -> STANDBY: handed over, accepted without ACKNOWLEDGE");
        assertThat(tool("sminfo", "1")).contains("sm guid " + HIGH_GUID + ",", "SMINFO_MASTER");
        assertThat(tables()).isEqualTo(tablesBefore);
    }

    /** Leaves with three hosts each, and a cable to each spine. */
    @ParameterizedTest
    @ValueSource(strings = {"ftree", "updn"})
    void torusSmAboveOpenSmOnAFatTree(String engine) throws Exception {
        torus().close();
        running = new TorusOnIbSim(simulator, fatTree(), TOOL_HOST, dir);
        torus().routeWith(engine);
        Sm high = torusSm(HIGH_HOST, HIGH);
        high.await(UP);
        Sm low = openSm(LOW_HOST, LOW);
        low.await("Entering STANDBY");
        String tablesBefore = tables();

        high.kill();
        low.await("Entering MASTER");
        low.await(UP);
        assertMaster(LOW_GUID, LOW);
        assertThat(tables()).isEqualTo(tablesBefore);

        Sm again = torusSm(HIGH_HOST, HIGH);
        again.await("-> MASTER");
        again.await(UP);
        assertMaster(HIGH_GUID, HIGH);
        assertThat(tables()).isEqualTo(tablesBefore);
    }

    private TorusOnIbSim torus() {
        return Objects.requireNonNull(running);
    }

    private Sm torusSm(String host, int priority) throws IOException {
        Path settings = Files.writeString(
                dir.resolve("torus-sm.conf"), "trusted_sm_guids = \"" + HIGH_GUID + "," + LOW_GUID + "\"\n");
        return torus().torusSm(host, "-p", Integer.toString(priority), "-k", smKey, "-F", settings.toString());
    }

    private Sm openSm(String host, int priority) throws IOException {
        return torus().openSm(host, "-p", Integer.toString(priority), "-k", smKey);
    }

    private String tool(String... command) throws IOException, InterruptedException {
        return torus().tool(command);
    }

    private void assertMaster(String guid, int priority) throws IOException, InterruptedException {
        assertThat(tool("sminfo")).contains("sm guid " + guid + ",", "priority " + priority, "SMINFO_MASTER");
    }

    /** Returns every LID with its device, and the port by which each switch forwards to it. */
    private String tables() throws IOException, InterruptedException {
        String tables = tool("dump_fts");
        assertThat(tables.lines().filter(line -> line.startsWith("0x")).count()).isGreaterThan(100);
        return tables;
    }

    private static void printTimes(String label, long startNs, long masterNs, long upNs) {
        System.out.printf(
                "mastership: %s: a master after %.2f s, subnet up after %.2f s%n",
                label, (masterNs - startNs) / 1e9, (upNs - startNs) / 1e9);
    }

    private static Topology fatTree() throws TopologyException, IOException {
        StringBuilder text = new StringBuilder();
        for (int spine = 0; spine < 3; spine++) {
            text.append("\nswitchguid=0x3%d0\nSwitch 8 \"spine-%d\" # \"spine-%d\"\n".formatted(spine, spine, spine));
            for (int leaf = 0; leaf < 4; leaf++) {
                text.append("[%d] \"leaf-%d\"[%d] # 4xQDR\n".formatted(1 + leaf, leaf, 4 + spine));
            }
        }
        for (int leaf = 0; leaf < 4; leaf++) {
            text.append("\nswitchguid=0x2%d0\nSwitch 8 \"leaf-%d\" # \"leaf-%d\"\n".formatted(leaf, leaf, leaf));
            for (int spine = 0; spine < 3; spine++) {
                text.append("[%d] \"spine-%d\"[%d] # 4xQDR\n".formatted(4 + spine, spine, 1 + leaf));
            }
            for (int port = 1; port <= 3; port++) {
                text.append("[%d] \"H-%016x\"[1] # 4xQDR\n".formatted(port, host(leaf, port)));
            }
        }
        for (int leaf = 0; leaf < 4; leaf++) {
            for (int port = 1; port <= 3; port++) {
                long guid = host(leaf, port);
                text.append("\ncaguid=0x%x\nCa 1 \"H-%016x\" # \"host-%d-%d\"\n[1](%x) \"leaf-%d\"[%d] # 4xQDR\n"
                        .formatted(guid, guid, leaf, port, guid + 1, leaf, port));
            }
        }
        return TopologyText.read("tree", new StringReader(text.toString()));
    }

    private static long host(int leaf, int port) {
        return 0x1_0000_0000L + 0x100L * (3 * leaf + port - 1);
    }
}
