package io.torussm.partition;

import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartition.Qos;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change of the run-time additions of one P_Key. It never affects partitions.conf. */
public sealed interface RunTimeChange {
    /** Returns its 15 bits. */
    int pKey();

    /** Returns the port GUIDs that it names. */
    default Set<Long> guids() {
        return Set.of();
    }

    /**
     * Adds members, and the partition if it does not exist.
     *
     * @param name name of the partition; empty to keep it
     * @param isIpoib whether it gets a broadcast group; an existing one stays
     * @param qos null to keep it
     * @param members by port GUID; replaces the membership of previously added members. Empty: only the
     *     partition
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
     * Replaces all run-time additions.
     *
     * @param name empty to keep it
     * @param isIpoib whether it has a broadcast group
     * @param qos null to keep it
     * @param members by port GUID: all members besides those of the file, which must be included if it names
     *     them
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

    /** Changes MTU, rate and SL of a partition that exists only at run time. */
    record SetQos(int pKey, Qos qos) implements RunTimeChange {}

    /** Removes members that were added at run time, and the partition with the last of them. */
    record Remove(int pKey, Set<Long> guids) implements RunTimeChange {
        public Remove {
            guids = Collections.unmodifiableSet(new LinkedHashSet<>(guids));
        }
    }

    /**
     * Changes no member: programs ports again, with the switches at them, since their virtual ports are other ones.
     *
     * @param guids GUIDs of physical ports
     */
    record Reprogram(Set<Long> guids) implements RunTimeChange {
        public Reprogram {
            guids = Collections.unmodifiableSet(new LinkedHashSet<>(guids));
        }

        @Override
        public int pKey() {
            return 0;
        }
    }

    /** Removes all that was added at run time. */
    record Delete(int pKey) implements RunTimeChange {}

    /**
     * A requested change.
     *
     * @param requester requester for the log, and for its share of the queue
     * @param isLargeConfirmed whether it may take P_Keys from more ports than {@code max_partition_change} allows
     */
    record Request(RunTimeChange change, String requester, boolean isLargeConfirmed) {}
}
