package io.torussm.partition;

import io.torussm.conf.ConfLines;
import io.torussm.mad.Gid;
import io.torussm.partition.PartitionConf.MemberClass;
import io.torussm.partition.PartitionConf.Partition;
import io.torussm.partition.PartitionConf.Rule;
import io.torussm.partition.PartitionStatement.GroupFlags;
import io.torussm.partition.PartitionStatement.GroupLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The combination of statements into partitions. Statements with equal P_Keys, or without one and with equal
 * names, are one partition.
 */
final class PartitionAssembly {
    private static final int MAX_GROUPS = 1024;
    private static final int LINK_LOCAL = 2;
    private static final int IPV4 = 0x401b;
    private static final int IPV6 = 0x601b;

    private final TreeMap<Integer, MergedPartition> byPKey = new TreeMap<>();
    private final Map<String, Integer> byName = new HashMap<>();
    private final List<WellKnownGroup> groups = new ArrayList<>();
    private final Set<Gid> mgids = new HashSet<>();
    private final String file;
    private final ConfLines lines;
    private int groupCount;
    private int lastGenerated;

    private static final class MergedPartition {
        final String name;
        final List<Rule> rules = new ArrayList<>();
        int sl;

        MergedPartition(String name) {
            this.name = name;
        }
    }

    PartitionAssembly(String file, ConfLines errors) {
        this.file = file;
        this.lines = errors;
    }

    /** Returns the configuration of all statements, and reports contradictions. */
    PartitionConf conf(List<PartitionStatement> statements) {
        MergedPartition defaultPartition = new MergedPartition("Default");
        defaultPartition.rules.add(new Rule(MemberClass.ALL, 0, Membership.LIMITED, false));
        defaultPartition.rules.add(new Rule(MemberClass.SELF, 0, Membership.FULL, false));
        byPKey.put(PKeys.DEFAULT, defaultPartition);
        byName.put("Default", PKeys.DEFAULT);
        for (PartitionStatement statement : statements) {
            if (statement.pKey != 0) {
                byPKey.computeIfAbsent(statement.pKey, key -> new MergedPartition(statement.name));
                byName.putIfAbsent(statement.name, statement.pKey);
            }
        }
        for (PartitionStatement statement : statements) {
            merge(statement);
        }
        List<Partition> partitions = new ArrayList<>(byPKey.size());
        byPKey.forEach((pKey, merged) -> partitions.add(new Partition(pKey, merged.name, merged.sl, merged.rules)));
        return new PartitionConf(file, partitions, groups);
    }

    private void merge(PartitionStatement statement) {
        int pKey = pKey(statement);
        if (pKey == 0) {
            lines.error(statement.line, "all P_Keys are in use");
            return;
        }
        MergedPartition merged = byPKey.computeIfAbsent(pKey, key -> new MergedPartition(statement.name));
        merged.rules.addAll(statement.rules);
        merged.sl = statement.hasSl ? statement.flags.sl : merged.sl;
        if (statement.isIpoib) {
            addGroups(pKey, new GroupLine(WellKnownGroup.BROADCAST, statement.flags, statement.line));
        }
        for (GroupLine group : statement.groups) {
            addGroups(pKey, group);
        }
    }

    private int pKey(PartitionStatement statement) {
        if (statement.pKey != 0) {
            return statement.pKey;
        }
        Integer named = statement.name.isEmpty() ? null : byName.get(statement.name);
        if (named != null) {
            return named;
        }
        do {
            lastGenerated++;
        } while (byPKey.containsKey(lastGenerated));
        if (lastGenerated >= PKeys.DEFAULT) {
            return 0;
        }
        if (!statement.name.isEmpty()) {
            byName.put(statement.name, lastGenerated);
        }
        return lastGenerated;
    }

    private void addGroups(int pKey, GroupLine group) {
        GroupFlags flags = group.flags();
        Gid mgid = group.mgid();
        if (isIp(mgid)) {
            int given = (int) (mgid.prefix() >>> 16) & 0xffff;
            if (given != 0 && PKeys.base(given) != pKey) {
                lines.error(
                        group.line(),
                        "the MGID of an IP group names P_Key " + PKeys.format(given) + ", but the partition is "
                                + PKeys.format(pKey) + "; write 0 there, or the partition's P_Key");
                return;
            }
            mgid = new Gid(mgid.prefix() & ~0xffff_0000L | (long) (pKey | PKeys.FULL) << 16, mgid.guid());
        }
        int scopes = flags.scopes == 0 ? 1 << LINK_LOCAL : flags.scopes;
        for (int scope = 1; scope < 16; scope++) {
            if ((scopes >> scope & 1) != 0) {
                addGroup(pKey, withScope(mgid, scope), flags, group.line());
            }
        }
    }

    /** Adds a group. The first definition counts: the parts of a partition may repeat ipoib. */
    private void addGroup(int pKey, Gid mgid, GroupFlags flags, int where) {
        if (!mgids.add(mgid)) {
            return;
        }
        if (++groupCount > MAX_GROUPS) {
            lines.error(where, "more than " + MAX_GROUPS + " multicast groups; leave some out");
            return;
        }
        int qKey = flags.qKey == 0 && isIp(mgid) ? WellKnownGroup.BROADCAST_Q_KEY : flags.qKey;
        groups.add(new WellKnownGroup(
                mgid,
                pKey | PKeys.FULL,
                flags.mtu,
                flags.rate,
                flags.sl,
                qKey,
                flags.tClass,
                flags.flowLabel,
                file + ":" + where));
    }

    private Gid withScope(Gid mgid, int scope) {
        return new Gid(mgid.prefix() & ~0x000f_0000_0000_0000L | (long) scope << 48, mgid.guid());
    }

    /** Checks whether an MGID is one of IPoIB (RFC 4391). */
    static boolean isIp(Gid mgid) {
        int signature = (int) (mgid.prefix() >>> 32) & 0xffff;
        return signature == IPV4 || signature == IPV6;
    }
}
