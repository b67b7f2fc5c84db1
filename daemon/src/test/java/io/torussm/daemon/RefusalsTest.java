package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.deadlock.chain.EngineNames;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MortalLoop;
import io.torussm.view.PublishedView;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The reasons for which torus-2QoS refuses a fabric: while the SM runs, after a takeover by a standby without
 * replication, and after a restart, all connected hosts reach each other with the SLs that they had in the whole
 * torus. {@code FewVlsTest} has the refusal for want of VLs.
 */
class RefusalsTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:6x5x1,hosts=2,ports=12");
    private static final String CONF =
            "torus 6 5 1\nportgroup_max_ports 2\nxp_link 0x200000 0x200050\nyp_link 0x200000 0x200010\n";

    private static final int SECOND_HOST = 12;

    /** A switch with a host, and no cable to the torus yet. */
    private static final String STRAY = """

            switchguid=0x2001e0(2001e0)
            Switch\t12 "S-00000000002001e0"\t# "stray" enhanced port 0 lid 0 lmc 0
            [3]\t"H-0000000000300000"[1](300001)

            caguid=0x300000
            Ca\t1 "H-0000000000300000"\t# "stray-host"
            [1](300001)\t"S-00000000002001e0"[3]
            """;

    private final VirtualLoop loop = new VirtualLoop();

    private final Map<Setting<?>, String> changed = new HashMap<>();
    private String conf = CONF;
    private Set<String> unservedHosts = Set.of();

    @TempDir
    Path dir;

    private Topology topology = TORUS.topology();
    private SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a ring is cut twice|is broken into 2 disjoint parts|cut 12 1; cut 42 1",
                "a line that does not wrap is cut|which does not wrap, is cut|mesh x; cut 12 1",
                "a switch is cut off|is cut off|cut 22 2; cut 22 3; cut 22 4",
                "switches are off here and there|not adjacent along y|off 11; off 33; off 43",
                "a switch has more hosts than fit|has 2 hosts|host 22",
                "no seed is there|no seed has all of its switches|off 00",
                "no seed is there and a ring is cut|is broken into 2 disjoint parts|off 00; cut 12 1; cut 42 1",
                "a column is taken out|looks like \"torus 5 5 1\"|off 50; off 51; off 52; off 53; off 54; "
                        + "plug 40 8 00 8; plug 41 8 01 8; plug 42 8 02 8; plug 43 8 03 8; plug 44 8 04 8",
                "two columns are taken out|looks like \"torus 4 5 1\"|off 40; off 41; off 42; off 43; off 44; "
                        + "off 50; off 51; off 52; off 53; off 54; "
                        + "plug 30 8 00 8; plug 31 8 01 8; plug 32 8 02 8; plug 33 8 03 8; plug 34 8 04 8"
            })
    void keepsSlsAndPairs(String fault, String reason, String list) throws Exception {
        String[] faults = list.split("; ", -1);
        buildFabric(faults);
        String host = "host-1-4-0-0";
        String standby = "host-0-1-0-0";
        FabricSm first = sm(host, "first", 1);
        settle();
        FabricSm second = sm(standby, "second", 2);
        settle();
        Map<String, Integer> whole = servedPairs(first, host);
        try (LoggedEvents log = new LoggedEvents().listen()) {
            applyFaults(faults);
            settle();
            assertThat(Stream.of(SmEvent.ROUTES_DEGRADED, SmEvent.TORUS_SEEDS_ABSENT)
                            .flatMap(event -> log.of(event).stream()))
                    .as(fault)
                    .anyMatch(event -> event.names(reason));
        }
        assertSame(whole, servedPairs(first, host));
        first.kill();
        settle();
        settle();
        assertThat(second.isUp()).isTrue();
        assertSame(whole, servedPairs(second, standby));
        second.kill();
        first = sm(host, "first", 3);
        settle();
        assertSame(whole, servedPairs(first, host));
    }

    /** A file or setting is changed while the SM runs, and is still wrong when others start. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "QoS is off|needs QoS|qos false|",
                "paths are shared out twice|one of the two must be off|balance ties; multipath sides|",
                "orders lack VLs|needs 8 data VLs|max_op_vls 3; multipath orders|",
                "a port is ordered that no switch has|port_order names port 30||port_order 30 1 2",
                "the sizes are too large|correct the sizes||torus 7 5 1",
                "the sizes are too small|is no part of the torus||torus 5 5 1",
                "the sizes are too small, and a seed is missing|add xm_link||torus 4 5 1",
                "the sizes are of a narrow mesh|is no part of the torus||torus 6 3m 1",
                "there are no seeds|there is no seed||xp_link; yp_link",
            })
    void keepsSlsUnderAWrongConfiguration(String fault, String reason, String settings, String lines) throws Exception {
        buildFabric(new String[0]);
        String host = "host-1-4-0-0";
        FabricSm first = sm(host, "first", 1);
        settle();
        FabricSm second = sm("host-0-1-0-0", "second", 2);
        settle();
        Map<String, Integer> whole = servedPairs(first, host);
        for (String setting : settings == null ? new String[0] : settings.split("; ", -1)) {
            String[] words = setting.split(" ", -1);
            changed.put(Objects.requireNonNull(Settings.ofKey(words[0]), setting), words[1]);
        }
        for (String each : lines == null ? new String[0] : lines.split("; ", -1)) {
            String[] words = each.split(" ", 2);
            conf = conf.replaceAll("(?m)^" + words[0] + ".*\n", "") + (words.length > 1 ? each + "\n" : "");
        }
        first.settings.options = options();
        second.settings.options = options();
        try (LoggedEvents log = new LoggedEvents().listen()) {
            first.sweeper.sweepAsNewMaster();
            settle();
            assertThat(log.all() + String.valueOf(first.ends)).as(fault).contains(reason);
        }
        assertSame(whole, servedPairs(first, host));
        first.kill();
        settle();
        settle();
        assertThat(second.isUp()).isTrue();
        assertSame(whole, servedPairs(second, "host-0-1-0-0"));
        second.kill();
        first = sm(host, "first", 3);
        settle();
        assertSame(whole, servedPairs(first, host));
    }

    /** No coordinates are remembered, so those of the file count. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"torus 6 4m 1|torus-2QoS", "torus 6 3m 1|torus-2QoS,updn"})
    void servesAllWithAFileThatIsTooSmall(String sizes, String engines) throws Exception {
        buildFabric(new String[0]);
        conf = CONF.replace("torus 6 5 1", sizes);
        changed.put(Settings.ROUTING_ENGINE, engines);
        String host = "host-1-4-0-0";
        try (LoggedEvents log = new LoggedEvents().listen()) {
            FabricSm first = sm(host, "first", 1);
            settle();
            assertThat(log.of(SmEvent.ROUTES_DEGRADED))
                    .anyMatch(event -> event.names("is no part of the torus") && event.names("correct"));
            assertThat(first.view().plan().engine()).isEqualTo("torus-2QoS");
            Map<String, Integer> whole = servedPairs(first, host);
            assertThat(whole).hasSize(30 * 29);
            fabric.unlink(guid("11"), 1);
            settle();
            assertSame(whole, servedPairs(first, host));
            first.kill();
            first = sm(host, "first", 2);
            settle();
            assertSame(whole, servedPairs(first, host));
        }
    }

    /** The torus keeps its tables with each engine that follows torus-2QoS. */
    @ParameterizedTest
    @ValueSource(strings = {"torus-2QoS", "torus-2QoS,updn", "torus-2QoS,no_fallback"})
    void aSwitchThatIsPluggedInBesideTheTorusMovesNobody(String engines) throws Exception {
        changed.put(Settings.ROUTING_ENGINE, engines);
        StringWriter text = new StringWriter();
        TopologyText.write(topology, text);
        topology = TopologyText.read(Files.writeString(dir.resolve("stray.topo"), text + STRAY));
        buildFabric("plug 11 8 60 1; plug 33 8 60 2".split("; ", -1));
        String host = "host-1-4-0-0";
        FabricSm sm = sm(host, "first", 1);
        settle();
        Map<String, Integer> whole = servedPairs(sm, host);
        int top = sm.view().subnet().topLid();
        List<byte[]> tables = tables(top);

        applyFaults("plug 11 8; plug 33 8".split("; ", -1));
        settle();
        unservedHosts = engines.endsWith(EngineNames.NO_FALLBACK) ? Set.of("stray-host") : Set.of();
        Map<String, Integer> all = servedPairs(sm, host);
        assertThat(all).hasSize(unservedHosts.isEmpty() ? 31 * 30 : 30 * 29);
        assertSame(whole, all);
        assertThat(tables(top)).usingRecursiveComparison().isEqualTo(tables);
        fabric.unlink(guid("11"), 3);
        settle();
        assertSame(whole, servedPairs(sm, host));
    }

    @Test
    void aSeedThatIsBackEndsTheCondition() throws Exception {
        buildFabric(new String[0]);
        sm("host-1-4-0-0", "first", 1);
        settle();
        try (LoggedEvents log = new LoggedEvents().listen()) {
            fabric.failSwitch(guid("00"));
            settle();
            log.only(SmEvent.TORUS_SEEDS_ABSENT);
            assertThat(log.of(SmEvent.TORUS_SEED_PRESENT)).isEmpty();
            fabric.restoreSwitch(guid("00"));
            settle();
            log.only(SmEvent.TORUS_SEED_PRESENT);
        }
    }

    private static long guid(String place) {
        return 0x200000L + 0x10L * (5 * (place.charAt(0) - '0') + place.charAt(1) - '0');
    }

    /** Faults that plug in a cable are cables that are in the topology from the start, and down. */
    private void buildFabric(String[] faults) throws Exception {
        StringWriter text = new StringWriter();
        TopologyText.write(topology, text);
        String whole = text.toString();
        for (String fault : faults) {
            String[] words = fault.split(" ", -1);
            if (words[0].equals("plug")) {
                whole = withEnd(
                        withEnd(whole, words[1], words[2], words[3], words[4]), words[3], words[4], words[1], words[2]);
            }
        }
        topology = TopologyText.read(Files.writeString(dir.resolve("fabric.topo"), whole));
        fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        for (Topology.Node node : topology.nodes()) {
            if (node.isSwitch()) {
                fabric.unlink(node.nodeGuid(), SECOND_HOST);
            }
        }
        for (String fault : faults) {
            String[] words = fault.split(" ", -1);
            if (words[0].equals("plug")) {
                fabric.unlink(guid(words[1]), Integer.parseInt(words[2]));
            } else if (words[0].equals("mesh")) {
                conf = CONF.replace("torus 6", "torus 6m");
                IntStream.range(0, 5).forEach(y -> fabric.unlink(guid("5" + y), 1));
            }
        }
    }

    private static String withEnd(String topology, String from, String port, String to, String portOfTo) {
        String head = String.format("\"S-%016x\"", guid(from));
        int line = topology.indexOf('\n', topology.indexOf("Switch\t12 " + head));
        assertThat(line).isPositive();
        return topology.substring(0, line + 1) + "[" + port + "]\t" + String.format("\"S-%016x\"", guid(to)) + "["
                + portOfTo + "]\n" + topology.substring(line + 1);
    }

    private void applyFaults(String[] faults) {
        for (String fault : faults) {
            String[] words = fault.split(" ", -1);
            switch (words[0]) {
                case "cut" -> fabric.unlink(guid(words[1]), Integer.parseInt(words[2]));
                case "host" -> fabric.relink(guid(words[1]), SECOND_HOST);
                case "plug" -> fabric.relink(guid(words[1]), Integer.parseInt(words[2]));
                case "mesh" -> {}
                default -> fabric.failSwitch(guid(words[1]));
            }
        }
    }

    private SmOptions options() throws Exception {
        Map<Setting<?>, String> settings = new HashMap<>(changed);
        settings.put(
                Settings.TORUS_CONFIG,
                Files.writeString(dir.resolve("torus-2QoS.conf"), conf).toString());
        return ServiceHarness.options(dir, settings);
    }

    private FabricSm sm(String host, String state, int generation) throws Exception {
        MortalLoop life = new MortalLoop(loop);
        return new FabricSm(
                        life,
                        fabric.attach(host, 1),
                        generation == 1 ? 5 : 3,
                        options(),
                        StateDirectory.open(dir.resolve(state), life),
                        generation)
                .trustPortsOf(topology)
                .start();
    }

    private void settle() {
        loop.runFor(TimeUnit.SECONDS.toNanos(40));
    }

    /** Returns the SL by pair of hosts that are connected with a node. Asserts that packets arrive on it. */
    private Map<String, Integer> servedPairs(FabricSm sm, String at) {
        PublishedView view = sm.view();
        Subnet subnet = view.subnet();
        FabricJudge judge = new FabricJudge(topology, fabric);
        BitSet connected = judge.connectedTo(index(at));
        List<Topology.Node> hosts = topology.nodes().stream()
                .filter(node ->
                        !node.isSwitch() && connected.get(topology.nodes().indexOf(node)))
                .filter(node -> !unservedHosts.contains(node.description()))
                .toList();
        Map<String, Integer> sls = new TreeMap<>();
        List<String> lost = new ArrayList<>();
        for (Topology.Node from : hosts) {
            for (Topology.Node to : hosts) {
                if (!from.equals(to)) {
                    int slid = lid(subnet, from);
                    int dlid = lid(subnet, to);
                    int sl = slid == 0 || dlid == 0 ? -1 : view.plan().pathSl(slid, dlid, 0);
                    String fate = sl < 0
                            ? "no path"
                            : judge.send(
                                    topology.nodes().indexOf(from),
                                    topology.nodes().indexOf(to),
                                    dlid,
                                    sl);
                    if (fate.isEmpty()) {
                        sls.put(from.description() + ">" + to.description(), sl);
                    } else {
                        lost.add(from.description() + ">" + to.description() + ": " + fate);
                    }
                }
            }
        }
        assertThat(lost).isEmpty();
        assertThat(judge.creditLoop()).isEmpty();
        return sls;
    }

    private int index(String name) {
        return topology.nodes().indexOf(topology.node(name).orElseThrow());
    }

    private static int lid(Subnet subnet, Topology.Node host) {
        Fabric found = subnet.fabric();
        int node = found.nodeByGuid(host.nodeGuid());
        return node == Fabric.NONE ? 0 : subnet.lid(found.port(node, 1));
    }

    /** Asserts that each earlier pair has its earlier SL. */
    private static void assertSame(Map<String, Integer> whole, Map<String, Integer> left) {
        left.forEach((pair, sl) -> assertThat(sl).as(pair).isEqualTo(whole.getOrDefault(pair, sl)));
    }

    private List<byte[]> tables(int topLid) {
        return topology.nodes().stream()
                .filter(node -> node.isSwitch() && !node.description().equals("stray"))
                .map(sw -> Arrays.copyOf(FabricJudge.Tables.of(sw, fabric).lft(), topLid + 1))
                .toList();
    }
}
