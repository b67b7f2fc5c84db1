package io.torussm.sa;

import io.torussm.alias.AliasGuids;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.transport.Loop;
import java.util.function.BooleanSupplier;

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
    private final AliasGuids aliases;

    /**
     * Opens the books; on the loop.
     *
     * @param groups that nobody has joined yet
     * @param aliases that nobody has yet
     * @param gidPrefix of the subnet; members of another one are left out
     * @param isRestoring whether what other runs and other SMs have noted counts; asked each time
     */
    public SaBooks(
            SaStore store,
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
        this.aliases = aliases;
        open();
    }

    private void open() {
        if (isRestoring.getAsBoolean()) {
            aliases.restore(store.aliases().restored());
            memberships.complete(store.groups().restored(), gidPrefix);
            store.restore(store.services().restored(), services);
        }
        memberships.whenPublished(view -> store.groups().remember(view.groups()));
        aliases.whenPublished(store.aliases()::remember);
        services.whenPublished(all -> store.remember(all, loop.nowNs()));
        store.groups().whenCompleted(others -> {
            if (isRestoring.getAsBoolean()) {
                memberships.complete(others, gidPrefix);
            }
        });
        store.aliases().whenCompleted(others -> {
            if (isRestoring.getAsBoolean()) {
                aliases.restore(others);
            }
        });
        store.services().whenCompleted(others -> {
            if (isRestoring.getAsBoolean()) {
                store.restore(others, services);
            }
        });
    }

    /** Memberships of multicast groups. */
    public MembershipService memberships() {
        return memberships;
    }

    /** What requests change, and tell of. */
    public Registrations registrations() {
        return new Registrations(memberships, services, aliases);
    }

    /** A reign begins: with what the master before had, if another SM was it. */
    public void begin() {
        store.keep(false);
        if (isRestoring.getAsBoolean()) {
            store.aliases().inherited().ifPresent(known -> {
                aliases.forget();
                aliases.restore(known);
            });
            store.groups().inherited().ifPresent(groups -> memberships.inherit(groups, gidPrefix));
            store.services().inherited().ifPresent(known -> {
                services.forget();
                store.restore(known, services);
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
        aliases.forget();
    }

    /** Hands over what waits to be written, for the orderly end. */
    public void save() {
        store.save();
    }
}
