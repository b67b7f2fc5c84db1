package io.torussm.registration;

import io.torussm.alias.AliasGuids;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastView;
import io.torussm.report.Subscriptions;
import io.torussm.transport.Loop;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The database of the SA: the registrations of hosts, across runs and masters. It starts with the records of the last
 * run in {@link RegistrationStore}, records changes there, and adds the records of other SMs. When another SM becomes
 * master, all registrations are dropped.
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

    /** True if the master SM has a copy of the files, and sends its changes to this SM. */
    private boolean isCopiedToMaster;

    /** The registrations at the end of a mastership whose successor does not send its registrations; null otherwise. */
    private @Nullable SaContents lastContents;

    /**
     * Opens the database. Called on the loop.
     *
     * @param groups registry without groups
     * @param aliases registry without aliases
     * @param gidPrefix GID prefix of the subnet; recorded members with another prefix are left out
     * @param isRestoring predicate: whether to use the records of other runs and other SMs; called on each use
     */
    public SaDatabase(
            RegistrationStore store,
            Loop loop,
            MulticastGroups groups,
            AliasGuids aliases,
            long gidPrefix,
            BooleanSupplier isRestoring) {
        loop.requireInLoop();
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
                new Table<>(store.subscriptions(), subscriptions::restore, subscriptions::clear));
        tables.forEach(Table::open);
        aliases.whenPublished(store.aliases()::record);
        memberships.whenPublished(view -> {
            store.groups().record(view.groups());
            groupListener.accept(view);
        });
        services.whenPublished(all -> store.recordServices(all, loop.nowNs()));
        subscriptions.whenPublished(store.subscriptions()::record);
    }

    /** Registrations of one kind, with their file. */
    private final class Table<T> {
        private final RegistrationFile<T> file;
        private final Consumer<T> complete;
        private final Consumer<T> adopt;

        /**
         * Connects registrations to their file.
         *
         * @param complete adds registrations that are unknown here
         * @param adopt replaces all registrations by those of another SM
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

        /** Restores the registrations of the last run, and those that other SMs send later. */
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

        /**
         * Adopts the registrations of the previous master, if it sent them. If they are not to be used, they are
         * dropped: they are outdated for the next mastership.
         */
        void begin() {
            Optional<T> adopted = file.takeAdopted();
            if (isRestoring.getAsBoolean()) {
                adopted.ifPresent(adopt);
            }
        }
    }

    /** Sets the listener of changed groups, which is called after the change is recorded. Called on the loop. */
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

    /** Returns the four registries, which requests change and query. */
    public Registrations registrations() {
        return new Registrations(memberships, services, subscriptions, aliases);
    }

    /**
     * Begins a mastership. It starts with the registrations of the previous master, if that was another SM which
     * replicated them; otherwise with those of the last mastership of this SM. The latter may be outdated. But without
     * them groups would lose their MLIDs, and switches their entries, until the hosts have joined again.
     */
    public void begin() {
        store.setFrozen(false);
        SaContents own = lastContents;
        lastContents = null;
        if (own != null && isRestoring.getAsBoolean()) {
            aliases.restore(own.aliases());
            memberships.complete(own.groups(), gidPrefix);
            store.restore(own.services(), services);
            subscriptions.restore(own.subscriptions());
        }
        tables.forEach(Table::begin);
        recordAll();
    }

    /** Records the current registrations of all kinds, because changes were not recorded before the mastership. */
    private void recordAll() {
        store.aliases().record(aliases.table());
        store.groups().record(memberships.view().groups());
        store.recordServices(services.view(), loop.nowNs());
        store.subscriptions().record(subscriptions.view());
    }

    /**
     * Ends a mastership. The files remain unchanged until another SM sends its registrations.
     *
     * @param isReplicated whether the new master has a copy of the files, and sends its changes to this SM
     */
    public void end(boolean isReplicated) {
        isCopiedToMaster = isReplicated;
        store.setFrozen(true);
    }

    /** Returns the current registrations. Called on the loop. */
    public SaContents contents() {
        return new SaContents(
                memberships.view().groups(),
                store.registrations(services.view(), loop.nowNs()),
                subscriptions.view(),
                aliases.table());
    }

    /** Replaces all registrations by those of another SM. Called on the loop. */
    public void adopt(SaContents others) {
        loop.requireInLoop();
        lastContents = null;
        aliases.forget();
        aliases.restore(others.aliases());
        memberships.adopt(others.groups(), gidPrefix);
        services.forget();
        store.restore(others.services(), services);
        subscriptions.clear();
        subscriptions.restore(others.subscriptions());
    }

    /** Drops all registrations, because another SM is master. */
    public void forget() {
        lastContents = isCopiedToMaster ? null : contents();
        memberships.forget();
        services.forget();
        subscriptions.clear();
        aliases.forget();
    }

    /**
     * Writes the current registrations, and lets the files unchanged until the end of the process. Called on the loop
     * at shutdown, before the mastership ends and drops the registrations.
     */
    public void preserve() {
        store.setFrozen(true);
    }
}
