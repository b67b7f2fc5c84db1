package io.torussm.deadlock.transition;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DestinationGroups;
import io.torussm.deadlock.HeldTables;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where packets may be sent while tables change, and what the switches hold for it before and after: the LIDs of the new
 * plan, in groups that all switches forward alike in both, and LIDs that only the plan in force knows, since sources do not
 * stop sending to them at once. Immutable.
 *
 * <p>If few entries change, and no SL2VL row does, groups know where theirs are. Groups without a change come last.
 */
public final class MixedDestinations {
    /** Where a change concerns all switches. */
    static final int[] EVERYWHERE = {};

    /** Of so many entries one may change, and so many in all, before it is not worth while to list them. */
    private static final int SPARSE = 8;

    private static final long MOST_LISTED = 1 << 24;

    private final Channels channels;
    private final @Nullable Plan before;

    /** By switch, all of one length, behind which no LID is. A switch that nobody depends on holds the new table. */
    final byte[][] held;

    final byte[][] wanted;

    /** By link: whether packets pass it. */
    private final boolean[] isUp;

    /** By group: LIDs. Those that only the plan in force knows are first, one by one. */
    private final int[][] members;

    private final int vanishedCount;
    private final boolean isSparse;

    /** By group, as far as something changes there: the switches that hold another entry for it, ascending. */
    private final int[][] changedAt;

    /** By switch, the index that it has in the plan in force. */
    private final int[] indexBefore;

    /**
     * Destinations.
     *
     * @param known groups of LIDs that all switches but their own forward alike in the new plan
     * @param isEverywhere whether all destinations count as changed at all switches, however few entries are
     */
    MixedDestinations(
            Channels channels,
            HeldTables tables,
            @Nullable Plan before,
            DestinationGroups known,
            boolean isEverywhere,
            int tasks) {
        this.channels = channels;
        this.before = before;
        isUp = new boolean[channels.linkTo.length];
        for (int sw = 0, link = 0; sw < channels.switchCount; sw++) {
            for (int out = channels.firstOut[sw]; link < channels.firstLink[sw + 1]; link++, out++) {
                int port = channels.outPort[out];
                isUp[link] = tables.isUp(port) && tables.isUp(channels.fabric.peer(port));
            }
        }
        Subnet subnet = channels.subnet;
        int top = Math.max(subnet.topLid(), before == null ? 0 : before.subnet().topLid());
        held = new byte[channels.switchCount][];
        wanted = new byte[channels.switchCount][];
        for (int sw = 0; sw < held.length; sw++) {
            byte[] now = tables.lft(sw);
            wanted[sw] = padded(channels.plan.lft(sw), top + 1);
            held[sw] = now == null ? wanted[sw] : padded(now, top + 1);
        }
        List<int[]> groups = new ArrayList<>(vanished());
        vanishedCount = groups.size();
        List<int[]> changes = new ArrayList<>(Collections.nCopies(vanishedCount, EVERYWHERE));
        long most = Math.min(MOST_LISTED, (top + 1L) * held.length / SPARSE);
        ChangedEntries entries = isEverywhere ? null : ChangedEntries.of(this, top, most);
        isSparse = entries != null;
        if (entries == null) {
            DestinationGroups both = groupsOfBoth(tasks);
            for (int group = 0; group < both.count(); group++) {
                groups.add(both.members(group));
                changes.add(EVERYWHERE);
            }
        } else {
            List<int[]> steady = new ArrayList<>();
            for (int group = 0; group < known.count(); group++) {
                entries.split(known.members(group), groups, changes, steady);
            }
            groups.addAll(steady);
        }
        members = groups.toArray(new int[0][]);
        changedAt = changes.toArray(new int[0][]);
        indexBefore = indexesBefore();
    }

    /** LIDs that only the plan in force knows. */
    private List<int[]> vanished() {
        return before == null
                ? List.of()
                : IntStream.rangeClosed(1, before.subnet().topLid())
                        .filter(lid -> before.subnet().switchOfLid(lid) != Fabric.NONE)
                        .filter(lid -> channels.subnet.switchOfLid(lid) == Fabric.NONE)
                        .mapToObj(lid -> new int[] {lid})
                        .toList();
    }

    private int[] indexesBefore() {
        int[] indexes = new int[channels.switchCount];
        for (int sw = 0; sw < indexes.length; sw++) {
            int index =
                    before == null ? Fabric.NONE : before.subnet().fabric().nodeByGuid(channels.fabric.nodeGuid(sw));
            boolean isSwitch = index != Fabric.NONE
                    && before != null
                    && before.subnet().fabric().isSwitch(index);
            indexes[sw] = isSwitch ? index : Fabric.NONE;
        }
        return indexes;
    }

