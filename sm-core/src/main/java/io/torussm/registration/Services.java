package io.torussm.registration;

import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.sa.change.Shares;
import io.torussm.sa.change.UpdateGate;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The registry of services with the SA (IBA 15.2.5.14), until their leases end. ServiceID, ServiceGID and ServiceP_Key
 * identify a service; a new registration replaces the whole record.
 *
 * <p>These requesters may change a service: the port that registered it, the port of its ServiceGID, a requester with
 * its ServiceKey, and trusted requesters.
 *
 * <p>Owner thread: the loop, except for {@link #view()}, {@link #register} and {@link #remove}, which any
 * thread may call.
 */
public final class Services {
    /** Max number of all services. */
    public static final int MAX_SERVICES = 1 << 16;

    /** Max number of services of one port. A port also may not have more services than remain free. */
    public static final int MAX_PER_PORT = 1024;

    /** Max number of changes that wait for the loop. */
    private static final int MAX_WAITING = 1 << 14;

    /**
     * A service.
     *
     * @param record record as registered, with the lease from that time on
     * @param registrant GUID of the port that registered the service
     * @param endNs time of the loop at which the lease ends, in nanoseconds; {@link Long#MAX_VALUE} for never
     */
    public record Service(ServiceRecord record, long registrant, long endNs) {
        /** Returns the remaining lease in seconds, at least 1; {@link ServiceRecord#FOREVER} without an end. */
        public long leaseLeft(long nowNs) {
            return endNs == Long.MAX_VALUE
                    ? ServiceRecord.FOREVER
                    : Math.max(1, TimeUnit.NANOSECONDS.toSeconds(endNs - nowNs + NS_PER_SECOND - 1));
        }

        /** Returns the service in the form for a file; the arguments are the same time by two clocks. */
        public Registration registration(long epochSeconds, long nowNs) {
            return new Registration(
                    record,
                    registrant,
                    endNs == Long.MAX_VALUE ? Registration.FOREVER : epochSeconds + leaseLeft(nowNs));
        }

        /** Checks whether a requester may change the service. */
        private boolean isOf(Claim claim) {
            return claim.isTrusted()
                    || registrant == claim.requester()
                    || claim.isAt().test(record.gid().guid())
                    || (claim.showsKey() && Arrays.equals(claim.key(), record.getBytes(ServiceRecord.SERVICE_KEY)));
        }
    }

    /**
     * A service in a file.
     *
     * @param record record as registered
     * @param registrant GUID of the port that registered the service
     * @param until time of day at which the lease ends, in seconds since 1970; {@link #FOREVER} for never
     */
    public record Registration(ServiceRecord record, long registrant, long until) {
        /** The end of a lease without an end. */
        public static final long FOREVER = Long.MAX_VALUE;
    }

    /**
     * The requester of a change.
     *
     * @param requester GUID of the requesting port
     * @param isTrusted whether the request had the SM_Key
     * @param isUnbounded whether the requester is exempt from {@link #MAX_PER_PORT}
     * @param key ServiceKey of the request; all zero without a key
     * @param isAt predicate of GUIDs: whether the GUID is that of the requester's port, or its alias
     */
    public record Claim(long requester, boolean isTrusted, boolean isUnbounded, byte[] key, LongPredicate isAt) {
        private boolean showsKey() {
            for (byte octet : key) {
                if (octet != 0) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The identity of a service. */
    private record Rid(long id, Gid gid, long pKey) {
        static Rid of(ServiceRecord record) {
            return new Rid(record.get(ServiceRecord.SERVICE_ID), record.gid(), record.get(ServiceRecord.SERVICE_P_KEY));
        }
    }

    /**
     * A consumer of the result of a change: a MAD status and, if it is OK, the service that was stored or removed.
     */
    public interface ServiceCompletion {
        void complete(int status, @Nullable ServiceRecord record);
    }

    private static final long NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Loop loop;
    private final Map<Rid, Service> services = new LinkedHashMap<>();
    private final Shares shares = new Shares("services", MAX_PER_PORT);
    private final UpdateGate updateGate;
    private volatile List<Service> view = List.of();
    private Consumer<List<Service>> store = all -> {};
    private Loop.@Nullable Timer timer;

    /** Creates a registry without services. */
    public Services(Loop loop) {
        this.loop = loop;
        this.updateGate = new UpdateGate(loop, MAX_WAITING, this::publish);
    }

    /** Returns all services whose lease has not ended, in the order of their first registration. */
    public List<Service> view() {
        return view;
    }

    /** Sets the listener that records all services after each change. Called on the loop. */
    public void whenPublished(Consumer<List<Service>> newStore) {
        loop.requireInLoop();
        store = newStore;
    }

    /**
     * Registers a service. Any thread.
     *
     * @param record record with all components to be stored, with the lease in seconds from now
     * @param then callback, called once, on the loop
     * @return false if too many changes are waiting, so that the request is dropped
     */
    public boolean register(ServiceRecord record, Claim claim, ServiceCompletion then) {
        return updateGate.submit(() -> {
            int status = put(record, claim);
            return () -> then.complete(status, record);
        });
    }

    /**
     * Removes a service. Any thread.
     *
     * @param isMeant predicate that selects the service; the status is NO_RECORDS if it selects none, TOO_MANY_RECORDS
     *     if it selects several
     * @param then callback, called once, on the loop
     * @return false if too many changes are waiting, so that the request is dropped
     */
    public boolean remove(Predicate<Service> isMeant, Claim claim, ServiceCompletion then) {
        return updateGate.submit(() -> {
            List<Service> meant =
                    services.values().stream().filter(isMeant).limit(2).toList();
            int status = statusOf(meant, claim);
            if (status != MadStatus.OK) {
                return () -> then.complete(status, null);
            }
            removeService(meant.get(0));
            return () -> then.complete(MadStatus.OK, meant.get(0).record());
        });
    }

    private static int statusOf(List<Service> services, Claim claim) {
        return switch (services.size()) {
            case 0 -> MadStatus.SA_NO_RECORDS;
            case 1 -> services.get(0).isOf(claim) ? MadStatus.OK : MadStatus.SA_REQ_DENIED;
            default -> MadStatus.SA_TOO_MANY_RECORDS;
        };
    }

    private int put(ServiceRecord record, Claim claim) {
        Rid rid = Rid.of(record);
        Service known = services.get(rid);
        if (known != null && !known.isOf(claim)) {
            return MadStatus.SA_REQ_DENIED;
        }
        long account = claim.isUnbounded() ? Shares.NOBODY : claim.requester();
        if (known == null && !shares.hasRoom(account, pKey(record), MAX_SERVICES - services.size())) {
            return MadStatus.SA_NO_RESOURCES;
        }
        if (known != null) {
            shares.count(known.registrant(), pKey(known.record()), -1);
        }
        long lease = record.get(ServiceRecord.SERVICE_LEASE);
        long endNs = lease == ServiceRecord.FOREVER ? Long.MAX_VALUE : loop.nowNs() + lease * NS_PER_SECOND;
        services.put(rid, new Service(record, claim.requester(), endNs));
        shares.count(claim.requester(), pKey(record), 1);
        return MadStatus.OK;
    }

    private static int pKey(ServiceRecord record) {
        return (int) record.get(ServiceRecord.SERVICE_P_KEY);
    }

    private void removeService(Service service) {
        services.remove(Rid.of(service.record()));
        shares.count(service.registrant(), pKey(service.record()), -1);
    }

    private Runnable publish() {
        view = List.copyOf(services.values());
        scheduleExpiry();
        return () -> store.accept(view);
    }

    /** Sets the timer to the next end of a lease. */
    private void scheduleExpiry() {
        Loop.Timer pending = timer;
        timer = null;
        if (pending != null) {
            pending.cancel();
        }
        long next = services.values().stream().mapToLong(Service::endNs).min().orElse(Long.MAX_VALUE);
        if (next != Long.MAX_VALUE) {
            timer = loop.schedule(Math.max(0, next - loop.nowNs()), this::expire);
        }
    }

    /** Removes services whose leases have ended. */
    private void expire() {
        timer = null;
        long nowNs = loop.nowNs();
        List<Service> ended = new ArrayList<>();
        services.values().stream().filter(service -> service.endNs() <= nowNs).forEach(ended::add);
        ended.forEach(this::removeService);
        updateGate.publish();
    }

    /**
     * Adds services of an earlier run, or of another SM, if they are unknown and their leases have not ended. Called on
     * the loop.
     *
     * @param epochSeconds time of day, in seconds since 1970
     */
    public void restore(List<Registration> known, long epochSeconds) {
        loop.requireInLoop();
        for (Registration registration : known) {
            boolean isForever = registration.until() == Registration.FOREVER;
            long leaseSeconds = isForever ? 0 : Math.min(registration.until() - epochSeconds, ServiceRecord.FOREVER);
            long endNs = isForever ? Long.MAX_VALUE : loop.nowNs() + leaseSeconds * NS_PER_SECOND;
            Service service = new Service(registration.record(), registration.registrant(), endNs);
            boolean isNew = (isForever || leaseSeconds > 0) && !services.containsKey(Rid.of(registration.record()));
            if (isNew && services.size() < MAX_SERVICES) {
                services.put(Rid.of(registration.record()), service);
                shares.count(registration.registrant(), pKey(registration.record()), 1);
            }
        }
        updateGate.publish();
    }

    /** Removes all services, because another SM becomes master. Called on the loop. */
    public void forget() {
        loop.requireInLoop();
        services.clear();
        shares.clear();
        updateGate.publish();
    }
}
