package io.torussm.history;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.history.RowKey.RowType;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.names.Names;
import io.torussm.names.NodeNames;
import io.torussm.names.SiteMap;
import io.torussm.partition.PartitionPlan;
import io.torussm.routing.Lattice;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.routing.Unswitched;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.Subnet;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds a state from the rows of {@link StateWriter}. Rows from a file are not trusted: an invalid one is an
 * {@link IOException}.
 */
final class StateReader {
    private static final int ATTRIBUTE_BYTES = 64;
    private static final int MAX_POSITIONS = 1 << 16;

    private final NavigableMap<RowKey, byte[]> rows;
    private final SubnetRow subnetRow;
    private final Map<Long, String> places = new HashMap<>();

    private StateReader(NavigableMap<RowKey, byte[]> rows) throws IOException {
        this.rows = rows;
        byte[] row = rows.get(new RowKey(RowType.SUBNET, 0, 0));
        check(row != null, "the row of the subnet is absent");
        subnetRow = SubnetRow.read(input(Objects.requireNonNull(row)));
    }

    /**
     * Returns the state.
     *
     * @param sites positions of nodes in the machine room, which are not recorded
     */
    static PastState read(Change change, NavigableMap<RowKey, byte[]> rows, SiteMap sites) throws IOException {
        try {
            return new StateReader(rows).read(change, sites);
        } catch (DateTimeException | IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            throw new IOException("its parts do not fit: " + e.getMessage(), e);
        }
    }

    private PastState read(Change change, SiteMap sites) throws IOException {
        Fabric fabric = fabric(new Names(NodeNames.NONE, sites));
        Subnet subnet = subnet(fabric);
        PublishedView view = new PublishedView(
                subnet,
                plan(subnet),
                tree(fabric),
                PartitionPlan.withoutConf(fabric),
                subnetRow.smPortGuid(),
                subnetRow.subnetTimeout(),
                subnetRow.responseTime(),
                subnetRow.qos(),
                QosTables.NONE,
                change.sweep());
        Absences absences = Absences.of(lost());
        Instant since = subnetRow.since();
        FabricState state = new FabricState(
                view,
                subnetRow.routesActiveSince(),
                foundSubnet(view, absences.cables()),
                change.at(),
                subnetRow.routing(),
                since == null ? Instant.EPOCH : since,
                List.of(),
                "",
                absences);
        return new PastState(change, state, subnetRow.reason(), conditions(rows));
    }

    private static void check(boolean isTrue, String otherwise) throws IOException {
        if (!isTrue) {
            throw new IOException(otherwise);
        }
    }

    private static DataInputStream input(byte[] row) {
        return new DataInputStream(new ByteArrayInputStream(row));
    }

    private Map<RowKey, byte[]> rowsOf(RowType kind) {
        return rowsOf(rows, kind);
    }

    private static Map<RowKey, byte[]> rowsOf(NavigableMap<RowKey, byte[]> rows, RowType kind) {
        return rows.subMap(new RowKey(kind, 0, 0), true, new RowKey(kind, -1L, Integer.MAX_VALUE), true);
    }

    private byte @Nullable [] row(RowType kind, long guid) {
        return rows.get(new RowKey(kind, guid, 0));
    }

    private static <A extends Attribute<A>> A attribute(AttributeType<A> type, DataInputStream in) throws IOException {
        byte[] bytes = new byte[ATTRIBUTE_BYTES];
        in.readFully(bytes);
        return type.read(bytes, 0);
    }

    private Fabric fabric(Names names) throws IOException {
        FabricBuilder builder = new FabricBuilder(names);
        readNode(builder, subnetRow.localGuid());
        for (RowKey key : rowsOf(RowType.NODE).keySet()) {
            readNode(builder, key.a());
        }
        for (Map.Entry<RowKey, byte[]> cable : rowsOf(RowType.CABLE).entrySet()) {
            DataInputStream in = input(cable.getValue());
            long far = in.readLong();
            int farPort = in.readUnsignedByte();
            long near = cable.getKey().a();
            check(
                    isPort(builder, near, cable.getKey().b()) && isPort(builder, far, farPort),
                    "a cable ends at no port");
            builder.link(near, cable.getKey().b(), far, farPort);
        }
        return builder.build();
    }

    private static boolean isPort(FabricBuilder builder, long guid, int portNum) {
        return builder.knows(guid)
                && portNum > 0
                && portNum <= builder.info(guid).numPorts();
    }

