package io.torussm.routing.lash;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.balance.EarlierRoutes;
import io.torussm.routing.balance.Links;
import io.torussm.routing.lanes.KeptPaths;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The routes and lanes of pairs of switches in the active plan. A route counts only if none of its cables is
 * lost. No switch and no cable was added since, so the remaining routes are still shortest, and can be combined
 * with new shortest routes. An id is the number of a switch in {@link LashGraph}.
 */
final class EarlierPairs {
    /** The entry of a pair without a complete route. */
    private static final char NO_ROUTE = 0xffff;

    private final LashPaths previousPaths;
    private final int size;

    /** Active tables {@code [switch][LID]}: output port. */
    private final byte[][] tables;

    /** By id: the index of the switch in the fabric of the active plan. */
    private final int[] previousIndex;

    /**
     * By {@code from * size + to} (ids): the first link of the route, an index within the switch, or {@link #NO_ROUTE}.
     */
    private final char[] links;

    private EarlierPairs(EngineContext context, Links links, LashGraph graph, LashPaths previous, byte[][] tables) {
        Subnet subnet = context.subnet();
        this.previousPaths = previous;
        this.tables = tables;
        size = graph.size();
        previousIndex = Arrays.stream(graph.switches())
                .map(sw -> previous.switchOf(subnet.fabric().nodeGuid(sw)))
                .toArray();
        this.links = new char[size * size];
        Arrays.fill(this.links, NO_ROUTE);
        int[][] linkOf = linksByPort(graph, subnet.fabric());
        KeptEntries keptEntries = new KeptEntries(subnet, links, tables);
        int[] ids = graph.ids();
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int to = subnet.switchOfLid(lid);
            for (int id = 0; to != Fabric.NONE && id < size; id++) {
                int sw = graph.switches()[id];
                if (sw != to && this.links[id * size + ids[to]] == NO_ROUTE && keptEntries.isWhole(sw, lid)) {
                    this.links[id * size + ids[to]] = (char) linkOf[id][tables[sw][lid] & 0xff];
                }
            }
        }
    }

    /**
     * Returns the pairs of the active plan of {@code context}.
     *
     * @param settings current settings of the engine
     * @return pairs; null if the plan was made by another engine or with other settings, or if a switch or cable is
     *     new
     */
    static @Nullable EarlierPairs of(
            EngineContext context, Links links, LashGraph graph, LashEngine.Settings settings) {
        Plan active = context.active();
        byte[][] tables = EarlierRoutes.betweenSwitches(context, LashEngine.NAME);
        return active == null
                        || tables[0].length == 0
                        || !(active.explainer() instanceof LashPaths previous)
                        || !previous.settings().equals(settings)
                ? null
                : new EarlierPairs(context, links, graph, previous, tables);
    }

    /** Returns links {@code [id][port number]}, {@link #NO_ROUTE} for a port without a link. */
    private static int[][] linksByPort(LashGraph graph, Fabric fabric) {
        int[][] linkOf = new int[graph.size()][];
        for (int id = 0; id < linkOf.length; id++) {
            linkOf[id] = new int[fabric.numPorts(graph.switches()[id]) + 1];
            Arrays.fill(linkOf[id], NO_ROUTE);
            for (int link = 0; link < graph.degree(id); link++) {
                for (int portNum : graph.ports()[id][link]) {
                    linkOf[id][portNum] = link;
                }
            }
        }
        return linkOf;
    }

    /** Checks whether a pair of ids has complete routes in both directions. */
    boolean isWhole(int from, int to) {
        return leads(from, to) && leads(to, from);
    }

    /** Checks whether the route from one id to another is complete. */
    boolean leads(int from, int to) {
        return links[from * size + to] != NO_ROUTE;
    }

    /** Returns the first link of a complete route, an index within the switch {@code from}. */
    char link(int from, int to) {
        return links[from * size + to];
    }

    /** Returns the lane of a pair of ids in the active plan. */
    int lane(int from, int to) {
        return previousPaths.lane(previousIndex[from], previousIndex[to]);
    }

    /**
     * Returns the output port of a switch for a LID in the active plan; 255 for no path.
     *
     * @param sw index of the switch in the current fabric
     */
    int port(int sw, int lid) {
        return lid < tables[sw].length ? tables[sw][lid] & 0xff : 0xff;
    }

    /**
     * Returns findings with the numbers of pairs that keep route and lane, that keep only the lane, and others.
     *
     * @param layers new lanes
     */
    List<Finding> notes(Layers layers) {
        long same = 0;
        long rerouted = 0;
        long others = 0;
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                boolean isSame = lane(from, to) == layers.lane(from, to);
                same += from != to && isSame && leads(from, to) ? 1 : 0;
                rerouted += from != to && isSame && !leads(from, to) ? 1 : 0;
                others += isSame ? 0 : 1;
            }
        }
        return new KeptPaths(same, rerouted, others).notes(LashEngine.NAME, "paths between switches");
    }
}
