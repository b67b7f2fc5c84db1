package io.torussm.vport;

import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.VPortKeys;
import io.torussm.transport.Loop;
import io.torussm.vport.PublishedPorts.PhysicalPort;
import io.torussm.vport.VPortSetup.WaitingVPort;
import io.torussm.vport.VisitQueue.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The scheduler of visits: which port is visited when, and how much of it. A port whose vports were verified costs one
 * Get after each sweep, as long as nothing suggests a change: its PortInfo, a trap, other P_Keys, or a problem of its
 * last visit. Owner thread: the loop.
 */
final class VisitScheduler {
    /** A PortInfo that no port has, for ports whose vports may have changed. */
    private static final PortInfo UNVERIFIED = PortInfo.TYPE.zero();

    private final PublishedPorts ports;
    private final VPortTable table;
    private final Supplier<VPortKeys> keys;
    private final Consumer<VisitTarget> visitor;
    private final VisitQueue queue = new VisitQueue(VPortManager.MAX_VISITS);
    private final VisitTimers timers;

    /** By PortGUID of a port that was visited: the PortInfo with which its vports are right, or {@link #UNVERIFIED}. */
    private final Map<Long, PortInfo> verified = new HashMap<>();

    /** By PortGUID: vports that wait for a LID, and need not be read again unless something suggests a change. */
    private final Map<Long, List<WaitingVPort>> waiting = new HashMap<>();

    /** Ports that were distrusted since the begin of their last visit. */
    private final Set<Long> distrusted = new HashSet<>();

    /**
     * Ports that responded when clients on their vports were asked to register with this SM. They are not asked again:
     * each such request costs as many SA registrations as the port has multicast members and services.
     */
    private final Set<Long> reregistered = new HashSet<>();

    /**
     * Creates a scheduler without ports.
     *
     * @param keys the P_Keys of vports
     * @param visitor starts a visit
     * @param onOverdue takes a port whose vports were not all read in time
     */
    VisitScheduler(
            Loop loop,
            PublishedPorts ports,
            VPortTable table,
            Supplier<VPortKeys> keys,
            Consumer<VisitTarget> visitor,
            Consumer<Long> onOverdue) {
        this.ports = ports;
        this.table = table;
        this.keys = keys;
        this.visitor = visitor;
        this.timers = new VisitTimers(loop, this::retry, onOverdue);
    }

    /** Adds a port that is to be visited; {@link #run} starts the visit. */
    void add(long portGuid) {
        queue.add(portGuid);
    }

    /** Marks a port as one whose vports may have changed, so that its next visit reads them. */
    void distrust(long portGuid) {
        verified.put(portGuid, UNVERIFIED);
        waiting.remove(portGuid);
        distrusted.add(portGuid);
    }

    /** Marks a port whose vports have got or lost a LID; those that waited for it need not be read again. */
    void noteLids(long portGuid) {
        verified.put(portGuid, UNVERIFIED);
    }

    /** Checks whether a port was never visited, or has another PortInfo than at its last visit. */
    boolean hasOtherInfo(long portGuid) {
        PhysicalPort port = ports.get(portGuid);
        PortInfo last = verified.get(portGuid);
        return port != null && (last == null || !(last.equals(UNVERIFIED) || last.equals(port.info())));
    }

    private void retry(List<Long> portGuids) {
        portGuids.forEach(portGuid -> {
            waiting.remove(portGuid);
            queue.add(portGuid);
        });
        run();
    }

    /** Starts visits, as many as are allowed at the same time. */
    void run() {
        while (queue.hasNext()) {
            long portGuid = queue.next();
            PhysicalPort port = ports.get(portGuid);
            if (port == null) {
                queue.end(portGuid, null, false);
            } else {
                visitor.accept(begin(port));
            }
        }
    }

    private VisitTarget begin(PhysicalPort port) {
        long portGuid = port.guid();
        timers.begin(portGuid, table.guidsAt(portGuid) == null);
        distrusted.remove(portGuid);
        boolean isBrief = port.info().equals(verified.put(portGuid, port.info()));
        boolean isReregistrationDue = !reregistered.contains(portGuid);
        return new VisitTarget(
                port,
                table.of(portGuid),
                isBrief,
                isReregistrationDue,
                keys.get(),
                queue.startOf(portGuid),
                waiting.getOrDefault(portGuid, List.of()));
    }

    /** Ends a visit, and decides about the next one of the port. */
    Verdict end(VisitTarget target, VisitResult result) {
        long portGuid = target.portGuid();
        if (!result.isReregistrationDue()) {
            reregistered.add(portGuid);
        }
        // Vports that were visited before a change of the P_Keys may have the earlier ones.
        boolean isOutdated = target.keys() != keys.get() || target.start().isOutdated();
        if (isOutdated && result.isWhole()) {
            queue.add(portGuid);
        }
        // An earlier SM may have left vports in use. Their P_Keys pass the switch only as long as they are waited for.
        boolean isFirstReadingDue = result.isWhole() && table.guidsAt(portGuid) == null;
        boolean isRetryDue = result.isRetryDue() || isFirstReadingDue;
        Verdict verdict = queue.end(portGuid, result.nextStart(), isRetryDue);
        if (isOutdated) {
            distrust(portGuid);
        } else if (!result.isAsWanted()) {
            verified.put(portGuid, UNVERIFIED);
        }
        if (result.waiting().isEmpty() || !result.isRead() || distrusted.contains(portGuid)) {
            waiting.remove(portGuid);
        } else {
            waiting.put(portGuid, result.waiting());
        }
        if (isRetryDue || (result.isWhole() && !result.waiting().isEmpty())) {
            timers.visitLater(portGuid, result.isUnanswered());
        }
        return verdict;
    }

    /** Ends the visit of a port that is absent since. */
    void endAbsent(long portGuid) {
        queue.end(portGuid, null, false);
    }

    /** Returns the ports that were visited, or are visited. */
    List<Long> visitedPorts() {
        return List.copyOf(verified.keySet());
    }

    /** Checks whether a port is to be visited again since its device did not respond. */
    boolean isSilent(long portGuid) {
        return timers.isSilent(portGuid);
    }

    /** Checks whether visits leave room for other requests, apart from slow ports, which may be visited without end. */
    boolean isHalfFree() {
        return queue.isHalfFree();
    }

    /** Checks whether no port waits or is visited. */
    boolean isIdle() {
        return queue.isEmpty();
    }

    /** Removes a port that is absent. */
    void remove(long portGuid) {
        verified.remove(portGuid);
        waiting.remove(portGuid);
        distrusted.remove(portGuid);
        reregistered.remove(portGuid);
        timers.remove(portGuid);
        queue.remove(portGuid);
    }

    void clear() {
        verified.clear();
        waiting.clear();
        distrusted.clear();
        reregistered.clear();
        timers.clear();
        queue.clear();
    }
}
