package io.torussm.perf;

import io.torussm.fabric.Fabric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The counters of all ports and their history, by NodeGUID and port number, so that they outlive sweeps, new LIDs and a device
 * that is gone for a while. One thread changes it; any may read.
 */
public final class CounterStore {
    /** Devices that are gone are kept so long. */
    static final long KEPT_NS = TimeUnit.HOURS.toNanos(1);

    /** Devices that are kept in all, where they are not forgotten. */
    static final int MAX_DEVICES = 1 << 16;

    /** Samples that are kept in all: less than a gigabyte. */
    static final int MAX_SAMPLES = 1 << 25;

    private final Map<Long, Kept> devices = new ConcurrentHashMap<>();
    private volatile Thresholds limits = Thresholds.STANDARD;

    /** A device, and when it was seen last. */
    private static final class Kept {
        final DeviceCounters counters;
        long seenNs;

        Kept(DeviceCounters counters) {
            this.counters = counters;
        }
    }

    /**
     * The fabric was looked at.
     *
     * @param samples that are wanted of each port; in a fabric that is too large for so many, fewer are kept
     * @param forgets whether devices are forgotten that are gone for an hour
     */
    void look(Fabric fabric, int samples, boolean forgets, long nowNs) {
        int depth = Math.max(2, Math.min(samples, MAX_SAMPLES / Math.max(1, fabric.portCount())));
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int ports = fabric.numPorts(node);
            Kept known = devices.get(fabric.nodeGuid(node));
            if (known == null || known.counters.ports() != ports + 1 || known.counters.depth() != depth) {
                known = new Kept(new DeviceCounters(ports, depth));
                devices.put(fabric.nodeGuid(node), known);
            }
            known.seenNs = nowNs;
        }
        devices.values()
                .removeIf(kept -> kept.seenNs != nowNs
                        && (forgets && nowNs - kept.seenNs > KEPT_NS || devices.size() > MAX_DEVICES));
    }

    /** Other limits are in force. */
    void limit(Thresholds newLimits) {
        limits = newLimits;
    }

    /** The limits in force. */
    Thresholds limits() {
        return limits;
    }

    /** The counters of a device; null if nobody knows it. */
    @Nullable
    DeviceCounters device(long nodeGuid) {
        Kept kept = devices.get(nodeGuid);
        return kept == null ? null : kept.counters;
    }

    /** Devices that are kept. */
    public int size() {
        return devices.size();
    }

    /** What is known of a port; null if it was never read. */
    public @Nullable PortStatistics counters(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? null : device.counters(portNum);
    }

    /** Whether a port was ever read. */
    public boolean isRead(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        return device != null && portNum < device.ports() && device.isRead(portNum);
    }

    /** The last samples of a port, oldest first; none if it was never read twice. */
    public List<PortSample> samples(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? List.of() : device.samples(portNum);
    }

    /**
     * What is wrong with a port by the limits in force, the gravest first.
     *
     * @param link what it can carry; null if nobody knows
     */
    public List<PortFault> faults(long nodeGuid, int portNum, @Nullable LinkCapacity link) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? List.of() : device.faults(portNum, limits, link, 1);
    }

    /** The same for a port of a fabric. */
    public List<PortFault> faults(Fabric fabric, int port) {
        return faults(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), capacity(fabric, port));
    }

    /** What the link at a port can carry; null if there is none, or nobody knows. */
    public static @Nullable LinkCapacity capacity(Fabric fabric, int port) {
        var info = fabric.portInfo(port);
        return info == null || fabric.peer(port) == Fabric.NONE ? null : LinkCapacity.of(info, fabric.governing(port));
    }

    /**
     * Counts from 0 again, in memory only; the history stays. Any thread.
     *
     * @param portNum 0 for all ports of the node
     */
    public void restart(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        for (int each = 0; device != null && each < device.ports(); each++) {
            if (portNum == 0 || each == portNum) {
                device.restart(each);
            }
        }
    }

    /** The same for all ports of all devices. */
    public void restart() {
        devices.forEach((guid, kept) -> {
            restart(guid, 0);
        });
    }
}
