package io.torussm.routing;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLids;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All decisions of a routing engine for one subnet. Switches and ports are indexes of its fabric. Immutable,
 * except for {@link #shareTables}; callers must not write to returned arrays.
 *
 * <p>Tables of switches are arrays. Data with too many entries for an array, or derived from few facts (SL2VL
 * rows, path SLs), are functions.
 */
public final class Plan implements RoutingResult {
    private final PlanBuilder builder;
    private final Subnet subnet;
    private final Optional<MulticastTree> multicastTree;

    /** The plan as the engine returned it, before losses and retention; this plan if nothing has changed since. */
    private final Plan asRouted;

    /** SL2VL rows of a switch by numbers of the input and the output port. */
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

    /** The pairs of switches that the forwarding tables connect. */
    @FunctionalInterface
    public interface Paths {
        /** Paths between all switches. */
        Paths ALL = (fromSw, toSw) -> true;

        /** Checks whether the tables lead from one switch to another; true for the same switch. */
        boolean hasPath(int fromSw, int toSw);
    }

    /** The roles of external ports of switches. */
    @FunctionalInterface
    public interface PortRoles {
        /** Returns the role; see {@link Plan#role}. */
        PortRole role(int sw, int portNum);
    }

    Plan(PlanBuilder builder) {
        this.builder = builder;
        this.subnet = builder.subnet;
        this.multicastTree = builder.multicastTree;
        Plan enginePlan = builder.origin == null ? null : builder.origin.enginePlan();
        // Tables that were read from switches have an origin without a plan of an engine.
        this.asRouted = enginePlan == null ? this : enginePlan;
    }

    private Plan(Plan original, Subnet subnet) {
        this.builder = original.builder;
        this.subnet = subnet;
        this.multicastTree = original.multicastTree.map(tree -> tree.onFabric(subnet.fabric()));
        this.asRouted = original.asRouted;
    }

    /**
     * Begins a plan.
     *
     * @param engine name of the engine
     * @param lfts output ports {@code [switch][LID]} with {@code subnet.topLid() + 1} entries per switch, 0xFF for
     *     no path; kept, not copied
     */
    public static PlanBuilder builder(String engine, Subnet subnet, byte[][] lfts) {
        return new PlanBuilder(engine, subnet, lfts);
    }

    /**
     * Begins a plan with other tables and all other decisions of this plan, except decisions that depend on the tables:
     * {@link #withRoomForMulticast}, {@link #partialRefusal}, {@link #retention} and {@link #asRouted}.
     *
     * @param lfts tables as for {@link #builder}
     */
    public PlanBuilder withTables(byte[][] lfts) {
        return new PlanBuilder(asRouted.builder, lfts);
    }

    /**
     * Returns this plan on a subnet in which hosts were lost or came back. This requires that links between switches
     * are unchanged, and that every present end port has the switch port and the LIDs with which it was routed. An
     * absent end port keeps its entries, so that its return costs nothing. The proof of the plan stays valid, since
     * there is only less traffic.
     *
     * @return plan on that subnet; empty if the subnet must be routed again. Always empty for retained routes
     */
    public Optional<Plan> onSubnet(Subnet changed) {
        return builder.retention == null && SameSubnet.isWithin(changed, builder.subnet)
                ? Optional.of(new Plan(this, changed.withTopLid(builder.subnet.topLid())))
                : Optional.empty();
    }

    /** Returns the plan as the engine returned it, before losses of hosts and switches and before it was retained. */
    public Plan asRouted() {
        return asRouted;
    }

    /** Returns the name of the engine. */
    public String engine() {
        return builder.engine;
    }

    /** Returns the subnet that the plan is for. */
    public Subnet subnet() {
        return subnet;
    }

    /**
     * Returns the linear forwarding table of a switch, which includes entries of absent end ports.
     *
     * @return output port by LID, {@code subnet().topLid() + 1} entries, 0xFF for no path
     */
    public byte[] lft(int sw) {
        return builder.lfts[sw];
    }

    /**
     * Replaces tables by equal ones of an earlier plan, to save memory: several plans of a fabric are kept, and
     * most of their tables are equal. The content of this plan does not change. Must be called before the plan is
     * published to other threads.
     */
    public void shareTables(Plan earlier) {
        Fabric fabric = subnet.fabric();
        Fabric earlierFabric = earlier.subnet().fabric();
        for (int sw = 0; sw < builder.lfts.length; sw++) {
            int earlierSwitch = earlierFabric.nodeByGuid(fabric.nodeGuid(sw));
            boolean hasTable = earlierSwitch != Fabric.NONE && earlierSwitch < earlier.builder.lfts.length;
            if (hasTable && Arrays.equals(builder.lfts[sw], earlier.lft(earlierSwitch))) {
                builder.lfts[sw] = earlier.lft(earlierSwitch);
            }
        }
    }

    /**
     * Checks whether the engine chooses the VLs of a link. If false, the operator's SL2VL and VL arbitration tables
     * apply.
     */
    public boolean hasOwnSl2Vl() {
        return builder.hasOwnSl2Vl;
    }

    /**
     * Returns the number of data VLs that the engine needs on links between switches for all its features, 1
     * to 15.
     */
    public int dataVlsNeeded() {
        return builder.dataVlsNeeded;
    }

    /**
     * Returns the SL2VL row of a switch for packets from one port to another, before masking by OperationalVLs.
     *
     * @param in input port number, 0 for packets from port 0
     * @param out output port number; a row to port 0 is effective only on switches with enhanced port 0
     * @return packed as {@link SlToVlMappingTable#packed()}
     */
    public long sl2vl(int sw, int in, int out) {
        return builder.switchRows.row(sw, in, out);
    }

    /** Returns the SL2VL table of an end port: a CA or router port, or enhanced switch port 0 as a source. */
    public long sl2vl(int endport) {
        return builder.endportRows.row(
                builder.subnet == subnet ? endport : SameSubnet.counterpart(subnet, builder.subnet, endport));
    }

    /**
     * Returns the SL of a path in constant time.
     *
     * @param srcLid any LID of the source end port
     * @param dstLid any LID of the destination end port
     * @param wanted SL that the policy requests, 0 to 15; its meaning depends on the engine
     * @return SL 0 to 15, or -1 if the engine has no path for this pair
     */
    public int pathSl(int srcLid, int dstLid, int wanted) {
        return builder.sls.sl(srcLid, dstLid, wanted);
    }

    /**
     * Returns the set of SLs (bit n: SL n) that paths from end ports of a switch to a LID may have.
     *
     * @param dstLid LID of a switch, or of an end port that is attached to a switch
     */
    public int slMask(int srcSw, int dstLid) {
        return builder.sls.mask(srcSw, dstLid);
    }

    /** Computes {@link #slMask} to several LIDs; see {@link PathSls#masks}. */
    public void slMasks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
        builder.sls.masks(srcSw, dstLids, from, count, masks);
    }

    /** Checks whether {@link #pathSl} and {@link #slMask} are the same for all LIDs of one destination switch. */
    public boolean isSlMaskBySwitch() {
        return builder.sls.isBySwitch();
    }

    /** Returns the role of a switch's external port, for QoS settings. */
    public PortRole role(int sw, int portNum) {
        return builder.roles.role(sw, portNum);
    }

    /**
     * Checks whether the engine claims that its tables are free of credit loops, so that a cycle is a defect
     * and not a choice.
     */
    public boolean claimsDeadlockFree() {
        return builder.claimsDeadlockFree;
    }

    /** Returns a copy with additional findings before those of the engine. */
    public Plan withFindings(List<Finding> noticed) {
        return withTables(builder.lfts)
                .findings(Stream.concat(noticed.stream(), builder.findings.stream())
                        .toList())
                .roomForMulticast(() -> withRoomForMulticast().map(other -> other.withFindings(noticed)))
                .build();
    }

    /**
     * Returns a copy for a subnet with more cables, which the routes do not use.
     *
     * @param wholeSubnet the subnet of this plan with additional cables and the same indexes
     */
    public Plan onWholeSubnet(Subnet wholeSubnet) {
        return PlanBuilder.onWholeSubnet(builder, wholeSubnet)
                .roomForMulticast(() -> withRoomForMulticast().map(other -> other.onWholeSubnet(wholeSubnet)))
                .build();
    }

    /**
     * Returns a copy whose proof covers only traffic from hosts to hosts and to groups. It is for tables whose
     * credit loops all contain packets from or to ports 0 of switches.
     */
    public Plan forHostsOnly() {
        return withTables(builder.lfts)
                .hostsOnly()
                .roomForMulticast(() -> withRoomForMulticast().map(Plan::forHostsOnly))
                .build();
    }

    /**
     * Returns a copy with the LIDs of virtual ports. They have the routes and SLs of their physical ports, and replace
     * such LIDs of this plan. {@link #partialRefusal} is empty.
     */
    public Plan with(VPortLids vports) {
        Plan plain = withoutVPortLids();
        Subnet target = plain.subnet.with(vports);
        Supplier<Optional<Plan>> room = plain.builder.roomForMulticast; // without the tables of the plain plan
        return target.vportLids().isEmpty()
                ? plain
                : PlanBuilder.withVPortLids(plain.builder, target)
                        .roomForMulticast(() -> room.get().map(other -> other.with(vports)))
                        .build();
    }

    /** Returns this plan as its engine returned it, without LIDs of virtual ports, for the next run of an engine. */
    public Plan withoutVPortLids() {
        return builder.subnet.vportLids().isEmpty()
                ? this
                : PlanBuilder.withoutVPortLids(builder).build();
    }

    /**
     * Returns a copy for hosts that ignore path records: a host may send with any SL on each of its paths. Only the
     * checker uses the copy; path records still have the SLs of this plan.
     */
    public Plan withAnySl() {
        return new PlanBuilder(builder, builder.lfts).anySl().build();
    }

    /**
     * Checks whether another plan has the same tables and SLs. Hosts may have been lost or come back between the two
     * plans.
     */
    public boolean isSameRouting(Plan other) {
        return builder == other.builder;
    }

    /** Checks whether the proof excludes packets from and to ports 0 of switches. */
    public boolean isForHostsOnly() {
        return builder.isForHostsOnly;
    }

    /**
     * Returns the quality of the routes if the engine refused and a last resort made the tables; empty if the engine
     * made the tables.
     */
    public Optional<Degradation> degradation() {
        return Optional.ofNullable(builder.degradation);
    }

    /** Returns the table entries of a last resort that differ from the entries of the engine. */
    Detours detours() {
        return builder.detours;
    }

    /**
     * Returns the quality of retained routes, which stay active while no engine accepts the fabric; empty if
     * an engine made these routes for this subnet.
     */
    public Optional<RetentionQuality> retention() {
        return Optional.ofNullable(builder.retention);
    }

    /**
     * Returns the multicast tree before switches or cables were lost, by indexes of the fabric of that time; empty
     * if nothing was lost, or if there was no tree.
     */
    Optional<MulticastTree> wholeTree() {
        return Optional.ofNullable(builder.origin).map(PlanBuilder.Origin::wholeTree);
    }

    /**
     * Returns a copy with SLs also for pairs that retained routes no longer connect. Analyses of dependencies use
     * it, because a host may still send packets on a path record from before the loss. This plan itself has no path
     * for such a pair.
     */
    public Plan withLostPairs() {
        return builder.retention == null
                ? this
                : new PlanBuilder(builder, builder.lfts)
                        .sls(builder.retention.allPairs())
                        .build();
    }

    /** Checks whether the routes were read from switches instead of computed by an engine of this run. */
    public boolean isAdopted() {
        return builder.retention != null && builder.retention.isAdopted();
    }

    /** Returns the SLs of paths, as the engine chose them. */
    public PathSls sls() {
        return builder.sls;
    }

    /** Returns the findings of the engine. */
    public List<Finding> findings() {
        return builder.findings;
    }

    /**
     * Returns the errors to report if these tables fail the proof; empty if such a failure would be a defect of the
     * engine. An engine sets these errors for routes that may have credit loops on this fabric.
     */
    public List<Finding> unprovableReasons() {
        return builder.unprovableReasons;
    }

    /**
     * Returns the multicast tree that the engine prefers. The checker uses it if it closes no credit loop
     * together with unicast; otherwise it searches for a tree that closes none.
     */
    public Optional<MulticastTree> multicastTree() {
        return multicastTree;
    }

    /**
     * Returns the switch indexes of possible roots of a multicast tree, best first; empty if the plan has no
     * multicast.
     */
    public int[] multicastRoots() {
        return builder.multicastRoots;
    }

    /** Returns the SLs (bit n: SL n) that multicast groups may have. */
    public int multicastSls() {
        return builder.multicastSls;
    }

    /**
     * Returns alternative routes for the case that every multicast tree would close a credit loop with this plan;
     * empty if the engine has no alternative. Computed at each call.
     */
    public Optional<Plan> withRoomForMulticast() {
        return builder.roomForMulticast.get();
    }

    /**
     * Returns a refusal that contains this plan as the routable part, if some connected switches have no routes in
     * this plan. A last resort completes it, and keeps all routes and SLs of this plan. Empty if all connected
     * switches have routes. Computed at each call.
     */
    public Optional<Refusal> partialRefusal() {
        return builder.partialRefusal.get();
    }

    /** Returns the engine's explanations of the plan. */
    public PlanExplainer explainer() {
        return builder.explainer;
    }

    /**
     * Explains why a packet leaves a switch by a port: delivery, a detour of a last resort, or the engine's reason;
     * see {@link PlanExplainer#explainHop}.
     *
     * @param in number of the port through which the packet arrived, 0 if the switch itself sent the packet
     * @param out number of the port through which the packet leaves, by the table of the switch
     * @param dlid destination LID of the packet
     */
    public String explainHop(int sw, int in, int out, int dlid) {
        int routedLid = builder.subnet.routedLid(dlid);
        String engineReason = builder.explainer.explainHop(sw, in, out, routedLid);
        if (builder.subnet.switchOfLid(dlid) == sw) {
            String delivery = out == 0 ? "delivery to port 0" : "delivery to host port";
            return engineReason.isEmpty() ? delivery : engineReason;
        } else if (isAdopted()) {
            return "as it was found in the switch";
        } else if (degradation().filter(Degradation::isUpDown).isPresent()) {
            return "up and down a tree, since most routes of " + builder.engine + " would close a credit loop";
        }
        String detour = builder.detours.explain(builder.engine, sw, routedLid);
        return detour.isEmpty() ? engineReason : detour;
    }

    /** Returns a switch's coordinates, see {@link PlanExplainer#coordinates}. */
    public String coordinates(int sw) {
        return builder.explainer.coordinates(sw);
    }

    /** Returns the text for a switch in events, see {@link #nameOf}. */
    public DeviceText device(int sw) {
        return subnet.deviceOf(subnet.fabric().port(sw, 0), coordinates(sw)).withText(nameOf(sw));
    }

    /** Returns the name of a switch, preceded by its coordinates if it has any. */
    public String nameOf(int sw) {
        Fabric fabric = subnet.fabric();
        return (coordinates(sw) + " " + fabric.name(sw)).strip();
    }
}
