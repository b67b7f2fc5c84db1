package io.torussm.routing.ftree;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanBuilder;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.GuidFile;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.LegalTables;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.Ranks;
import io.torussm.routing.balance.UnreachedHosts;
import io.torussm.routing.balance.UpDownRoutes;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import io.torussm.tree.FabricTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One run of the engine: checks whether the fabric is a suitable tree, and makes tables without credit loops. */
final class FatTreeRun {
    /** The maximum number of ranks in OpenSM. */
    private static final int MAX_RANKS = 8;

    private final EngineContext context;
    private final EngineConfig config;
    private final FatTreeEngine.Files files;
    private final Subnet subnet;
    private final Fabric fabric;
    private final Links links;
    private final HostPorts hosts;
    private final boolean hasRoots;
    private final List<Finding> findings = new ArrayList<>();
    private Ranks ranks;
    private int leafRank;

    /** True if some pair of hosts has no path. */
    private boolean lacksPaths;

    /** True if a leaf without hosts has rank 0, because it is farthest from hosts. */
    private boolean hasLeafAtTop;

    /** The tree to remember, absent parts included; null without such a tree, or if the operator names the roots. */
    private @Nullable WholeTree wholeTree;

    /** The LIDs of compute nodes, see {@link TreeExplainer#order}. */
    private int[][] order = {};

    FatTreeRun(EngineContext context, FatTreeEngine.Files files) {
        this.context = context;
        this.files = files;
        config = context.config();
        subnet = context.subnet();
        fabric = subnet.fabric();
        links = new Links(fabric);
        hosts = new HostPorts(subnet, files.compute(), files.input());
        hasRoots = !files.roots().lines().isEmpty();
        ranks = new Ranks(links, new BitSet());
    }

    RoutingResult route() {
        WholeTree keptTree = hasRoots ? null : context.tree();
        WholeTree union = keptTree == null ? null : TreeUnion.of(keptTree, fabric);
        RoutingResult routed = union == null ? null : routeByRanks(union);
        if (routed != null) {
            return routed;
        }
        assignRanks();
        if (!hasErrors()) {
            requireLeaves(tree());
        }
        Plan foundPlan = hasRoots || union != null || isEven() ? null : routeFoundTree();
        if (foundPlan != null) {
            return foundPlan;
        }
        hasLeafAtTop = !hasRoots && !hasErrors() && isLeafAtTop();
        return hasErrors() ? new Refusal(FatTreeEngine.NAME, findings) : routeByRanks();
    }

    private boolean isEven() {
        return !hasErrors() && TreeEvenness.differences(tree()).isEmpty();
    }

    private boolean isLeafAtTop() {
        FabricTree tree = FabricTree.of(fabric);
        return tree.isTree()
                && IntStream.range(0, fabric.switchCount()).anyMatch(sw -> ranks.of(sw) == 0 && tree.level(sw) == 0);
    }

    /** Routes a tree that lost cables before this SM saw it; null if the fabric is no such tree or lacks paths. */
    private @Nullable Plan routeFoundTree() {
        WholeTree tree = FoundTree.of(fabric);
        if (tree == null) {
            return null;
        }
        FatTreeRun run = new FatTreeRun(context, files);
        run.useRanksOf(tree);
        boolean isBroken = !run.hasErrors() && !run.isWhole(tree);
        return isBroken && run.repair(tree) instanceof Plan plan ? plan : null;
    }

    /**
     * Routes the fabric by the ranks of a known tree. Distances from hosts would be wrong if all hosts of a leaf are
     * absent.
     *
     * @return result; null if the fabric cannot be routed with these ranks
     */
    private @Nullable RoutingResult routeByRanks(WholeTree tree) {
        useRanksOf(tree);
        RoutingResult result = null;
        if (!hasErrors()) {
            result = isWhole(tree) ? planOrNull() : repair(tree);
        }
        if (result == null) {
            findings.clear();
            lacksPaths = false;
        }
        return result;
    }

    private @Nullable Plan planOrNull() {
        return routeByRanks() instanceof Plan plan ? plan : null;
    }

    /** Checks whether all switches and cables of a tree are present, and the tree is even. */
    private boolean isWhole(WholeTree tree) {
        return tree.equals(WholeTree.of(fabric, this::rankOrNone))
                && TreeEvenness.differences(tree()).isEmpty();
    }

