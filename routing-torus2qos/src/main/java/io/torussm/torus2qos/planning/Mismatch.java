package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;

/** How far switches and their cables are from the torus that fits them best, in the operator's words. */
final class Mismatch {
    /** One cable, switch or position in so many may be wrong; with more the graph is something else. */
    private static final int TOLERANCE = 4;

    private Mismatch() {}

    static boolean isTooFar(Embedding embedding) {
        int ends = 0;
        for (int sw = 0; sw < embedding.graph().switchCount(); sw++) {
            ends += embedding.graph().neighbours(sw).length;
        }
        int wrong = embedding.strays() + embedding.gaps().size();
        int empty = embedding.shape().positions() - embedding.placed();
        int left = embedding.graph().switchCount() - embedding.placed();
        return TOLERANCE * wrong > ends / 2
                || TOLERANCE * empty > embedding.shape().positions()
                || TOLERANCE * left > embedding.graph().switchCount();
    }

    /** Returns the faults of a fabric; empty if there are none. */
    static String describe(Embedding embedding) {
        Fabric fabric = embedding.graph().fabric();
        List<String> parts = new ArrayList<>();
        count(parts, embedding.shape().positions() - embedding.placed(), "position", "without a switch");
        count(parts, fabric.switchCount() - embedding.placed(), "switch", "without a position");
        count(parts, embedding.gaps().size(), "pair", "of neighbours without a cable");
        count(parts, embedding.strays(), "pair", "of switches with a cable that are no neighbours");
        return parts.isEmpty()
                ? ""
                : "the fabric looks most like \"" + embedding.shape().confLine() + "\", but there "
                        + (parts.get(0).startsWith("1 ") ? "is " : "are ") + String.join(", ", parts)
                        + example(embedding);
    }

    private static void count(List<String> parts, int count, String what, String rest) {
        if (count > 0) {
            String plural = what.endsWith("ch") ? what + "es" : what + "s";
            parts.add(count + " " + (count == 1 ? what : plural) + " " + rest);
        }
    }

    private static String example(Embedding embedding) {
        Fabric fabric = embedding.graph().fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int neighbour : embedding.graph().neighbours(sw)) {
                if (!embedding.fits(sw, neighbour)) {
                    int port = fabric.port(sw, embedding.graph().ports(sw, neighbour)[0]);
                    return "; one such cable leads from " + fabric.portName(port) + " to "
                            + fabric.portName(fabric.peer(port));
                }
            }
        }
        return "";
    }

    /** Returns why a graph has no shape at all. */
    static String shapeless(TorusGraph graph) {
        int count = graph.switchCount();
        if (count < 2) {
            return "the fabric has " + (count == 0 ? "no switch" : "one switch only") + "; a torus has at least two";
        }
        int most = 0;
        for (int sw = 0; sw < count; sw++) {
            most = graph.neighbours(sw).length > graph.neighbours(most).length ? sw : most;
        }
        int neighbours = graph.neighbours(most).length;
        return "the switches are not cabled as a torus or mesh of up to three dimensions: at no switch do cables pair "
                + "off into at most three straight lines"
                + (neighbours > 2 * TorusShape.DIMENSIONS
                        ? "; " + graph.fabric().name(most) + " has cables to " + neighbours
                                + " other switches, where a torus has 6 at most"
                        : "");
    }
}
