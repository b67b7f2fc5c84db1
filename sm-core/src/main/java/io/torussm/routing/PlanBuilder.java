package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLids;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of an engine, from which a {@link Plan} is made. The plan keeps this object and reads its
 * fields, so the setters must not be called after {@link #build}.
 *
 * <p>The defaults suit an engine that makes forwarding tables only: all packets on SL 0 and VL 0, no multicast, no
 * claim of freedom from deadlock.
 *
 * <p>A plan that differs from another one in a few decisions is built from a copy. The copies are restricted,
 * retained or previous routes.
 */
public final class PlanBuilder {
    final String engine;
    final Subnet subnet;

    /** Output ports {@code [switch][LID]}, 0xFF for no path. */
    final byte[][] lfts;

    /** True for SL2VL tables of the engine, false for those of the operator. */
    boolean hasOwnSl2Vl = true;

    /** Number of data VLs on links between switches with which the engine has all its features, 1 to 15. */
    int dataVlsNeeded = 1;

    /** SL2VL rows, four bits for each SL; the row 0 maps each SL to VL 0. */
    Plan.SwitchRows switchRows = (sw, in, out) -> 0;

    Plan.EndportRows endportRows = endport -> 0;
    PathSls sls;
    Plan.PortRoles roles;

    /**
     * True if a credit loop in the tables is a defect of the engine; see {@link Plan#claimsDeadlockFree}.
     */
    boolean claimsDeadlockFree;

    /** True if the proof excludes packets from and to ports 0 of switches. */
    boolean isForHostsOnly;

    List<Finding> findings = List.of();

    /** The errors that the operator sees if the tables fail the proof; empty if such a failure would be a defect. */
    List<Finding> unprovableReasons = List.of();

    /** The tree that the engine prefers; empty if it leaves the choice to the checker. */
    Optional<MulticastTree> multicastTree = Optional.empty();

    /** Switch indexes of possible roots of other trees, best first; empty without multicast. */
    int[] multicastRoots = {};

    /** SLs (bit n: SL n) that groups may have. */
    int multicastSls = 0xffff;

    /** Alternative routes, computed when no multicast tree is compatible with this plan. */
    Supplier<Optional<Plan>> roomForMulticast = Optional::empty;

    /** The connected switches without routes, as a refusal that a last resort completes. */
    Supplier<Optional<Refusal>> partialRefusal = Optional::empty;

    PlanExplainer explainer = PlanExplainer.NONE;

    /** The table entries of a last resort that differ from the engine's. */
    Detours detours = Detours.NONE;

    /** The quality of the routes of a last resort; null if no last resort made the tables. */
    @Nullable
    Degradation degradation;

    /** The quality of retained routes; null if an engine made the routes for this subnet. */
    @Nullable
    RetentionQuality retention;

    /** The origin of previous routes; null for a plan as its engine returned it. */
    @Nullable
    Origin origin;

    /**
     * The origin of previous routes.
     *
     * @param enginePlan plan as the engine returned it; null if the tables were read from the switches
     * @param wholeTree multicast tree before any loss, by indexes of the fabric of that time; null without a tree
     */
    record Origin(@Nullable Plan enginePlan, @Nullable MulticastTree wholeTree) {}

    PlanBuilder(String engine, Subnet subnet, byte[][] lfts) {
        this.engine = engine;
        this.subnet = subnet;
        this.lfts = lfts;
        this.roles = roleByCable(subnet);
        this.sls = new OneSl(subnet);
    }

    /**
     * Copies the decisions of a plan, with other forwarding tables. Two pairs of decisions are not copied:
     * roomForMulticast and partialRefusal compute plans from the former tables; retention and origin describe the
     * former plan.
     */
    PlanBuilder(PlanBuilder builder, byte[][] lfts) {
        this(builder, lfts, builder.subnet);
    }

    private PlanBuilder(PlanBuilder builder, byte[][] lfts, Subnet subnet) {
        this.engine = builder.engine;
        this.subnet = subnet;
        this.lfts = lfts;
        hasOwnSl2Vl = builder.hasOwnSl2Vl;
        dataVlsNeeded = builder.dataVlsNeeded;
        switchRows = builder.switchRows;
        endportRows = builder.endportRows;
        sls = builder.sls;
        roles = builder.roles;
        claimsDeadlockFree = builder.claimsDeadlockFree;
        isForHostsOnly = builder.isForHostsOnly;
        findings = builder.findings;
        unprovableReasons = builder.unprovableReasons;
        multicastTree = builder.multicastTree;
        multicastRoots = builder.multicastRoots;
        multicastSls = builder.multicastSls;
        explainer = builder.explainer;
        degradation = builder.degradation;
        detours = builder.detours;
    }

    /**
     * Returns a builder of the same routes for a subnet with more cables. The routes do not use these cables, but the
     * cables determine the roles of ports.
     *
     * @param wholeSubnet the subnet of {@code made} with additional cables and the same indexes
     */
    static PlanBuilder onWholeSubnet(PlanBuilder made, Subnet wholeSubnet) {
        PlanBuilder builder = new PlanBuilder(made, made.lfts, wholeSubnet);
        builder.roles = roleByCable(wholeSubnet);
        builder.multicastTree = made.multicastTree.map(tree -> tree.onFabric(wholeSubnet.fabric()));
        return builder;
    }

    /**
     * Returns a builder of the same routes for a subnet with LIDs of virtual ports. In each switch such a LID has the
     * entry of the base LID of its physical port.
     *
     * @param target the subnet of {@code made} with LIDs of virtual ports
     */
    static PlanBuilder withVPortLids(PlanBuilder made, Subnet target) {
        byte[][] lfts = new byte[made.lfts.length][];
        for (int sw = 0; sw < lfts.length; sw++) {
            byte[] lft = resized(made.lfts[sw], target.topLid() + 1);
            target.vportLids().lids().forEach(vport -> lft[vport.lid()] = lft[target.routedLid(vport.lid())]);
            lfts[sw] = lft;
        }
        return new PlanBuilder(made, lfts, target).sls(new PathSls.VPortSls(made.sls, target));
    }

    /** Returns a builder of the same routes without LIDs of virtual ports. */
    static PlanBuilder withoutVPortLids(PlanBuilder made) {
        Subnet target = made.subnet.with(VPortLids.NONE);
        byte[][] lfts = new byte[made.lfts.length][];
        for (int sw = 0; sw < lfts.length; sw++) {
            byte[] lft = made.lfts[sw].clone();
            made.subnet.vportLids().lids().forEach(vport -> lft[vport.lid()] = LinearForwardingTable.NO_PATH_ENTRY);
            lfts[sw] = resized(lft, target.topLid() + 1);
        }
        return new PlanBuilder(made, lfts, target).sls(PathSls.VPortSls.ofEngine(made.sls));
    }

    private static byte[] resized(byte[] lft, int entries) {
        byte[] resized = Arrays.copyOf(lft, entries);
        Arrays.fill(resized, Math.min(lft.length, entries), entries, LinearForwardingTable.NO_PATH_ENTRY);
        return resized;
    }

    /** SL 0 for every pair of end ports that are attached to switches. */
    private record OneSl(Subnet subnet) implements PathSls {
        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            int from = subnet.switchOfLid(srcLid);
            return from != Fabric.NONE && mask(from, dstLid) != 0 ? 0 : -1;
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return subnet.switchOfLid(dstLid) == Fabric.NONE ? 0 : 1;
        }
    }

    /** The SLs of an engine that leaves SL2VL to the operator: a path has each SL for which there is a data VL. */
    private static final class OperatorSls implements PathSls {
        private final Subnet subnet;
        private final Sl2VlTables tables;
        private final Plan.Paths paths;

        /** SLs (bit n: SL n) with a data VL on switches and on most hosts. */
        private final int slsOnMostHosts;

        /**
         * True if all end ports have {@link #slsOnMostHosts}, so that the SLs of a path depend on its switches only.
         */
        private final boolean isBySwitch;

        OperatorSls(Subnet subnet, Sl2VlTables tables, Plan.Paths paths) {
            this.subnet = subnet;
            this.tables = tables;
            this.paths = paths;
            slsOnMostHosts = tables.slsOnMostHosts(subnet.fabric());
            isBySwitch = IntStream.rangeClosed(1, subnet.topLid())
                    .filter(lid -> subnet.portOfLid(lid) != Fabric.NONE)
                    .allMatch(lid -> slsOfEndport(lid) == slsOnMostHosts);
        }

        /** Returns the SLs (bit n: SL n) with a data VL on switches, on most hosts, and at an end port. */
        private int slsOfEndport(int lid) {
            return slsOnMostHosts & Sl2VlTables.usableSls(tables.of(subnet.fabric(), subnet.portOfLid(lid)));
        }

        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            int from = subnet.switchOfLid(srcLid);
            int sls = from == Fabric.NONE ? 0 : mask(from, dstLid) & slsOfEndport(srcLid);
            return (sls >> wanted & 1) != 0 ? wanted : -1;
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            int to = subnet.switchOfLid(dstLid);
            if (to == Fabric.NONE || !paths.hasPath(srcSw, to)) {
                return 0;
            }
            return isBySwitch ? slsOnMostHosts : slsOfEndport(dstLid);
        }

        @Override
        public boolean isBySwitch() {
            return isBySwitch;
        }

        /**
         * Compares SLs only if all pairs have paths: other {@link Plan.Paths} are lambdas without
         * equality.
         */
        @Override
        public boolean isSameAs(PathSls other) {
            return other instanceof OperatorSls others
                    && paths == Plan.Paths.ALL
                    && others.paths == Plan.Paths.ALL
                    && isBySwitch
                    && others.isBySwitch
                    && others.slsOnMostHosts == slsOnMostHosts;
        }
    }

    /**
     * Sets the SL2VL tables of the operator. A path may have each SL that has a data VL on switches, on most hosts, and
     * at both ends, because a response has the SL of its request. Also sets the SLs of multicast.
     *
     * @param paths pairs of switches that the forwarding tables connect
     */
    public PlanBuilder operatorSl2Vl(EngineContext context, Plan.Paths paths) {
        Sl2VlTables tables = context.options().qos() ? context.config().sl2vl() : Sl2VlTables.DEFAULT;
        hasOwnSl2Vl = false;
        switchRows = (sw, in, out) -> in == 0 && out == 0 ? tables.switchPort0() : tables.switchExternal();
        Fabric fabric = subnet.fabric();
        endportRows = endport -> tables.of(fabric, endport);
        sls = new OperatorSls(subnet, tables, paths);
        multicastSls = tables.slsOnMostHosts(fabric);
        return this;
    }

    /**
     * Sets SL2VL tables of the engine.
     *
     * @param dataVls number of data VLs on links between switches with which the engine has all its features, 1 to 15
     */
    public PlanBuilder ownSl2Vl(int dataVls, Plan.SwitchRows switches, Plan.EndportRows endports) {
        hasOwnSl2Vl = true;
        dataVlsNeeded = dataVls;
        switchRows = switches;
        endportRows = endports;
        return this;
    }

    /** Sets the SLs of paths. */
    public PlanBuilder sls(PathSls pathSls) {
        sls = pathSls;
        return this;
    }

    /** Sets the roles of external ports of switches; not needed if cables determine them. */
    public PlanBuilder roles(Plan.PortRoles portRoles) {
        roles = portRoles;
        return this;
    }

    /** Claims that the tables are free of credit loops. If the proof fails, this is a defect of the engine. */
    public PlanBuilder claimsDeadlockFree() {
        claimsDeadlockFree = true;
        return this;
    }

    /** Restricts the proof to packets from hosts, see {@link Plan#forHostsOnly}. */
    PlanBuilder hostsOnly() {
        isForHostsOnly = true;
        sls = new HostSls(sls, subnet, false);
        return this;
    }

    /** Assumes hosts that ignore path records, see {@link Plan#withAnySl}. */
    PlanBuilder anySl() {
        sls = new HostSls(sls, subnet, true);
        return this;
    }

    /** Sets the findings of the engine. */
    public PlanBuilder findings(List<Finding> engineFindings) {
        findings = List.copyOf(engineFindings);
        return this;
    }

    /** Sets the reasons of a refusal if the tables fail the proof, see {@link Plan#unprovableReasons}. */
    public PlanBuilder unprovableReasons(List<Finding> reasons) {
        unprovableReasons = List.copyOf(reasons);
        return this;
    }

    /**
     * Requests multicast.
     *
     * @param preferred the tree of the engine, if it has one
     * @param roots switch indexes of possible roots of other trees, best first; kept, not copied
     * @param groupSls SLs (bit n: SL n) that groups may have
     */
    public PlanBuilder multicast(Optional<MulticastTree> preferred, int[] roots, int groupSls) {
        multicastTree = preferred;
        multicastRoots = roots;
        multicastSls = groupSls;
        return this;
    }

    /**
     * Requests multicast with the SLs that unicast may have. Call this after {@link #operatorSl2Vl}; before it, all SLs
     * are permitted.
     *
     * @param preferred the tree of the engine, if it has one
     * @param roots switch indexes of possible roots of other trees, best first; kept, not copied
     */
    public PlanBuilder multicast(Optional<MulticastTree> preferred, int[] roots) {
        return multicast(preferred, roots, multicastSls);
    }

    /**
     * Requests multicast on a tree of shortest paths, with the SLs that unicast may have. Call this after {@link
     * #operatorSl2Vl}; before it, all SLs are permitted.
     *
     * @param roots switch indexes of possible roots, best first; none on a subnet without switches; kept, not copied
     */
    public PlanBuilder multicastFrom(int[] roots) {
        return multicast(MulticastTree.candidates(subnet.fabric(), roots).findFirst(), roots);
    }

    /**
     * Sets alternative routes that leave room for a multicast tree, see {@link Plan#withRoomForMulticast}.
     */
    public PlanBuilder roomForMulticast(Supplier<Optional<Plan>> alternative) {
        roomForMulticast = alternative;
        return this;
    }

    /** Sets the connected switches without routes, see {@link Plan#partialRefusal}. */
    public PlanBuilder partialRefusal(Supplier<Optional<Refusal>> refusal) {
        partialRefusal = refusal;
        return this;
    }

    /** Sets the engine's explanations of the plan. */
    public PlanBuilder explainer(PlanExplainer planExplainer) {
        explainer = planExplainer;
        return this;
    }

    /** Marks the tables as a last resort after a refusal. */
    public PlanBuilder degradation(Degradation losses) {
        degradation = losses;
        return this;
    }

    /** Sets the entries of a last resort that differ from the engine's. */
    public PlanBuilder detours(Detours entries) {
        detours = entries;
        return this;
    }

    /** Marks the routes as retained, while no engine accepts the fabric. */
    PlanBuilder retention(RetentionQuality retained) {
        retention = retained;
        return this;
    }

    /**
     * Marks the routes as previous ones.
     *
     * @param enginePlan plan as the engine returned it; null if the tables were read from the switches
     * @param tree multicast tree before any loss, by indexes of the fabric of that time; null without a tree
     */
    PlanBuilder origin(@Nullable Plan enginePlan, @Nullable MulticastTree tree) {
        origin = new Origin(enginePlan, tree);
        return this;
    }

    /** Returns the plan. The builder must not be used again. */
    public Plan build() {
        return new Plan(this);
    }

    /** Returns roles that refer to the subnet only: copies of this builder would keep its tables otherwise. */
    private static Plan.PortRoles roleByCable(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        return (sw, portNum) -> {
            int far = fabric.peer(fabric.port(sw, portNum));
            boolean isSwitch = far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far));
            return isSwitch ? PortRole.FABRIC_LINK : PortRole.HOST_LINK;
        };
    }
}
