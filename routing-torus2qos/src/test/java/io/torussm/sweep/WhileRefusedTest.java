package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.event.DeviceText;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.multicast.MulticastGroups;
import io.torussm.routing.Plan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The view of applications while torus-2QoS cannot route the fabric: all that still works, as in the last
 * good torus. OpenSM returns no PathRecord if it refuses early, returns wrong SLs if it refuses late, and
 * loses a multicast group whose members change.
 */
class WhileRefusedTest {
    private static final int BROADCAST_MLID = 0xc000;

    private final List<MadFrame> answers = new ArrayList<>();

    /** A fabric that is up. */
    private SweepHarness startedHarness(String torus) {
        SweepHarness harness = new SweepHarness(torus);
        String conf = TorusSpec.parse(torus).torus2QosConf();
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        assertThat(harness.sweep()).isEqualTo("up");
        return harness;
    }

    /** Returns the SA's response to a request of a port; with an error status if there is no record. */
    private byte[] sendRequest(SweepHarness harness, byte[] request, int lid) {
        answers.clear();
        harness.administrator(answers::add).onMad(new MadFrame(new MadAddress(lid, 1, 0, 0), request));
        harness.loop.runUntil(() -> !answers.isEmpty(), TimeUnit.SECONDS.toNanos(10));
        return answers.get(0).mad();
    }

