package io.torussm.sim.shape;

import io.torussm.mad.Lids;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A random fabric, equal for equal seeds: a ring through all switches in a random order, then random matchings, so that
 * each switch has up to DEGREE cables to different neighbours. Hosts have the last ports. Names are {@code sw-NUMBER}
 * and {@code host-SWITCH-NUMBER}.
 */
final class RandomShape {
    static final String GRAMMAR = "random:SWITCHES,DEGREE[,hosts=N][,seed=N]";

    /** Cables of a switch in the ring, which is the min DEGREE. */
    private static final int RING_CABLES = 2;

    private final int switches;
    private final int degree;
    private final int hosts;
    private final Random random;
    private final ShapeBuilder builder = new ShapeBuilder();

    /** Ports with a cable to a switch, by switch; these are the first ones. */
    private final int[] usedPorts;

    /** Connected pairs of switches: lower number times {@link #switches} plus higher number. */
    private final Set<Long> connectedPairs = new HashSet<>();

    private RandomShape(SpecWords words) {
        words.checkSize(2, 2);
        switches = words.number(0, "SWITCHES", RING_CABLES + 1, Lids.UNICAST_LAST);
        degree = words.number(1, "DEGREE", RING_CABLES, Math.min(switches - 1, NodeInfo.MAX_PORT_NUM));
        hosts = words.option("hosts", 1, 0, NodeInfo.MAX_PORT_NUM);
        random = new Random(words.option("seed", 1, 0, 999_999));
        usedPorts = new int[switches];
        int ports = words.checkedPorts((long) degree + hosts);
        words.checkLids(switches, (long) switches * hosts);
        for (int host = 0; host < switches * hosts; host++) {
            builder.addHost("host-" + host / hosts + "-" + host % hosts, 1);
        }
        for (int sw = 0; sw < switches; sw++) {
            builder.addSwitch("sw-" + sw, ports);
        }
    }

    static Topology read(SpecWords words) {
        return new RandomShape(words).topology();
    }

    private Topology topology() {
        for (int host = 0; host < switches * hosts; host++) {
            builder.attach(host, host / hosts, degree + 1 + host % hosts);
        }
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, switches).boxed().toList());
        Collections.shuffle(order, random);
        for (int i = 0; i < switches; i++) {
            connect(order.get(i), order.get((i + 1) % switches));
        }
        for (int round = RING_CABLES; round < degree; round++) {
            Collections.shuffle(order, random);
            for (int i = 0; i + 1 < switches; i += 2) {
                connect(order.get(i), order.get(i + 1));
            }
        }
        return builder.build();
    }

    /** Connects two switches unless they are connected already. */
    private void connect(int a, int b) {
        if (connectedPairs.add((long) Math.min(a, b) * switches + Math.max(a, b))) {
            builder.cable(a, ++usedPorts[a], b, ++usedPorts[b]);
        }
    }
}