    private DestinationGroups groupsOfBoth(int tasks) {
        byte[][] both = Arrays.copyOf(held, 2 * held.length);
        System.arraycopy(wanted, 0, both, held.length, held.length);
        return new DestinationGroups(channels, both, tasks, this::isForwardedAtHome);
    }

    private static byte[] padded(byte[] lft, int length) {
        if (lft.length == length) {
            return lft;
        }
        byte[] all = Arrays.copyOf(lft, length);
        Arrays.fill(all, Math.min(lft.length, length), length, LinearForwardingTable.NO_PATH_ENTRY);
        return all;
    }

    /** Whether the entry of a switch for a LID concerns the way there; that of the LID's own switch does not, as a rule. */
    boolean isOnTheWay(int sw, int lid) {
        return channels.subnet.switchOfLid(lid) != sw || isForwardedAtHome(lid);
    }

    /** Whether the switch that a LID hangs on sends its packets to another one, because the LID was elsewhere before. */
    private boolean isForwardedAtHome(int lid) {
        int home = channels.subnet.switchOfLid(lid);
        return channels.link(home, held[home][lid] & 0xff) != Fabric.NONE;
    }

    /** Whether an entry that changes can wait, or go ahead, without dropping what is not dropped anyway. */
    boolean isDeferred(int sw, byte held, byte wanted) {
        return isLate(sw, held) || isEarly(sw, wanted);
    }

    /** Whether packets are lost as long as a switch holds an entry, because it leads to where nothing is any more. */
    boolean isLate(int sw, byte held) {
        if (held == LinearForwardingTable.NO_PATH_ENTRY) {
            return false;
        }
        int port = channels.firstPort[sw] + (held & 0xff);
        return port >= channels.firstPort[sw + 1] || channels.outOfPort[port] == Fabric.NONE || isEarly(sw, held);
    }

    /** Whether packets are lost as soon as a switch has an entry, because it leads to a link that is not up yet. */
    boolean isEarly(int sw, byte wanted) {
        int link = channels.link(sw, wanted & 0xff);
        return link != Fabric.NONE && !isUp[link];
    }

    /** Whether any link between switches carries packets. */
    boolean isAnyLinkUp() {
        for (boolean up : isUp) {
            if (up) {
                return true;
            }
        }
        return false;
    }

    /** Whether any switch that somebody depends on holds another entry than it is to have. */
    boolean isAnyEntryChanged() {
        for (int sw = 0; sw < held.length; sw++) {
            if (!Arrays.equals(held[sw], wanted[sw])) {
                return true;
            }
        }
        return false;
    }

    /** Passes on every entry of a switch that changes, in ascending order of LIDs. */
    void forEachChange(int sw, IntConsumer lid) {
        byte[] from = held[sw];
        byte[] to = wanted[sw];
        int at = from == to ? -1 : Arrays.mismatch(from, to);
        while (at >= 0) {
            lid.accept(at);
            int next = Arrays.mismatch(from, at + 1, from.length, to, at + 1, to.length);
            at = next < 0 ? -1 : at + 1 + next;
        }
    }

    /** Groups of LIDs. */
    int count() {
        return members.length;
    }

    /** Groups, from the first on, for which some entry may change. */
    int changedCount() {
        return changedAt.length;
    }

    /** Groups, from the first on, that only the plan in force knows. */
    int vanishedCount() {
        return vanishedCount;
    }

    /** Whether it is known where groups change. */
    boolean isSparse() {
        return isSparse;
    }

    /** The switches at which entries for a group change, ascending; or {@link #EVERYWHERE}. */
    int[] changedAt(int group) {
        return changedAt[group];
    }

    /** LIDs with the same entries everywhere but at their own switch. */
    int[] members(int group) {
        return members[group];
    }

    /** The SLs of packets that the end ports of a switch may send there (bit n: SL n). */
    int sls(int group, int sw) {
        if (group >= vanishedCount) {
            return channels.plan.slMask(sw, members[group][0]);
        }
        if (before == null || indexBefore[sw] == Fabric.NONE) {
            return 0;
        }
        return before.slMask(indexBefore[sw], members[group][0]);
    }

    /** Whether packets to a LID may leave a switch otherwise afterwards: by another port or on another VL. */
    boolean isTouched(Channels channels, int lid, int sw) {
        int link = channels.link(sw, wanted[sw][lid] & 0xff);
        return held[sw][lid] != wanted[sw][lid]
                || link != Fabric.NONE && channels.isRowChanged(sw, link - channels.firstLink[sw]);
    }
}
