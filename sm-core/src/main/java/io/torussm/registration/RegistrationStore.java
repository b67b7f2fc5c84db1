package io.torussm.registration;

import io.torussm.alias.AliasTable;
import io.torussm.multicast.MulticastGroup;
import io.torussm.report.Subscription;
import io.torussm.state.StateDirectory;
import io.torussm.transport.Loop;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The registrations of hosts with the SA, in files of the state directory. Owner thread: the loop of the SM.
 */
public final class RegistrationStore {
    private final RegistrationFile<List<MulticastGroup>> groups;
    private final RegistrationFile<List<Services.Registration>> services;
    private final RegistrationFile<List<Subscription>> subscriptions;
    private final RegistrationFile<AliasTable> aliases;
    private final LongSupplier epochSeconds;

    /**
     * Opens the store in a state directory.
     *
     * @param loop loop of the SM
     * @param epochSeconds supplier of the time of day, in seconds since 1970, because leases outlive a restart
     */
    public RegistrationStore(StateDirectory directory, Loop loop, LongSupplier epochSeconds) {
        this.epochSeconds = epochSeconds;
        groups = new RegistrationFile<>(
                directory,
                loop,
                GroupCodec.FILE,
                GroupCodec::new,
                all -> all.stream().flatMap(GroupCodec::of),
                List.of());
        services = new RegistrationFile<>(
                directory,
                loop,
                ServiceCodec.FILE,
                ServiceCodec::new,
                all -> all.stream().map(ServiceCodec::of),
                List.of());
        subscriptions = new RegistrationFile<>(
                directory,
                loop,
                SubscriptionCodec.FILE,
                SubscriptionCodec::new,
                all -> all.stream().map(SubscriptionCodec::of),
                List.of());
        aliases = new RegistrationFile<>(
                directory, loop, AliasCodec.FILE, AliasCodec::new, AliasCodec::of, AliasTable.NONE);
    }

    /** Returns the file of multicast groups with their members. */
    RegistrationFile<List<MulticastGroup>> groups() {
        return groups;
    }

    /** Returns the file of services, with the times of day at which their leases end. */
    RegistrationFile<List<Services.Registration>> services() {
        return services;
    }

    /** Returns the file of subscriptions to events. */
    RegistrationFile<List<Subscription>> subscriptions() {
        return subscriptions;
    }

    /** Returns the file of alias GUIDs. */
    RegistrationFile<AliasTable> aliases() {
        return aliases;
    }

    /** Records the current services, whose leases end by the clock of the loop. */
    void recordServices(List<Services.Service> current, long nowNs) {
        services.record(registrations(current, nowNs));
    }

    /** Returns services with the times of day at which their leases end. */
    List<Services.Registration> registrations(List<Services.Service> current, long nowNs) {
        long epoch = epochSeconds.getAsLong();
        return current.stream()
                .map(service -> service.registration(epoch, nowNs))
                .toList();
    }

    /** Adds recorded services to a registry, if their leases have not ended. */
    void restore(List<Services.Registration> known, Services registry) {
        registry.restore(known, epochSeconds.getAsLong());
    }

    /** Sets whether the files remain unchanged; see {@link RegistrationFile#setFrozen}. */
    void setFrozen(boolean isKept) {
        groups.setFrozen(isKept);
        services.setFrozen(isKept);
        subscriptions.setFrozen(isKept);
        aliases.setFrozen(isKept);
    }
}
