package io.torussm.routing.ftree;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.BalancedTables;
import io.torussm.routing.balance.GuidFile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The engine for fat trees. It distributes paths so that shift patterns meet no congestion; the package has the
 * method.
 */
public final class FatTreeEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "ftree";

    static final EngineSetting ROOTS = EngineSetting.file(
            GuidFile.ROOTS, "GUIDs of the switches at the top, one on each line; the tree may be uneven");
    static final EngineSetting COMPUTE_NODES = EngineSetting.file(
            "cn_guid_file",
            "port GUIDs of compute nodes, one on each line; without a file, all hosts are compute nodes");
    static final EngineSetting IO_NODES = EngineSetting.file(
            "io_guid_file", "port GUIDs of I/O nodes, one on each line; max_reverse_hops applies to them");
    static final EngineSetting MAX_REVERSE_HOPS =
            EngineSetting.number("max_reverse_hops", "hops up that packets to I/O nodes may take after a hop down");
    static final EngineSetting CONNECT_ROOTS =
            EngineSetting.flag("connect_roots", "roots have paths to each other, which go down and up");
    static final EngineSetting QUASI_INDEXING =
            EngineSetting.flag("quasi_ftree_indexing", "number switches from all roots, for uneven trees");
    static final EngineSetting ALLOW_PARTIAL = EngineSetting.flag(
            "ftree_allow_partial", "route even if some pairs of hosts have no path that goes up and then down");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return List.of(ROOTS, COMPUTE_NODES, IO_NODES, MAX_REVERSE_HOPS, CONNECT_ROOTS, QUASI_INDEXING, ALLOW_PARTIAL);
    }

    /** The files that the settings of the operator name; a file without lines if none is named. */
    record Files(GuidFile roots, GuidFile compute, GuidFile input) {
        Files(EngineConfig config) {
            this(
                    GuidFile.roots(config),
                    new GuidFile(config, COMPUTE_NODES.key(), GuidFile.GUID_ALONE),
                    new GuidFile(config, IO_NODES.key(), GuidFile.GUID_ALONE));
        }

        List<Finding> findings(EngineConfig config) {
            List<Finding> findings = new ArrayList<>();
            Stream.of(roots, compute, input).forEach(file -> findings.addAll(file.findings()));
            if (findings.isEmpty()) {
                requireGuids(config, ROOTS, roots, findings);
                requireGuids(config, COMPUTE_NODES, compute, findings);
                requireGuids(config, IO_NODES, input, findings);
            }
            return findings;
        }

        private static void requireGuids(
                EngineConfig config, EngineSetting setting, GuidFile file, List<Finding> findings) {
            config.file(setting.key())
                    .filter(named -> file.lines().isEmpty())
                    .ifPresent(named -> findings.add(SmEvent.ROUTING_ERROR.finding(named.name()
                            + ": there is no GUID; write one on each line, or leave " + setting.key() + " out")));
        }
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return new Files(config).findings(config);
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Files files = new Files(context.config());
        List<Finding> errors = files.findings(context.config());
        if (!errors.isEmpty()) {
            return new Refusal(NAME, errors);
        }
        HostPorts hosts = new HostPorts(context.subnet(), files.compute(), files.input());
        boolean isTree = context.subnet().fabric().switchCount() > 1 && hosts.hostCount() > 1;
        return isTree ? new FatTreeRun(context, files).route() : tooSmall(context, hosts);
    }

    /** Routes a subnet of one switch or one host by shortest paths. It is no tree, and needs no balance. */
    private static RoutingResult tooSmall(EngineContext context, HostPorts hosts) {
        Finding note = SmEvent.ROUTING_NOTE.finding(
                "ftree: " + context.subnet().fabric().switchCount() + " switches and " + hosts.hostCount()
                        + " hosts with a LID on them are no tree; paths are the shortest");
        RoutingResult shortest = BalancedTables.shortest(context, NAME, false);
        return shortest instanceof Plan plan ? plan.withFindings(List.of(note)) : shortest;
    }
}
