package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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
    final Map<Integer, Set<Integer>> dependencies = new TreeMap<>();
    boolean broken;

    /** By ingress port and SL: which walk to the LID that is looked at came by last; others go on as it did. */
    private int[] walks = {};

    private int walk;

    /** Follows all packets that a plan lets end ports send. */
    public NaiveChecker(Plan plan, RoutingOptions options) {
        this.plan = plan;
        this.options = options;
        subnet = plan.subnet();
        fabric = subnet.fabric();
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            walks = new int[fabric.portCount() * SLS];
            for (int source = 0; source < fabric.portCount(); source++) {
                if (subnet.switchOfLid(lid) != Fabric.NONE && isSource(source)) {
                    walkWithEachSl(source, lid);
                }
            }
        }
    }

    /** Whether all packets arrive, and none wait for each other in a circle. */
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
        Set<Integer> held = Set.of();
        while (true) {
            int sw = fabric.nodeOf(in);
            int out = plan.lft(sw)[lid] & 0xff;
            int port = out <= fabric.numPorts(sw) ? fabric.port(sw, out) : Fabric.NONE;
            int far = port == Fabric.NONE ? Fabric.NONE : out == 0 ? port : fabric.peer(port);
            if (far == Fabric.NONE) {
                broken = true;
                return;
            }
            Set<Integer> wanted = lanes(sw, fabric.portNum(in), out, sl);
            broken |= wanted.contains(15);
            if (far == subnet.portOfLid(lid)) {
                return;
            }
            if (out == 0 || !fabric.isSwitch(fabric.nodeOf(far)) || sw == subnet.switchOfLid(lid)) {
                broken = true;
                return;
            }
            held = wait(held, port, wanted);
            int before = walks[in * SLS + sl];
            walks[in * SLS + sl] = walk;
            if (before != 0) {
                broken |= before == walk;
                return;
            }
            in = far;
        }
    }

    /** Packets that hold some channels want lanes of a port; these they hold next. */
    private Set<Integer> wait(Set<Integer> held, int port, Set<Integer> wanted) {
        Set<Integer> next = new HashSet<>();
        wanted.forEach(vl -> next.add(port * SLS + vl));
        next.forEach(channel -> dependencies.computeIfAbsent(channel, any -> new TreeSet<>()));
        held.forEach(channel ->
                dependencies.computeIfAbsent(channel, any -> new TreeSet<>()).addAll(next));
        return next;
    }

    /**
     * Adds what waits for what while an end port sends to a group.
     *
     * @param masks see {@link io.torussm.routing.MulticastTree#route}
     * @return the end ports that get a copy, as often as they get one; the sender is none of them
     */
    public List<Integer> flood(Map<Integer, long[]> masks, int source, int sl) {
        List<Integer> receivers = new ArrayList<>();
        int in = fabric.nodeOf(source) == fabric.switchOf(source) ? source : fabric.peer(source);
        flood(masks, in, sl, Set.of(), new HashSet<>(), receivers);
        return receivers;
    }

    private void flood(
            Map<Integer, long[]> masks,
            int in,
            int sl,
            Set<Integer> held,
            Set<Integer> passed,
            List<Integer> receivers) {
        int sw = fabric.nodeOf(in);
        long[] mask = masks.get(sw);
        if (!passed.add(sw) || mask == null) {
            broken = true;
            return;
        }
        for (int out = 0; out <= fabric.numPorts(sw); out++) {
            int port = fabric.port(sw, out);
            int far = out == 0 ? port : fabric.peer(port);
            boolean isSent = (mask[out >> 6] >> out & 1) != 0 && port != in;
            broken |= isSent && far == Fabric.NONE;
            if (isSent && far != Fabric.NONE && (out == 0 || !fabric.isSwitch(fabric.nodeOf(far)))) {
                receivers.add(far);
            } else if (isSent && far != Fabric.NONE) {
                Set<Integer> wanted = lanes(sw, fabric.portNum(in), out, sl);
                broken |= wanted.contains(15);
                flood(masks, far, sl, wait(held, port, wanted), passed, receivers);
            }
        }
    }

    /** Whether a packet got lost, or went round for ever. */
    public boolean isBroken() {
        return broken;
    }

    private Set<Integer> lanes(int sw, int in, int out, int sl) {
        int port = fabric.port(sw, out);
        int count = LinkSettings.dataVls(Math.min(options.maxOpVls(), vlCode(port)));
        PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
        if (!options.qos()) {
            return Set.of(0);
        }
        if (port0 != null && !port0.can(PortInfo.CAP_SL_MAPPING)) {
            Set<Integer> all = new HashSet<>();
            for (int vl = 0; vl < count; vl++) {
                all.add(vl);
            }
            return all;
        }
        int vl = SlToVlMappingTable.vl(plan.sl2vl(sw, in, out), sl);
        int mask = count == 15 ? 15 : count - 1;
        return Set.of(vl == 15 ? 15 : vl & mask);
    }

    private int vlCode(int port) {
        PortInfo own = fabric.portInfo(port);
        PortInfo far = fabric.peer(port) == Fabric.NONE ? null : fabric.portInfo(fabric.peer(port));
        return own == null ? 1 : Math.min(own.vlCap(), far == null ? 5 : far.vlCap());
    }

    /** Whether channels wait for each other in a circle. */
    public boolean hasCycle() {
        Map<Integer, Boolean> finished = new HashMap<>();
        return dependencies.keySet().stream().anyMatch(channel -> meetsItself(channel, finished));
    }

    private boolean meetsItself(int channel, Map<Integer, Boolean> finished) {
        Boolean state = finished.putIfAbsent(channel, false);
        if (state != null) {
            return !state;
        }
        boolean cycle =
                dependencies.getOrDefault(channel, Set.of()).stream().anyMatch(next -> meetsItself(next, finished));
        finished.put(channel, true);
        return cycle;
    }
}
