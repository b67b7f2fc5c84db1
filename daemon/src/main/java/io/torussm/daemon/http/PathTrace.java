package io.torussm.daemon.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.RoutingPlan;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;

/** A path as a packet takes it through the tables that are programmed, hop by hop with VL and reason. */
final class PathTrace {
    private static final int NO_PATH = 0xff;

    private final PublishedView view;
    private final Subnet subnet;
    private final Fabric fabric;
    private final RoutingPlan plan;
    private final int dstLid;
    private final int sl;
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();
    private final ArrayNode hops = json.putArray("hops");

    private PathTrace(PublishedView view, int dstLid, int sl) {
        this.view = view;
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
        this.plan = view.plan();
        this.dstLid = dstLid;
        this.sl = sl;
    }

    /**
     * The path between two end ports. What keeps the packet from its destination stands under {@code problem}.
     *
     * @param srcLid a LID that an end port has
     * @param dstLid likewise
     * @param level SL wanted, 0 to 15
     */
    static ObjectNode of(PublishedView view, int srcLid, int dstLid, int level) {
        int source = view.subnet().portOfLid(srcLid);
        int destination = view.subnet().portOfLid(dstLid);
        PathTrace trace = new PathTrace(view, dstLid, view.plan().pathSl(srcLid, dstLid, level));
        trace.addEnd("source", source, srcLid);
        trace.addEnd("destination", destination, dstLid);
        if (source == destination) {
            trace.json.put("problem", "both ends are the same port; packets to itself do not leave it");
        } else if (trace.sl < 0) {
            trace.json.put("problem", view.plan().engine() + " has no path for this pair");
        } else {
            trace.json.put("sl", trace.sl);
            String problem = trace.walk(source, destination);
            if (!problem.isEmpty()) {
                trace.json.put("problem", problem);
            }
        }
        return trace.json;
    }

    private void addEnd(String name, int port, int lid) {
        json.putObject(name)
                .put("name", fabric.node(fabric.nodeOf(port)).description())
                .put("lid", lid);
    }

    private String walk(int source, int destination) {
        int in = source;
        if (!fabric.isSwitch(fabric.nodeOf(source))) {
            addHop(source, -1, fabric.portNum(source), vl(plan.sl2vl(source), source), "");
            in = fabric.peer(source);
        }
        for (int passed = 0; passed <= fabric.switchCount(); passed++) {
            if (in == Fabric.NONE) {
                return "a port on the way has no link";
            }
            int node = fabric.nodeOf(in);
            if (in == destination || fabric.isSwitch(node) && node == fabric.nodeOf(destination)) {
                return "";
            }
            int outNum = fabric.isSwitch(node) ? plan.lft(node)[dstLid] & 0xff : NO_PATH;
            if (outNum == NO_PATH || outNum == 0 || outNum > fabric.numPorts(node)) {
                return fabric.name(node) + " has no port for LID " + dstLid;
            }
            int inNum = fabric.portNum(in);
            int out = fabric.port(node, outNum);
            addHop(in, inNum, outNum, vl(plan.sl2vl(node, inNum, outNum), out), plan.why(node, inNum, outNum, dstLid));
            in = fabric.peer(out);
        }
        return "the packet goes in circles";
    }

    private void addHop(int port, int inNum, int outNum, int vl, String why) {
        int node = fabric.nodeOf(port);
        ObjectNode hop = hops.addObject().put("name", fabric.node(node).description());
        if (fabric.isSwitch(node)) {
            hop.put("switch", node).put("place", plan.place(node)).put("in", inNum);
        }
        hop.put("out", outNum).put("why", why);
        if (view.qos()) {
            hop.put("vl", vl);
        }
    }

    private int vl(long sl2vl, int out) {
        PortInfo info = fabric.portInfo(out);
        return LinkSettings.foldVl(SlToVlMappingTable.vl(sl2vl, sl), info == null ? 1 : info.operationalVls());
    }
}
