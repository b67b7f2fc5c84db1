package io.torussm.trap;

import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.names.Names;
import io.torussm.subnet.Neighbors;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cable that flaps. Its ends have the order of the events about its loss and return: of two switches the one with
 * the lower port index comes first, otherwise the host.
 */
record FlappingCable(LostCable.LostEnd near, LostCable.LostEnd far) {
    /** The state of a link of which the state is not known, as a part of a sentence. */
    static final String UNKNOWN = "in an unknown state";

    /** The begin of a use that follows from the state of the link. */
    static final String AS_EXPECTED = ", and ";

    private static final String UP = "UP";

    /** Returns the cable with two ends; null if an end is neither present nor lost. */
    static @Nullable FlappingCable of(FabricState state, CableHistory.Ends ends) {
        PlacedSubnet found = state.found();
        LostCable.LostEnd one = found == null ? null : end(state, found, ends.one());
        LostCable.LostEnd other = found == null ? null : end(state, found, ends.other());
        if (found == null || one == null || other == null) {
            return null;
        }
        boolean isOneFirst = one.isSwitch() == other.isSwitch()
                ? port(found.fabric(), one.port()) <= port(found.fabric(), other.port())
                : other.isSwitch();
        return isOneFirst ? new FlappingCable(one, other) : new FlappingCable(other, one);
    }

    private static LostCable.@Nullable LostEnd end(FabricState state, PlacedSubnet found, Neighbors.CableEnd end) {
        int port = port(found.fabric(), end);
        return port != Fabric.NONE
                ? LostCable.LostEnd.of(found, port)
                : state.absences().cables().stream()
                        .flatMap(cable -> Stream.of(cable.near(), cable.far()))
                        .filter(lost -> lost.port().equals(end))
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the index of a port; {@link Fabric#NONE} if the fabric has no such port. */
    private static int port(Fabric fabric, Neighbors.CableEnd end) {
        int endport = fabric.endport(end.portGuid());
        int node = endport == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(endport);
        return node == Fabric.NONE || end.portNum() > fabric.numPorts(node)
                ? Fabric.NONE
                : fabric.port(node, end.portNum());
    }

    /** Checks whether a port GUID is that of an end. */
    boolean has(long portGuid) {
        return near.port().portGuid() == portGuid || far.port().portGuid() == portGuid;
    }

    /** Returns the ends, as the history of cables has them. */
    CableHistory.Ends ends() {
        return new CableHistory.Ends(near.port(), far.port());
    }

    /** Returns the text and fields of the first end. */
    DeviceText device(Names names) {
        return near.devicePort(names);
    }

    /** Returns the text that follows the first end. */
    String text(Names names) {
        return ", cabled to " + far.devicePort(names);
    }

    /** Returns the state of the link at the last discovery. An excluded cable may be up although it is absent. */
    String state(FabricState state) {
        PlacedSubnet found = state.found();
        int port = found == null ? Fabric.NONE : port(found.fabric(), near.port());
        if (found != null && port != Fabric.NONE && found.fabric().peer(port) != Fabric.NONE) {
            return UP;
        }
        return state.absences().cables().stream()
                        .anyMatch(cable -> CableHistory.Ends.of(cable).has(near.port()))
                ? "DOWN"
                : UNKNOWN;
    }

    /**
     * Checks whether the active routes use the link, as the continuation of its {@link #state}; empty if there are no
     * routes, or the state is not known.
     */
    String use(FabricState state) {
        PublishedView view = state.view();
        String linkState = state(state);
        if (view == null || linkState.equals(UNKNOWN)) {
            return "";
        }
        boolean isUsed = isUsed(view, near.port()) || isUsed(view, far.port());
        if (linkState.equals(UP)) {
            return isUsed ? AS_EXPECTED + "routes use it again" : ", but no route uses it";
        } else if (!near.isSwitch() || !far.isSwitch()) {
            return ""; // routes to an absent host stay
        }
        return isUsed ? ", but routes still use it" : AS_EXPECTED + "no route uses it";
    }

    /** Checks whether the forwarding table of a switch has the port of an end. */
    private static boolean isUsed(PublishedView view, Neighbors.CableEnd end) {
        Fabric fabric = view.subnet().fabric();
        int port = port(fabric, end);
        if (port == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(port))) {
            return false;
        }
        for (byte output : view.plan().lft(fabric.nodeOf(port))) {
            if (Byte.toUnsignedInt(output) == end.portNum()) {
                return true;
            }
        }
        return false;
    }
}
