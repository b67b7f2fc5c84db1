package io.torussm.daemon.dump;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The writers of forwarding tables, for ibdmchk ({@code -f}, {@code -m}) and for OpenSM's engine "file". */
final class ForwardingDump {
    private ForwardingDump() {}

    /** Writes {@code opensm-lfts.dump}: for each switch and LID, the output port and the device of the LID. */
    static void lfts(PublishedView view, AsciiWriter text) throws IOException {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        int top = subnet.topLid();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            byte[] lft = view.plan().lft(sw);
            text.put("Unicast lids [0-").decimal(top, 1).put("] of switch Lid ");
            text.decimal(subnet.lid(fabric.port(sw, 0)), 1).put(" guid 0x").hex(fabric.nodeGuid(sw), 16);
            text.put(" ('").putName(fabric.nodeName(sw)).put("'):\n");
            int dumped = 0;
            for (int lid = 1; lid <= top; lid++) {
                int outNum = lft[lid] & 0xff;
                int endport = subnet.portOfLid(lid);
                if (outNum != LinearForwardingTable.NO_PATH && endport != Fabric.NONE) {
                    text.put("0x").hex(lid, 4).put(' ').decimal(outNum, 3).put(" # ");
                    text.put(typeName(fabric, fabric.nodeOf(endport))).put(" portguid 0x");
                    text.hex(fabric.portGuid(endport), 16).put(": '");
                    text.putName(fabric.nodeName(fabric.nodeOf(endport))).put("'\n");
                    dumped++;
                }
            }
            text.decimal(dumped, 1).put(" lids dumped \n");
        }
    }

    /** Writes {@code opensm.fdbs} without numbers of hops, since ibdmchk follows the tables itself. */
    static void fdbs(PublishedView view, AsciiWriter text) throws IOException {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            byte[] lft = view.plan().lft(sw);
            text.put("dump_ucast_routes: Switch 0x").hex(fabric.nodeGuid(sw), 16);
            text.put("\nLID    : Port : Hops : Optimal\n");
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                text.put("0x").upperHex(lid, 4).put(" : ");
                int outNum = lft[lid] & 0xff;
                if (outNum == LinearForwardingTable.NO_PATH) {
                    text.put("UNREACHABLE\n");
                } else {
                    text.decimal(outNum, 3).put("  : HOPS UNKNOWN\n");
                }
            }
            text.put('\n');
        }
    }

    /**
     * Writes {@code opensm.mcfdbs}: the ports to which each switch sends each group. Switches without entries are
     * omitted.
     */
    static void multicastFdbs(PublishedView view, MulticastView groups, AsciiWriter text) throws IOException {
        Fabric fabric = view.subnet().fabric();
        MulticastRouter router =
                new MulticastRouter(view.subnet(), view.multicast(), view.plan().multicastSls(), guid -> 0);
        List<MulticastRouter.Block> blocks = new ArrayList<>();
        int size = MulticastForwardingTable.MLIDS_PER_BLOCK;
        for (int first = MulticastView.FIRST_MLID; first <= groups.topMlid(); first += size) {
            blocks.add(router.block(groups, blocks.size()));
        }
        int[] mlids = groups.groups().stream()
                .mapToInt(MulticastGroup::mlid)
                .distinct()
                .toArray();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            boolean isTitled = false;
            for (int mlid : mlids) {
                int entry = mlid - MulticastView.FIRST_MLID;
                int[] ports = blocks.get(entry / size).ports(sw, entry % size);
                if (ports.length > 0 && !isTitled) {
                    text.put("\nSwitch 0x").hex(fabric.nodeGuid(sw), 16).put("\nLID    : Out Port(s)\n");
                    isTitled = true;
                }
                putPorts(mlid, ports, text);
            }
        }
    }

    private static void putPorts(int mlid, int[] ports, AsciiWriter text) throws IOException {
        if (ports.length > 0) {
            text.put("0x").upperHex(mlid, 4).put(" :");
            for (int port : ports) {
                text.put(" 0x").upperHex(port, 3).put(' ');
            }
            text.put('\n');
        }
    }

    /** Returns the name of a node's type in OpenSM's dumps. */
    static String typeName(Fabric fabric, int node) {
        return switch (fabric.node(node).info().nodeType()) {
            case NodeInfo.SWITCH -> "Switch";
            case NodeInfo.ROUTER -> "Router";
            default -> "Channel Adapter";
        };
    }
}
