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
 * The mapping between the channels of two plans, whose numbers differ because cables or switches were added or removed
 * in between. Switches match by GUID, ports by number, and links if both ends match. "Old" and "new" denote indexes of
 * the two plans. Immutable.
 */
final class SameChannels {
    private static final int NONE = Fabric.NONE;

    /** Upper limit of pairs of a switch and a LID whose SLs are compared one by one. */
    private static final long MAX_COMPARED_PAIRS = 1 << 22;

    final Channels oldChannels;
    final Channels newChannels;

    /** [new switch] old index of the switch; NONE if the switch was added. */
    final int[] oldSwitch;

    /** [old switch] new index of the switch; NONE if the switch was removed. */
    final int[] newSwitch;

    /** [old link] new link; NONE if the link was removed. */
    final int[] newLink;

    /** [old ingress class] new ingress class, both over all switches; NONE if no port of the class has a match. */
    final int[] newClass;

    /**
     * New indexes of switches whose outs and ingress classes are unchanged and in the same order, as are those of all
     * their neighbours. Sets of SLs of such a switch have the same index in both plans.
     */
    final BitSet keptShape = new BitSet();

    /** [old out, over all switches] matching new out, numbered within its switch; NONE without a match. */
    private final int[] newOut;

    /** [new switch] whether its own outs and ingress classes are unchanged and in the same order. */
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
     * @param tasks number of parallel parts, at least 1
     * @return null if packets that use the same ports may get different VLs in the two plans, or if matching ports are
     *     divided into other ingress classes
     */
    static @Nullable SameChannels of(Channels oldChannels, Channels newChannels, int tasks) {
        SameChannels same = new SameChannels(oldChannels, newChannels);
        if (SwitchRanges.collect(newChannels.switchCount, tasks, same::matchPortsOf)
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
        for (int old = 0, newSw = 0; old < oldChannels.switchCount && newSw < newChannels.switchCount; ) {
            int order = Long.compareUnsigned(oldChannels.fabric.nodeGuid(old), newChannels.fabric.nodeGuid(newSw));
            if (order == 0) {
                newSwitch[old] = newSw;
                oldSwitch[newSw] = old;
            }
            old += order <= 0 ? 1 : 0;
            newSw += order >= 0 ? 1 : 0;
        }
    }

    /** Matches the ports of some switches. Returns false if the plans cannot be compared. */
    private boolean matchPortsOf(int from, int to) {
        boolean areSame = true;
        for (int sw = from; sw < to && areSame; sw++) {
            areSame = oldSwitch[sw] == NONE || matchPorts(oldSwitch[sw], sw);
        }
        return areSame;
    }

    /** Matches the ports of a switch of both plans. Returns false if the plans cannot be compared. */
    private boolean matchPorts(int old, int sw) {
        int ports = oldChannels.firstPort[old + 1] - oldChannels.firstPort[old];
        if (ports != newChannels.firstPort[sw + 1] - newChannels.firstPort[sw]
                || oldChannels.isAnyVl(old) != newChannels.isAnyVl(sw)) {
            return false;
        }
        int kept = 0;
        for (int out = oldChannels.firstOut[old]; out < oldChannels.firstOut[old + 1]; out++) {
            int oldPort = oldChannels.outPort[out];
            int newPort = newChannels.firstPort[sw] + oldPort - oldChannels.firstPort[old];
            if (isSamePort(old, oldPort, sw, newPort)) {
                kept++;
                newOut[out] = newChannels.outOfPort[newPort];
                if (out - oldChannels.firstOut[old] < oldChannels.degree(old)) {
                    newLink[oldChannels.firstLink[old] + out - oldChannels.firstOut[old]] =
                            newChannels.firstLink[sw] + newOut[out];
                }
                int previousMatch = newClass[oldChannels.classOfPort[oldPort]];
                newClass[oldChannels.classOfPort[oldPort]] = newChannels.classOfPort[newPort];
                if (previousMatch != NONE && previousMatch != newChannels.classOfPort[newPort]) {
                    return false;
                }
            }
        }
        boolean isKept = kept == oldChannels.firstOut[old + 1] - oldChannels.firstOut[old]
                && kept == newChannels.firstOut[sw + 1] - newChannels.firstOut[sw]
                && areClassesKept(old, sw);
        keptOuts[sw] = isKept;
        boolean haveSameRows = isKept ? oldChannels.hasRowsOf(old, newChannels, sw) : haveSameRows(old, sw);
        return haveSameRows && haveSameSources(old, sw);
    }

    /**
     * Checks whether, in both plans, a port has a link to the same port of the same switch, or to an end
     * port.
     */
    private boolean isSamePort(int old, int oldPort, int sw, int newPort) {
        int oldOut = oldChannels.outOfPort[oldPort];
        int newOut = newChannels.outOfPort[newPort];
        if (oldOut == NONE || newOut == NONE) {
            return false;
        }
        boolean isLink = oldOut < oldChannels.degree(old);
        if (isLink != newOut < newChannels.degree(sw)) {
            return false;
        }
        int oldPeer = oldChannels.fabric.peer(oldPort);
        int newPeer = newChannels.fabric.peer(newPort);
        return !isLink
                || (newSwitch[oldChannels.fabric.nodeOf(oldPeer)] == newChannels.fabric.nodeOf(newPeer)
                        && oldChannels.fabric.portNum(oldPeer) == newChannels.fabric.portNum(newPeer));
    }

    /** Checks whether the ingress classes of a switch are the same in both plans, in the same order. */
    private boolean areClassesKept(int old, int sw) {
        int count = oldChannels.firstClass[old + 1] - oldChannels.firstClass[old];
        boolean areKept = count == newChannels.firstClass[sw + 1] - newChannels.firstClass[sw];
        for (int i = 0; i < count; i++) {
            areKept &= newClass[oldChannels.firstClass[old] + i] == newChannels.firstClass[sw] + i;
        }
        return areKept;
    }

    /** Checks whether matching ingress classes and outs of a switch have the same SL2VL rows. */
    private boolean haveSameRows(int old, int sw) {
        for (int out = 0; out < oldChannels.firstOut[old + 1] - oldChannels.firstOut[old]; out++) {
            int matchingOut = newOut[oldChannels.firstOut[old] + out];
            for (int ingress = oldChannels.firstClass[old];
                    matchingOut != NONE && ingress < oldChannels.firstClass[old + 1];
                    ingress++) {
                if (newClass[ingress] != NONE
                        && !oldChannels.hasRowOf(old, ingress, out, newChannels, sw, newClass[ingress], matchingOut)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Checks whether the end ports of a switch inject through the same ingress classes in both plans. */
    private boolean haveSameSources(int old, int sw) {
        int[] newSources = newChannels.localClasses[sw];
        int count = 0;
        for (int ingress : newSources) {
            for (int oldIngress : oldChannels.localClasses[old]) {
                if (newClass[oldIngress] == ingress) {
                    count++;
                    break;
                }
            }
        }
        for (int oldIngress : oldChannels.localClasses[old]) {
            if (newClass[oldIngress] == NONE) {
                return false;
            }
        }
        return count == newSources.length && (count > 0 || oldChannels.localClasses[old].length == 0);
    }

    /**
     * Checks whether packets have unchanged SLs, from every switch to every destination in both plans. The SLs may
     * differ where the entry of a switch changed, because the old and the new path are both walked there.
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
        if ((long) lids.length * newChannels.switchCount > MAX_COMPARED_PAIRS) {
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

    /**
     * Checks whether the SLs of both plans are known to agree wherever tables have entries ({@link PathSls#ofRoutes}).
     */
    private boolean areSameWhereRouted(PathSls previous, PathSls current) {
        PathSls oldSls = previous.ofRoutes(DeadlockChecker.tables(oldChannels));
        PathSls newSls = oldSls == null ? null : current.ofRoutes(DeadlockChecker.tables(newChannels));
        return oldSls != null && newSls != null && newSls.isBySwitch() && newSls.isSameAs(oldSls);
    }

    /** Checks whether the new plan has a switch that the old plan lacks. */
    private boolean gainsSwitches() {
        return Arrays.stream(oldSwitch).anyMatch(old -> old == NONE);
    }

    /**
     * Checks whether an entry (egress port number) of a switch denotes the same link in both plans, or no link in both
     * plans.
     */
    boolean hasSameLink(int old, int sw, int entry) {
        int link = oldChannels.link(old, entry);
        return link == NONE ? newChannels.link(sw, entry) == NONE : newLink[link] != NONE;
    }

    /** Checks whether equal entries of a switch (new index) denote the same link in both plans. */
    boolean hasKeptOuts(int sw) {
        return keptOuts[sw];
    }

    /** Checks whether a LID belongs to an end port at the same port of the same switch in both plans. */
    boolean isSameDestination(int lid) {
        int old = oldChannels.subnet.switchOfLid(lid);
        int sw = newChannels.subnet.switchOfLid(lid);
        return old != NONE
                && sw != NONE
                && newSwitch[old] == sw
                && oldChannels.subnet.deliveryPort(lid) == newChannels.subnet.deliveryPort(lid);
    }

    /**
     * Returns the old traffic on links that still exist, in the indexes of the new plan. The sets of a switch in {@link
     * #keptShape} are the arrays of {@code previous}, so the caller copies them before a change.
     */
    SlUsage keptTraffic(SlUsage previous) {
        SlUsage keptUsage = new SlUsage(
                newChannels, (sw, size) -> keptShape.get(sw) ? previous.slSets[oldSwitch[sw]] : new char[size]);
        for (int old = 0; old < oldChannels.switchCount; old++) {
            int sw = newSwitch[old];
            if (sw != NONE && !keptShape.get(sw)) {
                int oldSw = old;
                char[] newSets = keptUsage.slSets[sw];
                previous.forEachSet(old, (ingress, out, slot, sls) -> {
                    int index = newIndex(previous, keptUsage, oldSw, ingress, out, slot);
                    if (index != NONE) {
                        newSets[index] |= sls;
                    }
                });
            }
        }
        return keptUsage;
    }

    /**
     * Returns the index of a set of SLs in the new traffic; NONE if its switch, class, out or next link was removed.
     *
     * @param old old index of the switch
     * @param ingress old ingress class, numbered over all switches
     * @param out old out, numbered within the switch
     * @param slot old slot as in {@link SlUsage}
     */
    int newIndex(SlUsage previous, SlUsage current, int old, int ingress, int out, int slot) {
        int sw = newSwitch[old];
        if (sw == NONE || newClass[ingress] == NONE) {
            return NONE;
        }
        int matchingOut = newOut[oldChannels.firstOut[old] + out];
        if (matchingOut == NONE) {
            return NONE;
        }
        int global = newChannels.firstOut[sw] + matchingOut;
        int newSlot = current.slots[global] - 1;
        if (slot < previous.slots[oldChannels.firstOut[old] + out] - 1) {
            int to = oldChannels.linkTo[oldChannels.firstLink[old] + out];
            int next = newLink[oldChannels.firstLink[to] + slot];
            if (next == NONE) {
                return NONE;
            }
            newSlot = next - newChannels.firstLink[newChannels.linkTo[newChannels.firstLink[sw] + matchingOut]];
        }
        return current.offset[global]
                + (newClass[ingress] - newChannels.firstClass[sw]) * current.slots[global]
                + newSlot;
    }
}
