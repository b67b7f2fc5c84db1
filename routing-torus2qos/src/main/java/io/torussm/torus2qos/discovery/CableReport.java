package io.torussm.torus2qos.discovery;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.conf.Dim;
import java.util.ArrayList;
import java.util.List;

/**
 * The report of cables that do not fit the torus. It names each missing link with the port that its cable leads
 * to instead, and each cable that fits no link. If a direction has no {@link PortPattern}, findings may name no
 * ports.
 */
public final class CableReport {
    private static final int UNKNOWN = -1;
    private final Torus torus;
    private final Fabric fabric;
    private final PortPattern pattern;

    private final List<DeviceText> misplacedCables = new ArrayList<>();
    private final List<DeviceText> missingLinks = new ArrayList<>();
    private final List<DeviceText> strayCables = new ArrayList<>();

    /** By port index: true if a finding already names the cable. */
    private final boolean[] isReported;

    /** Creates the report on the cables of a torus. */
    public CableReport(Torus torus) {
        this.torus = torus;
        this.fabric = torus.fabric();
        this.pattern = new PortPattern(torus);
        isReported = new boolean[fabric.portCount()];
        for (int position = 0; position < torus.positions(); position++) {
            // Odd groups lead in + direction, so each cable is expected once.
            for (int plus = 1; plus < Dim.LOCAL; plus += 2) {
                if (torus.hasNeighbour(position, plus)) {
                    checkExpectedCables(position, plus);
                }
            }
        }
        listStrays();
    }

    /**
     * Returns the findings, at most {@link TorusCheck#MAX_LISTED} of each kind and one more with the number of the
     * omitted ones.
     *
     * @param kind event of the findings, such as {@link SmEvent#TORUS_DEGRADED}
     */
    public List<Finding> findings(SmEvent kind) {
        List<Finding> findings = new ArrayList<>();
        UnplacedSwitches.list(findings, misplacedCables, kind, "cables that go to the wrong place");
        UnplacedSwitches.list(findings, missingLinks, kind, "cables that are missing or down");
        UnplacedSwitches.list(findings, strayCables, kind, "cables that fit nowhere");
        return findings;
    }

    /**
     * Adds a finding for each expected cable that is missing or misplaced, from a position in a + direction.
     *
     * @param plus group of the direction
     */
    private void checkExpectedCables(int position, int plus) {
        int d = Dim.dimension(plus);
        int next = torus.withCoordinate(position, d, torus.coordinateAt(position, d) + 1);
        int slot = torus.slotAt(position);
        int nextSlot = torus.slotAt(next);
        if ((slot < 0 && nextSlot < 0) || (slot >= 0 && torus.group(slot, plus).length > 0)) {
            return;
        }
        for (int i = 0; i < Math.max(1, pattern.ports(plus).length); i++) {
            CableEnd near = new CableEnd(slot, position, expectedPort(slot, plus, i));
            CableEnd far = new CableEnd(nextSlot, next, expectedPort(nextSlot, plus ^ 1, i));
            if (!reportMisplaced(near, far) && !reportMisplaced(far, near) && slot >= 0 && nextSlot >= 0) {
                missingLinks.add(DeviceText.of(
                        "the cable from ",
                        text(near),
                        " in " + Dim.groupName(plus) + " to ",
                        text(far),
                        pattern.isUpWithoutPeer(slot, plus) || pattern.isUpWithoutPeer(nextSlot, plus ^ 1)
                                ? " is up, but is drained, or an end of it does not answer or is left out"
                                : " is missing or down"));
            }
        }
    }

    /**
     * An end of an expected cable.
     *
     * @param slot slot of its switch, -1 if the switch is missing
     * @param position position of the switch
     * @param portNum port number; {@link #UNKNOWN} if neither a pattern nor a stray cable gives it
     */
    private record CableEnd(int slot, int position, int portNum) {}

    /**
     * Returns the port number of an expected cable: by the pattern, else the port with a stray cable if exactly one
     * port has one, else {@link #UNKNOWN}.
     *
     * @param index number of the cable among the parallel cables of the group, from 0
     */
    private int expectedPort(int slot, int group, int index) {
        if (index < pattern.ports(group).length) {
            return pattern.ports(group)[index];
        }
        if (slot < 0) {
            return UNKNOWN;
        }
        int strayPort = UNKNOWN;
        for (int portNum = 1; portNum <= fabric.numPorts(torus.switchOf(slot)); portNum++) {
            if (isStray(fabric.port(torus.switchOf(slot), portNum))) {
                if (strayPort != UNKNOWN) {
                    return UNKNOWN;
                }
                strayPort = portNum;
            }
        }
        return strayPort;
    }

    /**
     * Reports a stray cable at the expected port of {@code near}, which leads elsewhere than {@code far}. Returns
     * false if the port has no such cable.
     */
    private boolean reportMisplaced(CableEnd near, CableEnd far) {
        if (near.slot < 0 || near.portNum == UNKNOWN || near.portNum > fabric.numPorts(torus.switchOf(near.slot))) {
            return false;
        }
        int port = fabric.port(torus.switchOf(near.slot), near.portNum);
        if (!isStray(port) || isReported[port]) {
            return false;
        }
        int peer = fabric.peer(port);
        isReported[port] = true;
        isReported[peer] = true;
        misplacedCables.add(DeviceText.of(
                "this cable should go from ", text(near), " to ", text(far), ", but goes to " + torus.end(peer)));
        return true;
    }

    private DeviceText text(CableEnd end) {
        if (end.slot < 0) {
            String place = torus.formatPosition(end.position);
            return new DeviceText(place + ", where the switch is missing", List.of(EventField.COORDINATES.of(place)));
        }
        DeviceText device = torus.device(end.slot);
        return end.portNum == UNKNOWN
                ? device
                : device.withText(device + " port " + end.portNum).with(EventField.PORT.of(end.portNum));
    }

    /** Checks whether a port has a cable to a switch that is no link of the torus. */
    private boolean isStray(int port) {
        return FabricFilter.isSwitchLink(fabric, port) && torus.portClass(port) == Dim.LOCAL_CLASS;
    }

    private void listStrays() {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (isStray(port) && port < fabric.peer(port) && !isReported[port]) {
                strayCables.add(DeviceText.of(
                        "the cable from ",
                        torus.devicePort(port),
                        " to " + torus.end(fabric.peer(port)) + " " + strayReason(port)
                                + "; it is not part of the torus and carries no routed traffic, remove it or "
                                + "correct the cabling"));
            }
        }
    }

    private String strayReason(int port) {
        int a = torus.slotOfSwitch(fabric.nodeOf(port));
        int b = torus.slotOfSwitch(fabric.nodeOf(fabric.peer(port)));
        if (a < 0 || b < 0) {
            return "leads to a switch without a place";
        } else if (a == b) {
            return "joins a switch to itself";
        }
        for (int group = 0; group < Dim.LOCAL; group++) {
            if (torus.neighbour(a, group) == b) {
                return "is one more than portgroup_max_ports allows between neighbours";
            }
        }
        return "joins switches that are no neighbours";
    }
}