    private void readNode(FabricBuilder builder, long guid) throws IOException {
        byte[] row = row(RowType.NODE, guid);
        check(row != null, "the SM has no node");
        if (builder.knows(guid)) {
            return;
        }
        DataInputStream in = input(Objects.requireNonNull(row));
        NodeInfo info = attribute(NodeInfo.TYPE, in);
        boolean isLocal = guid == subnetRow.localGuid();
        check(info.nodeGuid() == guid && info.numPorts() <= NodeInfo.MAX_PORT_NUM, "a node is another one");
        check(!isLocal || subnetRow.localPort() <= info.numPorts(), "the SM has no port");
        builder.addNode(info.with(NodeInfo.LOCAL_PORT_NUM, isLocal ? subnetRow.localPort() : 0), DrPath.LOCAL);
        builder.setDescription(guid, in.readUTF());
        places.put(guid, in.readUTF());
        if (in.readBoolean()) {
            builder.setSwitchInfo(guid, attribute(SwitchInfo.TYPE, in));
        }
        readPorts(guid, (portNum, portGuid, lid, lmc, port) -> {
            check(portNum <= info.numPorts(), "a node has too many ports");
            builder.setPortGuid(guid, portNum, portGuid);
            builder.setPortInfo(guid, portNum, port);
        });
    }

    /** A receiver of the data of one port. */
    private interface PortConsumer {
        void accept(int portNum, long portGuid, int lid, int lmc, PortInfo info) throws IOException;
    }

    private void readPorts(long guid, PortConsumer taker) throws IOException {
        byte[] row = row(RowType.PORTS, guid);
        check(row != null, "the row of a node's ports is absent");
        readPorts(Objects.requireNonNull(row), taker);
    }

    private static void readPorts(byte[] row, PortConsumer taker) throws IOException {
        DataInputStream in = input(row);
        for (int portNum = in.readUnsignedByte(); portNum != StateWriter.NO_PORT; portNum = in.readUnsignedByte()) {
            taker.accept(
                    portNum,
                    in.readLong(),
                    in.readUnsignedShort(),
                    in.readUnsignedByte(),
                    attribute(PortInfo.TYPE, in));
        }
    }

    /** Returns the LIDs of a node by port, without ports that have none. */
    static Map<Integer, Integer> lids(byte[] row) throws IOException {
        Map<Integer, Integer> lids = new TreeMap<>();
        readPorts(row, (portNum, portGuid, lid, lmc, info) -> {
            if (lid != 0) {
                lids.put(portNum, lid);
            }
        });
        return lids;
    }

    /** Returns PortInfo of the ports of a node, by number. */
    static Map<Integer, PortInfo> infos(byte[] row) throws IOException {
        Map<Integer, PortInfo> infos = new TreeMap<>();
        readPorts(row, (portNum, portGuid, lid, lmc, info) -> infos.put(portNum, info));
        return infos;
    }

