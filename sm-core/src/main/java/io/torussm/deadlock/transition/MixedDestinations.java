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
 * The destinations of packets while tables change, and the entries of switches for them before and after.
 * They are the LIDs of the new plan, in groups that all switches forward alike in both tables, and LIDs of
 * the active plan alone, because sources do not stop immediately to send to them. Immutable.
 *
 * <p>If few entries change, and no SL2VL row does, each group has a list of the switches where its entries
 * change. Groups without a change come last.
 */
public final class MixedDestinations {
    /** A group whose entries may change at any switch. */
    static final int[] EVERYWHERE = {};

    /** Limits above which a list of changes does not pay off: one of so many entries, and so many in total. */
    private static final int SPARSE = 8;

    private static final long MOST_LISTED = 1 << 24;

    private final Channels channels;
    private final @Nullable Plan before;

    /**
     * By switch: its current table, padded to a length above the highest LID. A switch without traffic counts
     * as if it already had the new table.
     */
    final byte[][] held;

    final byte[][] wanted;

    /** By link: whether it carries packets. */
    private final boolean[] isUp;

    /** By group: LIDs. LIDs of the active plan alone come first, one in each group. */
    private final int[][] members;

    private final int vanishedCount;
    private final boolean isSparse;

    /** By group with changes: the switches that have another entry for it, ascending. */
    private final int[][] changedAt;

    /** By switch: its index in the active plan, NONE if it is not part of that. */
    private final int[] indexBefore;

    /**
     * Creates the destinations.
     *
     * @param known groups of LIDs that all switches but their own forward alike in the new plan
     * @param isEverywhere whether all destinations count as changed at all switches, even if few entries
     *     change
     */
    MixedDestinations(
            Channels channels,
            HeldTables tables,
            @Nullable Plan previousPlan,
            DestinationGroups known,
            boolean isEverywhere,
            int tasks) {
        this.channels = channels;
        this.before = previousPlan;
        isUp = new boolean[channels.linkTo.length];
        for (int sw = 0, link = 0; sw < channels.switchCount; sw++) {
            for (int out = channels.firstOut[sw]; link < channels.firstLink[sw + 1]; link++, out++) {
                int port = channels.outPort[out];
                isUp[link] = tables.isUp(port) && tables.isUp(channels.fabric.peer(port));
            }
        }
        Subnet subnet = channels.subnet;
        int top = Math.max(
                subnet.topLid(),
                previousPlan == null ? 0 : previousPlan.subnet().topLid());
        held = new byte[channels.switchCount][];
        wanted = new byte[channels.switchCount][];
        for (int sw = 0; sw < held.length; sw++) {
            byte[] current = tables.lft(sw);
            wanted[sw] = padded(channels.plan.lft(sw), top + 1);
            held[sw] = current == null ? wanted[sw] : padded(current, top + 1);
        }
        List<int[]> groups = new ArrayList<>(vanished());
        vanishedCount = groups.size();
        List<int[]> changes = new ArrayList<>(Collections.nCopies(vanishedCount, EVERYWHERE));
        long max = Math.min(MOST_LISTED, (top + 1L) * held.length / SPARSE);
        ChangedEntries entries = isEverywhere ? null : ChangedEntries.of(this, top, max);
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

    /** Returns the LIDs of the active plan that are not in the new plan. */
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

    /**
     * Checks whether the entry of a switch for a LID is part of the path. That of the LID's own switch
     * usually is not.
     */
    boolean isOnTheWay(int sw, int lid) {
        return channels.subnet.switchOfLid(lid) != sw || isForwardedAtHome(lid);
    }

    /**
     * Checks whether the current table of a LID's own switch forwards its packets to another switch, because
     * the LID was elsewhere before.
     */
    private boolean isForwardedAtHome(int lid) {
        int home = channels.subnet.switchOfLid(lid);
        return channels.link(home, held[home][lid] & 0xff) != Fabric.NONE;
    }

    /** Checks whether a changing entry can be written last, or first, without additional loss of packets. */
    boolean isDeferred(int sw, byte held, byte wanted) {
        return isLate(sw, held) || isEarly(sw, wanted);
    }

    /**
     * Checks whether packets are lost as long as a switch has its old entry, because the port has no link any
     * more.
     */
    boolean isLate(int sw, byte held) {
        if (held == LinearForwardingTable.NO_PATH_ENTRY) {
            return false;
        }
        int port = channels.firstPort[sw] + (held & 0xff);
        return port >= channels.firstPort[sw + 1] || channels.outOfPort[port] == Fabric.NONE || isEarly(sw, held);
    }

    /**
     * Checks whether packets are lost from the time when a switch has its new entry, because the link is not
     * up yet.
     */
    boolean isEarly(int sw, byte wanted) {
        int link = channels.link(sw, wanted & 0xff);
        return link != Fabric.NONE && !isUp[link];
    }

    /** Checks whether any link between switches carries packets. */
    boolean isAnyLinkUp() {
        for (boolean up : isUp) {
            if (up) {
                return true;
            }
        }
        return false;
    }

    /** Checks whether any switch with traffic has an entry that differs from the new one. */
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

    /** Returns the number of groups. */
    int count() {
        return members.length;
    }

    /** Returns the number of groups with entries that may change. They come first. */
    int changedCount() {
        return changedAt.length;
    }

    /** Returns the number of groups of LIDs of the active plan alone. They come first. */
    int vanishedCount() {
        return vanishedCount;
    }

    /** Checks whether the groups have lists of the switches where their entries change. */
    boolean isSparse() {
        return isSparse;
    }

    /** Returns the switches at which entries for a group change, ascending; or {@link #EVERYWHERE}. */
    int[] changedAt(int group) {
        return changedAt[group];
    }

    /** Returns LIDs with the same entries everywhere but at their own switch. */
    int[] members(int group) {
        return members[group];
    }

    /** Returns the SLs of packets from the end ports of a switch to a group (bit n: SL n). */
    int sls(int group, int sw) {
        if (group >= vanishedCount) {
            return channels.plan.slMask(sw, members[group][0]);
        }
        if (before == null || indexBefore[sw] == Fabric.NONE) {
            return 0;
        }
        return before.slMask(indexBefore[sw], members[group][0]);
    }

    /** Checks whether packets to a LID may leave a switch by another port or on another VL afterwards. */
    boolean isTouched(Channels channels, int lid, int sw) {
        int link = channels.link(sw, wanted[sw][lid] & 0xff);
        return held[sw][lid] != wanted[sw][lid]
                || (link != Fabric.NONE && channels.isRowChanged(sw, link - channels.firstLink[sw]));
    }
}
