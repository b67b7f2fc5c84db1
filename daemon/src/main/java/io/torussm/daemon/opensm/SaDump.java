package io.torussm.daemon.opensm;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.multicast.MulticastGroup;
import io.torussm.registration.SaContents;
import io.torussm.registration.Services;
import io.torussm.report.Subscription;
import io.torussm.report.Subscriptions;
import io.torussm.sa.change.Shares;
import io.torussm.state.BoundedFile;
import io.torussm.state.StateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A parser of OpenSM's {@code opensm-sa.dump}: the registrations of hosts with its SA, one record on each line. An
 * instance parses one file.
 *
 * <p>If a line cannot be parsed, the whole file is refused and the line is reported, because losses from a partial file
 * would go unnoticed. A host chooses the name of a service, and may put line ends and quotes into it; such a service
 * is left out and reported. Data that OpenSM does not write are assumed: a service belongs to the port of its GID. A
 * subscription is trusted only if it is for traps that OpenSM sends only to trusted subscribers.
 * Subscriptions of a port are numbered.
 */
public final class SaDump {
    /** OpenSM's default name of the file. */
    public static final String NAME = "opensm-sa.dump";

    static final String GROUP = "MC Group";
    static final String MEMBER = "mcm_port:";
    static final String SERVICE = "Service Record:";
    static final String INFORM = "InformInfo Record:";
    static final String GUIDS = "GUIDInfo Record:";

    /** Max number of characters of a line. OpenSM's lines are shorter than 1,024 characters. */
    static final int MAX_LINE = 1022;

    private static final long MAX_BYTES = 256L << 20;
    private static final int MAX_GROUPS = 1 << 16;
    private static final int MAX_MEMBERSHIPS = 1 << 20;
    private static final int SELECTED_VALUE_MASK = 0x3f; // the value below a selector in the upper two bits
    private static final int RECORD_QPN_SHIFT = 8; // the upper 24 bits of qpn_resp_time_val are the QPN
    private static final String NAME_BEGINS = " name='";
    private static final String NAME_ENDS = "' data8=0x";
    private static final String LAST_DATA = ServiceData.FIELD_NAMES.get(ServiceData.FIELD_NAMES.size() - 1) + "=0x";
    private static final int NAME_BYTES = 64;

    private final Map<Gid, MCMemberRecord> groups = new LinkedHashMap<>();
    private final Map<Gid, Map<Gid, MulticastGroup.Member>> members = new LinkedHashMap<>();
    private final Map<Gid, Long> creators = new HashMap<>();
    private final List<Services.Registration> services = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Map<Long, Integer> subscriptionsByPort = new HashMap<>();
    private final Map<AliasTable.Place, Long> aliases = new HashMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private @Nullable Gid currentGroup;
    private int memberships;

    /** The place of a service whose name has a line end, until the line that ends the service; empty outside of one. */
    private String brokenService = "";

    private SaDump() {}

