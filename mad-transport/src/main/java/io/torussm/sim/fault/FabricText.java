package io.torussm.sim.fault;

import io.torussm.mad.Field;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.topology.Topology;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The text of registers and tables in the form of ibsim's {@code Dump} and {@code Route}. */
final class FabricText {
    private static final int ENTRIES_PER_LINE = 16;
    private static final int MAX_HOPS = 64;
    private static final Map<Integer, String> STATES = Map.of(1, "Down", 2, "Init", 3, "Armed", 4, "Active");
    private static final Map<Integer, String> PHYSICAL_STATES =
            Map.of(1, "Sleep", 2, "Polling", 3, "Disabled", 4, "Training", 5, "LinkUp", 6, "ErrorRecovery");
    private static final Map<LinkSpeed, String> SPEEDS = new EnumMap<>(Map.of(
            LinkSpeed.SDR, " 2.5G",
            LinkSpeed.DDR, " 5.0G",
            LinkSpeed.QDR, "10.0G",
            LinkSpeed.FDR, " 14G",
            LinkSpeed.EDR, " 25G",
            LinkSpeed.HDR, "50G",
            LinkSpeed.NDR, "100G",
            LinkSpeed.XDR, "200G"));

    private final Faults faults;
    private final SimFabric fabric;
    private final Nodes nodes;

    FabricText(Faults faults) {
        this.faults = faults;
        fabric = faults.fabric();
        nodes = faults.nodes();
    }

    /**
     * Returns the registers of one node.
     *
     * @param nodeGuid NodeGUID; null for all nodes
     */
    String dump(@Nullable Long nodeGuid) {
        StringBuilder text = new StringBuilder("# Net status - " + faults.loop().timeOfDay() + "\n");
        int count = 0;
        for (Topology.Node node : nodes.all()) {
            if (nodeGuid == null || node.nodeGuid() == nodeGuid) {
                node(text, node);
                count++;
            }
        }
        return text.append("#  dumped ").append(count).append(" nodes\n").toString();
    }

    private void node(StringBuilder text, Topology.Node node) {
        NodeInfo info = fabric.interventions().nodeInfo(node.nodeGuid(), node.isSwitch() ? 0 : 1);
        text.append(String.format(
                Locale.ROOT,
                "%n%s %d \"%s\"\tnodeguid %x\tsysimgguid %x%n",
                node.isSwitch() ? "Switch" : node.type() == NodeInfo.CHANNEL_ADAPTER ? "Ca" : "Router",
                node.numPorts(),
                node.id(),
                info.get(NodeInfo.NODE_GUID),
                info.get(NodeInfo.SYSTEM_IMAGE_GUID)));
        if (node.isSwitch()) {
            tables(text, node);
        }
        for (int portNum = node.isSwitch() ? 0 : 1; portNum <= node.numPorts(); portNum++) {
            port(text, node, portNum);
        }
    }

    private void tables(StringBuilder text, Topology.Node node) {
        SwitchInfo info = fabric.switchInfo(node.nodeGuid());
        text.append(String.format(
                Locale.ROOT,
                "#\tlinearcap %d FDBtop %d portchange %d%n",
                info.get(SwitchInfo.LINEAR_FDB_CAP),
                info.get(SwitchInfo.LINEAR_FDB_TOP),
                info.get(SwitchInfo.PORT_STATE_CHANGE)));
        byte[] lft = fabric.lft(node.nodeGuid());
        for (int firstLid = 0; firstLid < lft.length; firstLid += ENTRIES_PER_LINE) {
            int end = Math.min(firstLid + ENTRIES_PER_LINE, lft.length);
            text.append("#\tForwarding table ")
                    .append(firstLid)
                    .append('-')
                    .append(end - 1)
                    .append(':');
            for (int lid = firstLid; lid < end; lid++) {
                text.append(String.format(Locale.ROOT, " [%d]%X", lid, lft[lid] & 0xff));
            }
            text.append('\n');
        }
    }

