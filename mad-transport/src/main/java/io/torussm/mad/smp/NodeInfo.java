package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * NodeInfo (IBA 14.2.5.3): the type and GUIDs of a node, and the port that received the request. AttributeModifier is
 * 0.
 */
public final class NodeInfo extends Attribute<NodeInfo> {
    /** NodeType of a channel adapter. */
    public static final int CHANNEL_ADAPTER = 1;

    /** NodeType of a switch. */
    public static final int SWITCH = 2;

    /** NodeType of a router. */
    public static final int ROUTER = 3;

    /** The max port number, and so the max NumPorts: 255 is reserved. */
    public static final int MAX_PORT_NUM = 254;

    private static final Layout L = new Layout("NodeInfo", 64);
    public static final Field BASE_VERSION = L.bits("BaseVersion", 0, 8);
    public static final Field CLASS_VERSION = L.bits("ClassVersion", 8, 8);
    public static final Field NODE_TYPE = L.bits("NodeType", 16, 8);
    public static final Field NUM_PORTS = L.bits("NumPorts", 24, 8);
    public static final Field SYSTEM_IMAGE_GUID = L.bits("SystemImageGUID", 32, 64);
    public static final Field NODE_GUID = L.bits("NodeGUID", 96, 64);
    public static final Field PORT_GUID = L.bits("PortGUID", 160, 64);
    public static final Field PARTITION_CAP = L.bits("PartitionCap", 224, 16);
    public static final Field DEVICE_ID = L.bits("DeviceID", 240, 16);
    public static final Field REVISION = L.bits("Revision", 256, 32);
    public static final Field LOCAL_PORT_NUM = L.bits("LocalPortNum", 288, 8);
    public static final Field VENDOR_ID = L.bits("VendorID", 296, 24);
    static final Field RESERVED_320 = L.bits("reserved", 320, 192);
    public static final AttributeType<NodeInfo> TYPE = L.type(0x0011, NodeInfo::new);

    private NodeInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<NodeInfo> type() {
        return TYPE;
    }

    public int nodeType() {
        return getInt(NODE_TYPE);
    }

    public boolean isSwitch() {
        return nodeType() == SWITCH;
    }

    /** Returns the number of external ports, which are numbered from 1. */
    public int numPorts() {
        return getInt(NUM_PORTS);
    }

    public long systemImageGuid() {
        return get(SYSTEM_IMAGE_GUID);
    }

    /** Returns the GUID of the node, which is equal in the responses of all its ports. */
    public long nodeGuid() {
        return get(NODE_GUID);
    }

    /** Returns the GUID of the port that responds; of port 0 for a switch. */
    public long portGuid() {
        return get(PORT_GUID);
    }

    /** Returns the number of entries of the P_Key table; for a switch, of port 0. */
    public int partitionCap() {
        return getInt(PARTITION_CAP);
    }

    /** Returns the number of the port that received the request. */
    public int localPortNum() {
        return getInt(LOCAL_PORT_NUM);
    }
}
