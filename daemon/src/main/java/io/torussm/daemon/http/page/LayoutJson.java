package io.torussm.daemon.http.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.daemon.layout.CableGraph;
import io.torussm.daemon.layout.LayoutMemory;
import io.torussm.daemon.layout.PictureLayout;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeFault;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The layout of a fabric without a lattice: positions of present and absent switches, and lost cables. Lost devices are
 * part of the layout, so that no switch moves after a fault. Switches are identified by PortGUID, because nothing else
 * is certain of an absent switch.
 */
final class LayoutJson {
    private final Fabric fabric;

    /** Index of each present switch, by the GUID of its port 0. */
    private final Map<Long, Integer> drawnCables = new TreeMap<>(Long::compareUnsigned);

    /** Lost cables between switches. */
    private final List<LostCable> lost = new ArrayList<>();

    private LayoutJson(Fabric fabric) {
        this.fabric = fabric;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            drawnCables.put(guid(sw), sw);
        }
    }

    /**
     * Adds the layout to the picture.
     *
     * @param memory memory of previous layouts
     */
    static void add(ObjectNode json, FabricState state, PlacedSubnet seen, LayoutMemory memory) {
        LayoutJson document = new LayoutJson(seen.fabric());
        PictureLayout layout = memory.layout(document.graph(state.absences().cables()));
        ObjectNode plane = json.putObject("layout");
        ArrayNode levels = plane.putArray("levels");
        layout.slots().forEach(levels::add);
        plane.put("isTree", layout.isTree());
        Map<Long, Integer> nodes = document.addNodes(plane.putArray("nodes"), layout);
        document.addLost(plane.putArray("missing"), nodes);
        ArrayNode wrong = plane.putArray("wrong");
        if (layout.isTree()) {
            document.addWrong(wrong, seen.treeOrNew());
        }
    }

    /** Adds the wrong cables of a tree, by the indexes of their switches. */
    private void addWrong(ArrayNode wrong, FabricTree tree) {
        tree.faults().stream().filter(fault -> fault.kind().isWrongCable()).forEach(fault -> wrong.addObject()
                .put("from", fault.sw())
                .put("to", fabric.nodeOf(fault.far()))
                .put("text", text(fault)));
    }

    /** Returns the fault of a cable, in words to be appended to its name. */
    private String text(TreeFault fault) {
        TreeFault.Move move = fault.move();
        if (move.end() != Fabric.NONE) {
            return "should go from " + end(move.end()) + " to "
                    + (move.to() == Fabric.NONE ? fabric.nodeName(move.toSwitch()) : end(move.to()));
        }
        return switch (fault.kind()) {
            case WITHIN_LEVEL -> "joins two switches of one level, and should go up or down";
            case SKIPS_LEVEL -> "goes over a level, and should go to the next one";
            case WRONG_SWITCH -> "goes to a switch that no similar one has a cable to";
            case HOSTS_ABOVE, MISSING_UPLINK -> throw new IllegalArgumentException(fault + " is no wrong cable");
        };
    }

    private String end(int port) {
        return fabric.nodeName(fabric.nodeOf(port)) + " port " + fabric.portNum(port);
    }

    private long guid(int sw) {
        return fabric.portGuid(fabric.port(sw, 0));
    }

    private CableGraph graph(List<LostCable> absent) {
        CableGraph.Builder graph = new CableGraph.Builder();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            graph.add(guid(sw), 0);
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                if (far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far))) {
                    graph.link(guid(sw), guid(fabric.nodeOf(far)));
                } else if (far != Fabric.NONE) {
                    graph.add(guid(sw), 1);
                }
            }
        }
        for (LostCable cable : absent) {
            if (cable.near().isSwitch() && cable.far().isSwitch()) {
                graph.link(guid(cable.near()), guid(cable.far()));
                lost.add(cable);
            } else if (cable.near().isSwitch() || cable.far().isSwitch()) {
                graph.add(guid(cable.near().isSwitch() ? cable.near() : cable.far()), 1);
            }
        }
        return graph.build();
    }

    private static long guid(LostCable.LostEnd end) {
        return end.port().portGuid();
    }

    /** Adds the switches of a layout to a list. Returns the index in the list, by GUID. */
    private Map<Long, Integer> addNodes(ArrayNode nodes, PictureLayout layout) {
        Map<Long, PictureLayout.Place> places = new TreeMap<>(Long::compareUnsigned);
        places.putAll(layout.places());
        Map<Long, Integer> order = new TreeMap<>();
        places.forEach((guid, place) -> {
            order.put(guid, nodes.size());
            nodes.addObject()
                    .put("switch", drawnCables.getOrDefault(guid, Fabric.NONE))
                    .put("guid", Guid.format(guid))
                    .put("x", rounded(place.x()))
                    .put("y", rounded(place.y()));
        });
        return order;
    }

    /** Rounds a coordinate to a thousandth of a hop. The difference is invisible, and the document is shorter. */
    private static double rounded(double place) {
        return Math.round(place * 1000) / 1000.0;
    }

    private void addLost(ArrayNode missing, Map<Long, Integer> nodes) {
        Map<List<Long>, ArrayNode> byEnds = new LinkedHashMap<>();
        for (LostCable cable : lost) {
            long near = guid(cable.near());
            long far = guid(cable.far());
            if (near != far) {
                ArrayNode cables = byEnds.computeIfAbsent(List.of(near, far), any -> missing.addObject()
                        .put("from", nodes.getOrDefault(near, Fabric.NONE))
                        .put("to", nodes.getOrDefault(far, Fabric.NONE))
                        .putArray("lost"));
                TorusJson.cable(cables, cable, true);
            }
        }
    }
}
