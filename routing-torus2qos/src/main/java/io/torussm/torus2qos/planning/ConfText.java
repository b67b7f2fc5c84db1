package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.torus2qos.planning.SeedChoice.SeedLink;
import java.util.List;

/** The text of a torus-2QoS.conf for switches whose positions are known. */
final class ConfText {
    private static final String NAMES = "xyz";

    /** The default of {@code portgroup_max_ports}. */
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
     * @param seeds positions of the seed switches, the preferred one first
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
                    .append(embedding.shape().formatPosition(seed))
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
     * Returns the name of a switch for a comment. Control characters are replaced, because a line feed in a node
     * description would end the comment.
     */
    private String name(int position) {
        return fabric.nodeName(embedding.switchAt(position)).replaceAll("\\p{Cntrl}", " ");
    }

    private String guid(int position) {
        return Guid.format(fabric.nodeGuid(embedding.switchAt(position)));
    }

    /**
     * Returns the number of ports that the largest group of any switch needs: its hosts and port 0, or its cables to
     * one neighbour.
     */
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
