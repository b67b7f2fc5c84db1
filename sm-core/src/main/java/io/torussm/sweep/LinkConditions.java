package io.torussm.sweep;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of faults of active links that are not repaired automatically, because a repair would take a working
 * link down. The faults are: the two ends have different NeighborMTU or OperationalVLs; the speed is unknown to this
 * program. The begin and end of each fault is reported once. Owner thread: the loop.
 */
public final class LinkConditions {
    private static final EventLog EVENTS = EventLog.of(LinkConditions.class);

    /** Names of OperationalVLs by code; code 0 is reserved. */
    private static final String[] VLS = {"?", "VL0", "VL0-1", "VL0-3", "VL0-7", "VL0-14"};

    private Map<Key, Condition> presentConditions = Map.of();

    /** The port that an event names, and the event. A fault of both ends is one of the end with the smaller index. */
    private record Key(long nodeGuid, int portNum, SmEvent event) {}

    /**
     * The faults that one event reports.
     *
     * @param subject "MTU", "VLs", "MTU and VLs" or empty; with another subject the event is reported again
     */
    private record Condition(String subject, Finding begins, Finding ends) {}

    /** Reports the changes since the last call. */
    public void update(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        Map<Key, Condition> current = new LinkedHashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far > port) {
                compareEnds(subnet, port, far, current);
                compareSpeeds(subnet, port, far, current);
            }
        }
        current.forEach((key, condition) -> {
            Condition previous = presentConditions.get(key);
            if (previous == null || !previous.subject().equals(condition.subject())) {
                EVENTS.report(condition.begins());
            }
        });
        presentConditions.forEach((key, condition) -> {
            if (!current.containsKey(key)) {
                EVENTS.report(condition.ends());
            }
        });
        presentConditions = new HashMap<>(current);
    }

    /** Forgets the state, because another SM is master. */
    public void forget() {
        presentConditions = Map.of();
    }

    private static void compareEnds(Subnet subnet, int port, int far, Map<Key, Condition> current) {
        Fabric fabric = subnet.fabric();
        PortInfo nearInfo = fabric.portInfo(port);
        PortInfo farInfo = fabric.portInfo(far);
        if (!isWorking(nearInfo) || !isWorking(farInfo) || nearInfo == null || farInfo == null) {
            return;
        }
        Map<String, String> differences = new LinkedHashMap<>();
        if (nearInfo.neighborMtu() != farInfo.neighborMtu()) {
            differences.put("MTU", "NeighborMTU " + mtu(nearInfo.neighborMtu()) + " and " + mtu(farInfo.neighborMtu()));
        }
        if (nearInfo.operationalVls() != farInfo.operationalVls()) {
            differences.put(
                    "VLs",
                    "OperationalVLs " + vls(nearInfo.operationalVls()) + " and " + vls(farInfo.operationalVls()));
        }
        if (!differences.isEmpty()) {
            String subject = String.join(" and ", differences.keySet());
            String text = String.join("; ", differences.values());
            current.put(
                    key(fabric, port, SmEvent.LINK_ENDS_DIFFER),
                    new Condition(
                            subject,
                            finding(SmEvent.LINK_ENDS_DIFFER, subnet, port, far, text),
                            finding(SmEvent.LINK_ENDS_AGREE, subnet, port, far, subject)));
        }
    }

    private static boolean isWorking(@Nullable PortInfo info) {
        return info != null && info.portState() == PortInfo.STATE_ACTIVE;
    }

    private static String mtu(int code) {
        int bytes = PortInfo.mtuBytes(code);
        return bytes == 0 ? "?" : Integer.toString(bytes);
    }

    private static String vls(int code) {
        return code < VLS.length ? VLS[code] : "?";
    }

    private static void compareSpeeds(Subnet subnet, int port, int far, Map<Key, Condition> current) {
        Fabric fabric = subnet.fabric();
        for (int end : new int[] {port, far}) {
            PortInfo info = fabric.portInfo(end);
            if (info != null && LinkSpeed.isUnknownExtended(info, fabric.capabilityPortInfo(end))) {
                String text = "LinkSpeedExtActive " + info.get(PortInfo.LINK_SPEED_EXT_ACTIVE)
                        + ", LinkSpeedExtActive2 " + info.get(PortInfo.LINK_SPEED_EXT_ACTIVE2);
                current.put(
                        key(fabric, end, SmEvent.LINK_SPEED_UNKNOWN),
                        new Condition(
                                "",
                                finding(SmEvent.LINK_SPEED_UNKNOWN, subnet, end, fabric.peer(end), text),
                                finding(SmEvent.LINK_SPEED_KNOWN, subnet, end, fabric.peer(end))));
                return;
            }
        }
    }

    private static Key key(Fabric fabric, int port, SmEvent event) {
        return new Key(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), event);
    }

    private static Finding finding(SmEvent event, Subnet subnet, int port, int far) {
        return Finding.of(
                event,
                EventField.NAME.of(subnet.devicePort(port)),
                EventField.DESTINATION.of(subnet.fabric().portName(far)));
    }

    private static Finding finding(SmEvent event, Subnet subnet, int port, int far, String text) {
        return Finding.of(
                event,
                EventField.NAME.of(subnet.devicePort(port)),
                EventField.DESTINATION.of(subnet.fabric().portName(far)),
                EventField.TEXT.of(text));
    }
}
