package io.torussm.deadlock;

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
 * Which paths have another SL in a new plan than in the one before. Applications keep the SL that the SA gave them for as
 * long as a connection lives; on another SL their packets may wait for each other in a circle, since the tables know the
 * new SL only.
 *
 * <p>A path is an ordered pair of different LIDs that belong to the same two end ports in both plans, by port GUID, and
 * that both plans can route; it counts if the plans give different sets of SLs between the switches of its end ports. An
 * end port that moved to another switch is still the same one. Two plans are compared and no more: what a plan in between
 * could not route is forgotten.
 *
 * <p>Cost: two calls of {@link Plan#slMask} for each pair of switches, however many LIDs hang on them.
 *
 * @param changedPaths how many, 0 to some 2.4e9
 * @param examples the first of them in words, by LID of source and destination; at most {@value #MAX_EXAMPLES}
 * @param cause what the plans suggest, with the remedy; empty if nothing changed
 */
public record SlStability(long changedPaths, List<String> examples, String cause) {
    /** How many paths are named. */
    public static final int MAX_EXAMPLES = 3;

    private static final SlStability STABLE = new SlStability(0, List.of(), "");

    public SlStability {
        examples = List.copyOf(examples);
    }

    /**
     * Compares two plans. Pure; takes all processors of the pool that it is called on.
     *
     * @param before the plan in force; null if there is none
     * @param after the plan to come; null if there is none
     */
    public static SlStability compare(@Nullable Plan before, @Nullable Plan after) {
        return before == null || after == null || before == after ? STABLE : new Comparison(before, after).result();
    }

    /** One error for the operator; nothing if no path changed. */
    public List<Finding> findings() {
        return changedPaths == 0
                ? List.of()
                : List.of(SmEvent.SLS_CHANGED.says("SLs changed: " + changedPaths
                        + " paths have another SL than before; applications that hold one of them must query the SA"
                        + " again, or they may hang. First: " + String.join("; ", examples) + ". " + cause));
    }

    /** LIDs whose end ports share a switch in both plans: they share all their SLs. */
    private static final class Group {
        final int oldSw;
        final int newSw;
        final boolean isMoved;
        final int firstLid;
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
    }

    private static final class Comparison {
        private final Plan before;
        private final Plan after;
        private final List<Group> groups;

        Comparison(Plan before, Plan after) {
            this.before = before;
            this.after = after;
            this.groups = groups(before.subnet(), after.subnet());
        }

        private static List<Group> groups(Subnet before, Subnet after) {
            List<Group> groups = new ArrayList<>();
            Map<Long, Group> bySwitches = new HashMap<>();
            for (int lid = 1; lid <= Math.min(before.topLid(), after.topLid()); lid++) {
                int oldSw = before.switchOfLid(lid);
                int newSw = after.switchOfLid(lid);
                if (oldSw == Fabric.NONE || newSw == Fabric.NONE || !isSameEndport(before, after, lid)) {
                    continue;
                }
                long key = (long) oldSw << Integer.SIZE | newSw;
                Group group = bySwitches.get(key);
                if (group == null) {
                    boolean isMoved =
                            before.fabric().nodeGuid(oldSw) != after.fabric().nodeGuid(newSw);
                    group = new Group(oldSw, newSw, isMoved, lid);
                    bySwitches.put(key, group);
                    groups.add(group);
                }
                group.add(lid);
            }
            return groups;
        }

        private static boolean isSameEndport(Subnet before, Subnet after, int lid) {
            long guid = before.fabric().portGuid(before.portOfLid(lid));
            return guid != 0 && guid == after.fabric().portGuid(after.portOfLid(lid));
        }

        SlStability result() {
            long[] changed = IntStream.range(0, groups.size())
                    .parallel()
                    .mapToLong(this::changedFrom)
                    .toArray();
            long sum = 0;
            for (long each : changed) {
                sum += each;
            }
            return sum == 0 ? STABLE : new SlStability(sum, examples(changed), cause(changed));
        }

        private boolean isChanged(Group from, Group to) {
            int now = after.slMask(from.newSw, to.newSw);
            int then = before.slMask(from.oldSw, to.oldSw);
            return now != then && now != 0 && then != 0;
        }

        /** Changed paths from the LIDs of one group. */
        private long changedFrom(int source) {
            Group from = groups.get(source);
            long destinations = 0;
            for (Group to : groups) {
                if (isChanged(from, to)) {
                    destinations += from == to ? to.count - 1 : to.count;
                }
            }
            return destinations * from.count;
        }

        private List<String> examples(long[] changed) {
            List<String> examples = new ArrayList<>();
            for (int source = 0; source < changed.length; source++) {
                Group from = groups.get(source);
                for (int i = 0; changed[source] > 0 && i < groups.size(); i++) {
                    Group to = groups.get(i);
                    if ((from != to || to.count > 1) && isChanged(from, to)) {
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
            return "from " + name(from, from.firstLid) + " to " + name(to, dlid) + ": SL "
                    + words(before.slMask(from.oldSw, to.oldSw)) + " before, "
                    + words(after.slMask(from.newSw, to.newSw)) + " now";
        }

        private String name(Group group, int lid) {
            Fabric fabric = after.subnet().fabric();
            int node = fabric.nodeOf(after.subnet().portOfLid(lid));
            String place = after.place(group.newSw);
            String at = node == group.newSw ? "" : "at " + fabric.name(group.newSw) + " ";
            return ("LID " + lid + " " + fabric.name(node) + " " + at + place).strip();
        }

        /** A set of SLs as in {@code 0 or 8}. */
        private static String words(int mask) {
            return IntStream.range(0, 16)
                    .filter(sl -> (mask >> sl & 1) != 0)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(" or "));
        }

        private String cause(long[] changed) {
            if (!before.engine().equals(after.engine())) {
                return "The routing engine changed from " + before.engine() + " to " + after.engine();
            }
            for (int source = 0; source < changed.length; source++) {
                Group from = groups.get(source);
                for (int i = 0; changed[source] > 0 && !from.isMoved && i < groups.size(); i++) {
                    if (!groups.get(i).isMoved && isChanged(from, groups.get(i))) {
                        return "Likely cause: datelines or sizes in torus-2QoS.conf were changed, or its seed now"
                                + " mirrors or moves the torus; put back what was there to have the old SLs";
                    }
                }
            }
            return "Their end ports moved to other switches";
        }
    }
}
