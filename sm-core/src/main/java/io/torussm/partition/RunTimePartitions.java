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
 * All that was added to partitions at run time, by P_Key. Immutable; a pure value.
 *
 * <p>The file is the base, and what was added at run time comes to it: a port that the file names keeps the membership that it
 * has there; a port that is in the partition only as one of many ({@code ALL} and the like) has the larger of both. Name,
 * SL and broadcast group of a partition of the file are the file's; a broadcast group that the file does not give may be added.
 */
public final class RunTimePartitions {
    /** Nothing was added. */
    public static final RunTimePartitions NONE = new RunTimePartitions(List.of());

    /** Partitions at run time. */
    public static final int MAX_PARTITIONS = 4096;

    /** Members of all of them together. */
    public static final int MAX_MEMBERS = 1 << 18;

    /** What groups that no file names are said to come from. */
    static final String WHERE = "(added at run time)";

    private final Map<Integer, RunTimePartition> byPKey;
    private final int members;

    private RunTimePartitions(Iterable<RunTimePartition> all) {
        TreeMap<Integer, RunTimePartition> sorted = new TreeMap<>();
        all.forEach(each -> sorted.put(each.pKey(), each));
        byPKey = sorted;
        members =
                sorted.values().stream().mapToInt(each -> each.members().size()).sum();
    }

    /** These, of which no two have one P_Key. */
    public static RunTimePartitions of(List<RunTimePartition> all) {
        return all.isEmpty() ? NONE : new RunTimePartitions(all);
    }

    /** All of them, by P_Key. */
    public List<RunTimePartition> all() {
        return List.copyOf(byPKey.values());
    }

    /** What was added to a P_Key; null if nothing was. */
    public @Nullable RunTimePartition find(int pKey) {
        return byPKey.get(pKey);
    }

    /** Members of all partitions together. */
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
     * What file and run time say together.
     *
     * @param qos false makes every SL 0
     */
    public PartitionConf over(PartitionConf file, boolean qos) {
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
            Partition given = partitions.get(each.pKey());
            int sl = given != null ? given.sl() : qos ? each.qos().sl() : 0;
            partitions.put(
                    each.pKey(),
                    given != null
                            ? given.with(each.members())
                            : new Partition(each.pKey(), each.name(), sl, List.of(), each.members()));
            if (each.isIpoib() && withBroadcast.add(each.pKey())) {
                groups.add(WellKnownGroup.broadcast(
                        each.pKey(), each.qos().mtu(), each.qos().rate(), sl, WHERE));
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
