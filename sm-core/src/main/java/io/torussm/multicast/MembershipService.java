package io.torussm.multicast;

import io.torussm.partition.WellKnownGroup;
import io.torussm.transport.Loop;
import io.torussm.transport.UpdateGate;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

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

    /** Goes over to another subnet, as {@link MulticastGroups#adopt}; on the loop. */
    public void adopt(MulticastGroups.Conditions conditions, LongPredicate exists) {
        loop.check();
        groups.adopt(conditions, exists);
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
        groups.forget();
        door.publish();
    }

    /** Begins with the groups that another subnet manager kept instead of any others; on the loop. */
    public void adopt(List<MulticastGroup> others, long gidPrefix) {
        loop.check();
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
