package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimInterventions;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of path records with devices: whether a packet with the answered LIDs and SL reaches its destination
 * by the tables as they are, on the VLs of the proven plan.
 */
final class AnswerJudge {
    private static final int MAX_HOPS = 64;

    /** Entry of a forwarding table that drops packets. */
    private static final int NO_PATH = 0xff;

    private final SimFabric devices;
    private final Subnet subnet;
    private final Fabric fabric;
    private final PublishedView view;

    AnswerJudge(SimFabric devices, PublishedView view) {
        this.devices = devices;
        this.view = view;
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
    }

    /** Returns the wrong answers for pairs of hosts that respond, and whose links are ACTIVE. */
    List<String> wrongAnswers() {
        List<String> faults = new ArrayList<>();
        int[] present = IntStream.range(0, fabric.portCount())
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port) && isPresent(port))
                .toArray();
        for (int to : present) {
            if (device(to).lid() != subnet.lid(to)) {
                faults.add(fabric.portName(to) + " has LID " + device(to).lid() + ", answered " + subnet.lid(to));
            }
            for (int from : present) {
                String problem = from == to ? "" : problem(from, to);
                if (!problem.isEmpty()) {
                    faults.add(fabric.portName(from) + " to " + fabric.portName(to) + ": " + problem);
                }
            }
        }
        return faults;
    }

    /** Returns the PortInfo of a port, as the device has it. */
    private PortInfo device(int port) {
        return devices.portInfo(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    /** Checks whether the link of a host is ACTIVE, and at least some packets reach it. */
    private boolean isPresent(int port) {
        long guid = fabric.nodeGuid(fabric.nodeOf(port));
        return device(port).portState() == PortInfo.STATE_ACTIVE
                && devices.interventions().lossInto(guid, fabric.portNum(port)) < 1;
    }

    /**
     * Follows a packet by the answered LIDs and SL. Returns the reason if it does not arrive; otherwise it is empty.
     */
    private String problem(int from, int to) {
        int lid = subnet.lid(to);
        int sl = view.plan().pathSl(subnet.lid(from), lid, 0);
        SimInterventions.CableEnd at = peer(fabric.nodeGuid(fabric.nodeOf(from)), fabric.portNum(from));
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            if (at == null) {
                return "ends at a port without a cable";
            }
            int node = fabric.nodeByGuid(at.nodeGuid());
            if (node == Fabric.NONE || !fabric.isSwitch(node)) {
                return at.nodeGuid() == fabric.nodeGuid(fabric.nodeOf(to)) ? "" : "reaches another host";
            }
            byte[] lft = devices.lft(at.nodeGuid());
            int out = lid < lft.length ? lft[lid] & 0xff : NO_PATH;
            if (out == 0 || out > fabric.numPorts(node)) {
                return "is dropped at " + fabric.nodeName(node);
            }
            if (devices.portInfo(at.nodeGuid(), out).portState() != PortInfo.STATE_ACTIVE) {
                return "meets a link that is not ACTIVE at " + fabric.nodeName(node) + " port " + out;
            }
            if (view.qos() && !isOnVl(node, at.portNum(), out, sl)) {
                return "has another VL than planned at " + fabric.nodeName(node) + " port " + out;
            }
            at = peer(at.nodeGuid(), out);
        }
        return "circles";
    }

    /** Checks whether a switch maps an SL to the VL of the plan. */
    private boolean isOnVl(int sw, int in, int out, int sl) {
        long programmed = devices.sl2vl(fabric.nodeGuid(sw), in, out);
        long planned = LinkSettings.foldRow(view.plan().sl2vl(sw, in, out), vls(sw, out));
        return SlToVlMappingTable.vl(programmed, sl) == SlToVlMappingTable.vl(planned, sl);
    }

    private int vls(int sw, int out) {
        return LinkSettings.DEFAULT.operationalVls(fabric, fabric.port(sw, out));
    }

    private SimInterventions.@Nullable CableEnd peer(long guid, int portNum) {
        return devices.interventions().peer(guid, portNum);
    }
}
