package io.torussm.history;

import io.torussm.fabric.Fabric;
import io.torussm.history.RowKey.RowType;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.Lattice;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.Ring;
import io.torussm.subnet.Subnet;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PublishedView;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Writes a state as rows, which {@link StateReader} reads. */
final class StateWriter {
    /** Ends a list of ports: no port has this number. */
    static final int NO_PORT = 255;

    static final int DIMENSIONS = 3;

    private final NavigableMap<RowKey, Row> rows = new TreeMap<>();
    private final PublishedView view;
    private final Subnet subnet;
    private final Fabric fabric;
    private final Plan plan;
    private final int grantedSlMask;
    private final GrantedSls sls;

    private StateWriter(PublishedView view) {
        this.view = view;
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
        this.plan = view.plan();
        this.grantedSlMask = PastSls.granted(plan);
        this.sls = new GrantedSls(plan);
    }

    /**
     * Returns the rows of a state, without conditions.
     *
     * @param view view of the state
     */
    static NavigableMap<RowKey, Row> rows(FabricState state, PublishedView view) {
        StateWriter writer = new StateWriter(view);
        writer.add(RowType.SUBNET, 0, 0, SubnetRow.of(state, view, writer.grantedSlMask)::write);
        writer.plan
                .explainer()
                .lattice()
                .ifPresent(lattice -> writer.add(RowType.LATTICE, 0, 0, out -> writer.writeLattice(lattice, out)));
        for (int node = 0; node < writer.fabric.nodeCount(); node++) {
            writer.addNode(node);
        }
        writer.addCables();
        for (int sw = 0; sw < writer.fabric.switchCount(); sw++) {
            writer.addTables(sw);
        }
        writer.addTree();
        for (Ring ring : writer.plan.explainer().rings()) {
            writer.add(RowType.RING, ring.dimension(), ring.position(), out -> writeRing(ring, out));
        }
        for (LostCable cable : state.absences().cables()) {
            writer.add(
                    RowType.LOST,
                    cable.near().port().portGuid(),
                    cable.near().port().portNum(),
                    out -> writeLostCable(cable, out));
        }
        return writer.rows;
    }

    /** Returns rows with conditions, a line each. */
    static NavigableMap<RowKey, Row> withConditions(NavigableMap<RowKey, Row> rows, List<String> conditions) {
        NavigableMap<RowKey, Row> all = new TreeMap<>(rows);
        for (int i = 0; i < conditions.size(); i++) {
            String text = conditions.get(i);
            all.put(new RowKey(RowType.CONDITION, 0, i), Row.of(null, out -> SubnetRow.writeText(text, out)));
        }
        return all;
    }

    private void add(RowType kind, long a, int b, Row.Content content) {
        rows.put(new RowKey(kind, a, b), Row.of(null, content));
    }

    /** Writes the sizes of the torus and the switch at each position. */
    private void writeLattice(Lattice lattice, DataOutputStream out) throws IOException {
        for (int d = 0; d < DIMENSIONS; d++) {
            out.writeInt(lattice.size(d));
            out.writeBoolean(lattice.wraps(d));
        }
        for (int position = 0; position < lattice.positions(); position++) {
            out.writeLong(lattice.guidAt(position));
        }
    }

    private void addNode(int node) {
        long guid = fabric.nodeGuid(node);
        add(RowType.NODE, guid, 0, out -> {
            out.write(fabric.node(node)
                    .info()
                    .with(NodeInfo.LOCAL_PORT_NUM, 0)
                    .toBytes()); // LocalPortNum depends on the path of the query
            SubnetRow.writeText(fabric.nodeName(node), out);
            SubnetRow.writeText(view.placed().place(node), out);
            SwitchInfo info = fabric.node(node).switchInfo();
            out.writeBoolean(info != null);
            if (info != null) {
                out.write(info.with(SwitchInfo.PORT_STATE_CHANGE, 0).toBytes());
            }
        });
        NodePorts ports = new NodePorts(subnet, node);
        rows.put(new RowKey(RowType.PORTS, guid, 0), Row.of(ports, ports));
        add(RowType.SL2VL, guid, 0, out -> writeSl2Vl(node, out));
    }

