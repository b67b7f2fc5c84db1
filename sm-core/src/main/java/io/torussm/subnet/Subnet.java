package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import java.util.Arrays;

/** A fabric whose end ports have LIDs. Immutable. */
public final class Subnet {
    private final Fabric fabric;
    private final int[] baseLid;
    private final byte[] lmc;
    private final int[] portOfLid;
    private final long gidPrefix;
    private final int maxLmc;

    /**
     * Creates a subnet; the arrays are kept, not copied.
     *
     * @param baseLid by port index, 0 where there is none
     * @param lmc by port index
     * @param gidPrefix the subnet prefix
     * @throws IllegalArgumentException if two ports claim the same LID
     */
    public Subnet(Fabric fabric, int[] baseLid, byte[] lmc, long gidPrefix) {
        this(fabric, baseLid, lmc, gidPrefix, 0);
    }

    private Subnet(Fabric fabric, int[] baseLid, byte[] lmc, long gidPrefix, int leastTop) {
        this.fabric = fabric;
        this.baseLid = baseLid;
        this.lmc = lmc;
        this.gidPrefix = gidPrefix;
        int top = leastTop;
        int max = 0;
        for (int port = 0; port < baseLid.length; port++) {
            if (baseLid[port] != 0) {
                top = Math.max(top, baseLid[port] + (1 << lmc[port]) - 1);
                max = Math.max(max, lmc[port]);
            }
        }
        maxLmc = max;
        portOfLid = new int[top + 1];
        Arrays.fill(portOfLid, Fabric.NONE);
        for (int port = 0; port < baseLid.length; port++) {
            for (int i = 0; baseLid[port] != 0 && i < 1 << lmc[port]; i++) {
                int lid = baseLid[port] + i;
                if (portOfLid[lid] != Fabric.NONE) {
                    throw new IllegalArgumentException("LID " + lid + " belongs to " + fabric.portName(portOfLid[lid])
                            + " and to " + fabric.portName(port));
                }
                portOfLid[lid] = port;
            }
        }
    }

    /** Returns these addresses on a fabric with the same indexes, such as one with newer PortInfo. */
    public Subnet with(Fabric newer) {
        return new Subnet(newer, baseLid, lmc, gidPrefix, topLid());
    }

    /** Returns these addresses on a part of the fabric, whose indexes are its own. */
    public Subnet on(Fabric part) {
        int[] lids = new int[part.portCount()];
        byte[] lmcs = new byte[lids.length];
        for (int node = 0; node < part.nodeCount(); node++) {
            int same = fabric.port(fabric.nodeByGuid(part.nodeGuid(node)), 0);
            int from = part.port(node, 0);
            System.arraycopy(baseLid, same, lids, from, part.numPorts(node) + 1);
            System.arraycopy(lmc, same, lmcs, from, part.numPorts(node) + 1);
        }
        return new Subnet(part, lids, lmcs, gidPrefix);
    }

    /** Returns the subnet with tables that reach at least to a LID, even if no port has the last ones. */
    public Subnet reachingTo(int lid) {
        return new Subnet(fabric, baseLid, lmc, gidPrefix, Math.max(lid, topLid()));
    }

    public Fabric fabric() {
        return fabric;
    }

    /** Returns the highest unicast LID that tables have an entry for; they are this long plus one. */
    public int topLid() {
        return portOfLid.length - 1;
    }

    /** Returns the base LID of an end port, 0 if it has none. */
    public int lid(int port) {
        return baseLid[port];
    }

    /** Returns a port as events name it, with the LID by which it is reached. */
    public DeviceText devicePort(int port) {
        return withLid(fabric.devicePort(port), port);
    }

    /** Returns the node of a port as events name it, with the LID by which it is reached there. */
    public DeviceText deviceOf(int port) {
        return deviceOf(port, "");
    }

    /** Returns the same of a node with a place in a torus. */
    public DeviceText deviceOf(int port, String place) {
        return withLid(fabric.device(fabric.nodeOf(port), place), port);
    }

    private DeviceText withLid(DeviceText device, int port) {
        int node = fabric.nodeOf(port);
        int lid = lid(fabric.isSwitch(node) ? fabric.port(node, 0) : port);
        return lid == 0 ? device : device.with(EventField.LID.of(lid));
    }

    public int lmc(int port) {
        return lmc[port];
    }

    /** Returns the highest LMC of any port. */
    public int maxLmc() {
        return maxLmc;
    }

    /** Returns the end port that a LID belongs to; {@link Fabric#NONE} if to none. */
    public int portOfLid(int lid) {
        return lid >= 0 && lid < portOfLid.length ? portOfLid[lid] : Fabric.NONE;
    }

    /** Returns the switch whose port 0 has a LID; {@link Fabric#NONE} if there is none. */
    public int switchWithLid(int lid) {
        int port = portOfLid(lid);
        return port != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) ? fabric.nodeOf(port) : Fabric.NONE;
    }

    /** Returns the switch that a LID's end port is or hangs on; {@link Fabric#NONE} if none. */
    public int switchOfLid(int lid) {
        int port = portOfLid(lid);
        return port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
    }

    /**
     * Returns the port number by which a LID leaves the switch that its end port is or hangs on.
     *
     * @param lid LID of an end port with a switch
     */
    public int deliveryPort(int lid) {
        int endport = portOfLid(lid);
        return fabric.isSwitch(fabric.nodeOf(endport)) ? 0 : fabric.portNum(fabric.peer(endport));
    }

    /** Returns the subnet prefix of every GID. */
    public long gidPrefix() {
        return gidPrefix;
    }

    /** Returns the SM's own LID. */
    public int smLid() {
        return baseLid[fabric.localPort()];
    }
}
