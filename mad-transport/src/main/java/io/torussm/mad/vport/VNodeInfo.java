package io.torussm.mad.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** VNodeInfo (vendor attribute 0xFFB2): the virtual node of a vport. Get only. AttributeModifier: index of a vport. */
public final class VNodeInfo extends Attribute<VNodeInfo> {
    private static final Layout L = new Layout("VNodeInfo", 64);

    /** P_Keys of each vport of the node. */
    public static final Field PARTITION_CAP = L.bits("PartitionCap", 0, 16);

    /** The port of the virtual node that the vport is. */
    public static final Field LOCAL_PORT_NUM = L.bits("LocalPortNum", 16, 8);

    public static final Field NUM_PORTS = L.bits("NumPorts", 24, 8);
    public static final Field NODE_GUID = L.bits("VNodeGUID", 32, 64);
    static final Field RESERVED_96 = L.bits("reserved", 96, 416);
    public static final AttributeType<VNodeInfo> TYPE = L.type(0xffb2, VNodeInfo::new);

    private VNodeInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VNodeInfo> type() {
        return TYPE;
    }

    /** Returns the number of P_Keys that each vport of the node can have. */
    public int partitionCap() {
        return getInt(PARTITION_CAP);
    }

    public long nodeGuid() {
        return get(NODE_GUID);
    }
}
