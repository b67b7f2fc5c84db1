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
 * Everything that a routing engine decides. Immutable; arrays that it hands out must not be written.
 *
 * <p>Tables of switches are arrays. What would be too many entries, or follows from few facts (SL2VL rows, path SLs), is a
 * function that is asked when needed.
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
        /** See {@link Plan#sl2vl(int, int, int)}. */
        long row(int sw, int in, int out);
    }

    /** SL2VL tables of end ports. */
    @FunctionalInterface
    public interface EndportRows {
        /** See {@link Plan#sl2vl(int)}. */
        long row(int endport);
    }

    /** Between which switches there are paths. */
    @FunctionalInterface
    public interface Paths {
        /** Whether packets get from one switch to another, or stay at it. */
        boolean lead(int fromSw, int toSw);
    }

    /** What external ports of switches lead to. */
    @FunctionalInterface
    public interface PortRoles {
        /** See {@link Plan#role}. */
        PortRole role(int sw, int portNum);
    }

    Plan(PlanBuilder made) {
        this.made = made;
        this.subnet = made.subnet;
        this.multicastTree = made.multicastTree;
        this.asRouted = made.routed == null ? this : made.routed;
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
     * @param lfts by switch: egress port by LID, {@code subnet.topLid() + 1} entries, 0xFF where there is no path; kept,
     *     not copied
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
     * Whether this plan goes on for a subnet in which hosts went or came back: nothing between switches changed, and every
     * end port that is there has the place and the LIDs that it was routed with. An end port that is absent keeps its
     * entries, so that its return costs nothing; what was proved of the plan holds, since there is only less traffic.
     *
     * @return the plan on that subnet; empty if the subnet has to be routed anew, as always while this one only stands in for
     *     an engine
     */
    public Optional<Plan> on(Subnet now) {
        Subnet then = made.subnet;
        return made.standing == null && SameSubnet.isWithin(now, then)
                ? Optional.of(new Plan(this, now.reachingTo(then.topLid())))
                : Optional.empty();
    }

    /** The plan as the engine made it, for all end ports that there were. */
    public Plan asRouted() {
        return asRouted;
    }

    /** Name of the engine. */
    public String engine() {
        return made.engine;
    }

    /** The subnet that the plan is for. */
    public Subnet subnet() {
        return subnet;
    }

    /**
     * The linear forwarding table of a switch; entries of end ports that are absent included.
     *
     * @return egress port by LID, {@code subnet().topLid() + 1} entries, 0xFF where there is no path
     */
    public byte[] lft(int sw) {
        return made.lfts[sw];
    }

    /**
     * Holds the tables of an earlier plan instead of its own where they are equal, since several plans of a fabric are held at a time, and
     * most of their tables say the same. This one says what it said before. Called by whoever had it made, before anybody else has it.
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

    /** Whether the engine itself decides which VLs a link carries; else the operator does, who also weighs them. */
    public boolean hasOwnSl2Vl() {
        return made.hasOwnSl2Vl;
    }

    /** Data VLs that the engine needs on links between switches for all that it can do, 1 to 15. */
    public int dataVlsNeeded() {
        return made.dataVlsNeeded;
    }

    /**
     * The SL2VL row of a switch for packets from one port to another, before masking by OperationalVLs.
     *
     * @param in input port number, 0 for packets from port 0
     * @param out output port number; 0 only matters on switches with enhanced port 0
     * @return packed as {@link SlToVlMappingTable#packed()}
     */
    public long sl2vl(int sw, int in, int out) {
        return made.switchRows.row(sw, in, out);
    }

    /** The SL2VL table of an end port: a CA or router port, or enhanced switch port 0 as a source. */
    public long sl2vl(int endport) {
        return made.endportRows.row(
                made.subnet == subnet ? endport : SameSubnet.counterpart(subnet, made.subnet, endport));
    }

    /**
     * The SL of a path in constant time.
     *
     * @param srcLid any LID of the source end port
     * @param dstLid any LID of the destination end port
     * @param wanted SL asked for by policy, 0 to 15; the engine decides what it means
     * @return SL 0 to 15, or -1 if the engine has no path for this pair
     */
    public int pathSl(int srcLid, int dstLid, int wanted) {
        return made.sls.sl(srcLid, dstLid, wanted);
    }

    /**
     * The set of SLs (bit n: SL n) that paths from end ports of a switch to a LID may be given.
     *
     * @param dstLid a LID whose end port is a switch, or hangs on one
     */
    public int slMask(int srcSw, int dstLid) {
        return made.sls.mask(srcSw, dstLid);
    }

    /** {@link #slMask} to several LIDs; see {@link PathSls#masks}. */
    public void slMasks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
        made.sls.masks(srcSw, dstLids, from, count, masks);
    }

    /** Whether {@link #pathSl} and {@link #slMask} are the same for all LIDs of one destination switch. */
    public boolean isSlMaskBySwitch() {
        return made.sls.isBySwitch();
    }

    /** What a switch's external port leads to, for QoS settings. */
    public PortRole role(int sw, int portNum) {
        return made.roles.role(sw, portNum);
    }

    /** Whether the engine says that its tables are free of credit loops, so that a cycle is a defect and not a choice. */
    public boolean claimsDeadlockFree() {
        return made.claimsDeadlockFree;
    }

    /** The same plan, with more that was noticed before the engine began. */
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
     * The same plan, of which only what hosts send to hosts and to groups counts for the proof, for tables that have a credit loop
     * which takes packets from or to ports 0 of switches to close.
     */
    public Plan forHostsAlone() {
        return withTables(made.lfts)
                .hostsAlone()
                .roomForMulticast(() -> withRoomForMulticast().map(Plan::forHostsAlone))
                .build();
    }

    /**
     * The same tables with hosts that ignore path records: whoever has a path to a host may send to it with any SL. For the
     * checker alone; the plan grants what it granted.
     */
    public Plan withAnySl() {
        return new PlanBuilder(made, made.lfts).anySl().build();
    }

    /** Whether another plan has the same tables and SLs, be it that hosts went or came back in between. */
    public boolean isSameRouting(Plan other) {
        return made == other.made;
    }

    /** Whether the proof leaves out what ports 0 of switches send and are sent. */
    public boolean isForHostsAlone() {
        return made.isForHostsAlone;
    }

    /** What was lost if the engine refused and a last resort made the tables; empty if all is as the engine would have it. */
    public Optional<Degradation> degradation() {
        return Optional.ofNullable(made.degradation);
    }

    /** The entries of a last resort that are not the engine's. */
    Detours detours() {
        return made.detours;
    }

    /** What is left of routes that stay in force since no engine has any; empty if an engine made these for this subnet. */
    public Optional<Standing> standing() {
        return Optional.ofNullable(made.standing);
    }

    /** The multicast tree before switches or cables were lost, on the fabric of that time; empty if none were, or if there was none. */
    Optional<MulticastTree> wholeTree() {
        return Optional.ofNullable(made.wholeTree);
    }

    /**
     * The same routes with the packets that they lose: whoever was granted a path that is no more may still send. What depends on
     * what counts them; the plan itself gives no such path.
     */
    public Plan withLostPairs() {
        return made.standing == null
                ? this
                : new PlanBuilder(made, made.lfts).sls(made.standing.allPairs()).build();
    }

    /** Whether no engine made these routes, but switches held them. */
    public boolean isAdopted() {
        return made.standing != null && made.standing.isAdopted();
    }

    /** The SLs of paths, as the engine chose them. */
    public PathSls sls() {
        return made.sls;
    }

    /** What the engine noticed. */
    public List<Finding> findings() {
        return made.findings;
    }

    /**
     * What to refuse with if these tables fail their check: an engine that offers routes which it cannot vouch for says
     * here, as errors, what keeps it from that. Empty if failure would be a defect of the engine.
     */
    public List<Finding> unprovableReasons() {
        return made.unprovableReasons;
    }

    /**
     * The tree for multicast that the engine would have; the checker takes it if it closes no credit loop together with
     * unicast, and else looks for one that does not.
     */
    public Optional<MulticastTree> multicastTree() {
        return multicastTree;
    }

    /** Switches that are good roots of a tree for multicast, best first; none if there is to be no multicast. */
    public int[] multicastRoots() {
        return made.multicastRoots;
    }

    /** The SLs (bit n: SL n) that multicast groups may have without endangering the fabric. */
    public int multicastSls() {
        return made.multicastSls;
    }

    /**
     * What the engine has instead if no tree for multicast goes with this plan: routes that leave room for one. Computed when
     * asked for.
     */
    public Optional<Plan> withRoomForMulticast() {
        return made.roomForMulticast.get();
    }

    /** What the engine can explain of the plan. */
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

    /** A switch's coordinates, see {@link PlanExplainer#coordinates}. */
    public String coordinates(int sw) {
        return made.explainer.coordinates(sw);
    }

    /** A switch as events name it, see {@link #nameOf}. */
    public DeviceText device(int sw) {
        return subnet.deviceOf(subnet.fabric().port(sw, 0), coordinates(sw)).as(nameOf(sw));
    }

    /** The name of a switch, after its coordinates if it has any. */
    public String nameOf(int sw) {
        Fabric fabric = subnet.fabric();
        return (coordinates(sw) + " " + fabric.name(sw)).strip();
    }
}
