package io.torussm.sa;

import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastView;
import io.torussm.report.Subscriptions;
import io.torussm.transport.Loop;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The books of the SA: what hosts registered, as it goes from one run to the next and from one master to the next. They
 * begin with what {@link SaStore} has of the last run, are noted there as they change, are completed by what other SMs
 * had noted, and are given away when a reign ends.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class SaBooks {
    private final SaStore store;
    private final Loop loop;
    private final long gidPrefix;
    private final BooleanSupplier isRestoring;
    private final MembershipService memberships;
    private final Services services;
    private final Subscriptions subscriptions;
    private Consumer<MulticastView> groupListener = view -> {};

    /**
     * Opens the books; on the loop.
     *
     * @param groups that nobody has joined yet
     * @param gidPrefix of the subnet; members of another one are left out
     * @param isRestoring whether what other runs and other SMs have noted counts; asked each time
     */
    public SaBooks(SaStore store, Loop loop, MulticastGroups groups, long gidPrefix, BooleanSupplier isRestoring) {
        loop.check();
        this.store = store;
        this.loop = loop;
        this.gidPrefix = gidPrefix;
        this.isRestoring = isRestoring;
        this.memberships = new MembershipService(loop, groups);
        this.services = new Services(loop);
        this.subscriptions = new Subscriptions(loop);
        open();
    }

    private void open() {
        if (isRestoring.getAsBoolean()) {
            memberships.complete(store.groups().restored(), gidPrefix);
            store.restore(store.services().restored(), services);
            subscriptions.restore(store.subscriptions().restored());
        }
        memberships.whenPublished(view -> {
            store.groups().remember(view.groups());
            groupListener.accept(view);
        });
        services.whenPublished(all -> store.remember(all, loop.nowNs()));
        subscriptions.whenPublished(store.subscriptions()::remember);
        store.groups().whenCompleted(others -> {
            if (isRestoring.getAsBoolean()) {
                memberships.complete(others, gidPrefix);
            }
        });
        store.services().whenCompleted(others -> {
            if (isRestoring.getAsBoolean()) {
                store.restore(others, services);
            }
        });
        store.subscriptions().whenCompleted(others -> {
            if (isRestoring.getAsBoolean()) {
                subscriptions.restore(others);
            }
        });
    }

    /** Who is told of the groups whenever any of them changed, after that was noted. On the loop. */
    public void whenGroupsPublished(Consumer<MulticastView> listener) {
        loop.check();
        groupListener = listener;
    }

    /** Memberships of multicast groups. */
    public MembershipService memberships() {
        return memberships;
    }

    /** Subscriptions to events. */
    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** What requests change, and tell of. */
    public Registrations registrations() {
        return new Registrations(memberships, services, subscriptions);
    }

    /** A reign begins: with what the master before had, if another SM was it. */
    public void begin() {
        store.keep(false);
        if (isRestoring.getAsBoolean()) {
            store.groups().inherited().ifPresent(groups -> memberships.inherit(groups, gidPrefix));
            store.services().inherited().ifPresent(known -> {
                services.forget();
                store.restore(known, services);
            });
            store.subscriptions().inherited().ifPresent(known -> {
                subscriptions.forget();
                subscriptions.restore(known);
            });
        }
    }

    /**
     * A reign ends: another SM keeps the books from now on.
     *
     * @param isReplicated whether that SM has a copy of the files, and they follow its own from now on
     */
    public void end(boolean isReplicated) {
        if (isReplicated) {
            store.keep(true);
        }
        services.forget();
        subscriptions.forget();
    }

    /** Hands over what waits to be written, for the orderly end. */
    public void save() {
        store.save();
    }
}