    /**
     * Routes the tree as if it were complete, then changes the paths over absent parts; null if this gives no tree.
     */
    private @Nullable RoutingResult repair(WholeTree tree) {
        Subnet wholeSubnet = WholeSubnet.of(subnet, tree);
        if (wholeSubnet == null) {
            return null;
        }
        FatTreeRun run = new FatTreeRun(context.forSubnet(wholeSubnet), files);
        run.useRanksOf(tree);
        FatTree routed = run.hasErrors() ? null : run.tree();
        if (routed == null || !routed.leadsUpEverywhere()) {
            return null;
        }
        byte[][] tables = Objects.requireNonNull(new FatTreeTables(wholeSubnet, routed, false).fill(0));
        byte[][] lfts = new byte[fabric.switchCount()][];
        Arrays.setAll(
                lfts,
                sw -> Arrays.copyOf(tables[wholeSubnet.fabric().nodeByGuid(fabric.nodeGuid(sw))], subnet.topLid() + 1));
        lfts = withRootPaths(withTurns(new MendedTables(subnet, links, ranks, lfts).repair()));
        requirePaths(lfts);
        wholeTree = tree;
        order = TreeExplainer.order(wholeSubnet, run.tree(), subnet.topLid());
        return result(lfts);
    }

    private RoutingResult result(byte[][] lfts) {
        return hasErrors() ? new Refusal(FatTreeEngine.NAME, findings, partialPlan(lfts)) : plan(lfts);
    }

    /** Takes the ranks of a tree, and adds errors if the fabric cannot be routed with them. */
    private void useRanksOf(WholeTree tree) {
        int[] knownRanks = new int[fabric.switchCount()];
        Arrays.setAll(knownRanks, sw -> tree.ranks().getOrDefault(fabric.nodeGuid(sw), Ranks.UNREACHABLE));
        ranks = new Ranks(knownRanks);
        leafRank = tree.leafRank();
        requireRanks(Arrays.stream(hosts.hostPorts()).anyMatch(hosts::isComputeNode));
        if (!hasErrors()) {
            requireLeaves(tree());
        }
    }

    private int rankOrNone(int sw) {
        return ranks.of(sw) == Ranks.UNREACHABLE ? -1 : ranks.of(sw);
    }

    /** Returns tables with paths that go up again at one switch, for hosts without another path from some switch. */
    private byte[][] withTurns(byte[][] lfts) {
        FatTree tree = tree();
        int[] carriers = IntStream.range(0, lfts.length)
                .filter(sw -> tree.hostPorts[sw].length > 0)
                .toArray();
        int[] lids = Arrays.stream(hosts.hostPorts())
                .flatMap(port -> HostPorts.lids(subnet, port))
                .filter(lid ->
                        Arrays.stream(carriers).anyMatch(sw -> lfts[sw][lid] == LinearForwardingTable.NO_PATH_ENTRY))
                .toArray();
        TurnedPaths.Turn turn =
                lids.length == 0 ? null : new TurnedPaths(subnet, tree).forAll(lfts, carriers, lids, this::isLoopFree);
        if (turn == null) {
            return lfts;
        }
        findings.add(SmEvent.ROUTING_NOTE.finding(
                "ftree: some hosts are reached from others in no way that goes up and then down; these packets go up"
                        + " again at ",
                fabric.device(turn.over()),
                " alone"));
        return turn.lfts();
    }

    /**
     * Returns a plan by the current ranks, or a refusal with the routable part if the tree is uneven or lacks paths.
     */
    private RoutingResult routeByRanks() {
        if (!hasRoots) {
            findings.addAll(TreeEvenness.differences(tree()));
        }
        wholeTree = hasRoots || hasErrors() || hasLeafAtTop ? null : WholeTree.of(fabric, this::rankOrNone);
        order = TreeExplainer.order(subnet, tree(), subnet.topLid());
        byte[][] lfts = withRootPaths(loopFreeTables());
        requirePaths(lfts);
        return result(lfts);
    }

    private boolean hasErrors() {
        return findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
    }

    private void addError(Object... reason) {
        findings.add(SmEvent.ROUTING_ERROR.finding(reason));
    }

