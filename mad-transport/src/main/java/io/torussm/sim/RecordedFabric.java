package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.LinkRate;
import io.torussm.sim.topology.PowerUp;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyBuilder;
import io.torussm.sim.topology.TopologyException;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fabric of a capture at the port of a subnet manager, or of a snapshot. It has the devices and cables that
 * directed routes reached, in the state of their first responses. Each agent has the recorded faults: it rejects or
 * ignores the same requests.
 *
 * <p>It executes Sets like every embedded fabric. Tables without a record are empty, and ports without a cable are
 * down. After a power cycle, a device has the registers of {@link PowerUp} instead of the recorded ones.
 */
public final class RecordedFabric {
    private final Map<DrPath, Arrival> arrivals = new HashMap<>();
    private final Map<Long, RecordedDevice> devices = new LinkedHashMap<>();
    private final Topology topology;
    private final long portGuid;

    /** The device at the end of a route, and the port at which the route arrives. */
    private record Arrival(RecordedDevice device, int inPort) {}

    /** A request, and its response if there was one. */
    private static final class Exchange {
        private final byte[] request;
        private final DrPath path;
        private byte @Nullable [] response;

        Exchange(byte[] request, DrPath path) {
            this.request = request;
            this.path = path;
        }
    }

    private RecordedFabric(List<Exchange> exchanges, String name) throws TopologyException {
        exchanges.forEach(this::arrive);
        Arrival first = arrivals.get(DrPath.LOCAL);
        if (first == null) {
            throw new TopologyException(
                    name + ": the capture does not show NodeInfo of the port that it was made at; begin it"
                            + " before the subnet manager starts");
        }
        portGuid = first.device().portGuids()[first.inPort()];
        for (Exchange exchange : exchanges) {
            Arrival arrival = arrivals.get(exchange.path);
            if (arrival != null) {
                arrival.device().recordOutcome(exchange.request, arrival.inPort(), exchange.response);
            }
        }
        topology = connect(name);
    }

    /**
     * Returns the fabric of a capture.
     *
     * @param mads MADs in order, 256 bytes each
     * @param name name of the capture, for messages
     * @throws TopologyException if the MADs show no fabric; the message names the missing part
     */
    public static RecordedFabric of(List<byte[]> mads, String name) throws TopologyException {
        return new RecordedFabric(exchanges(mads), name);
    }

    private RecordedFabric(FabricSnapshot snapshot) throws TopologyException {
        snapshot.devices().forEach((guid, registers) -> devices.put(guid, RecordedDevice.of(registers)));
        DeviceRegisters own = snapshot.device(snapshot.local().nodeGuid());
        if (own == null) {
            throw new TopologyException("the snapshot does not have the device that it was taken from");
        }
        portGuid = own.portGuid(snapshot.local().portNum());
        TopologyBuilder builder = new TopologyBuilder();
        try {
            for (RecordedDevice device : devices.values()) {
                builder.add(device.identity(), device.portGuids());
            }
            snapshot.cables()
                    .forEach(
                            cable -> plug(builder, arrival(cable.a()), cable.a().portNum(), arrival(cable.b())));
        } catch (IllegalArgumentException e) {
            throw new TopologyException("the snapshot shows a fabric that cannot be: " + e.getMessage());
        }
        topology = builder.build();
    }

    private Arrival arrival(FabricSnapshot.PortRef port) {
        RecordedDevice device = devices.get(port.nodeGuid());
        if (device == null) {
            throw new IllegalArgumentException("a cable at a device that is not there");
        }
        return new Arrival(device, port.portNum());
    }

    /**
     * Returns the fabric of a snapshot. Its devices have the recorded registers, but no port has set IsSM.
     *
     * @throws TopologyException if the snapshot shows no possible fabric; the message names the reason
     */
    public static RecordedFabric of(FabricSnapshot snapshot) throws TopologyException {
        return new RecordedFabric(snapshot);
    }

