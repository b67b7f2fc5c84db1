package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.InformInfoRecord;
import io.torussm.report.Subscription;
import io.torussm.report.Subscriptions;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;

/**
 * The handler of InformInfoRecord (IBA 15.2.5.12): Get and GetTable return the subscriptions. Only trusted requesters
 * see QPNs, and subscriptions of absent ports, because the partitions of absent ports are unknown.
 */
final class InformInfoRecordHandler implements RecordHandler {
    private static final Field QPN = InformInfoRecord.field(InformInfo.QPN);

    private final Subscriptions subscriptions;

    InformInfoRecordHandler(Subscriptions subscriptions) {
        this.subscriptions = subscriptions;
    }

    @Override
    public AttributeType<?> type() {
        return InformInfoRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        Candidates candidates = new Candidates(query, InformInfoRecord.COMPONENTS, query.mask(), records);
        for (Subscription subscription : subscriptions.view()) {
            if (candidates.isFull()) {
                break;
            }
            if (maySee(query, subscription)) {
                write(query, subscription, candidates.begin());
                candidates.offer();
            }
        }
        return MadStatus.OK;
    }

    private static boolean maySee(Query query, Subscription subscription) {
        int port = query.index().portOfGuid(subscription.subscriber().portGuid());
        return port == Fabric.NONE ? query.isTrusted() : query.maySee(port);
    }

    private static void write(Query query, Subscription subscription, Candidates record) {
        long prefix = query.index().subnet().gidPrefix();
        record.set(
                        InformInfoRecord.SUBSCRIBER_GID,
                        new Gid(prefix, subscription.subscriber().portGuid()))
                .set(InformInfoRecord.ENUM, subscription.number())
                .write(
                        subscription.informInfo(),
                        InformInfoRecord.INFORM_INFO_OFFSET,
                        InformInfo.TYPE.layout().size());
        if (!query.isTrusted()) {
            record.clear(QPN);
        }
    }
}
