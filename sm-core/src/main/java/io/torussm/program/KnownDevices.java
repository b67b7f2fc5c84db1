package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What all devices are known to hold, by NodeGUID, from one sweep to the next. Owner thread: the loop. */
final class KnownDevices {
    private final Map<Long, DeviceTables> devices = new HashMap<>();
    private final RowValues rowValues = new RowValues();

    /** What a device is known to hold; null if nothing is. */
    @Nullable
    DeviceTables tables(long nodeGuid) {
        return devices.get(nodeGuid);
    }

    /** Whether anything is known of a device that can be true of it as it is now. */
    boolean knows(Fabric fabric, int node) {
        DeviceTables held = tables(fabric.nodeGuid(node));
        return held != null
                && held.fits(fabric.numPorts(node), fabric.node(node).switchInfo());
    }

    /**
     * What a device holds as far as it is known, to be kept up to date by the caller. Of a device at rest nothing is: it may
     * have been restarted.
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

    /** Of a host with several ports each may have been reset by itself. */
    private static void forgetPortsAtRest(Fabric fabric, int node, DeviceTables held) {
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            PortInfo info = fabric.portInfo(fabric.port(node, portNum));
            if (info == null || info.portState() <= PortInfo.STATE_INITIALIZE) {
                held.forgetPort(portNum);
            }
        }
    }

    /** Whether a device has a port past INITIALIZE, and so may carry traffic. */
    static boolean isRunning(Fabric fabric, int node) {
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            PortInfo info = fabric.portInfo(fabric.port(node, portNum));
            if (info != null && info.portState() > PortInfo.STATE_INITIALIZE) {
                return true;
            }
        }
        return false;
    }

    /** Whether a switch answers as one that still holds what was written to it. */
    boolean isAsProgrammed(long nodeGuid, SwitchInfo now) {
        DeviceTables held = tables(nodeGuid);
        SwitchInfo before = held == null ? null : held.switchInfo();
        return before == null || now.linearFdbTop() == before.linearFdbTop();
    }

    void forget(long nodeGuid) {
        devices.remove(nodeGuid);
    }

    void forgetAll() {
        devices.clear();
    }
}
