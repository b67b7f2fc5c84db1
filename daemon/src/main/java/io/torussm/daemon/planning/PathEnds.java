package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;

/** Between whom paths are counted: ports of hosts, by their first LIDs; switches, where there are no hosts. */
final class PathEnds {
    private final Subnet subnet;
    private final int[] ports;
    private final int[] endsOfSwitch;

    PathEnds(Subnet subnet) {
        this.subnet = subnet;
        Fabric fabric = subnet.fabric();
        int[] all = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && subnet.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE)
                .toArray();
        int[] hosts = IntStream.of(all)
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)))
                .toArray();
        ports = hosts.length > 0 ? hosts : all;
        endsOfSwitch = new int[fabric.switchCount()];
        for (int port : ports) {
            endsOfSwitch[fabric.switchOf(port)]++;
        }
    }

    /** Port indexes. */
    int[] ports() {
        return ports;
    }

    int switchOf(int port) {
        return subnet.fabric().switchOf(port);
    }

    int lid(int port) {
        return subnet.lid(port);
    }

    /** How many hang on a switch, or are it. */
    int on(int sw) {
        return endsOfSwitch[sw];
    }

    /** The name of an end, for people. */
    String name(int port) {
        return subnet.fabric().node(subnet.fabric().nodeOf(port)).description();
    }
}
