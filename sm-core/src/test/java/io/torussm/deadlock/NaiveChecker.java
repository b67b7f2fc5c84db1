package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The textbook's way: every source end port, every destination LID, every SL, hop by hop, and a depth-first search. A
 * channel is {@code port index * 16 + vl} of the sending switch port.
 */
public final class NaiveChecker {
    private final Plan plan;
    private final RoutingOptions options;
    private final Subnet subnet;
    private final Fabric fabric;
    final Map<Integer, Set<Integer>> dependencies = new TreeMap<>();
    boolean broken;

    public NaiveChecker(Plan plan, RoutingOptions options) {
        this.plan = plan;
        this.options = options;
        subnet = plan.subnet();
        fabric = subnet.fabric();
        for (int source = 0; source < fabric.portCount(); source++) {
            if (subnet.lid(source) == 0 || fabric.switchOf(source) == Fabric.NONE) {
                continue;
            }
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int sls = subnet.switchOfLid(lid) == Fabric.NONE ? 0 : plan.slMask(fabric.switchOf(source), lid);
                for (int sl = 0; sl < 16; sl++) {
                    if ((sls >> sl & 1) != 0) {
                        walk(source, lid, sl);
                    }
                }
            }
        }
    }

    /** Whether all packets arrive, and none wait for each other in a circle. */
    public boolean isSound() {
        return !broken && !hasCycle();
    }

    private void walk(int source, int lid, int sl) {
        int sw = fabric.switchOf(source);
        int in = 0;
        if (fabric.nodeOf(source) != sw) {
            in = fabric.portNum(fabric.peer(source));
            broken |= SlToVlMappingTable.vl(plan.sl2vl(source), sl) == 15;
        }
        Set<Integer> held = Set.of();
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            int out = plan.lft(sw)[lid] & 0xff;
            int port = out <= fabric.numPorts(sw) ? fabric.port(sw, out) : Fabric.NONE;
            int far = port == Fabric.NONE ? Fabric.NONE : out == 0 ? port : fabric.peer(port);
            if (far == Fabric.NONE) {
                broken = true;
                return;
            }
            Set<Integer> wanted = lanes(sw, in, out, sl);
            broken |= wanted.contains(15);
            if (far == subnet.portOfLid(lid)) {
                return;
            }
            if (out == 0 || !fabric.isSwitch(fabric.nodeOf(far)) || sw == subnet.switchOfLid(lid)) {
                broken = true;
                return;
            }
            Set<Integer> next = new HashSet<>();
            wanted.forEach(vl -> next.add(port * 16 + vl));
            next.forEach(channel -> dependencies.computeIfAbsent(channel, any -> new TreeSet<>()));
            held.forEach(channel -> dependencies
                    .computeIfAbsent(channel, any -> new TreeSet<>())
                    .addAll(next));
            held = next;
            sw = fabric.nodeOf(far);
            in = fabric.portNum(far);
        }
        broken = true;
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

    boolean hasCycle() {
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
