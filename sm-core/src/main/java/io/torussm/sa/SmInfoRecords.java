package io.torussm.sa;

import io.torussm.mad.AttributeType;
import io.torussm.mad.sa.SmInfoRecord;
import io.torussm.mad.smp.SmInfo;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;
import java.util.List;
import java.util.function.Supplier;

/**
 * The handler of SMInfoRecord (IBA 15.2.5.10): this SM and all other known SMs, at their ports. Only trusted requesters
 * see SM_Keys and can search for them.
 */
final class SmInfoRecords implements RecordHandler {
    private final Supplier<List<SmInfo>> subnetManagers;

    /**
     * Creates a handler.
     *
     * @param subnetManagers returns all known SMs; called once for each request, on any thread
     */
    SmInfoRecords(Supplier<List<SmInfo>> subnetManagers) {
        this.subnetManagers = subnetManagers;
    }

    @Override
    public AttributeType<?> type() {
        return SmInfoRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        List<SmInfo> all = subnetManagers.get();
        RecordHandler atPorts = new EndportRecords(
                SmInfoRecord.TYPE, SmInfoRecord.COMPONENTS, SmInfoRecord.LID, (asked, endport, candidates) -> {
                    long guid = asked.index().fabric().portGuid(endport);
                    all.stream().filter(sm -> sm.guid() == guid).forEach(sm -> offer(asked, endport, sm, candidates));
                });
        return atPorts.answer(query, records);
    }

    private static void offer(Query query, int endport, SmInfo sm, Candidates candidates) {
        candidates
                .begin()
                .set(SmInfoRecord.LID, query.index().subnet().lid(endport))
                .set(SmInfoRecord.GUID, sm.guid())
                .set(SmInfoRecord.SM_KEY, query.isTrusted() ? sm.get(SmInfo.SM_KEY) : 0)
                .set(SmInfoRecord.ACT_COUNT, sm.get(SmInfo.ACT_COUNT))
                .set(SmInfoRecord.PRIORITY, sm.priority())
                .set(SmInfoRecord.SM_STATE, sm.smState())
                .offer();
    }
}
