package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.balance.LegalHops.LinkDirection;
import io.torussm.subnet.Subnet;
import java.util.function.IntUnaryOperator;

/**
 * The explanation of the hops of paths that go up and then down: the direction of each hop, the ranks that it
 * joins, and the rule by which its port was chosen.
 *
 * @param links the cables between switches
 * @param steps direction from a switch to its neighbour
 * @param ranks rank by switch: the distance from the top, or another number of the engine
 * @param choice rule by which the port of a hop was chosen
 */
public record UpDownReasons(Subnet subnet, Links links, LegalHops.Steps steps, IntUnaryOperator ranks, Choice choice)
        implements PlanExplainer {
    /** The rule by which an engine chose a port. */
    @FunctionalInterface
    public interface Choice {
        /**
         * Returns the rule as a text for operators.
         *
         * @param out port number
         * @param to switch of the destination
         */
        String of(int sw, int out, int to);
    }

    /**
     * Returns an explanation of tables that {@link BalancedTables} filled.
     *
     * @param hops allowed ports of the tables
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
        int next = links.farSwitch(fabric.port(sw, out));
        if (to == Fabric.NONE || next == Fabric.NONE) {
            return "";
        }
        int previous = in == 0 ? Fabric.NONE : links.farSwitch(fabric.port(sw, in));
        LinkDirection came = previous == Fabric.NONE ? LinkDirection.LEVEL : steps.of(previous, sw);
        int from = ranks.applyAsInt(sw);
        int nextRank = ranks.applyAsInt(next);
        return way(came, steps.of(sw, next))
                + (from == nextRank ? " within rank " + from : ": rank " + from + " to " + nextRank)
                + "; " + choice.of(sw, out, to);
    }

    private static String way(LinkDirection came, LinkDirection leaves) {
        return switch (leaves) {
            case UP -> came == LinkDirection.DOWN ? "up again after the way down" : "up";
            case DOWN -> came == LinkDirection.UP ? "at the top, down" : "down";
            case LEVEL -> "level";
        };
    }
}
