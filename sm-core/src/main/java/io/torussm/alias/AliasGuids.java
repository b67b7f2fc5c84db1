package io.torussm.alias;

import io.torussm.alias.AliasTable.Block;
import io.torussm.alias.AliasTable.Place;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Guid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.sa.change.UpdateGate;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongPredicate;

/**
 * The owner of the alias GUIDs. It takes changes from any thread, applies them on the loop, and answers each
 * after its publication. The changes of a burst are published together, and passed together to the programmer
 * of the ports.
 *
 * <p>A GUID has at most one place. A request for the GUID at another place is not granted, but answered with the
 * present entries. If the SA has assigned a GUID to an entry, it assigns the same GUID to that entry again, and to no
 * other entry.
 *
 * <p>Owner thread: the loop, except for methods that say otherwise.
 */
public final class AliasGuids {
    private static final EventLog EVENTS = EventLog.of(AliasGuids.class);

    /** Max number of aliases, and of assigned GUIDs. */
    public static final int MAX_ALIASES = 1 << 18;

    /** Max number of changes that wait for the loop. */
    private static final int MAX_WAITING = 1 << 14;

    /** The OUI of assigned GUIDs, in the 24 highest bits, as in OpenSM. */
    private static final long OUI = 0x00_1405L << 40;

    /** Max number of an assigned GUID: its lower 32 bits. */
    private static final long MAX_ASSIGNED_NUMBER = 0xffff_ffffL;

    /**
     * The other users of GUIDs.
     *
     * @param isPort checks whether a GUID is a PortGUID
     * @param isMember checks whether a GUID is a member of a multicast group
     */
    public record Users(LongPredicate isPort, LongPredicate isMember) {}

    /** A consumer of the outcome of a change: a MAD status, and the resulting block if that is OK. */
    public interface ChangeCompletion {
        /** Receives the MAD status and the eight GUIDs of the block; called once, on the loop. */
        void complete(int status, long[] guids);
    }

    /** An EUI-64 of all ones, which no port has. */
    private static final long NO_GUID = -1;

    private final Loop loop;
    private final IntSupplier guidPrefixByte;

    /** Aliases by place. */
    private final Map<Place, Long> guids = new LinkedHashMap<>();

    /** Places of aliases. */
    private final Map<Long, Place> places = new HashMap<>();

    /** The GUID that the SA assigned to a place, also if the place has another GUID or none at present. */
    private final Map<Place, Long> assignedGuids = new LinkedHashMap<>();

    /** Blocks without aliases that are not written to their ports yet. */
    private final Set<Block> clearedBlocks = new HashSet<>();

    private final UpdateGate updateGate;

    /** Blocks that changed since the last publication. */
    private Set<Block> unpublishedBlocks = new HashSet<>();

    /** Number of the last assigned GUID. */
    private long lastNumber;

    private volatile AliasTable table = AliasTable.NONE;
    private Consumer<Set<Block>> writer = blocks -> {};
    private Consumer<AliasTable> store = current -> {};
    private LongPredicate isReserved = guid -> false;
    private volatile VPortGuids vports = guid -> 0;

    /**
     * Creates an empty table.
     *
     * @param group returns bits 39 to 32 of assigned GUIDs, 0 to 255; called for each assigned GUID
     */
    public AliasGuids(Loop loop, IntSupplier group) {
        this.loop = loop;
        this.guidPrefixByte = group;
        this.updateGate = new UpdateGate(loop, MAX_WAITING, this::publish);
    }

    /** Returns the last published aliases. May be called from any thread. */
    public AliasTable table() {
        return table;
    }

    /** Sets the source of virtual ports, whose GUIDs are no aliases. */
    public void setVPorts(VPortGuids others) {
        vports = others;
    }

    /** Returns the virtual ports. May be called from any thread. */
    public VPortGuids vports() {
        return vports;
    }

    /**
     * Returns the PortGUID of the port that has a GUID as alias, or whose virtual port has it; 0 if there is none. May
     * be called from any thread.
     */
    public long portOf(long guid) {
        long port = table.portOf(guid);
        return port == 0 ? vports.portOf(guid) : port;
    }

