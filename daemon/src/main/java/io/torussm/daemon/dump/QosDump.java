package io.torussm.daemon.dump;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.io.IOException;

/** The writers of SL2VL tables and path SLs, for ibdmchk ({@code -d}, {@code -c}). */
final class QosDump {
    private static final int SLS = 16;
    private static final String RULE = "#--------------------------------------------------------\n";

    private QosDump() {}

    /**
     * Writes {@code opensm-sl2vl.dump}: the programmed rows. Without QoS no rows are programmed, and the file is empty.
     */
    static void sl2vl(PublishedView view, AsciiWriter text) throws IOException {
        if (!view.qos()) {
            return;
        }
        Fabric fabric = view.subnet().fabric();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            if (fabric.isSwitch(node)) {
                header(view.subnet(), fabric.port(node, 0), text);
                for (int out = 1; out <= fabric.numPorts(node); out++) {
                    int port = fabric.port(node, out);
                    int inputs = fabric.peer(port) == Fabric.NONE ? 0 : fabric.numPorts(node) + 1;
                    for (int in = 0; in < inputs; in++) {
                        row(in, out, folded(fabric, port, view.plan().sl2vl(node, in, out)), text);
                    }
                }
                text.put(RULE).put('\n');
            } else {
                for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                    int port = fabric.port(node, portNum);
                    if (view.subnet().lid(port) != 0) {
                        header(view.subnet(), port, text);
                        row(0, 0, folded(fabric, port, view.plan().sl2vl(port)), text);
                        text.put(RULE).put('\n');
                    }
                }
            }
        }
    }

    private static void header(Subnet subnet, int port, AsciiWriter text) throws IOException {
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeOf(port);
        text.put(ForwardingDump.typeName(fabric, node)).put(" 0x").hex(fabric.portGuid(port), 16);
        text.put(", base LID ").decimal(subnet.lid(port), 1);
        text.put(", \"").putName(fabric.nodeName(node)).put("\"\n#in out :");
        for (int sl = 0; sl < SLS; sl++) {
            text.put(' ').decimalLeft(sl, 2);
        }
        text.put('\n').put(RULE);
    }

    private static void row(int in, int out, long packed, AsciiWriter text) throws IOException {
        text.decimalLeft(in, 3).put(' ').decimalLeft(out, 3).put(" :");
        for (int sl = 0; sl < SLS; sl++) {
            text.put(' ').decimalLeft(SlToVlMappingTable.vl(packed, sl), 2);
        }
        text.put('\n');
    }

    private static long folded(Fabric fabric, int port, long packed) {
        PortInfo info = fabric.portInfo(port);
        return info == null ? packed : LinkSettings.foldRow(packed, info.operationalVls());
    }

    /**
     * Writes {@code opensm-path-sl.dump}: source NodeGUID, destination LID and SL, for every pair of CA ports that has
     * a path.
     */
    static void pathSls(PublishedView view, AsciiWriter text) throws IOException {
        pathSls(view, false, text);
    }

    /** Writes {@code opensm-path-sl.dump} for every pair of end ports, including ports 0 of switches. */
    static void allPathSls(PublishedView view, AsciiWriter text) throws IOException {
        pathSls(view, true, text);
    }

    private static void pathSls(PublishedView view, boolean withSwitches, AsciiWriter text) throws IOException {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        for (int node = withSwitches ? 0 : fabric.switchCount(); node < fabric.nodeCount(); node++) {
            boolean isSwitch = fabric.isSwitch(node);
            for (int portNum = isSwitch ? 0 : 1; portNum <= (isSwitch ? 0 : fabric.numPorts(node)); portNum++) {
                int source = subnet.lid(fabric.port(node, portNum));
                if (source != 0) {
                    pathSls(view, node, source, withSwitches, text);
                }
            }
        }
    }

    private static void pathSls(PublishedView view, int node, int source, boolean withSwitches, AsciiWriter text)
            throws IOException {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int endport = subnet.portOfLid(lid);
            boolean isWanted = endport != Fabric.NONE && (withSwitches || !fabric.isSwitch(fabric.nodeOf(endport)));
            if (isWanted && fabric.nodeOf(endport) != node) {
                int sl = view.plan().pathSl(source, lid, 0);
                if (sl >= 0) {
                    text.put("0x").hex(fabric.nodeGuid(node), 16).put(' ');
                    text.decimal(lid, 1).put(' ').decimal(sl, 1).put('\n');
                }
            }
        }
    }
}
