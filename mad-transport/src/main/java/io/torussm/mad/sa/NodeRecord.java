package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** NodeRecord (IBA 15.2.5.2): NodeInfo and NodeDescription of the node that has a LID. */
public final class NodeRecord extends Attribute<NodeRecord> {
    private static final Layout L = new Layout("NodeRecord", 112);
    public static final Field LID = L.bits("LID", 0, 16);
    static final Field RESERVED_16 = L.bits("reserved", 16, 16);
    public static final Field BASE_VERSION = L.bits("BaseVersion", 32, 8);
    public static final Field CLASS_VERSION = L.bits("ClassVersion", 40, 8);
    public static final Field NODE_TYPE = L.bits("NodeType", 48, 8);
    public static final Field NUM_PORTS = L.bits("NumPorts", 56, 8);
    public static final Field SYSTEM_IMAGE_GUID = L.bits("SystemImageGUID", 64, 64);
    public static final Field NODE_GUID = L.bits("NodeGUID", 128, 64);
    public static final Field PORT_GUID = L.bits("PortGUID", 192, 64);
    public static final Field PARTITION_CAP = L.bits("PartitionCap", 256, 16);
    public static final Field DEVICE_ID = L.bits("DeviceID", 272, 16);
    public static final Field REVISION = L.bits("Revision", 288, 32);
    public static final Field LOCAL_PORT_NUM = L.bits("LocalPortNum", 320, 8);
    public static final Field VENDOR_ID = L.bits("VendorID", 328, 24);
    public static final Field NODE_DESCRIPTION = L.bits("NodeDescription", 352, 512);
    static final Field RESERVED_864 = L.bits("reserved", 864, 32);
    public static final AttributeType<NodeRecord> TYPE = L.type(0x0011, NodeRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 15);

    private NodeRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<NodeRecord> type() {
        return TYPE;
    }
}
