package io.torussm.routing.lash;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The graph of switches, with an id for each switch and an order of the links of each switch. Ids and order
 * decide which of several shortest paths is used. A link of a switch is a number from 0 on. Immutable.
 *
 * @param switches switch index {@code [id]}
 * @param targets id of the neighbour {@code [id][link]}
 * @param ports port numbers {@code [id][link]}; several if parallel cables are one link
 */
record LashGraph(int[] switches, int[][] targets, int[][][] ports) {
    /**
     * Returns the graph in the order of OpenSM: switches by GUID, links by port number.
     *
     * @param isMerged true if parallel cables are one link; false if each cable is a link, of which routes use the
     *     first only
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
                int next = links.farSwitch(fabric.port(switches[id], portNum));
                if (next != Fabric.NONE) {
                    int existing = isMerged ? indexOf(targets[id], idOf[next]) : -1;
                    int link = existing < 0 ? targets[id].length : existing;
                    if (existing < 0) {
                        targets[id] = append(targets[id], idOf[next]);
                        ports[id] = Arrays.copyOf(ports[id], link + 1);
                        ports[id][link] = new int[0];
                    }
                    ports[id][link] = append(ports[id][link], portNum);
                }
            }
        }
        return new LashGraph(switches, targets, ports);
    }

    private static int[] append(int[] numbers, int number) {
        int[] longer = Arrays.copyOf(numbers, numbers.length + 1);
        longer[numbers.length] = number;
        return longer;
    }

    /** Returns the first index of a number in an array; -1 if the number is missing. */
    static int indexOf(int[] numbers, int number) {
        int i = 0;
        while (i < numbers.length && numbers[i] != number) {
            i++;
        }
        return i < numbers.length ? i : -1;
    }

    /**
     * Returns a copy with other ids and another order of links.
     *
     * @param ids old id by new id
     * @param order links {@code [old id]} in their new order
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

    /** Returns the id by switch index. */
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
