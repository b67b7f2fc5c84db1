package io.torussm.sim.topology;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology.Node;
import io.torussm.sim.topology.Topology.PortRef;
import io.torussm.transport.InputFile;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Topologies as text, in the format that ibnetdiscover prints and ibsim reads:
 *
 * <pre>
 * vendid=0x2c9
 * devid=0xbd36
 * sysimgguid=0x200000
 * switchguid=0x200000(200000)
 * Switch  7 "S-0000000000200000"   # "sw-0-0-0" enhanced port 0 lid 0 lmc 0
 * [1]     "S-0000000000200140"[2]  # "" lid 0 4xQDR
 * [7]     "H-0000000100000000"[1](100000001)   # "" lid 0 4xQDR
 * </pre>
 *
 * <p>Comments are significant in three places: the description of a node, the words {@code enhanced port 0}, and the
 * rate of a cable. A cable without a rate is 4xQDR. A node without a GUID receives one. Every cable must be listed at
 * both ends, so that a truncated file is detected.
 *
 * <p>All forms of ibnetdiscover's output with cables are accepted: grouped by chassis, with full information, with
 * messages among the lines. {@link Topology#warning} counts the skipped parts.
 */
public final class TopologyText {
    private TopologyText() {}

    /**
     * Reads a file.
     *
     * @throws TopologyException if the topology is incomplete or invalid
     * @throws IOException if the file cannot be read
     */
    public static Topology read(Path file) throws IOException, TopologyException {
        try (Reader reader = new InputStreamReader(InputFile.open(file), StandardCharsets.UTF_8)) {
            return read(file.toString(), reader);
        }
    }

    /**
     * Reads a topology to the end of the reader.
     *
     * @param name name of the file in messages
     * @throws TopologyException if the topology is incomplete or invalid
     * @throws IOException if the reader fails
     */
    public static Topology read(String name, Reader reader) throws IOException, TopologyException {
        return new TopologyReader(name).read(reader);
    }

    /**
     * Writes a topology, so that reading the text returns an equal one.
     *
     * @throws IOException if the output fails
     */
    public static void write(Topology topology, Appendable out) throws IOException {
        for (Node node : topology.nodes()) {
            writeNode(node, out);
        }
    }

    private static void writeNode(Node node, Appendable out) throws IOException {
        Topology.Identity identity = node.identity();
        String guid = Long.toHexString(node.nodeGuid());
        out.append("vendid=0x").append(Integer.toHexString(identity.vendorId())).append('\n');
        out.append("devid=0x").append(Integer.toHexString(identity.deviceId())).append('\n');
        out.append("sysimgguid=0x")
                .append(Long.toHexString(identity.systemImageGuid()))
                .append('\n');
        switch (node.type()) {
            case NodeInfo.SWITCH -> out.append("switchguid=0x").append(guid).append("(" + guid + ")\nSwitch");
            case NodeInfo.ROUTER -> out.append("rtguid=0x").append(guid).append("\nRt");
            default -> out.append("caguid=0x").append(guid).append("\nCa");
        }
        out.append("\t" + node.numPorts() + " \"" + node.id() + "\"\t\t# \"" + node.description() + '"');
        out.append(identity.enhancedPort0() ? " enhanced port 0" : "").append('\n');
        for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
            PortRef peer = node.peer(portNum);
            if (peer != null) {
                out.append("[" + portNum + "]" + guidOf(node, portNum) + "\t" + peer);
                out.append(guidOf(peer.node(), peer.portNum()));
                out.append("\t\t# " + node.rate(portNum) + "\n");
            }
        }
        out.append('\n');
    }

    private static String guidOf(Node node, int portNum) {
        return node.isSwitch() ? "" : "(" + Long.toHexString(node.portGuid(portNum)) + ")";
    }
}
