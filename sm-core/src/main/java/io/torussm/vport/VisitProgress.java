package io.torussm.vport;

import io.torussm.mad.smp.PortInfo;
import io.torussm.vport.VPortReader.VPortStates;
import io.torussm.vport.VPortSetup.WaitingVPort;
import io.torussm.vport.VisitResult.StatesReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The vports of a port while it is visited: those that were found, and those that are still to be read. Vports of the
 * previous visit are kept until the device has said otherwise. A visit may fail at any SMP, and the SA and the switch
 * at the port serve by the vports that it leaves.
 */
final class VisitProgress {
    /** By VPortIndex: vports of the previous visit that this one has neither found nor dropped. */
    private final Map<Integer, VirtualPort> previous = new HashMap<>();

    private final List<VirtualPort> found = new ArrayList<>();

    /** By VPortIndex: vports that wait for a LID, of this visit, and of earlier ones that nothing has outdated. */
    private final Map<Integer, WaitingVPort> waiting;

    /** Ascending VPortIndexes of vports that exist, whose attributes are to be read. */
    private final List<Integer> unread = new ArrayList<>();

    private StatesReading reading = StatesReading.REJECTED; // until the states are read
    private String unmanagedReason = "";

    /**
     * Creates the progress of a visit that has found nothing yet.
     *
     * @param known vports of the previous visit
     * @param waiting vports that wait for a LID since earlier visits
     */
    VisitProgress(List<VirtualPort> known, List<WaitingVPort> waiting) {
        known.forEach(vport -> previous.put(vport.index(), vport));
        this.waiting = waiting.stream()
                .collect(Collectors.toMap(
                        each -> each.vport().index(), each -> each, (one, other) -> one, TreeMap::new));
    }

    /** Finds all vports of the previous visit as they were, without reading any. */
    void findAll() {
        reading = StatesReading.READ;
        List.copyOf(previous.values()).forEach(this::find);
    }

    /**
     * Notes the states of all vports, and drops vports that do not exist any more.
     *
     * @param first index of the first vport of this visit; earlier visits have read those below it
     * @param isRight whether a vport that was ACTIVE, and is still, needs no SMP
     */
    void noteStates(VPortStates states, int first, Predicate<VirtualPort> isRight) {
        reading = StatesReading.READ;
        states.byIndex().forEach((index, state) -> {
            VirtualPort vport = previous.get(index);
            boolean isBelow = index < first;
            boolean isActive = vport != null && vport.isActive() && state == PortInfo.STATE_ACTIVE;
            if (vport != null && (isBelow || (isActive && isRight.test(vport)))) {
                find(vport);
            } else if (!isBelow) {
                unread.add(index);
            }
        });
        previous.keySet().retainAll(new HashSet<>(unread));
        waiting.values().removeIf(each -> {
            int index = each.vport().index();
            return index >= first
                    && !Objects.equals(states.byIndex().get(index), each.vport().state());
        });
    }

    /** Leaves those vports unread that wait for a LID, and satisfy a condition. */
    void leaveWaiting(Predicate<WaitingVPort> condition) {
        for (WaitingVPort each : waiting.values()) {
            Integer index = each.vport().index();
            if (unread.contains(index) && condition.test(each)) {
                begin(index);
                find(each.vport().withLid(VirtualPort.NO_LID));
            }
        }
    }

    /** Notes a vport that waits for a LID. */
    void await(WaitingVPort vport) {
        waiting.put(vport.vport().index(), vport);
    }

    /** Removes a vport that waited for a LID, since its device is to say what it is now; null if there is none. */
    @Nullable
    WaitingVPort takeWaiting(int index) {
        return waiting.remove(index);
    }

    /** Forgets the vports that waited for a LID before: any may have changed since it was read. */
    void forgetWaiting() {
        waiting.clear();
    }

    /** Returns the vports that wait for a LID, as they were read. */
    List<WaitingVPort> waiting() {
        return List.copyOf(waiting.values());
    }

    /** Notes that the device has no vports, as virtualization is disabled. */
    void noteNone() {
        reading = StatesReading.READ;
        dropRest();
    }

    /** Notes that the device did not respond to an SMP: other vports may have changed since they were read. */
    void noteUnanswered() {
        reading = StatesReading.UNANSWERED;
    }

    /** Notes a reason why a vport stays as it is. The first one is reported; an empty one counts as none. */
    void noteReason(String reason) {
        unmanagedReason = unmanagedReason.isEmpty() ? reason : unmanagedReason;
    }

    /** Finds a vport as it is now. */
    void find(VirtualPort vport) {
        previous.remove(vport.index());
        found.add(vport);
    }

    /** Drops a vport of the previous visit, as the device responded about it. Returns it; null if it is new. */
    @Nullable
    VirtualPort drop(int index) {
        return previous.remove(index);
    }

    /** Drops the vports of the previous visit that were not found. */
    void dropRest() {
        previous.clear();
    }

    /** Takes an index out of those that are to be read. */
    void begin(Integer index) {
        unread.remove(index);
    }

    /** Returns the ascending indexes that are to be read; none if as many vports were found as are managed. */
    List<Integer> unread() {
        return found.size() < VPortReader.MAX_VPORTS ? unread : List.of();
    }

    /** Checks whether a vport that was found has a GUID. */
    boolean hasFound(long guid) {
        return found.stream().anyMatch(vport -> vport.guid() == guid);
    }

    StatesReading reading() {
        return reading;
    }

    String unmanagedReason() {
        return unmanagedReason;
    }

    /** Returns the vports, ascending by index: those that were found, and those of the previous visit besides. */
    List<VirtualPort> vports() {
        List<VirtualPort> vports = new ArrayList<>(found);
        vports.addAll(previous.values());
        vports.sort(Comparator.comparingInt(VirtualPort::index));
        return vports;
    }
}
