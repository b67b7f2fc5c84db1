package io.torussm.vport;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.subnet.LidReach;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidStore;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.transport.Loop;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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

    private static final int PORTS_PER_SHARE = 8;

    private final Loop loop;
    private final LidStore portLids;
    private final VPortLidStore store;
    private final BooleanSupplier routing;
    private final VPortLidBook book = new VPortLidBook();

    /** GUIDs of vports that this SM has met at their ports in this mastership. */
    private final Set<Long> confirmed = new HashSet<>();

    /** By PortGUID: time until which changes have used the share of the port. */
    private final Map<Long, Long> paidUntilNs = new HashMap<>();

    /** The value of the store that {@link #book} contains, apart from changes that are not written yet. */
    private VPortLids stored = VPortLids.NONE;

    /** LIDs that ports have, had or may have. */
    private BitSet ofPorts = new BitSet();

    private int lastLid;
    private @Nullable Subnet subnet;
    private boolean isWriteDue;

    /** True while changes are collected, of the ports in {@link #changedPorts}. */
    private boolean isCollecting;

    private final Set<Long> changedPorts = new HashSet<>();

    /** Requests in a row that did not give all vports their LIDs. */
    private int requests;

    private boolean isRouting;
    private Loop.Timer timer = () -> {};

    /**
     * The answer to a vport.
     *
     * @param lid LID that the switches forward to the port; 0 if there is none yet
     * @param refusal reason why it gets none; empty if it has one, or waits for the tables of switches
     */
    record LidGrant(int lid, String refusal) {
        private static final LidGrant LATER = new LidGrant(0, "");
    }

    /**
     * Creates claims without a subnet.
     *
     * @param ports LIDs of ports, which no vport gets
     * @param routing begins to compute and write the tables of switches; false if a sweep is in progress or due
     */
    VPortLidClaims(Loop loop, LidStore ports, VPortLidStore store, BooleanSupplier routing) {
        this.loop = loop;
        this.portLids = ports;
        this.store = store;
        this.routing = routing;
    }

    /**
     * Takes a published subnet. Returns the ports with a vport whose LID the subnet does not have, or has since this
     * subnet: they are to be visited.
     */
    Set<Long> publish(Subnet published) {
        Subnet before = subnet;
        subnet = published;
        Fabric fabric = published.fabric();
        lastLid = LidReach.of(fabric);
        ofPorts = portLids.allLids();
        portLids.lidsOutsideOf(fabric).forEach(ofPorts::set);
        for (int lid = 1; lid <= published.topLid(); lid++) {
            if (published.portOfLid(lid) != Fabric.NONE && published.routedLid(lid) == lid) {
                ofPorts.set(lid);
            }
        }
        load();
        releaseAbsentPorts(fabric);
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
            book.load(stored);
            confirmed.clear();
        }
    }

    /** Keeps the LIDs of vports at ports that have left the subnet for their return. */
    private void releaseAbsentPorts(Fabric fabric) {
        Set<Long> present = new HashSet<>();
        for (int port = 0; port < fabric.portCount() && book.size() > 0; port++) {
            present.add(fabric.portGuid(port));
        }
        book.ports().stream()
                .filter(portGuid -> !present.contains(portGuid))
                .forEach(portGuid -> retain(portGuid, Set.of()));
        paidUntilNs.keySet().retainAll(present);
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
        boolean isLost = held != null && ofPorts.get(held.lid()); // no other LID was left for a port
        boolean isOutdated = reported.state() == PortInfo.STATE_ACTIVE
                && !confirmed.contains(guid)
                && (held == null || held.lid() != reported.lid());
        if (isOutdated) {
            Long ownerGuid = book.guidOf(reported.lid());
            VPortLid owner = ownerGuid == null ? null : book.of(ownerGuid);
            if (owner != null && owner.isPresent() && !confirmed.contains(ownerGuid)) {
                return LidGrant.LATER; // the other one may be gone
            } else if (ownerGuid != null && owner != null && !owner.isPresent()) {
                book.remove(ownerGuid);
            }
            isLost |= isFree(reported.lid());
        }
        if (isLost) {
            book.remove(guid);
            held = null;
        }
        if (held != null && held.isPresent() && held.portGuid() == portGuid) {
            confirmed.add(guid);
            return isIn(now, guid, held)
                    ? new LidGrant(held.lid(), "")
                    : new LidGrant(0, requests < MAX_REQUESTS ? "" : "no tables have LID " + held.lid());
        }
        return change(portGuid, guid, held, reported.lid());
    }

    /** Gives a vport at a port the LID that it has at another one, or had, or a new one. */
    private LidGrant change(long portGuid, long guid, @Nullable VPortLid held, int reportedLid) {
        if (!makeRoom(portGuid, held)) {
            return new LidGrant(0, "its port has the LIDs of its share, " + share());
        } else if (!mayChange(portGuid)) {
            return LidGrant.LATER;
        }
        int lid = held != null ? held.lid() : isFree(reportedLid) ? reportedLid : freeLid();
        if (lid == 0) {
            return new LidGrant(0, "no LID is left for it");
        }
        book.put(guid, new VPortLid(lid, portGuid, true));
        confirmed.add(guid);
        requests = 0;
        requestSoon();
        return LidGrant.LATER;
    }

    /** Notes that a vport requires no LID of its own. */
    void release(long portGuid, long guid) {
        VPortLid held = book.of(guid);
        if (held != null && held.isPresent() && held.portGuid() == portGuid) {
            book.put(guid, new VPortLid(held.lid(), portGuid, false));
            confirmed.remove(guid);
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
        confirmed.clear();
        paidUntilNs.clear();
    }

    // --- shares ---

    /** Returns the number of LIDs for all vports. */
    private int room() {
        return Math.max(0, lastLid - ofPorts.cardinality()) / 2;
    }

    private int share() {
        return Math.max(1, room() / PORTS_PER_SHARE);
    }

    /** Checks whether one more LID is within the shares, perhaps without those kept for vports that went. */
    private boolean makeRoom(long portGuid, @Nullable VPortLid held) {
        boolean isCounted = held != null && held.portGuid() == portGuid;
        boolean isOfPortFull = !isCounted && book.guidsAt(portGuid).size() >= share();
        if (isOfPortFull && book.removeAbsent(book.guidsAt(portGuid), lid -> true) == 0) {
            return false;
        }
        return held != null || book.size() < room() || book.removeAbsent(lid -> true) != 0;
    }

    /** Checks whether a port is allowed a change now. Changes that are collected count as one. */
    private boolean mayChange(long portGuid) {
        if (changedPorts.contains(portGuid)) {
            return true;
        }
        long nowNs = loop.nowNs();
        long paidNs = Math.max(paidUntilNs.getOrDefault(portGuid, Long.MIN_VALUE), nowNs - BURST * PAUSE_NS);
        if (paidNs > nowNs) {
            return false;
        }
        paidUntilNs.put(portGuid, paidNs + PAUSE_NS);
        changedPorts.add(portGuid);
        return true;
    }

    private boolean isFree(int lid) {
        return Lids.isUnicast(lid) && lid <= lastLid && !ofPorts.get(lid) && !book.hasLid(lid);
    }

    /** Returns the lowest free LID, or that of the vport that went first; 0 without one. */
    private int freeLid() {
        for (int lid = 1; lid <= lastLid; lid = ofPorts.nextClearBit(lid + 1)) {
            if (isFree(lid)) {
                return lid;
            }
        }
        return book.removeAbsent(lid -> lid.lid() <= lastLid && !ofPorts.get(lid.lid()));
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
            stored = book.value();
            store.replace(stored, then);
        } else {
            then.run();
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
