package io.torussm.report;

import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.InformInfo;
import io.torussm.report.Subscription.Subscriber;
import io.torussm.sa.change.Shares;
import io.torussm.sa.change.UpdateGate;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The registry of subscriptions to events (IBA 13.4.8.3). A new subscription of a queue pair to equal notices replaces
 * the current subscription, and keeps its number.
 *
 * <p>If a process ends without unsubscribing, its subscriptions remain, and the next process on the port has another
 * queue pair. So if a port is at its limit, the subscriptions of a queue pair that did not respond to its last Report
 * are removed.
 *
 * <p>A burst of changes is published once. Owner thread: the loop, except for {@link #view()}, {@link #add}
 * and {@link #remove}, which any thread may call.
 */
public final class Subscriptions {
    /** Max number of all subscriptions. */
    public static final int MAX_SUBSCRIPTIONS = 1 << 16;

    /** Max number of subscriptions of one port. A port also may not have more subscriptions than remain free. */
    public static final int MAX_PER_PORT = 256;

    /** Max number of changes that wait for the loop. */
    private static final int MAX_WAITING = 1 << 14;

    private final Loop loop;

    /** Subscriptions by port GUID. No list is empty. */
    private final Map<Long, List<Subscription>> ofPort = new LinkedHashMap<>();

    /** Number of consecutive Reports without a response, 1 or more, by subscriber with a subscription. */
    private final Map<Subscriber, Integer> unansweredReports = new LinkedHashMap<>();

    private final Shares shares = new Shares("subscriptions", MAX_PER_PORT);
    private final UpdateGate updateGate;
    private volatile List<Subscription> view = List.of();
    private Consumer<List<Subscription>> store = all -> {};
    private int count;

    /** Creates a registry without subscriptions. */
    public Subscriptions(Loop loop) {
        this.loop = loop;
        this.updateGate = new UpdateGate(loop, MAX_WAITING, this::publish);
    }

    /** Returns all subscriptions. Those of one port are consecutive. */
    public List<Subscription> view() {
        return view;
    }

    /** Sets the listener that records all subscriptions after each change. Called on the loop. */
    public void whenPublished(Consumer<List<Subscription>> newStore) {
        loop.requireInLoop();
        store = newStore;
    }

    /**
     * Adds or replaces a subscription. Any thread.
     *
     * @param isTrusted whether the request had the SM_Key
     * @param wants selection of notices
     * @param then callback, called once, on the loop; its argument is OK, or NO_RESOURCES if a limit is reached
     * @return false if too many changes are waiting, so that the request is dropped
     */
    public boolean add(Subscriber subscriber, boolean isTrusted, InformInfo wants, IntConsumer then) {
        InformInfo informInfo = wants.with(InformInfo.SUBSCRIBE, 1).with(InformInfo.QPN, subscriber.qpn());
        return submit(() -> addOrReplace(subscriber, isTrusted, informInfo), then);
    }

    /**
     * Removes a subscription. Any thread.
     *
     * @param wants selection of notices
     * @param then callback, called once, on the loop; its argument is OK, or REQ_INVALID without such a subscription
     * @return false if too many changes are waiting, so that the request is dropped
     */
    public boolean remove(Subscriber subscriber, InformInfo wants, IntConsumer then) {
        return submit(
                () -> {
                    Subscription known = find(subscriber, wants);
                    if (known != null) {
                        drop(known);
                    }
                    return known == null ? MadStatus.SA_REQ_INVALID : MadStatus.OK;
                },
                then);
    }

    private boolean submit(IntSupplier change, IntConsumer then) {
        return updateGate.submit(() -> {
            int status = change.getAsInt();
            return () -> then.accept(status);
        });
    }

    private int addOrReplace(Subscriber subscriber, boolean isTrusted, InformInfo wants) {
        Subscription known = find(subscriber, wants);
        if (known != null) {
            List<Subscription> portSubscriptions = of(subscriber.portGuid());
            portSubscriptions.set(
                    portSubscriptions.indexOf(known), new Subscription(subscriber, known.number(), isTrusted, wants));
            return MadStatus.OK;
        }
        if (of(subscriber.portGuid()).size() >= MAX_PER_PORT) {
            dropSilent(subscriber.portGuid());
        }
        if (!shares.hasRoom(subscriber.portGuid(), Shares.NO_PARTITION, MAX_SUBSCRIPTIONS - count)) {
            return MadStatus.SA_NO_RESOURCES;
        }
        insert(new Subscription(subscriber, freeNumber(subscriber.portGuid()), isTrusted, wants));
        return MadStatus.OK;
    }

    private void insert(Subscription subscription) {
        ofPort.computeIfAbsent(subscription.subscriber().portGuid(), port -> new ArrayList<>())
                .add(subscription);
        shares.count(subscription.subscriber().portGuid(), Shares.NO_PARTITION, 1);
        count++;
    }

    private List<Subscription> of(long portGuid) {
        return ofPort.getOrDefault(portGuid, List.of());
    }

    private @Nullable Subscription find(Subscriber subscriber, InformInfo wants) {
        return of(subscriber.portGuid()).stream()
                .filter(one -> one.subscriber().equals(subscriber) && one.hasSameSelection(wants))
                .findFirst()
                .orElse(null);
    }

    /** Returns the lowest number that no subscription of a port has. */
    private int freeNumber(long portGuid) {
        BitSet taken = new BitSet();
        of(portGuid).forEach(one -> taken.set(one.number()));
        return taken.nextClearBit(0);
    }

    /** Removes the subscriptions of one queue pair of a port that did not respond to its last Report, if any. */
    private void dropSilent(long portGuid) {
        unansweredReports.keySet().stream()
                .filter(subscriber -> subscriber.portGuid() == portGuid)
                .findFirst()
                .ifPresent(gone -> List.copyOf(of(portGuid)).stream()
                        .filter(one -> one.subscriber().equals(gone))
                        .forEach(this::drop));
    }

    private void drop(Subscription subscription) {
        Subscriber subscriber = subscription.subscriber();
        of(subscriber.portGuid()).remove(subscription);
        shares.count(subscriber.portGuid(), Shares.NO_PARTITION, -1);
        count--;
        if (of(subscriber.portGuid()).isEmpty()) {
            ofPort.remove(subscriber.portGuid());
        }
        if (!hasSubscription(subscriber)) {
            unansweredReports.remove(subscriber);
        }
    }

    /** Checks whether a subscriber has any subscription. Called on the loop. */
    boolean hasSubscription(Subscriber subscriber) {
        return of(subscriber.portGuid()).stream()
                .anyMatch(one -> one.subscriber().equals(subscriber));
    }

    /** Counts a Report without a response. Returns the number of consecutive ones. Called on the loop. */
    int countUnanswered(Subscriber subscriber) {
        return hasSubscription(subscriber) ? unansweredReports.merge(subscriber, 1, Integer::sum) : 1;
    }

    /** Resets the count of Reports without a response, because the subscriber responded. Called on the loop. */
    void resetUnanswered(Subscriber subscriber) {
        unansweredReports.remove(subscriber);
    }

    /**
     * Removes the subscriptions of ports that a predicate selects by GUID. Returns their number. Called on the loop.
     */
    int dropWhere(LongPredicate isGone) {
        loop.requireInLoop();
        List<Subscription> gone = ofPort.values().stream()
                .flatMap(List::stream)
                .filter(one -> isGone.test(one.subscriber().portGuid()))
                .toList();
        gone.forEach(this::drop);
        if (!gone.isEmpty()) {
            updateGate.publish();
        }
        return gone.size();
    }

    private Runnable publish() {
        view = ofPort.values().stream().flatMap(List::stream).toList();
        return () -> store.accept(view);
    }

    /** Adds subscriptions of an earlier run, or of another SM, if they are unknown. Called on the loop. */
    public void restore(List<Subscription> known) {
        loop.requireInLoop();
        for (Subscription subscription : known) {
            long port = subscription.subscriber().portGuid();
            boolean hasRoom = count < MAX_SUBSCRIPTIONS && of(port).size() < MAX_PER_PORT;
            if (hasRoom && find(subscription.subscriber(), subscription.informInfo()) == null) {
                boolean isTaken = of(port).stream().anyMatch(other -> other.number() == subscription.number());
                int number = isTaken ? freeNumber(port) : subscription.number();
                insert(new Subscription(
                        subscription.subscriber(), number, subscription.isTrusted(), subscription.informInfo()));
            }
        }
        updateGate.publish();
    }

    /** Removes all subscriptions, because another SM becomes master. Called on the loop. */
    public void clear() {
        loop.requireInLoop();
        ofPort.clear();
        unansweredReports.clear();
        shares.clear();
        count = 0;
        updateGate.publish();
    }
}
