package io.torussm.registration;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastView;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The format of multicast groups in the file {@code sa-state}. With this file, groups keep their MLIDs and switches
 * their entries after a restart, before all hosts have joined again.
 *
 * <pre>
 * group 0xff12401bffff0000:00000000ffffffff Q_Key=0xb1b MLID=0xc000 MTU=0x4 ...
 * member 0xfe80000000000000:0000000100000001 JoinState=0x1 ProxyJoin=0x0
 * </pre>
 *
 * <p>Members follow their group. If a group counts for the share of another port than its first member, {@code
 * maker=0x} with the GUID of that port follows; if a membership counts for another port than the member, {@code
 * joiner=0x}. Older versions reject these words.
 */
final class GroupCodec implements StateFile.Parser<List<MulticastGroup>> {
    static final StateFile FILE = StateFile.of(
                    "sa-state", 1, 256L << 20, "hosts are asked to register with the SA again")
            .secret();

    /** The components of a group, besides its MGID and the selectors. */
    private static final Field[] GROUP_FIELDS = {
        MCMemberRecord.Q_KEY,
        MCMemberRecord.MLID,
        MCMemberRecord.MTU,
        MCMemberRecord.T_CLASS,
        MCMemberRecord.P_KEY,
        MCMemberRecord.RATE,
        MCMemberRecord.PACKET_LIFE_TIME,
        MCMemberRecord.SL,
        MCMemberRecord.FLOW_LABEL,
        MCMemberRecord.HOP_LIMIT,
        MCMemberRecord.SCOPE
    };

    private static final String MAKER = " maker=0x";
    private static final String JOINER = " joiner=0x";
    private static final Field[] MEMBER_FIELDS = {MCMemberRecord.JOIN_STATE, MCMemberRecord.PROXY_JOIN};

    /** Groups by MGID. */
    private final Map<Gid, MCMemberRecord> groups = new LinkedHashMap<>();

    /** Members by MGID, then by PortGID. */
    private final Map<Gid, Map<Gid, MulticastGroup.Member>> members = new LinkedHashMap<>();

    /** Port GUIDs for which groups count, by MGID; none for a group that counts for its first member. */
    private final Map<Gid, Long> creators = new HashMap<>();

    /** The first group of each MLID. */
    private final Map<Integer, MCMemberRecord> mlids = new HashMap<>();

    /** The group of the following members; null before the first group. */
    private @Nullable MCMemberRecord current;

    /** Returns the lines of a group and its members. */
    static Stream<String> of(MulticastGroup group) {
        return Stream.concat(
                Stream.of("group " + group.mgid() + fields(group.record(), GROUP_FIELDS)
                        + (group.isCreatorDefault() ? "" : MAKER + Long.toHexString(group.creator()))),
                group.members().stream()
                        .map(member -> "member " + member.portGid() + fields(group.recordOf(member), MEMBER_FIELDS)
                                + (member.isAccountDefault() ? "" : JOINER + Long.toHexString(member.account()))));
    }

    private static String fields(MCMemberRecord record, Field[] fields) {
        StringBuilder text = new StringBuilder();
        for (Field field : fields) {
            text.append(' ').append(field.name()).append("=0x").append(Long.toHexString(record.get(field)));
        }
        return text.toString();
    }

    @Override
    public String parseLine(String line) {
        boolean isGroup = line.startsWith("group ");
        int end = line.indexOf(isGroup ? MAKER : JOINER);
        String[] words = (end < 0 ? line : line.substring(0, end)).split(" ", -1);
        try {
            Long account = end < 0
                    ? null
                    : Long.valueOf(
                            Long.parseUnsignedLong(line.substring(end + (isGroup ? MAKER : JOINER).length()), 16));
            return switch (words[0]) {
                case "group" -> group(record(words, MCMemberRecord.MGID, GROUP_FIELDS), account);
                case "member" -> member(record(words, MCMemberRecord.PORT_GID, MEMBER_FIELDS), account);
                default -> "no section of this file";
            };
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static MCMemberRecord record(String[] words, Field gid, Field[] fields) {
        if (words.length != fields.length + 2) {
            throw new IllegalArgumentException("expected " + fields.length + " fields");
        }
        MCMemberRecord record = MCMemberRecord.TYPE.zero().with(gid, gid(words[1]));
        for (int i = 0; i < fields.length; i++) {
            String name = fields[i].name() + "=0x";
            if (!words[i + 2].startsWith(name)) {
                throw new IllegalArgumentException("expected " + fields[i].name());
            }
            record = record.with(fields[i], Long.parseLong(words[i + 2].substring(name.length()), 16));
        }
        return record;
    }

    private static Gid gid(String word) {
        int colon = word.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("expected a GID");
        }
        return new Gid(Guid.parse(word.substring(0, colon)), Long.parseUnsignedLong(word.substring(colon + 1), 16));
    }

    private String group(MCMemberRecord record, @Nullable Long maker) {
        int number = record.mlid() - MulticastView.FIRST_MLID;
        if (!record.mgid().isMulticast() || number < 0 || number >= MulticastGroups.MAX_MLIDS) {
            return "MGID or MLID out of range";
        }
        MCMemberRecord sharing = mlids.putIfAbsent(record.mlid(), record);
        boolean isTaken = sharing != null && !MulticastGroup.mayShareMlid(sharing, record);
        if (groups.put(record.mgid(), record) != null || isTaken) {
            return "the MGID or the MLID appears twice";
        }
        members.put(record.mgid(), new LinkedHashMap<>());
        if (maker != null) {
            creators.put(record.mgid(), maker);
        }
        current = record;
        return "";
    }

    private String member(MCMemberRecord record, @Nullable Long joiner) {
        MCMemberRecord group = current;
        if (group == null || record.joinState() == 0) {
            return "a member of no group";
        }
        boolean isProxy = record.get(MCMemberRecord.PROXY_JOIN) != 0;
        MulticastGroup.Member member = joiner == null
                ? new MulticastGroup.Member(record.portGid(), record.joinState(), isProxy)
                : new MulticastGroup.Member(record.portGid(), record.joinState(), isProxy, joiner);
        Map<Gid, MulticastGroup.Member> others = members.computeIfAbsent(group.mgid(), mgid -> new LinkedHashMap<>());
        return others.put(record.portGid(), member) == null ? "" : "the port appears twice";
    }

    @Override
    public List<MulticastGroup> value() {
        List<MulticastGroup> all = new ArrayList<>();
        groups.forEach((mgid, record) -> {
            MulticastGroup group = new MulticastGroup(
                    record.with(MCMemberRecord.MTU_SELECTOR, PathRecord.EXACTLY)
                            .with(MCMemberRecord.RATE_SELECTOR, PathRecord.EXACTLY)
                            .with(MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.EXACTLY),
                    List.copyOf(members.getOrDefault(mgid, Map.of()).values()));
            Long maker = creators.get(mgid);
            all.add(maker == null ? group : new MulticastGroup(group.record(), group.members(), maker));
        });
        return List.copyOf(all);
    }
}
