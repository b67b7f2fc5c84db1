package io.torussm.sa;

import io.torussm.mad.AttributeType;
import io.torussm.mad.sa.LinearForwardingTableRecord;
import io.torussm.mad.sa.MulticastForwardingTableRecord;
import io.torussm.mad.sa.SwitchInfoRecord;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The sources of records of SwitchInfo and the forwarding tables of switches. */
final class SwitchRecords {
    private SwitchRecords() {}

    /**
     * Returns the handler of SwitchInfoRecord (IBA 15.2.5.5): the SwitchInfo that was read last, with MulticastFDBTop
     * for the present multicast groups.
     */
    static RecordHandler switchInfos(MembershipService memberships) {
        return new EndportRecords(
                SwitchInfoRecord.TYPE,
                SwitchInfoRecord.COMPONENTS,
                SwitchInfoRecord.LID,
                (query, endport, candidates) -> offerInfo(query, endport, memberships.view(), candidates));
    }

    private static void offerInfo(Query query, int endport, MulticastView groups, Candidates candidates) {
        ViewIndex index = query.index();
        int sw = index.fabric().nodeOf(endport);
        SwitchInfo info = index.fabric().node(sw).switchInfo();
        if (info != null) {
            OptionalInt top = index.router().top(groups, sw);
            candidates
                    .begin()
                    .set(SwitchInfoRecord.LID, index.subnet().lid(endport))
                    .set(
                            SwitchInfoRecord.SWITCH_INFO,
                            top.isPresent() ? info.with(SwitchInfo.MULTICAST_FDB_TOP, top.getAsInt()) : info)
                    .offer();
        }
    }

    /** Returns the handler of LinearForwardingTableRecord (IBA 15.2.5.6): blocks up to LinearFDBTop. */
    static RecordHandler forwardingTables() {
        return new EndportRecords(
                LinearForwardingTableRecord.TYPE,
                LinearForwardingTableRecord.COMPONENTS,
                LinearForwardingTableRecord.LID,
                SwitchRecords::offerForwarding);
    }

    private static void offerForwarding(Query query, int endport, Candidates candidates) {
        ViewIndex index = query.index();
        int sw = index.fabric().nodeOf(endport);
        if (!index.fabric().isSwitch(sw)) {
            return;
        }
        byte[] lft = index.view().plan().lft(sw);
        for (int block = 0; block <= index.subnet().topLid() / LinearForwardingTable.LIDS_PER_BLOCK; block++) {
            candidates
                    .begin()
                    .set(LinearForwardingTableRecord.LID, index.subnet().lid(endport))
                    .set(LinearForwardingTableRecord.BLOCK_NUM, block)
                    .set(LinearForwardingTableRecord.TABLE, LinearForwardingTable.blockOf(lft, block))
                    .offer();
        }
    }

    /**
     * Returns the handler of MulticastForwardingTableRecord (IBA 15.2.5.8): blocks up to the highest MLID in use, at
     * all positions (groups of 16 ports) of a switch.
     */
    static RecordHandler multicastTables(MembershipService memberships) {
        return new RecordHandler() {
            @Override
            public AttributeType<?> type() {
                return MulticastForwardingTableRecord.TYPE;
            }

            @Override
            public int answer(Query query, RecordTable records) {
                MulticastTables tables = new MulticastTables(query, memberships.view());
                return new EndportRecords(
                                MulticastForwardingTableRecord.TYPE,
                                MulticastForwardingTableRecord.COMPONENTS,
                                MulticastForwardingTableRecord.LID,
                                tables)
                        .answer(query, records);
            }
        };
    }

    /** The multicast tables at the time of a query. A block of MLIDs is routed once, for all switches of the query. */
    private static final class MulticastTables implements EndportRecords.Source {
        private static final long BLOCK =
                MulticastForwardingTableRecord.COMPONENTS.bit(MulticastForwardingTableRecord.BLOCK_NUM);

        private final MulticastRouter router;
        private final MulticastView groups;

        /** Numbers of the first and the last requested block of MLIDs. */
        private final int first;

        private final int last;

        /** Routed blocks by number. */
        private final Map<Integer, MulticastRouter.Block> routed = new HashMap<>();

        MulticastTables(Query query, MulticastView groups) {
            this.router = query.index().router();
            this.groups = groups;
            int blocks = (groups.topMlid() - MulticastView.FIRST_MLID) / MulticastForwardingTable.MLIDS_PER_BLOCK;
            int wanted = query.value(MulticastForwardingTableRecord.BLOCK_NUM);
            first = query.has(BLOCK) ? wanted : 0;
            last = query.has(BLOCK) ? Math.min(wanted, blocks) : blocks;
        }

        @Override
        public void offer(Query query, int endport, Candidates candidates) {
            int sw = query.index().fabric().nodeOf(endport);
            if (!query.index().fabric().isSwitch(sw)) {
                return;
            }
            for (int number = first; number <= last; number++) {
                MulticastRouter.Block block = routed.computeIfAbsent(number, n -> router.block(groups, n));
                for (int position = 0; position < router.positions(sw); position++) {
                    candidates
                            .begin()
                            .set(
                                    MulticastForwardingTableRecord.LID,
                                    query.index().subnet().lid(endport))
                            .set(MulticastForwardingTableRecord.BLOCK_NUM, number)
                            .set(MulticastForwardingTableRecord.POSITION, position)
                            .set(MulticastForwardingTableRecord.TABLE, block.table(sw, position))
                            .offer();
                }
            }
        }
    }
}