    /** Pairs directed-route Gets and Sets with responses by the lower half of the TID, which the kernel preserves. */
    private static List<Exchange> exchanges(List<byte[]> mads) {
        Map<Integer, Exchange> byTid = new LinkedHashMap<>();
        List<Exchange> exchanges = new ArrayList<>();
        for (byte[] mad : mads) {
            DrPath path = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE ? Smp.path(mad) : null;
            int tid = (int) MadHeader.tid(mad);
            if (path == null) {
                continue;
            }
            if (MadHeader.method(mad) == Method.GET_RESP) {
                Exchange exchange = byTid.get(tid);
                if (exchange != null && exchange.response == null && exchange.path.equals(path)) {
                    exchange.response = mad;
                }
            } else if (isOwnRequest(mad) && !isRepetition(byTid.get(tid), path)) {
                Exchange exchange = new Exchange(mad, path);
                byTid.put(tid, exchange);
                exchanges.add(exchange);
            }
        }
        return exchanges;
    }

    /** Checks whether the port of the capture sent a request: its hop pointer is at most 1. */
    private static boolean isOwnRequest(byte[] mad) {
        int method = MadHeader.method(mad);
        return (method == Method.GET || method == Method.SET) && MadHeader.HOP_POINTER.get(mad, 0) <= 1;
    }

    private static boolean isRepetition(@Nullable Exchange previous, DrPath path) {
        return previous != null && previous.response == null && previous.path.equals(path);
    }

    private void arrive(Exchange exchange) {
        byte[] answer = exchange.response;
        if (answer == null || MadHeader.attributeId(answer) != NodeInfo.TYPE.id() || MadHeader.status(answer) != 0) {
            return;
        }
        NodeInfo info = NodeInfo.TYPE.read(answer, Smp.DATA_OFFSET);
        RecordedDevice device = devices.computeIfAbsent(info.nodeGuid(), guid -> new RecordedDevice(info));
        device.recordPort(info);
        arrivals.putIfAbsent(exchange.path, new Arrival(device, info.localPortNum()));
    }

    /** Connects the nodes: the last hop of each route is a cable. A port keeps the first cable of the capture. */
    private Topology connect(String name) throws TopologyException {
        TopologyBuilder builder = new TopologyBuilder();
        try {
            for (RecordedDevice device : devices.values()) {
                builder.add(device.identity(), device.portGuids());
            }
            arrivals.forEach((path, end) -> {
                Arrival from = path.hops() == 0 ? null : arrivals.get(path.parent());
                if (from != null) {
                    plug(builder, from, path.port(path.hops() - 1), end);
                }
            });
        } catch (IllegalArgumentException e) {
            throw new TopologyException(name + ": the capture shows a fabric that cannot be: " + e.getMessage());
        }
        return builder.build();
    }

    private static void plug(TopologyBuilder builder, Arrival from, int outPort, Arrival to) {
        Topology.Node a = node(builder, from);
        Topology.Node b = node(builder, to);
        if (outPort >= 1 && outPort <= a.numPorts() && a.peer(outPort) == null && b.peer(to.inPort()) == null) {
            builder.connect(a, outPort, b, to.inPort(), LinkRate.DEFAULT);
        }
    }

    private static Topology.Node node(TopologyBuilder builder, Arrival at) {
        Topology.Node node = builder.find(at.device().identity().id());
        if (node == null) {
            throw new IllegalArgumentException("a device without a node");
        }
        return node;
    }

    /** Returns the devices and cables. Cables have the default rate; the recorded PortInfo has the true one. */
    public Topology topology() {
        return topology;
    }

    /** Returns the GUID of the port of the capture, or of the port from which the snapshot was taken. */
    public long portGuid() {
        return portGuid;
    }

    /** Starts the fabric in the recorded state. */
    public SimFabric start(Loop loop) {
        return start(DeviceModels.PERFECT, loop, FaultPlan.NONE);
    }

    /** Starts the fabric with additional faults of devices. Recorded registers take precedence. */
    public SimFabric start(DeviceModels models, Loop loop, FaultPlan faults) {
        SimFabric fabric = new SimFabric(topology, models, loop, faults);
        SubnetAgent agent = new SubnetAgent(new PortSetter(new SimLinks(device -> {})));
        devices.values().forEach(device -> device.load(fabric.deviceAtStart(device.guid()), agent));
        return fabric;
    }
}
