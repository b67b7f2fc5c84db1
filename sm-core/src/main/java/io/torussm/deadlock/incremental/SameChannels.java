package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.SwitchRanges;
import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The mapping between the channels of two plans, whose numbers differ since cables or switches were added or
 * removed in between. Switches match by GUID, ports by number, and links if both of their ends match.
 * Immutable.
 */
final class SameChannels {
    private static final int NONE = Fabric.NONE;

    /** Upper limit of pairs of a switch and a LID whose SLs are compared one by one. */
    private static final long MOST_COMPARED = 1 << 22;

    final Channels was;
    final Channels is;

    /** By new index of a switch: its old index, and the reverse; NONE if it is not in the other plan. */
    final int[] oldSwitch;

    final int[] newSwitch;

    /** By old link, and by old ingress class: the new one; NONE if there is none. */
    final int[] newLink;

    final int[] newClass;

    /**
     * Switches (new index) whose outs and ingress classes, and those of all neighbours, are unchanged and in
     * the same order.
     */
    final BitSet keptShape = new BitSet();

    /** By old out: the matching new out, numbered within its switch; NONE if there is none. */
    private final int[] newOut;

    /** By new index of a switch: whether its own outs and classes are unchanged and in the same order. */
    private final boolean[] keptOuts;

    private SameChannels(Channels was, Channels is) {
        this.was = was;
        this.is = is;
        newSwitch = new int[was.switchCount];
        oldSwitch = new int[is.switchCount];
        newLink = new int[was.linkTo.length];
        newClass = new int[was.firstClass[was.switchCount]];
        newOut = new int[was.outPort.length];
        keptOuts = new boolean[is.switchCount];
        Arrays.fill(newSwitch, NONE);
        Arrays.fill(oldSwitch, NONE);
        Arrays.fill(newLink, NONE);
        Arrays.fill(newClass, NONE);
        Arrays.fill(newOut, NONE);
        matchSwitches();
    }

    /**
     * Compares the channels of two plans.
     *
     * @return null if packets that use the same ports may get other VLs than before, or enter by other
     *     classes
     */
    static @Nullable SameChannels of(Channels was, Channels is, int tasks) {
        SameChannels same = new SameChannels(was, is);
        if (SwitchRanges.each(is.switchCount, tasks, same::matchPortsOf).contains(false)) {
            return null;
        }
        for (int sw = 0; sw < is.switchCount; sw++) {
            boolean isKept = same.keptOuts[sw];
            for (int link = is.firstLink[sw]; link < is.firstLink[sw + 1]; link++) {
                isKept &= same.keptOuts[is.linkTo[link]];
            }
            same.keptShape.set(sw, isKept);
        }
        return same;
    }

    /** Matches switches by GUID. They ascend by GUID in both plans. */
    private void matchSwitches() {
        for (int old = 0, now = 0; old < was.switchCount && now < is.switchCount; ) {
            int order = Long.compareUnsigned(was.fabric.nodeGuid(old), is.fabric.nodeGuid(now));
            if (order == 0) {
                newSwitch[old] = now;
                oldSwitch[now] = old;
            }
            old += order <= 0 ? 1 : 0;
            now += order >= 0 ? 1 : 0;
        }
    }

    private boolean matchPortsOf(int from, int to) {
        boolean areSame = true;
        for (int sw = from; sw < to && areSame; sw++) {
            areSame = oldSwitch[sw] == NONE || matchPorts(oldSwitch[sw], sw);
        }
        return areSame;
    }

    private boolean matchPorts(int old, int now) {
        int ports = was.firstPort[old + 1] - was.firstPort[old];
        if (ports != is.firstPort[now + 1] - is.firstPort[now] || was.isAnyVl(old) != is.isAnyVl(now)) {
            return false;
        }
        int kept = 0;
        for (int out = was.firstOut[old]; out < was.firstOut[old + 1]; out++) {
            int oldPort = was.outPort[out];
            int newPort = is.firstPort[now] + oldPort - was.firstPort[old];
            if (isSamePort(old, oldPort, now, newPort)) {
                kept++;
                newOut[out] = is.outOfPort[newPort];
                if (out - was.firstOut[old] < was.degree(old)) {
                    newLink[was.firstLink[old] + out - was.firstOut[old]] = is.firstLink[now] + newOut[out];
                }
                int before = newClass[was.classOfPort[oldPort]];
                newClass[was.classOfPort[oldPort]] = is.classOfPort[newPort];
                if (before != NONE && before != is.classOfPort[newPort]) {
                    return false;
                }
            }
        }
        boolean isKept = kept == was.firstOut[old + 1] - was.firstOut[old]
                && kept == is.firstOut[now + 1] - is.firstOut[now]
                && areClassesKept(old, now);
        keptOuts[now] = isKept;
        boolean haveSameRows = isKept ? was.hasRowsOf(old, is, now) : haveSameRows(old, now);
        return haveSameRows && haveSameSources(old, now);
    }

    /**
     * Checks whether, in both plans, a port has a link to the same port of the same switch, or to an end
     * port.
     */
    private boolean isSamePort(int old, int oldPort, int now, int newPort) {
        int oldOut = was.outOfPort[oldPort];
        int newOut = is.outOfPort[newPort];
        if (oldOut == NONE || newOut == NONE) {
            return false;
        }
        boolean isLink = oldOut < was.degree(old);
        if (isLink != newOut < is.degree(now)) {
            return false;
        }
        int oldPeer = was.fabric.peer(oldPort);
        int newPeer = is.fabric.peer(newPort);
        return !isLink
                || newSwitch[was.fabric.nodeOf(oldPeer)] == is.fabric.nodeOf(newPeer)
                        && was.fabric.portNum(oldPeer) == is.fabric.portNum(newPeer);
    }

