package io.torussm.daemon.rolling;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.routing.RecordedCases;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The fabrics with stored reference tables: the golden ones, and those of the other engines. */
final class RollingCases {
    private static final Path GOLDEN = Path.of("../routing-torus2qos/src/test/resources/golden");
    private static final String TORUS_2QOS = "torus-2QoS";

    /** A line of opensm.conf. */
    private static final String QOS = "qos TRUE";

    /** Engines whose recorded fabrics need QoS, since they use several VLs, but for the fabric "noqos". */
    private static final Set<String> WITH_QOS = Set.of("lash", "dfsssp");

    /**
     * Some recorded fabrics of each other engine: graphs of all kinds, with LMC, several ports, lost links and files.
     */
    private static final Map<String, List<String>> OF_ENGINES = Map.of(
            "minhop", List.of("ft3_k4", "rnd20", "lmc1", "order"),
            "updn", List.of("ft3_roots", "torus44", "lmc1", "ids"),
            "dnup", List.of("ft3", "rnd20"),
            "ftree", List.of("k4n3", "lost_roots", "2ports", "cn_io"),
            "lash", List.of("torus44", "mesh45_mesh", "start2", "rnd16"),
            "dor", List.of("mesh44_ordered", "lmc1"),
            "sssp", List.of("rnd20", "cn_io"),
            "dfsssp", List.of("torus44", "rnd20", "lmc1"));

    private RollingCases() {}

    /** Returns the names of all golden fabrics, such as {@code torus-2QoS/555_pristine}. */
    static List<String> golden() {
        try (Stream<Path> directories = Files.list(GOLDEN)) {
            return directories
                    .filter(Files::isDirectory)
                    .map(each -> TORUS_2QOS + "/" + each.getFileName())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of some fabrics of each other engine, such as {@code lash/torus44}. */
    static List<String> ofEngines() {
        return OF_ENGINES.entrySet().stream()
                .flatMap(engine -> engine.getValue().stream().map(name -> engine.getKey() + "/" + name))
                .sorted()
                .toList();
    }

    /** Returns a case by name: engine, slash, fabric. */
    static RollingCase byName(String name) throws IOException, TopologyException {
        int slash = name.indexOf('/');
        String engine = name.substring(0, slash);
        String fabric = name.substring(slash + 1);
        return engine.equals(TORUS_2QOS) ? golden(name, fabric) : ofRecordedCase(name, engine, fabric);
    }

    private static RollingCase golden(String name, String fabric) throws IOException, TopologyException {
        Path directory = GOLDEN.resolve(fabric);
        try (GZIPInputStream topology =
                new GZIPInputStream(Files.newInputStream(directory.resolve("fabric.topo.gz")))) {
            List<String> settings = fabric.contains("lmc1") ? List.of(QOS, "lmc 1") : List.of(QOS);
            return new RollingCase(
                    name,
                    TORUS_2QOS,
                    TopologyText.read(fabric, new InputStreamReader(topology, US_ASCII)),
                    settings,
                    Map.of("torus_config", Files.readString(directory.resolve("torus-2QoS.conf"))),
                    List.of());
        }
    }

    /**
     * Returns a recorded fabric of another engine. Routes with credit loops are kept with a warning: a change of the SM
     * must not change the routes.
     */
    private static RollingCase ofRecordedCase(String name, String engine, String fabric)
            throws IOException, TopologyException {
        RecordedCases.Case recorded = RecordedCases.of(engine, fabric);
        Fabric graph = recorded.states().get(0).subnet().fabric();
        List<String> settings = new ArrayList<>();
        if (WITH_QOS.contains(engine) && !fabric.equals("noqos")) {
            settings.add(QOS);
        }
        if (fabric.startsWith("lmc")) {
            settings.add("lmc " + fabric.charAt("lmc".length()));
        }
        recorded.values().forEach((key, value) -> settings.add(key + " " + openSmValue(value)));
        Map<String, String> files = new HashMap<>();
        recorded.files().forEach((key, file) -> files.put(key, String.valueOf(file.text())));
        return new RollingCase(
                name, engine, topology(fabric, graph), settings, files, List.of("on_credit_loop = \"warn\""));
    }

    /** Returns a value in the form of OpenSM, which reads any other text than TRUE, in capitals, as false. */
    private static String openSmValue(String value) {
        return value.equals("true") ? "TRUE" : value;
    }

    /** Converts a graph by the format of ibnetdiscover, with the host of the SM as the first node. */
    private static Topology topology(String name, Fabric graph) throws IOException, TopologyException {
        StringBuilder text = new StringBuilder();
        int first = graph.nodeOf(graph.localPort());
        append(text, graph, first);
        for (int node = 0; node < graph.nodeCount(); node++) {
            if (node != first) {
                append(text, graph, node);
            }
        }
        return TopologyText.read(name, new StringReader(text.toString()));
    }

    /** Appends a node and its cables. */
    private static void append(StringBuilder text, Fabric graph, int node) {
        boolean isSwitch = graph.isSwitch(node);
        long guid = graph.nodeGuid(node);
        text.append(String.format(
                "sysimgguid=0x%x%n%s%n%s\t%d \"%s\"\t# \"%s\"%n",
                graph.node(node).info().get(NodeInfo.SYSTEM_IMAGE_GUID),
                String.format(isSwitch ? "switchguid=0x%x(%<x)" : "caguid=0x%x", guid),
                isSwitch ? "Switch" : "Ca",
                graph.numPorts(node),
                id(graph, node),
                id(graph, node).toLowerCase(Locale.ROOT)));
        for (int portNum = 1; portNum <= graph.numPorts(node); portNum++) {
            int port = graph.port(node, portNum);
            int peer = graph.peer(port);
            if (peer != Fabric.NONE) {
                String own = isSwitch ? "" : String.format("(%x)", graph.portGuid(port));
                text.append(String.format(
                        "[%d]%s\t\"%s\"[%d]%n", portNum, own, id(graph, graph.nodeOf(peer)), graph.portNum(peer)));
            }
        }
        text.append(System.lineSeparator());
    }

    /** Returns the node ID of ibnetdiscover, such as {@code S-0000000000200000}. */
    private static String id(Fabric graph, int node) {
        return String.format("%s-%016x", graph.isSwitch(node) ? "S" : "H", graph.nodeGuid(node));
    }
}
