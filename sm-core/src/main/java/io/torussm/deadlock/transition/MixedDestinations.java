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
 * The destinations of packets while tables change, and the entries of switches for them before and after the change.
 * The destinations are the LIDs of the new plan, in groups that all switches forward alike in both tables, and the LIDs
 * of the active plan alone (vanished LIDs), because sources continue to send to them for some time. Immutable.
 *
 * <p>If few entries and no SL2VL rows change (sparse), each group has a list of the switches where its entries change.
 * Groups are in this order: vanished LIDs, groups with changes, groups without changes.
 */
public final class MixedDestinations {
    /** The list of switches of a group whose entries may change at any switch; compared by identity. */
    static final int[] ALL_SWITCHES = {};

    /** A list of changed entries is made if at most one of so many entries changes. */
    private static final int SPARSE = 8;

    /** Upper limit of listed entries, independently of the size of the fabric. */
    private static final long MAX_LISTED = 1 << 24;

    private final Channels channels;

    /** The active plan; null if none is active. */
    private final @Nullable Plan previousPlan;

    /**
     * [switch][LID] egress port number in the current tables, 0xFF without a path. Tables end at the highest LID of
     * both plans. A switch without traffic has its new table here.
     */
    final byte[][] oldLfts;

    /** [switch][LID] egress port number in the new tables, with the length of {@link #oldLfts}. */
    final byte[][] newLfts;

    /** [link] whether both of its ports are up, so that it carries packets. */
    private final boolean[] isUp;

    /** [group] LIDs; a vanished LID forms a group alone. */
    private final int[][] members;

    private final int vanishedCount;
    private final boolean isSparse;

    /** [group with changes] switches where its entries change, ascending; or {@link #ALL_SWITCHES}. */
    private final int[][] changedAt;

    /** [switch] its index in the active plan, NONE if the active plan lacks the switch. */
    private final int[] indexBefore;

