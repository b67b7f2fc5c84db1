package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.placement.PlacedHosts;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.history.ChangeHistory;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Lattice;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.RingState;
import io.torussm.routing.Sl2VlTables;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Retained routes on a fabric with other indexes give the same results for every switch and port as the
 * engine did.
 */
class RetainedIndexesTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 12);
    private static final long REPLACED = 0x7_0000_0000L;

    private int compared;

    /** The number of plans that were compared, by the reason of their retention. */
    private final Map<String, Integer> comparedPlans = new TreeMap<>();

    @Test
    void belongToTheSameDevicesForAnyEngineAndLoss() {
        for (int seed = 0; seed < SEEDS; seed++) {
            DrawnFabric drawn = new DrawnFabric(Seeds.random(seed), 12);
            for (Engine engine : Engines.ALL) {
                Plan before = route(engine, drawn.subnet, drawn.file("torus_config"));
                for (int i = 0; before != null && i < 4; i++) {
                    Random random = Seeds.random(seed, "loss " + i);
                    Subnet now = withRandomFaults(drawn.subnet, random);
                    String what = "seed " + seed + "." + i + ": " + engine.name() + " on " + drawn.shape;
                    RetainedRoutes.ofRefused(before, null, now).ifPresent(after -> {
                        compare("refused, " + what, before, after);
                        read(after);
                    });
                    RetainedRoutes.withoutLeaves(before, null, now)
                            .ifPresent(after -> compare("without leaves, " + what, before, after));
                    before.onSubnet(now).ifPresent(after -> compare("on a subnet, " + what, before, after));
                }
            }
        }
        assertThat(comparedPlans).containsOnlyKeys("on a subnet", "refused", "without leaves");
        assertThat(compared).isPositive();
    }

    private void compare(String what, Plan before, Plan after) {
        assertThat(after).as(what).satisfies(plan -> compare(before, plan));
        comparedPlans.merge(what.substring(0, what.indexOf(',')), 1, Integer::sum);
    }

    /** Half of a torus goes, and the other half keeps all its paths. */
    @Test
    void haveTheRingsOfADamagedTorus() {
        TorusSketch torus = TorusSketch.of(4, 4, 1, 1, 2);
        Subnet whole = torus.subnet();
        Fabric fabric = whole.fabric();
        Engine engine = Engines.ALL.stream()
                .filter(each -> each.name().equals("torus-2QoS"))
                .findFirst()
                .orElseThrow();
        Plan before = route(engine, whole, conf(fabric));
        assertThat(before).isNotNull();
        if (before == null) {
            return;
        }
        assertThat(before.explainer().rings()).allMatch(ring -> ring.state() == RingState.WHOLE);
        Subnet half = alter(
                whole,
                port -> torusY(torus, fabric, port) < 2 && torusY(torus, fabric, fabric.peer(port)) < 2,
                guid -> guid,
                guid -> guid);
        Plan after = RetainedRoutes.ofRefused(before, null, half).orElseThrow();
        assertThat(after.subnet().fabric().switchCount()).isEqualTo(8);
        compare(before, after);
        read(after);
        assertThat(after.explainer().rings())
                .filteredOn(ring -> ring.dimension() == 1)
                .hasSize(4)
                .allMatch(ring -> ring.state() == RingState.OPEN);
        assertThat(after.explainer().rings())
                .filteredOn(ring -> ring.dimension() == 0)
                .extracting(ring -> ring.state() == RingState.WHOLE)
                .containsExactly(true, true, false, false);
    }

    /** Routes that were read from switches apply to devices in the same places. */
    @Test
    void belongToTheSameDevicesIfTheyAreAdopted() {
        TorusSketch torus = TorusSketch.of(4, 4, 1, 1, 2);
        List<String> refusing = new ArrayList<>();
        for (Engine engine : Engines.ALL) {
            Plan before = route(engine, torus.subnet(), conf(torus.subnet().fabric()));
            if (before == null) {
                refusing.add(engine.name());
                continue;
            }
            Fabric fabric = before.subnet().fabric();
            byte[][] held = new byte[fabric.switchCount()][];
            for (int sw = 0; sw < held.length; sw++) {
                held[sw] = sw == 5 ? null : before.lft(sw).clone();
                for (int lid = 1; held[sw] != null && lid < held[sw].length; lid += 7) {
                    held[sw][lid] = LinearForwardingTable.NO_PATH_ENTRY;
                }
            }
            compare(
                    "adopted, " + engine.name(),
                    before,
                    RetainedRoutes.ofAdopted(before, held, null).orElseThrow());
        }
        assertThat(refusing).containsExactly("ftree");
        assertThat(comparedPlans).containsEntry("adopted", Engines.ALL.size() - refusing.size());
    }

    private static @Nullable Plan route(Engine engine, Subnet subnet, String torusConf) {
        Map<String, String> values = new HashMap<>();
        Map<String, EngineFile> files = new HashMap<>();
        for (EngineSetting setting : engine.settings()) {
            if (setting.key().equals("torus_config")) {
                files.put(setting.key(), EngineFile.read(setting.key(), torusConf));
            } else if (setting.kind() != EngineSetting.ValueFormat.FILE) {
                values.put(setting.key(), setting.byDefault());
            }
        }
        EngineConfig config = new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1);
        return new RoutingChain(
                        new DeadlockChecker(1),
                        List.of(new RoutingChain.Member(engine, config)),
                        ChainPolicy.WITH_LAST_RESORT)
                .route(subnet, TestRouting.QOS)
                .plan();
    }

    /**
     * Returns a subnet whose devices keep their LIDs, except for lost devices.
     *
     * @param stays whether a port index still has its cable
     * @param nodeGuid new NodeGUID by the old one
     * @param portGuid new port GUID of an end port by the old one
     */
    private static Subnet alter(
            Subnet before, Predicate<Integer> stays, LongUnaryOperator nodeGuid, LongUnaryOperator portGuid) {
        Fabric then = before.fabric();
        FabricBuilder now = new FabricBuilder();
        int local = then.nodeOf(then.localPort());
        for (int i = 0; i < then.nodeCount(); i++) {
            int node = (local + i) % then.nodeCount();
            NodeInfo nodeInfo = then.node(node).info();
            long guid = nodeGuid.applyAsLong(then.nodeGuid(node));
            now.addNode(
                    nodeInfo.with(NodeInfo.NODE_GUID, guid)
                            .with(NodeInfo.PORT_GUID, portGuid.applyAsLong(nodeInfo.portGuid())),
                    then.node(node).path());
            now.setDescription(guid, then.node(node).description());
            SwitchInfo switchInfo = then.node(node).switchInfo();
            if (switchInfo != null) {
                now.setSwitchInfo(guid, switchInfo);
            }
            for (int portNum = 0; portNum <= then.numPorts(node); portNum++) {
                int port = then.port(node, portNum);
                PortInfo info = then.portInfo(port);
                if (info != null) {
                    now.setPortInfo(guid, portNum, info);
                }
                now.setPortGuid(guid, portNum, portGuid.applyAsLong(then.portGuid(port)));
            }
        }
        for (int port = 0; port < then.portCount(); port++) {
            int far = then.peer(port);
            if (far > port && stays.test(port) && stays.test(far)) {
                now.link(
                        nodeGuid.applyAsLong(then.nodeGuid(then.nodeOf(port))),
                        then.portNum(port),
                        nodeGuid.applyAsLong(then.nodeGuid(then.nodeOf(far))),
                        then.portNum(far));
            }
        }
        now.retrace();
        Fabric fabric = now.build();
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[lids.length];
        for (int node = 0; node < then.nodeCount(); node++) {
            int same = fabric.nodeByGuid(nodeGuid.applyAsLong(then.nodeGuid(node)));
            for (int portNum = 0; same != Fabric.NONE && portNum <= then.numPorts(node); portNum++) {
                lids[fabric.port(same, portNum)] = before.lid(then.port(node, portNum));
                lmcs[fabric.port(same, portNum)] = (byte) before.lmc(then.port(node, portNum));
            }
        }
        return new Subnet(fabric, lids, lmcs, before.gidPrefix());
    }

    /** All that can be asked by an index. */
    private void compare(Plan before, Plan after) {
        Subnet now = after.subnet();
        Fabric is = now.fabric();
        Fabric was = before.subnet().fabric();
        for (int sw = 0; sw < is.switchCount(); sw++) {
            int then = was.nodeByGuid(is.nodeGuid(sw));
            assertThat(after.coordinates(sw)).isEqualTo(before.coordinates(then));
            for (int in = 0; in <= is.numPorts(sw); in++) {
                for (int out = 0; out <= is.numPorts(sw); out++) {
                    assertThat(after.sl2vl(sw, in, out)).isEqualTo(before.sl2vl(then, in, out));
                }
            }
            for (int portNum = 1; portNum <= is.numPorts(sw); portNum++) {
                assertThat(after.role(sw, portNum)).isEqualTo(before.role(then, portNum));
            }
            for (int lid = 1; lid <= now.topLid(); lid++) {
                int sls = now.switchOfLid(lid) == Fabric.NONE ? 0 : after.slMask(sw, lid);
                assertThat(sls).isIn(0, before.subnet().switchOfLid(lid) == Fabric.NONE ? 0 : before.slMask(then, lid));
                int sl = after.pathSl(now.lid(is.port(sw, 0)), lid, 0);
                assertThat(sl).isIn(-1, before.pathSl(now.lid(is.port(sw, 0)), lid, 0));
                assertThat(sl >= 0 && after.retention().isPresent() && now.switchOfLid(lid) == Fabric.NONE)
                        .as("a path to nowhere")
                        .isFalse();
                compared++;
            }
        }
        for (int port = 0; port < is.portCount(); port++) {
            if (is.isEndport(port)) {
                int then = before.subnet().portOfLid(now.lid(port));
                long row = after.sl2vl(port);
                assertThat(row).isIn(0L, then == Fabric.NONE ? 0L : before.sl2vl(then));
                boolean isServed = after.pathSl(now.lid(port), now.smLid(), 0) >= 0;
                assertThat(row != 0 || !isServed || before.sl2vl(then) == 0).isTrue();
            }
        }
        before.explainer().lattice().ifPresent(lattice -> compare(after, lattice));
        for (int[] leaf : after.explainer().computeOrder()) {
            for (int lid : leaf) {
                assertThat(lid == 0 || now.switchOfLid(lid) != Fabric.NONE).isTrue();
            }
        }
        assertThat(after.explainer().computeOrder().length)
                .isEqualTo(before.explainer().computeOrder().length);
    }

    private static void compare(Plan after, Lattice lattice) {
        Fabric is = after.subnet().fabric();
        Lattice now = after.explainer().lattice().orElseThrow();
        int[] positions = now.positionsIn(is);
        for (int sw = 0; sw < is.switchCount(); sw++) {
            int at = positions[sw];
            String place = at == Fabric.NONE
                    ? ""
                    : "(" + now.coordinate(at, 0) + "," + now.coordinate(at, 1) + "," + now.coordinate(at, 2) + ")";
            assertThat(after.coordinates(sw)).isEqualTo(place);
            assertThat(at == Fabric.NONE ? 0 : lattice.guidAt(at)).isIn(0L, is.nodeGuid(sw));
        }
    }

    /** Reads the routes as the history and the places of hosts do. */
    private static void read(Plan after) {
        PublishedView view = Views.view(after);
        FabricState state = FabricState.of(view, Instant.EPOCH);
        PlacedHosts.of(state, view);
        VirtualLoop loop = new VirtualLoop();
        ChangeHistory history =
                new ChangeHistory(StateDirectory.none(loop), loop, new ChangeHistory.Settings(10, 10_000_000));
        history.record(state, Instant.EPOCH, List::of);
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(history.changes()).hasSize(1);
    }

    /** Cables and switches are lost, hosts come with another NodeGUID, switches with another GUID at port 0. */
    private static Subnet withRandomFaults(Subnet before, Random random) {
        Fabric then = before.fabric();
        long replaced = then.nodeGuid(random.nextInt(then.nodeCount()));
        boolean isHost = !then.isSwitch(then.nodeByGuid(replaced));
        int gone = random.nextInt(Math.max(1, then.switchCount()));
        long renamed = then.portGuid(then.port(random.nextInt(Math.max(1, then.switchCount())), 0));
        boolean[] lost = new boolean[then.portCount()];
        for (int port = 0; port < lost.length; port++) {
            lost[port] = random.nextInt(12) == 0 || random.nextInt(2) == 0 && then.nodeOf(port) == gone;
        }
        boolean isSwitchLost = random.nextBoolean() && gone != then.localSwitch();
        return alter(
                before,
                port -> port == then.localPort()
                        || then.peer(port) == then.localPort()
                        || !lost[port] && !(isSwitchLost && then.nodeOf(port) == gone),
                guid -> guid == replaced && isHost ? guid + REPLACED : guid,
                guid -> guid == renamed ? guid + REPLACED : guid);
    }

    /** Of 4 x 4 switches. */
    private static String conf(Fabric fabric) {
        long origin = fabric.nodeGuid(0);
        return String.format(
                "torus 4 4 1%nxp_link 0x%x 0x%x%nxm_link 0x%x 0x%x%nyp_link 0x%x 0x%x%nym_link 0x%x 0x%x%n",
                origin,
                fabric.nodeGuid(1),
                origin,
                fabric.nodeGuid(3),
                origin,
                fabric.nodeGuid(4),
                origin,
                fabric.nodeGuid(12));
    }

    private static int torusY(TorusSketch torus, Fabric fabric, int port) {
        int node = fabric.nodeOf(port);
        int sw = fabric.isSwitch(node) ? node : fabric.switchOf(port);
        return torus.at(sw, 1);
    }
}
