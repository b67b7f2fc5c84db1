package io.torussm.routing;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All decisions of a routing engine. Immutable; callers must not write to the arrays that it returns.
 *
 * <p>Tables of switches are arrays. Data with too many entries for an array, or derived from few facts (SL2VL
 * rows, path SLs), are functions.
 */
public final class Plan implements RoutingResult {
    private final PlanBuilder made;
    private final Subnet subnet;
    private final Optional<MulticastTree> multicastTree;

    /** The plan as the engine made it; this one, unless it was made of another. */
    private final Plan asRouted;

    /** SL2VL rows of a switch, by ports of input and output. */
    @FunctionalInterface
    public interface SwitchRows {
        /** Returns a row; see {@link Plan#sl2vl(int, int, int)}. */
        long row(int sw, int in, int out);
    }

    /** SL2VL tables of end ports. */
    @FunctionalInterface
    public interface EndportRows {
        /** Returns a row; see {@link Plan#sl2vl(int)}. */
        long row(int endport);
    }

    /** Between which switches there are paths. */
    @FunctionalInterface
    public interface Paths {
        /** Paths between all switches. */
        Paths ALL = (fromSw, toSw) -> true;

        /** Checks whether packets get from one switch to another; true for the same switch. */
        boolean lead(int fromSw, int toSw);
    }

    /** The roles of external ports of switches. */
    @FunctionalInterface
    public interface PortRoles {
        /** Returns the role; see {@link Plan#role}. */
        PortRole role(int sw, int portNum);
    }

    Plan(PlanBuilder made) {
        this.made = made;
        this.subnet = made.subnet;
        this.multicastTree = made.multicastTree;
        this.asRouted = made.origin == null || made.origin.routed() == null ? this : made.origin.routed();
    }

    private Plan(Plan before, Subnet subnet) {
        this.made = before.made;
        this.subnet = subnet;
        this.multicastTree = before.multicastTree.map(tree -> tree.on(subnet.fabric()));
        this.asRouted = before.asRouted;
    }

    /**
     * Begins a plan.
     *
     * @param engine name of the engine
     * @param lfts by switch: egress port by LID, {@code subnet.topLid() + 1} entries, 0xFF where there is no
     *     path; kept, not copied
     */
    public static PlanBuilder builder(String engine, Subnet subnet, byte[][] lfts) {
        return new PlanBuilder(engine, subnet, lfts);
    }

    /**
     * Begins a plan that has all of this one but its tables.
     *
     * @param lfts as for {@link #builder}
     */
    public PlanBuilder withTables(byte[][] lfts) {
        return new PlanBuilder(asRouted.made, lfts);
    }

    /**
     * Returns this plan on a subnet in which hosts were lost or came back. This requires that links between
     * switches are unchanged, and that every present end port has the switch port and the LIDs with which it
     * was routed. An absent end port keeps its entries, so that its return costs nothing. The proof of the
     * plan stays valid, since there is only less traffic.
     *
     * @return the plan on that subnet; empty if the subnet must be routed again, as always for retained
     *     routes
     */
    public Optional<Plan> on(Subnet now) {
        Subnet then = made.subnet;
        return made.standing == null && SameSubnet.isWithin(now, then)
                ? Optional.of(new Plan(this, now.reachingTo(then.topLid())))
                : Optional.empty();
    }

    /** Returns the plan as the engine made it, for all end ports that there were. */
    public Plan asRouted() {
        return asRouted;
    }

    /** Returns the name of the engine. */
    public String engine() {
        return made.engine;
    }

    /** Returns the subnet that the plan is for. */
    public Subnet subnet() {
        return subnet;
    }

    /**
     * Returns the linear forwarding table of a switch; entries of end ports that are absent included.
     *
     * @return egress port by LID, {@code subnet().topLid() + 1} entries, 0xFF where there is no path
     */
    public byte[] lft(int sw) {
        return made.lfts[sw];
    }

    /**
     * Replaces equal tables by those in an earlier plan, to save memory: several plans of a fabric are kept,
     * and most of their tables are equal. The content of this plan does not change. To be called before the
     * plan is published to other threads.
     */
    public void shareTables(Plan earlier) {
        Fabric now = subnet.fabric();
        Fabric then = earlier.subnet().fabric();
        for (int sw = 0; sw < made.lfts.length; sw++) {
            int before = then.nodeByGuid(now.nodeGuid(sw));
            boolean hasTable = before != Fabric.NONE && before < earlier.made.lfts.length;
            if (hasTable && Arrays.equals(made.lfts[sw], earlier.lft(before))) {
                made.lfts[sw] = earlier.lft(before);
            }
        }
    }

