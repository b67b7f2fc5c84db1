package io.torussm.sweep;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.names.NameList;
import io.torussm.subnet.Neighbors;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LinkRates;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.TimeAway;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that left or joined between two sweeps. A few in each direction are reported by name and
 * attachment, more of them together. A host that leaves or returns with its switch is covered by the event of
 * the switch.
 */
final class HostChanges {
    /** Limit of the hosts with an event of their own, in each direction; more have one event together. */
    static final int MAX_NAMED = 5;

    private HostChanges() {}

    /**
     * Returns the findings for changed hosts; empty if one of the states has no fabric.
     *
     * @param at time of the later discovery
     */
    static List<Finding> between(FabricState previousState, FabricState after, Instant at) {
        PlacedSubnet oldSubnet = previousState.found();
        PlacedSubnet currentSubnet = after.found();
        if (oldSubnet == null || currentSubnet == null || oldSubnet.fabric() == currentSubnet.fabric()) {
            return List.of();
        }
        Set<Long> lostSwitches = lostSwitches(after);
        Set<Long> previouslyLost = lostSwitches(previousState);
        int[] leftPorts = missing(oldSubnet.fabric(), currentSubnet.fabric())
                .filter(port -> !lostSwitches.contains(peerGuid(oldSubnet, port)))
                .toArray();
        int[] joinedPorts = missing(currentSubnet.fabric(), oldSubnet.fabric())
                .filter(port -> !previouslyLost.contains(peerGuid(currentSubnet, port))
                        || isElsewhere(previousState, currentSubnet, port))
                .toArray();
        List<Finding> changes = new ArrayList<>(stillAbsent(
                after.absences().devices(currentSubnet.fabric()), previouslyLost, lostSwitches, currentSubnet));
        boolean areManyGone = leftPorts.length > MAX_NAMED;
        boolean areManyBack = joinedPorts.length > MAX_NAMED;
        if (!areManyGone) {
            IntStream.of(leftPorts).forEach(port -> changes.add(gone(oldSubnet, port)));
        }
        if (!areManyBack) {
            IntStream.of(joinedPorts).forEach(port -> changes.add(back(previousState, currentSubnet, port, at)));
        }
        if (areManyGone || areManyBack) {
            String text = Stream.of(
                            areManyGone ? many(leftPorts, "gone", oldSubnet) : "",
                            areManyBack ? many(joinedPorts, "back or new", currentSubnet) : "")
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining("; "));
            changes.add(Finding.of(
                    SmEvent.HOSTS_CHANGED,
                    EventField.TEXT.of(text),
                    EventField.GONE.of(areManyGone ? leftPorts.length : 0),
                    EventField.BACK.of(areManyBack ? joinedPorts.length : 0)));
        }
        return changes;
    }

    private static Finding gone(PlacedSubnet oldSubnet, int port) {
        return Finding.of(
                SmEvent.HOST_GONE,
                EventField.NAME.of(oldSubnet.subnet().devicePort(port)),
                EventField.DESTINATION.of(cabledTo(oldSubnet, port)));
    }

    private static Finding back(FabricState previousState, PlacedSubnet currentSubnet, int port, Instant at) {
        LostCable lostCable = previousState.absences().lostCable(currentSubnet, port);
        return Finding.of(
                SmEvent.HOST_BACK,
                EventField.NAME.of(currentSubnet.subnet().devicePort(port)),
                EventField.STATE.of(lostCable == null ? "new" : "back"),
                EventField.DESTINATION.of(cabledTo(currentSubnet, port)),
                EventField.TEXT.of(new LinkRates(currentSubnet.fabric()).at(port)
                        + previousAttachment(previousState, currentSubnet, port)
                        + away(lostCable, at)));
    }

    /** Returns the number of many hosts, the first names, and their switch if all have the same. */
    private static String many(int[] ports, String state, PlacedSubnet placed) {
        Fabric fabric = placed.fabric();
        List<String> names = IntStream.of(ports)
                .limit(MAX_NAMED)
                .mapToObj(port -> "\"" + fabric.nodeName(fabric.nodeOf(port)) + "\" port " + fabric.portNum(port))
                .toList();
        int[] switches = IntStream.of(ports)
                .map(port -> fabric.peer(port) == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(fabric.peer(port)))
                .distinct()
                .toArray();
        String where = switches.length > 1 || switches[0] == Fabric.NONE
                ? ""
                : ", all cabled to " + (placed.place(switches[0]) + " " + fabric.name(switches[0])).strip();
        return ports.length + " hosts are " + state + where + ": " + NameList.of(names, ports.length, MAX_NAMED);
    }

    /** Returns the node GUIDs of the switches whose loss is an event. */
    private static Set<Long> lostSwitches(FabricState state) {
        return state.absences().losses().stream()
                .flatMap(loss -> loss.switches().stream())
                .map(LostCable.LostEnd::nodeGuid)
                .collect(Collectors.toSet());
    }

    /** Returns the node GUID of the neighbour of a port; 0 if the port has no neighbour. */
    private static long peerGuid(PlacedSubnet placed, int port) {
        int far = placed.fabric().peer(port);
        return far == Fabric.NONE ? 0 : placed.fabric().nodeGuid(placed.fabric().nodeOf(far));
    }

    /**
     * Returns the findings for absent hosts whose switch was lost and is back: until now, the event of the
     * switch covered them.
     */
    private static List<Finding> stillAbsent(
            Collection<Absences.Device> absent, Set<Long> previouslyLost, Set<Long> lost, PlacedSubnet currentSubnet) {
        return absent.stream()
                .filter(device -> !device.end().isSwitch())
                .filter(device -> previouslyLost.contains(device.peerEnd().nodeGuid())
                        && !lost.contains(device.peerEnd().nodeGuid()))
                .limit(MAX_NAMED)
                .map(device -> Finding.of(
                        SmEvent.HOST_GONE,
                        EventField.NAME.of(
                                device.end().devicePort(currentSubnet.fabric().names())),
                        EventField.DESTINATION.of(device.peerEnd()
                                .devicePort(currentSubnet.fabric().names())
                                .text())))
                .toList();
    }

    /** Returns the ports of hosts in {@code fabric}, by port index, that are no end ports of {@code otherFabric}. */
    private static IntStream missing(Fabric fabric, Fabric otherFabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port))
                        && fabric.isEndport(port)
                        && !isPresent(otherFabric, fabric, port));
    }

    private static boolean isPresent(Fabric otherFabric, Fabric fabric, int port) {
        int counterpart = PlacedSubnet.counterpart(fabric, port, otherFabric);
        return counterpart != Fabric.NONE && otherFabric.isEndport(counterpart);
    }

    private static String cabledTo(PlacedSubnet placed, int port) {
        int far = placed.fabric().peer(port);
        return far == Fabric.NONE
                ? "nothing"
                : (placed.place(placed.fabric().nodeOf(far)) + " "
                                + placed.fabric().portName(far))
                        .strip();
    }

    /** Checks whether a host is attached to another port than before, or its previous attachment is unknown. */
    private static boolean isElsewhere(FabricState previousState, PlacedSubnet currentSubnet, int port) {
        return previousState.absences().lostCable(currentSubnet, port) == null
                || !previousAttachment(previousState, currentSubnet, port).isEmpty();
    }

    /** Returns the text of the previous attachment of a host; empty if it is unknown or unchanged. */
    private static String previousAttachment(FabricState previousState, PlacedSubnet currentSubnet, int port) {
        LostCable lostCable = previousState.absences().lostCable(currentSubnet, port);
        int far = currentSubnet.fabric().peer(port);
        if (lostCable == null || far == Fabric.NONE) {
            return "";
        }
        LostCable.LostEnd host = lostCable.end(port(currentSubnet, port));
        LostCable.LostEnd oldEnd = lostCable.across(host);
        return oldEnd.port().equals(port(currentSubnet, far)) ? "" : "; it was cabled to " + oldEnd.text();
    }

    /** Returns the text of the time for which a host was absent; empty if it is unknown. */
    private static String away(@Nullable LostCable lostCable, Instant at) {
        String away = lostCable == null ? "" : TimeAway.of(lostCable.since(), at);
        return away.isEmpty() ? "" : "; it was away for " + away;
    }

    private static Neighbors.CableEnd port(PlacedSubnet placed, int port) {
        return LostCable.LostEnd.of(placed, port).port();
    }
}
