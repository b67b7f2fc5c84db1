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
 * <p>A port is identified by its PortGUID, which is entry 0 of its first block. So it keeps its aliases if it is cabled
 * elsewhere.
 */
public final class AliasTable {
    /** The table without aliases. */
    public static final AliasTable NONE = new AliasTable(Map.of(), Map.of(), Set.of());

    /**
     * The place of an entry in the GUIDInfo table of a port.
     *
     * @param portGuid PortGUID
     * @param index index of the entry, 1 to 255; entry 0 is the PortGUID
     */
    public record Place(long portGuid, int index) {
        Block block() {
            return new Block(portGuid, index / GuidInfo.GUIDS_PER_BLOCK);
        }
    }

    /**
     * A block of eight entries in the GUIDInfo table of a port.
     *
     * @param portGuid PortGUID
     * @param number number of the block, from 0
     */
    public record Block(long portGuid, int number) {
        Place place(int i) {
            return new Place(portGuid, number * GuidInfo.GUIDS_PER_BLOCK + i);
        }
    }

    private final Map<Place, Long> guids;
    private final Map<Place, Long> assignedGuids;
    private final Set<Block> clearedBlocks;
    private final Map<Long, Place> places = new HashMap<>();
    private final Set<Block> blocks;

    /**
     * Creates a table.
     *
     * @param guids aliases by place; if two places have the same alias, {@link #portOf} finds one of them
     * @param assigned GUIDs that the SA assigned, by place; the place may have another GUID or none at present
     * @param cleared blocks without aliases that are not written to their ports yet
     */
    public AliasTable(Map<Place, Long> guids, Map<Place, Long> assigned, Set<Block> cleared) {
        this.guids = Collections.unmodifiableMap(new LinkedHashMap<>(guids));
        this.assignedGuids = Collections.unmodifiableMap(new LinkedHashMap<>(assigned));
        this.clearedBlocks = Collections.unmodifiableSet(new LinkedHashSet<>(cleared));
        Set<Block> written = new HashSet<>(cleared);
        guids.forEach((place, guid) -> {
            places.put(guid, place);
            written.add(place.block());
        });
        this.blocks = Collections.unmodifiableSet(new LinkedHashSet<>(written));
    }

    /** Returns the aliases by place. */
    public Map<Place, Long> guids() {
        return guids;
    }

    /** Returns the GUIDs that the SA assigned, by place. */
    public Map<Place, Long> assignedGuids() {
        return assignedGuids;
    }

    /** Returns the blocks without aliases that are not written to their ports yet. */
    public Set<Block> clearedBlocks() {
        return clearedBlocks;
    }

    /** Returns the blocks that are to be written to ports; all other blocks of ports stay unchanged. */
    public Set<Block> blocks() {
        return blocks;
    }

    /** Returns the PortGUID of the port that has an alias; 0 if there is none. */
    public long portOf(long alias) {
        Place place = places.get(alias);
        return place == null ? 0 : place.portGuid();
    }

    /** Returns the eight GUIDs of a block; 0 for an empty entry. */
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
