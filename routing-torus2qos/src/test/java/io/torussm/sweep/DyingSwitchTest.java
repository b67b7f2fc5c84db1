package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.routing.Plan;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepCounts.SweepEnd;
import io.torussm.sweep.state.SweepCounts.SweepScope;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.transport.MadClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A switch whose cables go down one after the other, while tables are written that still lead through it. Times are
 * virtual.
 */
class DyingSwitchTest {
    private static final String TORUS = "torus:6x5x4,hosts=1";
    private static final int PORTS = 7;
    private static final int SWITCHES = 12;
    private static final long LIMIT_US = TimeUnit.MILLISECONDS.toMicros(150);

    /** Cables of 200 ns, and agents that take 50 us for an answer. */
    private static final FaultPlan REALISTIC_TIMES = new FaultPlan(1, 0, 0, 200, 50_000, 0);

    private final SweepHarness harness = new SweepHarness(TorusSpec.parse(TORUS).topology(), REALISTIC_TIMES);
    private long lastTableNs;

    private void begin() {
        harness.engine = new Torus2QosEngine(
                Torus2QosConf.parse("torus-2QoS.conf", TorusSpec.parse(TORUS).torus2QosConf()), 1);
        assertThat(harness.sweep()).isEqualTo("up");
        harness.sweepLight();
        harness.isRequestLost = mad -> {
            boolean isTable = MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id();
            if (isTable && MadHeader.method(mad) == Method.SET) {
                lastTableNs = harness.loop.nowNs();
            }
            return false;
        };
    }

    private long sweeps(SweepScope kind, SweepEnd end) {
        return harness.sweeper.counts().counts().stream()
                .filter(count -> count.kind() == kind && count.end() == end)
                .mapToLong(SweepCounts.Count::count)
                .sum();
    }

    private boolean isPresent(long guid) {
        return harness.publishedView().subnet().fabric().nodeByGuid(guid) != Fabric.NONE;
    }

    /**
     * Returns the ports of a switch in random order. The last one leads to another switch whose reports come by another
     * way. A torus with a broken ring is refused, so its routes stay until the whole switch is lost.
     */
    private List<Integer> ports(long guid, Random random) {
        Plan plan = harness.publishedView().plan();
        Fabric fabric = plan.subnet().fabric();
        int sw = fabric.nodeByGuid(guid);
        int smLid = plan.subnet().lid(fabric.localPort());
        List<Integer> ports =
                new ArrayList<>(IntStream.rangeClosed(1, PORTS).boxed().toList());
        Collections.shuffle(ports, random);
        int last = ports.stream()
                .filter(port -> {
                    int far = fabric.nodeOf(fabric.peer(fabric.port(sw, port)));
                    int next = fabric.isSwitch(far)
                            ? fabric.nodeOf(fabric.peer(fabric.port(far, plan.lft(far)[smLid])))
                            : sw;
                    return next != sw;
                })
                .findFirst()
                .orElseThrow();
        ports.remove((Integer) last);
        ports.add(last);
        return ports;
    }

