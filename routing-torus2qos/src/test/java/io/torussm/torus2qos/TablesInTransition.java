package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.LinkSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The tables of all switches while they are changed from one plan to the next, by the steps of a {@link Transition}.
 * Tests execute the writes of a step in any order, and verify the tables after each write.
 */
final class TablesInTransition {
    /** Code of eight data VLs in OperationalVLs, to which rows of SL2VL tables are folded. */
    private static final int EIGHT_VLS = 4;

    /** Entry of a forwarding table that drops packets. */
    private static final byte NO_PATH = (byte) 0xff;

    final Change change;

    /** The plan that gives packets their SLs. */
    final Plan packets;

    /** The present forwarding tables, and those of the next plan: [switch][LID]. */
    final byte[][] lfts;

    final byte[][] newLfts;

    /** The present rows of SL2VL tables, and those of the next plan: [switch][ingress * ports + egress]. */
    final long[][] rows;

    final long[][] newRows;

    /** Writes for LIDs that are no longer in use, which may come last. */
    final Set<Runnable> removals = new LinkedHashSet<>();

    /** Pairs that both plans route by the same entries and rows. */
    final List<SteadyPair> steadyPairs = new ArrayList<>();

    /** A switch and the LID of a destination. */
    record SteadyPair(int sw, int lid) {}

    TablesInTransition(Change change, Plan packets) {
        this.change = change;
        this.packets = packets;
        Fabric fabric = change.fabric;
        int lids = 1
                + Math.max(
                        change.before.subnet().topLid(), change.after.subnet().topLid());
        lfts = new byte[fabric.switchCount()][];
        newLfts = new byte[fabric.switchCount()][];
        rows = new long[fabric.switchCount()][];
        newRows = new long[fabric.switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            byte[] oldLft = change.lft(sw);
            newLfts[sw] = padded(change.after.lft(sw), lids);
            lfts[sw] = oldLft == null ? newLfts[sw].clone() : padded(oldLft, lids);
            int ports = fabric.numPorts(sw) + 1;
            rows[sw] = new long[ports * ports];
            newRows[sw] = new long[ports * ports];
            for (int i = 0; i < ports * ports; i++) {
                rows[sw][i] = LinkSettings.foldRow(change.sl2vl(sw, i / ports, i % ports), EIGHT_VLS);
                newRows[sw][i] = LinkSettings.foldRow(change.after.sl2vl(sw, i / ports, i % ports), EIGHT_VLS);
            }
        }
        for (int sw = 0; sw < lfts.length; sw++) {
            for (int lid = 1; lid < lids; lid++) {
                if (isSteady(sw, lid)) {
                    steadyPairs.add(new SteadyPair(sw, lid));
                }
            }
        }
    }

    private static byte[] padded(byte[] lft, int length) {
        byte[] all = Arrays.copyOf(lft, length);
        Arrays.fill(all, Math.min(length, lft.length), length, NO_PATH);
        return all;
    }

    /** Checks whether each hop from a switch to a LID is up, and has the entry and the rows of both plans. */
    private boolean isSteady(int from, int lid) {
        int to = change.after.subnet().switchOfLid(lid);
        int sw = from;
        for (int hops = 0; sw != to; hops++) {
            boolean isLoop = hops == lfts.length;
            if (to == Fabric.NONE || isLoop || newLfts[sw][lid] == NO_PATH || lfts[sw][lid] != newLfts[sw][lid]) {
                return false;
            }
            int out = newLfts[sw][lid] & 0xff;
            int ports = change.fabric.numPorts(sw) + 1;
            for (int in = 0; in < ports; in++) {
                if (rows[sw][in * ports + out] != newRows[sw][in * ports + out]) {
                    return false;
                }
            }
            int port = change.fabric.port(sw, out);
            int far = change.fabric.peer(port);
            if (!change.isUp(port) || !change.isUp(far)) {
                return false;
            }
            sw = change.fabric.nodeOf(far);
        }
        return true;
    }

    /**
     * Returns the number of entries that are dropped for a time although packets get from there to the LID both before
     * and after.
     */
    int needlessDropCount() {
        int count = 0;
        for (int sw = 0; sw < lfts.length; sw++) {
            for (int lid : change.transition.droppedLids(sw)) {
                count += arrives(lfts, sw, lid) && arrives(newLfts, sw, lid) ? 1 : 0;
            }
        }
        return count;
    }

    /** Checks whether a packet from a switch to a LID arrives by some tables. */
    private boolean arrives(byte[][] tables, int from, int lid) {
        int to = change.after.subnet().switchOfLid(lid);
        int sw = from;
        for (int hops = 0; sw != to && hops < tables.length; hops++) {
            byte out = tables[sw][lid];
            int port = out == NO_PATH ? Fabric.NONE : change.fabric.port(sw, out & 0xff);
            int far = port == Fabric.NONE ? Fabric.NONE : change.fabric.peer(port);
            if (far == Fabric.NONE || !change.isUp(port) || !change.isUp(far)) {
                return false;
            }
            sw = change.fabric.nodeOf(far);
        }
        return sw == to;
    }

    /** Verifies that the present tables have no credit loop, and that steady pairs have their paths. */
    void verify(String when, boolean isAllUp) {
        Moment moment = new Moment(change.before, packets, lfts, rows, port -> isAllUp || change.isUp(port));
        assertThat(moment.problem()).as(when).isEmpty();
        for (SteadyPair pair : steadyPairs) {
            assertThat(moment.follow(pair.sw(), pair.lid(), 0))
                    .as("%s: packets of %s arrive", when, pair)
                    .isTrue();
        }
    }

    /**
     * Returns the three steps: early and dropped entries; the other entries, and rows; late entries and those that were
     * dropped. The writes of a step may be done in any order.
     */
    List<List<Runnable>> steps() {
        List<Runnable> first = new ArrayList<>();
        List<Runnable> rest = new ArrayList<>();
        List<Runnable> last = new ArrayList<>();
        for (int sw = 0; sw < lfts.length; sw++) {
            for (int lid = 1; lid < lfts[sw].length; lid++) {
                addEntry(sw, lid, first, rest, last);
            }
            for (int row = 0; row < rows[sw].length; row++) {
                if (rows[sw][row] != newRows[sw][row]) {
                    rest.add(rowWrite(sw, row));
                }
            }
        }
        return List.of(first, rest, last);
    }

    private void addEntry(int sw, int lid, List<Runnable> first, List<Runnable> rest, List<Runnable> last) {
        Transition transition = change.transition;
        boolean isChanged = lfts[sw][lid] != newLfts[sw][lid];
        Runnable write = () -> lfts[sw][lid] = newLfts[sw][lid];
        if (transition.isVanishedLast() && isChanged && change.after.subnet().switchOfLid(lid) == Fabric.NONE) {
            removals.add(write);
        }
        if (has(transition.droppedLids(sw), lid)) {
            first.add(() -> lfts[sw][lid] = NO_PATH);
            last.add(write);
        } else if (has(transition.earlyLids(sw), lid)) {
            first.add(write);
        } else if (isChanged) {
            (has(transition.lateLids(sw), lid) ? last : rest).add(write);
        }
    }

    private Runnable rowWrite(int sw, int row) {
        return () -> rows[sw][row] = newRows[sw][row];
    }

    private static boolean has(int[] lids, int lid) {
        return Arrays.binarySearch(lids, lid) >= 0;
    }
}