    /**
     * Assigns ranks by the distance from the roots of the file; without a file, from the switches farthest from
     * hosts.
     */
    private void assignRanks() {
        BitSet roots = new BitSet();
        if (hasRoots) {
            List<GuidFile.Line> absent = new ArrayList<>();
            roots.or(files.roots().switches(fabric, absent));
            SmEvent severity = roots.isEmpty() ? SmEvent.ROUTING_ERROR : SmEvent.ROUTING_WARNING;
            absent.forEach(line -> findings.add(line.absent(severity, "root_guid_file")));
        } else {
            BitSet carriers = new BitSet();
            Arrays.stream(hosts.hostPorts()).map(fabric::switchOf).forEach(carriers::set);
            Ranks fromHosts = new Ranks(links, carriers);
            int max = maxRank(fromHosts);
            IntStream.range(0, fabric.switchCount())
                    .filter(sw -> fromHosts.of(sw) == max)
                    .forEach(roots::set);
        }
        ranks = new Ranks(links, roots);
        int first = Arrays.stream(hosts.hostPorts())
                .filter(hosts::isComputeNode)
                .map(fabric::switchOf)
                .filter(sw -> ranks.of(sw) != Ranks.UNREACHABLE)
                .findFirst()
                .orElse(Fabric.NONE);
        leafRank = hasRoots && first != Fabric.NONE ? ranks.of(first) : maxRank(ranks);
        requireRanks(first != Fabric.NONE);
    }

    private int maxRank(Ranks distances) {
        return IntStream.range(0, fabric.switchCount())
                .map(distances::of)
                .filter(rank -> rank != Ranks.UNREACHABLE)
                .max()
                .orElse(0);
    }

    private void requireRanks(boolean hasComputeNodes) {
        if (maxRank(ranks) == 0) {
            addError("ftree: no switch is above others, since all have hosts or are named in root_guid_file; this is no"
                    + " tree, or the switches at the top have to be named there alone");
        } else if (!hasComputeNodes) {
            addError("ftree: no compute node is attached to the tree; see cn_guid_file and root_guid_file");
        } else if (leafRank >= MAX_RANKS) {
            addError("ftree: the tree has " + (leafRank + 1) + " ranks of switches, more than " + MAX_RANKS);
        } else {
            Arrays.stream(hosts.hostPorts())
                    .filter(hosts::isComputeNode)
                    .filter(port -> ranks.of(fabric.switchOf(port)) != Ranks.UNREACHABLE)
                    .filter(port -> ranks.of(fabric.switchOf(port)) != leafRank)
                    .limit(1)
                    .forEach(this::refuseAbove);
        }
    }

    private void refuseAbove(int port) {
        int sw = fabric.switchOf(port);
        addError(
                "ftree: ",
                subnet.deviceOf(port),
                " is attached to ",
                fabric.device(sw),
                " of rank " + ranks.of(sw) + ", and compute nodes of leaves on rank " + leafRank
                        + "; list the compute nodes alone in cn_guid_file, or name other roots in root_guid_file");
    }

    private void requireLeaves(FatTree tree) {
        int leaves = tree.leafRow().length;
        if (leaves < 2) {
            addError("ftree: compute nodes are attached to " + leaves
                    + " switch alone, and a tree has two leaves or more");
        }
    }

    private FatTree tree() {
        FatTree tree = new FatTree(links, ranks, hosts, leafRank);
        SwitchOrder.find(tree, config.flag(FatTreeEngine.QUASI_INDEXING.key()));
        return tree;
    }

    private void requirePaths(byte[][] lfts) {
        FatTree tree = tree();
        UnreachedHosts unreached =
                new UnreachedHosts(subnet, new Hops(links), (from, to) -> leads(tree, lfts, from, to));
        if (unreached.pairs() > 0) {
            String missing = "ftree: " + unreached.pairs()
                    + " pairs of hosts have no path that goes up and then down, such as " + unreached.examples();
            if (config.flag(FatTreeEngine.ALLOW_PARTIAL.key())) {
                findings.add(SmEvent.ROUTING_WARNING.finding(missing));
            } else {
                lacksPaths = true;
                addError(missing + "; list hosts above the leaves in io_guid_file and set max_reverse_hops, or set"
                        + " ftree_allow_partial to route the rest");
            }
        }
    }

    private Plan plan(byte[][] lfts) {
        Plan all = builderForAllPairs(lfts).build();
        return all.withTables(lfts)
                .sls(new TablePaths(all.sls(), subnet, lfts))
                .findings(findings)
                .build();
    }

    /**
     * Returns the routable part. If hosts lack paths, it has an SL for every pair, so that a last resort can add
     * paths.
     */
    private Plan partialPlan(byte[][] lfts) {
        return lacksPaths ? builderForAllPairs(lfts).build() : plan(lfts);
    }

