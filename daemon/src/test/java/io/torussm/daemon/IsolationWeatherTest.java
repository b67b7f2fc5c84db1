package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.SmOptions;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RingState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import io.torussm.testing.Seeds;
import io.torussm.view.CableHistory;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random tori and meshes with flapping and pulled cables, in virtual time. No isolation cuts a ring, removes
 * a path, closes a credit loop, or exceeds the limit. Without faults no cable is isolated.
 */
@Tag("slow")
class IsolationWeatherTest {
    private static final List<String> SHAPES = List.of(
            "torus:4x3x1",
            "torus:5x4x1",
            "torus:3x3x3",
            "torus:4x4x1,mesh=x",
            "torus:5x3x1,mesh=xy",
            "torus:4x3x2,mesh=z");
    private static final SmOptions.Isolation RULES = new SmOptions.Isolation(2, 600, 0, 2, 60);
    private static final String SM_HOST = "host-0-0-0-0";
    private static final int FAULT_ROUNDS = 25;
    private static final int MAX_PULLED = 2;

    @TempDir
    Path dir;

    private final List<String> story = new ArrayList<>();
    private final VirtualLoop loop = new VirtualLoop();

    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, Long.getLong("seeds", 4));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noIsolationHarmsAnyHost(long seed) throws Exception {
        Random random = Seeds.random(seed);
        TorusSpec torus = TorusSpec.parse(
                SHAPES.get(random.nextInt(SHAPES.size())) + ",hosts=1,links=" + (random.nextInt(4) == 0 ? 2 : 1));
        story.add("seed " + seed + ": " + torus);
        Topology topology = torus.topology();
        SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        FabricSm sm = start(fabric, torus);
        List<Cable> cables = cables(topology);
        List<Cable> pulled = new ArrayList<>();
        List<Cable> flaky = List.of(pick(cables, random), pick(cables, random), pick(cables, random));
        for (int gust = 0; gust < FAULT_ROUNDS; gust++) {
            injectFaults(random, fabric, cables, flaky, pulled);
            advance(25);
            verifyRouting(sm, topology, fabric, pulled.isEmpty());
        }
        pulled.forEach(cable -> fabric.relink(cable.guid(), cable.portNum()));
        assertThat(sm.cables.entries())
                .as(story.toString())
                .anyMatch(entry -> entry.kind() == CableHistory.EntryType.DOWN);
        for (int hour = 0; hour < 48 && !sm.memory.drains().all().isEmpty(); hour++) {
            advance(3600);
        }
        assertThat(sm.memory.drains().all()).as(story.toString()).isEmpty();
        advance(25);
        verifyRouting(sm, topology, fabric, true);
    }

    /** A cable by one of its ends. */
    private record Cable(long guid, int portNum) {}

    private FabricSm start(SimFabric fabric, TorusSpec torus) throws Exception {
        MortalLoop life = new MortalLoop(loop);
        FabricSm sm = new FabricSm(
                life,
                fabric.attach(SM_HOST, 1),
                8,
                ServiceHarness.torusOptions(dir, torus),
                StateDirectory.none(life),
                1);
        sm.settings.isolation = RULES;
        sm.start();
        advance(25);
        return sm;
    }

    private void injectFaults(
            Random random, SimFabric fabric, List<Cable> cables, List<Cable> flaky, List<Cable> pulled) {
        int kind = random.nextInt(8);
        if (kind == 0 && pulled.size() < MAX_PULLED) {
            Cable cable = pick(cables, random);
            if (!pulled.contains(cable) && !flaky.contains(cable)) {
                story.add("pulled " + cable);
                pulled.add(cable);
                fabric.unlink(cable.guid(), cable.portNum());
            }
        } else if (kind == 1 && !pulled.isEmpty()) {
            Cable cable = pulled.remove(0);
            story.add("mended " + cable);
            fabric.relink(cable.guid(), cable.portNum());
        } else {
            Cable cable = flaky.get(random.nextInt(flaky.size()));
            story.add("flap of " + cable);
            fabric.unlink(cable.guid(), cable.portNum());
            advance(1 + random.nextInt(20));
            fabric.relink(cable.guid(), cable.portNum());
        }
    }

    private void advance(long seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private static <T> T pick(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    private static List<Cable> cables(Topology topology) {
        List<Cable> cables = new ArrayList<>();
        for (Topology.Node node : topology.nodes()) {
            for (int portNum = 1; node.isSwitch() && portNum <= node.numPorts(); portNum++) {
                Topology.PortRef far = node.peer(portNum);
                if (far != null
                        && far.node().isSwitch()
                        && (far.node().index() > node.index()
                                || far.node().index() == node.index() && far.portNum() > portNum)) {
                    cables.add(new Cable(node.nodeGuid(), portNum));
                }
            }
        }
        return cables;
    }

    /** Verifies the routes. No cable flaps at this moment, so all degradation is due to pulled cables or isolation. */
    private void verifyRouting(FabricSm sm, Topology topology, SimFabric fabric, boolean isWhole) {
        String told = story.toString();
        int isolations = sm.memory.drains().isolations().size();
        assertThat(isolations).as(told).isLessThanOrEqualTo(RULES.isolateMaxLinks());
        PublishedView view = Objects.requireNonNull(sm.sweeper.view());
        Plan plan = view.plan();
        if (isWhole || isolations > 0) {
            assertThat(plan.degradation()).as(told).isEmpty();
            assertThat(plan.retention()).as(told).isEmpty();
            assertThat(plan.explainer().rings()).as(told).noneMatch(ring -> ring.state() == RingState.CUT);
        }
        FabricJudge judge = new FabricJudge(topology, fabric);
        Fabric seen = view.subnet().fabric();
        BitSet there = judge.connectedTo(topology.node(SM_HOST).orElseThrow().index());
        for (Topology.Node from : topology.nodes()) {
            for (Topology.Node to : topology.nodes()) {
                boolean isPair = !from.isSwitch() && !to.isSwitch() && from.index() != to.index();
                if (!isPair || !there.get(from.index()) || !there.get(to.index())) {
                    continue; // a pulled cable was its last
                }
                int source = seen.nodeByGuid(from.nodeGuid());
                int goal = seen.nodeByGuid(to.nodeGuid());
                assertThat(source).as(told).isNotEqualTo(Fabric.NONE);
                assertThat(goal).as(told).isNotEqualTo(Fabric.NONE);
                int sl = plan.pathSl(
                        view.subnet().lid(seen.port(source, 1)), view.subnet().lid(seen.port(goal, 1)), 0);
                assertThat(judge.send(from.index(), to.index(), judge.lids[to.index()], sl))
                        .as("%s to %s: %s", from, to, told)
                        .isEmpty();
            }
        }
        assertThat(judge.creditLoop()).as(told).isEmpty();
    }
}
