package io.torussm.daemon.planning;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.ReloadedFiles;
import io.torussm.daemon.config.files.RoutingFactory;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.names.SiteMap;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.auto.AutoEngine;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.TorusMap;
import io.torussm.torus2qos.planning.ConfSuggestion;
import io.torussm.torus2qos.planning.SeedSpread;
import io.torussm.tree.FabricTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A planned topology with the LIDs of a first sweep, which can be routed any number of times. It uses no
 * port, no state directory, no socket and no SMP, and writes nothing.
 */
public final class PlannedFabric {
    private static final String TORUS_CONFIG = Torus2QosEngine.NAME + ".torus_config";

    private final SmOptions options;
    private final Subnet subnet;
    private final boolean isEngineNamed;
    private final String warning;
    private final SiteMap sites;
    private final List<String> notes = new ArrayList<>();

    private PlannedFabric(SmOptions options, Subnet subnet, boolean isEngineNamed, String warning, SiteMap sites) {
        this.options = options;
        this.subnet = subnet;
        this.isEngineNamed = isEngineNamed;
        this.warning = warning;
        this.sites = sites;
    }

    /**
     * Reads the topology of {@code --simulate}.
     *
     * @param isEngineNamed true if the engines in the options must be used; else {@code auto} routes a fabric
     *     that is no torus
     * @throws ConfigurationException if the topology cannot be used, or LIDs do not suffice
     */
    public static PlannedFabric read(SmOptions options, boolean isEngineNamed) throws ConfigurationException {
        Topology topology = SimulatedTopology.read("TOPOLOGY", options.port().simulate());
        // a planned fabric may not have hosts yet
        Topology.Node seat = topology.nodes().stream()
                .filter(node -> !node.isSwitch() && node.peer(1) != null)
                .findFirst()
                .orElse(topology.nodes().get(0));
        Fabric fabric = TopologyFabric.reachableFrom(seat, seat.isSwitch() ? 0 : 1);
        PlannedFabric planned = new PlannedFabric(
                options,
                OfflineRouting.assignLids(fabric, options.sweep()),
                isEngineNamed,
                topology.warning(),
                ReloadedFiles.names(options).sites());
        int unseen = topology.nodes().size() - fabric.nodeCount();
        if (unseen > 0) {
            planned.notes.add(unseen + " of " + topology.nodes().size() + " nodes have no way to "
                    + fabric.name(fabric.nodeOf(fabric.localPort())) + " and are left out");
        }
        return planned;
    }

    /** Returns a copy that is routed by one engine. Tables with credit loops are accepted. */
    public PlannedFabric withEngine(Engine engine) {
        return new PlannedFabric(options.withEngines(engine.name()), subnet, true, warning, sites).withLoopsAccepted();
    }

    /** Checks whether the options contain a setting of an engine. */
    boolean hasSettingsOf(Engine engine) {
        return engine.settings().stream()
                .anyMatch(
                        setting -> options.routing().engineSettings().containsKey(engine.name() + "." + setting.key()));
    }

    /** Returns a copy for which tables with credit loops are accepted. */
    public PlannedFabric withLoopsAccepted() {
        return new PlannedFabric(options.withLoopsAccepted(), subnet, isEngineNamed, warning, sites);
    }

    /** Returns the VL arbitration of a plan according to the options. */
    public VlArbitrationPolicy arbitration(Plan plan) {
        return VlArbitrationPlan.forRouting(plan, options.qos());
    }

    public Subnet subnet() {
        return subnet;
    }

    /** Returns the routing options for the engines. */
    public RoutingOptions routingOptions() {
        return OfflineRouting.routingOptions(options);
    }

    /** Returns the warning about the file of the topology; empty without a warning. */
    public String warning() {
        return warning;
    }

    /**
     * Returns warnings about seeds of a torus-2QoS.conf that one failure can remove together. There are none if the
     * file comes from the specification of the topology.
     */
    public List<Finding> seedWarnings(Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        return TorusMap.of(plan)
                .filter(map -> !map.file().equals(options.port().simulate()))
                .map(map -> SeedSpread.warnings(fabric, map, sw -> sites.site(fabric.nodeGuid(sw), plan.coordinates(sw))
                        .rack()))
                .orElse(List.of());
    }

    /** Returns notes for the operator, on the topology and on assumptions. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * Returns the routing chain of the daemon for the options, including the default engine and the last resort. If
     * torus-2QoS is in the chain without a torus-2QoS.conf, a suggested file is used. If no engine is named, {@code
     * auto} routes a tree, and a fabric for which no file can be suggested. If an engine is named and no file can be
     * suggested, torus-2QoS refuses, and the next engine follows.
     *
     * @param tasks number of parallel tasks of a single routing
     * @throws ConfigurationException if an engine is unknown or its file cannot be used
     */
    public RoutingChain chain(int tasks) throws ConfigurationException {
        boolean isGiven = options.routing().engineSettings().containsKey(TORUS_CONFIG)
                || SimulatedTopology.isTorus(options.port().simulate());
        if (isGiven || !isTorusNamed()) {
            RoutingFactory.check(options);
            return RoutingFactory.chain(options, Map.of(), tasks);
        }
        if (!isEngineNamed && isTree()) {
            return autoChain("a tree", tasks);
        }
        ConfSuggestion suggestion = ConfSuggestion.of(subnet, routingOptions(), tasks);
        if (suggestion.conf().isEmpty() && !isEngineNamed) {
            return autoChain("no torus", tasks);
        } else if (suggestion.conf().isEmpty()) {
            EngineFile none = EngineFile.unreadable(
                    "torus-2QoS.conf",
                    "no --torus_config was given, and none can be suggested: " + suggestion.reason());
            return RoutingFactory.chain(options, Map.of(TORUS_CONFIG, none), tasks);
        }
        notes.add("no --torus_config was given; taken is what torus-sm suggest-conf writes, \""
                + suggestion.conf().lines().findFirst().orElse("") + "\"");
        EngineFile file = EngineFile.read("suggested torus-2QoS.conf", suggestion.conf());
        return RoutingFactory.chain(options, Map.of(TORUS_CONFIG, file), tasks);
    }

    private boolean isTree() {
        return FabricTree.of(subnet.fabric()).hasLevels();
    }

    private RoutingChain autoChain(String shape, int tasks) throws ConfigurationException {
        notes.add(
                "no engine was named, and this is " + shape + "; taken is " + AutoEngine.NAME + ", as the daemon does");
        return RoutingFactory.chain(options.withEngines(AutoEngine.NAME), Map.of(), tasks);
    }

    private boolean isTorusNamed() throws ConfigurationException {
        try {
            return RoutingFactory.hasEngine(options, Torus2QosEngine.NAME);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("routing_engine: " + e.getMessage()));
        }
    }
}
