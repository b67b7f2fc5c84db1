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
 * The SA's database: the registrations of hosts, across runs and masters. It starts with the records of
 * {@link RegistrationStore} from the last run, records changes there, merges the records of other SMs, and is
 * dropped when another SM becomes master.
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

    /** Set if the master SM has a copy of the files, and sends its changes to this one. */
    private boolean isFollowed;

    /** The registrations at the end of a mastership whose successor does not send its own. */
    private @Nullable SaContents last;

    /**
     * Opens the database; on the loop.
     *
     * @param groups groups without members
     * @param aliases aliases without entries
     * @param gidPrefix GID prefix of the subnet; members of another one are left out
     * @param isRestoring whether to use the records of other runs and other SMs; read on each use
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
        // Aliases are first, because GIDs of members and services may contain them.
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

    /** Registrations of one kind, with their file. */
    private final class Table<T> {
        private final RegistrationFile<T> file;
        private final Consumer<T> complete;
        private final Consumer<T> adopt;

        /**
         * Connects registrations to their file.
         *
         * @param complete adds unknown ones
         * @param adopt replaces all by those of another SM
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

    /** Returns the memberships of multicast groups. */
    public MembershipService memberships() {
        return memberships;
    }

    /** Returns the subscriptions to events. */
    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** Returns the registrations that requests change and query. */
    public Registrations registrations() {
        return new Registrations(memberships, services, subscriptions, aliases);
    }

    /**
     * Begins a mastership. It starts with the registrations of the previous master, if that was another SM
     * which replicated them. Otherwise it starts with those of the last mastership of this SM. They may be
     * outdated, as after a restart. But without them groups would lose their MLIDs, and switches their
     * entries, until the hosts have joined again.
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

    /** Records changes that were not written meanwhile. */
    private void record() {
        store.aliases().remember(aliases.table());
        store.groups().remember(memberships.view().groups());
        store.remember(services.view(), loop.nowNs());
        store.subscriptions().remember(subscriptions.view());
    }

    /**
     * Ends a mastership; another SM may keep the registrations from now on. The files remain unchanged.
     *
     * @param isReplicated whether that SM has a copy of the files, so that they follow its own from now on
     */
    public void end(boolean isReplicated) {
        isFollowed = isReplicated;
        store.keep(true);
    }

    /** Returns the present registrations. On the loop. */
    public SaContents contents() {
        return new SaContents(
                memberships.view().groups(),
                store.registrations(services.view(), loop.nowNs()),
                subscriptions.view(),
                aliases.table());
    }

    /** Replaces all registrations by those of another SM. On the loop. */
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

    /** Drops all registrations, because another SM is master. */
    public void forget() {
        last = isFollowed ? null : contents();
        memberships.forget();
        services.forget();
        subscriptions.forget();
        aliases.forget();
    }

    /**
     * Keeps the present registrations for the next start, because the SM shuts down and its mastership ends
     * first. On the loop.
     */
    public void preserve() {
        store.keep(true);
    }
}
