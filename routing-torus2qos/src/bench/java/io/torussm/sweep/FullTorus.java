package io.torussm.sweep;

import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A torus with two hosts at each switch but one, which has one: as many as there are unicast LIDs, if it is 32x32x16.
 */
final class FullTorus {
    private static final Pattern SWITCH = Pattern.compile("Switch\\s+\\d+\\s+\"(S-[0-9a-f]+)\".*");
    private static final int SECOND_HOSTS_PORT = 7;

    private FullTorus() {}

    /** Adds the second hosts to a torus with one at each switch, and with port 7 free. */
    static Topology topology(TorusSpec spec) {
        StringBuilder text = new StringBuilder();
        try {
            TopologyText.write(spec.topology(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder full = new StringBuilder(2 * text.length());
        StringBuilder hosts = new StringBuilder();
        int index = 0;
        for (String line : text.toString().split("\n", -1)) {
            full.append(line).append('\n');
            Matcher match = SWITCH.matcher(line);
            if (match.matches() && index < spec.x() * spec.y() * spec.z() - 1) {
                String guid = String.format("%016x", 0x1_0000_0010L + 0x100L * index);
                full.append('[')
                        .append(SECOND_HOSTS_PORT)
                        .append("]\t\"H-")
                        .append(guid)
                        .append("\"[1]\n");
                hosts.append("\nvendid=0x2c9\ndevid=0x6282\nsysimgguid=0x")
                        .append(guid)
                        .append("\ncaguid=0x")
                        .append(guid);
                hosts.append("\nCa\t1 \"H-")
                        .append(guid)
                        .append("\"\t# \"second-")
                        .append(index)
                        .append("\"\n[1](");
                hosts.append(String.format("%x", 0x1_0000_0011L + 0x100L * index))
                        .append(") \t\"");
                hosts.append(match.group(1))
                        .append("\"[")
                        .append(SECOND_HOSTS_PORT)
                        .append("]\n");
                index++;
            }
        }
        return SweepHarness.topology(full.append(hosts).toString());
    }
}
