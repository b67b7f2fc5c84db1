package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.balance.LegalHops.Way;
import io.torussm.subnet.Subnet;
import java.util.function.IntUnaryOperator;

/**
 * Explains the hops of paths that go up and then down: the way of each hop, the ranks that it joins, and how its port
 * was chosen.
 *
 * @param links the cables between switches
 * @param steps the way from a switch to its neighbour
 * @param ranks by switch: how far it is from the top, or as the engine counts it
 * @param choice how the port of a hop was chosen
 */
public record UpDownReasons(Subnet subnet, Links links, LegalHops.Steps steps, IntUnaryOperator ranks, Choice choice)
        implements PlanExplainer {
    /** How an engine chose a port. */
    @FunctionalInterface
    public interface Choice {
        /**
         * Explains a port in a few words.
         *
         * @param out number
         * @param to the switch that the packet goes to
         */
        String of(int sw, int out, int to);
    }

    /**
     * Explains tables that {@link BalancedTables} filled.
     *
     * @param hops the ports that the tables could choose from
     */
    public static UpDownReasons balanced(
            Subnet subnet, Links links, LegalHops.Steps steps, IntUnaryOperator ranks, NextHops hops) {
        Fabric fabric = subnet.fabric();
        return new UpDownReasons(
                subnet, links, steps, ranks, (sw, out, to) -> PortReasons.choice(fabric, hops, sw, to));
    }

    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        Fabric fabric = subnet.fabric();
        int to = subnet.switchOfLid(dlid);
        int next = links.behind(fabric.port(sw, out));
        if (to == Fabric.NONE || next == Fabric.NONE) {
            return "";
        }
        int before = in == 0 ? Fabric.NONE : links.behind(fabric.port(sw, in));
        Way came = before == Fabric.NONE ? Way.LEVEL : steps.of(before, sw);
        int from = ranks.applyAsInt(sw);
        int into = ranks.applyAsInt(next);
        return way(came, steps.of(sw, next))
                + (from == into ? " within rank " + from : ": rank " + from + " to " + into)
                + "; " + choice.of(sw, out, to);
    }

    private static String way(Way came, Way leaves) {
        return switch (leaves) {
            case UP -> came == Way.DOWN ? "up again after the way down" : "up";
            case DOWN -> came == Way.UP ? "at the top, down" : "down";
            case LEVEL -> "level";
        };
    }
}
