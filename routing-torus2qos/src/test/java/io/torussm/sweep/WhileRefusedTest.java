package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MulticastGroups;
import io.torussm.sim.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosConf;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What applications see while torus-2QoS cannot route the fabric: everything as the last good torus had it. OpenSM
 * answers no PathRecord if it refuses early, answers with wrong SLs if it refuses late, and loses a multicast group whose
 * members change.
 */
class WhileRefusedTest {
    private static final int BROADCAST_MLID = 0xc000;

    private final List<MadFrame> answers = new ArrayList<>();

    /** A fabric that is up. */
    private SweepHarness up(String torus) {
        SweepHarness harness = new SweepHarness(torus);
        String conf = TorusSpec.parse(torus).torus2QosConf();
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        assertThat(harness.sweep()).isEqualTo("up");
        return harness;
    }

    /** What the SA answers to a request of a port; a bad status if it has nothing. */
    private byte[] ask(SweepHarness harness, byte[] request, int lid) {
        answers.clear();
        harness.administrator(answers::add).received(new MadFrame(new MadAddress(lid, 1, 0, 0), request));
        harness.loop.runUntil(() -> !answers.isEmpty(), TimeUnit.SECONDS.toNanos(10));
        return answers.get(0).mad();
    }

    private int pathSl(SweepHarness harness, int slid, int dlid) {
        long mask = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] request = SaMad.request(Method.GET, 7, PathRecord.TYPE.id(), 0, mask);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SLID, slid)
                .with(PathRecord.DLID, dlid)
                .write(request, SaMad.DATA);
        byte[] answer = ask(harness, request, slid);
        assertThat(MadHeader.status(answer)).as("from LID %s to %s", slid, dlid).isEqualTo(MadStatus.OK);
        return (int) PathRecord.TYPE.read(answer, SaMad.DATA).get(PathRecord.SL);
    }

    /** The SL of every pair of host ports, by {@code source>destination} in port GUIDs. */
    private Map<String, Integer> pathSls(SweepHarness harness) {
        Subnet subnet = harness.up().subnet();
        Map<String, Integer> sls = new TreeMap<>();
        for (int from : harness.hosts()) {
            for (int to : harness.hosts()) {
                String pair = Long.toHexString(subnet.fabric().portGuid(from)) + ">"
                        + Long.toHexString(subnet.fabric().portGuid(to));
                sls.put(pair, pathSl(harness, subnet.lid(from), subnet.lid(to)));
            }
        }
        return sls;
    }

    private void member(SweepHarness harness, int method, int port) {
        byte[] request =
                harness.membership(method, 9, MulticastGroups.BROADCAST, port, MCMemberRecord.FULL_MEMBER, 0x0b1b);
        assertThat(MadHeader.status(ask(harness, request, harness.up().subnet().lid(port))))
                .isEqualTo(MadStatus.OK);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
    }

    private static long switchAt(String torus, int x, int y, int z) {
        TorusSpec spec = TorusSpec.parse(torus);
        return 0x200000L + 0x10L * ((x * spec.y() + y) * spec.z() + z);
    }

    /** The next sweep that the traps of the embedded fabric bring about, or one that is asked for. */
    private static String settled(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
        return harness.sweep();
    }

    /**
     * In turn: a ring in two pieces, found before routes are computed; two switches side by side in the dimension that is
     * not routed last, found after; a switch behind three dead cables.
     */
    @ParameterizedTest(name = "{0} without {1}")
    @CsvSource({
        "'torus:6x5x1,hosts=2', 'link 1 2 0 1; link 4 2 0 1'",
        "'torus:6x5x1,hosts=2', 'switch 2 2 0; switch 3 2 0'",
        "'torus:5x5x1,hosts=2', 'link 2 2 0 1; link 2 2 0 2; link 2 2 0 3'",
        "'torus:4x3x3,hosts=1', 'link 1 1 1 1; link 3 1 1 1'"
    })
    void everythingStaysAsTheLastGoodTorusHadIt(String torus, String faults) {
        SweepHarness harness = up(torus);
        List<Integer> hosts = harness.hosts();
        member(harness, Method.SET, hosts.get(0));
        member(harness, Method.SET, hosts.get(7));
        Map<String, Integer> sls = pathSls(harness);
        List<Object> tables = tables(harness);
        Set<String> two = Devices.groupEntries(harness, BROADCAST_MLID);
        assertThat(two).hasSizeGreaterThan(1);

        faults(harness, torus, faults, true);
        assertThat(settled(harness)).startsWith("refused");
        assertThat(pathSls(harness)).isEqualTo(sls);
        int joiner = hosts.get(hosts.size() - 1);
        Set<String> reachable = Devices.groupEntries(harness, BROADCAST_MLID);
        member(harness, Method.SET, joiner);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID))
                .containsAll(reachable)
                .hasSizeGreaterThan(reachable.size());
        member(harness, Method.DELETE, joiner);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(reachable);
        assertThat(settled(harness)).startsWith("refused");

        faults(harness, torus, faults, false);
        assertThat(settled(harness)).isEqualTo("up");
        assertThat(pathSls(harness)).isEqualTo(sls);
        assertThat(tables(harness)).isEqualTo(tables);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(two);
    }

    /** OpenSM refuses this one and then answers 296 of 576 pairs with an SL that lacks dateline bits. */
    @Test
    void aLostColumnCostsNoPathItsSl() {
        String torus = "torus:1x5x3,hosts=1";
        SweepHarness harness = up(torus);
        Map<String, Integer> sls = pathSls(harness);
        faults(harness, torus, "switch 0 2 0; switch 0 2 1; switch 0 2 2", true);
        assertThat(settled(harness)).isEqualTo("up");
        Map<String, Integer> left = pathSls(harness);
        assertThat(left).hasSize(12 * 12);
        assertThat(sls).containsAllEntriesOf(left);
    }

    private static void faults(SweepHarness harness, String torus, String faults, boolean isBroken) {
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

    /** Everything that says where packets go and on which VL. */
    private static List<Object> tables(SweepHarness harness) {
        List<Object> all = new ArrayList<>();
        for (var node : harness.topology.nodes()) {
            int first = node.isSwitch() ? 0 : 1;
            if (node.isSwitch()) {
                all.add(Arrays.toString(harness.fabric.lft(node.nodeGuid())));
            }
            for (int out = first; out <= node.numPorts(); out++) {
                for (int in = first; in <= node.numPorts(); in++) {
                    all.add(harness.fabric.sl2vl(node.nodeGuid(), in, out));
                }
            }
        }
        return all;
    }
}
