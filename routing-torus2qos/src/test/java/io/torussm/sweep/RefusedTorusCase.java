package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.multicast.MulticastGroups;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.testing.BoundedWait;
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
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A torus that torus-2QoS routes until faults make it refuse the fabric, and requests of hosts to the SA. */
abstract class RefusedTorusCase {
    /** 6 x 5 switches with two hosts each. */
    static final String TORUS = "torus:6x5x1,hosts=2";

    /** Faults of {@link #applyFaults} that cut a ring of {@link #TORUS} into two pieces. */
    static final String RING_CUT = "link 1 2 0 1; link 4 2 0 1";

    private final List<MadFrame> answers = new ArrayList<>();

    /** Returns a torus that is up. */
    SweepHarness startedHarness(String torus) {
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
        BoundedWait.until(harness.loop, "the SA responds", () -> !answers.isEmpty(), TimeUnit.SECONDS.toNanos(10));
        return answers.get(0).mad();
    }

    /** Returns the SL that the SA grants; -1 if it has no path. */
    int pathSl(SweepHarness harness, int slid, int dlid) {
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

    /** Returns the SL of every pair of host ports that has a path, by {@code source>destination} in port GUIDs. */
    Map<String, Integer> pathSls(SweepHarness harness) {
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

    /** Adds a host to the broadcast group (SubnAdmSet), or removes it (SubnAdmDelete). */
    void sendMembership(SweepHarness harness, int method, int port) {
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

    /** Waits for the traps of the embedded fabric, and returns the outcome of a sweep that follows. */
    static String runAndSweep(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
        return harness.sweep();
    }

    /** Returns the port of a host in the published fabric; {@link Fabric#NONE} if it is not there. */
    static int portOf(SweepHarness harness, String host) {
        Fabric fabric = view(harness).subnet().fabric();
        int node = fabric.nodeByGuid(guidOf(harness, host));
        return node == Fabric.NONE ? Fabric.NONE : fabric.port(node, 1);
    }

    static PublishedView view(SweepHarness harness) {
        return Objects.requireNonNull(harness.sweeper.view());
    }

    static long guidOf(SweepHarness harness, String name) {
        return harness.node(name).nodeGuid();
    }

    static void run30Seconds(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
    }

    static PortInfo portInfo(SweepHarness harness, String host) {
        return harness.fabric.portInfo(guidOf(harness, host), 1);
    }

    /**
     * Breaks or repairs switches and cables.
     *
     * @param faults {@code switch X Y Z} and {@code link X Y Z PORT}, separated by a semicolon and a space
     */
    static void applyFaults(SweepHarness harness, String torus, String faults, boolean isBroken) {
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

    /** Returns forwarding tables and SL2VL tables, by device. */
    static Map<String, String> tables(SweepHarness harness) {
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
