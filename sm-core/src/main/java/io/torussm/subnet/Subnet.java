package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A fabric whose end ports have LIDs. Immutable. */
public final class Subnet {
    private final Fabric fabric;

    /** [port index] base LID; 0 without a LID. */
    private final int[] baseLid;

    /** [port index] LMC, 0 to 7. */
    private final byte[] lmc;

    /** [LID] port index; NONE if no port has the LID. */
    private final int[] portOfLid;

    /** LIDs of virtual ports whose physical ports are present; none of them is the LID of a port. */
    private final VPortLids vportLids;

    private final long gidPrefix;
    private final int maxLmc;

    /**
     * Creates a subnet. The arrays are not copied, so the caller must not change them.
     *
     * @param baseLid [port index] base LID, 0 without a LID
     * @param lmc [port index] LMC, 0 to 7
     * @param gidPrefix the subnet prefix of GIDs
     * @throws IllegalArgumentException if two ports claim the same LID
     */
    public Subnet(Fabric fabric, int[] baseLid, byte[] lmc, long gidPrefix) {
        this(fabric, baseLid, lmc, gidPrefix, 0, VPortLids.NONE);
    }

    private Subnet(Fabric fabric, int[] baseLid, byte[] lmc, long gidPrefix, int leastTop, VPortLids wanted) {
        this.fabric = fabric;
        this.baseLid = baseLid;
        this.lmc = lmc;
        this.gidPrefix = gidPrefix;
        Map<Long, Integer> hosts = wanted.isEmpty() ? Map.of() : hosts();
        VPortLids present = wanted.only(lid -> lid.isPresent() && hosts.containsKey(lid.portGuid()));
        int top = Math.max(
                leastTop,
                present.lids().stream().mapToInt(VPortLids.VPortLid::lid).max().orElse(0));
        int max = 0;
        for (int port = 0; port < baseLid.length; port++) {
            if (baseLid[port] != 0) {
                top = Math.max(top, baseLid[port] + (1 << lmc[port]) - 1);
                max = Math.max(max, lmc[port]);
            }
        }
        maxLmc = max;
        // Vports come and go. Within a block the next LID is written without a change of LinearFDBTop.
        portOfLid = new int[(present.isEmpty() ? top : LidReach.endOfBlock(fabric, top)) + 1];
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
        vportLids = present.only(lid -> portOfLid[lid.lid()] == Fabric.NONE);
        vportLids.lids().forEach(lid -> portOfLid[lid.lid()] = hosts.getOrDefault(lid.portGuid(), Fabric.NONE));
    }

    /** Returns the ports of hosts with a LID, by PortGUID. */
    private Map<Long, Integer> hosts() {
        Map<Long, Integer> hosts = new HashMap<>();
        for (int port = fabric.port(fabric.switchCount(), 0); port < baseLid.length; port++) {
            if (baseLid[port] != 0) {
                hosts.put(fabric.portGuid(port), port);
            }
        }
        return hosts;
    }

    /** Returns a subnet with these LIDs and a fabric with the same indexes, such as one with newer PortInfo. */
    public Subnet with(Fabric newer) {
        return new Subnet(newer, baseLid, lmc, gidPrefix, topLid(), vportLids);
    }

    /**
     * Returns a subnet whose ports also have the LIDs of their virtual ports. A LID whose port is absent, or that a
     * port itself has, is left out.
     */
    public Subnet with(VPortLids vports) {
        return vports.isEmpty() && vportLids.isEmpty() ? this : new Subnet(fabric, baseLid, lmc, gidPrefix, 0, vports);
    }

    /** Returns a subnet with these LIDs on a part of the fabric, which has other indexes. */
    public Subnet restrictedTo(Fabric part) {
        int[] lids = new int[part.portCount()];
        byte[] lmcs = new byte[lids.length];
        for (int node = 0; node < part.nodeCount(); node++) {
            int ownFirst = fabric.port(fabric.nodeByGuid(part.nodeGuid(node)), 0);
            int partFirst = part.port(node, 0);
            System.arraycopy(baseLid, ownFirst, lids, partFirst, part.numPorts(node) + 1);
            System.arraycopy(lmc, ownFirst, lmcs, partFirst, part.numPorts(node) + 1);
        }
        return new Subnet(part, lids, lmcs, gidPrefix, 0, vportLids);
    }

