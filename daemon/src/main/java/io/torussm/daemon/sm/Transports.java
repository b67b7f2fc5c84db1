package io.torussm.daemon.sm;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.SimulatedDevices;
import io.torussm.daemon.system.Defects;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServedPort;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.capture.MadTap;
import io.torussm.transport.datagram.SocketLoop;
import io.torussm.transport.port.ForwardingTransport;
import io.torussm.transport.port.KernelPort;
import io.torussm.transport.port.SteadyPort;
import io.torussm.transport.umad.PortChoice;
import io.torussm.transport.umad.UmadTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The factory of the port that the options name: a real one, or one of the embedded fabric. */
public final class Transports {
    private static final EventLog EVENTS = EventLog.of(Transports.class);

    private Transports() {}

    /**
     * Opens a port.
     *
     * @param simulationLoop loop of the embedded fabric if the options name one; otherwise the loop on which a lost
     *     port is opened again
     */
    public static MadTransport open(SmOptions options, NettyLoop simulationLoop)
            throws TransportException, ConfigurationException {
        SmOptions.Port port = options.port();
        MadTransport transport = port.isSimulated()
                ? openSimulated(port, simulationLoop)
                : openReal(port, simulationLoop, options.shadow().isShadow());
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

    /**
     * Opens a real port, which is opened again after a reset of its adapter. A port of ibsim cannot be opened again.
     */
    private static MadTransport openReal(SmOptions.Port port, NettyLoop loop, boolean isToAsk)
            throws TransportException {
        PortChoice choice = choice(port);
        UmadTransport opened =
                isToAsk ? UmadTransport.openForRequests(choice) : UmadTransport.open(choice, port.isRmppOfKernel());
        return opened.isSimulated() ? opened : new SteadyPort(opened, opened::reopen, loop);
    }

    private static PortChoice choice(SmOptions.Port port) {
        return new PortChoice(port.ca().isEmpty() ? null : port.ca(), port.number(), port.guid());
    }

    /** Returns the port that the options name, in words for messages. */
    public static String name(SmOptions.Port port) {
        return port.isSimulated()
                ? "a port of the simulated fabric " + port.simulate()
                : choice(port).text();
    }

    private static MadTransport openSimulated(SmOptions.Port port, NettyLoop loop)
            throws TransportException, ConfigurationException {
        if (port.simulate().startsWith(ListenAddress.UNIX_PREFIX)) {
            return openServed(port);
        }
        RecordedFabric recorded = SimulatedTopology.recordedFabric(port.simulate());
        Topology topology = recorded != null ? recorded.topology() : SimulatedTopology.read(port.simulate());
        if (!topology.warning().isEmpty()) {
            EVENTS.report(SmEvent.CONFIGURATION_WARNING.finding(topology.warning()));
        }
        SimulatedDevices devices = SimulatedDevices.of(port);
        try {
            SimFabric fabric = recorded != null
                    ? recorded.start(devices.models(), loop, devices.faults())
                    : new SimFabric(topology, devices.models(), loop, devices.faults());
            MadTransport attached;
            if (recorded != null && port.simHost().isEmpty()) {
                attached = fabric.attach(recorded.portGuid());
            } else {
                String host = port.simHost().isEmpty() ? smNodeId(topology) : port.simHost();
                boolean isSwitch =
                        topology.node(host).map(Topology.Node::isSwitch).orElse(false);
                attached = fabric.attach(host, isSwitch ? port.number() : Math.max(1, port.number()));
            }
            if (!port.isSimLimited()) {
                return attached;
            }
            loop.execute(() -> fabric.limitQueues(SimFabric.Vl15.MODEST));
            return new KernelPort(attached, loop, KernelPort.Limits.LINUX);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("--sim-host: " + e.getMessage()));
        }
    }

    /** Opens a port of the fabric that another process serves, with a thread of its own. */
    private static MadTransport openServed(SmOptions.Port port) throws TransportException, ConfigurationException {
        try {
            ListenAddress.Unix server = ListenAddress.Unix.parse(port.simulate());
            SocketLoop loop = new SocketLoop("fabric-client", new Defects());
            try {
                int connection = (int) ProcessHandle.current().pid();
                return new LoopOwningPort(ServedPort.open(loop, loop, server, connection, port.simHost()), loop);
            } catch (TransportException e) {
                loop.close();
                throw e;
            }
        } catch (IllegalArgumentException | IOException e) {
            throw new ConfigurationException(List.of("--simulate: " + e.getMessage()));
        }
    }

    /** A port whose close ends its thread. */
    private static final class LoopOwningPort extends ForwardingTransport {
        private final SocketLoop loop;

        LoopOwningPort(MadTransport port, SocketLoop loop) {
            super(port);
            this.loop = loop;
        }

        @Override
        public void close() {
            super.close();
            loop.close();
        }
    }

    private static String smNodeId(Topology topology) {
        return topology.firstHost().orElse(topology.nodes().get(0)).id();
    }
}
