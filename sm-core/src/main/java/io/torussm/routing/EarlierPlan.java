package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A plan of an earlier subnet, which is read by switch and port indexes of the present subnet. The indexes of
 * both fabrics are integers and easily confused, so only this class uses both, and no caller gets the plan
 * itself (ADR 21). Immutable.
 */
final class EarlierPlan {
    private final Plan plan;
    /** The present subnet. */
    private final Subnet currentSubnet;

    /** By switch of the present subnet: its index in the subnet of the plan. */
    private final int[] previousSwitch;

    /**
     * Creates an earlier plan for the present subnet.
     *
     * @param currentSubnet present subnet; each of its switches must exist in the subnet of the plan
     */
    EarlierPlan(Plan plan, Subnet currentSubnet) {
        this.plan = plan;
        this.currentSubnet = currentSubnet;
        Fabric oldFabric = plan.subnet().fabric();
        previousSwitch = new int[currentSubnet.fabric().switchCount()];
        Arrays.setAll(
                previousSwitch,
                sw -> oldFabric.nodeByGuid(currentSubnet.fabric().nodeGuid(sw)));
    }

    /**
     * Converts tables {@code [switch of the plan's subnet][LID]} to {@code [switch of the present subnet][LID]}. The
     * rows are shared.
     */
    byte[][] tables(byte[][] tablesThen) {
        return Arrays.stream(previousSwitch).mapToObj(sw -> tablesThen[sw]).toArray(byte[][]::new);
    }

    /**
     * Begins a plan that copies all decisions of this plan except tables, SLs and multicast.
     *
     * @param engine name of the engine of the new plan
     * @param subnet subnet of the new plan, with the indexes of the present subnet
     * @param lfts tables {@code [switch][LID]} of the new plan
     */
    PlanBuilder builder(String engine, Subnet subnet, byte[][] lfts) {
        PlanBuilder builder = Plan.builder(engine, subnet, lfts)
                .ownSl2Vl(
                        plan.dataVlsNeeded(),
                        (sw, in, out) -> plan.sl2vl(previousSwitch[sw], in, out),
                        this::endportRow)
                .roles((sw, portNum) -> plan.role(previousSwitch[sw], portNum))
                .explainer(plan.explainer().remainingOn(currentSubnet, new Explainer()));
        builder.hasOwnSl2Vl = plan.hasOwnSl2Vl();
        builder.claimsDeadlockFree = plan.claimsDeadlockFree();
        builder.isForHostsOnly = plan.isForHostsOnly();
        builder.degradation = plan.degradation().orElse(null);
        builder.detours = plan.detours().reindexed(previousSwitch);
        return builder;
    }

    /**
     * Returns the SL2VL table of an end port of the present subnet. An end port that the plan does not contain has
     * VL 0 for all SLs, since no path begins at it.
     */
    private long endportRow(int endport) {
        int oldPort = SameSubnet.counterpart(currentSubnet, plan.subnet(), endport);
        return oldPort == Fabric.NONE ? 0 : plan.sl2vl(oldPort);
    }

    /** Returns the SL of a path, see {@link Plan#pathSl}. */
    int pathSl(int srcLid, int dstLid, int wanted) {
        return plan.pathSl(srcLid, dstLid, wanted);
    }

    /** Returns the SLs of paths from a switch of the present subnet to a LID, see {@link Plan#slMask}. */
    int slMask(int srcSw, int dstLid) {
        return plan.slMask(previousSwitch[srcSw], dstLid);
    }

    /** The explainer of the plan, which is read by indexes of the present subnet. */
    private final class Explainer implements PlanExplainer {
        @Override
        public String coordinates(int sw) {
            return plan.coordinates(previousSwitch[sw]);
        }

        /** {@inheritDoc} The place of an absent compute node stays empty. */
        @Override
        public int[][] computeOrder() {
            return Arrays.stream(plan.explainer().computeOrder())
                    .map(leaf -> Arrays.stream(leaf)
                            .map(lid -> currentSubnet.switchOfLid(lid) == Fabric.NONE ? 0 : lid)
                            .toArray())
                    .toArray(int[][]::new);
        }

        @Override
        public Optional<WholeTree> wholeTree() {
            return plan.explainer().wholeTree();
        }

        @Override
        public Optional<Lattice> lattice() {
            return plan.explainer().lattice();
        }

        @Override
        public List<Ring> rings() {
            return plan.explainer().rings();
        }

        @Override
        public List<Finding> changesSince(PlanExplainer previous) {
            return List.of();
        }

        @Override
        public String explainHop(int sw, int in, int out, int dlid) {
            return plan.explainer().explainHop(previousSwitch[sw], in, out, dlid);
        }

        @Override
        public String slChangeCause() {
            return plan.explainer().slChangeCause();
        }
    }
}
