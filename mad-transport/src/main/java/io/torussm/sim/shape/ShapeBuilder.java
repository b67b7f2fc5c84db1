package io.torussm.sim.shape;

import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * A builder with hosts and switches by number, from 0 in the order of addition, which determines their GUIDs. All hosts
 * must be added before the first switch.
 */
final class ShapeBuilder {
    /** Max ports of a host. GUIDs of hosts are 16 apart, and port p has the GUID of its host plus p. */
    static final int MAX_HOST_PORTS = 8;

    private static final long FIRST_HOST = 0x1_0000_0000L;
    private static final long FIRST_SWITCH = 0x20_0000L;
    private static final int GUID_STEP = 0x10;

    private final TopologyBuilder builder = new TopologyBuilder();
    private final List<Topology.Node> hosts = new ArrayList<>();
    private final List<Topology.Node> switches = new ArrayList<>();

    /** Adds the next host. */
    void addHost(String name, int ports) {
        hosts.add(builder.addHost(name, FIRST_HOST + (long) GUID_STEP * hosts.size(), ports));
    }

    /** Adds the next switch. */
    void addSwitch(String name, int ports) {
        switches.add(builder.addSwitch(name, FIRST_SWITCH + (long) GUID_STEP * switches.size(), ports));
    }

    /** Connects two switches. */
    void cable(int sw, int port, int otherSw, int otherPort) {
        builder.connect(switches.get(sw), port, switches.get(otherSw), otherPort);
    }

    /** Connects port 1 of a host to a switch. */
    void attach(int host, int sw, int port) {
        attach(host, 1, sw, port);
    }

    /** Connects a host to a switch. */
    void attach(int host, int hostPort, int sw, int port) {
        builder.connect(hosts.get(host), hostPort, switches.get(sw), port);
    }

    /** Connects two ports of hosts. */
    void joinHosts(int host, int port, int otherHost, int otherPort) {
        builder.connect(hosts.get(host), port, hosts.get(otherHost), otherPort);
    }

    Topology build() {
        return builder.build();
    }
}
