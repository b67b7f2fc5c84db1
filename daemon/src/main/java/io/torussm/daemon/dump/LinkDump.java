package io.torussm.daemon.dump;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The writer of {@code opensm-subnet.lst}: each link from both of its ends, for ibdmchk ({@code -s}) and ibdiagnet. */
final class LinkDump {
    private static final String UNKNOWN = "??";

    private final Subnet subnet;
    private final Fabric fabric;
    private final AsciiWriter text;

    private LinkDump(PublishedView view, AsciiWriter text) {
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
        this.text = text;
    }

    static void subnetList(PublishedView view, AsciiWriter text) throws IOException {
        LinkDump dump = new LinkDump(view, text);
        for (int port = 0; port < dump.fabric.portCount(); port++) {
            if (dump.fabric.peer(port) != Fabric.NONE) {
                dump.link(port);
            }
        }
    }

    private void link(int port) throws IOException {
        text.put("{ ");
        end(port);
        text.put(" } { ");
        end(fabric.peer(port));
        PortInfo info = fabric.portInfo(port);
        text.put(" } PHY=")
                .put(info == null ? UNKNOWN : info.widthText(UNKNOWN))
                .put(" LOG=")
                .put(state(info));
        text.put(" SPD=").put(info == null ? UNKNOWN : info.speedText(UNKNOWN)).put(" \n");
    }

    private void end(int port) throws IOException {
        int node = fabric.nodeOf(port);
        NodeInfo info = fabric.node(node).info();
        int addressed = info.isSwitch() ? fabric.port(node, 0) : port;
        int lid = subnet.lid(addressed);
        text.put(type(info)).put(lid != 0 && lid == subnet.smLid() ? "-SM" : "");
        text.put(" Ports:").upperHex(info.numPorts(), 2);
        text.put(" SystemGUID:").hex(info.systemImageGuid(), 16);
        text.put(" NodeGUID:").hex(info.nodeGuid(), 16);
        text.put(" PortGUID:").hex(fabric.portGuid(addressed), 16);
        text.put(" VenID:").upperHex(info.get(NodeInfo.VENDOR_ID), 6);
        text.put(" DevID:").upperHex(info.get(NodeInfo.DEVICE_ID), 4);
        text.put(" Rev:").upperHex(info.get(NodeInfo.REVISION), 8);
        text.put(" {").putName(fabric.nodeName(node)).put("} LID:").upperHex(lid, 4);
        text.put(" PN:").upperHex(fabric.portNum(port), 2);
    }

    private static String type(NodeInfo info) {
        return switch (info.nodeType()) {
            case NodeInfo.SWITCH -> "SW";
            case NodeInfo.ROUTER -> "Rt";
            default -> "CA";
        };
    }

    private static String state(@Nullable PortInfo info) {
        return switch (info == null ? 0 : info.portState()) {
            case PortInfo.STATE_INITIALIZE -> "INI";
            case PortInfo.STATE_ARMED -> "ARM";
            case PortInfo.STATE_ACTIVE -> "ACT";
            default -> "DWN";
        };
    }
}
