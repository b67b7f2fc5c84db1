package io.torussm.daemon.opensm;

import io.torussm.alias.AliasTable;
import io.torussm.mad.Gid;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.multicast.MulticastGroup;
import io.torussm.registration.SaContents;
import io.torussm.registration.Services;
import io.torussm.report.Subscription;
import io.torussm.sa.change.Shares;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongToIntFunction;

/**
 * A writer of the registrations of hosts in the format of OpenSM's {@code sa_db_file}: each record is a line, followed
 * by an empty line. Data that do not fit the format are left out and reported. An instance writes one text.
 */
final class SaDumpText {
    /** The Q_Key of QP 1 (IBA 16.1.2). */
    private static final String Q_KEY = "0x80010000";

    private static final int EXACTLY_SELECTOR = 2 << 6; // the selector in the upper two bits of a value

    private final StringBuilder text = new StringBuilder();
    private final List<String> leftOut = new ArrayList<>();
    private final SaContents contents;
    private final long gidPrefix;
    private final LongToIntFunction lidOf;
    private final long epochSeconds;

    /**
     * Writes the text of all registrations.
     *
     * @param contents registrations of hosts
     * @param gidPrefix GID prefix of the subnet
     * @param lidOf base LID of a port, by port GUID; 0 if the port has no LID
     * @param epochSeconds time of day, in seconds since 1970
     */
    SaDumpText(SaContents contents, long gidPrefix, LongToIntFunction lidOf, long epochSeconds) {
        this.contents = contents;
        this.gidPrefix = gidPrefix;
        this.lidOf = lidOf;
        this.epochSeconds = epochSeconds;
        aliases();
        contents.groups().forEach(this::group);
        contents.subscriptions().forEach(this::subscription);
        contents.services().forEach(this::service);
    }

    /** Returns the text of the file. */
    String text() {
        return text.toString();
    }

    /** Returns the registrations that are not in the text, a line each. */
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    private void line(String record) {
        text.append(record).append("\n\n");
    }

    private static String pair(Gid gid) {
        return Guid.format(gid.prefix()) + ":" + Guid.format(gid.guid());
    }

