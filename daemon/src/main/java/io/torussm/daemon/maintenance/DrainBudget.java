package io.torussm.daemon.maintenance;

import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.WhatIf;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The decision whether a subnet can do without a switch or a cable. Routes without the device are computed and proved,
 * and compared with the active routes. A pure function; any thread. It takes as long as a routing with its proof.
 */
public final class DrainBudget {
    /** Max ratio of the paths over the busiest cable after the drain to those before it. */
    private static final int MAX_LOAD = 2;

    private DrainBudget() {}

    /**
     * The decision and its grounds.
     *
     * @param failure the drained device, with its name for operators
     * @param loss effects on routes
     * @param hosts names of the hosts of a drained switch, which would lose their paths; empty for a cable
     * @param objection reason for a refusal; empty if the drain is allowed
     */
    public record Verdict(Failure failure, WhatIf.Outcome loss, List<String> hosts, String objection) {
        public Verdict {
            hosts = List.copyOf(hosts);
        }

        /** Checks whether the drain is allowed. */
        public boolean isGranted() {
            return objection.isEmpty();
        }
    }

    /**
     * Returns the reason why a device cannot be drained, independent of routes; empty if the drain is possible. It
     * computes no routes.
     *
     * @param drains existing drains
     * @param node index of a node
     *
     * @param portNum port number of a cable to another switch, or {@link Drains#WHOLE_SWITCH}
     */
    public static String objection(Fabric fabric, List<Drain> drains, int node, int portNum) {
        if (!fabric.isSwitch(node)) {
            return "only switches and cables between them can be drained; a host is its scheduler's business";
        }
        for (Drain drain : drains) {
            if (isUsed(fabric, drain)) {
                return drain.name() + " is drained and still used; wait for the next sweep, or undrain it";
            }
        }
        if (drains.size() >= Drains.MAX_DRAINS) {
            return Drains.MAX_DRAINS + " are drained already; undrain some";
        }
        if (portNum == Drains.WHOLE_SWITCH) {
            return node == fabric.localSwitch() ? "the SM itself is reached through this switch" : "";
        }
        return isBetweenSwitches(fabric, node, portNum) ? "" : "at this port there is no cable to another switch";
    }

    private static boolean isBetweenSwitches(Fabric fabric, int sw, int portNum) {
        int peer = portNum > fabric.numPorts(sw) ? Fabric.NONE : fabric.peer(fabric.port(sw, portNum));
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
    }

    /**
     * Checks whether a drained device is still in use: the sweep that removes it from routes has not ended, or no
     * engine finds routes without it.
     */
    static boolean isAnyUsed(Fabric fabric, List<Drain> drains) {
        return drains.stream().anyMatch(drain -> isUsed(fabric, drain));
    }

    private static boolean isUsed(Fabric fabric, Drain drain) {
        int node = fabric.nodeByGuid(drain.nodeGuid());
        return node != Fabric.NONE
                && (drain.isSwitch()
                        || (drain.portNum() <= fabric.numPorts(node)
                                && fabric.peer(fabric.port(node, drain.portNum())) != Fabric.NONE));
    }

    /**
     * Returns the effects of a drain, and the decision.
     *
     * @param plan active plan
     * @param node index of a switch, for which {@link #objection} is empty
     * @param portNum port number of a cable to another switch, or {@link Drains#WHOLE_SWITCH}
     */
    public static Verdict of(Plan plan, RoutingChain chain, RoutingOptions options, int node, int portNum) {
        Fabric fabric = plan.subnet().fabric();
        boolean isSwitch = portNum == Drains.WHOLE_SWITCH;
        Failure failure = isSwitch ? Failure.ofSwitch(plan, node) : Failure.ofCable(plan, fabric.port(node, portNum));
        WhatIf.Outcome loss = new WhatIf(plan, chain, options).of(failure);
        List<String> hosts = isSwitch ? hosts(fabric, node) : List.of();
        return new Verdict(failure, loss, hosts, lossObjection(fabric, node, portNum, loss));
    }

    private static List<String> hosts(Fabric fabric, int sw) {
        return hostPorts(fabric, sw)
                .map(fabric::nodeOf)
                .distinct()
                .mapToObj(fabric::nodeName)
                .sorted()
                .toList();
    }

    /** Returns the port indexes of hosts that are attached to a switch. */
    private static IntStream hostPorts(Fabric fabric, int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(number -> fabric.peer(fabric.port(sw, number)))
                .filter(peer -> peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)));
    }

    private static String lossObjection(Fabric fabric, int node, int portNum, WhatIf.Outcome loss) {
        long lostAnyway = portNum == Drains.WHOLE_SWITCH ? ownLostPairs(fabric, node) : 0;
        if (!loss.isRouted()) {
            return "there would be no routes: " + loss.reason();
        } else if (!loss.degraded().isEmpty()) {
            return "no engine would route the rest as it is: " + loss.degraded();
        } else if (loss.lostPairs() > lostAnyway) {
            return (loss.lostPairs() - lostAnyway) + " pairs of others would have no path";
        } else if (loss.maxLoadAfter() > MAX_LOAD * loss.maxLoadBefore()) {
            return "more than " + MAX_LOAD + " times as many paths would go over one cable";
        }
        int cutOff = cutOffNode(fabric, node, portNum);
        return cutOff == Fabric.NONE ? "" : fabric.nodeName(cutOff) + " would be cut off";
    }

    /** Returns the number of ordered pairs of host ports of which one is attached to the switch. */
    private static long ownLostPairs(Fabric fabric, int sw) {
        long attached = hostPorts(fabric, sw).count();
        long all = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port)
                        && !fabric.isSwitch(fabric.nodeOf(port))
                        && fabric.peer(port) != Fabric.NONE)
                .count();
        return all * (all - 1) - (all - attached) * (all - attached - 1);
    }

    /**
     * Returns the index of a switch that the SM would no longer reach; {@link Fabric#NONE} if it would reach all
     * switches.
     */
    private static int cutOffNode(Fabric fabric, int node, int portNum) {
        int drainedPort = portNum == Drains.WHOLE_SWITCH ? Fabric.NONE : fabric.port(node, portNum);
        BitSet reached = new BitSet();
        Deque<Integer> next = new ArrayDeque<>();
        if (portNum == Drains.WHOLE_SWITCH) {
            reached.set(node);
        }
        int first = fabric.localSwitch();
        reached.set(first);
        next.add(first);
        while (!next.isEmpty()) {
            int sw = next.remove();
            for (int number = 1; number <= fabric.numPorts(sw); number++) {
                int port = fabric.port(sw, number);
                int far = fabric.peer(port);
                boolean isCable = far != Fabric.NONE && port != drainedPort && far != drainedPort;
                if (isCable && fabric.isSwitch(fabric.nodeOf(far)) && !reached.get(fabric.nodeOf(far))) {
                    reached.set(fabric.nodeOf(far));
                    next.add(fabric.nodeOf(far));
                }
            }
        }
        int missing = reached.nextClearBit(0);
        return missing < fabric.switchCount() ? missing : Fabric.NONE;
    }
}
