package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;

/** Between whom paths are counted: ports of hosts, by their first LIDs; switches, where there are no hosts. */
public final class PathEnds {
    private final Subnet subnet;
    private final int[] ports;
    private final int[] endsOfSwitch;

    /** Of a subnet: its hosts, or its switches if it has none. */
    public PathEnds(Subnet subnet) {
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
    public int[] ports() {
        return ports;
    }

    /** The switch that an end is, or hangs on. */
    public int switchOf(int port) {
        return subnet.fabric().switchOf(port);
    }

    /** The LID of an end. */
    public int lid(int port) {
        return subnet.lid(port);
    }

    /** How many hang on a switch, or are it. */
    public int on(int sw) {
        return endsOfSwitch[sw];
    }

    /** The name of an end, for people. */
    public String name(int port) {
        return subnet.fabric().nodeName(subnet.fabric().nodeOf(port));
    }
}