    private boolean areClassesKept(int old, int now) {
        int count = was.firstClass[old + 1] - was.firstClass[old];
        boolean areKept = count == is.firstClass[now + 1] - is.firstClass[now];
        for (int i = 0; i < count; i++) {
            areKept &= newClass[was.firstClass[old] + i] == is.firstClass[now] + i;
        }
        return areKept;
    }

    private boolean haveSameRows(int old, int now) {
        for (int out = 0; out < was.firstOut[old + 1] - was.firstOut[old]; out++) {
            int mine = newOut[was.firstOut[old] + out];
            for (int ingress = was.firstClass[old]; mine != NONE && ingress < was.firstClass[old + 1]; ingress++) {
                if (newClass[ingress] != NONE && !was.hasRowOf(old, ingress, out, is, now, newClass[ingress], mine)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean haveSameSources(int old, int now) {
        int[] mine = is.localClasses[now];
        int count = 0;
        for (int ingress : mine) {
            for (int before : was.localClasses[old]) {
                if (newClass[before] == ingress) {
                    count++;
                    break;
                }
            }
        }
        for (int before : was.localClasses[old]) {
            if (newClass[before] == NONE) {
                return false;
            }
        }
        return count == mine.length && (count > 0 || was.localClasses[old].length == 0);
    }

    /**
     * Checks whether packets have unchanged SLs, from every switch to every destination in both plans. If the
     * entry of a switch changed they may differ, since both of its paths are walked.
     */
    boolean haveSameSls() {
        PathSls before = was.plan.sls();
        PathSls now = is.plan.sls();
        if (areSameWhereRouted(before, now)) {
            return true;
        }
        boolean isBySwitch = before.isBySwitch();
        if (isBySwitch != now.isBySwitch() || !isBySwitch && gainsSwitches()) {
            return false;
        }
        if (now.isSameAs(before)) {
            return true;
        }
        int[] lids = IntStream.rangeClosed(1, is.subnet.topLid())
                .filter(this::isSameDestination)
                .toArray();
        if ((long) lids.length * is.switchCount > MOST_COMPARED) {
            return false;
        }
        for (int sw = 0; sw < is.switchCount; sw++) {
            if (oldSwitch[sw] != NONE && is.localClasses[sw].length > 0) {
                for (int lid : lids) {
                    if (before.mask(oldSwitch[sw], lid) != now.mask(sw, lid)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean areSameWhereRouted(PathSls before, PathSls now) {
        PathSls then = before.ofRoutes(DeadlockChecker.tables(was));
        PathSls routed = then == null ? null : now.ofRoutes(DeadlockChecker.tables(is));
        return then != null && routed != null && routed.isBySwitch() && routed.isSameAs(then);
    }

    private boolean gainsSwitches() {
        return Arrays.stream(oldSwitch).anyMatch(old -> old == NONE);
    }

    /** Checks whether an entry of a switch in both plans has the same link, or no link, in both. */
    boolean leadsAlike(int old, int now, int entry) {
        int link = was.link(old, entry);
        return link == NONE ? is.link(now, entry) == NONE : newLink[link] != NONE;
    }

    /** Checks whether equal entries of a switch mean equal links in both plans. */
    boolean hasKeptOuts(int now) {
        return keptOuts[now];
    }

    /** Checks whether a LID belongs to an end port at the same port of the same switch in both plans. */
    boolean isSameDestination(int lid) {
        int old = was.subnet.switchOfLid(lid);
        int now = is.subnet.switchOfLid(lid);
        return old != NONE
                && now != NONE
                && newSwitch[old] == now
                && was.subnet.deliveryPort(lid) == is.subnet.deliveryPort(lid);
    }

    /**
     * Returns the old traffic on links that still exist. Sets of switches around which nothing changed are
     * shared with the old record, and must be copied before they are written.
     */
    SlUsage kept(SlUsage before) {
        SlUsage kept = new SlUsage(is, (sw, size) -> keptShape.get(sw) ? before.seen[oldSwitch[sw]] : new char[size]);
        for (int old = 0; old < was.switchCount; old++) {
            int sw = newSwitch[old];
            if (sw != NONE && !keptShape.get(sw)) {
                int at = old;
                char[] mine = kept.seen[sw];
                before.forEachSet(old, (ingress, out, slot, sls) -> {
                    int index = indexNow(before, kept, at, ingress, out, slot);
                    if (index != NONE) {
                        mine[index] |= sls;
                    }
                });
            }
        }
        return kept;
    }

    /**
     * Returns the index of a set of SLs in the new shape; NONE if its switch, class, out or next link was
     * removed.
     */
    int indexNow(SlUsage before, SlUsage now, int old, int ingress, int out, int slot) {
        int sw = newSwitch[old];
        if (sw == NONE || newClass[ingress] == NONE) {
            return NONE;
        }
        int mine = newOut[was.firstOut[old] + out];
        if (mine == NONE) {
            return NONE;
        }
        int global = is.firstOut[sw] + mine;
        int newSlot = now.slots[global] - 1;
        if (slot < before.slots[was.firstOut[old] + out] - 1) {
            int to = was.linkTo[was.firstLink[old] + out];
            int next = newLink[was.firstLink[to] + slot];
            if (next == NONE) {
                return NONE;
            }
            newSlot = next - is.firstLink[is.linkTo[is.firstLink[sw] + mine]];
        }
        return now.offset[global] + (newClass[ingress] - is.firstClass[sw]) * now.slots[global] + newSlot;
    }
}
