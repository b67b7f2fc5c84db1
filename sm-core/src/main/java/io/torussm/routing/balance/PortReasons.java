package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.subnet.Subnet;

/**
 * The explanation of hops in tables that {@link BalancedTables} filled without an order of switches: the number
 * of remaining hops, and the rule by which the port was chosen.
 *
 * @param hops hops of the engine, which give the allowed ports
 * @param isDimensionOrder true if only cables to the first neighbour were used
 */
public record PortReasons(Subnet subnet, Hops hops, boolean isDimensionOrder) implements PlanExplainer {
    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        int to = subnet.switchOfLid(dlid);
        if (to == Fabric.NONE || to == sw) {
            return "";
        }
        int remaining = hops.hops(sw, to);
        String distance = "nearest: " + remaining + (remaining == 1 ? " hop" : " hops") + " to the last switch; ";
        return isDimensionOrder
                ? "dimension order: " + distance + first(sw, to)
                : distance + choice(subnet.fabric(), hops, sw, to);
    }

    private String first(int sw, int to) {
        int count = hops.ports(sw, to, new int[subnet.fabric().numPorts(sw) + 1]);
        return count < 2 ? "the only such port" : "first neighbour of those behind " + count + " ports";
    }

    /**
     * Returns the rule by which {@link BalancedTables} chose one of the allowed ports for packets to another switch.
     */
    public static String choice(Fabric fabric, NextHops hops, int sw, int to) {
        int count = hops.ports(sw, to, new int[fabric.numPorts(sw) + 1]);
        return count < 2 ? "the only such port" : "of " + count + " such ports the one with the fewest paths";
    }
}
