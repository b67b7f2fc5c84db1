package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.List;
import java.util.Optional;

/**
 * The explanations of a plan in the terms of its engine: positions of switches, reasons for hops, states of
 * rings. No table that is written to switches depends on it. Immutable; an engine without such terms has
 * {@link #NONE}.
 */
public interface PlanExplainer {
    /** An explainer with empty answers. */
    PlanExplainer NONE = new PlanExplainer() {};

    /** Returns a switch's coordinates for operators, such as {@code (2,3,0)}; empty if the engine has none. */
    default String coordinates(int sw) {
        return "";
    }

    /**
     * Returns the LIDs of compute nodes in the order in which shift patterns have no contention on a link. A row
     * {@code [leaf switch]} contains LIDs; all rows have equal length and are padded with 0. Empty if the engine has
     * no such order.
     */
    default int[][] computeOrder() {
        return new int[0][];
    }

    /** Returns the fat tree of the subnet without losses; empty if the engine has no tree. */
    default Optional<WholeTree> wholeTree() {
        return Optional.empty();
    }

    /** Returns the grid of the switches; empty if the engine has no grid. */
    default Optional<Lattice> lattice() {
        return Optional.empty();
    }

    /**
     * Returns all rings of the torus, and all lines of dimensions that do not wrap, along x first; empty for other
     * engines.
     */
    default List<Ring> rings() {
        return List.of();
    }

    /**
     * Returns an explainer of the same routes on a subnet that may lack switches and cables of the subnet of the
     * plan. An engine with rings or positions returns an explainer of its own type for the remaining part.
     *
     * @param translated this explainer, converted to the indexes of {@code currentSubnet}
     */
    default PlanExplainer remainingOn(Subnet currentSubnet, PlanExplainer translated) {
        return translated;
    }

    /**
     * Returns the changes since an earlier plan; empty if another engine made that plan.
     *
     * @param previous the explainer of the plan that was active before
     */
    default List<Finding> changesSince(PlanExplainer previous) {
        return List.of();
    }

    /**
     * Returns the reason why a packet leaves a switch by a port: the direction, and an exception to the default rule
     * of the engine if one applies; empty without a reason.
     *
     * @param in number of the port through which the packet arrived, 0 if the switch itself or one of its hosts sent
     *     the packet
     * @param out number of the port through which the packet leaves
     * @param dlid destination LID
     */
    default String explainHop(int sw, int in, int out, int dlid) {
        return "";
    }

    /** Returns the most likely cause of changed path SLs if no end port moved, with the remedy. */
    default String slChangeCause() {
        return "Likely cause: settings of the routing engine were changed; restore them to have the old SLs";
    }
}
