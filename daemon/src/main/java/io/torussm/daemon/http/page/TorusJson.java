package io.torussm.daemon.http.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.daemon.http.TorusState;
import io.torussm.daemon.layout.LayoutMemory;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.SiteMap;
import io.torussm.routing.Lattice;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.RingState;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.subnet.Subnet;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON document of the picture: the last discovered fabric with switches, hosts, links and missing parts. The
 * numbers of paths and the multicast tree are those of the active routes. A link names its switches by their index in
 * the list of switches. An instance makes one document.
 */
final class TorusJson {
    /** Maximum number of absent devices in the document. */
    private static final int MAX_ABSENT = 500;

    private final FabricState state;
    private final PlacedSubnet discovered;
    private final Subnet subnet;
    private final Fabric fabric;
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();

    /** All cables between two switches; {@code from} has the lower index. */
    private static final class Bundle {
        final int from;
        final int to;
        int cables;

        /**
         * Number of paths over these cables from {@code from} to {@code to}; {@code reversePaths} is the number of the
         * reverse direction.
         */
        long forwardPaths;

        long reversePaths;
        boolean isInTree;
        final List<String> labels = new ArrayList<>();

        /** The port numbers of each cable: that at {@code from}, then that at {@code to}. */
        final List<int[]> ports = new ArrayList<>();

        /** Width and speed of the first cable; empty if unknown. */
        String width = "";

        String speed = "";

        Bundle(int from, int to) {
            this.from = from;
            this.to = to;
        }

        void addCable(int near, int far, @Nullable PortInfo info) {
            cables++;
            ports.add(new int[] {near, far});
            if (width.isEmpty() && info != null) {
                width = info.widthText("");
                speed = info.speedText("");
            }
        }

        void addLabel(String label) {
            if (!label.isEmpty()) {
                labels.add(label);
            }
        }
    }

    private TorusJson(FabricState state, PlacedSubnet discovered) {
        this.state = state;
        this.discovered = discovered;
        this.subnet = discovered.subnet();
        this.fabric = discovered.fabric();
    }

    /**
     * Returns the picture.
     *
     * @param discovered the last discovered fabric; the active subnet if nothing was discovered
     * @param memory earlier layouts, for a fabric that is no torus
     */
    static ObjectNode of(FabricState state, PlacedSubnet discovered, LayoutMemory memory) {
        TorusJson torus = new TorusJson(state, discovered);
        PublishedView view = state.view();
        torus.json
                .put("sweep", view == null ? 0 : view.sweep())
                .put("engine", view == null ? "" : view.plan().engine())
                .put("isRouted", view != null)
                .put("multicast", view != null && view.multicast() != null)
                .put("qos", view != null && view.qos());
        torus.addSwitches();
        torus.addLinks();
        torus.addAbsent();
        TorusState.of(discovered)
                .ifPresentOrElse(torus::addLattice, () -> LayoutJson.add(torus.json, state, discovered, memory));
        return torus.json;
    }

