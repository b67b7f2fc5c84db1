package io.torussm.perf;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The report of ports whose counters exceed their limits. A condition begins when a counter exceeds its limit, and ends
 * when it is below half of the limit. A limited number of ports is reported by name, of the others only the number.
 * Owner thread: the loop.
 */
final class PortConditions {
    /** Max number of ports that are reported by name. */
    static final int MAX_REPORTED = 50;

    private static final EventLog EVENTS = EventLog.of(PortConditions.class);

    private final Map<NodePort, ReportedPort> reported = new HashMap<>();

    /** Ports over a limit that are not reported by name. */
    private final Set<NodePort> unreported = new HashSet<>();

    /** Number of such ports at the end of the last turn. */
    private int lastUnreportedCount;

    /** A port that was reported by name, and its present conditions. */
    private record ReportedPort(DeviceText name, Set<ConditionType> kinds) {
        boolean has(ConditionType kind) {
            return kinds.contains(kind);
        }
    }

    private enum ConditionType {
        ERRORS(SmEvent.PORT_ERRORS, SmEvent.PORT_ERRORS_OVER),
        CONGESTION(SmEvent.PORT_CONGESTED, SmEvent.PORT_CONGESTED_OVER);

        private final SmEvent begins;
        private final SmEvent ends;

        ConditionType(SmEvent begins, SmEvent ends) {
            this.begins = begins;
            this.ends = ends;
        }

        boolean isOf(PortFault fault) {
            return fault.isCongestion() == (this == CONGESTION);
        }
    }

    /**
     * Reports the conditions of a port that begin or end with a reading.
     *
     * @param port port index
     * @param over faults that exceed their limits
     * @param near faults that exceed half of their limits
     */
    void update(Subnet subnet, Plan plan, int port, List<PortFault> over, List<PortFault> near) {
        Fabric fabric = subnet.fabric();
        NodePort key = fabric.nodePort(port);
        for (ConditionType kind : ConditionType.values()) {
            ReportedPort known = reported.get(key);
            boolean isTold = known != null && known.has(kind);
            if (!isTold && over.stream().anyMatch(kind::isOf)) {
                begin(key, kind, subnet, plan, port, over);
            } else if (isTold && near.stream().noneMatch(kind::isOf)) {
                end(key, kind);
            }
        }
        if (over.isEmpty()) {
            unreported.remove(key);
        }
    }

    private void begin(NodePort key, ConditionType kind, Subnet subnet, Plan plan, int port, List<PortFault> over) {
        if (reported.size() >= MAX_REPORTED && !reported.containsKey(key)) {
            unreported.add(key);
            return;
        }
        unreported.remove(key);
        DeviceText name = name(subnet, plan, port);
        reported.computeIfAbsent(key, any -> new ReportedPort(name, EnumSet.noneOf(ConditionType.class)))
                .kinds()
                .add(kind);
        EVENTS.report(
                kind.begins,
                EventField.NAME.of(name),
                EventField.DESTINATION.of(farPortName(subnet, plan, port)),
                EventField.TEXT.of(
                        over.stream().filter(kind::isOf).map(PortFault::text).collect(Collectors.joining(", "))));
    }

    private void end(NodePort key, ConditionType kind) {
        ReportedPort known = reported.get(key);
        if (known != null && known.kinds().remove(kind)) {
            EVENTS.report(kind.ends, EventField.NAME.of(known.name()));
            if (known.kinds().isEmpty()) {
                reported.remove(key);
            }
        }
    }

    /** Ends the conditions of ports that have no link in a new fabric. */
    void update(Fabric fabric) {
        List.copyOf(reported.keySet()).stream()
                .filter(key -> !isLinked(fabric, key))
                .forEach(this::end);
        unreported.removeIf(key -> !isLinked(fabric, key));
    }

    private static boolean isLinked(Fabric fabric, NodePort key) {
        int port = fabric.port(key);
        return port != Fabric.NONE && fabric.peer(port) != Fabric.NONE;
    }

    private void end(NodePort key) {
        for (ConditionType kind : ConditionType.values()) {
            end(key, kind);
        }
    }

    /** Checks whether a port has a condition, reported by name or not. */
    boolean hasCondition(Fabric fabric, int port) {
        NodePort key = fabric.nodePort(port);
        return reported.containsKey(key) || unreported.contains(key);
    }

    /** Handles the end of a turn: reports the number of ports over a limit without a report, if it has grown. */
    void onTurnEnd() {
        if (unreported.size() > lastUnreportedCount) {
            EVENTS.report(SmEvent.PORT_CONDITIONS_UNTOLD, EventField.COUNT.of(unreported.size()));
        }
        lastUnreportedCount = unreported.size();
    }

    /** Ends all conditions, because reading stops. */
    void endAll() {
        List.copyOf(reported.keySet()).forEach(this::end);
        forget();
    }

    /** Discards the state: another SM is master, which reads the counters. */
    void forget() {
        reported.clear();
        unreported.clear();
        lastUnreportedCount = 0;
    }

    private static DeviceText name(Subnet subnet, Plan plan, int port) {
        DeviceText device = subnet.devicePort(port);
        String place = place(subnet.fabric(), plan, port);
        String label = subnet.fabric().cableLabel(port);
        String text = (place.isEmpty() ? "" : place + " ") + device + (label.isEmpty() ? "" : ", cable " + label);
        return place.isEmpty() ? device.withText(text) : device.withText(text).with(EventField.COORDINATES.of(place));
    }

    private static String farPortName(Subnet subnet, Plan plan, int port) {
        Fabric fabric = subnet.fabric();
        int far = fabric.peer(port);
        if (far == Fabric.NONE) {
            return "no link";
        }
        String place = place(fabric, plan, far);
        return (place.isEmpty() ? "" : place + " ") + fabric.portName(far);
    }

    private static String place(Fabric fabric, Plan plan, int port) {
        int node = fabric.nodeOf(port);
        return fabric.isSwitch(node) ? plan.coordinates(node) : "";
    }
}