    /** Checks whether a virtual port, other than the physical function, has a GUID. May be called from any thread. */
    public boolean isVPort(long guid) {
        return vports.portOf(guid) != 0;
    }

    /** Sets the listener for blocks that are to be written to ports. */
    public void whenChanged(Consumer<Set<Block>> newWriter) {
        loop.requireInLoop();
        writer = newWriter;
    }

    /** Sets the listener that records all aliases after each change. */
    public void whenPublished(Consumer<AliasTable> newStore) {
        loop.requireInLoop();
        store = newStore;
    }

    /** Sets the check for PortGUIDs of absent ports, which may not become aliases; the check is called on the loop. */
    public void setReserved(LongPredicate ofAbsentPorts) {
        loop.requireInLoop();
        isReserved = ofAbsentPorts;
    }

    /** Removes and reports aliases that are PortGUIDs of ports. */
    public void removePortGuids(LongPredicate isPort) {
        loop.requireInLoop();
        List<Place> faults = places.entrySet().stream()
                .filter(entry -> isPort.test(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        for (Place place : faults) {
            EVENTS.report(
                    SmEvent.ALIAS_GUID_WITHDRAWN,
                    EventField.GUID.of(Guid.format(guids.getOrDefault(place, 0L))),
                    EventField.PEER.of(Guid.format(place.portGuid())));
            forget(place);
            assignedGuids.remove(place);
        }
        if (!faults.isEmpty()) {
            updateGate.publish();
        }
    }

    /**
     * Sets aliases of a port. May be called from any thread.
     *
     * @param selected entries to set: bit n is entry n of the block
     * @param wanted the eight GUIDs of the block; 0: the SA assigns a GUID
     * @param then callback, called once, on the loop
     * @return false if too many changes wait, so that the change was not submitted
     */
    public boolean set(Block block, int selected, long[] wanted, Users users, ChangeCompletion then) {
        long[] copy = wanted.clone();
        return submit(() -> put(block, selected, copy, users), block, then);
    }

    /**
     * Removes aliases of a port. May be called from any thread.
     *
     * @param selected entries to remove: bit n is entry n of the block
     * @param then callback, called once, on the loop
     * @return false if too many changes wait, so that the change was not submitted
     */
    public boolean delete(Block block, int selected, Users users, ChangeCompletion then) {
        return submit(() -> remove(block, selected, users), block, then);
    }

    private boolean submit(IntSupplier change, Block block, ChangeCompletion then) {
        return updateGate.submit(() -> {
            int status = change.getAsInt();
            return () -> then.complete(status, table.guids(block));
        });
    }

    private Runnable publish() {
        if (unpublishedBlocks.isEmpty()) {
            return () -> {};
        }
        Set<Block> changedBlocks = unpublishedBlocks;
        unpublishedBlocks = new HashSet<>();
        table = new AliasTable(guids, assignedGuids, clearedBlocks);
        return () -> {
            writer.accept(changedBlocks);
            store.accept(table);
        };
    }

    /** Changes all selected entries, or none; returns a MAD status. */
    private int put(Block block, int selected, long[] wanted, Users users) {
        Map<Place, Long> planned = new LinkedHashMap<>();
        for (int i = 0; i < GuidInfo.GUIDS_PER_BLOCK; i++) {
            if ((selected >> i & 1) == 0) {
                continue;
            }
            Place place = block.place(i);
            long presentGuid = guids.getOrDefault(place, 0L);
            long guid = wanted[i] == 0 ? assign(place, users, planned) : wanted[i];
            if (guid == 0) {
                return MadStatus.SA_NO_RESOURCES;
            }
            boolean isChange = guid != presentGuid && isFree(guid, place, users) && !planned.containsValue(guid);
            if (isChange && presentGuid != 0 && users.isMember().test(presentGuid)) {
                return MadStatus.SA_REQ_DENIED;
            }
            if (isChange) {
                planned.put(place, guid);
            }
        }
        if (guids.size() + planned.size() > MAX_ALIASES || assignedGuids.size() + planned.size() > MAX_ALIASES) {
            return MadStatus.SA_NO_RESOURCES;
        }
        planned.forEach((place, guid) -> {
            forget(place);
            remember(place, guid);
            if (wanted[place.index() % GuidInfo.GUIDS_PER_BLOCK] == 0) {
                assignedGuids.put(place, guid);
            }
        });
        return MadStatus.OK;
    }

    private boolean isFree(long guid, Place place, Users users) {
        Place current = places.get(guid);
        return guid != NO_GUID
                && (current == null || current.equals(place))
                && !users.isPort().test(guid)
                && !isReserved.test(guid)
                && !isVPort(guid);
    }

    /**
     * Returns the GUID that was assigned to an entry before if it is free, or else a new one; 0 if all are used.
     *
     * @param planned GUIDs of the same change
     */
    private long assign(Place place, Users users, Map<Place, Long> planned) {
        Long previous = assignedGuids.get(place);
        if (previous != null && isFree(previous, place, users) && !planned.containsValue(previous)) {
            return previous;
        }
        while (lastNumber < MAX_ASSIGNED_NUMBER) {
            lastNumber++;
            long guid = OUI | (long) guidPrefixByte.getAsInt() << Integer.SIZE | lastNumber;
            if (isFree(guid, place, users) && !places.containsKey(guid) && !planned.containsValue(guid)) {
                return guid;
            }
        }
        return 0;
    }

    private int remove(Block block, int selected, Users users) {
        List<Place> removed = new ArrayList<>();
        for (int i = 0; i < GuidInfo.GUIDS_PER_BLOCK; i++) {
            Long presentGuid = (selected >> i & 1) == 0 ? null : guids.get(block.place(i));
            if (presentGuid != null && users.isMember().test(presentGuid)) {
                return MadStatus.SA_REQ_DENIED;
            }
            if (presentGuid != null) {
                removed.add(block.place(i));
            }
        }
        removed.forEach(this::forget);
        return MadStatus.OK;
    }

    private void remember(Place place, long guid) {
        guids.put(place, guid);
        places.put(guid, place);
        clearedBlocks.remove(place.block());
        unpublishedBlocks.add(place.block());
    }

    private void forget(Place place) {
        Long guid = guids.remove(place);
        if (guid == null) {
            return;
        }
        places.remove(guid);
        unpublishedBlocks.add(place.block());
        if (!hasAlias(place.block())) {
            clearedBlocks.add(place.block());
        }
    }

    /** Handles that a block of the table has been written to its port. */
    public void onBlockWritten(Block block) {
        loop.requireInLoop();
        if (clearedBlocks.remove(block)) {
            table = new AliasTable(guids, assignedGuids, clearedBlocks);
            store.accept(table);
        }
    }

    /**
     * Adds the aliases of an earlier process or of another SM whose entries are empty and whose GUIDs are unused.
     */
    public void restore(AliasTable known) {
        loop.requireInLoop();
        known.guids().forEach((place, guid) -> {
            if (guids.size() < MAX_ALIASES
                    && guid != NO_GUID
                    && !guids.containsKey(place)
                    && !places.containsKey(guid)) {
                remember(place, guid);
            }
        });
        known.assignedGuids().forEach((place, guid) -> {
            if (assignedGuids.size() < MAX_ALIASES) {
                assignedGuids.putIfAbsent(place, guid);
                lastNumber = Math.max(lastNumber, guid & MAX_ASSIGNED_NUMBER);
            }
        });
        for (Block block : known.clearedBlocks()) {
            if (clearedBlocks.size() < MAX_ALIASES && !hasAlias(block)) {
                clearedBlocks.add(block);
                unpublishedBlocks.add(block);
            }
        }
        updateGate.publish();
    }

    private boolean hasAlias(Block block) {
        for (int i = 0; i < GuidInfo.GUIDS_PER_BLOCK; i++) {
            if (guids.containsKey(block.place(i))) {
                return true;
            }
        }
        return false;
    }

    /** Removes all aliases, because another SM is master. */
    public void forget() {
        loop.requireInLoop();
        guids.clear();
        places.clear();
        assignedGuids.clear();
        clearedBlocks.clear();
        unpublishedBlocks.clear();
        lastNumber = 0;
        table = AliasTable.NONE;
        store.accept(table);
    }
}
