package io.torussm.quarantine;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Drains;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The switch ports that carry data to a device outside of the subnet. Such a device does not respond although its data
 * plane works, or is excluded, or duplicates the GUID of another device. Its forwarding tables are outdated, so the
 * near port must be taken down: immediately if the device is excluded, otherwise from the second whole sweep on that
 * finds the port, because a response may get lost. Ports of hosts are never taken down, so the SM keeps its own link.
 * A link to a host that was up since the host was known stays up, unless the switch port is drained: a host forwards
 * no packets, and would lose its memberships. Owner thread: the loop.
 */
public final class DeadEnds {
    private static final EventLog EVENTS = EventLog.of(DeadEnds.class);

    private final Quarantine quarantine;

    /** The dead ends of the last whole sweep. */
    private Set<Part> lastDeadEnds = new HashSet<>();

    /** Switch ports that led to a host, and whose links were not down since. */
    private final Set<Part> hostPorts = new HashSet<>();

    /** The names of ports that are held down. */
    private final Map<Part, DeviceText> heldDown = new LinkedHashMap<>();

    private boolean isConfirmationDue;

    /**
     * Creates an instance without ports that were taken down.
     *
     * @param quarantine the source of drains
     */
    public DeadEnds(Quarantine quarantine) {
        this.quarantine = quarantine;
    }

    /**
     * Returns the indexes of the ports to take down.
     *
     * @param fabric fabric without excluded parts
     * @param borders indexes of ports that lead to an excluded part
     * @param isWhole whether the whole fabric was read
     */
    public BitSet portsToDisable(Fabric fabric, BitSet borders, boolean isWhole) {
        Set<Part> current = new HashSet<>();
        BitSet due = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            Part part = part(fabric, port);
            if (isDeadEnd(fabric, port) && (!hostPorts.contains(part) || quarantine.drainOf(part) != null)) {
                current.add(part);
                due.set(port, borders.get(port) || lastDeadEnds.contains(part));
            }
        }
        isConfirmationDue = isWhole && current.size() > due.cardinality();
        if (isWhole) {
            lastDeadEnds = current;
        }
        reportEnds(fabric);
        return due;
    }

    /**
     * Records the ports that lead to hosts. Called after every sweep, because a link may lead to another device later.
     */
    public void updateHostPorts(Fabric fabric) {
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far))) {
                hostPorts.add(part(fabric, port));
            } else if (!isDeadEnd(fabric, port)) {
                hostPorts.remove(part(fabric, port));
            }
        }
    }

    /** Checks whether a switch port is past INITIALIZE without a known device at its far end. */
    private static boolean isDeadEnd(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        return fabric.isSwitch(fabric.nodeOf(port))
                && fabric.portNum(port) > 0
                && fabric.peer(port) == Fabric.NONE
                && info != null
                && info.isLinkUp()
                && info.isArmedOrActive();
    }

    private static Part part(Fabric fabric, int port) {
        return new Part(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    /** Checks whether another whole sweep must confirm a dead end. */
    public boolean isConfirmationDue() {
        return isConfirmationDue;
    }

    /**
     * Reports ports that were taken down.
     *
     * @param ports port indexes
     */
    public void reportDown(Fabric fabric, BitSet ports) {
        ports.stream().forEach(port -> {
            Part part = part(fabric, port);
            DeviceText name = fabric.devicePort(port);
            Drains.Drain drain = quarantine.drainOf(part);
            if (heldDown.put(part, name) != null) {
                return;
            }
            if (drain == null) {
                EVENTS.report(SmEvent.LINK_HELD_DOWN, EventField.NAME.of(name));
            } else {
                EVENTS.report(
                        SmEvent.LINK_HELD_DOWN_BY_DRAIN,
                        EventField.NAME.of(name),
                        EventField.TEXT.of(drain.name() + ", since " + drain.since()));
            }
        });
    }

    /**
     * Reports the end of the condition "held down" of ports: the device is part of the subnet again, or is absent, or
     * the port's own switch is absent.
     */
    private void reportEnds(Fabric fabric) {
        heldDown.entrySet().removeIf(entry -> {
            int node = fabric.nodeByGuid(entry.getKey().nodeGuid());
            int portNum = entry.getKey().portNum();
            boolean isThere = node != Fabric.NONE && portNum <= fabric.numPorts(node);
            PortInfo info = isThere ? fabric.portInfo(fabric.port(node, portNum)) : null;
            boolean isOver = info == null || !info.isLinkUp() || fabric.peer(fabric.port(node, portNum)) != Fabric.NONE;
            if (isOver) {
                EVENTS.report(SmEvent.LINK_NOT_HELD_DOWN, EventField.NAME.of(entry.getValue()));
            }
            return isOver;
        });
    }

    /** Removes the whole state, because another SM is master and controls the links. */
    public void forget() {
        lastDeadEnds = new HashSet<>();
        hostPorts.clear();
        heldDown.values().forEach(name -> EVENTS.report(SmEvent.LINK_NOT_HELD_DOWN, EventField.NAME.of(name)));
        heldDown.clear();
    }
}
