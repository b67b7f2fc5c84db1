package io.torussm.sim;

import io.torussm.mad.smp.NodeDescription;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.DeviceModel;
import io.torussm.sim.model.VendorModel;
import io.torussm.sim.topology.Hardware;
import io.torussm.sim.topology.PowerUp;
import io.torussm.sim.topology.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A simulated switch, channel adapter or router: its registers, tables and ports. */
final class SimDevice {
    final Topology.Node node;
    final boolean isSwitch;
    /** NodeInfo. PortGUID and LocalPortNum are set in each response. */
    final byte[] nodeInfo;

    final byte[] description;
    /** SwitchInfo; empty for other devices. */
    final byte[] switchInfo;
    /** Ports by number. Index 0 is null except for a switch. */
    private final @Nullable SimPort[] ports;
    /** True while the device has no power. */
    boolean isFailed;
    /** Requests that wait for the agent. */
    final Vl15Queues.Queue agent = new Vl15Queues.Queue();
    /** Registers after power-up. */
    final Hardware hardware;
    /** Vendor attributes. */
    VendorModel vendor;
    /** Faults of the subnet management agent. */
    AgentProfile profile;
    /** Capabilities of the performance management agent. */
    CounterProfile counterProfile;
    /** Target of redirections of the performance management agent; null without redirections. */
    @Nullable
    SimPort redirection;
    /** By index in {@link CounterProfile#rising}: the increase so far. */
    private long[] increases = new long[0];
    /** Number of full periods of {@link CounterProfile#resetPeriodNs} that have passed. */
    private long resetPeriods;

    private @Nullable SwitchTables tables;
    /** Packed SL2VL tables by port of a channel adapter, which does not distinguish input ports. */
    private final long[] adapterSlToVl;

    SimDevice(Topology.Node node, DeviceModel model) {
        this.node = node;
        hardware = model.hardware();
        vendor = node.isSwitch() ? model.vendor().ofSwitch() : model.vendor();
        profile = model.agent();
        counterProfile = model.counters();
        isSwitch = node.isSwitch();
        nodeInfo = node.nodeInfo(node.firstPort()).toBytes();
        description = NodeDescription.of(node.description()).toBytes();
        switchInfo = isSwitch ? PowerUp.switchInfo(node, hardware).toBytes() : new byte[0];
        tables = isSwitch ? new SwitchTables(node.numPorts() + 1) : null;
        adapterSlToVl = isSwitch ? new long[0] : new long[node.numPorts() + 1];
        ports = new SimPort[node.numPorts() + 1];
        for (int portNum = node.firstPort(); portNum < ports.length; portNum++) {
            ports[portNum] = new SimPort(this, portNum);
        }
    }

    /** Resets the device to its state after power-up. */
    void reset() {
        if (isSwitch) {
            PowerUp.switchInfo(node, hardware).write(switchInfo, 0);
            tables = new SwitchTables(node.numPorts() + 1);
        }
        Arrays.fill(adapterSlToVl, 0);
        for (SimPort port : ports) {
            if (port != null) {
                port.reset();
            }
        }
    }

    /** Returns the port with a number; null if the device has no such port. */
    @Nullable
    SimPort port(int portNum) {
        return portNum >= 0 && portNum < ports.length ? ports[portNum] : null;
    }

    /** Returns the ports with a LID: port 0 of a switch, or all ports of another device. */
    List<SimPort> endPorts() {
        return IntStream.rangeClosed(node.firstPort(), isSwitch ? 0 : node.numPorts())
                .mapToObj(portNum -> Objects.requireNonNull(ports[portNum]))
                .toList();
    }

    /** Returns all ports, including port 0 of a switch. */
    SimPort[] allPorts() {
        SimPort[] all = new SimPort[ports.length - node.firstPort()];
        for (int i = 0; i < all.length; i++) {
            all[i] = Objects.requireNonNull(ports[node.firstPort() + i]);
        }
        return all;
    }

    /** Resets all counters of all ports to 0. */
    void resetCounts() {
        for (SimPort port : allPorts()) {
            port.resetCounts();
        }
    }

    /** Updates counters to a time since power-up: increases those that rise, or clears all after a period. */
    void updateCounters(long sinceNs) {
        long periodNs = counterProfile.resetPeriodNs();
        long periods = periodNs == 0 ? resetPeriods : sinceNs / periodNs;
        if (periods != resetPeriods) {
            resetPeriods = periods;
            resetCounts();
        }
        List<CounterProfile.Rising> rising = counterProfile.rising();
        if (increases.length != rising.size()) {
            increases = Arrays.copyOf(increases, rising.size());
        }
        for (int i = 0; i < increases.length; i++) {
            SimPort port = port(rising.get(i).portNum());
            long height = rising.get(i).valueAt(sinceNs);
            if (port != null && height != increases[i]) {
                port.counts().add(rising.get(i).counter(), Math.max(0, height - increases[i]));
                increases[i] = height;
            }
        }
    }

    /** Returns the port whose LID and M_Key apply to MADs at a port: port 0 of a switch, or the port itself. */
    SimPort endPort(SimPort in) {
        return isSwitch ? Objects.requireNonNull(ports[0]) : in;
    }

    /**
     * Returns the tables of a switch.
     *
     * @throws IllegalStateException if this is no switch
     */
    SwitchTables tables() {
        if (tables == null) {
            throw new IllegalStateException(node + " is no switch");
        }
        return tables;
    }

    long slToVl(int in, int out) {
        return tables == null ? adapterSlToVl[out] : tables.slToVl(in, out);
    }

    void setSlToVl(int in, int out, long row) {
        if (tables == null) {
            adapterSlToVl[out] = row;
        } else {
            tables.setSlToVl(in, out, row);
        }
    }
}