    /** Returns a subnet whose {@link #topLid} is at least a LID, even if no port has this LID. */
    public Subnet withTopLid(int lid) {
        return new Subnet(fabric, baseLid, lmc, gidPrefix, Math.max(lid, topLid()), vportLids);
    }

    public Fabric fabric() {
        return fabric;
    }

    /** Returns the highest unicast LID with an entry in forwarding tables. Their length is this LID + 1. */
    public int topLid() {
        return portOfLid.length - 1;
    }

    /** Returns the base LID of a port, given by index; 0 if the port has no LID. */
    public int lid(int port) {
        return baseLid[port];
    }

    /** Returns a port (index) as events name it, with its LID, or the LID of port 0 for a port of a switch. */
    public DeviceText devicePort(int port) {
        return withLid(fabric.devicePort(port), port);
    }

    /** Returns the node of a port (index) as events name it, with the LID of that port, or of port 0 for a switch. */
    public DeviceText deviceOf(int port) {
        return deviceOf(port, "");
    }

    /** Returns the node of a port as events name it, with a LID and a place in a torus; see {@link #deviceOf(int)}. */
    public DeviceText deviceOf(int port, String place) {
        return withLid(fabric.device(fabric.nodeOf(port), place), port);
    }

    private DeviceText withLid(DeviceText device, int port) {
        int node = fabric.nodeOf(port);
        int lid = lid(fabric.isSwitch(node) ? fabric.port(node, 0) : port);
        return lid == 0 ? device : device.with(EventField.LID.of(lid));
    }

    /** Returns the LMC of a port, given by index. */
    public int lmc(int port) {
        return lmc[port];
    }

    /** Returns the highest LMC of any port. */
    public int maxLmc() {
        return maxLmc;
    }

    /** Returns the index of the end port that has a LID; {@link Fabric#NONE} if no port has the LID. */
    public int portOfLid(int lid) {
        return lid >= 0 && lid < portOfLid.length ? portOfLid[lid] : Fabric.NONE;
    }

    /** Returns the LIDs of virtual ports, which {@link #portOfLid} maps to their physical ports. */
    public VPortLids vportLids() {
        return vportLids;
    }

    /** Returns the LID with the same path: the base LID of the physical port for the LID of a virtual port. */
    public int routedLid(int lid) {
        int port = vportLids.isEmpty() ? Fabric.NONE : portOfLid(lid);
        return port == Fabric.NONE || (lid >= baseLid[port] && lid < baseLid[port] + (1 << lmc[port]))
                ? lid
                : baseLid[port];
    }

    /**
     * Returns the GUID of the port that has a LID: of the virtual port if one has it, else of the physical port; 0 if
     * no port has it.
     */
    public long guidOfLid(int lid) {
        int port = portOfLid(lid);
        if (port == Fabric.NONE) {
            return 0;
        }
        return routedLid(lid) == lid ? fabric.portGuid(port) : vportLids.guidOf(lid);
    }

    /** Checks whether a port (index) has a LID because one of its virtual ports requires it. */
    public boolean isVPortLidOf(int port, int lid) {
        return portOfLid(lid) == port && routedLid(lid) != lid;
    }

    /** Returns the switch whose port 0 has a LID; {@link Fabric#NONE} if no switch has the LID. */
    public int switchWithLid(int lid) {
        int port = portOfLid(lid);
        return port != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) ? fabric.nodeOf(port) : Fabric.NONE;
    }

    /**
     * Returns the switch of a LID: the switch that has the LID, or to which its end port is attached. Returns {@link
     * Fabric#NONE} if no port has the LID, or its port is attached to no switch.
     */
    public int switchOfLid(int lid) {
        int port = portOfLid(lid);
        return port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
    }

    /**
     * Returns the port number by which packets to a LID leave its switch ({@link #switchOfLid}): 0 for the LID of the
     * switch itself.
     *
     * @param lid a LID with a switch
     */
    public int deliveryPort(int lid) {
        int endport = portOfLid(lid);
        return fabric.isSwitch(fabric.nodeOf(endport)) ? 0 : fabric.portNum(fabric.peer(endport));
    }

    /** Returns the subnet prefix of every GID. */
    public long gidPrefix() {
        return gidPrefix;
    }

    /** Returns the LID of the port on which this SM runs. */
    public int smLid() {
        return baseLid[fabric.localPort()];
    }
}
