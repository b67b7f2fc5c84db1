package io.torussm.daemon.dump;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import java.io.IOException;

/**
 * The writer of {@code opensm-sa.dump}: multicast groups and their members, in the format of OpenSM's {@code
 * sa_db_file}. The file contains Q_Keys, so only its owner may read it.
 */
final class GroupDump {
    /**
     * Fields of the MCMemberRecord as OpenSM prints them: values with selectors, and groups of fields (IBA 15.2.5.17).
     */
    private static final Field MTU = new Field("mtu", 304, 8);

    private static final Field RATE = new Field("rate", 336, 8);
    private static final Field LIFE = new Field("pkt_life", 344, 8);
    private static final Field SL_FLOW_HOP = new Field("sl_flow_hop", 352, 32);
    private static final Field SCOPE_STATE = new Field("scope_state", 384, 8);

    private GroupDump() {}

    static void groups(MulticastView view, AsciiWriter text) throws IOException {
        for (MulticastGroup group : view.groups()) {
            group(group.record(), text);
            for (MulticastGroup.Member member : group.members()) {
                text.put("mcm_port: port_gid=");
                gid(member.portGid(), text);
                end(group.recordOf(member), text);
            }
        }
    }

    private static void group(MCMemberRecord record, AsciiWriter text) throws IOException {
        text.put("MC Group 0x").hex(record.get(MCMemberRecord.MLID), 4).put(" : mgid=");
        gid(record.mgid(), text);
        text.put(" port_gid=");
        gid(new Gid(0, 0), text);
        text.put(" qkey=0x").hex(record.get(MCMemberRecord.Q_KEY), 8);
        text.put(" mlid=0x").hex(record.get(MCMemberRecord.MLID), 4);
        text.put(" mtu=0x").hex(record.get(MTU), 2);
        text.put(" tclass=0x").hex(record.get(MCMemberRecord.T_CLASS), 2);
        text.put(" pkey=0x").hex(record.get(MCMemberRecord.P_KEY), 4);
        text.put(" rate=0x").hex(record.get(RATE), 2);
        text.put(" pkt_life=0x").hex(record.get(LIFE), 2);
        text.put(" sl_flow_hop=0x").hex(record.get(SL_FLOW_HOP), 8);
        end(record, text);
    }

    private static void end(MCMemberRecord record, AsciiWriter text) throws IOException {
        text.put(" scope_state=0x").hex(record.get(SCOPE_STATE), 2);
        text.put(" proxy_join=0x").hex(record.get(MCMemberRecord.PROXY_JOIN), 1).put("\n\n");
    }

    private static void gid(Gid gid, AsciiWriter text) throws IOException {
        text.put("0x").hex(gid.prefix(), 16).put(":0x").hex(gid.guid(), 16);
    }
}
