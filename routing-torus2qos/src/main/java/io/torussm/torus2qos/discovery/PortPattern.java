package io.torussm.torus2qos.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.torus2qos.conf.Dim;
import java.util.Arrays;

/**
 * The directions that port numbers are used for. Machine rooms are cabled by a pattern: port numbers that
 * most switches use for a direction are intended for it on the other switches as well.
 */
final class PortPattern {
    /** Switches that must use a direction before a pattern is seen in it. */
    private static final int FEWEST = 3;

    /**
     * The least ratio of switches that follow the pattern to switches that do not, for a port to be excluded.
     * Chance does not produce such a ratio.
     */
    private static final int MANY = 8;

    private static final int[] NO_PORTS = {};

    private final Torus torus;
    private final int[][] ports = new int[Dim.LOCAL][];
    private final boolean[] isRule = new boolean[Dim.LOCAL];

    PortPattern(Torus torus) {
        this.torus = torus;
        for (int group = 0; group < Dim.LOCAL; group++) {
            ports[group] = majority(torus, group);
        }
    }

    /**
     * Returns the port numbers that most switches use for a group, empty if there is no clear majority. Must
     * not be written.
     */
    int[] ports(int group) {
        return ports[group];
    }

    /** Checks whether a port is not intended for a group; false if there is no certain pattern. */
    boolean excludes(int group, int portNum) {
        return isRule[group] && Arrays.stream(ports[group]).noneMatch(each -> each == portNum);
    }

    /**
     * Checks whether a switch has a port for a group that is up although its peer is unknown. The cable is
     * right, but the peer does not respond or is excluded from the subnet.
     */
    boolean isUpToNobody(int slot, int group) {
        Fabric fabric = torus.fabric();
        int sw = torus.switchOf(slot);
        return Arrays.stream(ports[group])
                .filter(portNum -> portNum <= fabric.numPorts(sw))
                .anyMatch(portNum -> {
                    PortInfo info = fabric.portInfo(fabric.port(sw, portNum));
                    return info != null && info.isLinkUp() && fabric.peer(fabric.port(sw, portNum)) == Fabric.NONE;
                });
    }

    private int[] majority(Torus torus, int group) {
        int[] candidate = candidate(torus, group);
        int voters = 0;
        int agreeing = 0;
        for (int slot = 0; slot < torus.slots(); slot++) {
            int[] used = torus.group(slot, group);
            voters += used.length > 0 ? 1 : 0;
            agreeing += used.length > 0 && Arrays.equals(used, candidate) ? 1 : 0;
        }
        if (voters < FEWEST || 3 * agreeing <= 2 * voters) {
            return NO_PORTS;
        }
        isRule[group] = agreeing >= MANY && MANY * (voters - agreeing) <= agreeing;
        return candidate;
    }

    /**
     * Returns the ports that more than half use, if any are: each that differs takes one vote away (Boyer and
     * Moore).
     */
    private static int[] candidate(Torus torus, int group) {
        int[] candidate = NO_PORTS;
        int lead = 0;
        for (int slot = 0; slot < torus.slots(); slot++) {
            int[] used = torus.group(slot, group);
            if (used.length > 0) {
                candidate = lead == 0 ? used : candidate;
                lead += Arrays.equals(used, candidate) ? 1 : -1;
            }
        }
        return candidate;
    }
}
