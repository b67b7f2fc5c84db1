package io.torussm.routing.lash;

import java.util.Arrays;

/**
 * A shortest route between each two switches (ids of {@link LashGraph}). The breadth-first trees of all switches
 * are searched in the order of ids. For two switches, the first tree in which one is below the other decides the
 * first link. A link does not depend on the source of packets, so the routes to a switch are a tree, although
 * its parts come from several searches.
 */
final class ShortestRoutes {
    /** The entry of a pair without a route. */
    private static final char UNSET = 0xffff;

    private final LashGraph graph;

    /** By id: the number of its first link, over all switches; the last entry is the number of links. */
    private final int[] firstLink;

    /** By link, numbered over all switches: the id of the neighbour. */
    private final int[] targets;

    /** By {@code from * size + to}: the first link of the route, an index within the switch {@code from}. */
    private final char[] links;

    ShortestRoutes(LashGraph graph) {
        this.graph = graph;
        int size = graph.size();
        firstLink = new int[size + 1];
        for (int id = 0; id < size; id++) {
            firstLink[id + 1] = firstLink[id] + graph.degree(id);
        }
        targets = new int[firstLink[size]];
        for (int id = 0; id < size; id++) {
            System.arraycopy(graph.targets()[id], 0, targets, firstLink[id], graph.degree(id));
        }
        links = new char[size * size];
        Arrays.fill(links, UNSET);
        Tree tree = new Tree(size);
        for (int root = 0; root < size; root++) {
            tree.search(root);
            tree.setLinks();
        }
    }

    private ShortestRoutes(ShortestRoutes found, char[] links) {
        graph = found.graph;
        firstLink = found.firstLink;
        targets = found.targets;
        this.links = links;
    }

    /** Returns a copy in which complete routes of the active plan replace new routes. */
    ShortestRoutes with(EarlierPairs earlier) {
        char[] mixed = links.clone();
        for (int from = 0; from < size(); from++) {
            for (int to = 0; to < size(); to++) {
                if (earlier.leads(from, to)) {
                    mixed[from * size() + to] = earlier.link(from, to);
                }
            }
        }
        return new ShortestRoutes(this, mixed);
    }

    /**
     * A breadth-first tree. In {@code preorder}, a switch is directly followed by the {@code subtreeSize - 1} switches
     * below it.
     */
    private final class Tree {
        private final int[] queue;
        private final int[] parent;
        private final int[] linkFromParent;
        /** By id: the number of switches in its subtree, including itself. */
        private final int[] subtreeSize;
        /** By id: its index in {@code preorder}. */
        private final int[] placeOf;

        private final int[] preorder;
        private int count;

        Tree(int size) {
            queue = new int[size];
            parent = new int[size];
            linkFromParent = new int[size];
            subtreeSize = new int[size];
            placeOf = new int[size];
            preorder = new int[size];
        }

        void search(int root) {
            Arrays.fill(parent, -1);
            queue[0] = root;
            parent[root] = root;
            count = 1;
            for (int head = 0; head < count; head++) {
                int id = queue[head];
                subtreeSize[id] = 1;
                int[] next = graph.targets()[id];
                for (int link = 0; link < next.length; link++) {
                    if (parent[next[link]] < 0) {
                        parent[next[link]] = id;
                        linkFromParent[next[link]] = link;
                        queue[count++] = next[link];
                    }
                }
            }
            for (int i = count - 1; i > 0; i--) {
                subtreeSize[parent[queue[i]]] += subtreeSize[queue[i]];
            }
            placeOf[root] = 0;
            preorder[0] = root;
            int[] taken = new int[queue.length];
            for (int i = 1; i < count; i++) {
                int id = queue[i];
                placeOf[id] = placeOf[parent[id]] + 1 + taken[parent[id]];
                taken[parent[id]] += subtreeSize[id];
                preorder[placeOf[id]] = id;
            }
        }

        /** Sets the link to each switch below another switch, unless an earlier tree has set it. */
        void setLinks() {
            for (int i = 1; i < count; i++) {
                int id = queue[i];
                int row = parent[id] * graph.size();
                for (int place = placeOf[id]; place < placeOf[id] + subtreeSize[id]; place++) {
                    if (links[row + preorder[place]] == UNSET) {
                        links[row + preorder[place]] = (char) linkFromParent[id];
                    }
                }
            }
        }
    }

    int size() {
        return graph.size();
    }

    /** Returns the number of links over all switches. */
    int linkCount() {
        return targets.length;
    }

    /** Checks whether a switch has a route to another switch; true for the same switch. */
    boolean leads(int from, int to) {
        return from == to || links[from * graph.size() + to] != UNSET;
    }

    /**
     * Returns the first link of the route from a switch to another switch, an index within the switch. A route must
     * exist.
     */
    int linkWithin(int from, int to) {
        return links[from * graph.size() + to];
    }

    /**
     * Returns the first link of the route from a switch to another switch, numbered over all switches. A route must
     * exist.
     */
    int link(int from, int to) {
        return firstLink[from] + links[from * graph.size() + to];
    }

    /** Returns the id of the neighbour at a link, which is numbered over all switches. */
    int target(int link) {
        return targets[link];
    }
}