    private void addSwitches() {
        ArrayNode switches = json.putArray("switches");
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            ObjectNode object = switches.addObject();
            object.put("name", fabric.nodeName(sw));
            object.put("guid", Guid.format(fabric.nodeGuid(sw)));
            object.put("lid", subnet.lid(fabric.port(sw, 0)));
            object.put("place", discovered.place(sw));
            addSite(object, sw);
            ArrayNode hosts = object.putArray("hosts");
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                if (far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far)) && subnet.lid(far) != 0) {
                    ObjectNode host = hosts.addObject()
                            .put("name", fabric.nodeName(fabric.nodeOf(far)))
                            .put("guid", Guid.format(fabric.nodeGuid(fabric.nodeOf(far))))
                            .put("port", portNum)
                            .put("hostPort", fabric.portNum(far))
                            .put("lid", subnet.lid(far));
                    addSite(host, fabric.nodeOf(far));
                }
            }
        }
    }

    /** Adds row, rack and unit of a node, as far as they are known. */
    private void addSite(ObjectNode object, int node) {
        SiteMap.Site site = discovered.site(node);
        if (!site.isUnknown()) {
            object.putObject("site")
                    .put("rack", site.rack())
                    .put("row", site.row())
                    .put("unit", site.unit());
        }
    }

    private void addLinks() {
        PublishedView view = state.view();
        int[] paths = view == null ? new int[0] : PathStatistics.loads(view.plan());
        Map<Long, Bundle> bundles = new TreeMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                int far = fabric.peer(port);
                if (far != Fabric.NONE && fabric.nodeOf(far) > sw && fabric.isSwitch(fabric.nodeOf(far))) {
                    Bundle bundle = bundle(bundles, sw, fabric.nodeOf(far));
                    bundle.addLabel(fabric.cableLabel(port));
                    bundle.addCable(portNum, fabric.portNum(far), fabric.portInfo(port));
                    bundle.forwardPaths += paths(view, paths, port);
                    bundle.reversePaths += paths(view, paths, far);
                }
            }
        }
        addTree(view, bundles);
        ArrayNode links = json.putArray("links");
        for (Bundle bundle : bundles.values()) {
            ObjectNode link = links.addObject();
            link.put("from", bundle.from).put("to", bundle.to).put("cables", bundle.cables);
            if (!bundle.labels.isEmpty()) {
                bundle.labels.forEach(link.putArray("labels")::add);
            }
            ArrayNode ports = link.putArray("ports");
            bundle.ports.forEach(ends -> ports.addArray().add(ends[0]).add(ends[1]));
            link.put("width", bundle.width).put("speed", bundle.speed);
            link.put("there", bundle.forwardPaths)
                    .put("back", bundle.reversePaths)
                    .put("tree", bundle.isInTree);
        }
    }

    private static Bundle bundle(Map<Long, Bundle> bundles, int from, int to) {
        return bundles.computeIfAbsent(key(from, to), any -> new Bundle(from, to));
    }

    /**
     * Returns the number of paths of the active routes that leave by a port; 0 if the port is not routed.
     *
     * @param paths number of paths, by port index of the view
     */
    private int paths(@Nullable PublishedView view, int[] paths, int port) {
        int activePort = view == null
                ? Fabric.NONE
                : PlacedSubnet.counterpart(fabric, port, view.subnet().fabric());
        return activePort == Fabric.NONE ? 0 : paths[activePort];
    }

    /** Returns a key for a pair of switches, which does not depend on their order. */
    private static long key(int a, int b) {
        return (long) Math.min(a, b) << Integer.SIZE | Math.max(a, b);
    }

    /** Adds the root of the multicast tree, and marks the links of the tree. */
    private void addTree(@Nullable PublishedView view, Map<Long, Bundle> bundles) {
        MulticastTree tree = view == null ? null : view.multicast();
        if (view == null || tree == null || tree.root() == Fabric.NONE) {
            json.putNull("root");
            return;
        }
        Fabric routed = view.subnet().fabric();
        json.put("root", fabric.nodeByGuid(routed.nodeGuid(tree.root())));
        for (int sw = 0; sw < routed.switchCount(); sw++) {
            int parent = tree.parent(sw);
            if (parent != Fabric.NONE) {
                Bundle bundle = bundles.get(
                        key(fabric.nodeByGuid(routed.nodeGuid(sw)), fabric.nodeByGuid(routed.nodeGuid(parent))));
                if (bundle != null) {
                    bundle.isInTree = true;
                }
            }
        }
    }

    /** Adds absent devices. */
    private void addAbsent() {
        ArrayNode absent = json.putArray("absent");
        state.absences().devices(fabric).stream().limit(MAX_ABSENT).forEach(device -> {
            ObjectNode object = absent.addObject();
            object.put("name", device.end().name());
            object.put("guid", Guid.format(device.end().port().portGuid()));
            object.put("isSwitch", device.end().isSwitch());
            object.put("place", device.end().place());
            object.put("since", text(device.since()));
            end(object.putObject("at"), device.peerEnd());
        });
    }

    private static String text(@Nullable Instant time) {
        return time == null ? "" : time.toString();
    }

    private static void end(ObjectNode json, LostCable.LostEnd end) {
        json.put("name", end.name())
                .put("place", end.place())
                .put("guid", Guid.format(end.port().portGuid()))
                .put("port", end.port().portNum());
    }

    /**
     * Adds a lost cable.
     *
     * @param isForth true to name the near end first, false to name the far end first
     */
    static void cable(ArrayNode names, LostCable cable, boolean isForth) {
        ObjectNode name = names.addObject();
        end(name.putObject("from"), isForth ? cable.near() : cable.far());
        end(name.putObject("to"), isForth ? cable.far() : cable.near());
        name.put("since", text(cable.since()));
    }

    /** Adds the coordinates of a torus, its incomplete links and its broken rings. */
    private void addLattice(TorusState torus) {
        Lattice lattice = torus.lattice();
        ObjectNode grid = json.putObject("lattice");
        ArrayNode sizes = grid.putArray("sizes");
        ArrayNode wraps = grid.putArray("wraps");
        for (int d = 0; d < TorusState.DIMENSIONS.size(); d++) {
            sizes.add(lattice.size(d));
            wraps.add(lattice.wraps(d));
        }
        ArrayNode positions = grid.putArray("switches");
        for (int position = 0; position < lattice.positions(); position++) {
            positions.add(torus.switchAt(position));
        }
        Map<String, List<LostCable>> lost = lostByPlaces(state.absences());
        ArrayNode missing = grid.putArray("missing");
        for (TorusState.Link link : torus.links()) {
            List<LostCable> cables = lost.getOrDefault(torus.place(link.from()) + torus.place(link.to()), List.of());
            if (link.cables() == 0 || !cables.isEmpty()) {
                ObjectNode object = missing.addObject();
                object.put("from", link.from()).put("to", link.to()).put("d", link.d());
                object.put("left", link.cables());
                ArrayNode names = object.putArray("lost");
                cables.forEach(cable -> cable(names, cable, cable.near().place().equals(torus.place(link.from()))));
            }
        }
        ArrayNode rings = grid.putArray("rings");
        torus.rings().stream().filter(ring -> ring.state() != RingState.WHOLE).forEach(ring -> {
            ObjectNode object = rings.addObject();
            object.put("d", ring.dimension())
                    .put("position", ring.position())
                    .put("state", ring.state().name().toLowerCase(Locale.ROOT));
            ArrayNode causes = object.putArray("causes");
            ring.causes().forEach(causes::add);
        });
    }

    /** Returns lost cables by the coordinates of both ends. Each cable has an entry for each order of its ends. */
    private static Map<String, List<LostCable>> lostByPlaces(Absences absences) {
        Map<String, List<LostCable>> lost = new TreeMap<>();
        for (LostCable cable : absences.cables()) {
            String near = cable.near().place();
            String far = cable.far().place();
            if (!near.isEmpty() && !far.isEmpty()) {
                lost.computeIfAbsent(near + far, any -> new ArrayList<>()).add(cable);
                if (!near.equals(far)) {
                    lost.computeIfAbsent(far + near, any -> new ArrayList<>()).add(cable);
                }
            }
        }
        return lost;
    }
}
