package io.torussm.sim.topology;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology.Node;
import io.torussm.sim.topology.Topology.PortRef;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser that reads one topology file: first all lines, then the nodes in their order, then the cables between them.
 *
 * <p>Lines without nodes and cables are skipped and counted. A line that begins like a node or cable must be complete.
 */
final class TopologyReader {
    private static final int MAX_NODES = 1 << 18;

    /** The first GUID for nodes without a GUID in the file, which are 0x100 apart. */
    private static final long FIRST_GENERATED_GUID = 0x0010_0000_0000_0000L;

    /** An attribute: group 1 is its name, 2 its value. */
    private static final Pattern ATTRIBUTE =
            Pattern.compile("(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=0x(\\p{XDigit}{1,16})"
                    + "(?:\\((?:0x)?(\\p{XDigit}{1,16})\\))?");

    /** A node: group 1 is its type, 2 the number of ports, 3 the id. */
    private static final Pattern NODE = Pattern.compile("(Switch|Ca|Hca|Rt)\\s+(\\d{1,9})\\s+\"([^\"]+)\"");

    private static final String END =
            "\\[(\\d{1,9})\\]\\s*(?:\\[ext \\d{1,9}\\]\\s*)?(?:\\((?:0x)?(\\p{XDigit}{1,16})\\))?";

    /**
     * A port and its peer: groups 1 and 2 are number and GUID of the port, 3 the id of the peer, 4 and 5 its port
     * number and GUID, 6 the options for the rate.
     */
    private static final Pattern PORT =
            Pattern.compile(END + "\\s*\"([^\"]+)\"\\s*" + END + "((?:\\s+[wse]=\\d{1,2})*)");

    /**
     * Beginnings of lines of nodes or cables. The include and module lines of ibsim also belong here: they are not
     * supported.
     */
    private static final Pattern NODE_OR_CABLE_LINE =
            Pattern.compile("@?\\[\\d.*|(?:Switch|Ca|Hca|Rt)(?:\\s+\\d.*)?|(?!SW|CA|RT)\\S+\\s+\\d+\\s+\".*"
                    + "|(?:vendid|devid|sysimgguid|switchguid|caguid|hcaguids?|rtguid|width|speed|extspeed)\\s*[=+].*"
                    + "|(?:include|module)\\b.*|[<>] (?:\\[\\d|(?:Switch|Ca|Rt)\\s|(?:vendid|devid|\\w+guid)=).*");

    /** A line of a list of nodes or ports, which has no cables. */
    private static final Pattern LIST_LINE = Pattern.compile(
            "(?:Ca|Switch|Router)\\s*: 0x\\p{XDigit}+ ports .*|(?:SW|CA|RT)\\s+\\d+\\s+\\d+ 0x\\p{XDigit}{16} .*");

    private static final Pattern UNKNOWN_RATE = Pattern.compile("(?:\\d+x|\\?\\?)(?:\\w+|\\?\\?\\?)");
    private static final int MAX_DESCRIPTION = 64;

    /** The comment of a node: group 1 is the description, 2 the rest. */
    private static final Pattern DESCRIPTION = Pattern.compile("\\s*\"(.*)\"(.*)");

    private final String name;
    private final TopologyBuilder builder = new TopologyBuilder();
    private final List<NodeLine> nodeLines = new ArrayList<>();
    private final Map<String, Long> attributes = new HashMap<>();
    private final TopologyRemarks remarks = new TopologyRemarks();
    private boolean isListed;
    private int line;

    /**
     * One end of a cable in the file.
     *
     * @param guid PortGUID; 0 if the file has none
     * @param peerId id of the node at the other end
     * @param rate rate in the comment or options; null without one
     */
    private record CableEnd(
            int line,
            int portNum,
            long guid,
            String peerId,
            int peerPort,
            @Nullable LinkRate rate) {
        /** Checks whether another line of this port has the same cable. Line numbers and rates are not compared. */
        boolean hasSameCable(@Nullable CableEnd other) {
            return other != null && peerPort == other.peerPort && peerId.equals(other.peerId) && guid == other.guid;
        }
    }

