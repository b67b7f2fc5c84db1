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

    final Channels oldChannels;
    final Channels newChannels;

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

    private SameChannels(Channels oldChannels, Channels newChannels) {
        this.oldChannels = oldChannels;
        this.newChannels = newChannels;
        newSwitch = new int[oldChannels.switchCount];
        oldSwitch = new int[newChannels.switchCount];
        newLink = new int[oldChannels.linkTo.length];
        newClass = new int[oldChannels.firstClass[oldChannels.switchCount]];
        newOut = new int[oldChannels.outPort.length];
        keptOuts = new boolean[newChannels.switchCount];
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
    static @Nullable SameChannels of(Channels oldChannels, Channels newChannels, int tasks) {
        SameChannels same = new SameChannels(oldChannels, newChannels);
        if (SwitchRanges.each(newChannels.switchCount, tasks, same::matchPortsOf)
                .contains(false)) {
            return null;
        }
        for (int sw = 0; sw < newChannels.switchCount; sw++) {
            boolean isKept = same.keptOuts[sw];
            for (int link = newChannels.firstLink[sw]; link < newChannels.firstLink[sw + 1]; link++) {
                isKept &= same.keptOuts[newChannels.linkTo[link]];
            }
            same.keptShape.set(sw, isKept);
        }
        return same;
    }

    /** Matches switches by GUID. They ascend by GUID in both plans. */
    private void matchSwitches() {
        for (int old = 0, now = 0; old < oldChannels.switchCount && now < newChannels.switchCount; ) {
            int order = Long.compareUnsigned(oldChannels.fabric.nodeGuid(old), newChannels.fabric.nodeGuid(now));
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
        int ports = oldChannels.firstPort[old + 1] - oldChannels.firstPort[old];
        if (ports != newChannels.firstPort[now + 1] - newChannels.firstPort[now]
                || oldChannels.isAnyVl(old) != newChannels.isAnyVl(now)) {
            return false;
        }
        int kept = 0;
        for (int out = oldChannels.firstOut[old]; out < oldChannels.firstOut[old + 1]; out++) {
            int oldPort = oldChannels.outPort[out];
            int newPort = newChannels.firstPort[now] + oldPort - oldChannels.firstPort[old];
            if (isSamePort(old, oldPort, now, newPort)) {
                kept++;
                newOut[out] = newChannels.outOfPort[newPort];
                if (out - oldChannels.firstOut[old] < oldChannels.degree(old)) {
                    newLink[oldChannels.firstLink[old] + out - oldChannels.firstOut[old]] =
                            newChannels.firstLink[now] + newOut[out];
                }
                int before = newClass[oldChannels.classOfPort[oldPort]];
                newClass[oldChannels.classOfPort[oldPort]] = newChannels.classOfPort[newPort];
                if (before != NONE && before != newChannels.classOfPort[newPort]) {
                    return false;
                }
            }
        }
        boolean isKept = kept == oldChannels.firstOut[old + 1] - oldChannels.firstOut[old]
                && kept == newChannels.firstOut[now + 1] - newChannels.firstOut[now]
                && areClassesKept(old, now);
        keptOuts[now] = isKept;
        boolean haveSameRows = isKept ? oldChannels.hasRowsOf(old, newChannels, now) : haveSameRows(old, now);
        return haveSameRows && haveSameSources(old, now);
    }

    /**
     * Checks whether, in both plans, a port has a link to the same port of the same switch, or to an end
     * port.
     */
    private boolean isSamePort(int old, int oldPort, int now, int newPort) {
        int oldOut = oldChannels.outOfPort[oldPort];
        int newOut = newChannels.outOfPort[newPort];
        if (oldOut == NONE || newOut == NONE) {
            return false;
        }
        boolean isLink = oldOut < oldChannels.degree(old);
        if (isLink != newOut < newChannels.degree(now)) {
            return false;
        }
        int oldPeer = oldChannels.fabric.peer(oldPort);
        int newPeer = newChannels.fabric.peer(newPort);
        return !isLink
                || (newSwitch[oldChannels.fabric.nodeOf(oldPeer)] == newChannels.fabric.nodeOf(newPeer)
                        && oldChannels.fabric.portNum(oldPeer) == newChannels.fabric.portNum(newPeer));
    }

    private boolean areClassesKept(int old, int now) {
        int count = oldChannels.firstClass[old + 1] - oldChannels.firstClass[old];
        boolean areKept = count == newChannels.firstClass[now + 1] - newChannels.firstClass[now];
        for (int i = 0; i < count; i++) {
            areKept &= newClass[oldChannels.firstClass[old] + i] == newChannels.firstClass[now] + i;
        }
        return areKept;
    }

    private boolean haveSameRows(int old, int now) {
        for (int out = 0; out < oldChannels.firstOut[old + 1] - oldChannels.firstOut[old]; out++) {
            int mine = newOut[oldChannels.firstOut[old] + out];
            for (int ingress = oldChannels.firstClass[old];
                    mine != NONE && ingress < oldChannels.firstClass[old + 1];
                    ingress++) {
                if (newClass[ingress] != NONE
                        && !oldChannels.hasRowOf(old, ingress, out, newChannels, now, newClass[ingress], mine)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean haveSameSources(int old, int now) {
        int[] mine = newChannels.localClasses[now];
        int count = 0;
        for (int ingress : mine) {
            for (int before : oldChannels.localClasses[old]) {
                if (newClass[before] == ingress) {
                    count++;
                    break;
                }
            }
        }
        for (int before : oldChannels.localClasses[old]) {
            if (newClass[before] == NONE) {
                return false;
            }
        }
        return count == mine.length && (count > 0 || oldChannels.localClasses[old].length == 0);
    }

    /**
     * Checks whether packets have unchanged SLs, from every switch to every destination in both plans. If the
     * entry of a switch changed they may differ, since both of its paths are walked.
     */
    boolean haveSameSls() {
        PathSls previous = oldChannels.plan.sls();
        PathSls current = newChannels.plan.sls();
        if (areSameWhereRouted(previous, current)) {
            return true;
        }
        boolean isBySwitch = previous.isBySwitch();
        if (isBySwitch != current.isBySwitch() || (!isBySwitch && gainsSwitches())) {
            return false;
        }
        if (current.isSameAs(previous)) {
            return true;
        }
        int[] lids = IntStream.rangeClosed(1, newChannels.subnet.topLid())
                .filter(this::isSameDestination)
                .toArray();
        if ((long) lids.length * newChannels.switchCount > MOST_COMPARED) {
            return false;
        }
        for (int sw = 0; sw < newChannels.switchCount; sw++) {
            if (oldSwitch[sw] != NONE && newChannels.localClasses[sw].length > 0) {
                for (int lid : lids) {
                    if (previous.mask(oldSwitch[sw], lid) != current.mask(sw, lid)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean areSameWhereRouted(PathSls previous, PathSls current) {
        PathSls oldSls = previous.ofRoutes(DeadlockChecker.tables(oldChannels));
        PathSls routed = oldSls == null ? null : current.ofRoutes(DeadlockChecker.tables(newChannels));
        return oldSls != null && routed != null && routed.isBySwitch() && routed.isSameAs(oldSls);
    }

    private boolean gainsSwitches() {
        return Arrays.stream(oldSwitch).anyMatch(old -> old == NONE);
    }

    /** Checks whether an entry of a switch in both plans has the same link, or no link, in both. */
    boolean leadsAlike(int old, int now, int entry) {
        int link = oldChannels.link(old, entry);
        return link == NONE ? newChannels.link(now, entry) == NONE : newLink[link] != NONE;
    }

    /** Checks whether equal entries of a switch mean equal links in both plans. */
    boolean hasKeptOuts(int now) {
        return keptOuts[now];
    }

    /** Checks whether a LID belongs to an end port at the same port of the same switch in both plans. */
    boolean isSameDestination(int lid) {
        int old = oldChannels.subnet.switchOfLid(lid);
        int now = newChannels.subnet.switchOfLid(lid);
        return old != NONE
                && now != NONE
                && newSwitch[old] == now
                && oldChannels.subnet.deliveryPort(lid) == newChannels.subnet.deliveryPort(lid);
    }

    /**
     * Returns the old traffic on links that still exist. Sets of switches around which nothing changed are
     * shared with the old record, and must be copied before they are written.
     */
    SlUsage kept(SlUsage previous) {
        SlUsage keptUsage = new SlUsage(
                newChannels, (sw, size) -> keptShape.get(sw) ? previous.seen[oldSwitch[sw]] : new char[size]);
        for (int old = 0; old < oldChannels.switchCount; old++) {
            int sw = newSwitch[old];
            if (sw != NONE && !keptShape.get(sw)) {
                int at = old;
                char[] mine = keptUsage.seen[sw];
                previous.forEachSet(old, (ingress, out, slot, sls) -> {
                    int index = indexNow(previous, keptUsage, at, ingress, out, slot);
                    if (index != NONE) {
                        mine[index] |= sls;
                    }
                });
            }
        }
        return keptUsage;
    }

    /**
     * Returns the index of a set of SLs in the new shape; NONE if its switch, class, out or next link was
     * removed.
     */
    int indexNow(SlUsage previous, SlUsage current, int old, int ingress, int out, int slot) {
        int sw = newSwitch[old];
        if (sw == NONE || newClass[ingress] == NONE) {
            return NONE;
        }
        int mine = newOut[oldChannels.firstOut[old] + out];
        if (mine == NONE) {
            return NONE;
        }
        int global = newChannels.firstOut[sw] + mine;
        int newSlot = current.slots[global] - 1;
        if (slot < previous.slots[oldChannels.firstOut[old] + out] - 1) {
            int to = oldChannels.linkTo[oldChannels.firstLink[old] + out];
            int next = newLink[oldChannels.firstLink[to] + slot];
            if (next == NONE) {
                return NONE;
            }
            newSlot = next - newChannels.firstLink[newChannels.linkTo[newChannels.firstLink[sw] + mine]];
        }
        return current.offset[global]
                + (newClass[ingress] - newChannels.firstClass[sw]) * current.slots[global]
                + newSlot;
    }
}
