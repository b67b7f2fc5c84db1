package io.torussm.sweep;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Neighbors;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The hosts that left or joined between two sweeps, by name and attachment: the first few each, the others as
 * a number.
 */
final class HostChanges {
    /** Limit of the hosts with an event of their own, in each direction. */
    static final int MAX_NAMED = 5;

    private HostChanges() {}

    /** Returns the findings for changed hosts; none if one of the states has no fabric. */
    static List<Finding> between(FabricState before, FabricState after) {
        PlacedSubnet then = before.found();
        PlacedSubnet now = after.found();
        if (then == null || now == null || then.fabric() == now.fabric()) {
            return List.of();
        }
        List<Finding> changes = new ArrayList<>();
        int[] gone = missing(then.fabric(), now.fabric());
        int[] back = missing(now.fabric(), then.fabric());
        IntStream.of(gone)
                .limit(MAX_NAMED)
                .forEach(port -> changes.add(Finding.of(
                        SmEvent.HOST_GONE,
                        EventField.NAME.of(then.subnet().devicePort(port)),
                        EventField.DESTINATION.of(cabledTo(then, port)))));
        IntStream.of(back)
                .limit(MAX_NAMED)
                .forEach(port -> changes.add(Finding.of(
                        SmEvent.HOST_BACK,
                        EventField.NAME.of(now.subnet().devicePort(port)),
                        EventField.DESTINATION.of(cabledTo(now, port)),
                        EventField.TEXT.of(moved(before, now, port)))));
        int moreGone = Math.max(0, gone.length - MAX_NAMED);
        int moreBack = Math.max(0, back.length - MAX_NAMED);
        if (moreGone + moreBack > 0) {
            changes.add(Finding.of(SmEvent.HOSTS_CHANGED, EventField.GONE.of(moreGone), EventField.BACK.of(moreBack)));
        }
        return changes;
    }

    private static int[] missing(Fabric from, Fabric in) {
        return IntStream.range(0, from.portCount())
                .filter(port -> !from.isSwitch(from.nodeOf(port)) && from.isEndport(port) && !isThere(in, from, port))
                .toArray();
    }

    private static boolean isThere(Fabric in, Fabric from, int port) {
        int same = PlacedSubnet.counterpart(from, port, in);
        return same != Fabric.NONE && in.isEndport(same);
    }

    private static String cabledTo(PlacedSubnet in, int port) {
        int far = in.fabric().peer(port);
        return far == Fabric.NONE
                ? "nothing"
                : (in.place(in.fabric().nodeOf(far)) + " " + in.fabric().portName(far)).strip();
    }

    /** Returns the previous attachment of a host, if it differs. */
    private static String moved(FabricState before, PlacedSubnet now, int port) {
        LostCable lost = before.absences().at(now, port);
        int far = now.fabric().peer(port);
        if (lost == null || far == Fabric.NONE) {
            return "";
        }
        LostCable.End host = lost.end(port(now, port));
        LostCable.End was = lost.across(host);
        return was.port().equals(port(now, far)) ? "" : "; it was cabled to " + was.text();
    }

    private static Neighbors.End port(PlacedSubnet in, int port) {
        return LostCable.End.of(in, port).port();
    }
}
