package io.torussm.vport;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidStore;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The LIDs of vports that require one of their own. A vport keeps the LID of its GUID, also at another port. A LID is
 * granted once the published subnet has it, so that all switches have its entries before the vport is ACTIVE.
 *
 * <p>A host chooses the number of its vports and their GUIDs. Therefore vports get at most half of the LIDs that ports
 * leave free, those of one port an eighth of that, and a port has {@link #BURST} changes in a row without delay. The
 * LID of a vport that went is kept for its return, until another vport needs it. Owner thread: the loop.
 */
final class VPortLidClaims {
    /** Changes of a port in a row that are not delayed; those of several vports at the same time count as one. */
    static final int BURST = 64;

    /** Time in which a port is allowed one more change. */
    static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    /** The time in which changes are collected, since each one costs a run of the engine. */
    private static final long COLLECTING_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The time after which tables are requested again if they have not come; doubled each time. */
    private static final long FIRST_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The time after which tables are requested again if a sweep was in progress, and published nothing. */
    private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Requests in a row for the same LIDs, the last one after a minute. */
    private static final int MAX_REQUESTS = 10;

    /** The time since the first subnet after which a vport that waits for the reading of a port is reported. */
    private static final long LONG_WAIT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final int PORTS_PER_SHARE = 8;

    private final Loop loop;
    private final VPortLidStore store;
    private final BooleanSupplier routing;
    private final LongPredicate virtual;
    private final LongPredicate awaited;
    private final VPortLidBook book = new VPortLidBook();
    private final LidSpace space;

    /** By GUID of a vport that this SM has met at its port in this mastership. */
    private final Map<Long, StoredLid> met = new HashMap<>();

    /** By PortGUID: time until which changes have used the share of the port. */
    private final Map<Long, Long> paidUntilNs = new HashMap<>();

    /** The value of the store that {@link #book} contains, apart from changes that are not written yet. */
    private VPortLids stored = VPortLids.NONE;

    /** The time of the first subnet of this mastership. */
    private long firstNs;

    private @Nullable Subnet subnet;
    private boolean isWriteDue;

    /** True while changes are collected, of the ports in {@link #changedPorts}. */
    private boolean isCollecting;

    private final Set<Long> changedPorts = new HashSet<>();

    /** Requests in a row that did not give all vports their LIDs. */
    private int requests;

    private boolean isRouting;
    private Loop.Timer timer = () -> {};

    /** The knowledge about the stored LID of a vport that was met. */
    private enum StoredLid {
        /** The vport is at its port, and has or gets this LID. */
        CONFIRMED,
        /** The vport is ACTIVE with another LID, so it does not use the stored one. */
        OUTDATED
    }

    /**
     * The answer to a vport.
     *
     * @param lid LID that the switches forward to the port; 0 if there is none yet
     * @param refusal reason why it gets none; empty if it has one, or waits for the tables of switches
     * @param isAwaited whether another visit soon may give it one
     */
    record LidGrant(int lid, String refusal, boolean isAwaited) {
        private static final LidGrant LATER = new LidGrant(0, "");

        LidGrant(int lid, String refusal) {
            this(lid, refusal, lid == 0 && refusal.isEmpty());
        }
    }

    /**
     * Creates claims without a subnet.
     *
     * @param ports LIDs of ports, which no vport gets
     * @param routing begins to compute and write the tables of switches; false if a sweep is in progress or due
     * @param virtual whether a port, given by PortGUID, is present and may have vports
     * @param awaited whether it is such a port, whose vports were not read yet, for a limited time
     */
    VPortLidClaims(
            Loop loop,
            LidStore ports,
            VPortLidStore store,
            BooleanSupplier routing,
            LongPredicate virtual,
            LongPredicate awaited) {
        this.loop = loop;
        this.space = new LidSpace(ports);
        this.store = store;
        this.routing = routing;
        this.virtual = virtual;
        this.awaited = awaited;
    }

    /**
     * Takes a published subnet. Returns the ports with a vport whose LID the subnet does not have, or has since this
     * subnet: they are to be visited.
     */
    Set<Long> publish(Subnet published) {
        Subnet before = subnet;
        subnet = published;
        if (before == null) {
            firstNs = loop.nowNs();
        }
        load();
        space.replace(published, before == null, book.size());
        releaseAbsentPorts();
        met.keySet().removeIf(guid -> book.of(guid) == null);
        Set<Long> ports = new HashSet<>();
        boolean isMissing = false;
        for (Map.Entry<Long, VPortLid> entry : book.entries()) {
            VPortLid lid = entry.getValue();
            boolean isEffective = isIn(published, entry.getKey(), lid);
            isMissing |= lid.isPresent() && !isEffective;
            if (lid.isPresent() && !(isEffective && before != null && isIn(before, entry.getKey(), lid))) {
                ports.add(lid.portGuid());
            }
        }
        if (!isMissing) {
            cancel();
            write(() -> {}); // the cancelled timer would have done that
        } else if (requests == 0 || !isRouting) {
            requestSoon();
        }
        return ports;
    }

    /** Reads the store again if it has another value, as upon a state of another SM. */
    @SuppressWarnings("ReferenceEquality") // The store has the same object until it gets another value.
    private void load() {
        if (!isWriteDue && store.lids() != stored) {
            stored = store.lids();
            met.keySet().removeIf(guid -> !Objects.equals(book.of(guid), stored.of(guid)));
            book.load(stored);
        }
    }

    /** Keeps the LIDs of vports at ports that have left the subnet, or have no vports any more, for their return. */
    private void releaseAbsentPorts() {
        book.ports().stream()
                .filter(portGuid -> !virtual.test(portGuid))
                .forEach(portGuid -> retain(portGuid, Set.of()));
        paidUntilNs.values().removeIf(paidNs -> paidNs <= loop.nowNs() - BURST * PAUSE_NS);
    }

    private static boolean isIn(Subnet subnet, long guid, VPortLid lid) {
        return lid.equals(subnet.vportLids().of(guid));
    }

    /**
     * Returns the LID of a vport at a port.
     *
     * @param reported VPortInfo of the vport. If no LID is known for it, it keeps its VPortLID; if it is ACTIVE, it
     *     does so also if this SM gave it another one in an earlier mastership
     */
    LidGrant claim(long portGuid, long guid, VPortInfo reported) {
        Subnet now = subnet;
        if (now == null) {
            return LidGrant.LATER;
        }
        VPortLid held = book.of(guid);
        boolean isLost = held != null && LidSpace.isOfPort(now, held.lid()); // no other LID was left for a port
        if (held != null && !isLost && held.portGuid() != portGuid && mayBeThere(guid, held)) {
            return afterReadingOf(held.portGuid());
        }
        boolean isOutdated = reported.state() == PortInfo.STATE_ACTIVE
                && space.isPlausible(reported.lid())
                && met.get(guid) != StoredLid.CONFIRMED
                && (held == null || held.lid() != reported.lid());
        if (isOutdated) {
            if (held != null) {
                met.put(guid, StoredLid.OUTDATED);
            }
            Long ownerGuid = book.guidOf(reported.lid());
            VPortLid owner = ownerGuid == null ? null : book.of(ownerGuid);
            boolean isOwnerElsewhere =
                    ownerGuid != null && !ownerGuid.equals(guid) && met.get(ownerGuid) == StoredLid.OUTDATED;
            if (ownerGuid != null && owner != null && !isOwnerElsewhere && mayBeThere(ownerGuid, owner)) {
                return afterReadingOf(owner.portGuid());
            } else if (ownerGuid != null && owner != null && (isOwnerElsewhere || !owner.isPresent())) {
                book.remove(ownerGuid);
            }
            isLost |= isFree(reported.lid());
        }
        if (isLost) {
            book.remove(guid);
            met.remove(guid, StoredLid.OUTDATED);
            held = null;
        }
        if (held != null && held.isPresent() && held.portGuid() == portGuid) {
            met.put(guid, StoredLid.CONFIRMED);
            return isIn(now, guid, held)
                    ? new LidGrant(held.lid(), "")
                    : new LidGrant(0, requests < MAX_REQUESTS ? "" : "no tables have LID " + held.lid());
        }
        return change(portGuid, guid, held, reported.lid());
    }

    /** Checks whether a vport may be at its port by the store, since the port was not read yet in this mastership. */
    private boolean mayBeThere(long guid, VPortLid held) {
        return held.isPresent() && met.get(guid) != StoredLid.CONFIRMED && awaited.test(held.portGuid());
    }

    private LidGrant afterReadingOf(long portGuid) {
        return loop.nowNs() - firstNs < LONG_WAIT_NS
                ? LidGrant.LATER
                : new LidGrant(0, "it waits until the vports of port " + Guid.format(portGuid) + " are read", true);
    }

    /** Gives a vport at a port the LID that it has at another one, or had, or a new one. */
    private LidGrant change(long portGuid, long guid, @Nullable VPortLid held, int reportedLid) {
        if (!mayChange(portGuid)) {
            return LidGrant.LATER;
        } else if (!makeRoom(portGuid, held)) {
            return new LidGrant(0, "its port has the LIDs of its share, " + share());
        }
        boolean mayKeep = space.isPlausible(reportedLid) && isFree(reportedLid);
        int lid = held != null ? held.lid() : mayKeep ? reportedLid : freeLid();
        if (lid == 0) {
            return new LidGrant(0, "no LID is left for it");
        }
        countChange(portGuid);
        book.put(guid, new VPortLid(lid, portGuid, true));
        met.put(guid, StoredLid.CONFIRMED);
        requests = 0;
        requestSoon();
        return LidGrant.LATER;
    }

    /** Notes that a vport requires no LID of its own. */
    void release(long portGuid, long guid) {
        VPortLid held = book.of(guid);
        if (held != null && held.isPresent() && held.portGuid() == portGuid) {
            book.put(guid, new VPortLid(held.lid(), portGuid, false));
            met.remove(guid);
            writeSoon();
        }
    }

    /** Keeps the LIDs of those vports that have left a port for their return. */
    void retain(long portGuid, Set<Long> present) {
        book.guidsAt(portGuid).stream()
                .filter(guid -> !present.contains(guid))
                .forEach(guid -> release(portGuid, guid));
    }

    /** Checks whether a vport has the LID that it is to have. */
    boolean isRight(long portGuid, VirtualPort vport) {
        VPortLid held = book.of(vport.guid());
        int lid = held != null && held.isPresent() && held.portGuid() == portGuid ? held.lid() : 0;
        return vport.lid() == lid;
    }

    /** Forgets the subnet: another SM is master. The LIDs stay stored. */
    void forget() {
        cancel();
        subnet = null;
        isWriteDue = false;
        stored = VPortLids.NONE;
        book.load(stored);
        met.clear();
        paidUntilNs.clear();
    }

    // --- shares ---

    private int share() {
        return Math.max(1, space.room() / PORTS_PER_SHARE);
    }

    /** Checks whether one more LID is within the shares, perhaps without those kept for vports that went. */
    private boolean makeRoom(long portGuid, @Nullable VPortLid held) {
        boolean isCounted = held != null && held.portGuid() == portGuid;
        boolean isOfPortFull = !isCounted && book.guidsAt(portGuid).size() >= share();
        if (isOfPortFull && book.removeAbsent(book.guidsAt(portGuid), lid -> true) == 0) {
            return false;
        }
        return held != null || book.size() < space.room() || book.removeAbsent(lid -> true) != 0;
    }

    /** Checks whether a port is allowed a change now. Changes that are collected count as one. */
    private boolean mayChange(long portGuid) {
        return changedPorts.contains(portGuid) || paidNs(portGuid) <= loop.nowNs();
    }

    private void countChange(long portGuid) {
        if (changedPorts.add(portGuid)) {
            paidUntilNs.put(portGuid, paidNs(portGuid) + PAUSE_NS);
        }
    }

    private long paidNs(long portGuid) {
        return Math.max(paidUntilNs.getOrDefault(portGuid, Long.MIN_VALUE), loop.nowNs() - BURST * PAUSE_NS);
    }

    private boolean isFree(int lid) {
        return space.contains(lid) && !book.hasLid(lid);
    }

    /** Returns the lowest free LID, or that of the vport that went first; 0 without one. */
    private int freeLid() {
        for (int lid = 1; lid <= space.lastLid(); lid = space.after(lid)) {
            if (isFree(lid)) {
                return lid;
            }
        }
        return book.removeAbsent(lid -> space.contains(lid.lid()));
    }

    // --- tables ---

    private void requestSoon() {
        isWriteDue = true;
        if (!isCollecting) {
            isCollecting = true;
            timer.cancel();
            timer = loop.schedule(COLLECTING_NS, () -> {
                isCollecting = false;
                changedPorts.clear();
                write(() -> loop.execute(this::request));
            });
        }
    }

    /** Writes changes that no switch needs before the next sweep. */
    private void writeSoon() {
        if (!isWriteDue) {
            isWriteDue = true;
            loop.execute(() -> write(() -> {}));
        }
    }

    private void write(Runnable then) {
        if (isWriteDue) {
            isWriteDue = false;
            adopt();
            stored = book.value();
            store.replace(stored, then);
        } else {
            then.run();
        }
    }

    /** Takes the LIDs that the store has got from another SM since it was read, so that the next value has them. */
    @SuppressWarnings("ReferenceEquality") // as in load
    private void adopt() {
        VPortLids newer = store.lids();
        if (newer != stored) {
            newer.guids().stream().filter(guid -> stored.of(guid) == null).forEach(guid -> {
                VPortLid lid = Objects.requireNonNull(newer.of(guid));
                if (book.of(guid) == null && !book.hasLid(lid.lid())) {
                    book.put(guid, lid);
                }
            });
        }
    }

    /** Requests tables, until the published subnet has all LIDs. */
    private void request() {
        if (subnet != null && !isCollecting && requests < MAX_REQUESTS) {
            isRouting = routing.getAsBoolean();
            requests += isRouting ? 1 : 0;
            timer.cancel();
            timer = loop.schedule(isRouting ? FIRST_RETRY_NS << requests : BUSY_NS, this::request);
        }
    }

    private void cancel() {
        timer.cancel();
        isCollecting = false;
        changedPorts.clear();
        requests = 0;
    }
}