    /**
     * Creates the destinations.
     *
     * @param tables the current tables of the switches
     * @param previousPlan the active plan; null if none is active
     * @param known groups of LIDs that all switches but the switch of the LIDs forward alike in the new plan
     * @param isEverywhere whether all destinations count as changed at all switches, even if few entries change
     * @param tasks number of parallel parts, at least 1
     */
    MixedDestinations(
            Channels channels,
            HeldTables tables,
            @Nullable Plan previousPlan,
            DestinationGroups known,
            boolean isEverywhere,
            int tasks) {
        this.channels = channels;
        this.previousPlan = previousPlan;
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
        oldLfts = new byte[channels.switchCount][];
        newLfts = new byte[channels.switchCount][];
        for (int sw = 0; sw < oldLfts.length; sw++) {
            byte[] current = tables.lft(sw);
            newLfts[sw] = padded(channels.plan.lft(sw), top + 1);
            oldLfts[sw] = current == null ? newLfts[sw] : padded(current, top + 1);
        }
        List<int[]> groups = new ArrayList<>(vanishedLids());
        vanishedCount = groups.size();
        List<int[]> changes = new ArrayList<>(Collections.nCopies(vanishedCount, ALL_SWITCHES));
        long max = Math.min(MAX_LISTED, (top + 1L) * oldLfts.length / SPARSE);
        ChangedEntries entries = isEverywhere ? null : ChangedEntries.of(this, top, max);
        isSparse = entries != null;
        if (entries == null) {
            DestinationGroups both = commonGroups(tasks);
            for (int group = 0; group < both.count(); group++) {
                groups.add(both.members(group));
                changes.add(ALL_SWITCHES);
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

    /** Returns the LIDs of the active plan that the new plan lacks, each in an array of its own. */
    private List<int[]> vanishedLids() {
        return previousPlan == null
                ? List.of()
                : IntStream.rangeClosed(1, previousPlan.subnet().topLid())
                        .filter(lid -> previousPlan.subnet().switchOfLid(lid) != Fabric.NONE)
                        .filter(lid -> channels.subnet.switchOfLid(lid) == Fabric.NONE)
                        .mapToObj(lid -> new int[] {lid})
                        .toList();
    }

    private int[] indexesBefore() {
        int[] indexes = new int[channels.switchCount];
        for (int sw = 0; sw < indexes.length; sw++) {
            int index = previousPlan == null
                    ? Fabric.NONE
                    : previousPlan.subnet().fabric().nodeByGuid(channels.fabric.nodeGuid(sw));
            boolean isSwitch = index != Fabric.NONE
                    && previousPlan != null
                    && previousPlan.subnet().fabric().isSwitch(index);
            indexes[sw] = isSwitch ? index : Fabric.NONE;
        }
        return indexes;
    }

    /** Returns groups of LIDs that the current and the new tables forward alike. */
    private DestinationGroups commonGroups(int tasks) {
        byte[][] both = Arrays.copyOf(oldLfts, 2 * oldLfts.length);
        System.arraycopy(newLfts, 0, both, oldLfts.length, oldLfts.length);
        return DestinationGroups.of(channels, both, tasks, this::isForwardedAtOwnSwitch);
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
     * Checks whether the entry of a switch for a LID may lead to another switch. The entry of the LID's own switch does
     * so only if the LID moved there.
     */
    boolean isOnTheWay(int sw, int lid) {
        return channels.subnet.switchOfLid(lid) != sw || isForwardedAtOwnSwitch(lid);
    }

    /**
     * Checks whether the current table of a LID's own switch forwards its packets to another switch, because the LID
     * was at another switch before.
     */
    private boolean isForwardedAtOwnSwitch(int lid) {
        int home = channels.subnet.switchOfLid(lid);
        return channels.link(home, oldLfts[home][lid] & 0xff) != Fabric.NONE;
    }

    /** Checks whether a changing entry can be written first or last without additional loss of packets. */
    boolean isDeferred(int sw, byte held, byte wanted) {
        return isLate(sw, held) || isEarly(sw, wanted);
    }

    /**
     * Checks whether packets are lost while a switch has its old entry, because the old port has no link that is up.
     */
    boolean isLate(int sw, byte held) {
        if (held == LinearForwardingTable.NO_PATH_ENTRY) {
            return false;
        }
        int port = channels.firstPort[sw] + (held & 0xff);
        return port >= channels.firstPort[sw + 1] || channels.outOfPort[port] == Fabric.NONE || isEarly(sw, held);
    }

    /**
     * Checks whether packets are lost as soon as a switch has its new entry, because the link of the new port is not
     * yet up.
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

    /** Checks whether any switch with traffic has an entry that differs from its new entry. */
    boolean isAnyEntryChanged() {
        for (int sw = 0; sw < oldLfts.length; sw++) {
            if (!Arrays.equals(oldLfts[sw], newLfts[sw])) {
                return true;
            }
        }
        return false;
    }

    /** Enumerates the LIDs for which the entry of a switch changes, ascending. */
    void forEachChange(int sw, IntConsumer consumer) {
        byte[] oldTable = oldLfts[sw];
        byte[] newTable = newLfts[sw];
        int changedLid = oldTable == newTable ? -1 : Arrays.mismatch(oldTable, newTable);
        while (changedLid >= 0) {
            consumer.accept(changedLid);
            int next = Arrays.mismatch(
                    oldTable, changedLid + 1, oldTable.length, newTable, changedLid + 1, newTable.length);
            changedLid = next < 0 ? -1 : changedLid + 1 + next;
        }
    }

    /** Returns the number of groups. */
    int count() {
        return members.length;
    }

    /** Returns the number of groups with entries that may change, those of vanished LIDs included. They come first. */
    int changedCount() {
        return changedAt.length;
    }

    /** Returns the number of groups of vanished LIDs. They come first. */
    int vanishedCount() {
        return vanishedCount;
    }

    /** Checks whether groups of the new plan have lists of the switches where their entries change. */
    boolean isSparse() {
        return isSparse;
    }

    /**
     * Returns the switches at which entries for a group change, ascending; or {@link #ALL_SWITCHES}.
     *
     * @param group 0 to {@link #changedCount} - 1
     */
    int[] changedAt(int group) {
        return changedAt[group];
    }

    /** Returns the LIDs of a group. All switches but the switch of these LIDs have the same entries for them. */
    int[] members(int group) {
        return members[group];
    }

    /** Returns the SLs of packets from the end ports of a switch to a group (bit n: SL n). */
    int sls(int group, int sw) {
        if (group >= vanishedCount) {
            return channels.plan.slMask(sw, members[group][0]);
        }
        if (previousPlan == null || indexBefore[sw] == Fabric.NONE) {
            return 0;
        }
        return previousPlan.slMask(indexBefore[sw], members[group][0]);
    }

    /** Checks whether packets to a LID may leave a switch by another port or on another VL after the change. */
    boolean isAffected(Channels channels, int lid, int sw) {
        int link = channels.link(sw, newLfts[sw][lid] & 0xff);
        return oldLfts[sw][lid] != newLfts[sw][lid]
                || (link != Fabric.NONE && channels.isRowChanged(sw, link - channels.firstLink[sw]));
    }
}
