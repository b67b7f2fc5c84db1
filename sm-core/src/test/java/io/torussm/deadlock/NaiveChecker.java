package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * The textbook's way: every source end port, every destination LID, every SL, hop by hop, and a depth-first search. A
 * channel is {@code port index * 16 + vl} of the sending switch port.
 */
public final class NaiveChecker {
    private static final int SLS = 16;

    private final Plan plan;
    private final RoutingOptions options;
    private final Subnet subnet;
    private final Fabric fabric;
    boolean broken;

    /** By port of a switch: a bit for each VL on which packets leave by it. */
    private final int[] lanes;

    /**
     * By channel, then by number of the port that its packets want at the next switch: a bit for each VL; null if they
     * want none.
     */
    private final int[][] waits;

    /** By ingress port and SL: which walk to the LID that is looked at came by last; others go on as it did. */
    private int[] walks = {};

    private int walk;

    /** Follows all packets that a plan lets end ports send. */
    public NaiveChecker(Plan plan, RoutingOptions options) {
        this(options, plan);
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            walks = new int[fabric.portCount() * SLS];
            for (int source = 0; source < fabric.portCount(); source++) {
                if (subnet.switchOfLid(lid) != Fabric.NONE && isSource(source)) {
                    walkWithEachSl(source, lid);
                }
            }
        }
    }

    private NaiveChecker(RoutingOptions options, Plan plan) {
        this.plan = plan;
        this.options = options;
        subnet = plan.subnet();
        fabric = subnet.fabric();
        lanes = new int[fabric.portCount()];
        waits = new int[fabric.portCount() * SLS][];
    }

    /** Returns the dependencies of one packet, by channel. Its plan may not let the source send it. */
    static Map<Integer, Set<Integer>> dependenciesOfPacket(
            Plan plan, RoutingOptions options, int source, int dlid, int sl) {
        NaiveChecker one = new NaiveChecker(options, plan);
        one.walks = new int[one.fabric.portCount() * SLS];
        one.walk = 1;
        one.walk(source, dlid, sl);
        return one.dependencies();
    }

    /** Checks whether all packets arrive, and there is no credit loop. */
    public boolean isSound() {
        return !broken && !hasCycle();
    }

    private boolean isSource(int port) {
        return subnet.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE;
    }

    private void walkWithEachSl(int source, int lid) {
        int sls = plan.slMask(fabric.switchOf(source), lid);
        for (int sl = 0; sl < SLS; sl++) {
            if ((sls >> sl & 1) != 0) {
                walk++;
                walk(source, lid, sl);
            }
        }
    }

    private void walk(int source, int lid, int sl) {
        int in = fabric.nodeOf(source) == fabric.switchOf(source) ? source : fabric.peer(source);
        broken |= in != source && SlToVlMappingTable.vl(plan.sl2vl(source), sl) == 15;
        int from = Fabric.NONE;
        int held = 0;
        while (true) {
            int sw = fabric.nodeOf(in);
            int out = plan.lft(sw)[lid] & 0xff;
            int port = out <= fabric.numPorts(sw) ? fabric.port(sw, out) : Fabric.NONE;
            int far = port == Fabric.NONE ? Fabric.NONE : out == 0 ? port : fabric.peer(port);
            if (far == Fabric.NONE) {
                broken = true;
                return;
            }
            int wanted = lanes(sw, fabric.portNum(in), out, sl);
            broken |= isDiscarded(wanted);
            if (far == subnet.portOfLid(lid)) {
                return;
            }
            if (out == 0 || !fabric.isSwitch(fabric.nodeOf(far)) || sw == subnet.switchOfLid(lid)) {
                broken = true;
                return;
            }
            addWait(from, held, port, wanted);
            from = port;
            held = wanted;
            int before = walks[in * SLS + sl];
            walks[in * SLS + sl] = walk;
            if (before != 0) {
                broken |= before == walk;
                return;
            }
            in = far;
        }
    }

    /** Packets that hold lanes of a port, or none, want lanes of one of the next switch. */
    private void addWait(int from, int held, int port, int wanted) {
        lanes[port] |= wanted;
        for (int vl = 0; vl < SLS; vl++) {
            if ((held >> vl & 1) != 0) {
                int channel = from * SLS + vl;
                if (waits[channel] == null) {
                    waits[channel] = new int[fabric.numPorts(fabric.nodeOf(port)) + 1];
                }
                waits[channel][fabric.portNum(port)] |= wanted;
            }
        }
    }

    private static boolean isDiscarded(int lanes) {
        return (lanes >> 15 & 1) != 0;
    }

    /** Returns the channels that the packets of a channel wait for, by channel. */
    Map<Integer, Set<Integer>> dependencies() {
        Map<Integer, Set<Integer>> dependencies = new TreeMap<>();
        for (int channel = 0; channel < waits.length; channel++) {
            if ((lanes[channel / SLS] >> channel % SLS & 1) != 0) {
                Set<Integer> next = new TreeSet<>();
                forEachNext(channel, next::add);
                dependencies.put(channel, next);
            }
        }
        return dependencies;
    }

    private void forEachNext(int channel, IntConsumer action) {
        int[] wanted = waits[channel];
        for (int out = 0; wanted != null && out < wanted.length; out++) {
            for (int vl = 0; vl < SLS; vl++) {
                if ((wanted[out] >> vl & 1) != 0) {
                    action.accept(fabric.port(fabric.nodeOf(fabric.peer(channel / SLS)), out) * SLS + vl);
                }
            }
        }
    }

    /**
     * Adds the dependencies of packets from an end port to a group.
     *
     * @param masks see {@link io.torussm.routing.MulticastTree#route}
     * @return the end ports that receive a copy, once for each copy; the sender is none of them
     */
    public List<Integer> flood(Map<Integer, long[]> masks, int source, int sl) {
        List<Integer> receivers = new ArrayList<>();
        int in = fabric.nodeOf(source) == fabric.switchOf(source) ? source : fabric.peer(source);
        flood(masks, in, sl, Fabric.NONE, 0, new BitSet(), receivers);
        return receivers;
    }

    private void flood(
            Map<Integer, long[]> masks, int in, int sl, int from, int held, BitSet passed, List<Integer> receivers) {
        int sw = fabric.nodeOf(in);
        long[] mask = masks.get(sw);
        if (passed.get(sw) || mask == null) {
            broken = true;
            return;
        }
        passed.set(sw);
        for (int out = 0; out <= fabric.numPorts(sw); out++) {
            int port = fabric.port(sw, out);
            int far = out == 0 ? port : fabric.peer(port);
            boolean isSent = (mask[out >> 6] >> out & 1) != 0 && port != in;
            broken |= isSent && far == Fabric.NONE;
            if (isSent && far != Fabric.NONE && (out == 0 || !fabric.isSwitch(fabric.nodeOf(far)))) {
                receivers.add(far);
            } else if (isSent && far != Fabric.NONE) {
                int wanted = lanes(sw, fabric.portNum(in), out, sl);
                broken |= isDiscarded(wanted);
                addWait(from, held, port, wanted);
                flood(masks, far, sl, port, wanted, passed, receivers);
            }
        }
    }

    /** Checks whether a packet was lost, or looped. */
    public boolean isBroken() {
        return broken;
    }

    /** Returns a bit for each VL by which a packet may leave. */
    private int lanes(int sw, int in, int out, int sl) {
        int port = fabric.port(sw, out);
        int count = LinkSettings.dataVls(Math.min(options.maxOpVls(), vlCode(port)));
        PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
        if (!options.qos()) {
            return 1;
        }
        if (port0 != null && !port0.hasCapability(PortInfo.CAP_SL_MAPPING)) {
            return (1 << count) - 1;
        }
        int vl = SlToVlMappingTable.vl(plan.sl2vl(sw, in, out), sl);
        return 1 << (vl == 15 ? 15 : vl & (count == 15 ? 15 : count - 1));
    }

    private int vlCode(int port) {
        PortInfo own = fabric.portInfo(port);
        PortInfo far = fabric.peer(port) == Fabric.NONE ? null : fabric.portInfo(fabric.peer(port));
        return own == null ? 1 : Math.min(own.vlCap(), far == null ? 5 : far.vlCap());
    }

    /** Checks whether channels wait for each other in a cycle. */
    public boolean hasCycle() {
        BitSet begun = new BitSet();
        BitSet finished = new BitSet();
        for (int channel = 0; channel < waits.length; channel++) {
            if (meetsItself(channel, begun, finished)) {
                return true;
            }
        }
        return false;
    }

    private boolean meetsItself(int channel, BitSet begun, BitSet finished) {
        if (finished.get(channel) || waits[channel] == null) {
            return false;
        }
        if (begun.get(channel)) {
            return true;
        }
        begun.set(channel);
        boolean[] cycle = {false};
        forEachNext(channel, next -> cycle[0] |= !cycle[0] && meetsItself(next, begun, finished));
        finished.set(channel);
        return cycle[0];
    }
}
