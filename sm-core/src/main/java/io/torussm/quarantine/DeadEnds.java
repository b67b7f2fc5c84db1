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
 * The switch ports that carry data to a device outside of the subnet. Such a device is silent while its data
 * plane works, or it is excluded, or it duplicates the GUID of another. Its forwarding tables are outdated,
 * so the near port has to be taken down. This happens immediately if the device is excluded. Otherwise it
 * happens from the second whole sweep on that finds it, since an answer may get lost. Ports of hosts are
 * never taken down, so the SM keeps its own link. A link to a host that is up since the host was known stays up
 * unless the host is drained: it forwards nothing, and would lose its memberships. Owner thread: the loop.
 */
public final class DeadEnds {
    private static final EventLog EVENTS = EventLog.of(DeadEnds.class);

    private final Quarantine quarantine;
    private Set<Part> seen = new HashSet<>();

    /** The ports that led to a host, whose links were not down since. */
    private final Set<Part> toHosts = new HashSet<>();

    private final Map<Part, DeviceText> down = new LinkedHashMap<>();
    private boolean isSecondLookDue;

    /**
     * Starts without ports that were taken down.
     *
     * @param quarantine knows the drains
     */
    public DeadEnds(Quarantine quarantine) {
        this.quarantine = quarantine;
    }

    /**
     * Returns the ports to take down now, by index.
     *
     * @param fabric fabric without excluded parts
     * @param borders ports that lead to an excluded part
     * @param isWhole whether all of the fabric was read
     */
    public BitSet due(Fabric fabric, BitSet borders, boolean isWhole) {
        Set<Part> current = new HashSet<>();
        BitSet due = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            Part part = part(fabric, port);
            if (isDeadEnd(fabric, port) && (!toHosts.contains(part) || quarantine.drainOf(part) != null)) {
                current.add(part);
                due.set(port, borders.get(port) || seen.contains(part));
            }
        }
        isSecondLookDue = isWhole && current.size() > due.cardinality();
        if (isWhole) {
            seen = current;
        }
        reportEnds(fabric);
        return due;
    }

    /** Notes the ports that lead to hosts; after every sweep, since a link that was down may lead to another device. */
    public void look(Fabric fabric) {
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far))) {
                toHosts.add(part(fabric, port));
            } else if (!isDeadEnd(fabric, port)) {
                toHosts.remove(part(fabric, port));
            }
        }
    }

    private static boolean isDeadEnd(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        return fabric.isSwitch(fabric.nodeOf(port))
                && fabric.portNum(port) > 0
                && fabric.peer(port) == Fabric.NONE
                && info != null
                && info.isLinkUp()
                && info.portState() > PortInfo.STATE_INITIALIZE;
    }

    private static Part part(Fabric fabric, int port) {
        return new Part(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    /** Checks whether another whole sweep has to confirm some of them. */
    public boolean isSecondLookDue() {
        return isSecondLookDue;
    }

    /**
     * Reports ports that were taken down.
     *
     * @param ports by index
     */
    public void wentDown(Fabric fabric, BitSet ports) {
        ports.stream().forEach(port -> {
            Part part = part(fabric, port);
            DeviceText name = fabric.devicePort(port);
            Drains.Drain drain = quarantine.drainOf(part);
            if (down.put(part, name) != null) {
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
     * Reports the end of the condition: the device is part of the subnet again or gone, or the port's own
     * switch is gone.
     */
    private void reportEnds(Fabric fabric) {
        down.entrySet().removeIf(entry -> {
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

    /** Discards the state: another SM is master, which controls the links. */
    public void forget() {
        seen = new HashSet<>();
        toHosts.clear();
        down.values().forEach(name -> EVENTS.report(SmEvent.LINK_NOT_HELD_DOWN, EventField.NAME.of(name)));
        down.clear();
    }
}
