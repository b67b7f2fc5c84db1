package io.torussm.multicast;

import io.torussm.partition.WellKnownGroup;
import io.torussm.sa.change.UpdateGate;
import io.torussm.transport.Loop;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * The access of other threads to {@link MulticastGroups}. Requests come from any thread and are applied on
 * the loop. Each is answered after its change is published. A burst of requests is published once, and passed
 * to the programming of switches once.
 */
public final class MembershipService {
    /** The limit of waiting requests; all hosts of a subnet of the largest size may join simultaneously. */
    public static final int MAX_WAITING = 1 << 16;

    private final Loop loop;
    private final MulticastGroups groups;
    private final UpdateGate door;
    private final VanishedPorts vanished;
    private LongSupplier keepNs = () -> 0;
    private Runnable lookAgain = () -> {};
    private Loop.Timer untilOver = () -> {};
    private Consumer<BitSet> listener = changed -> {};
    private Consumer<MulticastView> store = view -> {};

    /** A change of the groups: join or leave. */
    private interface Change {
        MembershipReply apply(MembershipRequest request);
    }

    /**
     * Serves these groups.
     *
     * @param loop the owner of the groups
     */
    public MembershipService(Loop loop, MulticastGroups groups) {
        this.loop = loop;
        this.groups = groups;
        this.door = new UpdateGate(loop, MAX_WAITING, this::publish);
        this.vanished = new VanishedPorts(loop, () -> lookAgain.run());
    }

    /** Returns the last published groups; from any thread. */
    public MulticastView view() {
        return groups.view();
    }

    /**
     * Requests that a port joins a group; from any thread.
     *
     * @param then callback, called once, on the loop
     * @return false if too many requests are waiting; then the request is dropped
     */
    public boolean join(MembershipRequest request, Consumer<MembershipReply> then) {
        return submit(groups::join, request, then);
    }

    /** Requests that a port leaves a group; as {@link #join}. */
    public boolean leave(MembershipRequest request, Consumer<MembershipReply> then) {
        return submit(groups::leave, request, then);
    }

    private boolean submit(Change change, MembershipRequest request, Consumer<MembershipReply> then) {
        return door.submit(() -> {
            MembershipReply reply = change.apply(request);
            return () -> then.accept(reply);
        });
    }

    /**
     * Sets the listener for changed groups. It gets their MLIDs less {@link MulticastView#FIRST_MLID}. On the
     * loop.
     */
    public void whenChanged(Consumer<BitSet> newListener) {
        loop.check();
        listener = newListener;
    }

    /** Sets the listener that records all groups after each change. On the loop. */
    public void whenPublished(Consumer<MulticastView> newStore) {
        loop.check();
        store = newStore;
    }

    /**
     * Sets the source of the time, in nanoseconds, for which vanished ports stay members; read on each use.
     * The default is 0.
     */
    public void keepVanished(LongSupplier wanted) {
        keepNs = wanted;
    }

    /** Checks whether there are no members and no inherited entries. */
    public boolean isBlank() {
        return view().inherited().isEmpty()
                && view().groups().stream().allMatch(group -> group.members().isEmpty());
    }

    /**
     * Keeps entries that another master SM left in switches. They stay as long as vanished members do, so
     * that hosts have time to join again. On the loop.
     *
     * @param ports by MLID, GUIDs of the ports to which the entries forward
     */
    public void inherit(SortedMap<Integer, Set<Long>> ports) {
        loop.check();
        untilOver.cancel();
        long forNs = ports.isEmpty() ? 0 : keepNs.getAsLong();
        groups.inherit(forNs > 0 ? ports : new TreeMap<>());
        if (forNs > 0) {
            untilOver = loop.schedule(forNs, () -> inherit(new TreeMap<>()));
        }
        door.publish();
    }

    /**
     * Adopts another subnet, all of whose links are ACTIVE, as {@link MulticastGroups#adopt}; on the loop.
     */
    public void adopt(MulticastGroups.Conditions conditions, LongPredicate exists) {
        adopt(conditions, exists, guid -> true);
    }

    /**
     * Adopts another subnet, as {@link MulticastGroups#adopt}, but keeps vanished members for a time; on the
     * loop.
     *
     * @param exists checks whether a port has this GUID
     * @param isActive checks whether the link of that port is ACTIVE; if not, its host sees the link rise and
     * joins again
     */
    public void adopt(MulticastGroups.Conditions conditions, LongPredicate exists, LongPredicate isActive) {
        loop.check();
        VanishedPorts.Glance glance = vanished.look(exists, isActive, keepNs.getAsLong());
        lookAgain = () -> adopt(conditions, exists, isActive);
        groups.adopt(conditions, glance);
        glance.end();
        door.publish();
    }

    /** Declares the groups that exist without members, as {@link MulticastGroups#declare}; on the loop. */
    public void declare(List<WellKnownGroup> wellKnown) {
        loop.check();
        groups.declare(wellKnown);
        door.publish();
    }

    /** Removes all members, because another SM became master. On the loop. */
    public void forget() {
        loop.check();
        vanished.clear();
        inherit(new TreeMap<>());
        groups.forget();
        door.publish();
    }

    /** Replaces all groups by those that another SM recorded; on the loop. */
    public void adopt(List<MulticastGroup> others, long gidPrefix) {
        loop.check();
        vanished.clear();
        inherit(new TreeMap<>());
        groups.forget();
        complete(others, gidPrefix);
    }

    /**
     * Adds the groups and members that another SM recorded, except members of another subnet prefix; on the
     * loop.
     */
    public void complete(List<MulticastGroup> others, long gidPrefix) {
        loop.check();
        groups.add(others, gidPrefix);
        door.publish();
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
