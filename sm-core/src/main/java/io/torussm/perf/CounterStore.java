package io.torussm.perf;

import io.torussm.fabric.Fabric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The counters of all ports and their history, by NodeGUID and port number. They survive sweeps, new LIDs and
 * the temporary absence of a device. One thread writes; any may read.
 */
public final class CounterStore {
    /** The time for which absent devices are kept. */
    static final long KEPT_NS = TimeUnit.HOURS.toNanos(1);

    /** The maximum number of devices, if absent ones are kept. */
    static final int MAX_DEVICES = 1 << 16;

    /** The maximum number of samples in total: less than a gigabyte. */
    static final int MAX_SAMPLES = 1 << 25;

    private final Map<Long, Kept> devices = new ConcurrentHashMap<>();
    private volatile Thresholds limits = Thresholds.STANDARD;

    /** A device, and the time when it was last seen. */
    private static final class Kept {
        final DeviceCounters counters;
        long seenNs;

        Kept(DeviceCounters counters) {
            this.counters = counters;
        }
    }

    /**
     * Takes a new fabric.
     *
     * @param samples wanted samples of each port; a fabric that is too large for them gets fewer
     * @param forgets whether devices are dropped after an absence of an hour
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
                        && ((forgets && nowNs - kept.seenNs > KEPT_NS) || devices.size() > MAX_DEVICES));
    }

    /** Sets the effective limits. */
    void limit(Thresholds newLimits) {
        limits = newLimits;
    }

    /** Returns the effective limits. */
    Thresholds limits() {
        return limits;
    }

    /** Returns the counters of a device; null if it is unknown. */
    @Nullable
    DeviceCounters device(long nodeGuid) {
        Kept kept = devices.get(nodeGuid);
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

    /** Returns the last samples of a port, oldest first; none if it was read less than twice. */
    public List<PortSample> samples(long nodeGuid, int portNum) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? List.of() : device.samples(portNum);
    }

    /**
     * Returns the faults of a port by the effective limits, the gravest first.
     *
     * @param link capacity; null if it is unknown
     */
    public List<PortFault> faults(long nodeGuid, int portNum, @Nullable LinkCapacity link) {
        DeviceCounters device = device(nodeGuid);
        return device == null || portNum >= device.ports() ? List.of() : device.faults(portNum, limits, link, 1);
    }

    /** Returns the faults of a port of a fabric, likewise. */
    public List<PortFault> faults(Fabric fabric, int port) {
        return faults(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), capacity(fabric, port));
    }

    /** Returns the capacity of the link at a port; null if there is none, or it is unknown. */
    public static @Nullable LinkCapacity capacity(Fabric fabric, int port) {
        var info = fabric.portInfo(port);
        return info == null || fabric.peer(port) == Fabric.NONE ? null : LinkCapacity.of(info, fabric.governing(port));
    }

    /**
     * Resets the totals, in memory only; the history stays. Any thread.
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

    /** Resets the totals of all ports of all devices. */
    public void restart() {
        devices.forEach((guid, kept) -> {
            restart(guid, 0);
        });
    }
}