    /**
     * A node line, with the attribute lines before it and the port lines after it.
     *
     * @param comment text after the number sign
     * @param attributes values by name
     * @param ends ends of cables by port number
     */
    private record NodeLine(
            int line,
            int type,
            int numPorts,
            String id,
            String comment,
            Map<String, Long> attributes,
            Map<Integer, CableEnd> ends) {
        /** Checks whether another entry of this node has the same ports and cables. */
        boolean hasSameCables(NodeLine other) {
            return type == other.type
                    && numPorts == other.numPorts
                    && attributes.equals(other.attributes)
                    && ends.keySet().equals(other.ends.keySet())
                    && ends.values().stream().allMatch(end -> end.hasSameCable(other.ends.get(end.portNum)));
        }
    }

    TopologyReader(String name) {
        this.name = name;
    }

    /** Reads the topology to the end of the reader. */
    Topology read(Reader reader) throws IOException, TopologyException {
        TopologyLines lines = new TopologyLines(name, reader);
        for (String text = lines.next(); text != null; text = lines.next()) {
            line = lines.lineNumber();
            readLine(text, lines);
        }
        line = lines.lineNumber();
        if (!attributes.isEmpty()) {
            throw error(line, "the file ends before the node that these attributes belong to; is it cut short?");
        }
        if (nodeLines.isEmpty()) {
            throw noNodesError(lines);
        }
        removeRepetitions();
        for (int i = 0; i < nodeLines.size(); i++) {
            addNode(nodeLines.get(i), FIRST_GENERATED_GUID + 0x100L * i);
        }
        for (NodeLine node : nodeLines) {
            for (CableEnd end : node.ends.values()) {
                connect(node, end);
            }
        }
        return builder.build().with(remarks.warning(name, lines));
    }

    /** Returns the error for a file without nodes. */
    private TopologyException noNodesError(TopologyLines lines) {
        if (!lines.isText()) {
            return new TopologyException(name + ": not UTF-8 text; convert it, or check that it is a topology");
        }
        boolean isEmpty = lines.skippedLines() == 0;
        return error(
                isEmpty ? line : lines.firstSkippedLine(),
                "no node in the file" + (isEmpty ? "" : ", but " + TopologyRemarks.quoted(lines.example()))
                        + (isListed
                                ? "; give the output of ibnetdiscover without -l, -H, -S, -R and -p, which print lists"
                                : "; it should look like what ibnetdiscover prints"));
    }

    /**
     * Removes repetitions of nodes with the same ports and cables. Others lead to an error of {@link TopologyBuilder}.
     */
    private void removeRepetitions() {
        Map<String, NodeLine> first = new HashMap<>();
        int listed = nodeLines.size();
        nodeLines.removeIf(node -> {
            NodeLine earlier = first.putIfAbsent(node.id, node);
            return earlier != null && node.hasSameCables(earlier);
        });
        remarks.repeatedNodes = listed - nodeLines.size();
    }

    private void readLine(String text, TopologyLines lines) throws TopologyException {
        int hash = commentStart(text);
        String code = text.substring(0, hash).strip();
        String comment = hash < text.length() ? text.substring(hash + 1) : "";
        if (code.isEmpty()) {
            return;
        }
        Matcher port = PORT.matcher(code);
        Matcher node = NODE.matcher(code);
        Matcher attribute = ATTRIBUTE.matcher(code);
        if (port.matches()) {
            readPort(port, comment);
        } else if (node.matches()) {
            readNode(node, comment);
        } else if (attribute.matches()) {
            attributes.put(attribute.group(1), hex(attribute.group(2)));
        } else if (LIST_LINE.matcher(code).matches()) {
            isListed = true;
            lines.skip(code);
        } else if (NODE_OR_CABLE_LINE.matcher(code).matches()) {
            throw error(
                    line,
                    "cannot understand: " + code
                            + "; expected an attribute (vendid=0x...), a node (Switch 36 \"name\") or a port"
                            + " ([1] \"name\"[2]); half a line means that the file is cut short"
                            + (code.startsWith("<") || code.startsWith(">")
                                    ? "; this looks like ibnetdiscover --diff: give its output without that option"
                                    : ""));
        } else {
            lines.skip(code);
        }
    }