    @ParameterizedTest(name = "{0} us between two cables")
    @ValueSource(longs = {100, 1_000, 3_000, 12_000})
    void itsLastTableIsWrittenSoonAfterItsFirstCable(long gapUs) {
        begin();
        Random random = Seeds.unmixed(gapUs);
        Fabric whole = harness.publishedView().subnet().fabric();
        List<Long> tookUs = new ArrayList<>();
        for (int i = 0; i < SWITCHES; i++) {
            long guid = whole.nodeGuid(1 + random.nextInt(whole.switchCount() - 1));
            List<Integer> ports = ports(guid, random);
            long begunNs = harness.loop.nowNs();
            for (int port : ports) {
                harness.fabric.unlink(guid, port);
                harness.loop.runFor(TimeUnit.MICROSECONDS.toNanos(gapUs));
            }
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(20));
            assertThat(isPresent(guid)).as("switch %d with ports %s", i, ports).isFalse();
            tookUs.add(TimeUnit.NANOSECONDS.toMicros(lastTableNs - begunNs));
            ports.forEach(port -> harness.fabric.relink(guid, port));
            harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
            assertThat(isPresent(guid)).isTrue();
            harness.sweepLight();
        }
        assertThat(tookUs).as("from the first cable to the last table, in us").allMatch(us -> us <= LIMIT_US);
        assertThat(sweeps(SweepScope.HEAVY, SweepEnd.UP)).as("the first one").isEqualTo(1);
        assertThat(sweeps(SweepScope.LOCAL, SweepEnd.FAILED)).isZero();
    }

    /**
     * A switch dies half a second after another one returned, while its tables are written. Agents take 10 ms for an
     * answer, and four SMPs are in flight. Without a preemption, the sweep would await all retries and fail, and a
     * whole sweep follow.
     */
    @Test
    void aSwitchThatDiesLateInASweepIsNotAwaited() {
        SweepHarness slow = new SweepHarness(
                TorusSpec.parse(TORUS).topology(), new FaultPlan(1, 0, 0, 200, TimeUnit.MILLISECONDS.toNanos(10), 0));
        slow.mads = new MadClient.Settings(4, 4, 100, 6);
        slow.restart();
        slow.engine = new Torus2QosEngine(
                Torus2QosConf.parse("torus-2QoS.conf", TorusSpec.parse(TORUS).torus2QosConf()), 1);
        assertThat(slow.sweep()).isEqualTo("up");
        slow.sweepLight();
        Fabric whole = slow.publishedView().subnet().fabric();
        long returned = whole.nodeGuid(90);
        slow.fabric.failSwitch(returned);
        slow.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        long begunNs = slow.loop.nowNs();
        long[] diedNs = {0};
        slow.isRequestLost = mad -> {
            DrPath path = Smp.path(mad);
            boolean isTable = MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id()
                    && MadHeader.method(mad) == Method.SET;
            boolean isLate = slow.loop.nowNs() - begunNs > TimeUnit.MILLISECONDS.toNanos(500);
            if (isTable && isLate && diedNs[0] == 0 && path != null && path.hops() > 2) {
                diedNs[0] = slow.loop.nowNs();
                long guid = guidAt(whole, path);
                IntStream.rangeClosed(1, PORTS).forEach(port -> slow.fabric.unlink(guid, port));
            }
            return false;
        };
        slow.fabric.restoreSwitch(returned);
        assertThat(slow.loop.runUntil(() -> diedNs[0] > 0, TimeUnit.SECONDS.toNanos(20)))
                .isTrue();
        int ends = slow.ends.size();
        assertThat(slow.loop.runUntil(() -> slow.ends.size() > ends, TimeUnit.SECONDS.toNanos(60)))
                .isTrue();
        assertThat(slow.ends.subList(ends, slow.ends.size())).containsExactly("up");
        assertThat(slow.publishedView().subnet().fabric().switchCount()).isEqualTo(whole.switchCount() - 1);
    }

    private static long guidAt(Fabric fabric, DrPath path) {
        int node = fabric.nodeOf(fabric.localPort());
        for (int hop = 0; hop < path.hops(); hop++) {
            node = fabric.nodeOf(fabric.peer(fabric.port(node, path.port(hop))));
        }
        return fabric.nodeGuid(node);
    }

    /** Reports during the configuration of ports do not wait for a port without a response. */
    @Test
    void aPortThatDoesNotAnswerHoldsUpNoLostCable() {
        begin();
        Fabric whole = harness.publishedView().subnet().fabric();
        int host = harness.hosts().get(7);
        Predicate<byte[]> noted = harness.isRequestLost;
        int[] unanswered = {0};
        harness.isRequestLost = mad -> {
            DrPath path = Objects.requireNonNull(Smp.path(mad));
            boolean isOfPort = MadHeader.method(mad) == Method.SET
                    && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && path.hops() > 0
                    && path.port(path.hops() - 1) == PORTS;
            unanswered[0] += isOfPort ? 1 : 0;
            return noted.test(mad) || isOfPort;
        };
        harness.fabric.restartHost(whole.nodeGuid(whole.nodeOf(host)));
        assertThat(harness.loop.runUntil(() -> unanswered[0] > 0, TimeUnit.SECONDS.toNanos(5)))
                .isTrue();
        int ends = harness.ends.size();
        long begunNs = harness.loop.nowNs();
        harness.fabric.unlink(whole.nodeGuid(90), 1);
        harness.await(ends + 2);
        assertThat(TimeUnit.NANOSECONDS.toMicros(lastTableNs - begunNs)).isBetween(1L, LIMIT_US);
        assertThat(harness.ends).containsOnly("up");
        assertThat(sweeps(SweepScope.HEAVY, SweepEnd.UP)).isEqualTo(1);
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        harness.awaitRest();
        assertThat(Devices.portInfo(harness, harness.publishedView().subnet().fabric(), host)
                        .portState())
                .as("tried again")
                .isEqualTo(PortInfo.STATE_ACTIVE);
    }

    /** A sweep gives way for half a second; after that one is finished, well or not. */
    @Test
    void reportsWithoutEndDoNotKeepSweepsFromTheirEnd() {
        begin();
        Fabric whole = harness.publishedView().subnet().fabric();
        Subnet subnet = harness.publishedView().subnet();
        int lid = subnet.lid(whole.port(60, 0));
        harness.isRequestLost = mad -> MadHeader.method(mad) == Method.SET;
        harness.fabric.unlink(whole.nodeGuid(90), 1);
        for (int i = 0; i < 2_000; i++) {
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
            harness.sweeper.sweepNeighbourhood(lid);
        }
        assertThat(sweeps(SweepScope.LOCAL, SweepEnd.SUPERSEDED)).isBetween(5L, 60L);
        assertThat(harness.ends).anyMatch(end -> end.startsWith("failed"));
    }

    /** Its agent is silent for longer than the sweep would give way, and then its neighbours say that it is gone. */
    @Test
    void aSwitchThatIsForgottenIsNotAskedASecondTime() {
        begin();
        long guid = harness.publishedView().subnet().fabric().nodeGuid(50);
        boolean[] isSilent = {true};
        harness.isRequestLost = mad -> isSilent[0]
                && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                && MadHeader.attributeModifier(mad) != 0;
        harness.fabric.unlink(guid, PORTS);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        isSilent[0] = false;
        for (int port = 1; port < PORTS; port++) {
            harness.fabric.unlink(guid, port);
        }
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(2));
        assertThat(isPresent(guid)).isFalse();
        assertThat(sweeps(SweepScope.LOCAL, SweepEnd.FAILED)).isZero();
    }
}
