package io.torussm.torus2qos;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.CableReport;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * The changes from one torus to the next, position by position (x innermost) and then port by port. OpenSM's
 * torus-2QoS, the reference, reports such changes too. This report differs in order to have fewer lines:
 *
 * <ul>
 * <li>A cable is one line, at the end that comes first, not one for each end.
 * <li>The cables of a lost or new switch have no lines; the line of the switch covers them.
 * <li>A cable leads to a position, not to a GUID: a replaced switch with the same cables is one line. A cable
 *     that was moved to another port of the same neighbour is reported; the reference compares nodes only.
 * <li>The ports of a switch at another position, as after a move of the dateline, are compared with its own
 *     previous ports.
 * <li>There are at most {@code max_changes} lines, counted by line and not by switch. One more line gives the
 *     number of the omitted changes.
 * <li>The cable of a new host is left out, since TSM-4008 reports the host with it.
 * <li>Only an accepted torus is compared with the published torus. So a refused torus is not reported a second
 *     time.
 * </ul>
 *
 * An addition is INFO; a loss is a WARNING.
 */
final class TorusChanges {
    private final Torus oldTorus;
    private final Torus newTorus;
    private final Fabric oldFabric;
    private final Fabric newFabric;
    private final int maxLines;

    /** Ports of the old fabric, by index, whose cable was already reported. */
    private final BitSet oldReported = new BitSet();

    /** Ports of the new fabric, by index, whose cable was already reported. */
    private final BitSet newReported = new BitSet();

    private final List<Finding> findings = new ArrayList<>();
    /** Number of changes beyond {@code maxLines}. */
    private int omittedChanges;

    private TorusChanges(Torus previous, Torus after, int maxLines) {
        this.oldTorus = previous;
        this.newTorus = after;
        this.oldFabric = previous.fabric();
        this.newFabric = after.fabric();
        this.maxLines = maxLines;
    }

    /**
     * Returns the findings about the changes.
     *
     * @param maxLines limit of lines, at least 0; one more line gives the number of omitted changes
     */
    static List<Finding> between(Torus previous, Torus after, int maxLines) {
        TorusChanges changes = new TorusChanges(previous, after, maxLines);
        changes.compareSizes();
        changes.forEachPosition(changes::markReported);
        changes.forEachPosition(changes::compareSwitches);
        return changes.findings();
    }

    private List<Finding> findings() {
        if (omittedChanges > 0) {
            findings.add(SmEvent.TORUS_CHANGED.finding("and " + omittedChanges
                    + " more changes in the torus; max_changes = " + maxLines + " in torus-2QoS.conf left them out"));
        }
        return List.copyOf(findings);
    }

    private void reportLoss(Supplier<?> text) {
        report(SmEvent.TORUS_CHANGED, text);
    }

    private void reportGain(Supplier<?> text) {
        report(SmEvent.TORUS_RESTORED, text);
    }

    private void report(SmEvent event, Supplier<?> text) {
        if (findings.size() < maxLines) {
            findings.add(event.finding(text.get()));
        } else {
            omittedChanges++;
        }
    }

    private void compareSizes() {
        String oldSizes = sizes(oldTorus);
        String newSizes = sizes(newTorus);
        if (!oldSizes.equals(newSizes)) {
            reportGain(() -> "the torus was " + oldSizes + " and is " + newSizes + " now");
        }
    }

