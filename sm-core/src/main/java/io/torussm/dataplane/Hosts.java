package io.torussm.dataplane;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The ports of hosts that have a LID and a cable, numbered from 0. */
public final class Hosts {
    private final Subnet subnet;
    private final int[] ports;
    private final int[] hostOfPort;

    /** Numbers the hosts of a subnet in the order of their port indexes, which is that of their GUIDs. */
    public Hosts(Subnet subnet) {
        this(subnet, IntStream.range(0, subnet.fabric().portCount()));
    }

    /**
     * Numbers the hosts of a subnet in a given order.
     *
     * @param order port indexes, each once; ports that are no hosts with a LID and a cable are ignored
     */
    public Hosts(Subnet subnet, IntStream order) {
        this.subnet = subnet;
        Fabric fabric = subnet.fabric();
        ports = order.filter(port ->
                        fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && PathEnds.isEnd(subnet, port))
                .toArray();
        hostOfPort = new int[fabric.portCount()];
        Arrays.fill(hostOfPort, Fabric.NONE);
        for (int host = 0; host < ports.length; host++) {
            hostOfPort[ports[host]] = host;
        }
    }

    public int count() {
        return ports.length;
    }

    /** Returns the port index of a host. */
    public int port(int host) {
        return ports[host];
    }

    /** Returns the host at a port index, {@link Fabric#NONE} if there is none. */
    public int hostAt(int port) {
        return hostOfPort[port];
    }

    public int lid(int host) {
        return subnet.lid(ports[host]);
    }

    /** Returns the number of LIDs of a host, from {@link #lid} on. */
    public int lidCount(int host) {
        return 1 << subnet.lmc(ports[host]);
    }

    /** Returns the time of a byte on its cable, in picoseconds. */
    public int psPerByte(int host) {
        return DataLinks.psPerByte(subnet.fabric(), ports[host]);
    }

    /** Returns the switch that a host is attached to, {@link Fabric#NONE} on a fabric without a switch. */
    public int switchOf(int host) {
        return subnet.fabric().switchOf(ports[host]);
    }

    /** Returns the name of a host for messages. */
    public String name(int host) {
        return subnet.fabric().portName(ports[host]);
    }

    /** Returns the subnet of the hosts. */
    public Subnet subnet() {
        return subnet;
    }
}
