package io.torussm.quarantine;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.Drains;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The drained parts to exclude, as long as there are routes without them. Owner thread: the loop. */
final class DrainedParts {
    private static final EventLog EVENTS = EventLog.of(DrainedParts.class);

    private final Drains drains;

    /** Cancelled drains: there were no routes without their parts. Each stays cancelled until it is undrained. */
    private final Set<Drains.Drain> cancelled = new HashSet<>();

    /** All drains at the last sweep. */
    private List<Drains.Drain> lastDrains = List.of();

    /** The drains with which a sweep last had complete routes. */
    private Set<Drains.Drain> confirmedDrains = Set.of();

    /** Ports at both ends of the unused cables, as of the last sweep. */
    private final Map<Part, Drains.Drain> ends = new HashMap<>();

    /** Drained switches and ports that the last sweep excluded, or did not find. */
    private final Set<Part> excluded = new HashSet<>();

    /**
     * Creates an instance without excluded parts.
     *
     * @param drains drains, which are read at each sweep
     */
    DrainedParts(Drains drains) {
        this.drains = drains;
    }

    /** Returns the parts to exclude from a fabric. A part on which the SM depends is never among them. */
    Set<Part> of(Fabric found) {
        Set<Part> parts = new HashSet<>();
        ends.clear();
        excluded.clear();
        lastDrains = drains.all();
        cancelled.retainAll(lastDrains);
        for (Drains.Drain drain : lastDrains) {
            int node = found.nodeByGuid(drain.nodeGuid());
            Part part = new Part(drain.nodeGuid(), drain.isSwitch() ? Part.WHOLE : drain.portNum());
            if (cancelled.contains(drain) || (node != Fabric.NONE && !found.isSwitch(node))) {
                continue;
            }
            if (isAbsent(found, node, drain)) {
                excluded.add(part);
            } else if (drain.isSwitch()
                    ? !Admission.isIndispensable(found, node)
                    : isBetweenSwitches(found, node, drain.portNum())) {
                parts.add(part);
                addEnds(found, node, drain);
            }
        }
        excluded.addAll(parts);
        return parts;
    }

    /** Checks whether the last sweep excluded a port because of a drain, or did not find it. */
    boolean isExcluded(NodePort port) {
        return excluded.contains(new Part(port.nodeGuid(), Part.WHOLE))
                || excluded.contains(new Part(port.nodeGuid(), port.portNum()));
    }

    /** Checks whether a drained switch is absent, or a drained port has no cable. */
    private static boolean isAbsent(Fabric found, int node, Drains.Drain drain) {
        return node == Fabric.NONE
                || (!drain.isSwitch()
                        && drain.portNum() <= found.numPorts(node)
                        && found.peer(found.port(node, drain.portNum())) == Fabric.NONE);
    }

    private void addEnds(Fabric found, int node, Drains.Drain drain) {
        int first = drain.isSwitch() ? 1 : drain.portNum();
        int last = drain.isSwitch() ? found.numPorts(node) : drain.portNum();
        for (int portNum = first; portNum <= last; portNum++) {
            int far = found.peer(found.port(node, portNum));
            ends.put(new Part(drain.nodeGuid(), portNum), drain);
            if (far != Fabric.NONE) {
                ends.put(new Part(found.nodeGuid(found.nodeOf(far)), found.portNum(far)), drain);
            }
        }
    }

    /** Returns the drain because of which a port is not used; null without one. */
    Drains.@Nullable Drain of(Part port) {
        return ends.get(port);
    }

    private static boolean isBetweenSwitches(Fabric fabric, int sw, int portNum) {
        int far = portNum > fabric.numPorts(sw) ? Fabric.NONE : fabric.peer(fabric.port(sw, portNum));
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far));
    }

    /** Records that the routes of the last sweep are complete without the drained parts. */
    void confirmDrains() {
        confirmedDrains = new HashSet<>(lastDrains);
        confirmedDrains.removeAll(cancelled);
    }

    /**
     * Ends all isolations of cables. If there are none, cancels the drains that are newer than the last complete
     * routes, or all drains if none is newer. A cancelled drain stays cancelled until it is undrained.
     *
     * @return false if there was no isolation and no effective drain
     */
    boolean cancelDrains() {
        List<Drains.Drain> isolated = drains.isolations();
        if (!isolated.isEmpty()) {
            isolated.forEach(drain -> {
                drains.undrain(drain);
                EVENTS.report(
                        SmEvent.ISOLATION_OVER,
                        EventField.NAME.of(drain.device()),
                        EventField.REASON.of("there are no routes without it, since something else was lost"));
            });
            return true;
        }
        List<Drains.Drain> active =
                lastDrains.stream().filter(drain -> !cancelled.contains(drain)).toList();
        List<Drains.Drain> newer = active.stream()
                .filter(drain -> !confirmedDrains.contains(drain))
                .toList();
        List<Drains.Drain> due = newer.isEmpty() ? active : newer;
        due.forEach(drain -> EVENTS.report(SmEvent.DRAIN_GIVEN_BACK, EventField.NAME.of(drain.name())));
        return cancelled.addAll(due);
    }

    /** Removes the whole state, because another SM is master. */
    void forget() {
        cancelled.clear();
        confirmedDrains = Set.of();
        ends.clear();
        excluded.clear();
    }
}