    /**
     * Checks whether the engine chooses the VLs of a link. Else the operator's SL2VL and VL arbitration
     * tables apply.
     */
    public boolean hasOwnSl2Vl() {
        return made.hasOwnSl2Vl;
    }

    /**
     * Returns the number of data VLs that the engine needs on links between switches for all its features, 1
     * to 15.
     */
    public int dataVlsNeeded() {
        return made.dataVlsNeeded;
    }

    /**
     * Returns the SL2VL row of a switch for packets from one port to another, before masking by OperationalVLs.
     *
     * @param in input port number, 0 for packets from port 0
     * @param out output port number; 0 only matters on switches with enhanced port 0
     * @return packed as {@link SlToVlMappingTable#packed()}
     */
    public long sl2vl(int sw, int in, int out) {
        return made.switchRows.row(sw, in, out);
    }

    /** Returns the SL2VL table of an end port: a CA or router port, or enhanced switch port 0 as a source. */
    public long sl2vl(int endport) {
        return made.endportRows.row(
                made.subnet == subnet ? endport : SameSubnet.counterpart(subnet, made.subnet, endport));
    }

    /**
     * Returns the SL of a path in constant time.
     *
     * @param srcLid any LID of the source end port
     * @param dstLid any LID of the destination end port
     * @param wanted SL requested by policy, 0 to 15; the engine decides on its meaning
     * @return SL 0 to 15, or -1 if the engine has no path for this pair
     */
    public int pathSl(int srcLid, int dstLid, int wanted) {
        return made.sls.sl(srcLid, dstLid, wanted);
    }

    /**
     * Returns the set of SLs (bit n: SL n) that paths from end ports of a switch to a LID may have.
     *
     * @param dstLid a LID of a switch or of an end port that is attached to one
     */
    public int slMask(int srcSw, int dstLid) {
        return made.sls.mask(srcSw, dstLid);
    }

