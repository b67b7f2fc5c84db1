package io.torussm.perf;

import io.torussm.fabric.Fabric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The counters of all ports and their history, by NodeGUID and port number. They are kept over sweeps, new LIDs and
 * the temporary absence of a device. The loop writes; any thread may read.
 */
public final class CounterStore {
    /** The time for which absent devices are kept, if they are to be removed. */
    static final long MAX_ABSENCE_NS = TimeUnit.HOURS.toNanos(1);

    /** Max number of devices; if there are more, absent ones are removed. */
    static final int MAX_DEVICES = 1 << 16;

    /** Max number of samples of all ports together: with 24 octets each, less than a gigabyte. */
    static final int MAX_SAMPLES = 1 << 25;

    private final Map<Long, StoredDevice> devices = new ConcurrentHashMap<>();
    private volatile Thresholds limits = Thresholds.STANDARD;

    /** The counters of a device, and the time at which it was in the fabric last. */
    private static final class StoredDevice {
        final DeviceCounters counters;
        long lastPresentNs;

        StoredDevice(DeviceCounters counters) {
            this.counters = counters;
        }
    }

    /**
     * Adds the devices of a new fabric, and removes absent ones. A device whose number of ports or samples changed
     * starts again.
     *
     * @param samples requested number of samples of each port; in a large fabric it is reduced, see MAX_SAMPLES
     * @param forgets whether devices are removed after an absence of an hour
     */
    void update(Fabric fabric, int samples, boolean forgets, long nowNs) {
        int depth = Math.max(2, Math.min(samples, MAX_SAMPLES / Math.max(1, fabric.portCount())));
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int ports = fabric.numPorts(node);
            StoredDevice known = devices.get(fabric.nodeGuid(node));
            if (known == null || known.counters.ports() != ports + 1 || known.counters.depth() != depth) {
                known = new StoredDevice(new DeviceCounters(ports, depth));
                devices.put(fabric.nodeGuid(node), known);
            }
            known.lastPresentNs = nowNs;
        }
        devices.values()
                .removeIf(kept -> kept.lastPresentNs != nowNs
                        && ((forgets && nowNs - kept.lastPresentNs > MAX_ABSENCE_NS) || devices.size() > MAX_DEVICES));
    }

    /** Sets the effective limits. */
    void setLimits(Thresholds newLimits) {
        limits = newLimits;
    }

    /** Returns the effective limits. */
    Thresholds limits() {
        return limits;
    }

    /** Returns the counters of a device; null if it is unknown. */
    @Nullable
    DeviceCounters device(long nodeGuid) {
        StoredDevice kept = devices.get(nodeGuid);
        return kept == null ? null : kept.counters;
    }

    /** Returns the number of devices. */
    public int size() {
        return devices.size();
    }

    /** Returns the statistics of a port; null if it was never read. */
    public @Nullable PortStatistics counters(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? null : device.counters(portNum);
    }

    /** Checks whether a port was ever read. */
    public boolean isRead(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        return device != null && portNum < device.ports() && device.isRead(portNum);
    }

    /** Returns the last samples of a port, the oldest first; empty if it was read less than twice. */
    public List<PortSample> samples(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? List.of() : device.samples(portNum);
    }

    /**
     * Returns the faults of a port by the effective limits, by descending excess over the limit.
     *
     * @param link capacity of the link; null if it is unknown
     */
    public List<PortFault> faults(long nodeGuid, int portNum, @Nullable LinkCapacity link) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? List.of() : device.faults(portNum, limits, link, 1);
    }

    /** Returns the faults of a port of a fabric by the effective limits, by descending excess over the limit. */
    public List<PortFault> faults(Fabric fabric, int port) {
        return faults(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), capacity(fabric, port));
    }

    /** Returns the capacity of the link at a port; null if there is no link, or its capacity is unknown. */
    public static @Nullable LinkCapacity capacity(Fabric fabric, int port) {
        var info = fabric.portInfo(port);
        return info == null || fabric.peer(port) == Fabric.NONE
                ? null
                : LinkCapacity.of(info, fabric.capabilityPortInfo(port));
    }

    /**
     * Resets the totals in memory; the counters of the device and the history stay. May be called from any thread.
     *
     * @param portNum port number; 0 for all ports of the node
     */
    public void restart(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        for (int port = 0; device != null && port < device.ports(); port++) {
            if (portNum == 0 || port == portNum) {
                device.restart(port);
            }
        }
    }

    /** Resets the totals of all ports of all devices in memory. May be called from any thread. */
    public void restart() {
        devices.forEach((guid, kept) -> {
            restart(guid, 0);
        });
    }
}
