package io.torussm.torus2qos.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.torus2qos.conf.Dim;
import java.util.Arrays;

/**
 * The port numbers by direction. Machine rooms are cabled by a pattern: if most switches use some port numbers
 * for a direction, the other switches should use the same numbers.
 */
final class PortPattern {
    /** Minimum number of switches with cables in a direction for a pattern. */
    private static final int MIN_SWITCHES = 3;

    /**
     * Minimum number of switches that follow a pattern, and minimum ratio of these to the switches that do not, for
     * other ports to be excluded. Chance does not produce such a ratio.
     */
    private static final int MIN_RULE_SUPPORT = 8;

    private static final int[] NO_PORTS = {};

    private final Torus torus;
    /** By group: port numbers in the order of use; empty without a pattern. */
    private final int[][] ports = new int[Dim.LOCAL][];
    /** By group: true if the pattern is certain enough to exclude other ports. */
    private final boolean[] isRule = new boolean[Dim.LOCAL];

    PortPattern(Torus torus) {
        this.torus = torus;
        for (int group = 0; group < Dim.LOCAL; group++) {
            ports[group] = majority(torus, group);
        }
    }

    /**
     * Returns the port numbers that more than two thirds of the switches use for a group; empty without such a
     * majority. Must not be written.
     */
    int[] ports(int group) {
        return ports[group];
    }

    /** Checks whether a port is not intended for a group; false if there is no certain pattern. */
    boolean excludes(int group, int portNum) {
        return isRule[group] && Arrays.stream(ports[group]).noneMatch(used -> used == portNum);
    }

    /**
     * Checks whether the link of a port that the pattern gives for a group is up although the peer is unknown. Then
     * the cable is present, but the peer does not respond or is excluded from the subnet.
     */
    boolean isUpWithoutPeer(int slot, int group) {
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
        // More than two thirds must agree.
        if (voters < MIN_SWITCHES || 3 * agreeing <= 2 * voters) {
            return NO_PORTS;
        }
        isRule[group] = agreeing >= MIN_RULE_SUPPORT && MIN_RULE_SUPPORT * (voters - agreeing) <= agreeing;
        return candidate;
    }

    /**
     * Returns the port numbers that more than half of the switches use for a group, if there is such a majority.
     * Otherwise the result is arbitrary, so the caller counts. Source: the majority vote algorithm of Boyer and
     * Moore.
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
