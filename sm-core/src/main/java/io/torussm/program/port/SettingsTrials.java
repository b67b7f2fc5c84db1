package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The ports that rejected settings which were sent with a change of state. A device need not evaluate the rest of such
 * a Set (IBA 14.2.5.6), or it does not support the setting at all. One port of each model is tried to distinguish the
 * two. Thus a fabric of devices that lack a setting costs one Set, and not one for each port. Lives for one activation.
 */
final class SettingsTrials {
    private final Fabric fabric;
    private final IntConsumer setAlone;
    private final Map<DeviceType, Trial> trials = new HashMap<>();

    /** A model of devices that are expected to behave alike. */
    private record DeviceType(int nodeType, long vendorId, long deviceId, long revision) {
        /**
         * Compares by hand, like the next method: the code that the JVM generates for a record at its first use costs
         * milliseconds at start-up.
         */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof DeviceType kind
                    && kind.nodeType == nodeType
                    && kind.vendorId == vendorId
                    && kind.deviceId == deviceId
                    && kind.revision == revision;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * (31 * nodeType + Long.hashCode(vendorId)) + Long.hashCode(deviceId))
                    + Long.hashCode(revision);
        }
    }

    /** The trial of one model. */
    private static final class Trial {
        final int port;
        final List<Integer> waiting = new ArrayList<>();

        /** True if the port accepted its settings alone; null until it has answered. */
        @Nullable
        Boolean isTaken;

        Trial(int port) {
            this.port = port;
        }
    }

    /**
     * Creates an activation without trials.
     *
     * @param setAlone sends a port, by index, its settings in a separate Set
     */
    SettingsTrials(Fabric fabric, IntConsumer setAlone) {
        this.fabric = fabric;
        this.setAlone = setAlone;
    }

    private DeviceType kind(int port) {
        NodeInfo info = fabric.node(fabric.nodeOf(port)).info();
        return new DeviceType(
                info.nodeType(),
                info.get(NodeInfo.VENDOR_ID),
                info.get(NodeInfo.DEVICE_ID),
                info.get(NodeInfo.REVISION));
    }

    /** Notes that a port accepted a change of state, but not all settings that came with it. */
    void lacks(int port) {
        Trial trial = trials.computeIfAbsent(kind(port), any -> new Trial(port));
        if (trial.port == port || Boolean.TRUE.equals(trial.isTaken)) {
            setAlone.accept(port);
        } else if (trial.isTaken == null) {
            trial.waiting.add(port);
        }
    }

    /** Notes the answer of a port to a Set of settings alone. */
    void answered(int port, boolean hasAll) {
        Trial trial = trials.get(kind(port));
        if (trial != null && trial.port == port && trial.isTaken == null) {
            trial.isTaken = hasAll;
            if (hasAll) {
                trial.waiting.forEach(setAlone::accept);
            }
        }
    }
}
