package io.torussm.daemon.traffic;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.Trace.TimedMessage;
import io.torussm.fabric.Fabric;
import io.torussm.state.BoundedFile;
import io.torussm.view.NodeSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parser of files of messages. Each line has source, destination, bytes and time in ns, separated by blanks. Hosts
 * are named by LID, GUID, or a name without blanks. {@code #} begins a comment.
 */
public final class TraceFile {
    private static final long MAX_BYTES = 256L << 20;
    private static final int WORDS = 4;

    /** The mark of a name that several nodes have. */
    private static final int SEVERAL = -1;

    private final Path file;

    /** Hosts by LID or name; of a node with several ports, the first one. */
    private final Map<String, Integer> byName = new HashMap<>();

    /** Hosts by port GUID or NodeGUID; of a node with several ports, the first one. */
    private final Map<Long, Integer> byGuid = new HashMap<>();

    private final NodeSearch search;

    private TraceFile(Path file, Hosts hosts) {
        this.file = file;
        Fabric fabric = hosts.subnet().fabric();
        this.search = new NodeSearch(fabric, node -> "", node -> !fabric.isSwitch(node));
        for (int host = 0; host < hosts.count(); host++) {
            byName.merge(
                    fabric.nodeName(node(hosts, host)),
                    host,
                    (first, other) -> node(hosts, first) == node(hosts, other) ? first : SEVERAL);
            byGuid.putIfAbsent(fabric.nodeGuid(node(hosts, host)), host);
        }
        // LIDs and port GUIDs replace names and NodeGUIDs that look like them.
        for (int host = 0; host < hosts.count(); host++) {
            byName.put(Integer.toString(hosts.lid(host)), host);
            byGuid.put(fabric.portGuid(hosts.port(host)), host);
        }
    }

    private static int node(Hosts hosts, int host) {
        return hosts.subnet().fabric().nodeOf(hosts.port(host));
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if the file or a line cannot be used, with its name and number
     */
    public static List<TimedMessage> read(Path file, Hosts hosts) throws ConfigurationException {
        try {
            return new TraceFile(file, hosts).messages(BoundedFile.text(file, MAX_BYTES));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
    }

    private List<TimedMessage> messages(String text) throws ConfigurationException {
        List<TimedMessage> messages = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String content = line.replaceFirst("#.*", "").strip();
            if (!content.isEmpty()) {
                messages.add(message(number, content.split("\\s+", -1)));
            }
        }
        return messages;
    }

    private TimedMessage message(int line, String[] words) throws ConfigurationException {
        if (words.length != WORDS) {
            throw lineError(line, "give source, destination, bytes and nanoseconds, not " + words.length + " words");
        }
        int from = host(line, words[0]);
        int to = host(line, words[1]);
        if (from == to) {
            throw lineError(line, "a host sends nothing to itself over the fabric; leave the line out");
        }
        return new TimedMessage(
                from, to, (int) number(line, words[2], 1, 1 << 30), number(line, words[3], 0, Long.MAX_VALUE / 2_000));
    }

    private int host(int line, String word) throws ConfigurationException {
        @Nullable Integer host = byName.containsKey(word) ? byName.get(word) : byGuid.get(NodeSearch.number(word));
        if (host == null) {
            throw lineError(
                    line, "no host has the LID, the name or the GUID \"" + word + "\"" + search.suggestion(word));
        }
        if (host == SEVERAL) {
            throw lineError(line, "several nodes have the name \"" + word + "\"; give a LID or a GUID");
        }
        return host;
    }

    private long number(int line, String word, long min, long max) throws ConfigurationException {
        try {
            long number = Long.parseLong(word);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw lineError(line, "\"" + word + "\" is no whole number");
        }
        throw lineError(line, word + " is not from " + min + " to " + max);
    }

    private ConfigurationException lineError(int line, String message) {
        return new ConfigurationException(List.of(file + ":" + line + ": " + message));
    }
}