    /** Returns the index of the first number sign outside quotes; the length of the text without a comment. */
    private static int commentStart(String text) {
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '#' && !quoted) {
                return i;
            }
        }
        return text.length();
    }

    private void readNode(Matcher match, String comment) throws TopologyException {
        int type =
                switch (match.group(1)) {
                    case "Switch" -> NodeInfo.SWITCH;
                    case "Rt" -> NodeInfo.ROUTER;
                    default -> NodeInfo.CHANNEL_ADAPTER;
                };
        if (nodeLines.size() == MAX_NODES) {
            throw error(line, "more than " + MAX_NODES + " nodes; split the fabric");
        }
        if (comment.indexOf('"') >= 0 && comment.indexOf('"') == comment.lastIndexOf('"')) {
            throw error(line, "the description has no closing quote; is the file cut short?");
        }
        int numPorts = Integer.parseInt(match.group(2));
        if (numPorts < 1 || numPorts > NodeInfo.MAX_PORT_NUM) {
            throw error(line, "a node has 1 to " + NodeInfo.MAX_PORT_NUM + " ports, not " + numPorts);
        }
        nodeLines.add(new NodeLine(
                line, type, numPorts, match.group(3), comment, new LinkedHashMap<>(attributes), new LinkedHashMap<>()));
        attributes.clear();
    }

    private void readPort(Matcher match, String comment) throws TopologyException {
        if (nodeLines.isEmpty() || !attributes.isEmpty()) {
            throw error(line, "a port before its node; put the Switch or Ca line above it");
        }
        NodeLine node = nodeLines.get(nodeLines.size() - 1);
        int portNum = Integer.parseInt(match.group(1));
        CableEnd end = new CableEnd(
                line,
                portNum,
                match.group(2) == null ? 0 : hex(match.group(2)),
                match.group(3),
                Integer.parseInt(match.group(4)),
                rate(match.group(6), comment));
        if (portNum < 1 || portNum > node.numPorts) {
            throw error(line, "\"" + node.id + "\" has ports 1 to " + node.numPorts + ", not " + portNum);
        }
        CableEnd earlier = node.ends.put(portNum, end);
        if (earlier != null) {
            throw error(line, "port " + portNum + " is plugged in at line " + earlier.line + " already; remove one");
        }
    }

    /** Returns the rate of an end of a cable: of the comment, changed by the options; null without both. */
    private @Nullable LinkRate rate(String options, String comment) throws TopologyException {
        LinkRate rate = null;
        for (String word : comment.replaceAll("\".*\"", " ").split("\\s+", -1)) {
            if (LinkRate.isRate(word)) {
                rate = LinkRate.parse(word);
                if (rate == null) {
                    throw error(line, "unknown rate " + word + "; write width and speed such as 4xQDR or 4xEDR");
                }
            } else if (UNKNOWN_RATE.matcher(word).matches()) {
                remarks.unknownRates++;
            }
        }
        for (String option : options.strip().split("\\s+", -1)) {
            if (!option.isEmpty()) {
                rate = withOption(rate == null ? LinkRate.DEFAULT : rate, option);
            }
        }
        return rate;
    }

    /** Returns a rate changed by an option of ibsim: {@code w=} width, {@code s=} speed, {@code e=} extended speed. */
    private LinkRate withOption(LinkRate rate, String option) throws TopologyException {
        int code = Integer.parseInt(option.substring(2));
        boolean isOneBit = Integer.bitCount(code) == 1;
        char letter = option.charAt(0);
        if (letter == 'w' && isOneBit && code <= 16) {
            return new LinkRate(code, rate.speed());
        } else if (letter == 's' && isOneBit && code <= 4) {
            return new LinkRate(rate.width(), speed(code, 0));
        } else if (letter == 'e' && code <= 8 && (isOneBit || code == 0)) {
            return new LinkRate(rate.width(), code == 0 ? speed(rate.speed().active(), 0) : speed(4, code));
        }
        throw error(line, "unknown " + option + "; w= takes 1, 2, 4, 8 or 16, s= 1, 2 or 4, e= 0, 1, 2, 4 or 8");
    }

    private static LinkSpeed speed(int active, int extended) {
        return Arrays.stream(LinkSpeed.values())
                .filter(speed -> speed.active() == active && speed.extActive() == extended)
                .findFirst()
                .orElseThrow();
    }

    private void addNode(NodeLine node, long inventedGuid) throws TopologyException {
        String guidName =
                switch (node.type) {
                    case NodeInfo.SWITCH -> "switchguid";
                    case NodeInfo.ROUTER -> "rtguid";
                    default -> "caguid";
                };
        for (String other : List.of("switchguid", "caguid", "rtguid")) {
            if (!other.equals(guidName) && node.attributes.containsKey(other)) {
                throw error(node.line, other + "= above a node of another kind; expected " + guidName + "=");
            }
        }
        long guid = node.attributes.getOrDefault(guidName, inventedGuid);
        Matcher words = DESCRIPTION.matcher(node.comment);
        boolean described = words.matches() && !words.group(1).isEmpty();
        String remarks = words.matches() ? words.group(2) : node.comment;
        Topology.Identity identity = new Topology.Identity(
                node.id,
                described ? cutDescription(words.group(1)) : node.id,
                node.type,
                guid,
                node.attributes.getOrDefault("sysimgguid", guid),
                (int) (node.attributes.getOrDefault("vendid", 0L) & 0xff_ffff),
                (int) (node.attributes.getOrDefault("devid", 0L) & 0xffff),
                node.type == NodeInfo.SWITCH && remarks.contains("enhanced port 0"));
        try {
            builder.add(identity, portGuids(node, guid));
        } catch (IllegalArgumentException e) {
            throw error(node.line, Objects.toString(e.getMessage()));
        }
    }

    /** Returns a description cut to 64 bytes. A name map of ibnetdiscover may have longer ones. */
    private String cutDescription(String description) {
        String text = description;
        while (text.getBytes(StandardCharsets.UTF_8).length > MAX_DESCRIPTION) {
            text = text.substring(0, text.offsetByCodePoints(text.length(), -1));
        }
        remarks.longDescriptions += text.length() < description.length() ? 1 : 0;
        return text;
    }

    private static long[] portGuids(NodeLine node, long nodeGuid) {
        if (node.type == NodeInfo.SWITCH) {
            return TopologyBuilder.switchPortGuids(node.numPorts, nodeGuid);
        }
        long[] guids = new long[node.numPorts + 1];
        for (int portNum = 1; portNum <= node.numPorts; portNum++) {
            CableEnd end = node.ends.get(portNum);
            guids[portNum] = end == null || end.guid == 0 ? nodeGuid + portNum : end.guid;
        }
        return guids;
    }

    /** Connects a cable, unless its other end has connected it. */
    private void connect(NodeLine nodeLine, CableEnd end) throws TopologyException {
        Node node = Objects.requireNonNull(builder.find(nodeLine.id));
        Node peer = builder.find(end.peerId);
        if (peer == null) {
            throw error(
                    end.line,
                    "a cable to \"" + end.peerId + "\", which is not in the file; add that node or remove"
                            + " the cable (is the file cut short?)");
        }
        CableEnd back = nodeLines.get(peer.index()).ends.get(end.peerPort);
        if (back == null || !back.peerId.equals(nodeLine.id) || back.peerPort != end.portNum) {
            throw error(
                    end.line,
                    "a cable with one end: " + new PortRef(peer, end.peerPort) + " does not lead back to "
                            + new PortRef(node, end.portNum)
                            + "; write the cable at both ends (is the file cut short?)");
        }
        if (node.peer(end.portNum) != null) {
            return;
        }
        if (end.rate != null && back.rate != null && !end.rate.equals(back.rate)) {
            remarks.differentRates++;
        }
        LinkRate rate = LinkRate.slower(end.rate, back.rate);
        try {
            builder.connect(node, end.portNum, peer, end.peerPort, rate);
        } catch (IllegalArgumentException e) {
            throw error(end.line, Objects.toString(e.getMessage()));
        }
    }

    private static long hex(String digits) {
        return Long.parseUnsignedLong(digits, 16);
    }

    private TopologyException error(int atLine, String message) {
        return new TopologyException(name + ":" + atLine + ": " + message);
    }
}
