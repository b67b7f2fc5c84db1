package io.torussm.daemon;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.Topology;
import io.torussm.transport.MadTap;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.umad.PortChoice;
import io.torussm.transport.umad.UmadTransport;
import java.nio.file.Path;
import java.util.List;

/** Opens the port that the options name: a real one, or one of the embedded fabric. */
public final class Transports {
    private Transports() {}

    /**
     * Opens a port.
     *
     * @param simulationLoop where the embedded fabric lives, if it is wanted
     */
    static MadTransport open(SmOptions options, NettyLoop simulationLoop)
            throws TransportException, ConfigurationException {
        SmOptions.Port port = options.port();
        MadTransport transport = port.isSimulated()
                ? simulated(port, simulationLoop)
                : UmadTransport.open(
                        new PortChoice(port.ca().isEmpty() ? null : port.ca(), port.number(), port.guid()),
                        port.isRmppOfKernel());
        Path capture = options.files().capture();
        if (capture == null) {
            return transport;
        }
        try {
            return MadTap.capturing(transport, capture);
        } catch (TransportException e) {
            transport.close();
            throw new ConfigurationException(List.of("capture: " + e.getMessage()));
        }
    }

    private static MadTransport simulated(SmOptions.Port port, NettyLoop loop) throws ConfigurationException {
        RecordedFabric recorded = SimulatedTopology.recorded(port.simulate());
        try {
            if (recorded != null && port.simHost().isEmpty()) {
                return recorded.start(loop).attach(recorded.portGuid());
            }
            Topology topology = recorded != null ? recorded.topology() : SimulatedTopology.read(port.simulate());
            SimFabric fabric = recorded != null ? recorded.start(loop) : new SimFabric(topology, loop, FaultPlan.NONE);
            String host = port.simHost().isEmpty() ? firstHost(topology) : port.simHost();
            return fabric.attach(host, Math.max(1, port.number()));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("--sim-host: " + e.getMessage()));
        }
    }

    private static String firstHost(Topology topology) {
        return topology.nodes().stream()
                .filter(node -> node.type() == NodeInfo.CHANNEL_ADAPTER)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the topology has no channel adapter to sit on"))
                .id();
    }
}
