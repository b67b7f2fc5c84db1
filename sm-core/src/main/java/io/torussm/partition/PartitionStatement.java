package io.torussm.partition;

import io.torussm.mad.Gid;
import io.torussm.partition.PartitionConf.Rule;
import java.util.ArrayList;
import java.util.List;

/** One definition of partitions.conf; several may form one partition. */
final class PartitionStatement {
    static final int DEFAULT_MTU = 4;
    static final int DEFAULT_RATE = 3;

    final int line;
    String name = "";
    int pKey;
    boolean isIpoib;
    boolean isAtIndex0;
    boolean hasSl;
    Membership defaultMembership = Membership.LIMITED;
    final GroupFlags flags = new GroupFlags();
    final List<Rule> rules = new ArrayList<>();
    final List<GroupLine> groups = new ArrayList<>();

    /** The attributes of groups; a group of {@code mgid=} starts with a copy of its partition's. */
    static final class GroupFlags {
        int mtu = DEFAULT_MTU;
        int rate = DEFAULT_RATE;
        int sl;
        int scopes;
        int qKey;
        int tClass;
        int flowLabel;

        GroupFlags copy() {
            GroupFlags copy = new GroupFlags();
            copy.mtu = mtu;
            copy.rate = rate;
            copy.sl = sl;
            copy.scopes = scopes;
            copy.qKey = qKey;
            copy.tClass = tClass;
            copy.flowLabel = flowLabel;
            return copy;
        }
    }

    /** A group of a definition, and its line. */
    record GroupLine(Gid mgid, GroupFlags flags, int line) {}

    PartitionStatement(int line) {
        this.line = line;
    }
}
