package io.torussm.history;

import io.torussm.fabric.Fabric;
import io.torussm.mad.FieldMask;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The ports of a node that are linked or have an address: number, GUID, LID, LMC and PortInfo of each, and an
 * end mark.
 */
record NodePorts(Subnet subnet, int node) implements Row.Source, Row.Content {
    /** Components that change without a change of the subnet, or are secret. */
    private static final FieldMask LEFT_OUT = new FieldMask(
            PortInfo.TYPE,
            List.of(
                    PortInfo.M_KEY,
                    PortInfo.DIAG_CODE,
                    PortInfo.M_KEY_LEASE_PERIOD,
                    PortInfo.M_KEY_VIOLATIONS,
                    PortInfo.P_KEY_VIOLATIONS,
                    PortInfo.Q_KEY_VIOLATIONS,
                    PortInfo.CLIENT_REREGISTER,
                    PortInfo.MAX_CREDIT_HINT,
                    PortInfo.LINK_ROUND_TRIP_LATENCY));

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
                out.write(info.without(LEFT_OUT).toBytes());
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
        Fabric now = subnet.fabric();
        Fabric before = other.subnet.fabric();
        int port = now.port(node, portNum);
        int old = before.port(other.node, portNum);
        return now.portInfo(port) == before.portInfo(old)
                && isInUse(now, port) == isInUse(before, old)
                && now.portGuid(port) == before.portGuid(old)
                && subnet.lid(port) == other.subnet.lid(old)
                && subnet.lmc(port) == other.subnet.lmc(old);
    }
}
