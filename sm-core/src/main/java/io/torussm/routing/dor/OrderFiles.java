package io.torussm.routing.dor;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The files in which operators say in what order ports are searched, and destinations forwarded. A line begins with a GUID,
 * as C writes numbers; a {@code #} begins a comment. GUIDs that are not in the subnet do not matter.
 *
 * <p>Stricter than OpenSM, which skips a line with a wrong port and ends at a wrong GUID: here both are errors.
 */
final class OrderFiles {
    static final EngineSetting PORTS = new EngineSetting(
            "port_search_ordering_file",
            EngineSetting.Kind.FILE,
            "",
            "for a switch on each line, the ports that are searched before its others");
    static final EngineSetting DESTINATIONS = new EngineSetting(
            "guid_routing_order_file",
            EngineSetting.Kind.FILE,
            "",
            "the port GUIDs that are forwarded before all others, one on each line");

    private final List<Finding> findings = new ArrayList<>();
    private final Map<Long, Line> lines = new HashMap<>();
    private final Set<Long> destinations = new LinkedHashSet<>();

    /** What a switch's line lists. */
    private record Line(Set<Integer> ports, String where) {}

    OrderFiles(EngineConfig config) {
        config.file(PORTS.key()).ifPresent(file -> read(PORTS, file));
        config.file(DESTINATIONS.key()).ifPresent(file -> read(DESTINATIONS, file));
    }

    private void read(EngineSetting setting, EngineFile file) {
        ConfLines conf = new ConfLines(file.name(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        String text = file.text();
        if (text == null) {
            conf.error(file.problem() + "; see " + setting.key());
        } else {
            conf.read(text, setting.key(), "list a port once at most", line -> parse(setting, conf, line));
        }
        findings.addAll(conf.findings());
    }

    private void parse(EngineSetting setting, ConfLines conf, String line) {
        String[] words = ConfLines.withoutComment(line).split("\\s+", -1);
        OptionalLong guid = ConfLines.number(words[0]);
        if (words[0].isEmpty()) {
            return;
        }
        if (guid.isEmpty()) {
            conf.error(ConfLines.quote(words[0])
                    + " is no GUID; begin the line with one such as 0x0002c90300000001, or with # if it is a comment");
        } else if (setting.key().equals(DESTINATIONS.key())) {
            destinations.add(guid.getAsLong());
        } else {
            Line read = new Line(ports(conf, words), conf.at(conf.line()));
            Line before = lines.putIfAbsent(guid.getAsLong(), read);
            if (before != null) {
                conf.error("this switch was given already, see " + before.where() + "remove one of the two lines");
            }
        }
    }

    private static Set<Integer> ports(ConfLines conf, String[] words) {
        Set<Integer> ports = new LinkedHashSet<>();
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            long port = ConfLines.number(word).orElse(0);
            if (port < 1 || port > 254) {
                conf.error(ConfLines.quote(word) + " is no port; write numbers from 1 to 254 after the GUID");
            } else if (!ports.add((int) port)) {
                conf.error("port " + port + " is listed twice; remove it once");
            }
        }
        return ports;
    }

    /** Errors of the files. */
    List<Finding> findings() {
        return findings;
    }

    /**
     * The ports of each switch in the order in which they are searched.
     *
     * @param problems takes an error for each port that is listed, but not there
     */
    int[][] searched(Fabric fabric, List<Finding> problems) {
        int[][] all = new int[fabric.switchCount()][];
        for (int sw = 0; sw < all.length; sw++) {
            int last = fabric.numPorts(sw);
            Line line = lines.getOrDefault(fabric.nodeGuid(sw), new Line(Set.of(), ""));
            for (int port : line.ports()) {
                if (port > last) {
                    problems.add(Finding.error(line.where() + fabric.name(sw) + " has no port " + port
                            + "; list ports from 1 to " + last));
                }
            }
            all[sw] = IntStream.concat(line.ports().stream().mapToInt(port -> port), IntStream.rangeClosed(1, last))
                    .distinct()
                    .toArray();
        }
        return all;
    }

    /** GUIDs of the ports that are forwarded first, in that order. */
    List<Long> destinations() {
        return List.copyOf(destinations);
    }
}
