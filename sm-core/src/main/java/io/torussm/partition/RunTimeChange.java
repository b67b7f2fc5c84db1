package io.torussm.partition;

import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartition.Qos;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change of what was added to one P_Key at run time. What partitions.conf gives is never changed by it. */
public sealed interface RunTimeChange {
    /** Its 15 bits. */
    int pKey();

    /** The ports that it names. */
    default Set<Long> guids() {
        return Set.of();
    }

    /**
     * Adds members, and the partition if there is none.
     *
     * @param name of the partition; empty to leave it as it is
     * @param isIpoib whether it gets a broadcast group; one that is there stays
     * @param qos null to leave it as it is
     * @param members by port GUID; a member that was added before gets this membership. None: only the partition
     */
    record Add(
            int pKey,
            String name,
            boolean isIpoib,
            @Nullable Qos qos,
            Map<Long, Member> members) implements RunTimeChange {
        public Add {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        @Override
        public Set<Long> guids() {
            return members.keySet();
        }
    }

    /**
     * Puts something else in the place of all that was added at run time.
     *
     * @param name empty to leave it as it is
     * @param isIpoib whether it has a broadcast group
     * @param qos null to leave it as it is
     * @param members by port GUID; all that there are besides those of the file, which must be among them if it names them
     */
    record Replace(
            int pKey,
            String name,
            boolean isIpoib,
            @Nullable Qos qos,
            Map<Long, Member> members) implements RunTimeChange {
        public Replace {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        @Override
        public Set<Long> guids() {
            return members.keySet();
        }
    }

    /** Changes MTU, rate and SL of a partition that there is only at run time. */
    record SetQos(int pKey, Qos qos) implements RunTimeChange {}

    /** Removes members that were added at run time, and the partition with the last of them. */
    record Remove(int pKey, Set<Long> guids) implements RunTimeChange {
        public Remove {
            guids = Collections.unmodifiableSet(new LinkedHashSet<>(guids));
        }
    }

    /** Removes all that was added at run time. */
    record Delete(int pKey) implements RunTimeChange {}

    /**
     * Who wants what.
     *
     * @param requester for the log, and for the share of it in what waits
     * @param isLargeMeant whether it may take P_Keys from more ports than {@code max_partition_change} allows
     */
    record Request(RunTimeChange change, String requester, boolean isLargeMeant) {}
}