    private static String sizes(Torus torus) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < Dim.COUNT; d++) {
            text.append(d == 0 ? "" : " x ").append(torus.radix(d)).append(torus.isMesh(d) ? "m" : "");
        }
        return text.toString();
    }

    /** An action for a position that exists in both sizes; a slot is -1 if there is no switch. */
    private interface PositionAction {
        void apply(int oldSlot, int newSlot);
    }

    private void forEachPosition(PositionAction place) {
        for (int position = 0; position < newTorus.positions(); position++) {
            int previousPosition = oldPosition(position);
            if (previousPosition >= 0) {
                place.apply(oldTorus.slotAt(previousPosition), newTorus.slotAt(position));
            }
        }
    }

    /**
     * Returns the position in the old torus with the same coordinates as a position in the new torus; -1 if the old
     * torus is too small.
     */
    private int oldPosition(int position) {
        int old = 0;
        for (int d = 0; d < Dim.COUNT; d++) {
            int coordinate = newTorus.coordinateAt(position, d);
            if (coordinate >= oldTorus.radix(d)) {
                return -1;
            }
            old = oldTorus.withCoordinate(old, d, coordinate);
        }
        return old;
    }

    /** Marks the cables of a lost or new switch as reported, because the line of the switch covers them. */
    private void markReported(int oldSlot, int newSlot) {
        if (oldSlot >= 0 && newSlot < 0) {
            markCables(oldFabric, oldTorus.switchOf(oldSlot), oldReported);
        } else if (oldSlot < 0 && newSlot >= 0) {
            markCables(newFabric, newTorus.switchOf(newSlot), newReported);
        }
    }

    private static void markCables(Fabric fabric, int sw, BitSet reported) {
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            mark(fabric, fabric.port(sw, portNum), reported);
        }
    }

    private static void mark(Fabric fabric, int port, BitSet reported) {
        int peer = fabric.peer(port);
        if (peer != Fabric.NONE) {
            reported.set(port);
            reported.set(peer);
        }
    }

    private void compareSwitches(int oldSlot, int newSlot) {
        if (oldSlot >= 0 && newSlot >= 0) {
            compareSwitch(oldSlot, newSlot);
            comparePorts(predecessor(oldSlot, newSlot), newTorus.switchOf(newSlot));
        } else if (oldSlot >= 0) {
            reportLoss(() -> DeviceText.of(
                    "switch ",
                    oldTorus.device(oldSlot),
                    " with " + cables(oldFabric, oldTorus.switchOf(oldSlot)) + " cables lost"
                            + currentPlaceText(oldSlot)));
        } else if (newSlot >= 0) {
            reportGain(() -> DeviceText.of(
                    "switch ",
                    newTorus.device(newSlot),
                    " with " + cables(newFabric, newTorus.switchOf(newSlot)) + " cables is new"));
        }
    }

    private static int cables(Fabric fabric, int sw) {
        int cables = 0;
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            cables += fabric.peer(fabric.port(sw, portNum)) == Fabric.NONE ? 0 : 1;
        }
        return cables;
    }

    /**
     * Returns the end of a line about a switch that left its position: where the switch is now; empty if it is
     * absent.
     */
    private String currentPlaceText(int oldSlot) {
        int node = newFabric.nodeByGuid(oldFabric.nodeGuid(oldTorus.switchOf(oldSlot)));
        if (node == Fabric.NONE || !newFabric.isSwitch(node)) {
            return "";
        }
        int slot = newTorus.slotOfSwitch(node);
        return slot < 0
                ? "; it is in the fabric, but not in the torus"
                : "; it is at " + newTorus.formatPosition(newTorus.positionOf(slot)) + " now";
    }

    private void compareSwitch(int oldSlot, int newSlot) {
        int oldSw = oldTorus.switchOf(oldSlot);
        int newSw = newTorus.switchOf(newSlot);
        if (oldFabric.nodeGuid(oldSw) != newFabric.nodeGuid(newSw)) {
            reportLoss(() -> DeviceText.of(
                    "switch ",
                    oldTorus.device(oldSlot),
                    " was replaced by " + newFabric.name(newSw) + currentPlaceText(oldSlot)));
        }
        if (oldFabric.numPorts(oldSw) != newFabric.numPorts(newSw)) {
            reportGain(() -> DeviceText.of(
                    "switch ",
                    newTorus.device(newSlot),
                    " had " + oldFabric.numPorts(oldSw) + " ports and has " + newFabric.numPorts(newSw) + " now"));
        }
    }

    /**
     * Returns the switch of the old fabric with which a new switch is compared: the same switch, at any position, or
     * else the switch that had this position.
     */
    private int predecessor(int oldSlot, int newSlot) {
        int node = oldFabric.nodeByGuid(newFabric.nodeGuid(newTorus.switchOf(newSlot)));
        return node != Fabric.NONE && slot(oldTorus, node) >= 0 ? node : oldTorus.switchOf(oldSlot);
    }

    private void comparePorts(int oldSw, int newSw) {
        int ports = Math.max(oldFabric.numPorts(oldSw), newFabric.numPorts(newSw));
        for (int portNum = 1; portNum <= ports; portNum++) {
            int oldPort = cabledPort(oldFabric, oldSw, portNum);
            int newPort = cabledPort(newFabric, newSw, portNum);
            if (oldPort != Fabric.NONE && newPort != Fabric.NONE && hasSamePeer(oldPort, newPort)) {
                mark(oldFabric, oldPort, oldReported);
                mark(newFabric, newPort, newReported);
            } else {
                compareCables(oldPort, newPort);
            }
        }
    }

    /** Returns the index of a port; {@link Fabric#NONE} if the port has no cable. */
    private static int cabledPort(Fabric fabric, int sw, int portNum) {
        if (portNum > fabric.numPorts(sw) || fabric.peer(fabric.port(sw, portNum)) == Fabric.NONE) {
            return Fabric.NONE;
        }
        return fabric.port(sw, portNum);
    }

    private boolean hasSamePeer(int oldPort, int newPort) {
        int oldPeer = oldFabric.peer(oldPort);
        int newPeer = newFabric.peer(newPort);
        int oldNode = oldFabric.nodeOf(oldPeer);
        int newNode = newFabric.nodeOf(newPeer);
        int oldSlot = slot(oldTorus, oldNode);
        int newSlot = slot(newTorus, newNode);
        boolean isSamePlace = oldSlot >= 0
                && newSlot >= 0
                && oldTorus.formatPosition(oldTorus.positionOf(oldSlot))
                        .equals(newTorus.formatPosition(newTorus.positionOf(newSlot)));
        return oldFabric.portNum(oldPeer) == newFabric.portNum(newPeer)
                && (isSamePlace || oldFabric.nodeGuid(oldNode) == newFabric.nodeGuid(newNode));
    }

    private static int slot(Torus torus, int node) {
        return torus.fabric().isSwitch(node) ? torus.slotOfSwitch(node) : -1;
    }

    private void compareCables(int oldPort, int newPort) {
        boolean isOld = oldPort != Fabric.NONE && !oldReported.get(oldPort);
        boolean isNew = newPort != Fabric.NONE && !newReported.get(newPort);
        if (isOld && isNew) {
            reportLoss(() -> DeviceText.of(
                    "link ",
                    newTorus.devicePort(newPort),
                    " leads to " + end(newTorus, newFabric.peer(newPort)) + " now, not to "
                            + end(oldTorus, oldFabric.peer(oldPort))));
        } else if (isOld) {
            reportLoss(() -> link(oldTorus, oldPort, " lost"));
        } else if (isNew && !isNewHost(newFabric.peer(newPort))) {
            reportGain(() -> link(newTorus, newPort, " is new"));
        }
        if (isOld) {
            mark(oldFabric, oldPort, oldReported);
        }
        if (isNew) {
            mark(newFabric, newPort, newReported);
        }
    }

    /**
     * Checks whether a port is an end port of a host that the old fabric did not have. TSM-4008 reports such a host
     * with its cable.
     */
    private boolean isNewHost(int port) {
        int node = newFabric.nodeOf(port);
        int oldNode = oldFabric.nodeByGuid(newFabric.nodeGuid(node));
        return !newFabric.isSwitch(node)
                && (oldNode == Fabric.NONE || !oldFabric.isEndport(oldFabric.port(oldNode, newFabric.portNum(port))));
    }

    /** Returns the text for a cable, from the end that leads in + direction, as in {@link CableReport}. */
    private static DeviceText link(Torus torus, int port, String label) {
        int peer = torus.fabric().peer(port);
        boolean isFront = torus.groupOf(port) == Dim.LOCAL || Dim.sign(torus.groupOf(port)) > 0;
        int front = isFront ? port : peer;
        return DeviceText.of("link ", torus.devicePort(front), " - " + end(torus, isFront ? peer : port) + label);
    }

    /** Returns the text for one end of a cable, with the coordinates if the device has some. */
    private static String end(Torus torus, int port) {
        Fabric fabric = torus.fabric();
        int slot = slot(torus, fabric.nodeOf(port));
        return (slot < 0 ? fabric.name(fabric.nodeOf(port)) : torus.name(slot)) + " port " + fabric.portNum(port);
    }
}
