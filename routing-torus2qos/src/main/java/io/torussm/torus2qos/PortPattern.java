package io.torussm.torus2qos;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which ports lead where: machine rooms are cabled by a pattern, so the port numbers that most switches use for a
 * direction are those that the others are meant to use.
 */
final class PortPattern {
    /** Switches that must use a direction before a pattern is seen in it. */
    private static final int FEWEST = 3;

    private final int[][] ports = new int[Dim.LOCAL][];

    PortPattern(Torus torus) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            ports[group] = majority(torus, group);
        }
    }

    /** The port numbers that most switches use for a group, empty if there is no clear majority. Must not be written. */
    int[] ports(int group) {
        return ports[group];
    }

    /** Whether a port is not meant for a group; false if there is no pattern to tell by. */
    boolean excludes(int group, int portNum) {
        return ports[group].length > 0 && Arrays.stream(ports[group]).noneMatch(each -> each == portNum);
    }

    private static int[] majority(Torus torus, int group) {
        Map<List<Integer>, Integer> votes = new HashMap<>();
        int voters = 0;
        for (int slot = 0; slot < torus.slots(); slot++) {
            int[] used = torus.group(slot, group);
            if (used.length > 0) {
                voters++;
                votes.merge(Arrays.stream(used).boxed().toList(), 1, Integer::sum);
            }
        }
        for (Map.Entry<List<Integer>, Integer> vote : votes.entrySet()) {
            if (voters >= FEWEST && 3 * vote.getValue() > 2 * voters) {
                return vote.getKey().stream().mapToInt(Integer::intValue).toArray();
            }
        }
        return new int[0];
    }
}
