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

/** The tables of all switches while they are changed from one plan to the next. */
final class Writing {
    private static final int VL_CODE = 4;

    final Change change;

    /** The plan that gives packets their SLs. */
    final Plan packets;

    final byte[][] lfts;
    final byte[][] newLfts;
    final long[][] rows;
    final long[][] newRows;

    /** Writes for LIDs that are no longer in use, which may come last. */
    final Set<Runnable> removals = new LinkedHashSet<>();

    /** Pairs that both plans route by the same entries and rows, as {@code switch << 16 | LID}. */
    final List<Integer> steady = new ArrayList<>();

    Writing(Change change, Plan packets) {
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
            byte[] now = change.lft(sw);
            newLfts[sw] = padded(change.after.lft(sw), lids);
            lfts[sw] = now == null ? newLfts[sw].clone() : padded(now, lids);
            int ports = fabric.numPorts(sw) + 1;
            rows[sw] = new long[ports * ports];
            newRows[sw] = new long[ports * ports];
            for (int i = 0; i < ports * ports; i++) {
                rows[sw][i] = LinkSettings.foldRow(change.sl2vl(sw, i / ports, i % ports), VL_CODE);
                newRows[sw][i] = LinkSettings.foldRow(change.after.sl2vl(sw, i / ports, i % ports), VL_CODE);
            }
        }
        for (int sw = 0; sw < lfts.length; sw++) {
            for (int lid = 1; lid < lids; lid++) {
                if (isSteady(sw, lid)) {
                    steady.add(sw << 16 | lid);
                }
            }
        }
    }

    private static byte[] padded(byte[] lft, int length) {
        byte[] all = Arrays.copyOf(lft, length);
        Arrays.fill(all, Math.min(length, lft.length), length, (byte) 0xff);
        return all;
    }

    private boolean isSteady(int from, int lid) {
        int to = change.after.subnet().switchOfLid(lid);
        int sw = from;
        for (int hops = 0; sw != to; hops++) {
            int out = newLfts[sw][lid] & 0xff;
            if (to == Fabric.NONE || hops == lfts.length || out == 0xff || lfts[sw][lid] != newLfts[sw][lid]) {
                return false;
            }
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

    private boolean arrives(byte[][] tables, int from, int lid) {
        int to = change.after.subnet().switchOfLid(lid);
        int sw = from;
        for (int hops = 0; sw != to && hops < tables.length; hops++) {
            int out = tables[sw][lid] & 0xff;
            int port = out == 0xff ? Fabric.NONE : change.fabric.port(sw, out);
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
        for (int pair : steady) {
            assertThat(moment.follow(pair >> 16, pair & 0xffff, 0)).as(when).isTrue();
        }
    }

    /** Returns the steps; the writes of a step may be done in any order. */
    List<List<Runnable>> steps() {
        List<Runnable> first = new ArrayList<>();
        List<Runnable> rest = new ArrayList<>();
        List<Runnable> last = new ArrayList<>();
        Transition transition = change.transition;
        for (int each = 0; each < lfts.length; each++) {
            int sw = each;
            for (int i = 1; i < lfts[sw].length; i++) {
                int lid = i;
                Runnable write = () -> lfts[sw][lid] = newLfts[sw][lid];
                if (transition.isVanishedLast()
                        && lfts[sw][lid] != newLfts[sw][lid]
                        && change.after.subnet().switchOfLid(lid) == Fabric.NONE) {
                    removals.add(write);
                }
                if (has(transition.droppedLids(sw), lid)) {
                    first.add(() -> lfts[sw][lid] = (byte) 0xff);
                    last.add(write);
                } else if (has(transition.earlyLids(sw), lid)) {
                    first.add(write);
                } else if (lfts[sw][lid] != newLfts[sw][lid]) {
                    (has(transition.lateLids(sw), lid) ? last : rest).add(write);
                }
            }
            for (int i = 0; i < rows[sw].length; i++) {
                int slot = i;
                if (rows[sw][slot] != newRows[sw][slot]) {
                    rest.add(() -> rows[sw][slot] = newRows[sw][slot]);
                }
            }
        }
        return List.of(first, rest, last);
    }

    private static boolean has(int[] lids, int lid) {
        return Arrays.binarySearch(lids, lid) >= 0;
    }
}
