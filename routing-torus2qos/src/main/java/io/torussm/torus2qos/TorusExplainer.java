package io.torussm.torus2qos;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Lattice;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.Ring;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.discovery.Torus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The explanation of routes on a torus by coordinates, rings and directions. Immutable. */
final class TorusExplainer implements PlanExplainer {
    private final LidPaths paths;
    private final Torus torus;
    private final Subnet subnet;
    private final TorusSl2Vl sl2vl;
    private final int maxChanges;

    /**
     * The explainer of the larger torus for which the routes were made, if this torus is its remaining part; null if
     * the routes were made for this torus.
     */
    private final @Nullable PlanExplainer wholeExplainer;

    TorusExplainer(LidPaths paths, Subnet subnet, TorusSl2Vl sl2vl, int maxChanges) {
        this.paths = paths;
        this.torus = paths.torus();
        this.subnet = subnet;
        this.sl2vl = sl2vl;
        this.maxChanges = maxChanges;
        this.wholeExplainer = null;
    }

    private TorusExplainer(TorusExplainer routed, Subnet currentSubnet, PlanExplainer wholeExplainer) {
        this.paths = routed.paths;
        this.torus = routed.torus.remainingOn(currentSubnet.fabric());
        this.subnet = currentSubnet;
        this.sl2vl = routed.sl2vl;
        this.maxChanges = routed.maxChanges;
        this.wholeExplainer = wholeExplainer;
    }

    /** Returns the torus; for retained routes, its remaining part. */
    Torus torus() {
        return torus;
    }

    /** Returns the paths as they were routed, on the torus at the time of routing. */
    LidPaths paths() {
        return paths;
    }

    @Override
    public PlanExplainer remainingOn(Subnet currentSubnet, PlanExplainer translated) {
        return new TorusExplainer(this, currentSubnet, translated);
    }

    @Override
    public String coordinates(int sw) {
        int slot = torus.slotOfSwitch(sw);
        return slot < 0 ? "" : torus.formatPosition(torus.positionOf(slot));
    }

    @Override
    public Optional<Lattice> lattice() {
        return Optional.of(torus.lattice());
    }

    @Override
    public List<Ring> rings() {
        return new TorusRings(torus).all();
    }

    @Override
    public List<Finding> changesSince(PlanExplainer previous) {
        return wholeExplainer == null
                        && previous instanceof TorusExplainer previousTorus
                        && previousTorus.wholeExplainer == null
                ? TorusChanges.between(previousTorus.torus, torus, maxChanges)
                : List.of();
    }

    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        if (wholeExplainer != null) {
            return wholeExplainer.explainHop(sw, in, out, dlid);
        }
        int toSwitch = subnet.switchOfLid(dlid);
        int toPort = toSwitch == Fabric.NONE ? 0 : subnet.deliveryPort(dlid);
        return new HopReason(paths.torusFor(dlid), sl2vl).reason(sw, in, out, toSwitch, toPort);
    }

    @Override
    public String slChangeCause() {
        return "Likely cause: datelines or sizes in torus-2QoS.conf were changed, or balance or multipath was, or its seed now mirrors or"
                + " moves the torus; restore it to have the old SLs";
    }
}
