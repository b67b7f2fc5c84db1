package io.torussm.alias;

import io.torussm.partition.PartitionSet;
import io.torussm.partition.PortKeys;
import io.torussm.partition.VPortMembers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The virtual ports of the moment, whose GUIDs are no aliases. Any thread. */
@FunctionalInterface
public interface VPortGuids extends VPortMembers {
    /** Returns the GUID of the physical port of a virtual port; 0 if no virtual port has this GUID. */
    long portOf(long guid);

    /** Returns the P_Keys of a virtual port; null if it has those of its physical port, as far as is known. */
    default @Nullable PortKeys keysOf(long guid) {
        return null;
    }

    @Override
    default @Nullable List<Long> guidsAt(long portGuid) {
        return List.of();
    }

    /** Returns the P_Keys of the virtual ports of a physical port, in so far as they are known. */
    default PartitionSet keysAt(long portGuid) {
        return PartitionSet.NONE;
    }
}
