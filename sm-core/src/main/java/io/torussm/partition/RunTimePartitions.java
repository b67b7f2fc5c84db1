package io.torussm.partition;

import io.torussm.partition.PartitionConf.Partition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All run-time additions to partitions, by P_Key. Immutable; a pure value.
 *
 * <p>The file is the base, and additions extend it. A port that the file names keeps its membership. A port
 * that the file covers only by a class ({@code ALL} and the like) has the union of both. The file defines
 * name, SL and broadcast group of its partitions; a missing broadcast group may be added.
 */
public final class RunTimePartitions {
    /** No additions. */
    public static final RunTimePartitions NONE = new RunTimePartitions(List.of());

    /** The maximum number of partitions at run time. */
    public static final int MAX_PARTITIONS = 4096;

    /** The maximum number of members of all of them. */
    public static final int MAX_MEMBERS = 1 << 18;

    /** The source of groups that no file names. */
    static final String SOURCE = "(added at run time)";

    private final Map<Integer, RunTimePartition> byPKey;
    private final int members;

    private RunTimePartitions(Iterable<RunTimePartition> all) {
        TreeMap<Integer, RunTimePartition> sorted = new TreeMap<>();
        all.forEach(each -> sorted.put(each.pKey(), each));
        byPKey = sorted;
        members =
                sorted.values().stream().mapToInt(each -> each.members().size()).sum();
    }

    /** Returns additions with distinct P_Keys. */
    public static RunTimePartitions of(List<RunTimePartition> all) {
        return all.isEmpty() ? NONE : new RunTimePartitions(all);
    }

    /** Returns all of them, by P_Key. */
    public List<RunTimePartition> all() {
        return List.copyOf(byPKey.values());
    }

    /** Returns the additions to a P_Key; null if there are none. */
    public @Nullable RunTimePartition find(int pKey) {
        return byPKey.get(pKey);
    }

    /** Returns the number of members of all partitions. */
    public int members() {
        return members;
    }

    RunTimePartitions with(RunTimePartition one) {
        Map<Integer, RunTimePartition> next = new TreeMap<>(byPKey);
        next.put(one.pKey(), one);
        return new RunTimePartitions(next.values());
    }

    RunTimePartitions without(int pKey) {
        Map<Integer, RunTimePartition> next = new TreeMap<>(byPKey);
        next.remove(pKey);
        return new RunTimePartitions(next.values());
    }

    /**
     * Returns the combination of the file and the additions.
     *
     * @param qos false makes every SL 0
     */
    public PartitionConf combineWith(PartitionConf file, boolean qos) {
        if (byPKey.isEmpty()) {
            return file;
        }
        Map<Integer, Partition> partitions = new TreeMap<>();
        file.partitions().forEach(each -> partitions.put(each.pKey(), each));
        List<WellKnownGroup> groups = new ArrayList<>(file.groups());
        Set<Integer> withBroadcast = new HashSet<>();
        file.groups().stream()
                .filter(WellKnownGroup::isBroadcast)
                .forEach(group -> withBroadcast.add(PKeys.base(group.pKey())));
        byPKey.values().forEach(each -> {
            Partition partition = partitions.get(each.pKey());
            int sl = partition != null ? partition.sl() : qos ? each.qos().sl() : 0;
            partitions.put(
                    each.pKey(),
                    partition != null
                            ? partition.with(each.members())
                            : new Partition(each.pKey(), each.name(), sl, List.of(), each.members()));
            if (each.isIpoib() && withBroadcast.add(each.pKey())) {
                groups.add(WellKnownGroup.broadcast(
                        each.pKey(), each.qos().mtu(), each.qos().rate(), sl, SOURCE));
            }
        });
        return new PartitionConf(file.file(), List.copyOf(partitions.values()), groups);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RunTimePartitions that && byPKey.equals(that.byPKey);
    }

    @Override
    public int hashCode() {
        return byPKey.hashCode();
    }

    @Override
    public String toString() {
        return byPKey.values().toString();
    }
}
