package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A plan of an earlier subnet, asked by indexes of the present one. The plan itself is handed to no caller:
 * the indexes of its fabric and of the present one are both integers, and this is the only place where both
 * exist. Immutable.
 */
final class EarlierPlan {
    private final Plan plan;
    private final Subnet now;

    /** By switch of the present subnet, its index in the plan's. */
    private final int[] switchThen;

    /**
     * Creates a plan for another subnet.
     *
     * @param currentSubnet all of its switches were there when the plan was made
     */
    EarlierPlan(Plan plan, Subnet currentSubnet) {
        this.plan = plan;
        this.now = currentSubnet;
        Fabric oldFabric = plan.subnet().fabric();
        switchThen = new int[currentSubnet.fabric().switchCount()];
        Arrays.setAll(
                switchThen, sw -> oldFabric.nodeByGuid(currentSubnet.fabric().nodeGuid(sw)));
    }

    /** Returns tables that the plan's switches have, by switch of the present subnet. */
    byte[][] tables(byte[][] tablesThen) {
        return Arrays.stream(switchThen).mapToObj(sw -> tablesThen[sw]).toArray(byte[][]::new);
    }

    /** Begins a plan for the present subnet that has all of this one but tables, SLs and multicast. */
    PlanBuilder builder(String engine, Subnet subnet, byte[][] lfts) {
        PlanBuilder builder = Plan.builder(engine, subnet, lfts)
                .ownSl2Vl(plan.dataVlsNeeded(), (sw, in, out) -> plan.sl2vl(switchThen[sw], in, out), this::endportRow)
                .roles((sw, portNum) -> plan.role(switchThen[sw], portNum))
                .explainer(plan.explainer().leftOn(now, new Explainer()));
        builder.hasOwnSl2Vl = plan.hasOwnSl2Vl();
        builder.claimsDeadlockFree = plan.claimsDeadlockFree();
        builder.isForHostsAlone = plan.isForHostsAlone();
        builder.degradation = plan.degradation().orElse(null);
        builder.detours = plan.detours().reindexed(switchThen);
        return builder;
    }

    /**
     * Returns the SL2VL table of an end port. One that was not there has VL 0 for all SLs, since no path
     * begins at it.
     */
    private long endportRow(int endport) {
        int oldPort = SameSubnet.counterpart(now, plan.subnet(), endport);
        return oldPort == Fabric.NONE ? 0 : plan.sl2vl(oldPort);
    }

    /** Returns the SL of a path, see {@link Plan#pathSl}. */
    int pathSl(int srcLid, int dstLid, int wanted) {
        return plan.pathSl(srcLid, dstLid, wanted);
    }

    /** Returns the SLs of paths from a switch, see {@link Plan#slMask}. */
    int slMask(int srcSw, int dstLid) {
        return plan.slMask(switchThen[srcSw], dstLid);
    }

    /** The engine's explainer, asked by indexes of the present subnet. */
    private final class Explainer implements PlanExplainer {
        @Override
        public String coordinates(int sw) {
            return plan.coordinates(switchThen[sw]);
        }

        /** {@inheritDoc} The place of an absent compute node stays empty. */
        @Override
        public int[][] computeOrder() {
            return Arrays.stream(plan.explainer().computeOrder())
                    .map(leaf -> Arrays.stream(leaf)
                            .map(lid -> now.switchOfLid(lid) == Fabric.NONE ? 0 : lid)
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
            return plan.explainer().explainHop(switchThen[sw], in, out, dlid);
        }

        @Override
        public String slChangeCause() {
            return plan.explainer().slChangeCause();
        }
    }
}
