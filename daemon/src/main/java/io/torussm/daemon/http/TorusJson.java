package io.torussm.daemon.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.daemon.planning.PathStatistics;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.Lattice;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.RingState;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A published view for the picture: switches with their places and hosts, what is between them and how many paths it
 * carries, what is missing, the tree of multicast. Switches are named by their index in the list.
 */
final class TorusJson {
    private final PublishedView view;
    private final Subnet subnet;
    private final Fabric fabric;
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();

    /** All cables between two switches, the first with the lower index. */
    private static final class Bundle {
        final int from;
        final int to;
        int cables;
        long there;
        long back;
        boolean isInTree;

        Bundle(int from, int to) {
            this.from = from;
            this.to = to;
        }
    }

    private TorusJson(PublishedView view) {
        this.view = view;
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
    }

    static ObjectNode of(PublishedView view) {
        TorusJson torus = new TorusJson(view);
        torus.json
                .put("sweep", view.sweep())
                .put("engine", view.plan().engine())
                .put("qos", view.qos());
        torus.addSwitches();
        torus.addLinks();
        TorusState.of(view).ifPresent(torus::addLattice);
        return torus.json;
    }

    private void addSwitches() {
        ArrayNode switches = json.putArray("switches");
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            ObjectNode one = switches.addObject();
            one.put("name", fabric.node(sw).description());
            one.put("guid", Guid.format(fabric.nodeGuid(sw)));
            one.put("lid", subnet.lid(fabric.port(sw, 0)));
            one.put("place", view.plan().coordinates(sw));
            ArrayNode hosts = one.putArray("hosts");
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                if (far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far)) && subnet.lid(far) != 0) {
                    hosts.addObject()
                            .put("name", fabric.node(fabric.nodeOf(far)).description())
                            .put("lid", subnet.lid(far));
                }
            }
        }
    }

    private void addLinks() {
        int[] paths = PathStatistics.loads(view.plan());
        Map<Long, Bundle> bundles = new TreeMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                int far = fabric.peer(port);
                if (far != Fabric.NONE && fabric.nodeOf(far) > sw && fabric.isSwitch(fabric.nodeOf(far))) {
                    Bundle bundle = bundle(bundles, sw, fabric.nodeOf(far));
                    bundle.cables++;
                    bundle.there += paths[port];
                    bundle.back += paths[far];
                }
            }
        }
        addTree(bundles);
        ArrayNode links = json.putArray("links");
        for (Bundle bundle : bundles.values()) {
            ObjectNode link = links.addObject();
            link.put("from", bundle.from).put("to", bundle.to).put("cables", bundle.cables);
            link.put("there", bundle.there).put("back", bundle.back).put("tree", bundle.isInTree);
        }
    }

    private static Bundle bundle(Map<Long, Bundle> bundles, int a, int b) {
        int from = Math.min(a, b);
        int to = Math.max(a, b);
        return bundles.computeIfAbsent((long) from << Integer.SIZE | to, any -> new Bundle(from, to));
    }

    private void addTree(Map<Long, Bundle> bundles) {
        MulticastTree tree = view.multicast();
        if (tree == null) {
            json.putNull("root");
            return;
        }
        json.put("root", tree.root());
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (tree.parent(sw) != Fabric.NONE) {
                bundle(bundles, sw, tree.parent(sw)).isInTree = true;
            }
        }
    }

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
            positions.add(lattice.switchAt(position));
        }
        ArrayNode missing = grid.putArray("missing");
        torus.links().stream().filter(link -> link.cables() == 0).forEach(link -> missing.addObject()
                .put("from", link.from())
                .put("to", link.to())
                .put("d", link.d()));
        ArrayNode rings = grid.putArray("rings");
        torus.rings().stream().filter(ring -> ring.state() != RingState.WHOLE).forEach(ring -> rings.addObject()
                .put("d", ring.dimension())
                .put("position", ring.position())
                .put("state", ring.state().name().toLowerCase(Locale.ROOT)));
    }
}