    private void port(StringBuilder text, Topology.Node node, int portNum) {
        CableEnd end = new CableEnd(node.nodeGuid(), portNum);
        PortInfo info = fabric.portInfo(node.nodeGuid(), portNum);
        long guid = fabric.interventions().nodeInfo(node.nodeGuid(), portNum).get(NodeInfo.PORT_GUID);
        CableEnd peer = faults.peer(end);
        String to =
                info.portState() == PortInfo.STATE_DOWN ? "\t" : peer == null ? "\"Sma Port\"[0]" : nodes.text(peer);
        text.append(String.format(Locale.ROOT, "%x\t[%d]\t%s", guid, portNum, to));
        if (!node.isSwitch() || portNum == 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "\t lid %d lmc %d smlid %d",
                    info.get(PortInfo.LID),
                    info.get(PortInfo.LMC),
                    info.get(PortInfo.MASTER_SM_LID)));
        } else {
            text.append('\t');
        }
        double loss = fabric.interventions().lossInto(node.nodeGuid(), portNum);
        text.append(String.format(
                Locale.ROOT,
                " %s %s %s/%s%s%n",
                LinkWidth.of(info)
                        .map(width -> String.format(Locale.ROOT, "%3s", width))
                        .orElse("?"),
                speed(info),
                nameOf(STATES, info, PortInfo.PORT_STATE),
                nameOf(PHYSICAL_STATES, info, PortInfo.PORT_PHYSICAL_STATE),
                loss > 0 ? "\t# err_rate " + Math.round(100 * loss) : ""));
    }

    /** Returns the speed of a lane as ibsim has it; a question mark for an unknown code. */
    static String speed(PortInfo info) {
        return LinkSpeed.of(info).map(SPEEDS::get).orElse("?");
    }

    private static String nameOf(Map<Integer, String> names, PortInfo info, Field field) {
        return names.getOrDefault((int) info.get(field), "?");
    }

    /**
     * Returns the path of a packet along the forwarding tables.
     *
     * @param from LID of the source
     * @param to LID of the destination
     */
    ConsoleReply route(int from, int to) {
        CableEnd start = owner(from);
        CableEnd goal = owner(to);
        if (start == null || goal == null) {
            return ConsoleReply.failure("to/from lid unconfigured. Usage: Route from-lid to-lid");
        }
        StringBuilder text = new StringBuilder(
                "From node " + nodes.text(start.nodeGuid()) + " port " + start.portNum() + " lid " + from + "\n");
        CableEnd end = start;
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            if (end.equals(goal)) {
                return ConsoleReply.success(text + arrival(end, to));
            }
            Topology.Node node = nodes.of(end.nodeGuid());
            int egress = node.isSwitch() ? egress(node, to) : end.portNum();
            // The packet has arrived at port 0 of a switch.
            if (egress == 0 && goal.nodeGuid() == end.nodeGuid()) {
                return ConsoleReply.success(text + arrival(goal, to));
            }
            CableEnd outputPort = new CableEnd(end.nodeGuid(), egress);
            if (egress == LinearForwardingTable.NO_PATH || egress == 0 || egress > node.numPorts()) {
                return ConsoleReply.failure(text + "Bad forwarding table entry found at: node "
                        + nodes.text(end.nodeGuid()) + " lid entry " + to + " is " + egress);
            }
            CableEnd peer = faults.peer(outputPort);
            if (peer == null || !isActive(outputPort) || !isActive(peer)) {
                return ConsoleReply.failure(
                        text + "Bad out port state found: node " + nodes.text(end.nodeGuid()) + " outport "
                                + egress + " state "
                                + fabric.portInfo(end.nodeGuid(), egress).portState());
            }
            text.append("[")
                    .append(egress)
                    .append("] -> ")
                    .append(nodes.text(peer))
                    .append('\n');
            end = peer;
        }
        return ConsoleReply.failure(text + "no route found after " + MAX_HOPS + " hops");
    }

    private String arrival(CableEnd end, int lid) {
        return "To node " + nodes.text(end.nodeGuid()) + " port " + end.portNum() + " lid " + lid;
    }

    private boolean isActive(CableEnd end) {
        return fabric.portInfo(end.nodeGuid(), end.portNum()).portState() == PortInfo.STATE_ACTIVE;
    }

    private int egress(Topology.Node node, int lid) {
        byte[] lft = fabric.lft(node.nodeGuid());
        return lid < lft.length ? lft[lid] & 0xff : LinearForwardingTable.NO_PATH;
    }

    /** Returns the end port with a LID; null if no port has it. With LMC, a port has 2^LMC LIDs. */
    private @Nullable CableEnd owner(int lid) {
        for (Topology.Node node : nodes.all()) {
            List<Integer> ends = node.isSwitch()
                    ? List.of(0)
                    : IntStream.rangeClosed(1, node.numPorts()).boxed().toList();
            for (int portNum : ends) {
                PortInfo info = fabric.portInfo(node.nodeGuid(), portNum);
                long base = info.get(PortInfo.LID);
                if (base != 0 && lid >= base && lid < base + (1 << info.get(PortInfo.LMC))) {
                    return new CableEnd(node.nodeGuid(), portNum);
                }
            }
        }
        return null;
    }
}
