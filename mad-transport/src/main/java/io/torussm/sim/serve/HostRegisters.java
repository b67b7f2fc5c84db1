package io.torussm.sim.serve;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.SimFabric;
import io.torussm.sim.topology.Topology;

/**
 * The registers of a client's port that the client may read without a MAD, as a driver shows them in sysfs. Confined to
 * the loop.
 */
final class HostRegisters {
    /** The firmware version of all hosts. */
    private static final int FIRMWARE = 1;

    /** Byte offsets in the data of GET_VENDOR, after the vendor ID. */
    private static final int VENDOR_PART = 4;

    private static final int HARDWARE = 8;
    private static final int FIRMWARE_AT = 16;

    /** Byte offset of PortState in the data of GET_PORT, after the LID. */
    private static final int STATE = 2;

    private static final int P_KEY_BYTES = 2;

    private final SimFabric fabric;
    private final Topology.Node node;
    private final int portNum;

    HostRegisters(SimFabric fabric, Topology.Node node, int portNum) {
        this.fabric = fabric;
        this.node = node;
        this.portNum = portNum;
    }

    int lid() {
        return (int) portInfo(portNum).get(PortInfo.LID);
    }

    /** Returns the id of the node in the topology. */
    String name() {
        return node.id();
    }

    private PortInfo portInfo(int number) {
        return fabric.portInfo(node.nodeGuid(), number);
    }

    /** Turns a request for registers into its response. Returns false for another request. */
    boolean answer(byte[] message) {
        switch (ControlMessage.type(message)) {
            case ControlMessage.GET_PORT -> port(message);
            case ControlMessage.GET_VENDOR -> vendor(message);
            case ControlMessage.GET_GID -> gid(message);
            case ControlMessage.GET_GUID -> guid(message);
            case ControlMessage.GET_NODE_INFO -> nodeInfo(message);
            case ControlMessage.GET_PORT_INFO -> portInfo(message);
            case ControlMessage.GET_P_KEYS -> pKeys(message);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void port(byte[] message) {
        PortInfo info = portInfo(portNum);
        ControlMessage.setData(message, new byte[0]);
        ControlMessage.setShort(message, ControlMessage.DATA_OFFSET, (int) info.get(PortInfo.LID));
        message[ControlMessage.DATA_OFFSET + STATE] = (byte) info.get(PortInfo.PORT_STATE);
    }

    private void vendor(byte[] message) {
        NodeInfo info = node.nodeInfo(portNum);
        ControlMessage.setData(message, new byte[0]);
        ControlMessage.setInt(message, ControlMessage.DATA_OFFSET, (int) info.get(NodeInfo.VENDOR_ID));
        ControlMessage.setInt(message, ControlMessage.DATA_OFFSET + VENDOR_PART, (int) info.get(NodeInfo.DEVICE_ID));
        ControlMessage.setInt(message, ControlMessage.DATA_OFFSET + HARDWARE, (int) info.get(NodeInfo.REVISION));
        ControlMessage.setLong(message, ControlMessage.DATA_OFFSET + FIRMWARE_AT, FIRMWARE);
    }

    private void gid(byte[] message) {
        ControlMessage.setData(message, new byte[0]);
        ControlMessage.setGuid(
                message, ControlMessage.DATA_OFFSET, portInfo(portNum).get(PortInfo.GID_PREFIX));
        ControlMessage.setGuid(message, ControlMessage.DATA_OFFSET + Long.BYTES, node.portGuid(portNum));
    }

    private void guid(byte[] message) {
        ControlMessage.setData(message, new byte[0]);
        ControlMessage.setGuid(message, ControlMessage.DATA_OFFSET, node.nodeGuid());
    }

    /**
     * Writes NodeInfo. libumad2sim computes the GUID of a port as NodeGUID plus port number. If the topology has
     * another port GUID, NodeGUID is changed in this response so that the sum is correct. MADs contain the true
     * NodeGUID.
     */
    private void nodeInfo(byte[] message) {
        byte[] info = node.nodeInfo(portNum).toBytes();
        NodeInfo.NODE_GUID.set(info, 0, node.portGuid(portNum) - portNum);
        ControlMessage.setData(message, info);
    }

    /**
     * Writes PortInfo of the port whose number is the first byte of the data. For 0 or an absent port, the port of the
     * client.
     */
    private void portInfo(byte[] message) {
        int requested = message[ControlMessage.DATA_OFFSET] & 0xff;
        int number = requested == 0 || requested > node.numPorts() ? portNum : requested;
        byte[] info = portInfo(number).toBytes();
        PortInfo.M_KEY.set(info, 0, 0);
        PortInfo.LOCAL_PORT_NUM.set(info, 0, number);
        ControlMessage.setData(message, info);
    }

    private void pKeys(byte[] message) {
        int[] pKeys = fabric.pKeys(node.nodeGuid(), portNum);
        byte[] bytes = new byte[P_KEY_BYTES * pKeys.length];
        for (int i = 0; i < pKeys.length; i++) {
            bytes[2 * i] = (byte) (pKeys[i] >> Byte.SIZE);
            bytes[2 * i + 1] = (byte) pKeys[i];
        }
        ControlMessage.setData(message, bytes);
    }
}
