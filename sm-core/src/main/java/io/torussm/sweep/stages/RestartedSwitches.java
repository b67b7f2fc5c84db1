package io.torussm.sweep.stages;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.table.KnownDevices;
import io.torussm.sweep.state.SweepState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The search for switches that restarted between two reads and responded to both: their links trained again, and their
 * tables are empty. Such a switch is no loss, although traffic through it stops until its tables are written. Pure.
 */
final class RestartedSwitches {
    private RestartedSwitches() {}

    /**
     * Returns the switches that restarted since the last read.
     *
     * @param known the state before the read; if it has no published subnet, the result is empty
     * @param read the fabric as it was read
     */
    static List<RestartedSwitch> of(SweepState known, Fabric read) {
        Fabric previousFabric = known.fabric();
        PublishedView view = known.view();
        if (previousFabric == null || view == null) {
            return List.of();
        }
        PlacedSubnet published = view.placed();
        return IntStream.range(0, read.switchCount())
                .filter(sw ->
                        isReset(read, sw) && isServed(previousFabric, previousFabric.nodeByGuid(read.nodeGuid(sw))))
                .map(sw -> published.fabric().nodeByGuid(read.nodeGuid(sw)))
                .filter(sw -> sw != Fabric.NONE)
                .mapToObj(sw -> new RestartedSwitch(published, sw, event(published, sw)))
                .toList();
    }

    private static Finding event(PlacedSubnet published, int sw) {
        return Finding.of(
                SmEvent.SWITCH_RESTARTED,
                EventField.NAME.of(
                        published.subnet().deviceOf(published.fabric().port(sw, 0), published.place(sw))),
                EventField.COUNT.of(hosts(published.fabric(), sw)));
    }

    /** Checks whether a switch has the registers of a switch that has just started. */
    private static boolean isReset(Fabric fabric, int sw) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        return info != null && info.linearFdbTop() == 0 && !KnownDevices.isRunning(fabric, sw);
    }

    private static boolean isServed(Fabric previousFabric, int sw) {
        return sw != Fabric.NONE && KnownDevices.isRunning(previousFabric, sw);
    }

    private static long hosts(Fabric fabric, int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(portNum -> fabric.peer(fabric.port(sw, portNum)))
                .filter(peer -> peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)))
                .count();
    }
}
