package io.torussm.routing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Subnets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/**
 * Fabrics on which OpenSM 3.3.23 ran, and the tables that its switches held. A file has the cases of one engine, a case
 * the options and files that the reference was given, and its states: first {@code 0}, then after each change of the
 * fabric. Lines of a state; the SM has the lowest LID:
 *
 * <pre>
 *   S GUID PORTS SYSTEM|- END..     a switch; ends are PORT:PORT_GUID:LID:LMC, no port GUID if it is the node's
 *   H GUID PORTS SYSTEM|- END..     a channel adapter
 *   L NODE PORT NODE PORT           a cable; nodes by number of their line
 *   T NODE ENTRIES                  a forwarding table from LID 1 on: '0' + port, '-' for no entry
 *   P NODE SLS                      SLs from hosts of a switch to LIDs from 1 on, '-' for none; if the engine has SLs
 * </pre>
 */
public final class RecordedCases {
    private static final Map<String, Map<String, Case>> READ = new HashMap<>();

    /** The input of the reference, and its results. */
    public record Case(Map<String, String> values, Map<String, EngineFile> files, List<State> states) {
        /** Returns the configuration of an engine. */
        public EngineConfig config() {
            return new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1);
        }
    }

    /** Tables and SLs by switch index, from LID 1 on: '0' + port, '-' for no entry; SLs in hexadecimal. */
    public record State(Subnet subnet, Map<Integer, String> tables, Map<Integer, String> sls) {}

    private RecordedCases() {}

    /** Returns the cases of an engine, by name. */
    public static synchronized Map<String, Case> of(String engine) {
        return READ.computeIfAbsent(engine, RecordedCases::read);
    }

    /** Returns a case of an engine. */
    public static Case of(String engine, String name) {
        return Objects.requireNonNull(of(engine).get(name), name);
    }

    private static Map<String, Case> read(String engine) {
        Map<String, Case> cases = new LinkedHashMap<>();
        try (InputStream in = RecordedCases.class.getResourceAsStream("/engines/" + engine + ".txt.gz");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(Objects.requireNonNull(in)), US_ASCII))) {
            List<List<String>> parts = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("case ")) {
                    parts.add(new ArrayList<>());
                }
                parts.get(parts.size() - 1).add(line);
            }
            parts.forEach(part -> cases.put(part.get(0).substring("case ".length()), parse(part)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    private static Case parse(List<String> lines) {
        Map<String, String> values = new HashMap<>();
        Map<String, StringBuilder> texts = new LinkedHashMap<>();
        List<List<String[]>> states = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "option" -> values.put(words[1], words[2]);
                case "file" -> {
                    text = new StringBuilder();
                    texts.put(words[1], text);
                }
                case "|" -> text.append(line.substring(2)).append('\n');
                case "state" -> states.add(new ArrayList<>());
                default -> states.get(states.size() - 1).add(words);
            }
        }
        Map<String, EngineFile> files = new HashMap<>();
        texts.forEach((key, content) -> files.put(key, EngineFile.read(key, content.toString())));
        return new Case(values, files, states.stream().map(RecordedCases::state).toList());
    }

    private static State state(List<String[]> lines) {
        List<String[]> nodes =
                lines.stream().filter(words -> words[0].matches("[SH]")).toList();
        Fabric fabric = fabric(lines, nodes);
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[fabric.portCount()];
        for (String[] words : nodes) {
            for (String[] end : ends(words)) {
                int port = fabric.port(fabric.nodeByGuid(guid(words[1])), Integer.parseInt(end[0]));
                lids[port] = Integer.parseInt(end[2]);
                lmcs[port] = Byte.parseByte(end[3]);
            }
        }
        Subnet subnet = new Subnet(fabric, lids, lmcs, Subnets.DEFAULT_PREFIX);
        return new State(subnet, rows("T", lines, nodes, fabric), rows("P", lines, nodes, fabric));
    }

    private static Map<Integer, String> rows(String kind, List<String[]> lines, List<String[]> nodes, Fabric fabric) {
        Map<Integer, String> rows = new HashMap<>();
        lines.stream()
                .filter(words -> words[0].equals(kind))
                .forEach(
                        words -> rows.put(fabric.nodeByGuid(guid(nodes.get(Integer.parseInt(words[1]))[1])), words[2]));
        return rows;
    }

    private static Fabric fabric(List<String[]> lines, List<String[]> nodes) {
        FabricBuilder builder = new FabricBuilder();
        List<String[]> smFirst = nodes.stream()
                .sorted(Comparator.comparingInt(
                        words -> Integer.parseInt(ends(words).get(0)[2])))
                .toList();
        for (String[] words : smFirst) {
            long node = guid(words[1]);
            boolean isSwitch = words[0].equals("S");
            List<String[]> ends = ends(words);
            String portGuid = ends.get(0)[1];
            NodeInfo info = NodeInfo.TYPE
                    .zero()
                    .with(NodeInfo.NODE_TYPE, isSwitch ? NodeInfo.SWITCH : NodeInfo.CHANNEL_ADAPTER)
                    .with(NodeInfo.NUM_PORTS, Integer.parseInt(words[2]))
                    .with(NodeInfo.NODE_GUID, node)
                    .with(NodeInfo.SYSTEM_IMAGE_GUID, words[3].equals("-") ? node : guid(words[3]))
                    .with(NodeInfo.PORT_GUID, portGuid.isEmpty() ? node : guid(portGuid))
                    .with(NodeInfo.LOCAL_PORT_NUM, Integer.parseInt(ends.get(0)[0]));
            builder.addNode(info, DrPath.LOCAL);
            builder.setDescription(node, (isSwitch ? "switch " : "host ") + words[1]);
            for (int port = isSwitch ? 0 : 1; port <= Integer.parseInt(words[2]); port++) {
                String number = Integer.toString(port);
                if (isSwitch || ends.stream().anyMatch(end -> end[0].equals(number))) {
                    builder.setPortInfo(node, port, portInfo());
                }
            }
            ends.stream()
                    .filter(end -> !isSwitch)
                    .forEach(end -> builder.setPortGuid(node, Integer.parseInt(end[0]), guid(end[1])));
        }
        for (String[] words : lines) {
            if (words[0].equals("L")) {
                builder.link(
                        guid(nodes.get(Integer.parseInt(words[1]))[1]),
                        Integer.parseInt(words[2]),
                        guid(nodes.get(Integer.parseInt(words[3]))[1]),
                        Integer.parseInt(words[4]));
            }
        }
        return builder.build();
    }

    private static PortInfo portInfo() {
        return PortInfo.TYPE
                .zero()
                .with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE)
                .with(PortInfo.VL_CAP, 4)
                .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_SL_MAPPING);
    }

    private static List<String[]> ends(String[] words) {
        return Arrays.stream(words).skip(4).map(end -> end.split(":", -1)).toList();
    }

    private static long guid(String text) {
        return Long.parseUnsignedLong(text, 16);
    }
}
