package io.torussm.sa;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable.Block;
import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.multicast.MembershipService;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.ChangingHandler;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;

/**
 * The handler of GUIDInfoRecord (IBA 15.2.5.18): the PortGUID of every end port and its alias GUIDs, in blocks of 8, up
 * to GUIDCap of the port. Set adds aliases to a port, Delete removes aliases; the mask bits of GUID0 to GUID7 select
 * the entries of a block.
 *
 * <p>A node may change the aliases of its own ports; only trusted requesters may change those of other nodes.
 */
final class GuidInfoRecordHandler implements ChangingHandler {
    private static final long REQUIRED_COMPONENTS =
            GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.LID) | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.BLOCK_NUM);

    /** Position of the mask bit of GUID0; those of GUID1 to GUID7 follow. */
    private static final int FIRST_GUID =
            Long.numberOfTrailingZeros(GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.guid(0)));

    /** The mask bits of GUID0 to GUID7, shifted to bit 0. */
    private static final int ALL_GUIDS = (1 << GuidInfo.GUIDS_PER_BLOCK) - 1;

    private final AliasGuids aliases;
    private final MembershipService memberships;
    private final RecordHandler records;

    GuidInfoRecordHandler(AliasGuids aliases, MembershipService memberships) {
        this.aliases = aliases;
        this.memberships = memberships;
        this.records =
                new EndportRecords(GuidInfoRecord.TYPE, GuidInfoRecord.COMPONENTS, GuidInfoRecord.LID, this::offer);
    }

    @Override
    public AttributeType<?> type() {
        return GuidInfoRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable found) {
        return records.answer(query, found);
    }

    private void offer(Query query, int endport, Candidates candidates) {
        ViewIndex index = query.index();
        long portGuid = index.fabric().portGuid(endport);
        for (int number = 0; number * GuidInfo.GUIDS_PER_BLOCK < capacity(index, endport); number++) {
            long[] guids = aliases.table().guids(new Block(portGuid, number));
            candidates
                    .begin()
                    .set(GuidInfoRecord.LID, index.subnet().lid(endport))
                    .set(GuidInfoRecord.BLOCK_NUM, number);
            for (int i = 0; i < guids.length; i++) {
                candidates.set(GuidInfoRecord.guid(i), guids[i]);
            }
            candidates.offer();
        }
    }

    /** Returns the number of GUIDs for which a port has room, its PortGUID included. */
    private static int capacity(ViewIndex index, int endport) {
        PortInfo info = index.fabric().portInfo(endport);
        return info == null ? 0 : (int) info.get(PortInfo.GUID_CAP);
    }

    @Override
    public void change(Query query, Answer answer) {
        GuidInfoRecord sent = GuidInfoRecord.TYPE.read(query.mad(), SaMad.DATA_OFFSET);
        ViewIndex index = query.index();
        int port = index.subnet().portOfLid(query.value(GuidInfoRecord.LID));
        int number = query.value(GuidInfoRecord.BLOCK_NUM);
        int selected = (int) (query.mask() >>> FIRST_GUID) & ALL_GUIDS;
        int status = status(query, port, number, selected);
        if (status != MadStatus.OK) {
            answer.complete(status, sent.toBytes());
            return;
        }
        Block block = new Block(index.fabric().portGuid(port), number);
        AliasGuids.ChangeCompletion outcome =
                (result, guids) -> answer.complete(result, record(index.subnet().lid(port), number, guids));
        AliasGuids.Users users = new AliasGuids.Users(index::isPortGuid, this::isMember);
        boolean isTaken = MadHeader.method(query.mad()) == Method.SET
                ? aliases.set(block, selected, guids(sent), users, outcome)
                : aliases.delete(block, selected, users, outcome);
        if (!isTaken) {
            answer.complete(MadStatus.BUSY, sent.toBytes());
        }
    }

    /**
     * Checks a change.
     *
     * @param port index of the named port; NONE if no port has the LID
     * @param number number of the block
     * @param selected selected entries of the block: bit n is GUIDn
     * @return MAD status
     */
    private static int status(Query query, int port, int number, int selected) {
        if ((query.mask() & REQUIRED_COMPONENTS) != REQUIRED_COMPONENTS) {
            return MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
        }
        if (port == Fabric.NONE || !query.maySee(port)) {
            return MadStatus.SA_REQ_INVALID;
        }
        int selectedLength = Integer.SIZE - Integer.numberOfLeadingZeros(selected);
        boolean isOwnGuid = number == 0 && (selected & 1) != 0;
        if (isOwnGuid
                || number * GuidInfo.GUIDS_PER_BLOCK + Math.max(1, selectedLength) > capacity(query.index(), port)) {
            return MadStatus.SA_REQ_INVALID;
        }
        Fabric fabric = query.index().fabric();
        boolean isOwnNode = fabric.nodeOf(port) == fabric.nodeOf(query.requester());
        return isOwnNode || query.isTrusted() ? MadStatus.OK : MadStatus.SA_REQ_DENIED;
    }

    /**
     * Checks whether a GUID is in a multicast group. Called when the change is applied, not when the request arrives.
     */
    private boolean isMember(long guid) {
        return memberships.view().groups().stream()
                .flatMap(group -> group.members().stream())
                .anyMatch(member -> member.portGid().guid() == guid);
    }

    private static long[] guids(GuidInfoRecord record) {
        long[] guids = new long[GuidInfo.GUIDS_PER_BLOCK];
        for (int i = 0; i < guids.length; i++) {
            guids[i] = record.get(GuidInfoRecord.guid(i));
        }
        return guids;
    }

    private static byte[] record(int lid, int number, long[] guids) {
        GuidInfoRecord record =
                GuidInfoRecord.TYPE.zero().with(GuidInfoRecord.LID, lid).with(GuidInfoRecord.BLOCK_NUM, number);
        for (int i = 0; i < guids.length; i++) {
            record = record.with(GuidInfoRecord.guid(i), guids[i]);
        }
        return record.toBytes();
    }
}
