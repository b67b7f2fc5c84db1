package io.torussm.sim.shape;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology;

/**
 * A hypercube: 2^DIM switches, connected if their binary numbers differ in one digit. Ports of a switch in order: the
 * parallel cables for each digit, the least significant digit first; hosts. Names are {@code sw-0110} and
 * {@code host-0110-NUMBER}.
 */
final class HypercubeShape {
    static final String GRAMMAR = "hypercube:DIM[,hosts=N][,links=N]";

    private static final int MAX_DIMENSIONS = 15;

    private HypercubeShape() {}

    static Topology read(SpecWords words) {
        words.checkSize(1, 1);
        int dimensions = words.number(0, "DIM", 1, MAX_DIMENSIONS);
        int hosts = words.option("hosts", 1, 0, NodeInfo.MAX_PORT_NUM);
        int links = words.option("links", 1, 1, NodeInfo.MAX_PORT_NUM);
        int switches = 1 << dimensions;
        int ports = words.checkedPorts((long) dimensions * links + hosts);
        words.checkLids(switches, (long) switches * hosts);
        ShapeBuilder builder = new ShapeBuilder();
        for (int host = 0; host < switches * hosts; host++) {
            builder.addHost("host-" + digits(host / hosts, dimensions) + "-" + host % hosts, 1);
        }
        for (int sw = 0; sw < switches; sw++) {
            builder.addSwitch("sw-" + digits(sw, dimensions), ports);
        }
        for (int sw = 0; sw < switches; sw++) {
            for (int h = 0; h < hosts; h++) {
                builder.attach(sw * hosts + h, sw, dimensions * links + 1 + h);
            }
            for (int port = 0; port < dimensions * links; port++) {
                // The neighbour differs in the digit of this port, and has the cable at the same port.
                int other = sw ^ 1 << port / links;
                if (sw < other) {
                    builder.cable(sw, 1 + port, other, 1 + port);
                }
            }
        }
        return builder.build();
    }

    private static String digits(int number, int length) {
        String digits = Integer.toBinaryString(number);
        return "0".repeat(length - digits.length()) + digits;
    }
}
