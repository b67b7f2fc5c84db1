package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;

/** The difference between a fabric and the torus that fits its cables best, as text for operators. */
final class Mismatch {
    /** At most one in {@value} cables, switches or positions may be wrong. */
    private static final int TOLERANCE = 4;

    private Mismatch() {}

    /** Checks whether so many cables, positions or switches differ that the graph is no torus. */
    static boolean isNoTorus(Embedding embedding) {
        int ends = 0;
        for (int sw = 0; sw < embedding.graph().switchCount(); sw++) {
            ends += embedding.graph().neighbours(sw).length;
        }
        int faults = embedding.strays() + embedding.gaps().size();
        int empty = embedding.shape().positions() - embedding.placedCount();
        int unplaced = embedding.graph().switchCount() - embedding.placedCount();
        return TOLERANCE * faults > ends / 2
                || TOLERANCE * empty > embedding.shape().positions()
                || TOLERANCE * unplaced > embedding.graph().switchCount();
    }

    /** Returns the differences as text; empty if nothing differs. */
    static String describe(Embedding embedding) {
        Fabric fabric = embedding.graph().fabric();
        List<String> parts = new ArrayList<>();
        count(parts, embedding.shape().positions() - embedding.placedCount(), "position", "without a switch");
        count(parts, fabric.switchCount() - embedding.placedCount(), "switch", "without a position");
        count(parts, embedding.gaps().size(), "pair", "of neighbours without a cable");
        count(parts, embedding.strays(), "pair", "of switches with a cable that are no neighbours");
        return parts.isEmpty()
                ? ""
                : "the fabric looks most like \"" + embedding.shape().confLine() + "\", but there "
                        + (parts.get(0).startsWith("1 ") ? "is " : "are ") + String.join(", ", parts)
                        + example(embedding);
    }

    private static void count(List<String> parts, int count, String noun, String rest) {
        if (count > 0) {
            String plural = noun.endsWith("ch") ? noun + "es" : noun + "s";
            parts.add(count + " " + (count == 1 ? noun : plural) + " " + rest);
        }
    }

    private static String example(Embedding embedding) {
        Fabric fabric = embedding.graph().fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int neighbour : embedding.graph().neighbours(sw)) {
                if (!embedding.joinsNeighbours(sw, neighbour)) {
                    int port = fabric.port(sw, embedding.graph().ports(sw, neighbour)[0]);
                    return "; one such cable leads from " + fabric.portName(port) + " to "
                            + fabric.portName(fabric.peer(port));
                }
            }
        }
        return "";
    }

    /** Returns the reason why no torus fits a graph. */
    static String describeNoTorus(TorusGraph graph) {
        int count = graph.switchCount();
        if (count < 2) {
            return "the fabric has " + (count == 0 ? "no switch" : "one switch only") + "; a torus has at least two";
        }
        int center = 0;
        for (int sw = 0; sw < count; sw++) {
            center = graph.neighbours(sw).length > graph.neighbours(center).length ? sw : center;
        }
        int neighbours = graph.neighbours(center).length;
        return "the switches are not cabled as a torus or mesh of up to three dimensions: at no switch do cables pair "
                + "off into at most three straight lines"
                + (neighbours > 2 * TorusShape.DIMENSIONS
                        ? "; " + graph.fabric().name(center) + " has cables to " + neighbours
                                + " other switches, where a torus has 6 at most"
                        : "");
    }
}
