package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The routes of a complete torus, computed in the simplest way. Coordinates are those of the cabling. Only the order in
 * which switches were placed is shared with the engine.
 */
final class NaiveTorus {
    private final TestTorus torus;
    private final Subnet subnet;
    private final List<Integer> portOrder;
    /** Cabled switches (numbers of {@link TestTorus}) in the order in which the engine placed them. */
    private final List<Integer> installOrder;

    NaiveTorus(TestTorus torus, Subnet subnet, List<Integer> portOrder, List<Integer> installOrder) {
        this.torus = torus;
        this.subnet = subnet;
        this.portOrder = portOrder;
        this.installOrder = installOrder;
    }

    int sl(int src, int dst) {
        int sl = 0;
        for (int d = 0; d < 3; d++) {
            int n = torus.radix[d];
            int s = torus.at(src)[d];
            int t = torus.at(dst)[d];
            int up = Math.floorMod(t - s, n);
            int down = Math.floorMod(s - t, n);
            int straight = t >= s ? up : down;
            boolean wraps = n - straight < straight && n > 1;
            sl += wraps ? 1 << d : 0;
        }
        return sl;
    }

    /** Returns the direction in which packets leave, as {@code 2 * d} or {@code 2 * d + 1}. */
    private int direction(int src, int dst) {
        for (int d = 0; d < 3; d++) {
            int n = torus.radix[d];
            int s = torus.at(src)[d];
            int t = torus.at(dst)[d];
            if (s == t) {
                continue;
            }
            if (torus.mesh[d] || n == 2) {
                return t > s ? 2 * d + 1 : 2 * d;
            }
            int up = Math.floorMod(t - s, n);
            int down = n - up;
            if (up == down) {
                return t > s ? 2 * d + 1 : 2 * d;
            }
            return up < down ? 2 * d + 1 : 2 * d;
        }
        throw new IllegalArgumentException("same switch");
    }

    /** Returns the ports of a switch in one direction: on the - side in the order of the neighbour's port numbers. */
    private List<Integer> ports(int at, int direction) {
        int d = direction / 2;
        List<Integer> ports = new ArrayList<>();
        Map<Integer, Integer> key = new HashMap<>();
        for (int cable = 0; cable < torus.links; cable++) {
            if (direction % 2 == 1) {
                ports.add(torus.plusPort(at, d, cable));
                key.put(torus.plusPort(at, d, cable), torus.plusPort(at, d, cable));
            } else {
                int[] before = torus.at(at);
                before[d] = Math.floorMod(before[d] - 1, torus.radix[d]);
                ports.add(torus.minusPort(at, d, cable));
                key.put(torus.minusPort(at, d, cable), torus.plusPort(torus.index(before), d, cable));
            }
        }
        ports.sort((a, b) -> Integer.compare(key.getOrDefault(a, 0), key.getOrDefault(b, 0)));
        return ports;
    }

    /** Returns the forwarding table of a cabled switch. */
    byte[] table(int at) {
        Fabric fabric = subnet.fabric();
        byte[] table = new byte[subnet.topLid() + 1];
        Arrays.fill(table, (byte) 0xff);
        Map<String, Integer> dealt = new HashMap<>();
        for (int dst : installOrder) {
            int sw = fabric.nodeByGuid(torus.guid(torus.at(dst)));
            for (int port : portOrder) {
                if (port > fabric.numPorts(sw)) {
                    continue;
                }
                int endport = port == 0 ? fabric.port(sw, 0) : fabric.peer(fabric.port(sw, port));
                if (endport == Fabric.NONE || port != 0 && fabric.isSwitch(fabric.nodeOf(endport))) {
                    continue;
                }
                int out = port;
                if (dst != at) {
                    int direction = direction(at, dst);
                    String counter = direction + (port == 0 ? " switch" : " host");
                    int n = dealt.merge(counter, 1, Integer::sum) - 1;
                    out = ports(at, direction).get(n % torus.links);
                }
                for (int lid = subnet.lid(endport); lid < subnet.lid(endport) + (1 << subnet.lmc(endport)); lid++) {
                    table[lid] = (byte) out;
                }
            }
        }
        return table;
    }
}