    /**
     * The content of a file.
     *
     * @param contents registrations in the file
     * @param leftOut records that could not be used, a line each
     */
    public record ConvertedDump(SaContents contents, List<String> leftOut) {
        public ConvertedDump {
            leftOut = List.copyOf(leftOut);
        }
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if the file cannot be read or is no SA dump, with file, line and remedy
     */
    public static ConvertedDump read(Path file) throws ConfigurationException {
        try {
            return parse(file.toString(), BoundedFile.text(file, MAX_BYTES));
        } catch (BoundedFile.TooLong e) {
            throw new ConfigurationException(List.of(file + " is larger than 256 MiB; this is no opensm-sa.dump"));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)
                    + "; OpenSM writes it into its dump_files_dir, for root alone, if sa_db_dump is TRUE"));
        }
    }

    /**
     * Reads a file that an operator names, with the rights of this process.
     *
     * @param stateDir state directory of this process; null if it has none
     * @throws ConfigurationException also if the file is outside that directory and not readable by all users:
     *     a user of the console must not learn which files this process can read
     */
    public static ConvertedDump readFor(Path file, @Nullable Path stateDir) throws ConfigurationException {
        try {
            Path real = file.toRealPath();
            boolean isOurs = stateDir != null && real.startsWith(stateDir.toRealPath());
            if (!isOurs && !Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_READ)) {
                throw new ConfigurationException(
                        List.of(
                                "cannot read " + file
                                        + ": it is neither readable by all users nor in state_dir; copy it there with install -m 0600"));
            }
            return read(real);
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
    }

    /**
     * Parses a text.
     *
     * @param file name of the file, for messages
     */
    static ConvertedDump parse(String file, String text) throws ConfigurationException {
        SaDump dump = new SaDump();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            try {
                dump.addLine(file + ":" + number, line.strip());
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new ConfigurationException(List.of(file + ":" + number + ": " + e.getMessage()
                        + "; have OpenSM write the file again (sa_db_dump TRUE)"));
            }
        }
        if (!dump.brokenService.isEmpty()) {
            throw new ConfigurationException(List.of(dump.brokenService
                    + ": the service has no end; have OpenSM write the file again (sa_db_dump TRUE)"));
        }
        return dump.contents(file);
    }

    private void addLine(String where, String line) {
        if (!brokenService.isEmpty()) { // the rest of the name, whatever it looks like
            brokenService = endsService(line) ? "" : brokenService;
        } else if (line.startsWith(SERVICE) && !(line.contains(NAME_BEGINS) && endsService(line))) {
            leftOut.add(where + ": a service whose name has a line end in it");
            brokenService = where;
        } else if (line.length() > MAX_LINE) {
            throw new IllegalArgumentException("longer than a line of OpenSM's can be");
        } else if (line.startsWith(GROUP)) {
            addGroup(DumpFields.of(line));
        } else if (line.startsWith(MEMBER)) {
            addMember(DumpFields.of(line));
        } else if (line.startsWith(SERVICE)) {
            addService(line);
        } else if (line.startsWith(INFORM)) {
            addSubscription(DumpFields.of(line));
        } else if (line.startsWith(GUIDS)) {
            addAliases(DumpFields.of(line));
        } else if (!line.isEmpty() && !line.startsWith("#")) {
            throw new IllegalArgumentException("no record of an SA dump");
        }
    }

    /** Checks whether a line ends with the data after the name of a service. A name is shorter than these. */
    private static boolean endsService(String line) {
        int end = line.lastIndexOf(NAME_ENDS);
        return end >= 0 && line.indexOf(LAST_DATA, end) >= 0;
    }

    private void addGroup(DumpFields fields) {
        int slFlowHop = (int) fields.number("sl_flow_hop", 32); // SL: 4 bits, FlowLabel: 20, HopLimit: 8
        MCMemberRecord record = MCMemberRecord.TYPE
                .zero()
                .with(MCMemberRecord.MGID, fields.value128("mgid"))
                .with(MCMemberRecord.Q_KEY, fields.number("qkey", 32))
                .with(MCMemberRecord.MLID, fields.number("mlid", 16))
                .with(MCMemberRecord.MTU_SELECTOR, PathRecord.EXACTLY)
                .with(MCMemberRecord.MTU, fields.number("mtu", 8) & SELECTED_VALUE_MASK)
                .with(MCMemberRecord.T_CLASS, fields.number("tclass", 8))
                .with(MCMemberRecord.P_KEY, fields.number("pkey", 16))
                .with(MCMemberRecord.RATE_SELECTOR, PathRecord.EXACTLY)
                .with(MCMemberRecord.RATE, fields.number("rate", 8) & SELECTED_VALUE_MASK)
                .with(MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.EXACTLY)
                .with(MCMemberRecord.PACKET_LIFE_TIME, fields.number("pkt_life", 8) & SELECTED_VALUE_MASK)
                .with(MCMemberRecord.SL, slFlowHop >>> 28)
                .with(MCMemberRecord.FLOW_LABEL, slFlowHop >>> 8 & 0xfffff)
                .with(MCMemberRecord.HOP_LIMIT, slFlowHop & 0xff)
                .with(MCMemberRecord.SCOPE, fields.number("scope_state", 8) >>> 4);
        if (groups.size() == MAX_GROUPS) {
            throw new IllegalArgumentException("more than " + MAX_GROUPS + " groups");
        }
        if (groups.putIfAbsent(record.mgid(), record) != null) {
            throw new IllegalArgumentException("the group is there twice");
        }
        members.put(record.mgid(), new LinkedHashMap<>());
        creators.put(record.mgid(), fields.value128("port_gid").guid());
        currentGroup = record.mgid();
    }

    private void addMember(DumpFields fields) {
        Map<Gid, MulticastGroup.Member> those = currentGroup == null ? null : members.get(currentGroup);
        if (those == null) {
            throw new IllegalArgumentException("a member of no group");
        }
        if (memberships++ == MAX_MEMBERSHIPS) {
            throw new IllegalArgumentException("more than " + MAX_MEMBERSHIPS + " members");
        }
        Gid port = fields.value128("port_gid");
        int joinState = fields.intNumber("scope_state", 8) & 0xf;
        MulticastGroup.Member member = new MulticastGroup.Member(port, joinState, fields.number("proxy_join", 8) != 0);
        if (joinState == 0 || those.putIfAbsent(port, member) != null) {
            throw new IllegalArgumentException("a member without JoinState, or one that is there twice");
        }
    }

    /** Takes a service. Its name may contain blanks and quotes, so the name is removed before the fields are parsed. */
    private void addService(String line) {
        int start = line.indexOf(NAME_BEGINS) + NAME_BEGINS.length();
        int end = line.lastIndexOf(NAME_ENDS);
        byte[] name = start > end ? new byte[0] : line.substring(start, end).getBytes(StandardCharsets.ISO_8859_1);
        if (start > end || name.length > NAME_BYTES) {
            throw new IllegalArgumentException("name has more than " + NAME_BYTES + " bytes, or no end");
        }
        DumpFields fields = DumpFields.of(line.substring(0, start - NAME_BEGINS.length()) + line.substring(end + 1));
        Gid gid = fields.value128("gid");
        long lease = fields.number("lease", 32);
        byte[] bytes = ServiceRecord.TYPE
                .zero()
                .with(ServiceRecord.SERVICE_ID, fields.number("id", Long.SIZE))
                .with(ServiceRecord.SERVICE_GID, gid)
                .with(ServiceRecord.SERVICE_P_KEY, fields.number("pkey", 16))
                .with(ServiceRecord.SERVICE_LEASE, lease)
                .with(ServiceRecord.SERVICE_KEY, fields.value128("key"))
                .with(ServiceRecord.SERVICE_NAME, Arrays.copyOf(name, NAME_BYTES))
                .toBytes();
        int at = bytes.length - ServiceData.FIELD_NAMES.size() * ServiceData.BYTES;
        for (String data : ServiceData.FIELD_NAMES) {
            fields.value128(data).write(bytes, at);
            at += ServiceData.BYTES;
        }
        long period = fields.number("lease_period", 32);
        long until = period == ServiceRecord.FOREVER
                ? Services.Registration.FOREVER
                : fields.number("modified_time", 32) + period;
        if (services.size() == Services.MAX_SERVICES) {
            throw new IllegalArgumentException("more than " + Services.MAX_SERVICES + " services");
        }
        services.add(new Services.Registration(ServiceRecord.TYPE.read(bytes, 0), gid.guid(), until));
    }

    private void addSubscription(DumpFields fields) {
        long port = fields.value128("subscriber_gid").guid();
        long qpnAndTime = fields.number("qpn_resp_time_val", 32);
        int trap = fields.intNumber("trap_num", 16);
        InformInfo inform = InformInfo.TYPE
                .zero()
                .with(InformInfo.GID, fields.value128("gid"))
                .with(InformInfo.LID_RANGE_BEGIN, fields.number("lid_range_begin", 16))
                .with(InformInfo.LID_RANGE_END, fields.number("lid_range_end", 16))
                .with(InformInfo.IS_GENERIC, fields.number("is_generic", 8))
                .with(InformInfo.SUBSCRIBE, 1)
                .with(InformInfo.NOTICE_TYPE, fields.number("trap_type", 16))
                .with(InformInfo.TRAP_NUMBER, trap)
                .with(InformInfo.QPN, qpnAndTime >>> RECORD_QPN_SHIFT)
                .with(InformInfo.RESP_TIME_VALUE, qpnAndTime & 0x1f)
                .with(InformInfo.PRODUCER_TYPE, fields.number("node_type", 32) & 0xff_ffff);
        int number = subscriptionsByPort.merge(port, 1, Integer::sum) - 1;
        if (subscriptions.size() == Subscriptions.MAX_SUBSCRIPTIONS || number == Subscriptions.MAX_PER_PORT) {
            throw new IllegalArgumentException("more than " + Subscriptions.MAX_SUBSCRIPTIONS + " subscriptions, or "
                    + Subscriptions.MAX_PER_PORT + " of one port");
        }
        if (fields.number("subscribe", 8) != 1) {
            throw new IllegalArgumentException("this is no subscription");
        }
        boolean isTrusted = inform.get(InformInfo.IS_GENERIC) != 0 && Notice.isAboutKeys(trap);
        subscriptions.add(new Subscription(
                new Subscription.Subscriber(port, (int) (qpnAndTime >>> RECORD_QPN_SHIFT)), number, isTrusted, inform));
    }

    private void addAliases(DumpFields fields) {
        long port = fields.number("base_guid", Long.SIZE);
        int block = fields.intNumber("block_num", 8);
        if (block >= 256 / GuidInfo.GUIDS_PER_BLOCK
                || aliases.size() > AliasGuids.MAX_ALIASES - GuidInfo.GUIDS_PER_BLOCK) {
            throw new IllegalArgumentException("block_num is out of range, or there are too many alias GUIDs");
        }
        for (int i = 0; i < GuidInfo.GUIDS_PER_BLOCK; i++) {
            long guid = fields.number("guid" + i, Long.SIZE);
            int index = block * GuidInfo.GUIDS_PER_BLOCK + i;
            if (index > 0 && guid != 0 && aliases.put(new AliasTable.Place(port, index), guid) != null) {
                throw new IllegalArgumentException("the block is there twice");
            }
        }
    }

    /**
     * Returns the content after encoding and decoding it, so that content which a later start would reject is refused
     * now.
     */
    private ConvertedDump contents(String file) throws ConfigurationException {
        List<MulticastGroup> all = new ArrayList<>();
        groups.forEach((mgid, record) -> all.add(new MulticastGroup(
                record,
                List.copyOf(members.getOrDefault(mgid, Map.of()).values()),
                creators.getOrDefault(mgid, Shares.NOBODY))));
        SaContents content = new SaContents(all, services, subscriptions, new AliasTable(aliases, Map.of(), Set.of()));
        try {
            return new ConvertedDump(SaContents.of(content.files()), leftOut);
        } catch (StateFile.DamagedFileException e) {
            throw new ConfigurationException(List.of(file + ": cannot be taken over: " + e.getMessage()));
        }
    }
}
