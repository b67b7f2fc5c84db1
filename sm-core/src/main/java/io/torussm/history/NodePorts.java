package io.torussm.history;

import io.torussm.fabric.Fabric;
import io.torussm.mad.FieldMask;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.PortInfoFields;
import io.torussm.subnet.Subnet;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.stream.Stream;

/**
 * The ports of a node that are linked or have an address: number, GUID, LID, LMC and PortInfo of each, and an
 * end mark.
 */
record NodePorts(Subnet subnet, int node) implements Row.Source, Row.Content {
    /** Fields that a row contains as 0: the key and its lease, and fields that change without the subnet. */
    private static final FieldMask NOT_STORED = new FieldMask(
            PortInfo.TYPE,
            Stream.concat(PortInfoFields.VOLATILE.stream(), Stream.of(PortInfo.M_KEY, PortInfo.M_KEY_LEASE_PERIOD))
                    .toList());

    @Override
    public void write(DataOutputStream out) throws IOException {
        Fabric fabric = subnet.fabric();
        for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            PortInfo info = fabric.portInfo(port);
            if (info != null && isInUse(fabric, port)) {
                out.writeByte(portNum);
                out.writeLong(fabric.portGuid(port));
                out.writeShort(subnet.lid(port));
                out.writeByte(subnet.lmc(port));
                out.write(info.without(NOT_STORED).toBytes());
            }
        }
        out.writeByte(StateWriter.NO_PORT);
    }

    private static boolean isInUse(Fabric fabric, int port) {
        return fabric.peer(port) != Fabric.NONE || fabric.isEndport(port);
    }

    /**
     * Compares PortInfo by identity. If a port was not read, or was read without a change, both fabrics have
     * the same object.
     */
    @Override
    public boolean makesSameAs(Row.Source source) {
        if (!(source instanceof NodePorts other)) {
            return false;
        }
        int ports = subnet.fabric().numPorts(node);
        boolean isSame = ports == other.subnet.fabric().numPorts(other.node);
        for (int portNum = 0; portNum <= ports && isSame; portNum++) {
            isSame = isSame(other, portNum);
        }
        return isSame;
    }

    @SuppressWarnings("ReferenceEquality") // This avoids a comparison of their bytes.
    private boolean isSame(NodePorts other, int portNum) {
        Fabric currentFabric = subnet.fabric();
        Fabric previousFabric = other.subnet.fabric();
        int port = currentFabric.port(node, portNum);
        int old = previousFabric.port(other.node, portNum);
        return currentFabric.portInfo(port) == previousFabric.portInfo(old)
                && isInUse(currentFabric, port) == isInUse(previousFabric, old)
                && currentFabric.portGuid(port) == previousFabric.portGuid(old)
                && subnet.lid(port) == other.subnet.lid(old)
                && subnet.lmc(port) == other.subnet.lmc(old);
    }
}
