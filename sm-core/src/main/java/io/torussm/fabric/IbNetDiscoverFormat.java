package io.torussm.fabric;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the text format of ibnetdiscover, for tools that read it (ibsim, scripts, the embedded fabric).
 * Nodes are in the order of {@link Fabric}, ports ascending. Ports without a link are omitted.
 */
public final class IbNetDiscoverFormat {
    private final Fabric fabric;
    private final Appendable out;

    private IbNetDiscoverFormat(Fabric fabric, Appendable out) {
        this.fabric = fabric;
        this.out = out;
    }

    /**
     * Writes a whole fabric.
     *
     * @throws IOException if {@code out} throws it
     */
    public static void write(Fabric fabric, Appendable out) throws IOException {
        new IbNetDiscoverFormat(fabric, out).writeAll();
    }

    private void writeAll() throws IOException {
        int local = fabric.localPort();
        out.append("#\n# Initiated from node ")
                .append(hex(fabric.nodeGuid(fabric.nodeOf(local))))
                .append(" port ")
                .append(hex(fabric.portGuid(local)))
                .append("\n#\n");
        for (int node = 0; node < fabric.nodeCount(); node++) {
            out.append('\n');
            writeNode(node);
            for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                int port = fabric.port(node, portNum);
                if (fabric.peer(port) != Fabric.NONE) {
                    writePort(port);
                }
            }
        }
    }

    private void writeNode(int node) throws IOException {
        NodeInfo info = fabric.node(node).info();
        out.append("vendid=0x").append(Long.toHexString(info.get(NodeInfo.VENDOR_ID)));
        out.append("\ndevid=0x").append(Long.toHexString(info.get(NodeInfo.DEVICE_ID)));
        out.append("\nsysimgguid=0x").append(Long.toHexString(info.systemImageGuid()));
        String guid = Long.toHexString(info.nodeGuid());
        if (fabric.isSwitch(node)) {
            int port0 = fabric.port(node, 0);
            out.append("\nswitchguid=0x").append(guid).append('(');
            out.append(Long.toHexString(fabric.portGuid(port0))).append(")\nSwitch\t");
        } else {
            boolean router = info.nodeType() == NodeInfo.ROUTER;
            out.append(router ? "\nrtguid=0x" : "\ncaguid=0x").append(guid).append(router ? "\nRt\t" : "\nCa\t");
        }
        out.append(Integer.toString(info.numPorts())).append(' ').append(id(node));
        out.append("\t\t# \"").append(printable(node)).append('"');
        if (fabric.isSwitch(node)) {
            out.append(fabric.hasEnhancedPort0(node) ? " enhanced port 0" : " base port 0")
                    .append(address(fabric.port(node, 0)));
        }
        out.append('\n');
    }

    private void writePort(int port) throws IOException {
        int far = fabric.peer(port);
        int node = fabric.nodeOf(port);
        int farNode = fabric.nodeOf(far);
        out.append(endOfCable(port)).append('\t').append(id(farNode)).append(endOfCable(far));
        out.append("\t\t#");
        if (!fabric.isSwitch(node)) {
            out.append(address(port));
        }
        int farAddress = fabric.isSwitch(farNode) ? fabric.port(farNode, 0) : far;
        PortInfo farInfo = fabric.portInfo(farAddress);
        out.append(" \"").append(printable(farNode)).append("\" lid ");
        out.append(Integer.toString(farInfo == null ? 0 : farInfo.lid()));
        out.append(rate(fabric.portInfo(port))).append('\n');
    }

    /** Returns the text of a port: {@code [7]}, or with the port GUID of a host port {@code [1](100000001)}. */
    private String endOfCable(int port) {
        boolean named = !fabric.isSwitch(fabric.nodeOf(port)) && fabric.portGuid(port) != 0;
        return "[" + fabric.portNum(port) + "]" + (named ? "(" + Long.toHexString(fabric.portGuid(port)) + ")" : "");
    }

    private String id(int node) {
        char kind = fabric.isSwitch(node) ? 'S' : fabric.node(node).info().nodeType() == NodeInfo.ROUTER ? 'R' : 'H';
        return "\"" + kind + "-" + hex(fabric.nodeGuid(node)) + "\"";
    }

    private String address(int endport) {
        PortInfo info = fabric.portInfo(endport);
        return " lid " + (info == null ? 0 : info.lid()) + " lmc " + (info == null ? 0 : info.lmc());
    }

    private String printable(int node) {
        // A NodeDescription comes from the device. A quote or a line break would end the text of the comment.
        return fabric.node(node).description().replaceAll("[^\\x20-\\x7e]", " ").replace('"', '\'');
    }

    private static String hex(long guid) {
        return Guid.format(guid).substring(2);
    }

    private static String rate(@Nullable PortInfo info) {
        if (info == null) {
            return "";
        }
        String width = info.widthText("");
        String speed = speed(info);
        return width.isEmpty() || speed.isEmpty() ? "" : " " + width + speed;
    }

    private static String speed(PortInfo info) {
        return LinkSpeed.of(info).map(Enum::name).orElse("");
    }
}
