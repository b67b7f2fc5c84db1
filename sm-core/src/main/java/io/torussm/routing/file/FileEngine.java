package io.torussm.routing.file;

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
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.NextHops;
import io.torussm.routing.balance.PortReasons;
import io.torussm.routing.balance.UnreachedHosts;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The engine that reads routes from files. */
public final class FileEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "file";

    static final EngineSetting TABLES = EngineSetting.file(
            "lfts_file", "forwarding tables, as in OpenSM's opensm-lfts.dump or the output of dump_lfts");
    static final EngineSetting HOPS = EngineSetting.file(
            "lid_matrix_dump_file",
            "hops by port, as in OpenSM's opensm-lid-matrix.dump: routes use the nearest ports");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return Stream.concat(Stream.of(TABLES, HOPS), Balancing.SETTINGS.stream())
                .toList();
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return new Files(config).findings();
    }

    /** The files of the operator. */
    private record Files(Balancing balancing, Optional<DumpedTables> tables, Optional<DumpedHops> hops) {
        Files(EngineConfig config) {
            this(
                    new Balancing(config),
                    config.file(TABLES.key()).map(file -> new DumpedTables(file, TABLES.key())),
                    config.file(HOPS.key()).map(file -> new DumpedHops(file, HOPS.key())));
        }

        List<Finding> findings() {
            List<Finding> findings = new ArrayList<>(balancing.findings());
            tables.ifPresent(dumped -> findings.addAll(dumped.findings()));
            hops.ifPresent(dumped -> findings.addAll(dumped.findings()));
            return findings;
        }
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Subnet subnet = context.subnet();
        Fabric fabric = subnet.fabric();
        Files files = new Files(context.config());
        List<Finding> errors = new ArrayList<>(files.findings());
        errors.addAll(files.balancing().findings(fabric));
        if (!errors.isEmpty()) {
            return new Refusal(NAME, errors.stream().distinct().toList());
        }
        Links links = new Links(fabric);
        Hops cables = new Hops(links, files.balancing().weights(fabric));
        NextHops hops =
                files.hops().map(dumped -> dumped.nextHops(subnet, links)).orElse(cables);
        byte[][] lfts = files.tables()
                .map(dumped -> dumped.tables(subnet, errors))
                .orElseGet(() -> new BalancedTables(context, NAME, links, files.balancing(), false).fillTables(hops));
        ReachedDestinations reach = new ReachedDestinations(subnet, links, lfts);
        UnreachedHosts unreached = new UnreachedHosts(subnet, cables, reach::leads);
        if (unreached.pairs() > 0) {
            errors.add(SmEvent.ROUTING_ERROR.finding("file: " + unreached.pairs()
                    + " pairs of hosts that cables connect have no path, such as " + unreached.examples()
                    + "; write new files for the present fabric, or name another engine after this one"));
        }
        return errors.isEmpty()
                ? Plan.builder(NAME, subnet, lfts)
                        .operatorSl2Vl(context, reach::leads)
                        .multicastFrom(cables.centres())
                        .explainer(
                                files.tables().isEmpty() && files.hops().isEmpty()
                                        ? new PortReasons(subnet, cables, false)
                                        : new FileReasons(subnet, files.tables().isPresent() ? null : hops))
                        .build()
                : new Refusal(NAME, errors);
    }
}
