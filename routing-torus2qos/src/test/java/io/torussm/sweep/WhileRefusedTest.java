package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.DeviceText;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.LoggedEvents;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The view of applications while torus-2QoS cannot route the torus of {@link RefusedTorusCase}: all still works as in
 * the last good torus. OpenSM returns no PathRecord if it refuses early, returns wrong SLs if it refuses late, and
 * loses a multicast group whose members change.
 */
class WhileRefusedTest extends RefusedTorusCase {
    private static final int BROADCAST_MLID = 0xc000;

    /**
     * In turn: a ring in two pieces, found before routes are computed; two switches side by side in the dimension that
     * is not routed last, found after; a switch behind three dead cables.
     */
    @ParameterizedTest(name = "{0} without {1}")
    @CsvSource({
        "'torus:6x5x1,hosts=2', 'link 1 2 0 1; link 4 2 0 1'",
        "'torus:6x5x1,hosts=2', 'switch 2 2 0; switch 3 2 0'",
        "'torus:5x5x1,hosts=2', 'link 2 2 0 1; link 2 2 0 2; link 2 2 0 3'",
        "'torus:4x3x3,hosts=1', 'link 1 1 1 1; link 3 1 1 1'"
    })
    void everythingStaysAsTheLastGoodTorusHadIt(String torus, String faults) {
        SweepHarness harness = startedHarness(torus);
        List<Integer> hosts = harness.hosts();
        sendMembership(harness, Method.SET, hosts.get(0));
        sendMembership(harness, Method.SET, hosts.get(7));
        Map<String, Integer> sls = pathSls(harness);
        Map<String, String> tables = tables(harness);
        Set<String> two = Devices.groupEntries(harness, BROADCAST_MLID);
        assertThat(two).hasSizeGreaterThan(1);

        applyFaults(harness, torus, faults, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, Integer> left = pathSls(harness);
        assertThat(left).hasSizeBetween(sls.size() / 2, sls.size() - 1);
        assertThat(sls).containsAllEntriesOf(left);
        int joiner = harness.hosts().get(harness.hosts().size() - 1);
        Set<String> reachable = Devices.groupEntries(harness, BROADCAST_MLID);
        sendMembership(harness, Method.SET, joiner);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID))
                .containsAll(reachable)
                .hasSizeGreaterThan(reachable.size());
        sendMembership(harness, Method.DELETE, joiner);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(reachable);
        assertThat(runAndSweep(harness)).startsWith("refused");

