package io.torussm.multicast;

import io.torussm.partition.WellKnownGroup;
import io.torussm.sa.change.UpdateGate;
import io.torussm.transport.Loop;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The access of all threads to {@link MulticastGroups}. Requests come from any thread and are applied on
 * the loop. Each is answered after its change is published. A burst of requests is published once, and passed
 * to the programming of switches once. Owner thread: the loop, except for methods that say otherwise.
 */
public final class MembershipService {
    /** Max number of waiting requests: all hosts of a subnet of the largest size may join simultaneously. */
    public static final int MAX_WAITING = 1 << 16;

    /** The time for which a moved GUID waits for others. */
    private static final long MOVES_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Loop loop;
    private final MulticastGroups groups;
    private final UpdateGate updateGate;
    private final VanishedPorts vanishedPorts;
    private LongSupplier keepNs = () -> 0;
    private Runnable recheck = () -> {};
    private Loop.Timer inheritanceTimer = () -> {};

    /** Whether entries are inherited only until each member belongs to a port, by {@link #hasPort}. */
    private boolean isAwaitingPorts;

    private LongPredicate hasPort = guid -> true;

    /** GUIDs that moved, and whose groups are not written again yet. */
    private Set<Long> movedGuids = new HashSet<>();

    private Consumer<BitSet> listener = changed -> {};
    private Consumer<MulticastView> store = view -> {};

    /** A change of the groups: a join or a leave. */
    private interface Change {
        MembershipReply apply(MembershipRequest request);
    }

    /**
     * Creates the access to groups.
     *
     * @param loop loop that owns the groups
     */
    public MembershipService(Loop loop, MulticastGroups groups) {
        this.loop = loop;
        this.groups = groups;
        this.updateGate = new UpdateGate(loop, MAX_WAITING, this::publish);
        this.vanishedPorts = new VanishedPorts(loop, () -> recheck.run());
    }

    /** Returns the last published groups; may be called from any thread. */
    public MulticastView view() {
        return groups.view();
    }

    /**
     * Requests that a port joins a group. May be called from any thread.
     *
     * @param then callback, called once, on the loop
     * @return false if too many requests are waiting, so that the request was dropped
     */
    public boolean join(MembershipRequest request, Consumer<MembershipReply> then) {
        return submit(groups::join, request, then);
    }

    /**
     * Requests that a port leaves a group. May be called from any thread.
     *
     * @param then callback, called once, on the loop
     * @return false if too many requests are waiting, so that the request was dropped
     */
    public boolean leave(MembershipRequest request, Consumer<MembershipReply> then) {
        return submit(groups::leave, request, then);
    }

    private boolean submit(Change change, MembershipRequest request, Consumer<MembershipReply> then) {
        return updateGate.submit(() -> {
            MembershipReply reply = change.apply(request);
            return () -> then.accept(reply);
        });
    }

    /**
     * Sets the listener for changed groups, which receives their MLIDs less {@link MulticastView#FIRST_MLID}.
     */
    public void whenChanged(Consumer<BitSet> newListener) {
        loop.requireInLoop();
        listener = newListener;
    }

    /**
     * Handles GUIDs that now belong to another port, or to none: the entries of their groups are written again. All
     * moves within {@link #MOVES_DELAY_NS} cause one pass over the members.
     */
    public void onGuidsMove(Set<Long> guids) {
        loop.requireInLoop();
        if (movedGuids.isEmpty()) {
            loop.schedule(MOVES_DELAY_NS, this::rewriteMovedGuids);
        }
        movedGuids.addAll(guids);
    }

    private void rewriteMovedGuids() {
        Set<Long> guids = movedGuids;
        movedGuids = new HashSet<>();
        BitSet moved = new BitSet();
        for (MulticastGroup group : view().groups()) {
            if (group.members().stream()
                    .anyMatch(member -> guids.contains(member.portGid().guid()))) {
                moved.set(group.mlid() - MulticastView.FIRST_MLID);
            }
        }
        if (!moved.isEmpty()) {
            listener.accept(moved);
            if (isAwaitingPorts && !hasMemberWithoutPort(hasPort)) {
                inherit(new TreeMap<>());
            }
        }
    }

    /**
     * Checks whether a member of a group belongs to no port.
     *
     * @param exists checks whether a port has a GUID
     */
    public boolean hasMemberWithoutPort(LongPredicate exists) {
        return view().groups().stream().anyMatch(group -> hasMemberWithoutPort(group, exists));
    }

