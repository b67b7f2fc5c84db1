package io.torussm.partition;

import io.torussm.mad.smp.NodeInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The P_Keys of virtual ports by partitions.conf and the run-time members, which may name the GUID of a vport. For
 * their rules a vport is a port of a channel adapter. Its physical port and it have different tables. Not thread-safe.
 */
public final class VPortKeys {
    /** Tables that are shared in memory; a device may report another one at each visit. */
    static final int MAX_SHARED_TABLES = 1024;

    private final PartitionSettings settings;

    /** By P_Key: partitions with classes of ports. */
    private final Map<Integer, LastRules> classRules = new TreeMap<>();

    private final Map<Long, List<LastRules>> byGuid = new HashMap<>();
    private final Map<PortKeys, PortKeys> distinct = new HashMap<>();

    /**
     * The table of a vport.
     *
     * @param surplus number of P_Keys without room
     */
    public record WantedTable(PortKeys keys, int surplus) {}

    /** Prepares settings. */
    public VPortKeys(PartitionSettings settings) {
        this.settings = settings;
        for (PartitionConf.Partition partition : settings.conf().partitions()) {
            LastRules rules = new LastRules(partition);
            if (rules.hasClasses()) {
                classRules.put(partition.pKey(), rules);
            } else {
                rules.guids().forEach(guid -> byGuid.computeIfAbsent(guid, any -> new ArrayList<>())
                        .add(rules));
            }
        }
    }

    /** Returns the settings. */
    public PartitionSettings settings() {
        return settings;
    }

    /**
     * Returns the table of a vport.
     *
     * @param guid GUID of the vport
     * @param capacity number of entries, at least 1
     * @param held current table
     */
    public WantedTable wantedTable(long guid, int capacity, PortKeys held) {
        Memberships memberships = memberships(guid);
        KeyLayout layout = new KeyLayout(
                capacity,
                settings.keepsIndexes() ? held : PortKeys.NONE,
                memberships.index0(),
                memberships.pKeys().stream().mapToInt(Integer::intValue).toArray());
        return new WantedTable(intern(layout.keys()), layout.surplus().length);
    }

    /** Returns the P_Keys of a vport without indexes, and without regard to room. */
    PortKeys pKeys(long guid) {
        return PortKeys.of(
                memberships(guid).pKeys().stream().mapToInt(Integer::intValue).toArray());
    }

    private record Memberships(List<Integer> pKeys, int index0) {}

    private Memberships memberships(long guid) {
        Map<Integer, LastRules> all = new TreeMap<>(classRules);
        byGuid.getOrDefault(guid, List.of())
                .forEach(rules -> all.put(rules.partition().pKey(), rules));
        List<Integer> pKeys = new ArrayList<>();
        int index0 = PKeys.DEFAULT;
        boolean isMarked = false;
        for (LastRules rules : all.values()) {
            boolean isAtIndex0 = rules.addTo(pKeys::add, NodeInfo.CHANNEL_ADAPTER, guid, false, settings.allowsBoth());
            index0 = isAtIndex0 && !isMarked ? rules.partition().pKey() : index0;
            isMarked |= isAtIndex0;
        }
        return new Memberships(pKeys, index0);
    }

    /** Returns an equal table that vports share in memory. */
    private PortKeys intern(PortKeys keys) {
        if (distinct.size() >= MAX_SHARED_TABLES) {
            distinct.clear();
        }
        return distinct.computeIfAbsent(keys, same -> same);
    }

    /**
     * Returns the P_Keys that a switch must let pass at a port. If there is no room for all, those of its last vports
     * are missing, but none of the port itself: a host with many vports must not end the check of its own packets.
     *
     * @param own P_Keys of the port
     * @param vports GUIDs of its vports
     * @param capacity number of entries; exceeded only by the P_Keys of the port itself
     */
    public int[] passingKeys(PortKeys own, List<Long> vports, int capacity) {
        Set<Integer> all = own.stream().boxed().collect(Collectors.toCollection(LinkedHashSet::new));
        int[] ofPort = strongestKeys(all);
        if (vports.isEmpty()) {
            return ofPort;
        }
        vports.forEach(guid -> all.addAll(memberships(guid).pKeys()));
        int[] passing = strongestKeys(all);
        return Arrays.copyOf(passing, Math.min(passing.length, Math.max(ofPort.length, capacity)));
    }

    /** Returns the first P_Key of each partition, or its full one, which a switch lets pass for a limited one. */
    static int[] strongestKeys(Set<Integer> all) {
        boolean isAnyTwice = all.stream().anyMatch(pKey -> !PKeys.isFull(pKey) && all.contains(pKey | PKeys.FULL));
        if (!isAnyTwice) { // as at almost all ports; the other way allocates more, for each port of a sweep
            return all.stream().mapToInt(Integer::intValue).toArray();
        }
        return all.stream()
                .mapToInt(pKey -> all.contains(pKey | PKeys.FULL) ? pKey | PKeys.FULL : pKey)
                .distinct()
                .toArray();
    }

    /** Checks whether a vport has a table of its own choice: it is a member of more than the default partition. */
    public boolean hasOwnTable(long guid) {
        return memberships(guid).pKeys().stream().anyMatch(pKey -> PKeys.base(pKey) != PKeys.DEFAULT);
    }

    /** Checks whether a table of a vport is as wanted. */
    public boolean isAsWanted(long guid, PortKeys keys) {
        return wantedTable(guid, Math.max(1, keys.length()), keys).equals(new WantedTable(keys, 0));
    }
}
