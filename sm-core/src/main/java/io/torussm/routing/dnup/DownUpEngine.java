package io.torussm.routing.dnup;

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
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.LegalHops;
import io.torussm.routing.balance.LegalHops.LinkDirection;
import io.torussm.routing.balance.LegalTables;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.Ranks;
import io.torussm.routing.balance.UnreachedHosts;
import io.torussm.routing.balance.UpDownReasons;
import io.torussm.routing.balance.UpDownRoutes;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The engine for paths that first lead away from hosts and then towards hosts. */
public final class DownUpEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "dnup";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return Balancing.SETTINGS;
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return new Balancing(config).findings();
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Balancing balancing = new Balancing(context.config());
        List<Finding> findings = balancing.findings(context.subnet().fabric());
        return findings.isEmpty() ? new RoutingRun(context, balancing).route(context) : new Refusal(NAME, findings);
    }

    private static final class RoutingRun {
        private final Subnet subnet;
        private final Fabric fabric;
        private final Links links;
        private final Hops cables;
        /** The switches of rank 0: those with hosts; without hosts all switches. */
        private final BitSet leaves = new BitSet();

        private final Ranks ranks;
        private final BalancedTables tables;
        private final List<Finding> findings = new ArrayList<>();

        RoutingRun(EngineContext context, Balancing balancing) {
            subnet = context.subnet();
            fabric = subnet.fabric();
            links = new Links(fabric);
            cables = new Hops(links, balancing.weights(fabric));
            for (int port = 0; port < fabric.portCount(); port++) {
                int sw = !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port)
                        ? fabric.switchOf(port)
                        : Fabric.NONE;
                leaves.set(sw == Fabric.NONE ? fabric.switchCount() : sw);
            }
            leaves.clear(fabric.switchCount());
            if (leaves.isEmpty()) {
                leaves.set(0, fabric.switchCount()); // Without hosts, only switches are ends of paths.
            }
            ranks = new Ranks(links, leaves);
            tables = new BalancedTables(context, NAME, links, balancing, false);
        }

        RoutingResult route(EngineContext context) {
            int[] fromTop = IntStream.range(0, fabric.switchCount())
                    .boxed()
                    .sorted(Comparator.comparingInt(sw -> -ranks.of(sw)))
                    .mapToInt(sw -> sw)
                    .toArray();
            UpDownRoutes order = UpDownRoutes.byOrder(subnet, fromTop);
            LegalHops hops = new LegalHops(links, this::way, cables, new BitSet());
            UpDownReasons reasons = UpDownReasons.balanced(subnet, links, this::way, ranks::of, hops);
            byte[][] lfts = new LegalTables(subnet, links, order).fillTables(tables, hops);
            if (new UnreachedHosts(subnet, cables, hops::hasPath).pairs() > 0) {
                findings.add(SmEvent.ROUTING_NOTE.finding(
                        "dnup: switches of equal rank are connected, so the order is that of hops from ",
                        fabric.device(fromTop[0]),
                        ", as with updn"));
                BitSet allSwitches = new BitSet();
                allSwitches.set(0, fabric.switchCount());
                UpDownRoutes fromOne = UpDownRoutes.from(subnet, fromTop[0]);
                hops.straighten(allSwitches, fromOne);
                reasons = UpDownReasons.balanced(
                        subnet,
                        links,
                        (from, to) -> fromOne.isUp(from, to) ? LinkDirection.UP : LinkDirection.DOWN,
                        sw -> cables.hops(sw, fromTop[0]),
                        hops);
                lfts = tables.fillTables(hops);
            }
            return Plan.builder(NAME, subnet, lfts)
                    .operatorSl2Vl(context, hops::hasPath)
                    .multicastFrom(fromTop)
                    .findings(findings)
                    .explainer(reasons)
                    .claimsDeadlockFree()
                    .build();
        }

        /** Returns the direction of a step of the search, which begins at the destination. */
        private LinkDirection way(int from, int to) {
            int step = Integer.compare(ranks.of(to), ranks.of(from));
            return step > 0 ? LinkDirection.UP : step < 0 ? LinkDirection.DOWN : LinkDirection.LEVEL;
        }
    }
}