    private void addCables() {
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far != Fabric.NONE && isLower(port, far)) {
                add(RowType.CABLE, fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), out -> {
                    out.writeLong(fabric.nodeGuid(fabric.nodeOf(far)));
                    out.writeByte(fabric.portNum(far));
                });
            }
        }
    }

    private boolean isLower(int port, int far) {
        int order = Long.compareUnsigned(fabric.nodeGuid(fabric.nodeOf(port)), fabric.nodeGuid(fabric.nodeOf(far)));
        return order < 0 || (order == 0 && fabric.portNum(port) < fabric.portNum(far));
    }

    private void addTables(int sw) {
        long guid = fabric.nodeGuid(sw);
        byte[] lft = plan.lft(sw);
        rows.put(new RowKey(RowType.LFT, guid, 0), Row.of(lft));
        rows.put(new RowKey(RowType.SL, guid, 0), Row.of(sls, out -> out.write(PastSls.row(plan, sw, grantedSlMask))));
    }

    /**
     * Writes a row for each pair of linked ports, from port 0 and to it, of a switch; else a row for each end
     * port.
     */
    private void writeSl2Vl(int node, DataOutputStream out) throws IOException {
        for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            if (fabric.isSwitch(node) ? portNum > 0 && fabric.peer(port) != Fabric.NONE : fabric.isEndport(port)) {
                out.writeByte(portNum);
                if (!fabric.isSwitch(node)) {
                    out.writeLong(plan.sl2vl(port));
                } else {
                    for (int in = 0; in <= fabric.numPorts(node); in++) {
                        if (in == 0 || fabric.peer(fabric.port(node, in)) != Fabric.NONE) {
                            out.writeByte(in);
                            out.writeLong(plan.sl2vl(node, in, portNum));
                        }
                    }
                    out.writeByte(NO_PORT);
                }
            }
        }
        out.writeByte(NO_PORT);
        if (fabric.isSwitch(node)) {
            out.writeLong(plan.sl2vl(fabric.port(node, 0)));
        }
    }

    private void addTree() {
        MulticastTree tree = view.multicast();
        for (int sw = 0; tree != null && sw < fabric.switchCount(); sw++) {
            int below = sw;
            if (tree.parent(sw) != Fabric.NONE) {
                add(RowType.TREE, fabric.nodeGuid(sw), 0, out -> {
                    out.writeLong(fabric.nodeGuid(tree.parent(below)));
                    for (int cable = 0; cable < tree.cableCount(below); cable++) {
                        int port = tree.portAtParent(below, cable);
                        out.writeByte(port == Fabric.NONE ? 0 : fabric.portNum(port));
                    }
                    out.writeByte(NO_PORT);
                });
            }
        }
    }

    private static void writeRing(Ring ring, DataOutputStream out) throws IOException {
        SubnetRow.writeText(ring.name(), out);
        SubnetRow.writeText(ring.state().name(), out);
        out.writeShort(ring.causes().size());
        for (String cause : ring.causes()) {
            SubnetRow.writeText(cause, out);
        }
    }

    private static void writeLostCable(LostCable cable, DataOutputStream out) throws IOException {
        for (LostCable.LostEnd end : List.of(cable.near(), cable.far())) {
            out.writeLong(end.port().portGuid());
            out.writeByte(end.port().portNum());
            out.writeLong(end.nodeGuid());
            SubnetRow.writeText(end.name(), out);
            out.writeBoolean(end.isSwitch());
            SubnetRow.writeText(end.place(), out);
            out.writeShort(end.lid());
        }
        SubnetRow.time(cable.since(), out);
    }
}
