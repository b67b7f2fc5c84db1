package io.torussm.vport;

import io.torussm.mad.smp.GeneralInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answers of devices to GeneralInfo, each asked once. A device that rejects the attribute, or does not respond to
 * it, announces nothing in it, and is not asked again until it was absent from a fabric. Owner thread: the loop.
 */
final class DeviceCapabilities {
    private final Map<Long, Announcement> byNode = new HashMap<>();

    /** NodeGUIDs of devices that proved the place of the vport in the AttributeModifier, and had a table there. */
    private final Set<Long> withKnownOrder = new HashSet<>();

    /** NodeGUIDs of devices without an answer about a table that they announce; it may have any P_Keys therefore. */
    private final Set<Long> withUnknownTables = new HashSet<>();

    /** NodeGUIDs of devices that have no descriptions of vports. */
    private final Set<Long> withoutDescriptions = new HashSet<>();

    /** @param info null if the device does not answer GeneralInfo */
    record Announcement(@Nullable GeneralInfo info) {
        /** Checks whether the device answered, and does not announce a capability. */
        boolean denies(int capability) {
            return info != null && !info.hasCapability(capability);
        }

        /** Checks whether the device answered, and announces a capability. */
        boolean has(int capability) {
            return info != null && info.hasCapability(capability);
        }
    }

    /** Returns the answer of a device by NodeGUID; null if it was not asked. */
    @Nullable
    Announcement of(long nodeGuid) {
        return byNode.get(nodeGuid);
    }

    Announcement keep(long nodeGuid, @Nullable GeneralInfo info) {
        Announcement announcement = new Announcement(info);
        byNode.put(nodeGuid, announcement);
        return announcement;
    }

    /** Checks whether the place of the vport in the AttributeModifier of tables is proved for a device. */
    boolean hasKnownOrder(long nodeGuid) {
        return withKnownOrder.contains(nodeGuid);
    }

    void markOrderKnown(long nodeGuid) {
        withKnownOrder.add(nodeGuid);
    }

    /** Checks whether a vport of a device may have P_Keys that were neither read nor written. */
    boolean mayHaveTables(long nodeGuid) {
        return withKnownOrder.contains(nodeGuid) || withUnknownTables.contains(nodeGuid);
    }

    /** Checks whether a device did not answer the last SMP about a table, but should have. */
    boolean hasUnknownTables(long nodeGuid) {
        return withUnknownTables.contains(nodeGuid);
    }

    /** Keeps whether a device did not answer the last SMP about a table, but should have. */
    void setTablesUnknown(long nodeGuid, boolean areUnknown) {
        if (areUnknown) {
            withUnknownTables.add(nodeGuid);
        } else {
            withUnknownTables.remove(nodeGuid);
        }
    }

    /** Checks whether a device has rejected the description of a vport, or never responded to it. */
    boolean hasNoDescriptions(long nodeGuid) {
        return withoutDescriptions.contains(nodeGuid);
    }

    void markWithoutDescriptions(long nodeGuid) {
        withoutDescriptions.add(nodeGuid);
    }

    /** Forgets devices that are not part of a fabric. */
    void retain(Set<Long> nodeGuids) {
        byNode.keySet().retainAll(nodeGuids);
        withKnownOrder.retainAll(nodeGuids);
        withUnknownTables.retainAll(nodeGuids);
        withoutDescriptions.retainAll(nodeGuids);
    }

    void clear() {
        byNode.clear();
        withKnownOrder.clear();
        withUnknownTables.clear();
        withoutDescriptions.clear();
    }
}
