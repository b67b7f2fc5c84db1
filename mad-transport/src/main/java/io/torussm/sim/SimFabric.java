package io.torussm.sim;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModel;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.SetWatcher;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.Topology.PortRef;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A whole subnet in memory: the switches and channel adapters of a topology, which execute SMPs as the hardware does.
 *
 * <p>Owner thread: the loop. Only {@link #attach} and the transports that it returns may be used from any thread.
 * Methods throw IllegalArgumentException if the node or port does not exist, or is of another kind.
 */
public final class SimFabric {
    private final Topology topology;
    private final Loop loop;
    private final SimDevice[] devices;
    private final Map<Long, SimDevice> byGuid = new HashMap<>();
    private final SimLinks links = new SimLinks(this::switchChanged);
    private final MadDelivery delivery;
    private final SimCounters counters;
    private final SimInterventions interventions;

    /**
     * The limits of the queues for VL 15.
     *
     * @param depth max SMPs in one queue, including the SMP in service
     * @param serviceNs time for which an SMP occupies a port, or a request an agent
     */
    public record Vl15(int depth, long serviceNs) {
        /** The limits of a modest switch: 64 SMPs, 50 us for each. */
        public static final Vl15 MODEST = new Vl15(64, 50_000);
    }

    /** Switches on a fabric of perfect devices. */
    public SimFabric(Topology topology, Loop loop, FaultPlan faults) {
        this(topology, DeviceModels.PERFECT, loop, faults);
    }

    /** Switches on a fabric. */
    public SimFabric(Topology topology, DeviceModels models, Loop loop, FaultPlan faults) {
        this.topology = topology;
        this.loop = loop;
        delivery = new MadDelivery(loop, faults, links);
        counters = new SimCounters(this, delivery);
        interventions = new SimInterventions(this, links);
        List<Topology.Node> nodes = topology.nodes();
        devices = new SimDevice[nodes.size()];
        for (int i = 0; i < devices.length; i++) {
            devices[i] = new SimDevice(nodes.get(i), models.of(nodes.get(i)));
            byGuid.put(nodes.get(i).nodeGuid(), devices[i]);
        }
        for (SimDevice device : devices) {
            for (int portNum = 1; portNum <= device.node.numPorts(); portNum++) {
                PortRef peer = device.node.peer(portNum);
                if (peer != null) {
                    SimPort port = Objects.requireNonNull(device.port(portNum));
                    port.cable = devices[peer.node().index()].port(peer.portNum());
                }
            }
        }
        List.of(devices).forEach(device -> begin(device, models.of(device.node)));
    }

    private void begin(SimDevice device, DeviceModel model) {
        counters.setProfileOf(device, model.counters());
        model.bounces().forEach(bounce -> {
            long guid = port(device, bounce.portNum()).device.node.nodeGuid();
            Runnable unlink = () -> unlink(guid, bounce.portNum());
            Runnable relink = () -> relink(guid, bounce.portNum());
            onLoop(() -> delivery.triggers().add(bounce, loop, unlink, relink));
        });
        delivery.addVPorts(device);
        if (!model.groups().isEmpty() && !device.isSwitch) {
            onLoop(() -> device.endPorts().forEach(port -> model.groups().forEach(groups(port)::join)));
        }
    }

    /**
     * Runs an action once, before the response to the count-th later request of a kind at any agent.
     *
     * @param attributeId attribute ID such as 0x0018, or {@link AgentProfile#ANY}
     * @param method method such as {@link io.torussm.mad.Method#SET}, or {@link AgentProfile#ANY}
     * @param count ordinal of the request, from 1
     */
    public void onRequest(int attributeId, int method, int count, Runnable action) {
        loop.requireInLoop();
        delivery.triggers().add(attributeId, method, count, action);
    }

    /** Adds a listener for every Set that changes a register. Each Set then costs two additional Gets. */
    public void watch(SetWatcher watcher) {
        loop.requireInLoop();
        delivery.watch(watcher);
    }

    /** Returns the multicast groups of a host. */
    public GroupClient groups(long nodeGuid, int portNum) {
        SimPort port = port(nodeGuid, portNum);
        if (port.device.isSwitch) {
            throw new IllegalArgumentException(port.device.node + " is no host");
        }
        return groups(port);
    }

    private GroupClient groups(SimPort port) {
        if (port.groups == null) {
            port.groups = new GroupClient(port, loop, delivery::submit);
        }
        return port.groups;
    }

    /**
     * Attaches a client to a port. Each port has one client at a time, which receives SMInfo, SA MADs, responses and
     * traps.
     *
     * @param nodeIdOrDescription id of the node in the topology, or else its description
     * @param portNum port number from 1; 0 for a switch
     * @throws IllegalArgumentException if the port does not exist, or has a client
     */
    public SimTransport attach(String nodeIdOrDescription, int portNum) {
        return attach(find(nodeIdOrDescription), portNum);
    }

    private SimTransport attach(SimDevice device, int portNum) {
        SimPort port = device.port(portNum);
        if (port == null || (device.isSwitch && portNum != 0)) {
            throw new IllegalArgumentException(device.node + " has no end port " + portNum + "; use "
                    + (device.isSwitch ? "0" : "1 to " + device.node.numPorts()));
        }
        SimTransport client = new SimTransport(this, port);
        if (!port.client.compareAndSet(null, client)) {
            throw new IllegalArgumentException(port + " has a client already; close it first");
        }
        return client;
    }

    /** Attaches a client to a port of a channel adapter, or to port 0 of a switch, as {@link #attach(String, int)}. */
    public SimTransport attach(long portGuid) {
        for (SimDevice device : devices) {
            for (SimPort port : device.endPorts()) {
                if (port.portGuid == portGuid) {
                    return attach(device, port.portNum);
                }
            }
        }
        throw new IllegalArgumentException("no port has GUID " + Guid.format(portGuid));
    }

    private SimDevice find(String nodeIdOrDescription) {
        return topology.node(nodeIdOrDescription)
                .map(node -> devices[node.index()])
                .orElseThrow(() -> new IllegalArgumentException("no node is called \"" + nodeIdOrDescription
                        + "\"; the first is " + (devices.length == 0 ? "none" : devices[0].node)));
    }

    /** Unplugs the cable of a port. Without a cable, nothing changes. */
    public void unlink(long nodeGuid, int portNum) {
        loop.requireInLoop();
        SimPort port = port(nodeGuid, portNum);
        SimPort peer = port.cable;
        port.isPluggedIn = false;
        if (peer != null) {
            peer.isPluggedIn = false;
            links.loseSignal(port);
        }
    }

    /** Plugs the cable of a port in again. */
    public void relink(long nodeGuid, int portNum) {
        loop.requireInLoop();
        SimPort port = port(nodeGuid, portNum);
        port.isPluggedIn = true;
        if (port.cable != null) {
            port.cable.isPluggedIn = true;
            links.train(port);
        }
    }

    /** Switches a switch off: its links go down and it does not respond. */
    public void failSwitch(long nodeGuid) {
        interventions.powerOff(switchOf(nodeGuid).node.nodeGuid());
    }

    /** Switches a switch on again: it has lost its programmed state. */
    public void restoreSwitch(long nodeGuid) {
        interventions.powerOn(switchOf(nodeGuid).node.nodeGuid());
    }

    /** Switches a host off and on: its links go down and train again, and it has lost its programmed state. */
    public void restartHost(long nodeGuid) {
        SimDevice device = device(nodeGuid);
        if (device.isSwitch) {
            throw new IllegalArgumentException(device.node + " is no host");
        }
        interventions.powerOff(nodeGuid);
        interventions.powerOn(nodeGuid);
    }

    /** Limits the queues of SMPs for each egress port and for each agent. Without this call, SMPs do not wait. */
    public void limitQueues(Vl15 limits) {
        loop.requireInLoop();
        delivery.limitQueues(limits);
    }

    /**
     * Sets the probability that a MAD is lost on any route, in place of that of the fault plan.
     *
     * @param probability 0 to 1
     */
    public void setLoss(double probability) {
        loop.requireInLoop();
        FaultPlan.checkProbability("loss", probability);
        delivery.loss = probability;
    }

    /**
     * Sets the probability that a MAD is lost on one cable, in both directions.
     *
     * @param probability 0 to 1
     */
    public void setLoss(long nodeGuid, int portNum, double probability) {
        loop.requireInLoop();
        FaultPlan.checkProbability("loss", probability);
        SimPort port = port(nodeGuid, portNum);
        port.loss = probability;
        if (port.cable != null) {
            port.cable.loss = probability;
        }
    }

    /** Replaces the profile of the subnet management agent of a node. */
    public void setAgent(long nodeGuid, AgentProfile profile) {
        device(nodeGuid).profile = profile;
    }

    /** Changes the NodeDescription of a node, which sends trap 144. */
    public void setDescription(long nodeGuid, String description) {
        SimDevice device = device(nodeGuid);
        NodeDescription.of(description).write(device.description, 0);
        device.endPorts().forEach(delivery.traps()::sendDescriptionChange);
    }

    /** Changes the SystemImageGUID of a node, which sends trap 145. */
    public void setSystemImageGuid(long nodeGuid, long systemImageGuid) {
        SimDevice device = device(nodeGuid);
        NodeInfo.SYSTEM_IMAGE_GUID.set(device.nodeInfo, 0, systemImageGuid);
        device.endPorts().forEach(port -> delivery.traps().sendSystemImageGuidChange(port, systemImageGuid));
    }

    /** Returns the linear forwarding table of a switch by LID, from 0 to its LinearFDBTop. */
    public byte[] lft(long nodeGuid) {
        SimDevice device = switchOf(nodeGuid);
        return device.tables().lft((int) SwitchInfo.LINEAR_FDB_TOP.get(device.switchInfo, 0));
    }

    /**
     * Returns the ports to which a switch forwards a multicast LID.
     *
     * @param mlid 0xC000 to 0xC3FF
     * @return bit p of word w is port 64 w + p
     */
    public long[] mft(long nodeGuid, int mlid) {
        return switchOf(nodeGuid).tables().multicastPorts(mlid);
    }

    /** Returns the packed {@link io.torussm.mad.smp.SlToVlMappingTable}. The input port of a host is ignored. */
    public long sl2vl(long nodeGuid, int inPort, int outPort) {
        port(nodeGuid, outPort);
        SimDevice device = device(nodeGuid);
        if (device.isSwitch) {
            port(nodeGuid, inPort);
        }
        return device.slToVl(inPort, outPort);
    }

    /** Returns the packed SL2VL tables of a switch: {@code [input port][output port]}; output port 0 is 0. */
    public long[][] sl2vl(long switchGuid) {
        SimDevice device = switchOf(switchGuid);
        int ports = device.node.numPorts() + 1;
        long[][] rows = new long[ports][ports];
        for (int in = 0; in < ports; in++) {
            for (int out = 1; out < ports; out++) {
                rows[in][out] = device.slToVl(in, out);
            }
        }
        return rows;
    }

    /**
     * Returns a part of the VL arbitration table of a port; zeros if the table has no such part.
     *
     * @param part 1 and 2 low, 3 and 4 high priority
     */
    public VlArbitrationTable vlArbitration(long nodeGuid, int portNum, int part) {
        SimPort port = port(nodeGuid, portNum);
        if (part < 1 || part > 4) {
            throw new IllegalArgumentException("part " + part + "; use 1 to 4");
        }
        return port.vlArbitration(part);
    }

    /** Returns the GUIDs of an end port by index: its own first; 0 for an unused entry. */
    public long[] guids(long nodeGuid, int portNum) {
        return port(nodeGuid, portNum).guids();
    }

    /** Returns the P_Key table of a port by index; 0 for an unused entry. */
    public int[] pKeys(long nodeGuid, int portNum) {
        return port(nodeGuid, portNum).pKeys();
    }

    /** Returns PortInfo of a port, including its M_Key. */
    public PortInfo portInfo(long nodeGuid, int portNum) {
        SimPort port = port(nodeGuid, portNum);
        MKeyGuard.endLease(port, loop.nowNs());
        return PortInfo.TYPE.read(port.info, 0);
    }

    /** Returns SwitchInfo of a switch. */
    public SwitchInfo switchInfo(long nodeGuid) {
        return SwitchInfo.TYPE.read(switchOf(nodeGuid).switchInfo, 0);
    }

    /** Returns the counters. */
    public FabricCounters counters() {
        loop.requireInLoop();
        return delivery.counters();
    }

    /** Returns the counters of all ports. */
    public SimCounters portCounters() {
        return counters;
    }

    /** Returns operations on single devices, ports and cables, as by technicians and firmware. */
    public SimInterventions interventions() {
        return interventions;
    }

    List<SimDevice> devices() {
        return List.of(devices);
    }

    /** Returns the number of traps that are repeated until a TrapRepress. */
    public int pendingTrapCount() {
        loop.requireInLoop();
        return delivery.traps().pendingCount();
    }

    void onLoop(Runnable task) {
        if (loop.isInLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    void submit(SimPort port, MadFrame frame) {
        delivery.submit(port, frame);
    }

    void setIsSm(SimPort port, boolean isSm) {
        int before = (int) PortInfo.CAPABILITY_MASK.get(port.info, 0);
        int after = isSm ? before | PortInfo.CAP_IS_SM : before & ~PortInfo.CAP_IS_SM;
        if (before != after) {
            port.set(PortInfo.CAPABILITY_MASK, Integer.toUnsignedLong(after));
            delivery.traps().sendCapabilityMaskChange(port);
        }
    }

    void detach(SimPort port, SimTransport client) {
        setIsSm(port, false);
        port.client.compareAndSet(client, null);
    }

    private void switchChanged(SimDevice device) {
        SwitchInfo.PORT_STATE_CHANGE.set(device.switchInfo, 0, 1);
        delivery.traps().sendLinkStateChange(Objects.requireNonNull(device.port(0)));
    }

    SimDevice device(long nodeGuid) {
        loop.requireInLoop();
        return deviceAtStart(nodeGuid);
    }

    /** Returns the device with a NodeGUID. Any thread may call it before the loop runs. */
    SimDevice deviceAtStart(long nodeGuid) {
        SimDevice device = byGuid.get(nodeGuid);
        if (device == null) {
            throw new IllegalArgumentException("no node has GUID " + Guid.format(nodeGuid));
        }
        return device;
    }

    private SimDevice switchOf(long nodeGuid) {
        SimDevice device = device(nodeGuid);
        if (!device.isSwitch) {
            throw new IllegalArgumentException(device.node + " is no switch");
        }
        return device;
    }

    SimPort port(long nodeGuid, int portNum) {
        return port(device(nodeGuid), portNum);
    }

    static SimPort port(SimDevice device, int portNum) {
        SimPort port = device.port(portNum);
        if (port == null) {
            throw new IllegalArgumentException(device.node + " has no port " + portNum);
        }
        return port;
    }
}
