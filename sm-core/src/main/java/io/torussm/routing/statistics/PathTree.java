package io.torussm.routing.statistics;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import java.util.Arrays;

/**
 * The paths from all switches to one LID by the tables of a plan. An object is reused for one LID after the
 * other. Not thread-safe.
 */
public final class PathTree {
    /** A switch without a path, or without a next switch because its path ends there. */
    public static final int NO_PATH = -1;

    /** The number of hops of a switch that was not followed yet. */
    private static final int UNKNOWN = -2;

    private final Plan plan;
    private final Fabric fabric;
    private final byte[][] tables;
    private final int[] hops;
    private final int[] next;
    /** Switches with a path, each after the switch to which it sends. */
    private final int[] order;

    private final int[] trail;
    private int lid;
    private int reachedCount;

    /** Creates the paths of a plan. */
    public PathTree(Plan plan) {
        this.plan = plan;
        fabric = plan.subnet().fabric();
        int switches = fabric.switchCount();
        tables = new byte[switches][];
        Arrays.setAll(tables, plan::lft);
        hops = new int[switches];
        next = new int[switches];
        order = new int[switches];
        trail = new int[switches];
    }

    /** Follows the tables to a LID. The results of the other methods are for this LID. */
    public void followTo(int dlid) {
        lid = dlid;
        Arrays.fill(hops, UNKNOWN);
        int end = plan.subnet().switchOfLid(dlid);
        int count = 0;
        if (end != Fabric.NONE) {
            hops[end] = 0;
            next[end] = NO_PATH;
            order[count++] = end;
        }
        for (int start = 0; start < hops.length; start++) {
            int length = 0;
            int sw = start;
            // A switch on the trail counts as having no path until the end of the trail is known, so a loop
            // ends where it begins.
            while (sw != NO_PATH && hops[sw] == UNKNOWN) {
                hops[sw] = NO_PATH;
                trail[length++] = sw;
                next[sw] = step(sw);
                sw = next[sw];
            }
            int steps = sw == NO_PATH ? NO_PATH : hops[sw];
            while (length > 0 && steps != NO_PATH) {
                int back = trail[--length];
                hops[back] = ++steps;
                order[count++] = back;
            }
        }
        reachedCount = count;
    }

    private int step(int sw) {
        int portNum = out(sw);
        int far = portNum > fabric.numPorts(sw) ? Fabric.NONE : fabric.peer(fabric.port(sw, portNum));
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? fabric.nodeOf(far) : NO_PATH;
    }

    /** Returns the number of switches with a path to the LID. */
    public int reachedCount() {
        return reachedCount;
    }

    /**
     * Returns a switch with a path by its rank, 0 to {@link #reachedCount()} - 1. A switch has a higher rank than the
     * switch to which it sends.
     */
    public int switchAt(int rank) {
        return order[rank];
    }

    /** Returns the number of cables between switches on the path from a switch; {@link #NO_PATH} without a path. */
    public int hops(int sw) {
        return hops[sw];
    }

    /** Returns the next switch on the path from a switch; {@link #NO_PATH} at the switch of the LID. */
    public int next(int sw) {
        return next[sw];
    }

    /** Returns the number of the output port of a switch, 0xFF for no entry. */
    public int out(int sw) {
        return tables[sw][lid] & 0xff;
    }
}
