package io.torussm.registration;

import io.torussm.alias.AliasGuids;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastView;
import io.torussm.report.Subscriptions;
import io.torussm.transport.Loop;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The SA's database: what hosts registered, as it goes from one run to the next and from one master to the next. It begins
 * with what {@link RegistrationStore} has of the last run, is written there as it changes, merges what other SMs had recorded,
 * and is given up when another SM rules.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class SaDatabase {
    private final RegistrationStore store;
    private final Loop loop;
    private final long gidPrefix;
    private final BooleanSupplier isRestoring;
    private final MembershipService memberships;
    private final Services services;
    private final Subscriptions subscriptions;
    private final AliasGuids aliases;
    private final List<Table<?>> tables;
    private Consumer<MulticastView> groupListener = view -> {};
    /** Whether the SM that rules has a copy of the files, and this one hears of what changes in them. */
    private boolean isFollowed;

    /** What hosts had registered when another SM came to rule that tells nothing of what they do with it. */
    private @Nullable SaContents last;

    /**
     * Opens the database; on the loop.
     *
     * @param groups that nobody has joined yet
     * @param aliases that nobody has yet
     * @param gidPrefix of the subnet; members of another one are left out
     * @param isRestoring whether what other runs and other SMs have recorded counts; asked each time
     */
    public SaDatabase(
            RegistrationStore store,
            Loop loop,
            MulticastGroups groups,
            AliasGuids aliases,
            long gidPrefix,
            BooleanSupplier isRestoring) {
        loop.check();
        this.store = store;
        this.loop = loop;
        this.gidPrefix = gidPrefix;
        this.isRestoring = isRestoring;
        this.memberships = new MembershipService(loop, groups);
        this.services = new Services(loop);
        this.subscriptions = new Subscriptions(loop);
        this.aliases = aliases;
        // aliases first: members and services may be named by them
        this.tables = List.of(
                new Table<>(store.aliases(), aliases::restore, aliases::forget),
                new Table<>(
                        store.groups(),
                        known -> memberships.complete(known, gidPrefix),
                        known -> memberships.adopt(known, gidPrefix)),
                new Table<>(store.services(), known -> store.restore(known, services), services::forget),
                new Table<>(store.subscriptions(), subscriptions::restore, subscriptions::forget));
        tables.forEach(Table::open);
        aliases.whenPublished(store.aliases()::remember);
        memberships.whenPublished(view -> {
            store.groups().remember(view.groups());
            groupListener.accept(view);
        });
        services.whenPublished(all -> store.remember(all, loop.nowNs()));
        subscriptions.whenPublished(store.subscriptions()::remember);
    }

    /** Registrations of one kind. */
    private final class Table<T> {
        private final RegistrationFile<T> file;
        private final Consumer<T> complete;
        private final Consumer<T> adopt;

        /**
         * Ties registrations to their file.
         *
         * @param complete adds what is not known
         * @param adopt takes what another SM had instead of all that is known
         */
        Table(RegistrationFile<T> file, Consumer<T> complete, Consumer<T> adopt) {
            this.file = file;
            this.complete = complete;
            this.adopt = adopt;
        }

        Table(RegistrationFile<T> file, Consumer<T> complete, Runnable forget) {
            this(file, complete, known -> {
                forget.run();
                complete.accept(known);
            });
        }

        void open() {
            if (isRestoring.getAsBoolean()) {
                complete.accept(file.restored());
            }
            file.whenCompleted(others -> {
                if (isRestoring.getAsBoolean()) {
                    complete.accept(others);
                }
            });
        }

        void begin() {
            if (isRestoring.getAsBoolean()) {
                file.adopted().ifPresent(adopt);
            }
        }
    }

    /** Sets the listener for changed groups, called after the change is handed to the store. On the loop. */
    public void whenGroupsPublished(Consumer<MulticastView> listener) {
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

    /** What requests change, and ask for. */
    public Registrations registrations() {
        return new Registrations(memberships, services, subscriptions, aliases);
    }

    /**
     * A mastership begins: with what the master before had, if another SM was it and let this one know; else with what this SM had when
     * it was master last. That may be out of date, as it may be after a restart; but without it groups would lose their MLIDs, and
     * switches their entries, until the hosts have joined again.
     */
    public void begin() {
        store.keep(false);
        SaContents own = last;
        last = null;
        if (own != null && isRestoring.getAsBoolean()) {
            aliases.restore(own.aliases());
            memberships.complete(own.groups(), gidPrefix);
            store.restore(own.services(), services);
            subscriptions.restore(own.subscriptions());
        }
        tables.forEach(Table::begin);
        record();
    }

    /** What was not written meanwhile. */
    private void record() {
        store.aliases().remember(aliases.table());
        store.groups().remember(memberships.view().groups());
        store.remember(services.view(), loop.nowNs());
        store.subscriptions().remember(subscriptions.view());
    }

    /**
     * A mastership ends; another SM may keep the registrations from now on. The files stay as they are.
     *
     * @param isReplicated whether that SM has a copy of the files, and they follow its own from now on
     */
    public void end(boolean isReplicated) {
        isFollowed = isReplicated;
        store.keep(true);
    }

    /** What hosts have registered, as it is now. On the loop. */
    public SaContents contents() {
        return new SaContents(
                memberships.view().groups(),
                store.registrations(services.view(), loop.nowNs()),
                subscriptions.view(),
                aliases.table());
    }

    /** Begins with what another SM had, instead of all that is known. On the loop. */
    public void adopt(SaContents others) {
        loop.check();
        last = null;
        aliases.forget();
        aliases.restore(others.aliases());
        memberships.adopt(others.groups(), gidPrefix);
        services.forget();
        store.restore(others.services(), services);
        subscriptions.forget();
        subscriptions.restore(others.subscriptions());
    }

    /** Another SM is master: forgets what hosts registered with this one. */
    public void forget() {
        last = isFollowed ? null : contents();
        memberships.forget();
        services.forget();
        subscriptions.forget();
        aliases.forget();
    }

    /**
     * The SM is about to end in order: what is registered now is what its next start begins with, although its mastership ends
     * before it does. On the loop.
     */
    public void preserve() {
        store.keep(true);
    }
}
