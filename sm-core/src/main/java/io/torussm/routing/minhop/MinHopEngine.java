package io.torussm.routing.minhop;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/**
 * Shortest paths. Destinations are taken by the index of their switch and then by LID, and for each of them a switch
 * chooses among the ports that lead nearer:
 *
 * <ol>
 *   <li>the one that was given the fewest LIDs of CAs and routers so far;
 *   <li>of those, the one with the lowest number.
 * </ol>
 */
public final class MinHopEngine implements Engine {
    /** As {@code routing_engine} calls it. */
    public static final String NAME = "minhop";

    private static final byte NO_PATH = (byte) 0xff;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RoutingResult route(EngineContext context) {
        boolean isQos = context.options().qos();
        return new Routing(context.subnet()).plan(isQos ? context.config().sl2vl() : Sl2VlTables.DEFAULT);
    }

    private static final class Routing {
        private final Subnet subnet;
        private final Fabric fabric;
        private final byte[][] lfts;

        /** By port index: LIDs of CAs and routers that leave there. */
        private final int[] load;

        private final int[] hops;
        private final int[] queue;

        /** By switch: the lowest switch that it is connected to. */
        private final int[] island;

        Routing(Subnet subnet) {
            this.subnet = subnet;
            fabric = subnet.fabric();
            int switches = fabric.switchCount();
            lfts = new byte[switches][subnet.topLid() + 1];
            for (byte[] lft : lfts) {
                Arrays.fill(lft, NO_PATH);
            }
            load = new int[fabric.portCount()];
            hops = new int[switches];
            queue = new int[switches];
            island = new int[switches];
            Arrays.fill(island, Fabric.NONE);
        }

        Plan plan(Sl2VlTables sl2vl) {
            int[][] lidsOf = lidsBySwitch();
            for (int destination = 0; destination < lidsOf.length; destination++) {
                int reached = measure(destination);
                for (int i = 0; i < reached; i++) {
                    if (island[queue[i]] == Fabric.NONE) {
                        island[queue[i]] = destination;
                    }
                }
                for (int i = 1; i < reached; i++) {
                    for (int lid : lidsOf[destination]) {
                        forward(queue[i], lid);
                    }
                }
                for (int lid : lidsOf[destination]) {
                    lfts[destination][lid] = (byte) deliveryPort(lid);
                }
            }
            return Plan.builder(NAME, subnet, lfts).operatorSl2Vl(sl2vl, island).build();
        }

        private int[][] lidsBySwitch() {
            int[] count = new int[fabric.switchCount()];
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int sw = subnet.switchOfLid(lid);
                if (sw != Fabric.NONE) {
                    count[sw]++;
                }
            }
            int[][] lids = new int[count.length][];
            Arrays.setAll(lids, sw -> new int[count[sw]]);
            for (int lid = subnet.topLid(); lid >= 1; lid--) {
                int sw = subnet.switchOfLid(lid);
                if (sw != Fabric.NONE) {
                    lids[sw][--count[sw]] = lid;
                }
            }
            return lids;
        }

        /** Hops of every switch to the destination; the switches reached are in the queue, nearest first. */
        private int measure(int destination) {
            Arrays.fill(hops, Integer.MAX_VALUE);
            hops[destination] = 0;
            queue[0] = destination;
            int tail = 1;
            for (int head = 0; head < tail; head++) {
                int sw = queue[head];
                for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                    int next = neighbour(fabric.port(sw, portNum));
                    if (next != Fabric.NONE && hops[next] == Integer.MAX_VALUE) {
                        hops[next] = hops[sw] + 1;
                        queue[tail++] = next;
                    }
                }
            }
            return tail;
        }

        private int neighbour(int port) {
            int far = fabric.peer(port);
            return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? fabric.nodeOf(far) : Fabric.NONE;
        }

        private void forward(int sw, int lid) {
            int best = Fabric.NONE;
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                int next = neighbour(port);
                boolean nearer = next != Fabric.NONE && hops[next] < hops[sw];
                if (nearer && (best == Fabric.NONE || load[port] < load[best])) {
                    best = port;
                }
            }
            lfts[sw][lid] = (byte) fabric.portNum(best);
            if (!fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid)))) {
                load[best]++;
            }
        }

        private int deliveryPort(int lid) {
            int endport = subnet.portOfLid(lid);
            return fabric.isSwitch(fabric.nodeOf(endport)) ? 0 : fabric.portNum(fabric.peer(endport));
        }
    }
}
