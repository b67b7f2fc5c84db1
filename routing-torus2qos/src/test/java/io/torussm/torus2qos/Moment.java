package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The paths of packets with the tables of switches at one moment: every source, destination LID and SL, hop
 * by hop, and a textbook search for cycles. It takes only SLs from plans. A channel is
 * {@code port index * 16 + vl}.
 */
public final class Moment {
    private final Plan before;
    private final Plan after;
    private final Fabric fabric;
    private final byte[][] lfts;
    private final long[][] rows;
    private final IntPredicate isUp;
    private final Map<Integer, Set<Integer>> waits = new HashMap<>();
    private String loop = "";

    /**
     * Follows everything.
     *
     * @param before tells the SLs of packets to LIDs that {@code after} does not know
     * @param after tells which cables there are, and SLs
     * @param lfts by switch of {@code after}, all of one length
     * @param rows by switch and then {@code in * ports + out}
     * @param isUp whether a port, by its index, carries packets
     */
    public Moment(Plan before, Plan after, byte[][] lfts, long[][] rows, IntPredicate isUp) {
        this.before = before;
        this.after = after;
        this.fabric = after.subnet().fabric();
        this.lfts = lfts;
        this.rows = rows;
        this.isUp = isUp;
        for (int from = 0; from < fabric.switchCount(); from++) {
            for (int dlid = 1; dlid < lfts[from].length; dlid++) {
                for (int sls = sls(from, dlid), sl = 0; sl < 16; sl++) {
                    if ((sls >> sl & 1) != 0) {
                        follow(from, dlid, sl);
                    }
                }
            }
        }
    }

    private int sls(int from, int dlid) {
        if (after.subnet().switchOfLid(dlid) != Fabric.NONE) {
            return after.slMask(from, dlid);
        }
        int oldTo = before.subnet().switchOfLid(dlid);
        int oldFrom = before.subnet().fabric().nodeByGuid(fabric.nodeGuid(from));
        return oldTo == Fabric.NONE || oldFrom == Fabric.NONE ? 0 : before.slMask(oldFrom, dlid);
    }

    /** Follows a packet of a switch's own end ports; returns whether it arrives. */
    boolean follow(int from, int dlid, int sl) {
        int sw = from;
        int in = 0;
        int held = -1;
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            int out = lfts[sw][dlid] & 0xff;
            if (sw == after.subnet().switchOfLid(dlid)) {
                return true;
            }
            int port = out == 0 || out > fabric.numPorts(sw) ? Fabric.NONE : fabric.port(sw, out);
            int far = port == Fabric.NONE ? Fabric.NONE : fabric.peer(port);
            if (far == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(far)) || !isUp.test(port) || !isUp.test(far)) {
                return false;
            }
            int vl = SlToVlMappingTable.vl(rows[sw][in * (fabric.numPorts(sw) + 1) + out], sl);
            int wanted = port * 16 + vl;
            if (held >= 0) {
                waits.computeIfAbsent(held, any -> new HashSet<>()).add(wanted);
            }
            held = wanted;
            sw = fabric.nodeOf(far);
            in = fabric.portNum(far);
        }
        loop = "a packet from " + after.coordinates(from) + " to LID " + dlid + " with SL " + sl + " goes in circles";
        return false;
    }

    /** Returns the fault; empty if there is none. */
    public String problem() {
        return !loop.isEmpty() ? loop : hasCycle() ? "a credit loop" : "";
    }

    private boolean hasCycle() {
        Map<Integer, Integer> before = new HashMap<>();
        waits.values().forEach(all -> all.forEach(each -> before.merge(each, 1, Integer::sum)));
        Deque<Integer> free = new ArrayDeque<>();
        waits.keySet().stream().filter(each -> !before.containsKey(each)).forEach(free::add);
        while (!free.isEmpty()) {
            for (int next : waits.getOrDefault(free.poll(), Set.of())) {
                if (before.merge(next, -1, Integer::sum) == 0) {
                    before.remove(next);
                    free.add(next);
                }
            }
        }
        return !before.isEmpty();
    }
}