    /** The SL that the SA grants; -1 if it has no path. */
    private int pathSl(SweepHarness harness, int slid, int dlid) {
        long mask = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] request = SaMad.request(Method.GET, 7, PathRecord.TYPE.id(), 0, mask);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SLID, slid)
                .with(PathRecord.DLID, dlid)
                .write(request, SaMad.DATA_OFFSET);
        byte[] answer = sendRequest(harness, request, slid);
        if (MadHeader.status(answer) == MadStatus.SA_NO_RECORDS) {
            return -1;
        }
        assertThat(MadHeader.status(answer)).as("from LID %s to %s", slid, dlid).isEqualTo(MadStatus.OK);
        return (int) PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET).get(PathRecord.SL);
    }

    /** The SL of every pair of host ports that has a path, by {@code source>destination} in port GUIDs. */
    private Map<String, Integer> pathSls(SweepHarness harness) {
        Subnet subnet = harness.publishedView().subnet();
        Map<String, Integer> sls = new TreeMap<>();
        for (int from : harness.hosts()) {
            for (int to : harness.hosts()) {
                String pair = Long.toHexString(subnet.fabric().portGuid(from)) + ">"
                        + Long.toHexString(subnet.fabric().portGuid(to));
                int sl = pathSl(harness, subnet.lid(from), subnet.lid(to));
                if (sl >= 0) {
                    sls.put(pair, sl);
                }
            }
        }
        return sls;
    }

    private void sendMembership(SweepHarness harness, int method, int port) {
        byte[] request =
                harness.membership(method, 9, MulticastGroups.BROADCAST, port, MCMemberRecord.FULL_MEMBER, 0x0b1b);
        assertThat(MadHeader.status(sendRequest(
                        harness, request, harness.publishedView().subnet().lid(port))))
                .isEqualTo(MadStatus.OK);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
    }

    private static long switchAt(String torus, int x, int y, int z) {
        TorusSpec spec = TorusSpec.parse(torus);
        return 0x200000L + 0x10L * ((x * spec.y() + y) * spec.z() + z);
    }

    /** The next sweep that the traps of the embedded fabric bring about, or one that is asked for. */
    private static String runAndSweep(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
        return harness.sweep();
    }

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

    private static final String TORUS = "torus:6x5x1,hosts=2";
    private static final String RING_CUT = "link 1 2 0 1; link 4 2 0 1";

    /** The port of a host in the fabric that is published; {@link Fabric#NONE} if it is not there. */
    private static int portOf(SweepHarness harness, String host) {
        Fabric fabric = view(harness).subnet().fabric();
        int node = fabric.nodeByGuid(guidOf(harness, host));
        return node == Fabric.NONE ? Fabric.NONE : fabric.port(node, 1);
    }

    private static PublishedView view(SweepHarness harness) {
        return Objects.requireNonNull(harness.sweeper.view());
    }

    private static long guidOf(SweepHarness harness, String name) {
        return harness.node(name).nodeGuid();
    }

    private static void run30Seconds(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
    }

    private static PortInfo portInfo(SweepHarness harness, String host) {
        return harness.fabric.portInfo(guidOf(harness, host), 1);
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

    /** A new process has no information but the tables and coordinates of the switches. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {RING_CUT, "switch 2 2 0; switch 3 2 0", "link 1 2 0 1; link 4 2 0 1; switch 5 0 0"})
    void anSmThatStartsAdoptsWhatTheSwitchesHold(String faults) {
        SweepHarness harness = startedHarness(TORUS);
        Map<String, Integer> sls = pathSls(harness);
        applyFaults(harness, TORUS, faults, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, Integer> left = pathSls(harness);
        harness.restart();
        assertThat(harness.sweep()).startsWith("refused");
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id())).isZero();
        assertThat(pathSls(harness)).isEqualTo(left);
        Plan adopted = view(harness).plan();
        assertThat(adopted.engine()).isEqualTo("adopted");
        assertThat(adopted.retention().orElseThrow().isAdopted()).isTrue();
        assertThat(new DeadlockChecker(1).check(adopted, harness.settings.routingOptions()))
                .isInstanceOf(Certificate.class);

        harness.fabric.restartHost(guidOf(harness, "host-5-4-0-1"));
        run30Seconds(harness);
        assertThat(portInfo(harness, "host-5-4-0-1").portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(pathSls(harness)).isEqualTo(left);
        assertThat(harness.ends).last().asString().startsWith("refused");

        applyFaults(harness, TORUS, faults, false);
        run30Seconds(harness);
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(view(harness).plan().retention()).isEmpty();
        assertThat(pathSls(harness)).isEqualTo(sls);
    }

    /** The switches still have the entries of the host's LID, and the new process reads them. */
    @Test
    void aHostThatWasAwayWhenTheSmStartedIsBack() {
        SweepHarness harness = startedHarness(TORUS);
        String host = "host-2-2-0-0";
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        harness.fabric.unlink(guidOf(harness, host), 1);
        run30Seconds(harness);
        harness.restart();
        assertThat(harness.sweep()).startsWith("refused");
        harness.fabric.relink(guidOf(harness, host), 1);
        run30Seconds(harness);
        assertThat(portInfo(harness, host).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(portOf(harness, host)).isNotEqualTo(Fabric.NONE);
    }

    @Test
    void aSwitchThatReturnsIsProgrammedAsTheAdoptedTablesHadIt() {
        SweepHarness harness = startedHarness(TORUS);
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, Integer> left = pathSls(harness);
        Map<String, String> tables = tables(harness);
        harness.restart();
        assertThat(harness.sweep()).startsWith("refused");
        applyFaults(harness, TORUS, "switch 2 4 0", true);
        run30Seconds(harness);
        applyFaults(harness, TORUS, "switch 2 4 0", false);
        run30Seconds(harness);
        assertThat(tables(harness)).isEqualTo(tables);
        assertThat(pathSls(harness)).isEqualTo(left);
    }

    /** The tables of another SM have a credit loop on the SLs that coordinates give. */
    @Test
    void tablesThatCanDeadlockAreNotAdopted() {
        SweepHarness harness = new SweepHarness(TORUS);
        assertThat(harness.sweep()).isEqualTo("up");
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).isEqualTo("up");
        String conf = TorusSpec.parse(TORUS).torus2QosConf();
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        harness.restart();
        Map<String, String> tables = tables(harness);
        assertThat(harness.sweep()).startsWith("refused").contains("ROUTES_NOT_ADOPTED");
        assertThat(harness.sweeper.view()).isNull();
        assertThat(harness.countAllSets()).isZero();
        assertThat(tables(harness)).isEqualTo(tables);
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

    private static void applyFaults(SweepHarness harness, String torus, String faults, boolean isBroken) {
        for (String fault : faults.split("; ", -1)) {
            String[] words = fault.split(" ", -1);
            long guid =
                    switchAt(torus, Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            if (words[0].equals("switch")) {
                if (isBroken) {
                    harness.fabric.failSwitch(guid);
                } else {
                    harness.fabric.restoreSwitch(guid);
                }
            } else if (isBroken) {
                harness.fabric.unlink(guid, Integer.parseInt(words[4]));
            } else {
                harness.fabric.relink(guid, Integer.parseInt(words[4]));
            }
        }
    }

    /** Everything that says where packets go and on which VL, by device. */
    private static Map<String, String> tables(SweepHarness harness) {
        Map<String, String> all = new TreeMap<>();
        for (var node : harness.topology.nodes()) {
            List<String> tables = new ArrayList<>();
            int first = node.isSwitch() ? 0 : 1;
            if (node.isSwitch()) {
                tables.add(Arrays.toString(harness.fabric.lft(node.nodeGuid())));
            }
            for (int out = first; out <= node.numPorts(); out++) {
                for (int in = first; in <= node.numPorts(); in++) {
                    tables.add(Long.toHexString(harness.fabric.sl2vl(node.nodeGuid(), in, out)));
                }
            }
            all.put(node.description(), String.join(" ", tables));
        }
        return all;
    }
}
