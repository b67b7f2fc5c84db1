package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.registration.Services;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.ChangingHandler;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordTable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The handler of ServiceRecord (IBA 15.2.5.14): Set registers a service, Delete removes services, Get and GetTable find
 * services by any of their components, ServiceData included.
 *
 * <p>ServiceLease in an answer is the remaining time. Only trusted requesters see ServiceKey; other requesters may
 * search by it. A service with ServiceP_Key 0xFFFF (default) is visible to all requesters that may see its port. Any
 * other service is visible to requesters in its partition.
 */
final class ServiceRecordHandler implements ChangingHandler {
    private static final long REQUIRED_COMPONENTS = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
            | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID);
    private static final long NAMED = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
            | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_NAME);
    private static final long P_KEY = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_P_KEY);
    private static final long LEASE = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_LEASE);
    private static final int ANY_P_KEY = 0xFFFF;

    /** The bits of a P_Key without the membership bit. */
    private static final int P_KEY_BASE = 0x7FFF;

    private final Services services;
    private final LongSupplier nowNs;

    /**
     * Creates a handler.
     *
     * @param nowNs clock of the service leases; called on any thread
     */
    ServiceRecordHandler(Services services, LongSupplier nowNs) {
        this.services = services;
        this.nowNs = nowNs;
    }

    @Override
    public AttributeType<?> type() {
        return ServiceRecord.TYPE;
    }

    @Override
    public void change(Query query, Answer answer) {
        ServiceRecord sent = ServiceRecord.TYPE.read(query.mad(), SaMad.DATA_OFFSET);
        Services.Claim claim = new Services.Claim(
                query.index().fabric().portGuid(query.requester()),
                query.isTrusted(),
                query.isUnbounded(),
                sent.getBytes(ServiceRecord.SERVICE_KEY),
                guid -> query.index().portOfGuid(guid) == query.requester());
        Services.ServiceCompletion outcome =
                (status, record) -> answer.complete(status, visibleRecord(query, record, sent));
        boolean isTaken = MadHeader.method(query.mad()) == Method.SET
                ? register(query, sent, claim, outcome)
                : remove(query, sent, claim, outcome);
        if (!isTaken) {
            outcome.complete(MadStatus.BUSY, sent);
        }
    }

    /**
     * Returns the record as the requester may see it. The ServiceKey of a Set is that of the request, and therefore no
     * secret. The ServiceKey of a removed service may be that of another port.
     *
     * @param record registered or removed record; null if the change failed, so that the data of the request is
     *     returned
     */
    private static byte[] visibleRecord(Query query, @Nullable ServiceRecord record, ServiceRecord sent) {
        if (record == null) {
            return sent.toBytes();
        }
        boolean isOwn = query.isTrusted() || MadHeader.method(query.mad()) == Method.SET;
        return (isOwn ? record : record.with(ServiceRecord.SERVICE_KEY, new byte[16])).toBytes();
    }

    private boolean register(
            Query query, ServiceRecord sent, Services.Claim claim, Services.ServiceCompletion outcome) {
        ServiceRecord wanted = query.has(P_KEY) ? sent : sent.with(ServiceRecord.SERVICE_P_KEY, ANY_P_KEY);
        if (!query.has(LEASE)) {
            wanted = wanted.with(ServiceRecord.SERVICE_LEASE, ServiceRecord.FOREVER);
        }
        boolean isAllowed = query.has(P_KEY) ? holdsPKey(query, sent) : seesPort(query, sent);
        if ((query.mask() & REQUIRED_COMPONENTS) != REQUIRED_COMPONENTS || !isAllowed) {
            outcome.complete(MadStatus.SA_REQ_INVALID, sent);
            return true;
        }
        return services.register(wanted, claim, outcome);
    }

    private boolean remove(Query query, ServiceRecord sent, Services.Claim claim, Services.ServiceCompletion outcome) {
        if ((query.mask() & NAMED) == 0) {
            outcome.complete(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS, sent);
            return true;
        }
        return services.remove(service -> isMeant(query, service), claim, outcome);
    }

    /**
     * Checks whether the requester shares a partition with the port that offers the service, if that port is
     * known (IBA 15.4.1.2).
     */
    private static boolean seesPort(Query query, ServiceRecord sent) {
        int port = query.index().portOfGuid(sent.gid().guid());
        return port == Fabric.NONE || query.maySee(port, sent.gid().guid());
    }

    /**
     * Checks whether the requester is in the partition of the service, and the port of the service too, if it is known.
     */
    private static boolean holdsPKey(Query query, ServiceRecord sent) {
        int pKey = (int) sent.get(ServiceRecord.SERVICE_P_KEY);
        int port = query.index().portOfGuid(sent.gid().guid());
        return (pKey & P_KEY_BASE) != 0
                && query.maySeePartition(pKey)
                && (port == Fabric.NONE
                        || query.index().keys(port, sent.gid().guid()).isIn(pKey));
    }

    @Override
    public int answer(Query query, RecordTable records) {
        Candidates candidates = new Candidates(query, ServiceRecord.COMPONENTS, query.mask(), records);
        for (Services.Service service : services.view()) {
            if (candidates.isFull()) {
                break;
            }
            if (maySee(query, service.record()) && isOffered(candidates, service)) {
                if (!query.isTrusted()) {
                    candidates.clear(ServiceRecord.SERVICE_KEY);
                }
                candidates.keep();
            }
        }
        return MadStatus.OK;
    }

    private boolean isMeant(Query query, Services.Service service) {
        RecordTable scratch = new RecordTable(ServiceRecord.TYPE.layout().size(), 1);
        return maySee(query, service.record())
                && isOffered(new Candidates(query, ServiceRecord.COMPONENTS, query.mask() & ~LEASE, scratch), service);
    }

    private boolean isOffered(Candidates candidates, Services.Service service) {
        return candidates
                .begin()
                .write(service.record(), 0, ServiceRecord.TYPE.layout().size())
                .set(ServiceRecord.SERVICE_LEASE, service.leaseLeft(nowNs.getAsLong()))
                .matches();
    }

    private static boolean maySee(Query query, ServiceRecord service) {
        int pKey = (int) service.get(ServiceRecord.SERVICE_P_KEY);
        int port = query.index().portOfGuid(service.gid().guid());
        return pKey == ANY_P_KEY
                ? port == Fabric.NONE || query.maySee(port, service.gid().guid())
                : query.maySeePartition(pKey);
    }
}
