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
 * Switch ports that carry data to a device that has no part in the subnet: it is silent while its data plane goes on, left out, or
 * a double of another. What it forwards by is of another time, so the near port is to be taken down: at once if the device is
 * left out, otherwise from the second whole sweep on in which this is so, since an answer may get lost. A port of a host is none,
 * so the SM's own link is never taken down. Owner thread: the loop.
 */
public final class DeadEnds {
    private static final EventLog EVENTS = EventLog.of(DeadEnds.class);

    private Set<Part> seen = new HashSet<>();
    private final Map<Part, DeviceText> down = new LinkedHashMap<>();
    private boolean isSecondLookDue;

    /**
     * The ports to be taken down now, by index.
     *
     * @param fabric without what is left out
     * @param borders ports behind which something is left out
     * @param isWhole whether all of the fabric was read
     */
    public BitSet due(Fabric fabric, BitSet borders, boolean isWhole) {
        Set<Part> now = new HashSet<>();
        BitSet due = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (isDeadEnd(fabric, port)) {
                Part part = part(fabric, port);
                now.add(part);
                due.set(port, borders.get(port) || seen.contains(part));
            }
        }
        isSecondLookDue = isWhole && now.size() > due.cardinality();
        if (isWhole) {
            seen = now;
        }
        reportEnds(fabric);
        return due;
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

    /** Whether there are some that another whole sweep has to confirm. */
    public boolean isSecondLookDue() {
        return isSecondLookDue;
    }

    /**
     * Reports that ports were taken down.
     *
     * @param ports by index
     * @param quarantine for which of them a drain is the reason
     */
    public void wentDown(Fabric fabric, BitSet ports, Quarantine quarantine) {
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

    /** Whatever is behind a port has a part again, or is gone, or the port's own switch is. */
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

    /** Another SM is master: links are its business. */
    public void forget() {
        seen = new HashSet<>();
        down.values().forEach(name -> EVENTS.report(SmEvent.LINK_NOT_HELD_DOWN, EventField.NAME.of(name)));
        down.clear();
    }
}
