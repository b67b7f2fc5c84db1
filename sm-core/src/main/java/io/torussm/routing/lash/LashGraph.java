package io.torussm.routing.lash;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Switches by id and the links of each in the order in which they are searched; ids and order decide which of several
 * shortest paths is taken. Immutable.
 *
 * @param switches by id: switch index
 * @param targets by id, then by link: the id of the switch behind it
 * @param ports by id, then by link: the numbers of its ports, more than one if parallel cables are one link
 */
record LashGraph(int[] switches, int[][] targets, int[][][] ports) {
    /**
     * Returns the graph in the order of OpenSM: switches by GUID, links by port number.
     *
     * @param isMerged true if parallel cables are one link; else each is a link, and routes use the first
     *     only
     */
    static LashGraph of(Links links, boolean isMerged) {
        Fabric fabric = links.fabric();
        int[] switches = links.order().clone();
        int[] idOf = new int[switches.length];
        for (int id = 0; id < switches.length; id++) {
            idOf[switches[id]] = id;
        }
        int[][] targets = new int[switches.length][0];
        int[][][] ports = new int[switches.length][0][];
        for (int id = 0; id < switches.length; id++) {
            for (int portNum = 1; portNum <= fabric.numPorts(switches[id]); portNum++) {
                int next = links.behind(fabric.port(switches[id], portNum));
                if (next != Fabric.NONE) {
                    int known = isMerged ? indexOf(targets[id], idOf[next]) : -1;
                    int link = known < 0 ? targets[id].length : known;
                    if (known < 0) {
                        targets[id] = and(targets[id], idOf[next]);
                        ports[id] = Arrays.copyOf(ports[id], link + 1);
                        ports[id][link] = new int[0];
                    }
                    ports[id][link] = and(ports[id][link], portNum);
                }
            }
        }
        return new LashGraph(switches, targets, ports);
    }

    private static int[] and(int[] numbers, int one) {
        int[] longer = Arrays.copyOf(numbers, numbers.length + 1);
        longer[numbers.length] = one;
        return longer;
    }

    /** Returns where a number stands first; -1 if it is missing. */
    static int indexOf(int[] numbers, int number) {
        int at = 0;
        while (at < numbers.length && numbers[at] != number) {
            at++;
        }
        return at < numbers.length ? at : -1;
    }

    /**
     * Returns this graph with other ids and links in another order.
     *
     * @param ids by new id: the old one
     * @param order by old id: its links in their new order
     */
    LashGraph reordered(int[] ids, int[][] order) {
        int[] newIds = new int[ids.length];
        for (int id = 0; id < ids.length; id++) {
            newIds[ids[id]] = id;
        }
        int[][] newTargets = new int[ids.length][];
        int[][][] newPorts = new int[ids.length][][];
        for (int id = 0; id < ids.length; id++) {
            int old = ids[id];
            newTargets[id] = IntStream.of(order[old])
                    .map(link -> newIds[targets[old][link]])
                    .toArray();
            newPorts[id] =
                    IntStream.of(order[old]).mapToObj(link -> ports[old][link]).toArray(int[][]::new);
        }
        int[] newSwitches = IntStream.of(ids).map(id -> switches[id]).toArray();
        return new LashGraph(newSwitches, newTargets, newPorts);
    }

    int size() {
        return switches.length;
    }

    /** Returns the id, by switch index. */
    int[] ids() {
        int[] ids = new int[switches.length];
        for (int id = 0; id < ids.length; id++) {
            ids[switches[id]] = id;
        }
        return ids;
    }

    /** Returns the number of links of a switch. */
    int degree(int id) {
        return targets[id].length;
    }
}