    private void aliases() {
        Map<Long, Map<Integer, long[]>> ports = new TreeMap<>(Long::compareUnsigned);
        AliasTable table = contents.aliases();
        table.guids()
                .forEach((place, guid) -> ports.computeIfAbsent(place.portGuid(), port -> new TreeMap<>())
                        .computeIfAbsent(
                                place.index() / GuidInfo.GUIDS_PER_BLOCK, block -> new long[GuidInfo.GUIDS_PER_BLOCK])[
                        place.index() % GuidInfo.GUIDS_PER_BLOCK] = guid);
        ports.forEach((port, blocks) -> blocks.forEach((number, guids) -> {
            if (number == 0) {
                guids[0] = port;
            }
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < guids.length; i++) {
                all.append(" guid").append(i).append('=').append(Guid.format(guids[i]));
            }
            line(String.format(
                    SaDump.GUIDS + " base_guid=%s lid=0x%04x block_num=0x%x%s",
                    Guid.format(port),
                    lidOf.applyAsInt(port),
                    number,
                    all));
        }));
    }

    private void group(MulticastGroup group) {
        MCMemberRecord record = group.record();
        long slFlowHop = record.get(MCMemberRecord.SL) << 28
                | record.get(MCMemberRecord.FLOW_LABEL) << 8
                | record.get(MCMemberRecord.HOP_LIMIT);
        int scope = (int) record.get(MCMemberRecord.SCOPE) << 4;
        Gid maker = new Gid(group.creator() == Shares.NOBODY ? 0 : gidPrefix, group.creator());
        line(String.format(
                SaDump.GROUP + " 0x%04x %s: mgid=%s port_gid=%s qkey=0x%08x mlid=0x%04x mtu=0x%02x tclass=0x%02x"
                        + " pkey=0x%04x rate=0x%02x pkt_life=0x%02x sl_flow_hop=0x%08x scope_state=0x%02x proxy_join=0x0",
                record.mlid(),
                group.members().isEmpty() ? " (well known)" : "",
                pair(record.mgid()),
                pair(maker),
                record.get(MCMemberRecord.Q_KEY),
                record.mlid(),
                EXACTLY_SELECTOR | record.mtu(),
                record.get(MCMemberRecord.T_CLASS),
                record.pKey(),
                EXACTLY_SELECTOR | record.rate(),
                EXACTLY_SELECTOR | record.get(MCMemberRecord.PACKET_LIFE_TIME),
                slFlowHop,
                scope | MCMemberRecord.FULL_MEMBER));
        group.members()
                .forEach(member -> line(String.format(
                        SaDump.MEMBER + " port_gid=%s scope_state=0x%02x proxy_join=0x%x",
                        pair(member.portGid()),
                        scope | member.joinState(),
                        member.isProxy() ? 1 : 0)));
    }

    private void subscription(Subscription subscription) {
        InformInfo inform = subscription.informInfo();
        Subscription.Subscriber subscriber = subscription.subscriber();
        int lid = lidOf.applyAsInt(subscriber.portGuid());
        if (lid == 0 || subscriber.grh() != null) {
            leftOut.add("an event subscription of " + subscriber
                    + (lid == 0 ? ": the port has no LID" : ": OpenSM's file has no place for a global route"));
            return;
        }
        line(String.format(
                SaDump.INFORM + " subscriber_gid=%s subscriber_enum=0x%x InformInfo: gid=%s lid_range_begin=0x%x"
                        + " lid_range_end=0x%x is_generic=0x%x subscribe=0x1 trap_type=0x%x trap_num=0x%x"
                        + " qpn_resp_time_val=0x%x node_type=0x%06x rep_addr: lid=0x%04x path_bits=0x00 static_rate=0x00"
                        + " remote_qp=0x%08x remote_qkey=" + Q_KEY + " pkey_ix=0x0000 sl=0x00",
                pair(new Gid(gidPrefix, subscriber.portGuid())),
                subscription.number(),
                pair(inform.gid()),
                inform.firstLid(),
                inform.get(InformInfo.LID_RANGE_END),
                inform.get(InformInfo.IS_GENERIC),
                inform.get(InformInfo.NOTICE_TYPE),
                inform.get(InformInfo.TRAP_NUMBER),
                inform.get(InformInfo.QPN) << 8 | inform.get(InformInfo.RESP_TIME_VALUE),
                inform.get(InformInfo.PRODUCER_TYPE),
                lid,
                subscriber.qpn()));
    }

    private void service(Services.Registration service) {
        ServiceRecord record = service.record();
        boolean isForever = service.until() == Services.Registration.FOREVER;
        if (!isForever && service.until() <= epochSeconds) {
            return;
        }
        byte[] bytes = record.toBytes();
        StringBuilder data = new StringBuilder();
        int at = bytes.length - ServiceData.FIELD_NAMES.size() * ServiceData.BYTES;
        for (String name : ServiceData.FIELD_NAMES) {
            data.append(' ').append(name).append('=').append(pair(Gid.read(bytes, at)));
            at += ServiceData.BYTES;
        }
        String name = name(record);
        if (!name.matches("[\\x20-\\x7e&&[^']]{0,63}")) {
            leftOut.add("service " + Guid.format(record.get(ServiceRecord.SERVICE_ID)) + " of " + record.gid()
                    + ": its name has quotes, control characters or 64 bytes");
            return;
        }
        line(String.format(
                SaDump.SERVICE
                        + " id=%s gid=%s pkey=0x%x lease=0x%x key=%s name='%s'%s modified_time=0x%x lease_period=0x%x",
                Guid.format(record.get(ServiceRecord.SERVICE_ID)),
                pair(record.gid()),
                record.get(ServiceRecord.SERVICE_P_KEY),
                record.get(ServiceRecord.SERVICE_LEASE),
                pair(Gid.read(record.getBytes(ServiceRecord.SERVICE_KEY), 0)),
                name,
                data,
                epochSeconds,
                isForever ? ServiceRecord.FOREVER : service.until() - epochSeconds));
    }

    /** Returns a name without padding: the bytes before the first NUL if only NULs follow, else all 64 bytes. */
    private static String name(ServiceRecord record) {
        String padded = new String(record.getBytes(ServiceRecord.SERVICE_NAME), StandardCharsets.ISO_8859_1);
        int end = padded.indexOf('\0');
        return end >= 0 && padded.substring(end).chars().allMatch(each -> each == 0)
                ? padded.substring(0, end)
                : padded;
    }
}