        applyFaults(harness, torus, faults, false);
        assertThat(runAndSweep(harness)).isEqualTo("up");
        assertThat(pathSls(harness)).isEqualTo(sls);
        assertThat(tables(harness)).isEqualTo(tables);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(two);
    }

    @Test
    void aHostThatRebootsIsBackAsInFairWeather() {
        SweepHarness harness = startedHarness(TORUS);
        String host = "host-1-1-0-0";
        int lid = view(harness).subnet().lid(portOf(harness, host));
        int other = view(harness).subnet().lid(portOf(harness, "host-5-4-0-1"));
        int sl = pathSl(harness, other, lid);
        sendMembership(harness, Method.SET, portOf(harness, host));
        sendMembership(harness, Method.SET, portOf(harness, "host-5-4-0-1"));
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, String> tables = tables(harness);
        Set<String> entries = Devices.groupEntries(harness, BROADCAST_MLID);

        harness.fabric.unlink(guidOf(harness, host), 1);
        run30Seconds(harness);
        assertThat(portOf(harness, host)).as("gone").isEqualTo(Fabric.NONE);
        harness.fabric.restartHost(guidOf(harness, host));
        harness.fabric.relink(guidOf(harness, host), 1);
        run30Seconds(harness);
        assertThat(harness.ends).last().asString().startsWith("refused");
        assertThat(portInfo(harness, host).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(portInfo(harness, host).lid()).isEqualTo(lid);
        assertThat(harness.fabric.pKeys(guidOf(harness, host), 1)[0]).isEqualTo(0xffff);
        assertThat(pathSl(harness, other, lid)).isEqualTo(sl);
        sendMembership(harness, Method.SET, portOf(harness, host));
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(entries);
        assertThat(tables(harness)).isEqualTo(tables);
    }

    @Test
    void aSwitchThatReturnsIsProgrammedAsItWas() {
        SweepHarness harness = startedHarness(TORUS);
        Map<String, Integer> sls = pathSls(harness);
        Map<String, String> tables = tables(harness);
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, Integer> left = pathSls(harness);
        applyFaults(harness, TORUS, "switch 2 4 0", true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        assertThat(pathSls(harness)).hasSizeLessThan(left.size());
        applyFaults(harness, TORUS, "switch 2 4 0", false);
        run30Seconds(harness);
        assertThat(tables(harness)).isEqualTo(tables);
        assertThat(pathSls(harness)).isEqualTo(left);
        assertThat(portInfo(harness, "host-2-4-0-0").portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(harness.ends).last().asString().startsWith("refused");

        applyFaults(harness, TORUS, RING_CUT, false);
        run30Seconds(harness);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(view(harness).plan().retention()).isEmpty();
        assertThat(pathSls(harness)).isEqualTo(sls);
    }

    @Test
    void lossesAndReturnsDuringARefusalAreReported() {
        SweepHarness harness = startedHarness(TORUS);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            applyFaults(harness, TORUS, RING_CUT, true);
            assertThat(runAndSweep(harness)).startsWith("refused");
            assertThat(events.of(SmEvent.CABLE_LOST)).hasSize(2).anyMatch(lost -> lost.names("sw-4-2-0", "sw-5-2-0"));
            applyFaults(harness, TORUS, "link 1 2 0 1", false);
            run30Seconds(harness);
            assertThat(harness.ends).last().isEqualTo("up");
            assertThat(events.of(SmEvent.CABLE_BACK)).singleElement().matches(back -> back.names("sw-1-2-0"));
            assertThat(events.of(SmEvent.CABLE_LOST)).hasSize(2);
            assertThat(events.of(SmEvent.TORUS_CHANGED)).isEmpty();
        }
    }

    /** The host has no entry in any table. It gets its LID when there are routes. */
    @Test
    void aHostThatIsNewWaitsForRoutes() {
        SweepHarness harness = new SweepHarness(TORUS);
        String conf = TorusSpec.parse(TORUS).torus2QosConf();
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        String host = "host-3-3-0-0";
        harness.fabric.unlink(guidOf(harness, host), 1);
        assertThat(harness.sweep()).isEqualTo("up");
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        harness.fabric.relink(guidOf(harness, host), 1);
        run30Seconds(harness);
        assertThat(portInfo(harness, host).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(portOf(harness, host)).isEqualTo(Fabric.NONE);
        assertThat(waitingDevices(harness)).singleElement().asString().contains(host);

        applyFaults(harness, TORUS, "link 1 2 0 1", false);
        run30Seconds(harness);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(portInfo(harness, host).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    /** A switch without routes through it may have any table; its cables stay down. */
    @Test
    void aSwitchThatIsNewWaitsForRoutes() {
        SweepHarness harness = new SweepHarness(TORUS);
        String conf = TorusSpec.parse(TORUS).torus2QosConf();
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        applyFaults(harness, TORUS, "switch 3 3 0", true);
        assertThat(harness.sweep()).isEqualTo("up");
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, String> tables = tables(harness);
        applyFaults(harness, TORUS, "switch 3 3 0", false);
        run30Seconds(harness);
        assertThat(waitingDevices(harness)).extracting(DeviceText::text).anyMatch(text -> text.contains("sw-3-3-0"));
        assertThat(portInfo(harness, "host-3-3-0-0").portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(tables(harness)).isEqualTo(tables);

        applyFaults(harness, TORUS, RING_CUT, false);
        run30Seconds(harness);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(portInfo(harness, "host-3-3-0-0").portState()).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    private static List<DeviceText> waitingDevices(SweepHarness harness) {
        return view(harness).plan().retention().orElseThrow().waiting();
    }

    @Test
    void theFabricIsAtRestWhileRefused() {
        SweepHarness harness = startedHarness(TORUS);
        applyFaults(harness, TORUS, RING_CUT, true);
        runAndSweep(harness);
        int sweeps = harness.ends.size();
        harness.requests.clear();
        for (int i = 0; i < 5; i++) {
            harness.sweepLight();
        }
        assertThat(harness.ends).hasSize(sweeps);
        assertThat(harness.countAllSets()).isZero();
    }

    /** OpenSM refuses this one and then answers 296 of 576 pairs with an SL that lacks dateline bits. */
    @Test
    void aLostColumnCostsNoPathItsSl() {
        String torus = "torus:1x5x3,hosts=1";
        SweepHarness harness = startedHarness(torus);
        Map<String, Integer> sls = pathSls(harness);
        applyFaults(harness, torus, "switch 0 2 0; switch 0 2 1; switch 0 2 2", true);
        assertThat(runAndSweep(harness)).isEqualTo("up");
        Map<String, Integer> left = pathSls(harness);
        assertThat(left).hasSize(12 * 12);
        assertThat(sls).containsAllEntriesOf(left);
    }
}
