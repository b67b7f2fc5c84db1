package io.torussm.routing.dor;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.EngineFile;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Subnets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** A fabric, its LIDs, and the forwarding tables that the reference wrote there, as its switches held them. */
final class RecordedFabric {
    private static final int NODE = 0;
    private static final int PORT = 1;
    private static final int TYPE = 2;
    private static final int LID = 3;
    private static final int LMC = 4;
    private static final int PEER_NODE = 9;
    private static final int PEER_PORT = 10;
    private static final int DESCRIPTION = 13;
    private static final int PORT_GUID = 14;

    private final String name;
    private final List<String[]> ports;

    RecordedFabric(String name) {
        this.name = name;
        this.ports = read("ports.tsv.gz");
    }

    private List<String[]> read(String file) {
        String path = "/dor/" + name + "/" + file;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(RecordedFabric.class.getResourceAsStream(path))),
                US_ASCII))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By setting, the files that the reference was given. */
    Map<String, EngineFile> orderFiles() {
        String file = "/dor/" + name + "/port-search-ordering.conf";
        try (InputStream in = RecordedFabric.class.getResourceAsStream(file)) {
            return in == null
                    ? Map.of()
                    : Map.of(
                            "port_search_ordering_file",
                            EngineFile.read(file, new String(in.readAllBytes(), US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long guid(String[] row, int column) {
        return Long.parseUnsignedLong(row[column], 16);
    }

    private static int number(String[] row, int column) {
        return Integer.parseInt(row[column]);
    }

    Subnet subnet() {
        Fabric fabric = fabric();
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[fabric.portCount()];
        for (String[] row : ports) {
            int port = fabric.port(fabric.nodeByGuid(guid(row, NODE)), number(row, PORT));
            if (fabric.isEndport(port)) {
                lids[port] = number(row, LID);
                lmcs[port] = (byte) number(row, LMC);
            }
        }
        return new Subnet(fabric, lids, lmcs, Subnets.DEFAULT_PREFIX);
    }

    private Fabric fabric() {
        FabricBuilder builder = new FabricBuilder();
        Map<Long, Integer> portCounts = new HashMap<>();
        ports.forEach(row -> portCounts.merge(guid(row, NODE), number(row, PORT), Math::max));
        for (String[] row : ports) {
            boolean isSwitch = row[TYPE].equals("SW");
            if (number(row, PORT) == (isSwitch ? 0 : 1)) {
                NodeInfo info = NodeInfo.TYPE
                        .zero()
                        .with(NodeInfo.NODE_TYPE, isSwitch ? NodeInfo.SWITCH : NodeInfo.CHANNEL_ADAPTER)
                        .with(NodeInfo.NUM_PORTS, Objects.requireNonNull(portCounts.get(guid(row, NODE))))
                        .with(NodeInfo.NODE_GUID, guid(row, NODE))
                        .with(NodeInfo.PORT_GUID, guid(row, PORT_GUID))
                        .with(NodeInfo.LOCAL_PORT_NUM, 1);
                builder.addNode(info, DrPath.LOCAL);
                builder.describe(guid(row, NODE), row[DESCRIPTION]);
            }
        }
        for (String[] row : ports) {
            builder.setPortInfo(
                    guid(row, NODE),
                    number(row, PORT),
                    PortInfo.TYPE
                            .zero()
                            .with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE)
                            .with(PortInfo.VL_CAP, 4)
                            .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_SL_MAPPING));
            long peer = guid(row, PEER_NODE);
            if (number(row, PORT) != 0 && peer != 0 && !builder.isLinked(guid(row, NODE), number(row, PORT))) {
                builder.link(guid(row, NODE), number(row, PORT), peer, number(row, PEER_PORT));
            }
        }
        return builder.build();
    }

    /** By switch GUID and LID, the port number of the entry, as far as there is one. */
    Map<Long, Map<Integer, Integer>> lfts() {
        Map<Long, Map<Integer, Integer>> lfts = new HashMap<>();
        for (String[] row : read("lft.tsv.gz")) {
            lfts.computeIfAbsent(guid(row, 0), any -> new HashMap<>()).put(number(row, 1), number(row, 2));
        }
        return lfts;
    }
}
