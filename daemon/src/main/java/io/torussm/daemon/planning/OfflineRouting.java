package io.torussm.daemon.planning;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.ReloadedFiles;
import io.torussm.daemon.config.files.RoutingFactory;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PartitionPlan;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The routing of a topology as in the SM's first sweep with the same options. It uses no port, no state
 * directory, no socket and no SMP, and writes nothing.
 */
public final class OfflineRouting {
    private static final int RESPONSE_TIME = 16;

    private OfflineRouting() {}

    /**
     * The outcome of the routing.
     *
     * @param view view that the SM would publish; null if every engine refuses the fabric
     * @param findings findings of the engines and of the deadlock check, in order
     * @param warning warning about the file of the topology; empty without a warning
     */
    public record Outcome(@Nullable PublishedView view, List<Finding> findings, String warning) {
        public Outcome {
            findings = List.copyOf(findings);
        }
    }

    /**
     * Routes the topology of {@code --simulate}.
     *
     * @throws ConfigurationException if the topology or another file cannot be used, or LIDs do not suffice
     */
    public static Outcome route(SmOptions options) throws ConfigurationException {
        if (!options.port().isSimulated()) {
            throw new ConfigurationException(List.of("path needs a topology: --simulate FILE, or --simulate "
                    + "tree:4,3 or another specification; ask a running daemon with torus-smctl path SRC DST"));
        }
        Topology topology = SimulatedTopology.read(options.port().simulate());
        Subnet subnet = assignLids(fabric(topology, options), options.sweep());
        RoutingFactory.check(options);
        RoutingOptions wanted = routingOptions(options);
        RoutingChain.ChainResult result = RoutingFactory.chain(options).route(subnet, wanted);
        Plan plan = result.plan();
        return new Outcome(
                plan == null ? null : view(plan, result.multicast(), options), result.findings(), topology.warning());
    }

    static RoutingOptions routingOptions(SmOptions options) {
        return options.sweep().routingOptions();
    }

    static Subnet assignLids(Fabric fabric, SweepSettings addresses) throws ConfigurationException {
        LidAssigner.AssignedLids result = LidAssigner.assign(
                fabric,
                LidAssigner.KnownLids.NONE,
                addresses.lmc(),
                addresses.lmcEsp0(),
                addresses.reassignLids(),
                addresses.gidPrefix());
        return result.subnet().orElseThrow(() -> new ConfigurationException(List.of(result.problem())));
    }

    private static PublishedView view(Plan plan, @Nullable MulticastTree multicast, SmOptions options) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        return new PublishedView(
                subnet.with(withActiveLinks(fabric, options.sweep().links())),
                plan,
                multicast,
                PartitionPlan.withoutConf(fabric),
                fabric.portGuid(fabric.localPort()),
                options.sweep().subnetTimeout(),
                RESPONSE_TIME,
                options.routing().qos(),
                QosTables.NONE,
                1);
    }

    private static Fabric fabric(Topology topology, SmOptions options) throws ConfigurationException {
        Topology.Node host = smNode(topology, options.port().simHost());
        int portNum = host.isSwitch() ? 0 : Math.max(1, options.port().number());
        if (portNum > host.numPorts()) {
            throw new ConfigurationException(
                    List.of("port: " + host + " has ports 1 to " + host.numPorts() + ", not " + portNum));
        }
        return TopologyFabric.reachableFrom(host, portNum).with(ReloadedFiles.names(options));
    }

    /**
     * Returns the node of the SM. This node gets the first LID, and the fabric consists of the devices connected to it.
     */
    private static Topology.Node smNode(Topology topology, String name) throws ConfigurationException {
        if (!name.isEmpty()) {
            return topology.node(name)
                    .orElseThrow(() ->
                            new ConfigurationException(List.of("--sim-host: no node is called \"" + name + "\"")));
        }
        return topology.firstHost().orElse(topology.nodes().get(0));
    }

    /** Returns the fabric as after the activation of its links: with OperationalVLs. */
    private static Fabric withActiveLinks(Fabric fabric, LinkSettings links) {
        @Nullable PortInfo[] infos = new PortInfo[fabric.portCount()];
        for (int port = 0; port < infos.length; port++) {
            PortInfo info = fabric.portInfo(port);
            infos[port] = info == null ? null : info.with(PortInfo.OPERATIONAL_VLS, links.operationalVls(fabric, port));
        }
        return fabric.with(infos);
    }
}