    /** Computes {@link #slMask} to several LIDs; see {@link PathSls#masks}. */
    public void slMasks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
        made.sls.masks(srcSw, dstLids, from, count, masks);
    }

    /** Checks whether {@link #pathSl} and {@link #slMask} are the same for all LIDs of one destination switch. */
    public boolean isSlMaskBySwitch() {
        return made.sls.isBySwitch();
    }

    /** Returns the role of a switch's external port, for QoS settings. */
    public PortRole role(int sw, int portNum) {
        return made.roles.role(sw, portNum);
    }

    /**
     * Checks whether the engine claims that its tables are free of credit loops, so that a cycle is a defect
     * and not a choice.
     */
    public boolean claimsDeadlockFree() {
        return made.claimsDeadlockFree;
    }

    /** Returns the same plan, with more that was noticed before the engine began. */
    public Plan after(List<Finding> noticed) {
        return withTables(made.lfts)
                .findings(
                        Stream.concat(noticed.stream(), made.findings.stream()).toList())
                .roomForMulticast(() -> withRoomForMulticast().map(other -> other.after(noticed)))
                .build();
    }

    /**
     * Returns the same plan for its subnet with cables besides, which it does not use.
     *
     * @param whole has the same indexes
     */
    public Plan onWhole(Subnet whole) {
        return PlanBuilder.onWhole(made, whole)
                .roomForMulticast(() -> withRoomForMulticast().map(other -> other.onWhole(whole)))
                .build();
    }

    /**
     * Returns the same plan, with a proof that covers only traffic from hosts to hosts and to groups. It
     * serves tables whose credit loops need packets from or to ports 0 of switches.
     */
    public Plan forHostsAlone() {
        return withTables(made.lfts)
                .hostsAlone()
                .roomForMulticast(() -> withRoomForMulticast().map(Plan::forHostsAlone))
                .build();
    }

    /**
     * Returns the same tables with hosts that ignore path records: a host may send with any SL on each of its
     * paths. Only for the checker; path records still have the plan's SLs.
     */
    public Plan withAnySl() {
        return new PlanBuilder(made, made.lfts).anySl().build();
    }

    /**
     * Checks whether another plan has the same tables and SLs, even if hosts were lost or came back in
     * between.
     */
    public boolean isSameRouting(Plan other) {
        return made == other.made;
    }

    /** Checks whether the proof excludes packets from and to ports 0 of switches. */
    public boolean isForHostsAlone() {
        return made.isForHostsAlone;
    }

    /**
     * Returns the losses if the engine refused and a last resort made the tables; empty if the engine made
     * them.
     */
    public Optional<Degradation> degradation() {
        return Optional.ofNullable(made.degradation);
    }

    /** Returns the entries of a last resort that are not the engine's. */
    Detours detours() {
        return made.detours;
    }

    /**
     * Returns the facts of retained routes that stay active since no engine accepts the fabric; empty if an
     * engine made these routes for this subnet.
     */
    public Optional<Standing> standing() {
        return Optional.ofNullable(made.standing);
    }

    /**
     * Returns the multicast tree before switches or cables were lost, on the fabric of that time; empty if none
     * were, or if there was none.
     */
    Optional<MulticastTree> wholeTree() {
        return Optional.ofNullable(made.origin).map(PlanBuilder.Origin::wholeTree);
    }

    /**
     * Returns the same routes with the packets that they lose: a host may still send on a path that no longer
     * exists. Analyses of dependencies include these packets; the plan itself has no such path.
     */
    public Plan withLostPairs() {
        return made.standing == null
                ? this
                : new PlanBuilder(made, made.lfts).sls(made.standing.allPairs()).build();
    }

    /** Checks whether the routes were read from switches and made by no engine. */
    public boolean isAdopted() {
        return made.standing != null && made.standing.isAdopted();
    }

    /** Returns the SLs of paths, as the engine chose them. */
    public PathSls sls() {
        return made.sls;
    }

    /** Returns the findings of the engine. */
    public List<Finding> findings() {
        return made.findings;
    }

    /**
     * Returns the reasons, as errors, for a refusal if these tables fail the proof. An engine gives them with
     * routes that it cannot vouch for. Empty if a failure would be a defect of the engine.
     */
    public List<Finding> unprovableReasons() {
        return made.unprovableReasons;
    }

    /**
     * Returns the tree for multicast that the engine would have; the checker takes it if it closes no credit
     * loop together with unicast, and else looks for one that does not.
     */
    public Optional<MulticastTree> multicastTree() {
        return multicastTree;
    }

    /**
     * Returns the switches that are good roots of a tree for multicast, best first; none if there is to be no
     * multicast.
     */
    public int[] multicastRoots() {
        return made.multicastRoots;
    }

    /** Returns the SLs (bit n: SL n) that multicast groups may have without endangering the fabric. */
    public int multicastSls() {
        return made.multicastSls;
    }

    /**
     * Returns alternative routes that leave room for a multicast tree, for the case that no tree is
     * compatible with this plan. Computed on request.
     */
    public Optional<Plan> withRoomForMulticast() {
        return made.roomForMulticast.get();
    }

    /**
     * Returns the same part as a refusal, if connected switches have no routes in this plan: a last resort completes
     * it, and keeps all other routes and SLs. Empty if there are none. Computed on request.
     */
    public Optional<Refusal> leftOut() {
        return made.leftOut.get();
    }

    /** Returns the engine's explanations of the plan. */
    public PlanExplainer explainer() {
        return made.explainer;
    }

    /**
     * Explains why a packet leaves a switch by a port: delivery, a detour of a last resort, or the engine's reason; see
     * {@link PlanExplainer#explainHop}.
     *
     * @param in port number by which it came, 0 if the switch itself sent it
     * @param out port number by which it leaves, as its table has it
     * @param dlid where it goes
     */
    public String explainHop(int sw, int in, int out, int dlid) {
        String engines = made.explainer.explainHop(sw, in, out, dlid);
        if (made.subnet.switchOfLid(dlid) == sw) {
            return engines.isEmpty() ? out == 0 ? "delivery to port 0" : "delivery to host port" : engines;
        } else if (isAdopted()) {
            return "as it was found in the switch";
        } else if (degradation().filter(Degradation::isUpDown).isPresent()) {
            return "up and down a tree, since most routes of " + made.engine + " would close a credit loop";
        }
        String detour = made.detours.why(made.engine, sw, dlid);
        return detour.isEmpty() ? engines : detour;
    }

    /** Returns a switch's coordinates, see {@link PlanExplainer#coordinates}. */
    public String coordinates(int sw) {
        return made.explainer.coordinates(sw);
    }

    /** Returns a switch as events name it, see {@link #nameOf}. */
    public DeviceText device(int sw) {
        return subnet.deviceOf(subnet.fabric().port(sw, 0), coordinates(sw)).as(nameOf(sw));
    }

    /** Returns the name of a switch, after its coordinates if it has any. */
    public String nameOf(int sw) {
        Fabric fabric = subnet.fabric();
        return (coordinates(sw) + " " + fabric.name(sw)).strip();
    }
}
