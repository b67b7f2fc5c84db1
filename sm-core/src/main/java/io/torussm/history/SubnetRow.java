package io.torussm.history;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The row of the subnet as a whole; most components are as in {@link FabricState}, {@link PublishedView} and
 * {@link Plan}.
 *
 * @param localGuid NodeGUID of the SM's node
 * @param localPort number of its port
 * @param granted see {@link PastSls}
 * @param isSlBySwitch see {@link PastSls}
 * @param root NodeGUID of the root of the multicast tree; 0 if there is no tree
 */
record SubnetRow(
        String engine,
        RoutingState routing,
        String reason,
        @Nullable Instant routesActiveSince,
        @Nullable Instant since,
        boolean qos,
        long smPortGuid,
        int subnetTimeout,
        int responseTime,
        long localGuid,
        int localPort,
        long gidPrefix,
        int topLid,
        int granted,
        boolean isSlBySwitch,
        boolean hasOwnSl2Vl,
        int dataVls,
        long root) {
    private static final int MAX_TEXT = 4000;
    private static final int MAX_LID = 0xbfff;

    static SubnetRow of(FabricState state, PublishedView view, int granted) {
        Plan plan = view.plan();
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        MulticastTree tree = view.multicast();
        return new SubnetRow(
                plan.engine(),
                state.routing(),
                state.reason(),
                state.routesActiveSince(),
                state.since(),
                view.qos(),
                view.smPortGuid(),
                view.subnetTimeout(),
                view.responseTimeValue(),
                fabric.nodeGuid(fabric.nodeOf(fabric.localPort())),
                fabric.portNum(fabric.localPort()),
                subnet.gidPrefix(),
                subnet.topLid(),
                granted,
                plan.isSlMaskBySwitch(),
                plan.hasOwnSl2Vl(),
                plan.dataVlsNeeded(),
                tree == null || tree.root() == Fabric.NONE ? 0 : fabric.nodeGuid(tree.root()));
    }

    void write(DataOutputStream out) throws IOException {
        writeText(engine, out);
        writeText(routing.name(), out);
        writeText(reason, out);
        time(routesActiveSince, out);
        time(since, out);
        out.writeBoolean(qos);
        out.writeLong(smPortGuid);
        out.writeByte(subnetTimeout);
        out.writeByte(responseTime);
        out.writeLong(localGuid);
        out.writeByte(localPort);
        out.writeLong(gidPrefix);
        out.writeShort(topLid);
        out.writeShort(granted);
        out.writeBoolean(isSlBySwitch);
        out.writeBoolean(hasOwnSl2Vl);
        out.writeByte(dataVls);
        out.writeLong(root);
    }

    static SubnetRow read(DataInputStream in) throws IOException {
        SubnetRow row = new SubnetRow(
                in.readUTF(),
                RoutingState.valueOf(in.readUTF()),
                in.readUTF(),
                time(in),
                time(in),
                in.readBoolean(),
                in.readLong(),
                in.readUnsignedByte(),
                in.readUnsignedByte(),
                in.readLong(),
                in.readUnsignedByte(),
                in.readLong(),
                in.readUnsignedShort(),
                in.readUnsignedShort(),
                in.readBoolean(),
                in.readBoolean(),
                in.readUnsignedByte(),
                in.readLong());
        if (row.topLid > MAX_LID) {
            throw new IOException("no unicast LID is " + row.topLid);
        }
        return row;
    }

    static void writeText(String text, DataOutputStream out) throws IOException {
        out.writeUTF(text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text);
    }

    static void time(@Nullable Instant time, DataOutputStream out) throws IOException {
        out.writeBoolean(time != null);
        if (time != null) {
            out.writeLong(time.getEpochSecond());
            out.writeInt(time.getNano());
        }
    }

    static @Nullable Instant time(DataInputStream in) throws IOException {
        return in.readBoolean() ? Instant.ofEpochSecond(in.readLong(), in.readInt()) : null;
    }
}
