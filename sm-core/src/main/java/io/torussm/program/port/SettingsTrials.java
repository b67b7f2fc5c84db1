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
 * The ports that ignored settings which were sent with a change of state. Either the device did not evaluate the rest
 * of such a Set, which IBA 14.2.5.6 allows, or it does not support a setting. To distinguish the two, one port of each
 * model receives its settings alone. If that port accepts them, all ports of the model receive them. So a fabric of
 * devices that lack a setting costs one Set, not one for each port. An instance belongs to one activation.
 */
final class SettingsTrials {
    private final Fabric fabric;
    private final IntConsumer setSettings;
    private final Map<DeviceType, Trial> trials = new HashMap<>();

    /** A model of devices. Devices of a model are expected to behave alike. */
    private record DeviceType(int nodeType, long vendorId, long deviceId, long revision) {
        /**
         * Compares the components in plain code, as {@link #hashCode} does, because the code that the JVM generates for
         * a record at its first use costs milliseconds at start-up.
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
        /** Index of the tried port. */
        final int port;

        /** Indexes of other ports of the model, which receive their settings if the trial succeeds. */
        final List<Integer> waitingPorts = new ArrayList<>();

        /** True if the port accepted its settings alone, false if not; null before its response. */
        @Nullable
        Boolean isAccepted;

        Trial(int port) {
            this.port = port;
        }
    }

    /**
     * Creates an instance without trials.
     *
     * @param setAlone sends its settings in a separate Set to a port, given by index
     */
    SettingsTrials(Fabric fabric, IntConsumer setAlone) {
        this.fabric = fabric;
        this.setSettings = setAlone;
    }

    private DeviceType kind(int port) {
        NodeInfo info = fabric.node(fabric.nodeOf(port)).info();
        return new DeviceType(
                info.nodeType(),
                info.get(NodeInfo.VENDOR_ID),
                info.get(NodeInfo.DEVICE_ID),
                info.get(NodeInfo.REVISION));
    }

    /** Handles a port that accepted a change of state, but not all settings that were sent with it. */
    void onMissingSettings(int port) {
        Trial trial = trials.computeIfAbsent(kind(port), any -> new Trial(port));
        if (trial.port == port || Boolean.TRUE.equals(trial.isAccepted)) {
            setSettings.accept(port);
        } else if (trial.isAccepted == null) {
            trial.waitingPorts.add(port);
        }
    }

    /** Handles the response of a port to a Set of settings alone; {@code hasAll} if it accepted all. */
    void onSettingsReply(int port, boolean hasAll) {
        Trial trial = trials.get(kind(port));
        if (trial != null && trial.port == port && trial.isAccepted == null) {
            trial.isAccepted = hasAll;
            if (hasAll) {
                trial.waitingPorts.forEach(setSettings::accept);
            }
        }
    }
}
