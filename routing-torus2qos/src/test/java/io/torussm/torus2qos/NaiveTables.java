package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.NaiveGraph.Channel;
import io.torussm.torus2qos.discovery.Multipath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables of a plan followed cable by cable, from every switch to every LID at both levels of service. */
final class NaiveTables {
    private static final int[] LEVELS = {0, 8};

    private final DamagedTorus torus;
    private final Plan plan;
    private final Subnet subnet;
    private final Fabric fabric;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    /** By switch: all LIDs of its end ports. */
    private final Map<Integer, List<Integer>> lids = new HashMap<>();

    private final NaiveGraph unicast = new NaiveGraph();
    /** Packets that do not arrive, and SLs that differ from those in the complete torus. */
    final List<String> errors = new ArrayList<>();

    NaiveTables(DamagedTorus torus, Plan plan) {
        this.torus = torus;
        this.plan = plan;
        subnet = plan.subnet();
        fabric = subnet.fabric();
        for (int sw : torus.switches()) {
            numbers.put(index(sw), sw);
        }
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int endport = subnet.portOfLid(lid);
            Integer home = endport == Fabric.NONE ? null : numbers.get(fabric.switchOf(endport));
            if (home != null) {
                lids.computeIfAbsent(home, any -> new ArrayList<>()).add(lid);
            }
        }
        lids.forEach((home, homeLids) -> homeLids.forEach(dlid -> followFromEverywhere(home, dlid)));
    }

    private void followFromEverywhere(int home, int dlid) {
        for (int from : torus.switches()) {
            follow(from, home, dlid);
        }
    }

    private int index(int sw) {
        return fabric.nodeByGuid(torus.torus.guid(torus.torus.at(sw)));
    }

    private void follow(int from, int home, int dlid) {
        int endport = subnet.portOfLid(dlid);
        boolean isOther =
                torus.torus.multipath != Multipath.OFF && isPlaced(home) && (dlid - subnet.lid(endport)) % 2 == 1;
        int sl = isPlaced(from) && isPlaced(home) ? NaiveRouteChecker.sl(torus.torus, from, home, isOther) : 0;
        for (int wanted : LEVELS) {
            int level = hasOrders() ? isOther ? 8 : 0 : wanted;
            for (int slid : lids.getOrDefault(from, List.of())) {
                if (plan.pathSl(slid, dlid, wanted) != (sl | level)) {
                    errors.add("SL " + plan.pathSl(slid, dlid, wanted) + " for " + (sl | level) + " from LID " + slid
                            + " at " + torus.name(from) + " to LID " + dlid);
                }
            }
            if (!arrives(from, dlid, endport, sl | level)) {
                errors.add("packets from " + torus.name(from) + " to LID " + dlid + " do not arrive");
            }
        }
    }

    /** Checks whether bit 3 of an SL is an order: false for a replacement plan without coordinates. */
    private boolean hasOrders() {
        return torus.torus.multipath == Multipath.ORDERS
                && numbers.values().stream().anyMatch(this::isPlaced);
    }

    /** Checks whether a switch has a place. The SLs of others are those of paths that cross no dateline. */
    private boolean isPlaced(int sw) {
        return !plan.coordinates(index(sw)).isEmpty();
    }

    private boolean arrives(int from, int dlid, int endport, int sl) {
        Channel held = null;
        int sw = index(from);
        int in = 0;
        for (int hops = 0; hops <= torus.torus.count(); hops++) {
            int out = plan.lft(sw)[dlid] & 0xff;
            if (out > fabric.numPorts(sw)) {
                return false;
            }
            int far = out == 0 ? fabric.port(sw, 0) : fabric.peer(fabric.port(sw, out));
            if (out == 0 || far == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(far))) {
                return far == endport;
            }
            Channel channel = new Channel(sw, out, SlToVlMappingTable.vl(plan.sl2vl(sw, in, out), sl));
            if (held != null) {
                unicast.add(held, channel);
            }
            held = channel;
            sw = fabric.nodeOf(far);
            in = fabric.portNum(far);
        }
        return false;
    }

    /** Channels of unicast in a circle; empty if there is none. */
    List<Channel> unicastCycle() {
        return unicast.cycle();
    }

    /** Returns a cycle of channels of unicast and of all groups over a tree; empty if there is no cycle. */
    List<Channel> cycleWith(NaiveMulticast tree) {
        NaiveGraph both = unicast.copy();
        int mlids = 1;
        for (int cables = 2; cables <= torus.torus.links; cables++) {
            mlids *= cables;
        }
        for (int mlid = 0xc000; mlid < 0xc000 + mlids; mlid++) {
            floodFromEverywhere(tree.hops(mlid), both);
        }
        return both.cycle();
    }

    /** Returns a cycle if every group could take any cable of every edge; empty if there is no cycle. */
    List<Channel> cycleWithAnyCables(NaiveMulticast tree) {
        NaiveGraph both = unicast.copy();
        floodFromEverywhere(tree.hops(), both);
        return both.cycle();
    }

    private void floodFromEverywhere(Map<Integer, List<NaiveMulticast.Hop>> hops, NaiveGraph both) {
        for (int sl : hasOrders() ? new int[] {0} : LEVELS) {
            Set<Channel> flooded = new HashSet<>();
            for (int source : torus.switches()) {
                flood(hops, new NaiveMulticast.Hop(-1, 0, source, 0), null, sl, flooded, both);
            }
        }
    }

    /** Packets continue from a channel independently of their path to it. So each channel is followed once. */
    private void flood(
            Map<Integer, List<NaiveMulticast.Hop>> hops,
            NaiveMulticast.Hop last,
            @Nullable Channel held,
            int sl,
            Set<Channel> flooded,
            NaiveGraph both) {
        int sw = index(last.to());
        for (NaiveMulticast.Hop hop : hops.getOrDefault(last.to(), List.of())) {
            if (hop.to() == last.from()) {
                continue;
            }
            int vl = SlToVlMappingTable.vl(plan.sl2vl(sw, last.inPort(), hop.outPort()), sl);
            Channel channel = new Channel(sw, hop.outPort(), vl);
            if (held != null) {
                both.add(held, channel);
            }
            if (flooded.add(channel)) {
                flood(hops, hop, channel, sl, flooded, both);
            }
        }
    }
}