    /** Begins a plan with an SL for every pair, with or without a path in the tables. */
    private PlanBuilder builderForAllPairs(byte[][] lfts) {
        int[] roots = fromTop();
        return Plan.builder(FatTreeEngine.NAME, subnet, lfts)
                .operatorSl2Vl(context, Plan.Paths.ALL)
                .multicast(GroupTree.of(fabric, ranks, roots), roots)
                .explainer(new TreeExplainer(subnet, tree(), order, wholeTree))
                .claimsDeadlockFree();
    }

    /** Checks whether the table of switch {@code from} has entries for all hosts on switch {@code to}. */
    private boolean leads(FatTree tree, byte[][] lfts, int from, int to) {
        return ranks.of(to) != Ranks.UNREACHABLE
                && Arrays.stream(tree.hostPorts[to])
                        .map(portNum -> fabric.peer(fabric.port(to, portNum)))
                        .flatMap(port -> HostPorts.lids(subnet, port))
                        .allMatch(lid -> lfts[from][lid] != LinearForwardingTable.NO_PATH_ENTRY);
    }

    /** Returns all switches by rank, the top first. */
    private int[] fromTop() {
        return Arrays.stream(links.order())
                .boxed()
                .sorted(Comparator.comparingInt(ranks::of))
                .mapToInt(sw -> sw)
                .toArray();
    }

    /** Returns tables without credit loops: tries fewer reverse hops until no loop remains. */
    private byte[][] loopFreeTables() {
        int allowed = config.number(FatTreeEngine.MAX_REVERSE_HOPS.key());
        byte[][] lfts = tablesIfLoopFree(allowed);
        if (lfts != null) {
            return lfts;
        }
        byte[][] plain = tablesIfLoopFree(0);
        if (plain == null) {
            findings.add(SmEvent.ROUTING_NOTE.finding(
                    "ftree: paths over cables between switches of one rank could wait for each other in a circle;"
                            + " such cables are not used"));
            return Objects.requireNonNull(new FatTreeTables(subnet, tree(), false).fill(0));
        }
        TurnedPaths.Turn turn = new TurnedPaths(subnet, tree()).toServers(plain, allowed, this::isLoopFree);
        if (turn != null) {
            findings.add(SmEvent.ROUTING_NOTE.finding(
                    "ftree: packets to I/O nodes that go up again after they came down could wait for each other in a"
                            + " circle; those without another path do so at ",
                    fabric.device(turn.over()),
                    " alone"));
            return turn.lfts();
        }
        int fewer = allowed - 1;
        while (fewer > 0 && (lfts = tablesIfLoopFree(fewer)) == null) {
            fewer--;
        }
        findings.add(SmEvent.ROUTING_WARNING.finding("ftree: with max_reverse_hops = " + allowed
                + " packets could wait for each other in a circle; " + fewer + " is used"));
        return lfts == null ? plain : lfts;
    }

    /** Returns the tables with at most {@code reverse} reverse hops; null if they close a credit loop. */
    private byte @Nullable [][] tablesIfLoopFree(int reverse) {
        byte[][] lfts = new FatTreeTables(subnet, tree(), true).fill(reverse);
        return lfts != null && isLoopFree(lfts) ? lfts : null;
    }

    private boolean isLoopFree(byte[][] lfts) {
        UpDownRoutes order = UpDownRoutes.byOrder(subnet, fromTop());
        return !new LegalTables(subnet, links, order).hasCycle(lfts);
    }

    /**
     * Returns tables with the paths that {@code connect_roots} adds between switches above leaves, over the
     * rightmost leaf.
     */
    private byte[][] withRootPaths(byte[][] lfts) {
        if (!config.flag(FatTreeEngine.CONNECT_ROOTS.key())) {
            return lfts;
        }
        FatTree tree = tree();
        int[] row = tree.leafRow();
        BitSet above = new BitSet();
        IntStream.range(0, lfts.length).filter(sw -> ranks.of(sw) < leafRank).forEach(above::set);
        int[] lids = IntStream.range(0, lfts.length)
                .map(sw -> fabric.port(sw, 0))
                .filter(port -> subnet.lid(port) != 0)
                .flatMap(port -> HostPorts.lids(subnet, port))
                .toArray();
        byte[][] extended = new TurnedPaths(subnet, tree).withTurnAt(lfts, row[row.length - 1], above, lids);
        if (!isLoopFree(extended)) {
            findings.add(SmEvent.ROUTING_WARNING.finding(
                    "ftree: the paths that connect_roots adds could wait for others in a"
                            + " circle; they are left out"));
            return lfts;
        }
        return extended;
    }
}
