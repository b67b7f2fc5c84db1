package io.torussm.multicast;

import io.torussm.partition.WellKnownGroup;
import io.torussm.transport.Loop;
import io.torussm.transport.UpdateGate;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * The door to {@link MulticastGroups}: takes requests from any thread, applies them on the loop, and answers each after
 * its change is published. Requests that come in a burst are published together, and passed to what programs the
 * switches together.
 */
public final class MembershipService {
    /** Requests that may wait; a subnet of the largest size can come up at once. */
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

    /** Join or leave. */
    private interface Change {
        MembershipReply apply(MembershipRequest request);
    }

    /**
     * A service.
     *
     * @param loop owns the groups
     */
    public MembershipService(Loop loop, MulticastGroups groups) {
        this.loop = loop;
        this.groups = groups;
        this.door = new UpdateGate(loop, MAX_WAITING, this::publish);
        this.vanished = new VanishedPorts(loop, () -> lookAgain.run());
    }

    /** The groups as published last; from any thread. */
    public MulticastView view() {
        return groups.view();
    }

    /**
     * Asks to join a port to a group; from any thread.
     *
     * @param then called once, on the loop
     * @return false if too many wait already; then nothing happens
     */
    public boolean join(MembershipRequest request, Consumer<MembershipReply> then) {
        return submit(groups::join, request, then);
    }

    /** Asks to take a port from a group; as {@link #join}. */
    public boolean leave(MembershipRequest request, Consumer<MembershipReply> then) {
        return submit(groups::leave, request, then);
    }

    private boolean submit(Change change, MembershipRequest request, Consumer<MembershipReply> then) {
        return door.submit(() -> {
            MembershipReply reply = change.apply(request);
            return () -> then.accept(reply);
        });
    }

    /** Sets the listener for groups that changed, by MLID less {@link MulticastView#FIRST_MLID}. On the loop. */
    public void whenChanged(Consumer<BitSet> newListener) {
        loop.check();
        listener = newListener;
    }

    /** Sets the listener for all groups, called whenever one changed, to record them. On the loop. */
    public void whenPublished(Consumer<MulticastView> newStore) {
        loop.check();
        store = newStore;
    }

    /** Says how long, in nanoseconds, ports that are gone stay members; asked each time. Not at all, if nobody says it. */
    public void keepVanished(LongSupplier wanted) {
        keepNs = wanted;
    }

    /** Whether nothing is known of any member. */
    public boolean isBlank() {
        return view().inherited().isEmpty()
                && view().groups().stream().allMatch(group -> group.members().isEmpty());
    }

    /**
     * Another SM ruled, and left entries in switches: they stay for as long as members do that are gone, so that hosts have time to join
     * again. On the loop.
     *
     * @param ports the GUIDs of the ports that packets go to, by MLID
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

    /** Goes over to another subnet, as {@link MulticastGroups#adopt}, all of whose links are ACTIVE; on the loop. */
    public void adopt(MulticastGroups.Conditions conditions, LongPredicate exists) {
        adopt(conditions, exists, guid -> true);
    }

    /**
     * Goes over to another subnet, as {@link MulticastGroups#adopt}, but keeps members that are gone for a time; on the loop.
     *
     * @param exists whether there is a port with a GUID
     * @param isActive whether its link is ACTIVE; if not, its host will hear that it rises, and join again
     */
    public void adopt(MulticastGroups.Conditions conditions, LongPredicate exists, LongPredicate isActive) {
        loop.check();
        VanishedPorts.Glance glance = vanished.look(exists, isActive, keepNs.getAsLong());
        lookAgain = () -> adopt(conditions, exists, isActive);
        groups.adopt(conditions, glance);
        glance.end();
        door.publish();
    }

    /** Says which groups exist without members, as {@link MulticastGroups#declare}; on the loop. */
    public void declare(List<WellKnownGroup> wellKnown) {
        loop.check();
        groups.declare(wellKnown);
        door.publish();
    }

    /** All ports leave their groups: another subnet manager is master from now on. On the loop. */
    public void forget() {
        loop.check();
        vanished.clear();
        inherit(new TreeMap<>());
        groups.forget();
        door.publish();
    }

    /** Begins with the groups that another subnet manager kept instead of any others; on the loop. */
    public void adopt(List<MulticastGroup> others, long gidPrefix) {
        loop.check();
        vanished.clear();
        inherit(new TreeMap<>());
        groups.forget();
        complete(others, gidPrefix);
    }

    /** Adds the groups and members that another subnet manager kept, as far as they are of this subnet; on the loop. */
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