    private Subnet subnet(Fabric fabric) throws IOException {
        int[] base = new int[fabric.portCount()];
        byte[] lmcs = new byte[base.length];
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int first = fabric.port(node, 0);
            readPorts(fabric.nodeGuid(node), (portNum, portGuid, lid, lmc, info) -> {
                check(lid + (1 << (lmc & 7)) - 1 <= subnetRow.topLid() || lid == 0, "a LID is beyond all tables");
                base[first + portNum] = lid;
                lmcs[first + portNum] = (byte) (lmc & 7);
            });
        }
        return new Subnet(fabric, base, lmcs, subnetRow.gidPrefix()).withTopLid(subnetRow.topLid());
    }

    private Plan plan(Subnet subnet) throws IOException {
        Fabric fabric = subnet.fabric();
        byte[][] lfts = new byte[fabric.switchCount()][];
        byte[] @Nullable [] sls = new byte[lfts.length][];
        for (int sw = 0; sw < lfts.length; sw++) {
            byte[] lft = row(RowType.LFT, fabric.nodeGuid(sw));
            check(lft != null && lft.length == subnet.topLid() + 1, "a forwarding table has another length");
            lfts[sw] = Objects.requireNonNull(lft);
            sls[sw] = row(RowType.SL, fabric.nodeGuid(sw));
        }
        PastSl2Vl sl2vl = PastSl2Vl.read(fabric, node -> row(RowType.SL2VL, fabric.nodeGuid(node)));
        PathSls granted = lfts.length == 0
                ? Unswitched.sls(subnet, subnetRow.granted())
                : new PastSls(subnet, subnetRow.granted(), subnetRow.isSlBySwitch(), sls);
        return Plan.builder(subnetRow.engine(), subnet, lfts)
                .ownSl2Vl(Math.max(1, subnetRow.dataVls()), sl2vl::row, sl2vl::row)
                .sls(granted)
                .explainer(new PastExplainer(Arrays.stream(placesOf(fabric)).toList(), lattice(), rings()))
                .build();
    }

    private String[] placesOf(Fabric fabric) {
        String[] all = new String[fabric.switchCount()];
        Arrays.setAll(all, sw -> places.getOrDefault(fabric.nodeGuid(sw), ""));
        return all;
    }

    private @Nullable Lattice lattice() throws IOException {
        byte[] row = row(RowType.LATTICE, 0);
        if (row == null) {
            return null;
        }
        DataInputStream in = input(row);
        int[] sizes = new int[StateWriter.DIMENSIONS];
        boolean[] wraps = new boolean[StateWriter.DIMENSIONS];
        long positions = 1;
        for (int d = 0; d < sizes.length; d++) {
            sizes[d] = in.readInt();
            wraps[d] = in.readBoolean();
            check(sizes[d] > 0 && sizes[d] <= MAX_POSITIONS, "a torus without switches");
            positions *= sizes[d];
        }
        check(positions <= MAX_POSITIONS, "a torus that is too large");
        long[] guidAt = new long[(int) positions];
        for (int position = 0; position < positions; position++) {
            guidAt[position] = in.readLong();
        }
        return new Lattice(sizes, wraps, guidAt);
    }

    private List<Ring> rings() throws IOException {
        List<Ring> rings = new ArrayList<>();
        for (Map.Entry<RowKey, byte[]> each : rowsOf(RowType.RING).entrySet()) {
            rings.add(ring(each.getKey(), each.getValue()));
        }
        return rings;
    }

    /** Reads a ring from its row. */
    static Ring ring(RowKey key, byte[] row) throws IOException {
        DataInputStream in = input(row);
        String name = in.readUTF();
        RingState state = RingState.valueOf(in.readUTF());
        List<String> causes = new ArrayList<>();
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            causes.add(in.readUTF());
        }
        return new Ring(name, (int) key.a(), key.b(), state, causes);
    }

    private @Nullable MulticastTree tree(Fabric fabric) throws IOException {
        int root = subnetRow.root() == 0 ? Fabric.NONE : fabric.nodeByGuid(subnetRow.root());
        if (fabric.switchCount() == 0) {
            return Unswitched.tree(fabric);
        } else if (root == Fabric.NONE) {
            return null;
        }
        check(fabric.isSwitch(root), "the root of the tree is no switch");
        int[] parent = new int[fabric.switchCount()];
        int[][] cables = new int[parent.length][0];
        Arrays.fill(parent, Fabric.NONE);
        for (Map.Entry<RowKey, byte[]> each : rowsOf(RowType.TREE).entrySet()) {
            int sw = fabric.nodeByGuid(each.getKey().a());
            DataInputStream in = input(each.getValue());
            int above = fabric.nodeByGuid(in.readLong());
            check(isSwitch(fabric, sw) && isSwitch(fabric, above), "a part of the tree is no switch");
            parent[sw] = above;
            List<Integer> ports = new ArrayList<>();
            for (int port = in.readUnsignedByte(); port != StateWriter.NO_PORT; port = in.readUnsignedByte()) {
                check(port <= fabric.numPorts(above), "a switch has too many ports");
                ports.add(port);
            }
            cables[sw] = ports.stream().mapToInt(Integer::intValue).toArray();
        }
        return new MulticastTree(fabric, root, parent, cables);
    }

    private static boolean isSwitch(Fabric fabric, int node) {
        return node != Fabric.NONE && fabric.isSwitch(node);
    }

    private List<LostCable> lost() throws IOException {
        List<LostCable> lost = new ArrayList<>();
        for (byte[] row : rowsOf(RowType.LOST).values()) {
            lost.add(lost(row));
        }
        return lost;
    }

    /** Reads a missing cable from its row. */
    static LostCable lost(byte[] row) throws IOException {
        DataInputStream in = input(row);
        return new LostCable(end(in), end(in), SubnetRow.time(in));
    }

    private static LostCable.LostEnd end(DataInputStream in) throws IOException {
        return new LostCable.LostEnd(
                new Neighbors.CableEnd(in.readLong(), in.readUnsignedByte()),
                in.readLong(),
                in.readUTF(),
                in.readBoolean(),
                in.readUTF(),
                in.readUnsignedShort());
    }

    /** Returns the conditions of a state. */
    static List<String> conditions(NavigableMap<RowKey, byte[]> rows) throws IOException {
        List<String> all = new ArrayList<>();
        for (byte[] row : rowsOf(rows, RowType.CONDITION).values()) {
            all.add(input(row).readUTF());
        }
        return all;
    }

    /** Returns the fabric of the view without the missing cables, which the active routes still cross. */
    private static PlacedSubnet foundSubnet(PublishedView view, Collection<LostCable> missing) {
        Fabric fabric = view.subnet().fabric();
        FabricBuilder builder = null;
        for (LostCable cable : missing) {
            int node = fabric.nodeByGuid(cable.near().nodeGuid());
            int portNum = cable.near().port().portNum();
            int port =
                    node == Fabric.NONE || portNum > fabric.numPorts(node) ? Fabric.NONE : fabric.port(node, portNum);
            int far = port == Fabric.NONE ? Fabric.NONE : fabric.peer(port);
            if (far != Fabric.NONE
                    && fabric.nodeGuid(fabric.nodeOf(far)) == cable.far().nodeGuid()
                    && fabric.portNum(far) == cable.far().port().portNum()) {
                builder = builder == null ? FabricBuilder.of(fabric) : builder;
                builder.unlink(fabric.nodeGuid(node), portNum);
            }
        }
        return builder == null
                ? view.placed()
                : new PlacedSubnet(
                        view.subnet().with(builder.build()), view.plan().explainer());
    }
}
