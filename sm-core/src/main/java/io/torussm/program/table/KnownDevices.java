package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The known tables of all devices by NodeGUID, kept from sweep to sweep. Owner thread: the loop. */
public final class KnownDevices {
    private final Map<Long, DeviceTables> devices = new HashMap<>();
    private final RowValues rowValues = new RowValues();

    /** Returns the known tables of a device; null for an unknown device. */
    @Nullable
    DeviceTables tables(long nodeGuid) {
        return devices.get(nodeGuid);
    }

    /** Checks whether the known tables of a device fit its current number of ports and LinearFDBTop. */
    boolean knows(Fabric fabric, int node) {
        DeviceTables held = tables(fabric.nodeGuid(node));
        return held != null
                && held.fits(fabric.numPorts(node), fabric.node(node).switchInfo());
    }

    /**
     * Returns the known tables of a device, which the caller keeps up to date. The tables are empty for a device
     * without a port past INITIALIZE, because it may have restarted.
     */
    DeviceTables recall(Fabric fabric, int node) {
        DeviceTables held = tables(fabric.nodeGuid(node));
        if (held == null || !knows(fabric, node) || !isRunning(fabric, node)) {
            DeviceTables unknown = new DeviceTables(fabric.numPorts(node), rowValues);
            devices.put(fabric.nodeGuid(node), unknown);
            return unknown;
        }
        if (!fabric.isSwitch(node)) {
            forgetPortsBeforeArmed(fabric, node, held);
        }
        return held;
    }

    /** Removes the tables of ports of a host that may have been reset: a host can reset its ports one by one. */
    private static void forgetPortsBeforeArmed(Fabric fabric, int node, DeviceTables held) {
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            PortInfo info = fabric.portInfo(fabric.port(node, portNum));
            if (info == null || !info.isArmedOrActive()) {
                held.forgetPort(portNum);
            }
        }
    }

    /** Checks whether a device has a port past INITIALIZE, and so may carry traffic. */
    public static boolean isRunning(Fabric fabric, int node) {
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            PortInfo info = fabric.portInfo(fabric.port(node, portNum));
            if (info != null && info.isArmedOrActive()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks whether a SwitchInfo has the LinearFDBTop that was programmed. If not, the switch lost its tables. Returns
     * true for an unknown switch.
     */
    boolean isAsProgrammed(long nodeGuid, SwitchInfo current) {
        DeviceTables held = tables(nodeGuid);
        SwitchInfo previous = held == null ? null : held.switchInfo();
        return previous == null || current.linearFdbTop() == previous.linearFdbTop();
    }

    /** Removes the known tables of a device. */
    void forget(long nodeGuid) {
        devices.remove(nodeGuid);
    }

    /** Removes the known tables of all devices. */
    void forgetAll() {
        devices.clear();
    }
}
