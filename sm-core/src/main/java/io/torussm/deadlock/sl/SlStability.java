package io.torussm.deadlock.sl;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The paths whose SL differs between a plan and its predecessor. Applications keep the SL from the SA as long as a
 * connection lives. With the old SL their packets may close a credit loop, since the tables allow for the new SL only.
 *
 * <p>A path is an ordered pair of different LIDs that belong to the same two end ports in both plans, by port GUID, and
 * that both plans can route. A path is changed if the plans give different sets of SLs from its source's switch to its
 * destination LID. An end port that moved to another switch remains the same end port. Only two plans are compared. If
 * an intermediate plan could not route a path, a later comparison does not count it.
 *
 * <p>Cost: two calls of {@link Plan#slMask} for each pair of switches, independently of their number of
 * LIDs. If one of the plans chooses SLs by LID, there are two calls for each pair of a switch and a LID. If {@link
 * io.torussm.routing.PathSls#isSameAs} reports equal SLs, there is no call.
 *
 * @param changedPaths number of changed paths, 0 to some 2.4e9 (pairs of 49,151 LIDs)
 * @param examples descriptions of the first paths, by LID of source and destination; at most {@value #MAX_EXAMPLES}
 * @param cause the cause that the plans suggest, with the remedy; empty if no path changed
 */
public record SlStability(long changedPaths, List<String> examples, String cause) {
    /** Max number of paths in {@link #examples}. */
    public static final int MAX_EXAMPLES = 3;

    private static final SlStability STABLE = new SlStability(0, List.of(), "");

    public SlStability {
        examples = List.copyOf(examples);
    }

    /**
     * Compares two plans. Pure; uses all processors of the calling thread's pool.
     *
     * @param oldPlan the active plan; null if none is active
     * @param newPlan the new plan; null if the sweep has none
     * @return no changed paths if a plan is null
     */
    public static SlStability compare(@Nullable Plan oldPlan, @Nullable Plan newPlan) {
        return oldPlan == null || newPlan == null || oldPlan == newPlan || isSurelySame(oldPlan, newPlan)
                ? STABLE
                : new Comparison(oldPlan, newPlan).result();
    }

    /** Checks whether a comparison is unnecessary, since the engine reports equal SLs and no end port moved. */
    private static boolean isSurelySame(Plan oldPlan, Plan newPlan) {
        if (oldPlan.isSlMaskBySwitch() != newPlan.isSlMaskBySwitch()
                || !newPlan.sls().isSameAs(oldPlan.sls())) {
            return false;
        }
        Subnet oldSubnet = oldPlan.subnet();
        Subnet newSubnet = newPlan.subnet();
        for (int lid = 1; lid <= Math.min(oldSubnet.topLid(), newSubnet.topLid()); lid++) {
            int oldSw = oldSubnet.switchOfLid(lid);
            int newSw = newSubnet.switchOfLid(lid);
            if (oldSw != Fabric.NONE
                    && newSw != Fabric.NONE
                    && oldSubnet.fabric().nodeGuid(oldSw) != newSubnet.fabric().nodeGuid(newSw)
                    && isSameEndport(oldSubnet, newSubnet, lid)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSameEndport(Subnet oldSubnet, Subnet newSubnet, int lid) {
        long guid = oldSubnet.fabric().portGuid(oldSubnet.portOfLid(lid));
        return guid != 0 && guid == newSubnet.fabric().portGuid(newSubnet.portOfLid(lid));
    }

    /** Returns an error for the operator; an empty list if no path changed. */
    public List<Finding> findings() {
        return changedPaths == 0
                ? List.of()
                : List.of(SmEvent.SLS_CHANGED.finding("SLs changed: " + changedPaths
                        + " paths have another SL than before; applications that hold one of them must query the SA"
                        + " again, or they may hang. First: " + String.join("; ", examples) + ". " + cause));
    }

    /**
     * The LIDs whose end ports share a switch in both plans. As sources these LIDs have the same SLs; as destinations
     * only if both plans choose SLs by switch. Otherwise a group of destinations is a single LID.
     */
    private static final class Group {
        final int oldSw;
        final int newSw;
        final boolean isMoved;
        final int firstLid;

        /** The second LID; 0 in a group of one LID. */
        int secondLid;

        int count;

        Group(int oldSw, int newSw, boolean isMoved, int firstLid) {
            this.oldSw = oldSw;
            this.newSw = newSw;
            this.isMoved = isMoved;
            this.firstLid = firstLid;
        }

        void add(int lid) {
            count++;
            if (count == 2) {
                secondLid = lid;
            }
        }

        boolean sharesSwitches(Group other) {
            return oldSw == other.oldSw && newSw == other.newSw;
        }

        /**
         * Returns the number of paths from LIDs of this group to LIDs of another, without paths from a LID to itself.
         */
        long pathsTo(Group to) {
            return (long) count * to.count - (sharesSwitches(to) ? to.count : 0);
        }
    }

    private static final class Comparison {
        private final Plan oldPlan;
        private final Plan newPlan;
        private final List<Group> sources;
        private final List<Group> destinations;

        Comparison(Plan oldPlan, Plan newPlan) {
            this.oldPlan = oldPlan;
            this.newPlan = newPlan;
            sources = groups(oldPlan.subnet(), newPlan.subnet(), true);
            boolean isBySwitch = oldPlan.isSlMaskBySwitch() && newPlan.isSlMaskBySwitch();
            destinations = isBySwitch ? sources : groups(oldPlan.subnet(), newPlan.subnet(), false);
        }

        /** Returns the groups of LIDs at one switch, or, unless {@code isBySwitch}, a group for each LID. */
        private static List<Group> groups(Subnet oldSubnet, Subnet newSubnet, boolean isBySwitch) {
            List<Group> groups = new ArrayList<>();
            Map<Long, Group> bySwitches = new HashMap<>();
            for (int lid = 1; lid <= Math.min(oldSubnet.topLid(), newSubnet.topLid()); lid++) {
                int oldSw = oldSubnet.switchOfLid(lid);
                int newSw = newSubnet.switchOfLid(lid);
                if (oldSw == Fabric.NONE || newSw == Fabric.NONE || !isSameEndport(oldSubnet, newSubnet, lid)) {
                    continue;
                }
                long key = (long) oldSw << Integer.SIZE | newSw;
                Group group = isBySwitch ? bySwitches.get(key) : null;
                if (group == null) {
                    boolean isMoved = oldSubnet.fabric().nodeGuid(oldSw)
                            != newSubnet.fabric().nodeGuid(newSw);
                    group = new Group(oldSw, newSw, isMoved, lid);
                    bySwitches.put(key, group);
                    groups.add(group);
                }
                group.add(lid);
            }
            return groups;
        }

        SlStability result() {
            long[] changed = IntStream.range(0, sources.size())
                    .parallel()
                    .mapToLong(this::changedFrom)
                    .toArray();
            long sum = 0;
            for (long each : changed) {
                sum += each;
            }
            return sum == 0 ? STABLE : new SlStability(sum, examples(changed), cause(changed));
        }

        /** Checks whether the plans give different SLs to a path that both can route. */
        private boolean isChanged(Group from, Group to) {
            int newSls = newPlan.slMask(from.newSw, to.firstLid);
            int oldSls = oldPlan.slMask(from.oldSw, to.firstLid);
            return newSls != oldSls && newSls != 0 && oldSls != 0;
        }

        /** Returns the number of changed paths from the LIDs of one group. */
        private long changedFrom(int source) {
            Group from = sources.get(source);
            long paths = 0;
            for (Group to : destinations) {
                if (isChanged(from, to)) {
                    paths += from.pathsTo(to);
                }
            }
            return paths;
        }

        /** Describes the first changed paths. {@code changed} is [source] its number of changed paths. */
        private List<String> examples(long[] changed) {
            List<String> examples = new ArrayList<>();
            for (int source = 0; source < changed.length; source++) {
                Group from = sources.get(source);
                for (int i = 0; changed[source] > 0 && i < destinations.size(); i++) {
                    Group to = destinations.get(i);
                    if (from.pathsTo(to) > 0 && isChanged(from, to)) {
                        examples.add(example(from, to));
                    }
                    if (examples.size() == MAX_EXAMPLES) {
                        return examples;
                    }
                }
            }
            return examples;
        }

        private String example(Group from, Group to) {
            int dlid = from == to ? to.secondLid : to.firstLid;
            int slid = from.firstLid == dlid ? from.secondLid : from.firstLid;
            return "from " + name(from, slid) + " to " + name(to, dlid) + ": SL "
                    + slText(oldPlan.slMask(from.oldSw, to.firstLid)) + " before, "
                    + slText(newPlan.slMask(from.newSw, to.firstLid)) + " now";
        }

        private String name(Group group, int lid) {
            Fabric fabric = newPlan.subnet().fabric();
            int node = fabric.nodeOf(newPlan.subnet().portOfLid(lid));
            String place = newPlan.coordinates(group.newSw);
            String at = node == group.newSw ? "" : "at " + fabric.name(group.newSw) + " ";
            return ("LID " + lid + " " + fabric.name(node) + " " + at + place).strip();
        }

        /** Formats a set of SLs (bit n: SL n), as in {@code 0 or 8}. */
        private static String slText(int mask) {
            return IntStream.range(0, 16)
                    .filter(sl -> (mask >> sl & 1) != 0)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(" or "));
        }

        private String cause(long[] changed) {
            if (!oldPlan.engine().equals(newPlan.engine())) {
                return "The routing engine changed from " + oldPlan.engine() + " to " + newPlan.engine();
            }
            for (int source = 0; source < changed.length; source++) {
                Group from = sources.get(source);
                if (changed[source] > 0 && isChangedWithoutMoves(from)) {
                    return newPlan.explainer().slChangeCause();
                }
            }
            return "Their end ports moved to other switches";
        }

        /** Checks whether a path of a group changed although both its ends are still at the same switches. */
        private boolean isChangedWithoutMoves(Group from) {
            return !from.isMoved && destinations.stream().anyMatch(to -> !to.isMoved && isChanged(from, to));
        }
    }
}
