package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.Notice;
import io.torussm.report.Subscription;
import io.torussm.report.Subscriptions;
import io.torussm.sa.query.AttributeHandler;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.subnet.Subnet;
import io.torussm.transport.GlobalRoute;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The handler of InformInfo (IBA 13.4.8.3, 15.2.5.12). Set with Subscribe 1 subscribes the queue pair of the sender.
 * Set with Subscribe 0 ends the subscription of the sender's port with the same QPN and criteria. Both are answered
 * with the data of the request. InformInfo is not a record and cannot be queried.
 *
 * <p>If a request names issuers by GID or LIDs, these ports must exist and share a partition with the subscriber,
 * even if it is trusted. In a range, unassigned LIDs are skipped, but at least one LID must be assigned. A
 * range from 0, as osmtest sends it, names no port and is accepted.
 */
final class InformInfoHandler implements AttributeHandler {
    private static final int SUBSCRIBES = 1;

    private final Subscriptions subscriptions;

    InformInfoHandler(Subscriptions subscriptions) {
        this.subscriptions = subscriptions;
    }

    @Override
    public AttributeType<?> type() {
        return InformInfo.TYPE;
    }

    @Override
    public void serve(Query query, QueryReply reply) {
        InformInfo sent = InformInfo.TYPE.read(query.mad(), SaMad.DATA_OFFSET);
        IntConsumer completion = status -> reply.sendChange(status, sent.toBytes());
        int subscribe = (int) sent.get(InformInfo.SUBSCRIBE);
        if (query.method() != Method.SET) {
            completion.accept(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        } else if (subscribe > SUBSCRIBES || (subscribe == SUBSCRIBES && !isAllowed(query, sent))) {
            completion.accept(MadStatus.SA_REQ_INVALID);
        } else if (!submit(query, sent, subscribe == SUBSCRIBES, completion)) {
            completion.accept(MadStatus.BUSY);
        }
    }

    private boolean submit(Query query, InformInfo sent, boolean isNew, IntConsumer completion) {
        long guid = query.index().fabric().portGuid(query.requester());
        int qpn = isNew ? query.peer().qpn() : (int) sent.get(InformInfo.QPN);
        Subscription.Subscriber subscriber = new Subscription.Subscriber(guid, qpn, routeTo(query));
        return isNew
                ? subscriptions.add(subscriber, query.isTrusted(), sent, completion)
                : subscriptions.remove(subscriber, sent, completion);
    }

    /** Returns the global route to a subscriber; that of a virtual port with a LID of its own has at least its GID. */
    private static @Nullable GlobalRoute routeTo(Query query) {
        GlobalRoute route = query.peer().grh();
        Subnet subnet = query.index().subnet();
        int lid = query.peer().lid();
        return route != null || subnet.routedLid(lid) == lid
                ? route
                : new GlobalRoute(new Gid(subnet.gidPrefix(), subnet.guidOfLid(lid)), 0, 0, 0, 0);
    }

    private static boolean isAllowed(Query query, InformInfo criteria) {
        boolean isAboutKeys = criteria.get(InformInfo.IS_GENERIC) != 0
                && Notice.isAboutKeys((int) criteria.get(InformInfo.TRAP_NUMBER));
        return (query.isTrusted() || !isAboutKeys) && hasIssuers(query, criteria);
    }

    private static boolean hasIssuers(Query query, InformInfo criteria) {
        if (criteria.hasGid()) {
            Gid gid = criteria.gid();
            int port = query.index().portOfGuid(gid.guid());
            boolean isOfSubnet = gid.prefix() == Gid.DEFAULT_PREFIX
                    || gid.prefix() == query.index().subnet().gidPrefix();
            return isOfSubnet && port != Fabric.NONE && query.sharesPartition(port);
        }
        return criteria.isOfAnyLid() || areIssuers(query, criteria.firstLid(), criteria.lastLid());
    }

    private static boolean areIssuers(Query query, int firstLid, int lastLid) {
        boolean hasIssuer = firstLid == 0;
        for (int lid = firstLid; lid <= lastLid; lid++) {
            int port = query.index().subnet().portOfLid(lid);
            if (port != Fabric.NONE && !query.sharesPartition(port)) {
                return false;
            }
            hasIssuer |= port != Fabric.NONE;
        }
        return hasIssuer;
    }
}
