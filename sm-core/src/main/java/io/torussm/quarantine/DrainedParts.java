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

/** What operators have drained, for as long as there are routes without it. Owner thread: the loop. */
final class DrainedParts {
    private static final EventLog EVENTS = EventLog.of(DrainedParts.class);

    private final Drains drains;

    /** Drains that are given back: there were no routes without their parts. Each stays so until it is undrained. */
    private final Set<Drains.Drain> givenBack = new HashSet<>();

    /** Drains of the last sweep. */
    private List<Drains.Drain> asked = List.of();

    /** Drains of the last sweep whose routes were as they should be. */
    private Set<Drains.Drain> afforded = Set.of();

    /** Ports at both ends of the cables that are done without, as of the last sweep. */
    private final Map<Part, Drains.Drain> ends = new HashMap<>();

    /** Drained switches and ports that the last sweep left out, or did not find. */
    private final Set<Part> out = new HashSet<>();

    /** @param drains asked anew at each sweep */
    DrainedParts(Drains drains) {
        this.drains = drains;
    }

    /** What a fabric is to do without; never what the SM is reached through. */
    Set<Part> of(Fabric found) {
        Set<Part> parts = new HashSet<>();
        ends.clear();
        out.clear();
        asked = drains.all();
        givenBack.retainAll(asked);
        for (Drains.Drain drain : asked) {
            int node = found.nodeByGuid(drain.nodeGuid());
            Part part = new Part(drain.nodeGuid(), drain.isSwitch() ? Part.WHOLE : drain.portNum());
            if (givenBack.contains(drain) || node != Fabric.NONE && !found.isSwitch(node)) {
                continue;
            }
            if (isAway(found, node, drain)) {
                out.add(part);
            } else if (drain.isSwitch()
                    ? !Admission.isIndispensable(found, node)
                    : isBetweenSwitches(found, node, drain.portNum())) {
                parts.add(part);
                addEnds(found, node, drain);
            }
        }
        out.addAll(parts);
        return parts;
    }

    /** Checks whether the last sweep did without a port for a drain, or did not find it. */
    boolean isOut(NodePort port) {
        return out.contains(new Part(port.nodeGuid(), Part.WHOLE))
                || out.contains(new Part(port.nodeGuid(), port.portNum()));
    }

    private static boolean isAway(Fabric found, int node, Drains.Drain drain) {
        return node == Fabric.NONE
                || !drain.isSwitch()
                        && drain.portNum() <= found.numPorts(node)
                        && found.peer(found.port(node, drain.portNum())) == Fabric.NONE;
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

    /** Returns the drain for which a port is not used; null if it is for none. */
    Drains.@Nullable Drain of(Part port) {
        return ends.get(port);
    }

    private static boolean isBetweenSwitches(Fabric fabric, int sw, int portNum) {
        int far = portNum > fabric.numPorts(sw) ? Fabric.NONE : fabric.peer(fabric.port(sw, portNum));
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far));
    }

    /** Notes that the routes of the last sweep are as they should be, without the drained parts. */
    void afford() {
        afforded = new HashSet<>(asked);
        afforded.removeAll(givenBack);
    }

    /**
     * Releases cables that are isolated. If there are none, gives back the drains that are newer than the last routes
     * that were as they should be, or all if none is newer. A drain that is given back stays so until it is undrained.
     *
     * @return false if no drain is in force
     */
    boolean giveBack() {
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
        List<Drains.Drain> inForce =
                asked.stream().filter(drain -> !givenBack.contains(drain)).toList();
        List<Drains.Drain> newer =
                inForce.stream().filter(drain -> !afforded.contains(drain)).toList();
        List<Drains.Drain> due = newer.isEmpty() ? inForce : newer;
        due.forEach(drain -> EVENTS.report(SmEvent.DRAIN_GIVEN_BACK, EventField.NAME.of(drain.name())));
        return givenBack.addAll(due);
    }

    /** Forgets all, since another SM is master. */
    void forget() {
        givenBack.clear();
        afforded = Set.of();
        ends.clear();
        out.clear();
    }
}
