package io.torussm.alias;

import io.torussm.mad.smp.GuidInfo;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The alias GUIDs of all ports. Immutable.
 *
 * <p>A port is identified by its own GUID, entry 0 of its first block, and so keeps its aliases wherever it
 * is plugged.
 */
public final class AliasTable {
    /** No aliases. */
    public static final AliasTable NONE = new AliasTable(Map.of(), Map.of(), Set.of());

    /**
     * An entry of a port's table.
     *
     * @param index 1 to 255; 0 is the port's own GUID
     */
    public record Place(long portGuid, int index) {
        Block block() {
            return new Block(portGuid, index / GuidInfo.GUIDS_PER_BLOCK);
        }
    }

    /**
     * Eight entries of a port's table.
     *
     * @param number index from 0
     */
    public record Block(long portGuid, int number) {
        Place place(int i) {
            return new Place(portGuid, number * GuidInfo.GUIDS_PER_BLOCK + i);
        }
    }

    private final Map<Place, Long> guids;
    private final Map<Place, Long> assigned;
    private final Set<Block> cleared;
    private final Map<Long, Place> places = new HashMap<>();
    private final Set<Block> blocks;

    /**
     * Creates a table.
     *
     * @param guids the aliases; of two equal ones one is found
     * @param assigned GUIDs that the SA assigned to entries, including entries with another GUID now, or none
     * @param cleared blocks without aliases that were not written to their ports yet
     */
    public AliasTable(Map<Place, Long> guids, Map<Place, Long> assigned, Set<Block> cleared) {
        this.guids = Collections.unmodifiableMap(new LinkedHashMap<>(guids));
        this.assigned = Collections.unmodifiableMap(new LinkedHashMap<>(assigned));
        this.cleared = Collections.unmodifiableSet(new LinkedHashSet<>(cleared));
        Set<Block> written = new HashSet<>(cleared);
        guids.forEach((place, guid) -> {
            places.put(guid, place);
            written.add(place.block());
        });
        this.blocks = Collections.unmodifiableSet(new LinkedHashSet<>(written));
    }

    /** Returns the aliases. */
    public Map<Place, Long> guids() {
        return guids;
    }

    /** Returns the GUIDs that the SA assigned to entries. */
    public Map<Place, Long> assigned() {
        return assigned;
    }

    /** Returns blocks without aliases that were not written to their ports yet. */
    public Set<Block> cleared() {
        return cleared;
    }

    /** Returns the blocks to be written to ports; all others stay unchanged. */
    public Set<Block> blocks() {
        return blocks;
    }

    /** Returns the GUID of the port that has an alias; 0 if there is none. */
    public long portOf(long alias) {
        Place place = places.get(alias);
        return place == null ? 0 : place.portGuid();
    }

    /** Returns the eight GUIDs of a block, 0 where there is none. */
    public long[] guids(Block block) {
        long[] eight = new long[GuidInfo.GUIDS_PER_BLOCK];
        for (int i = 0; i < eight.length && !guids.isEmpty(); i++) {
            eight[i] = guids.getOrDefault(block.place(i), 0L);
        }
        if (block.number() == 0) {
            eight[0] = block.portGuid();
        }
        return eight;
    }
}
