package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.torus2qos.planning.SeedChoice.SeedLink;
import java.util.List;

/** Writes torus-2QoS.conf for switches that have their places. */
final class ConfText {
    private static final String NAMES = "xyz";

    /** The default of the file format. */
    private static final int DEFAULT_GROUP_PORTS = 16;

    private final Embedding embedding;
    private final Fabric fabric;

    private ConfText(Embedding embedding) {
        this.embedding = embedding;
        fabric = embedding.graph().fabric();
    }

    /**
     * Returns the whole file.
     *
     * @param seeds positions, in the order in which they are to be tried
     */
    static String of(Embedding embedding, List<Integer> seeds) {
        return new ConfText(embedding).text(seeds);
    }

    private String text(List<Integer> seeds) {
        StringBuilder text = new StringBuilder();
        text.append(embedding.shape().confLine()).append('\n');
        text.append("portgroup_max_ports ").append(groupPorts()).append('\n');
        SeedChoice choice = new SeedChoice(embedding);
        for (int seed : seeds) {
            text.append(seed == seeds.get(0) ? "\n" : "\nnext_seed\n");
            text.append("# ")
                    .append(embedding.shape().place(seed))
                    .append(' ')
                    .append(name(seed))
                    .append('\n');
            for (SeedLink link : choice.links(seed)) {
                text.append(NAMES.charAt(link.d()))
                        .append(link.sign() > 0 ? "p" : "m")
                        .append("_link ")
                        .append(guid(seed))
                        .append(' ')
                        .append(guid(link.to()))
                        .append('\n');
            }
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                if (embedding.shape().radix(d) > 1) {
                    text.append(NAMES.charAt(d))
                            .append("_dateline ")
                            .append(-embedding.shape().coordinate(seed, d))
                            .append('\n');
                }
            }
        }
        return text.toString();
    }

    /**
     * Returns a name for a comment. Descriptions come from the fabric, and a line of the file ends where a description
     * would end it.
     */
    private String name(int position) {
        return fabric.nodeName(embedding.switchAt(position)).replaceAll("\\p{Cntrl}", " ");
    }

    private String guid(int position) {
        return Guid.format(fabric.nodeGuid(embedding.switchAt(position)));
    }

    /** Returns the ports that the largest group of a switch needs: its hosts with port 0, or parallel cables. */
    private int groupPorts() {
        int max = DEFAULT_GROUP_PORTS;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int hosts = 0;
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                hosts += far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far)) ? 1 : 0;
            }
            max = Math.max(max, hosts + 1);
            for (int neighbour : embedding.graph().neighbours(sw)) {
                max = Math.max(max, embedding.graph().ports(sw, neighbour).length);
            }
        }
        return max;
    }
}
