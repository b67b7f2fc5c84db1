package io.torussm.routing.updn;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.BalancedTables;
import io.torussm.routing.balance.Balancing;
import io.torussm.routing.balance.GuidFile;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.LegalHops;
import io.torussm.routing.balance.LegalHops.LinkDirection;
import io.torussm.routing.balance.LegalTables;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.Ranks;
import io.torussm.routing.balance.UnreachedHosts;
import io.torussm.routing.balance.UpDownReasons;
import io.torussm.routing.balance.UpDownRoutes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The engine for paths that first go up towards roots and then down. */
public final class UpDownEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "updn";

    private static final EngineSetting ROOTS = EngineSetting.file(
            GuidFile.ROOTS,
            "GUIDs of the switches at the top, one on each line; the GUID of a host stands for its switch");
    private static final EngineSetting IDS = EngineSetting.file(
            "ids_guid_file",
            "a switch and a number on each line; the numbers replace GUIDs in the order of switches of equal rank");
    private static final EngineSetting CONNECT_ROOTS =
            EngineSetting.flag("connect_roots", "roots have paths to each other, which go down and up");
    private static final EngineSetting ALLOW_PARTIAL = EngineSetting.flag(
            "updn_allow_partial", "route even if some pairs of hosts have no path that goes up and then down");

    /** Maximum number of pairs of switches that a finding names. */
    private static final int UNCONNECTED_NAMED = 3;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return Stream.concat(Stream.of(ROOTS, IDS, CONNECT_ROOTS, ALLOW_PARTIAL), Balancing.SETTINGS.stream())
                .toList();
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return new Files(config).findings();
    }

    /** The files of the operator. */
    private record Files(Balancing balancing, GuidFile roots, GuidFile ids) {
        Files(EngineConfig config) {
            this(new Balancing(config), GuidFile.roots(config), new GuidFile(config, IDS.key(), GuidFile.ONE_NUMBER));
        }

        List<Finding> findings() {
            List<Finding> findings = new ArrayList<>(balancing.findings());
            findings.addAll(roots.findings());
            findings.addAll(ids.findings());
            return findings;
        }
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Fabric fabric = context.subnet().fabric();
        Files files = new Files(context.config());
        List<Finding> errors = new ArrayList<>(files.findings());
        errors.addAll(files.balancing().findings(fabric));
        return errors.isEmpty()
                ? new RoutingRun(context, files).route()
                : new Refusal(NAME, errors.stream().distinct().toList());
    }

    private static final class RoutingRun {
        private final EngineContext context;
        private final Files files;
        private final Fabric fabric;
        private final Links links;
        private final Hops cables;
        private final List<Finding> findings = new ArrayList<>();

        RoutingRun(EngineContext context, Files files) {
            this.context = context;
            this.files = files;
            fabric = context.subnet().fabric();
            links = new Links(fabric);
            cables = new Hops(links, files.balancing().weights(fabric));
        }

        RoutingResult route() {
            BitSet roots = roots();
            if (roots.isEmpty()) {
                return new Refusal(NAME, findings);
            }
            Ranks ranks = new Ranks(links, roots);
            int[] fromTop = fromTop(ranks);
            UpDownRoutes order = UpDownRoutes.byOrder(context.subnet(), fromTop);
            boolean connects = context.config().flag(CONNECT_ROOTS.key()) && roots.cardinality() > 1;
            LegalHops hops = new LegalHops(
                    links,
                    (from, to) -> (roots.get(from) && roots.get(to)) || order.isUp(from, to)
                            ? LinkDirection.UP
                            : LinkDirection.DOWN,
                    cables,
                    connects ? roots : new BitSet());
            BalancedTables tables = new BalancedTables(context, NAME, links, files.balancing(), false);
            LegalTables legal = new LegalTables(context.subnet(), links, order);
            byte[][] lfts = legal.fillTables(tables, hops);
            if (connects) {
                hops = legal.connect(tables, hops, roots, fromTop);
                lfts = tables.fillTables(hops);
                reportUnconnected(roots, hops);
            }
            UpDownReasons reasons = UpDownReasons.balanced(
                    context.subnet(),
                    links,
                    (from, to) -> order.isUp(from, to) ? LinkDirection.UP : LinkDirection.DOWN,
                    ranks::of,
                    hops);
            UnreachedHosts unreached = new UnreachedHosts(context.subnet(), cables, hops::hasPath);
            if (unreached.pairs() > 0) {
                String missing =
                        "updn: " + unreached.pairs() + " pairs of hosts have no path that goes up to a root and"
                                + " then down, such as " + unreached.examples();
                if (!context.config().flag(ALLOW_PARTIAL.key())) {
                    findings.add(SmEvent.ROUTING_ERROR.finding(
                            missing + "; name other roots, or set updn_allow_partial to route the rest"));
                    return new Refusal(NAME, findings, plan(lfts, fromTop, (from, to) -> true, reasons));
                }
                findings.add(SmEvent.ROUTING_WARNING.finding(missing));
            }
            return plan(lfts, fromTop, hops::hasPath, reasons);
        }

        private Plan plan(byte[][] lfts, int[] fromTop, Plan.Paths paths, UpDownReasons reasons) {
            return Plan.builder(NAME, context.subnet(), lfts)
                    .operatorSl2Vl(context, paths)
                    .multicastFrom(fromTop)
                    .findings(findings)
                    .explainer(reasons)
                    .claimsDeadlockFree()
                    .build();
        }

        private void reportUnconnected(BitSet roots, LegalHops hops) {
            List<String> names = new ArrayList<>();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int from = sw;
                roots.stream()
                        .filter(to -> !hops.hasPath(from, to) && cables.hops(from, to) != Hops.NONE)
                        .forEach(to -> names.add(fabric.name(from) + " to " + fabric.name(to)));
            }
            if (!names.isEmpty()) {
                findings.add(SmEvent.ROUTING_WARNING.finding("updn: connect_roots: " + names.size()
                        + " pairs of switches have no path that closes no credit loop, such as "
                        + String.join(", ", names.subList(0, Math.min(UNCONNECTED_NAMED, names.size())))
                        + "; hosts are not concerned"));
            }
        }

        /**
         * Returns the roots that the file names; without a file the switches equally far from most hosts, or else the
         * centre. Empty, with errors, if the file names no switch of the fabric.
         */
        private BitSet roots() {
            List<GuidFile.Line> absent = new ArrayList<>();
            BitSet roots = files.roots().switches(fabric, absent);
            if (!files.roots().lines().isEmpty()) {
                SmEvent event = roots.isEmpty() ? SmEvent.ROUTING_ERROR : SmEvent.ROUTING_WARNING;
                absent.forEach(line -> findings.add(line.absent(event, "root_guid_file")));
                return roots;
            }
            roots = TopSwitches.find(links, cables);
            if (roots.isEmpty()) {
                int root = UpDownRoutes.centre(fabric);
                roots.set(root);
                findings.add(SmEvent.ROUTING_NOTE.finding(
                        "updn: no switch is equally far from most hosts, so ",
                        fabric.device(root),
                        " is the root, which has the fewest hops to all others; name others in root_guid_file"));
            }
            return roots;
        }

        /**
         * Returns all switches from the top down: by rank, then by the number in {@code ids_guid_file} or the GUID.
         */
        private int[] fromTop(Ranks ranks) {
            long[] ids = IntStream.range(0, fabric.switchCount())
                    .mapToLong(fabric::nodeGuid)
                    .toArray();
            for (GuidFile.Line line : files.ids().lines()) {
                int node = fabric.nodeByGuid(line.guid());
                if (node != Fabric.NONE && fabric.isSwitch(node)) {
                    ids[node] = line.numbers().get(0);
                }
            }
            return IntStream.range(0, ids.length)
                    .boxed()
                    .sorted(Comparator.<Integer>comparingInt(ranks::of)
                            .thenComparing(sw -> ids[sw], Long::compareUnsigned))
                    .mapToInt(sw -> sw)
                    .toArray();
        }
    }
}
