package io.torussm.alias;

import io.torussm.partition.PartitionSet;
import io.torussm.partition.PortKeys;
import io.torussm.partition.VPortMembers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The present virtual ports, whose GUIDs are no aliases. Thread-safe. */
@FunctionalInterface
public interface VPortGuids extends VPortMembers {
    /** The LID of a virtual port that requires one of its own and has none yet: no path leads to it. */
    int NO_LID = -1;

    /** Returns the PortGUID of the physical port of the virtual port with a GUID; 0 if no virtual port has the GUID. */
    long portOf(long guid);

    /** Returns the P_Keys of the virtual port with a GUID; null if only those of its physical port are known. */
    default @Nullable PortKeys keysOf(long guid) {
        return null;
    }

    /**
     * Returns the LID that the virtual port with a GUID has of its own: 0 if it has that of its physical port,
     * {@link #NO_LID} if it requires one and has none.
     */
    default int lidOf(long guid) {
        return 0;
    }

    @Override
    default @Nullable List<Long> guidsAt(long portGuid) {
        return List.of();
    }

    /** Returns the known P_Keys of the virtual ports of a physical port. */
    default PartitionSet keysAt(long portGuid) {
        return PartitionSet.NONE;
    }
}
