package io.torussm.routing.statistics;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import java.util.Arrays;

/**
 * The paths from all switches to one LID, as the tables have them. One instance serves one destination after
 * another.
 */
public final class PathTree {
    /** No next hop: no path leads on, or it is at its end. */
    public static final int NO_WAY = -1;

    private static final int UNKNOWN = -2;

    private final Plan plan;
    private final Fabric fabric;
    private final byte[][] tables;
    private final int[] hops;
    private final int[] next;
    private final int[] order;
    private final int[] trail;
    private int lid;
    private int reached;

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

    /** Follows the tables to another LID. */
    public void towards(int dlid) {
        lid = dlid;
        Arrays.fill(hops, UNKNOWN);
        int end = plan.subnet().switchOfLid(dlid);
        int known = 0;
        if (end != Fabric.NONE) {
            hops[end] = 0;
            next[end] = NO_WAY;
            order[known++] = end;
        }
        for (int start = 0; start < hops.length; start++) {
            int length = 0;
            int sw = start;
            // A switch on the trail counts as having no path until the end of the trail is known, so a loop
            // ends where it begins.
            while (sw != NO_WAY && hops[sw] == UNKNOWN) {
                hops[sw] = NO_WAY;
                trail[length++] = sw;
                next[sw] = step(sw);
                sw = next[sw];
            }
            int steps = sw == NO_WAY ? NO_WAY : hops[sw];
            while (length > 0 && steps != NO_WAY) {
                int back = trail[--length];
                hops[back] = ++steps;
                order[known++] = back;
            }
        }
        reached = known;
    }

    private int step(int sw) {
        int portNum = out(sw);
        int far = portNum > fabric.numPorts(sw) ? Fabric.NONE : fabric.peer(fabric.port(sw, portNum));
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? fabric.nodeOf(far) : NO_WAY;
    }

    /** Returns the number of switches with a way, each after the one that it sends to. */
    public int reached() {
        return reached;
    }

    /** Returns a switch by its rank, 0 to {@link #reached()}. */
    public int at(int rank) {
        return order[rank];
    }

    /** Returns the number of cables between switches on the way from a switch, {@link #NO_WAY} if there is none. */
    public int hops(int sw) {
        return hops[sw];
    }

    /** Returns where a switch sends to; {@link #NO_WAY} at the end of the way. */
    public int next(int sw) {
        return next[sw];
    }

    /** Returns the port number by which a switch sends. */
    public int out(int sw) {
        return tables[sw][lid] & 0xff;
    }
}
