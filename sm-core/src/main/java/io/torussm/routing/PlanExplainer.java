package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.List;
import java.util.Optional;

/**
 * What an engine can explain of its plan, in its own terms: where switches stand, why a packet goes where it goes,
 * what became of the rings. Nothing that is written to switches depends on it. Immutable; an engine without such terms has
 * {@link #NONE}.
 */
public interface PlanExplainer {
    /** Explains nothing. */
    PlanExplainer NONE = new PlanExplainer() {};

    /** A switch's coordinates as operators write them, such as {@code (2,3,0)}; empty if the engine knows none. */
    default String coordinates(int sw) {
        return "";
    }

    /**
     * The LIDs of compute nodes in the order in which shift patterns of them meet no other on a link, by leaf switch: rows of equal
     * length, 0 where a leaf has fewer than others. None if the engine knows no such order.
     */
    default int[][] computeOrder() {
        return new int[0][];
    }

    /** Returns the fat tree that the subnet is when nothing is absent; empty if the engine knows none. */
    default Optional<WholeTree> wholeTree() {
        return Optional.empty();
    }

    /** The grid that switches stand in; empty if the engine knows none. */
    default Optional<Lattice> lattice() {
        return Optional.empty();
    }

    /** All rings of the torus, and all lines of dimensions that do not wrap, along x first; empty if there are none. */
    default List<Ring> rings() {
        return List.of();
    }

    /**
     * Returns an explainer of the same routes on a subnet that may lack switches and cables of the plan's. An engine that looks at
     * what is left of rings or places returns one of its own kind.
     *
     * @param translated this explainer, asked by indexes of that subnet
     */
    default PlanExplainer leftOn(Subnet now, PlanExplainer translated) {
        return translated;
    }

    /**
     * What changed since an earlier plan; empty if the plan is another engine's.
     *
     * @param before the explainer of the plan that was in force
     */
    default List<Finding> changesSince(PlanExplainer before) {
        return List.of();
    }

    /**
     * Why a packet leaves a switch by a port: direction, and what is not plain about it.
     *
     * @param in port number by which it came, 0 if the switch itself or one of its hosts sent it
     * @param out port number by which it leaves
     * @param dlid where it goes
     */
    default String explainHop(int sw, int in, int out, int dlid) {
        return "";
    }

    /** What an operator most likely did if paths have another SL than before although no end port moved; with the remedy. */
    default String slChangeCause() {
        return "Likely cause: settings of the routing engine were changed; restore them to have the old SLs";
    }
}