    private static boolean hasMemberWithoutPort(MulticastGroup group, LongPredicate exists) {
        return group.members().stream()
                .anyMatch(member -> !exists.test(member.portGid().guid()));
    }

    /** Sets the listener that records all groups after each change. */
    public void whenPublished(Consumer<MulticastView> newStore) {
        loop.requireInLoop();
        store = newStore;
    }

    /**
     * Sets the source of the time for which vanished ports stay members.
     *
     * @param wanted returns the time in nanoseconds, at each use (default: 0)
     */
    public void keepVanished(LongSupplier wanted) {
        keepNs = wanted;
    }

    /** Checks whether there are no members and no inherited entries. */
    public boolean hasNoMembers() {
        return view().inherited().isEmpty()
                && view().groups().stream().allMatch(group -> group.members().isEmpty());
    }

    /**
     * Keeps the entries that another master SM left in switches, if there are no members, else those of groups with a
     * member that belongs to no port. They stay as long as vanished members do, so that hosts have time to join again,
     * or until each member belongs to a port.
     *
     * @param ports PortGUIDs of the ports to which the entries forward, by MLID
     * @param exists checks whether a port has a GUID at present
     */
    public void inherit(SortedMap<Integer, Set<Long>> ports, LongPredicate exists) {
        SortedMap<Integer, Set<Long>> kept = new TreeMap<>(ports);
        boolean hasMembers = !hasNoMembers();
        if (hasMembers) {
            kept.keySet().retainAll(mlidsWithoutPort(exists));
        }
        inherit(kept);
        hasPort = exists;
        isAwaitingPorts = hasMembers;
    }

    private Set<Integer> mlidsWithoutPort(LongPredicate exists) {
        return view().groups().stream()
                .filter(group -> hasMemberWithoutPort(group, exists))
                .map(MulticastGroup::mlid)
                .collect(Collectors.toSet());
    }

    private void inherit(SortedMap<Integer, Set<Long>> ports) {
        loop.requireInLoop();
        isAwaitingPorts = false;
        inheritanceTimer.cancel();
        long forNs = ports.isEmpty() ? 0 : keepNs.getAsLong();
        groups.inherit(forNs > 0 ? ports : new TreeMap<>());
        if (forNs > 0) {
            inheritanceTimer = loop.schedule(forNs, () -> inherit(new TreeMap<>()));
        }
        updateGate.publish();
    }

    /**
     * Adopts another subnet whose links are all ACTIVE, as {@link MulticastGroups#adopt} does.
     */
    public void adopt(MulticastGroups.Conditions conditions, LongPredicate exists) {
        adopt(conditions, exists, guid -> true);
    }

    /**
     * Adopts another subnet, as {@link MulticastGroups#adopt} does, but keeps vanished members for a time.
     *
     * @param exists checks whether a port has a GUID
     * @param isActive checks whether the link of the port with a GUID is ACTIVE. If it is not, the host notices that
     *     the link goes up, and joins again
     */
    public void adopt(MulticastGroups.Conditions conditions, LongPredicate exists, LongPredicate isActive) {
        loop.requireInLoop();
        VanishedPorts.PresenceCheck glance = vanishedPorts.beginCheck(exists, isActive, keepNs.getAsLong());
        recheck = () -> adopt(conditions, exists, isActive);
        groups.adopt(conditions, glance);
        glance.end();
        updateGate.publish();
    }

    /** Declares the groups that exist without members, as {@link MulticastGroups#declare} does. */
    public void declare(List<WellKnownGroup> wellKnown) {
        loop.requireInLoop();
        groups.declare(wellKnown);
        updateGate.publish();
    }

    /** Removes all members, because another SM became master. */
    public void forget() {
        loop.requireInLoop();
        vanishedPorts.clear();
        inherit(new TreeMap<>());
        groups.forget();
        updateGate.publish();
    }

    /** Replaces all groups by those that another SM recorded, without members of another subnet prefix. */
    public void adopt(List<MulticastGroup> others, long gidPrefix) {
        loop.requireInLoop();
        vanishedPorts.clear();
        inherit(new TreeMap<>());
        groups.forget();
        complete(others, gidPrefix);
    }

    /**
     * Adds the groups and members that another SM recorded, except members of another subnet prefix.
     */
    public void complete(List<MulticastGroup> others, long gidPrefix) {
        loop.requireInLoop();
        groups.add(others, gidPrefix);
        updateGate.publish();
    }

    private Runnable publish() {
        BitSet changed = groups.publish();
        return () -> {
            if (!changed.isEmpty()) {
                listener.accept(changed);
                store.accept(groups.view());
            }
        };
    }
}
