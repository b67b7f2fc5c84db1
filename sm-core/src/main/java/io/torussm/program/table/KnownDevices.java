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

    /** Returns the known tables of a device; null if there are none. */
    @Nullable
    DeviceTables tables(long nodeGuid) {
        return devices.get(nodeGuid);
    }

    /** Checks whether tables are known that can be those of a device in its current state. */
    boolean knows(Fabric fabric, int node) {
        DeviceTables held = tables(fabric.nodeGuid(node));
        return held != null
                && held.fits(fabric.numPorts(node), fabric.node(node).switchInfo());
    }

    /**
     * Returns the known tables of a device, which the caller keeps up to date. They are empty for a device
     * without an active port, since it may have restarted.
     */
    DeviceTables recall(Fabric fabric, int node) {
        DeviceTables held = tables(fabric.nodeGuid(node));
        if (held == null || !knows(fabric, node) || !isRunning(fabric, node)) {
            DeviceTables unknown = new DeviceTables(fabric.numPorts(node), rowValues);
            devices.put(fabric.nodeGuid(node), unknown);
            return unknown;
        }
        if (!fabric.isSwitch(node)) {
            forgetPortsAtRest(fabric, node, held);
        }
        return held;
    }

    /** Forgets the tables of ports that may have been reset: those of a multi-port host can be reset one by one. */
    private static void forgetPortsAtRest(Fabric fabric, int node, DeviceTables held) {
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            PortInfo info = fabric.portInfo(fabric.port(node, portNum));
            if (info == null || info.portState() <= PortInfo.STATE_INITIALIZE) {
                held.forgetPort(portNum);
            }
        }
    }

    /** Checks whether a device has a port past INITIALIZE, and so may carry traffic. */
    public static boolean isRunning(Fabric fabric, int node) {
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            PortInfo info = fabric.portInfo(fabric.port(node, portNum));
            if (info != null && info.portState() > PortInfo.STATE_INITIALIZE) {
                return true;
            }
        }
        return false;
    }

    /** Checks whether a SwitchInfo is that of a switch which kept its programmed tables. */
    boolean isAsProgrammed(long nodeGuid, SwitchInfo current) {
        DeviceTables held = tables(nodeGuid);
        SwitchInfo previous = held == null ? null : held.switchInfo();
        return previous == null || current.linearFdbTop() == previous.linearFdbTop();
    }

    void forget(long nodeGuid) {
        devices.remove(nodeGuid);
    }

    void forgetAll() {
        devices.clear();
    }
}
