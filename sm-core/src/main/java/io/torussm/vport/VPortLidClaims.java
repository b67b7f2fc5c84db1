package io.torussm.vport;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidBook;
import io.torussm.subnet.VPortLidStore;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.transport.Loop;
import io.torussm.vport.VPortManager.RoutingStart;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
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

    /** The time since the first subnet after which a vport that waits for the reading of a port is reported. */
    private static final long LONG_WAIT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final int PORTS_PER_SHARE = 8;

    private final Loop loop;
    private final VPortLidStore store;
    private final TableRequests tables;
    private final LongPredicate withoutVPorts;
    private final LongPredicate awaited;
    private final LongConsumer visitor;
    private final VPortLidBook book = new VPortLidBook();
    private final LidSpace space;

    /** By GUID of a vport that this SM has met at its port in this mastership. */
    private final Map<Long, StoredLid> met = new HashMap<>();

    /** By PortGUID: time until which changes have used the share of the port. */
    private final Map<Long, Long> paidUntilNs = new HashMap<>();

    /** By PortGUID of a port that is to be read: ports with a vport that waits for that. */
    private final Map<Long, Set<Long>> waitingPorts = new HashMap<>();

    /** Ports with a vport that waits until the port is allowed one more change. */
    private final Set<Long> delayedPorts = new HashSet<>();

    /** The value of the store that {@link #book} contains, apart from changes that are not written yet. */
    private VPortLids stored = VPortLids.NONE;

    /** The time of the first subnet of this mastership. */
    private long firstNs;

    private @Nullable Subnet subnet;
    private boolean isWriteDue;

    /** Ports with changes for which tables are not requested yet. */
    private final Set<Long> changedPorts = new HashSet<>();

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

        /** Checks whether the vport waits, and there is no reason yet to report that. */
        boolean isLater() {
            return lid == 0 && refusal.isEmpty();
        }
    }

    /**
     * Creates claims without a subnet.
     *
     * @param ports LIDs of ports, which no vport gets
     * @param routing begins to compute and write the tables of switches, if that is possible now
     * @param withoutVPorts whether a port, given by PortGUID, is present and announces no virtualization
     * @param awaited whether it is a port whose vports are to be read, and were not read yet, for a limited time
     * @param visitor takes the PortGUID of a port with a vport that waited, and may get a LID now
     */
    VPortLidClaims(
            Loop loop,
            LidStore ports,
            VPortLidStore store,
            Supplier<RoutingStart> routing,
            LongPredicate withoutVPorts,
            LongPredicate awaited,
            LongConsumer visitor) {
        this.loop = loop;
        this.space = new LidSpace(ports);
        this.store = store;
        this.tables = new TableRequests(loop, routing);
        this.withoutVPorts = withoutVPorts;
        this.awaited = awaited;
        this.visitor = visitor;
    }

    /**
     * Takes a published subnet. Returns the ports to be visited: those with a vport whose LID the subnet has, and the
     * one before had not, or the other way round. A vport whose LID a port has got gets another one.
     */
    Set<Long> publish(Subnet published) {
        Subnet before = subnet;
        subnet = published;
        if (before == null) {
            firstNs = loop.nowNs();
        }
        load();
        space.replace(published, before == null, book.size());
        releasePortsWithoutVPorts();
        met.keySet().removeIf(guid -> book.of(guid) == null);
        Set<Long> ports = new HashSet<>();
        boolean isMissing = false;
        for (Map.Entry<Long, VPortLid> entry : book.entries()) {
            VPortLid lid = entry.getValue();
            boolean isEffective = isIn(published, entry.getKey(), lid);
            boolean wasEffective = before != null && isIn(before, entry.getKey(), lid);
            boolean isLost = LidSpace.isOfPort(published, lid.lid());
            isMissing |= lid.isPresent() && space.hasPort(lid.portGuid()) && !isLost && !isEffective;
            if (lid.isPresent() && (isEffective != wasEffective || isLost)) {
                ports.add(lid.portGuid());
            }
        }
        if (!isMissing) {
            cancel();
            write(() -> {}); // the cancelled timer would have done that
        } else if (tables.isIdle()) {
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

    /**
     * Keeps the LIDs of vports at ports that have no vports any more for their return. A port that has left the subnet,
     * or did not respond, still has its vports: after its return they have the same LIDs without another run of the
     * engine.
     */
    private void releasePortsWithoutVPorts() {
        book.ports().stream().filter(withoutVPorts::test).forEach(portGuid -> retain(portGuid, Set.of()));
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
            return afterReadingOf(held.portGuid(), portGuid);
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
                return afterReadingOf(owner.portGuid(), portGuid);
            } else if (ownerGuid != null && owner != null && (isOwnerElsewhere || isForgotten(ownerGuid, owner))) {
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
            return isIn(now, guid, held) ? new LidGrant(held.lid(), "") : afterTablesWith(held.lid());
        }
        VPortLid back = held == null ? null : new VPortLid(held.lid(), portGuid, true);
        if (back != null && isIn(now, guid, back)) { // it returned before the switches lost its LID
            book.put(guid, back);
            met.put(guid, StoredLid.CONFIRMED);
            writeSoon();
            return new LidGrant(back.lid(), "");
        }
        return change(portGuid, guid, held, reported.lid());
    }

    private LidGrant afterTablesWith(int lid) {
        return new LidGrant(0, tables.reason(lid), !tables.isExhausted());
    }

    /** Checks whether no port has a vport by the store, and this SM has not met it at a port that is absent now. */
    private boolean isForgotten(long guid, VPortLid held) {
        return !held.isPresent() || (isOfAbsentPort(held) && met.get(guid) != StoredLid.CONFIRMED);
    }

    private boolean isOfAbsentPort(VPortLid lid) {
        return !space.hasPort(lid.portGuid());
    }

    /** Checks whether a vport may be at its port by the store, since the port was not read yet in this mastership. */
    private boolean mayBeThere(long guid, VPortLid held) {
        return held.isPresent() && met.get(guid) != StoredLid.CONFIRMED && awaited.test(held.portGuid());
    }

    private LidGrant afterReadingOf(long portGuid, long waitingPort) {
        waitingPorts.computeIfAbsent(portGuid, any -> new HashSet<>()).add(waitingPort);
        return loop.nowNs() - firstNs < LONG_WAIT_NS
                ? LidGrant.LATER
                : new LidGrant(0, "it waits until the vports of port " + Guid.format(portGuid) + " are read", true);
    }

    /** Gives a vport at a port the LID that it has at another one, or had, or a new one. */
    private LidGrant change(long portGuid, long guid, @Nullable VPortLid held, int reportedLid) {
        if (!mayChange(portGuid)) {
            visitLater(portGuid);
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
        tables.renew();
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

    /** Takes all vports of a port that was read. Keeps the LIDs of those that have left it for their return. */
    void retain(long portGuid, Set<Long> present) {
        book.guidsAt(portGuid).stream()
                .filter(guid -> !present.contains(guid))
                .forEach(guid -> release(portGuid, guid));
        Set<Long> waiting = waitingPorts.remove(portGuid);
        if (waiting != null) {
            waiting.forEach(visitor::accept);
        }
    }

    /** Checks whether a vport has the LID that it is to have, and no port has it. */
    boolean isRight(long portGuid, VirtualPort vport) {
        VPortLid held = book.of(vport.guid());
        int lid = held != null && held.isPresent() && held.portGuid() == portGuid ? held.lid() : 0;
        boolean isLost = lid != 0 && subnet != null && LidSpace.isOfPort(subnet, lid);
        return vport.lid() == lid && !isLost;
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
        waitingPorts.clear();
        delayedPorts.clear();
    }

    // --- shares ---

    private int share() {
        return Math.max(1, space.room() / PORTS_PER_SHARE);
    }

    /** Checks whether one more LID is within the shares, perhaps without those kept for vports that went. */
    private boolean makeRoom(long portGuid, @Nullable VPortLid held) {
        boolean isCounted = held != null && held.portGuid() == portGuid;
        boolean isOfPortFull = !isCounted && book.guidsAt(portGuid).size() >= share();
        if (isOfPortFull && removeUnused(book.guidsAt(portGuid), lid -> true) == 0) {
            return false;
        }
        return held != null || book.size() < space.room() || removeUnused(book.guids(), lid -> true) != 0;
    }

    /**
     * Removes the first LID of vports that went, or else of vports at a port that is absent, which may return with
     * them. Returns it; 0 if there is none.
     */
    private int removeUnused(Collection<Long> guids, Predicate<VPortLid> condition) {
        int lid = book.removeFirst(guids, each -> !each.isPresent() && condition.test(each));
        return lid != 0 ? lid : book.removeFirst(guids, each -> isOfAbsentPort(each) && condition.test(each));
    }

    /** Checks whether a port is allowed a change now. Changes that are collected count as one. */
    private boolean mayChange(long portGuid) {
        return changedPorts.contains(portGuid) || paidNs(portGuid) <= loop.nowNs();
    }

    /** Visits a port at the time at which it is allowed one more change. */
    private void visitLater(long portGuid) {
        if (delayedPorts.add(portGuid)) {
            loop.schedule(paidNs(portGuid) - loop.nowNs(), () -> {
                if (delayedPorts.remove(portGuid)) {
                    visitor.accept(portGuid);
                }
            });
        }
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

    /** Returns the lowest free LID, or one of a vport that went; 0 without one. */
    private int freeLid() {
        for (int lid = 1; lid <= space.lastLid(); lid = space.after(lid)) {
            if (isFree(lid)) {
                return lid;
            }
        }
        return removeUnused(book.guids(), lid -> space.contains(lid.lid()));
    }

    // --- tables ---

    private void requestSoon() {
        isWriteDue = true;
        tables.requestSoon(() -> {
            changedPorts.clear();
            write(() -> loop.execute(tables::request));
        });
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

    private void cancel() {
        tables.end();
        changedPorts.clear();
    }
}
