package io.torussm.deadlock;

import java.util.function.IntPredicate;

/**
 * Groups of destination LIDs with equal routes, so that a proof follows the routes to each group once. The LIDs of a
 * group are attached to one switch, all other switches forward them alike, and their packets have the same SLs from
 * each switch. Immutable.
 */
public final class DestinationGroups {
    /** [group, ascending by first LID] its LIDs, ascending. */
    private final int[][] members;

    /** [group] switch of its LIDs. */
    private final int[] destination;

    private final int lidCount;

    /**
     * Creates groups that the caller has found.
     *
     * @param members [group, ascending by first LID] LIDs of one switch, ascending; not copied
     */
    public DestinationGroups(Channels channels, int[][] members) {
        this.members = members;
        destination = new int[members.length];
        int count = 0;
        for (int group = 0; group < members.length; group++) {
            destination[group] = channels.subnet.switchOfLid(members[group][0]);
            count += members[group].length;
        }
        lidCount = count;
    }

    /**
     * Returns the groups of all LIDs of a plan.
     *
     * @param lfts [switch][LID] egress port number
     * @param tasks number of parallel parts, at least 1
     */
    public static DestinationGroups of(Channels channels, byte[][] lfts, int tasks) {
        return of(channels, lfts, tasks, lid -> false);
    }

    /**
     * Returns the groups of all LIDs that the tables of several plans forward alike. The SLs are those of the plan of
     * {@code channels}.
     *
     * @param lfts [row][LID] egress port number: the tables of all switches in the first plan, then those in the next
     *     plan
     * @param tasks number of parallel parts, at least 1
     * @param isAlone predicate of LIDs that each form a group alone: those that moved. The own switch of such a LID
     *     forwards it in the first plan, and entries of own switches are not compared
     */
    public static DestinationGroups of(Channels channels, byte[][] lfts, int tasks, IntPredicate isAlone) {
        return new DestinationGroups(channels, new ColumnComparison(channels, lfts, isAlone).groups(tasks));
    }

    /** Returns the number of groups. */
    public int count() {
        return members.length;
    }

    /** Returns the number of LIDs in all groups. */
    public int lidCount() {
        return lidCount;
    }

    /** Returns the LIDs of a group, ascending. The array must not be changed. */
    public int[] members(int group) {
        return members[group];
    }

    /** Returns the switch of a group: its LIDs belong to port 0 or to end ports that are attached there. */
    public int destination(int group) {
        return destination[group];
    }
}
