package io.torussm.routing.lash;

import java.util.Arrays;

/**
 * A shortest route between each two switches, out of the search trees of all switches in the order of ids:
 * the first tree in which one switch lies below another decides on the link between them. Steps do not depend
 * on where packets come from, so routes to a switch are a tree, though parts of it come from several
 * searches.
 */
final class ShortestRoutes {
    private static final char UNSET = 0xffff;

    private final LashGraph graph;

    /** By id, and one more: its first link, over all switches. */
    private final int[] firstLink;

    /** By link over all switches: the id of the switch it leads to. */
    private final int[] targets;

    /** By id, then by the id of the destination: the link, numbered within the switch. */
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
            tree.take();
        }
    }

    private ShortestRoutes(ShortestRoutes found, char[] links) {
        graph = found.graph;
        firstLink = found.firstLink;
        targets = found.targets;
        this.links = links;
    }

    /** Returns these routes, with earlier routes as far as they remain. */
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

    /** A search tree; switches below another one follow it directly in {@code preorder}. */
    private final class Tree {
        private final int[] queue;
        private final int[] parent;
        private final int[] linkFromParent;
        private final int[] below;
        private final int[] placeOf;
        private final int[] preorder;
        private int count;

        Tree(int size) {
            queue = new int[size];
            parent = new int[size];
            linkFromParent = new int[size];
            below = new int[size];
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
                below[id] = 1;
                int[] next = graph.targets()[id];
                for (int link = 0; link < next.length; link++) {
                    if (parent[next[link]] < 0) {
                        parent[next[link]] = id;
                        linkFromParent[next[link]] = link;
                        queue[count++] = next[link];
                    }
                }
            }
            for (int at = count - 1; at > 0; at--) {
                below[parent[queue[at]]] += below[queue[at]];
            }
            placeOf[root] = 0;
            preorder[0] = root;
            int[] taken = new int[queue.length];
            for (int at = 1; at < count; at++) {
                int id = queue[at];
                placeOf[id] = placeOf[parent[id]] + 1 + taken[parent[id]];
                taken[parent[id]] += below[id];
                preorder[placeOf[id]] = id;
            }
        }

        void take() {
            for (int at = 1; at < count; at++) {
                int id = queue[at];
                int row = parent[id] * graph.size();
                for (int place = placeOf[id]; place < placeOf[id] + below[id]; place++) {
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

    /** Checks whether there is a route from a switch to another one. */
    boolean leads(int from, int to) {
        return from == to || links[from * graph.size() + to] != UNSET;
    }

    /** Returns the first link from a switch to another one that it leads to, numbered within the switch. */
    int linkWithin(int from, int to) {
        return links[from * graph.size() + to];
    }

    /** Returns the same, numbered over all switches. */
    int link(int from, int to) {
        return firstLink[from] + links[from * graph.size() + to];
    }

    /** Returns where a link leads, numbered over all switches. */
    int target(int link) {
        return targets[link];
    }
}
