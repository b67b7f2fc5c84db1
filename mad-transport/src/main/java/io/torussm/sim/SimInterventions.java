package io.torussm.sim;

import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import org.jspecify.annotations.Nullable;

/**
 * Interventions in devices, ports and cables of a running embedded fabric, as by technicians and firmware, for consoles
 * and fault scripts. A node is named by the NodeGUID of its topology, even if it reports another one.
 *
 * <p>Owner thread: the loop of the fabric. Methods throw IllegalArgumentException if the node or port does not exist,
 * or has no such part.
 */
public final class SimInterventions {
    private final SimFabric fabric;
    private final SimLinks links;

    /** A port, to which a cable may be connected. */
    public record CableEnd(long nodeGuid, int portNum) {}

    SimInterventions(SimFabric fabric, SimLinks links) {
        this.fabric = fabric;
        this.links = links;
    }

    /** Returns the port at the other end of the cable of a port; null without a cable. */
    public @Nullable CableEnd peer(long nodeGuid, int portNum) {
        SimPort port = fabric.port(nodeGuid, portNum);
        SimPort peer = port.isPluggedIn ? port.cable : null;
        return peer == null ? null : new CableEnd(peer.device.node.nodeGuid(), peer.portNum);
    }

    /**
     * Plugs a cable into two ports, regardless of the topology. Unplugged cables of these ports are removed.
     *
     * @throws IllegalStateException if one of the ports has a cable
     */
    public void link(CableEnd one, CableEnd other) {
        SimPort a = fabric.port(one.nodeGuid(), one.portNum());
        SimPort b = fabric.port(other.nodeGuid(), other.portNum());
        if (one.portNum() == 0 || other.portNum() == 0) {
            throw new IllegalArgumentException("port 0 of a switch has no cable");
        }
        if (peer(one.nodeGuid(), one.portNum()) != null || peer(other.nodeGuid(), other.portNum()) != null) {
            throw new IllegalStateException("a cable is plugged in already");
        }
        removeCable(a);
        removeCable(b);
        a.cable = b;
        b.cable = a;
        a.isPluggedIn = true;
        b.isPluggedIn = true;
        links.train(a);
    }

    private static void removeCable(SimPort port) {
        if (port.cable != null) {
            port.cable.cable = null;
            port.cable = null;
        }
    }

    /** Checks whether a node has power. */
    public boolean isPowered(long nodeGuid) {
        return !fabric.device(nodeGuid).isFailed;
    }

    /** Switches a node off: its links go down, and it does not respond. */
    public void powerOff(long nodeGuid) {
        SimDevice device = fabric.device(nodeGuid);
        device.isFailed = true;
        for (int portNum = 1; portNum <= device.node.numPorts(); portNum++) {
            links.loseSignal(SimFabric.port(device, portNum));
        }
    }

    /** Switches a node on: it starts without its programmed state. A node with power does not change. */
    public void powerOn(long nodeGuid) {
        SimDevice device = fabric.device(nodeGuid);
        if (!device.isFailed) {
            return;
        }
        device.reset();
        device.isFailed = false;
        for (int portNum = 1; portNum <= device.node.numPorts(); portNum++) {
            SimPort port = SimFabric.port(device, portNum);
            SimLinks.setDown(port, PortInfo.PHYS_POLLING);
            links.train(port);
        }
    }

    /** Resets the registers of a port to those after power-up. The link goes down and trains again. */
    public void reset(long nodeGuid, int portNum) {
        SimPort port = fabric.port(nodeGuid, portNum);
        links.loseSignal(port);
        port.reset();
        if (portNum != 0) {
            SimLinks.setDown(port, PortInfo.PHYS_POLLING);
            links.train(port);
        }
    }

    /** Returns the probability that a packet to a port is lost on its cable, 0 to 1. */
    public double lossInto(long nodeGuid, int portNum) {
        SimPort port = fabric.port(nodeGuid, portNum);
        return port.cable == null ? 0 : port.cable.loss;
    }

    /** Sets the probability that a packet to a port is lost on its cable. Without a cable, nothing changes. */
    public void setLossInto(long nodeGuid, int portNum, double probability) {
        FaultPlan.checkProbability("loss", probability);
        SimPort port = fabric.port(nodeGuid, portNum);
        if (port.cable != null) {
            port.cable.loss = probability;
        }
    }

    /** Returns the profile of the subnet management agent of a node. */
    public AgentProfile agent(long nodeGuid) {
        return fabric.device(nodeGuid).profile;
    }

    /** Returns the virtual ports of a port. */
    public VPortAgent vports(long nodeGuid, int portNum) {
        SimPort port = fabric.port(nodeGuid, portNum);
        if (port.vports == null) {
            throw new IllegalArgumentException(port + " has no virtual ports");
        }
        return port.vports;
    }

    /** Replaces the version that the vendor class of a node reports; empty: no such agent. */
    public void setFirmware(long nodeGuid, String version) {
        SimDevice device = fabric.device(nodeGuid);
        device.vendor = device.vendor.withFirmware(version);
    }

    /** Returns the NodeDescription that a node reports. */
    public String description(long nodeGuid) {
        return NodeDescription.TYPE.read(fabric.device(nodeGuid).description, 0).text();
    }

    /** Returns NodeInfo as a port of the node reports it. */
    public NodeInfo nodeInfo(long nodeGuid, int portNum) {
        SimPort port = fabric.port(nodeGuid, portNum);
        return NodeInfo.TYPE
                .read(port.device.nodeInfo, 0)
                .with(NodeInfo.PORT_GUID, port.portGuid)
                .with(NodeInfo.LOCAL_PORT_NUM, portNum);
    }

    /** Sets the NodeGUID that a node reports. */
    public void setNodeGuid(long nodeGuid, long shown) {
        NodeInfo.NODE_GUID.set(fabric.device(nodeGuid).nodeInfo, 0, shown);
    }

    /** Sets the PortGUID that a port of a channel adapter, or all ports of a switch, report. */
    public void setPortGuid(long nodeGuid, int portNum, long shown) {
        SimPort port = fabric.port(nodeGuid, portNum);
        for (SimPort changed : port.device.isSwitch ? port.device.allPorts() : new SimPort[] {port}) {
            changed.portGuid = shown;
        }
    }

    /**
     * Changes the LID of a port without the SM. The switch of the port, or else the one at its cable, sets
     * PortStateChange.
     *
     * @param lid 1 to 0xBFFF
     * @param lmc 0 to 7
     */
    public void setLid(long nodeGuid, int portNum, int lid, int lmc) {
        SimPort port = fabric.port(nodeGuid, portNum);
        port.set(PortInfo.LID, lid);
        port.set(PortInfo.LMC, lmc);
        SimDevice reporter = port.device.isSwitch || port.cable == null ? port.device : port.cable.device;
        if (reporter.isSwitch) {
            SwitchInfo.PORT_STATE_CHANGE.set(reporter.switchInfo, 0, 1);
        }
    }
}
