package io.torussm.daemon.maintenance;

import io.torussm.fabric.Fabric;
import io.torussm.view.CableHistory.Ends;
import io.torussm.view.CableHistory.NamedEnd;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.List;

/**
 * The errors on a cable between switches, from the counters of its ports.
 *
 * @param near one end of the cable
 * @param far other end of the cable
 * @param perMinute errors a minute over the last minutes, at the end with more errors
 */
public record CableErrors(NamedEnd near, NamedEnd far, double perMinute) {
    /** A source of error counts. */
    public interface Counts {
        /**
         * Returns the errors a minute at a port of a switch, over the last minutes; 0 if the counters are not read.
         */
        double perMinute(long nodeGuid, int portNum);
    }

    /** Returns the cables of a subnet that have errors. */
    public static List<CableErrors> of(PlacedSubnet subnet, Counts counts) {
        Fabric fabric = subnet.fabric();
        List<CableErrors> all = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                int far = fabric.peer(port);
                if (far > port && fabric.isSwitch(fabric.nodeOf(far))) {
                    double rate = Math.max(
                            counts.perMinute(fabric.nodeGuid(sw), portNum),
                            counts.perMinute(fabric.nodeGuid(fabric.nodeOf(far)), fabric.portNum(far)));
                    if (rate > 0) {
                        all.add(new CableErrors(
                                NamedEnd.of(LostCable.LostEnd.of(subnet, port)),
                                NamedEnd.of(LostCable.LostEnd.of(subnet, far)),
                                rate));
                    }
                }
            }
        }
        return all;
    }

    Ends ends() {
        return new Ends(near.port(), far.port());
    }
}
