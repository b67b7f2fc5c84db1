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
 * Routes and lanes of pairs of switches in the active plan, as far as no cable on the way is lost. Nothing
 * was added since, so the remaining routes are still shortest. They can be combined with new shortest routes.
 */
final class EarlierPairs {
    private static final char CUT = 0xffff;

    private final LashPaths before;
    private final int size;

    /** By switch: its table; by id, the switch index then. */
    private final byte[][] tables;

    private final int[] then;

    /** By id, then by the id of the destination: the link, numbered within the switch. */
    private final char[] links;

    private EarlierPairs(EngineContext context, Links links, LashGraph graph, LashPaths previous, byte[][] tables) {
        Subnet subnet = context.subnet();
        this.before = previous;
        this.tables = tables;
        size = graph.size();
        then = Arrays.stream(graph.switches())
                .map(sw -> previous.switchOf(subnet.fabric().nodeGuid(sw)))
                .toArray();
        this.links = new char[size * size];
        Arrays.fill(this.links, CUT);
        int[][] linkOf = linksByPort(graph, subnet.fabric());
        KeptEntries keptEntries = new KeptEntries(subnet, links, tables);
        int[] ids = graph.ids();
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int to = subnet.switchOfLid(lid);
            for (int id = 0; to != Fabric.NONE && id < size; id++) {
                int sw = graph.switches()[id];
                if (sw != to && this.links[id * size + ids[to]] == CUT && keptEntries.isWhole(sw, lid)) {
                    this.links[id * size + ids[to]] = (char) linkOf[id][tables[sw][lid] & 0xff];
                }
            }
        }
    }

    /**
     * Returns the pairs of the active plan.
     *
     * @param settings the engine's settings
     * @return null if the plan is of another engine or other settings, or if there are switches or cables
     *     that are new to it
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

    private static int[][] linksByPort(LashGraph graph, Fabric fabric) {
        int[][] linkOf = new int[graph.size()][];
        for (int id = 0; id < linkOf.length; id++) {
            linkOf[id] = new int[fabric.numPorts(graph.switches()[id]) + 1];
            Arrays.fill(linkOf[id], CUT);
            for (int link = 0; link < graph.degree(id); link++) {
                for (int portNum : graph.ports()[id][link]) {
                    linkOf[id][portNum] = link;
                }
            }
        }
        return linkOf;
    }

    /** Checks whether a pair of ids still has its route in both directions. */
    boolean isWhole(int from, int to) {
        return leads(from, to) && leads(to, from);
    }

    /** Checks whether the route from an id to another one is complete. */
    boolean leads(int from, int to) {
        return links[from * size + to] != CUT;
    }

    /** Returns the first link of such a route, numbered within the switch. */
    char link(int from, int to) {
        return links[from * size + to];
    }

    /** Returns the lane of a pair of ids. */
    int lane(int from, int to) {
        return before.lane(then[from], then[to]);
    }

    /** Returns the egress port from a switch to a LID, by index of the switch now; 255 if there was none. */
    int port(int sw, int lid) {
        return lid < tables[sw].length ? tables[sw][lid] & 0xff : 0xff;
    }

    /** Returns the number of pairs that stay unchanged, as findings. */
    List<Finding> notes(Layers layers) {
        long same = 0;
        long turned = 0;
        long others = 0;
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                boolean isSame = lane(from, to) == layers.lane(from, to);
                same += from != to && isSame && leads(from, to) ? 1 : 0;
                turned += from != to && isSame && !leads(from, to) ? 1 : 0;
                others += isSame ? 0 : 1;
            }
        }
        return new KeptPaths(same, turned, others).notes(LashEngine.NAME, "paths between switches");
    }
}
