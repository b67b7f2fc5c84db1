package io.torussm.sweep;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Neighbors;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The hosts that left or joined between two sweeps, by name and attachment: the first few each, the others as
 * a number. Hosts that leave or return with their switch are a part of its event.
 */
final class HostChanges {
    /** Limit of the hosts with an event of their own, in each direction. */
    static final int MAX_NAMED = 5;

    private HostChanges() {}

    /** Returns the findings for changed hosts; none if one of the states has no fabric. */
    static List<Finding> between(FabricState previousState, FabricState after) {
        PlacedSubnet oldSubnet = previousState.found();
        PlacedSubnet currentSubnet = after.found();
        if (oldSubnet == null || currentSubnet == null || oldSubnet.fabric() == currentSubnet.fabric()) {
            return List.of();
        }
        Set<Long> lost = lostSwitches(after);
        Set<Long> wereLost = lostSwitches(previousState);
        int[] gone = missing(oldSubnet.fabric(), currentSubnet.fabric())
                .filter(port -> !lost.contains(peerGuid(oldSubnet, port)))
                .toArray();
        int[] back = missing(currentSubnet.fabric(), oldSubnet.fabric())
                .filter(port -> !wereLost.contains(peerGuid(currentSubnet, port))
                        || isElsewhere(previousState, currentSubnet, port))
                .toArray();
        List<Finding> changes = new ArrayList<>(
                leftBehind(after.absences().devices(currentSubnet.fabric()), wereLost, lost, currentSubnet));
        IntStream.of(gone)
                .limit(MAX_NAMED)
                .forEach(port -> changes.add(Finding.of(
                        SmEvent.HOST_GONE,
                        EventField.NAME.of(oldSubnet.subnet().devicePort(port)),
                        EventField.DESTINATION.of(cabledTo(oldSubnet, port)))));
        IntStream.of(back)
                .limit(MAX_NAMED)
                .forEach(port -> changes.add(Finding.of(
                        SmEvent.HOST_BACK,
                        EventField.NAME.of(currentSubnet.subnet().devicePort(port)),
                        EventField.STATE.of(previousState.absences().at(currentSubnet, port) == null ? "new" : "back"),
                        EventField.DESTINATION.of(cabledTo(currentSubnet, port)),
                        EventField.TEXT.of(moved(previousState, currentSubnet, port)))));
        int moreGone = Math.max(0, gone.length - MAX_NAMED);
        int moreBack = Math.max(0, back.length - MAX_NAMED);
        if (moreGone + moreBack > 0) {
            changes.add(Finding.of(SmEvent.HOSTS_CHANGED, EventField.GONE.of(moreGone), EventField.BACK.of(moreBack)));
        }
        return changes;
    }

    /** Returns the node GUIDs of the switches whose loss is an event. */
    private static Set<Long> lostSwitches(FabricState state) {
        return state.absences().losses().stream()
                .flatMap(loss -> loss.switches().stream())
                .map(LostCable.LostEnd::nodeGuid)
                .collect(Collectors.toSet());
    }

    /** Returns the node GUID of the neighbour of a port; 0 if it has none. */
    private static long peerGuid(PlacedSubnet placed, int port) {
        int far = placed.fabric().peer(port);
        return far == Fabric.NONE ? 0 : placed.fabric().nodeGuid(placed.fabric().nodeOf(far));
    }

    /** Returns hosts of switches that are back, which are not: the loss of the switch had reported them. */
    private static List<Finding> leftBehind(
            Collection<Absences.Device> absent, Set<Long> wereLost, Set<Long> lost, PlacedSubnet currentSubnet) {
        return absent.stream()
                .filter(device -> !device.end().isSwitch())
                .filter(device -> wereLost.contains(device.at().nodeGuid())
                        && !lost.contains(device.at().nodeGuid()))
                .limit(MAX_NAMED)
                .map(device -> Finding.of(
                        SmEvent.HOST_GONE,
                        EventField.NAME.of(
                                device.end().devicePort(currentSubnet.fabric().names())),
                        EventField.DESTINATION.of(device.at()
                                .devicePort(currentSubnet.fabric().names())
                                .text())))
                .toList();
    }

    private static IntStream missing(Fabric from, Fabric in) {
        return IntStream.range(0, from.portCount())
                .filter(port -> !from.isSwitch(from.nodeOf(port)) && from.isEndport(port) && !isThere(in, from, port));
    }

    private static boolean isThere(Fabric in, Fabric from, int port) {
        int same = PlacedSubnet.counterpart(from, port, in);
        return same != Fabric.NONE && in.isEndport(same);
    }

    private static String cabledTo(PlacedSubnet placed, int port) {
        int far = placed.fabric().peer(port);
        return far == Fabric.NONE
                ? "nothing"
                : (placed.place(placed.fabric().nodeOf(far)) + " "
                                + placed.fabric().portName(far))
                        .strip();
    }

    /** Checks whether a host has another place than before, or none is known. */
    private static boolean isElsewhere(FabricState previousState, PlacedSubnet currentSubnet, int port) {
        return previousState.absences().at(currentSubnet, port) == null
                || !moved(previousState, currentSubnet, port).isEmpty();
    }

    /** Returns the previous attachment of a host, if it differs. */
    private static String moved(FabricState previousState, PlacedSubnet currentSubnet, int port) {
        LostCable lost = previousState.absences().at(currentSubnet, port);
        int far = currentSubnet.fabric().peer(port);
        if (lost == null || far == Fabric.NONE) {
            return "";
        }
        LostCable.LostEnd host = lost.end(port(currentSubnet, port));
        LostCable.LostEnd oldEnd = lost.across(host);
        return oldEnd.port().equals(port(currentSubnet, far)) ? "" : "; it was cabled to " + oldEnd.text();
    }

    private static Neighbors.CableEnd port(PlacedSubnet placed, int port) {
        return LostCable.LostEnd.of(placed, port).port();
    }
}
