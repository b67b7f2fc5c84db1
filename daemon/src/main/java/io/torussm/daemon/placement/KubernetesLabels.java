package io.torussm.daemon.placement;

import java.util.List;

/** Commands of kubectl that label nodes with their switch and their coordinates. */
public final class KubernetesLabels {
    private static final List<String> COORDINATES = List.of("x", "y", "z");

    private KubernetesLabels() {}

    /** Returns a command for each host that is cabled to a switch. */
    public static List<String> lines(PlacedHosts placed) {
        return placed.onSwitches().stream().map(KubernetesLabels::line).toList();
    }

    private static String line(PlacedHosts.Host host) {
        StringBuilder line = new StringBuilder("kubectl label --overwrite node " + host.name() + " torussm/switch="
                + host.leaf().guid());
        for (int d = 0; d < host.place().size(); d++) {
            line.append(" torussm/")
                    .append(COORDINATES.get(d))
                    .append('=')
                    .append(host.place().get(d));
        }
        return line.toString();
    }
}
