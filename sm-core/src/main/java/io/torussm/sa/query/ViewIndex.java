package io.torussm.sa.query;

import io.torussm.alias.AliasGuids;
import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.multicast.MulticastRouter;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSet;
import io.torussm.partition.PortKeys;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A published view, prepared once so that a query needs constant time and no allocation to find end ports by
 * GUID and the capacity of each cable. Two bytes for each port slot, about 24 for each end port.
 */
public final class ViewIndex {
    private static final int LEAST_MTU = 1;

    /** 4,096 bytes; higher codes are reserved. */
    private static final int GREATEST_MTU = 5;

    private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

    private final PublishedView view;

    /** Hosts first: who reads but the first records of a table, as all do on ibsim, has more use of those. */
    private final int[] endports;

    private final byte[] mtu;
    private final byte[] rateOrder;

    /** Open addressing, at most half full; a slot is free where the port is {@link Fabric#NONE}. */
    private final long[] guids;

    private final int[] portOfGuid;
    private final MulticastRouter router;
    private final int anyRouterPort;

    /** SL by partition; empty if all are 0. */
    private final byte[] partitionSls;

    private final AliasGuids aliases;

    /**
     * Prepares a view.
     *
     * @param aliases aliases and virtual ports, looked up as they are at the moment
     */
    ViewIndex(PublishedView view, AliasGuids aliases) {
        this.view = view;
        this.aliases = aliases;
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        endports = IntStream.concat(endports(subnet, false), endports(subnet, true))
                .toArray();
        int slots = Integer.highestOneBit(Math.max(1, endports.length)) * 4;
        guids = new long[slots];
        portOfGuid = new int[slots];
        Arrays.fill(portOfGuid, Fabric.NONE);
        for (int port : endports) {
            int slot = slotOf(fabric.portGuid(port));
            if (portOfGuid[slot] == Fabric.NONE) {
                guids[slot] = fabric.portGuid(port);
                portOfGuid[slot] = port;
            }
        }
        anyRouterPort =
                Arrays.stream(endports).filter(this::isRouter).findFirst().orElse(Fabric.NONE);
        partitionSls = partitionSls(view.partitions().settings().conf().partitions());
        router = new MulticastRouter(subnet, view.multicast(), view.plan().multicastSls(), aliases::portOf);
        mtu = new byte[fabric.portCount()];
        rateOrder = new byte[fabric.portCount()];
        measureCables(fabric);
    }

    private static IntStream endports(Subnet subnet, boolean ofSwitches) {
        Fabric fabric = subnet.fabric();
        return IntStream.range(0, fabric.portCount())
                .filter(port -> subnet.lid(port) != 0 && fabric.isSwitch(fabric.nodeOf(port)) == ofSwitches);
    }

    private static byte[] partitionSls(List<PartitionConf.Partition> partitions) {
        if (partitions.stream().allMatch(partition -> partition.sl() == 0)) {
            return new byte[0];
        }
        byte[] sls = new byte[PKeys.BASE + 1];
        partitions.forEach(partition -> sls[partition.pKey()] = (byte) partition.sl());
        return sls;
    }

    private boolean isRouter(int endport) {
        return fabric().node(fabric().nodeOf(endport)).info().nodeType() == NodeInfo.ROUTER;
    }

    private void measureCables(Fabric fabric) {
        byte[] ownMtu = new byte[mtu.length];
        byte[] ownRate = new byte[mtu.length];
        for (int port = 0; port < mtu.length; port++) {
            ownMtu[port] = mtuOf(fabric, port);
            ownRate[port] = (byte) Rates.order(rateOf(fabric, port));
        }
        for (int port = 0; port < mtu.length; port++) {
            int far = fabric.peer(port);
            int other = far == Fabric.NONE ? port : far;
            mtu[port] = (byte) Math.min(ownMtu[port], ownMtu[other]);
            rateOrder[port] = hidesSpeed(fabric, port, other)
                    ? ownRate[other]
                    : hidesSpeed(fabric, other, port) ? ownRate[port] : (byte) Math.min(ownRate[port], ownRate[other]);
        }
    }

    /**
     * Checks whether a port with extended speeds did not report them, because it did not answer that
     * question. Its other fields must equal those of the other end of its cable. Both ends run at the same
     * speed, which the other one reports.
     */
    private static boolean hidesSpeed(Fabric fabric, int port, int other) {
        PortInfo own = fabric.portInfo(port);
        PortInfo governing = fabric.governing(port);
        PortInfo far = fabric.portInfo(other);
        return own != null
                && governing != null
                && far != null
                && governing.can(PortInfo.CAP_EXTENDED_SPEEDS)
                && own.showsNoExtendedSpeed()
                && !far.showsNoExtendedSpeed()
                && own.get(PortInfo.LINK_WIDTH_ACTIVE) == far.get(PortInfo.LINK_WIDTH_ACTIVE)
                && own.get(PortInfo.LINK_SPEED_ACTIVE) == far.get(PortInfo.LINK_SPEED_ACTIVE);
    }

    /** Returns the largest MTU that a port sends: a port without a known PortInfo gets the smallest. */
    private static byte mtuOf(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        if (info == null) {
            return LEAST_MTU;
        }
        boolean isLinked = fabric.peer(port) != Fabric.NONE && info.neighborMtu() != 0;
        int code = isLinked ? Math.min(info.mtuCap(), info.neighborMtu()) : info.mtuCap();
        return (byte) Math.max(LEAST_MTU, Math.min(code, GREATEST_MTU));
    }

    private static int rateOf(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        return info == null ? Rates.SLOWEST : Rates.of(info, fabric.governing(port));
    }

    /** Returns the router of multicast forwarding tables. */
    public MulticastRouter router() {
        return router;
    }

    /** Returns the view itself. */
    public PublishedView view() {
        return view;
    }

    /** Returns its subnet. */
    public Subnet subnet() {
        return view.subnet();
    }

    /** Returns its fabric. */
    public Fabric fabric() {
        return view.subnet().fabric();
    }

    /** Returns all end ports with a LID, those at hosts before switches; must not be written. */
    public int[] endports() {
        return endports;
    }

    /**
     * Returns the last of the ports that records list under the LID of an end port: a switch's are all, one
     * after the other.
     */
    public int lastPortAt(int endport) {
        int node = fabric().nodeOf(endport);
        return fabric().isSwitch(node) ? fabric().port(node, fabric().numPorts(node)) : endport;
    }

    /** Returns the end port that stands for a port: of a switch, its port 0. */
    public int endportOf(int port) {
        int node = fabric().nodeOf(port);
        return fabric().isSwitch(node) ? fabric().port(node, 0) : port;
    }

    /** Returns the end port with a GUID, its own or an alias; {@link Fabric#NONE} if there is none. */
    public int portOfGuid(long guid) {
        int port = portOfGuid[slotOf(guid)];
        return port == Fabric.NONE ? portOfGuid[slotOf(aliases.portOf(guid))] : port;
    }

    /** Checks whether an end port has a GUID as its own. */
    public boolean isPortGuid(long guid) {
        return portOfGuid[slotOf(guid)] != Fabric.NONE;
    }

    /** Checks whether a GUID is that of a virtual port, which has the LID of its physical port. */
    public boolean isVPort(long guid) {
        return aliases.isVPort(guid);
    }

    /** Checks whether it was made of this view. */
    boolean isOf(PublishedView current) {
        return view.equals(current);
    }

    /**
     * Returns the port of a router with a GUID, or of any router if the GUID is 0; {@link Fabric#NONE} if there
     * is none.
     */
    public int routerPort(long guid) {
        if (guid == 0) {
            return anyRouterPort;
        }
        int port = portOfGuid(guid);
        return port != Fabric.NONE && isRouter(port) ? port : Fabric.NONE;
    }

    /** Returns the wanted SL of the traffic of a partition; 0 if it is not defined. */
    public int slOf(int pKey) {
        return partitionSls.length == 0 ? 0 : partitionSls[PKeys.base(pKey)];
    }

    /** Returns the P_Keys of an end port. */
    public PortKeys keys(int endport) {
        return view.partitions().keys(endport);
    }

    /** Returns the P_Keys of an end port by one of its GUIDs: those of a virtual port if the GUID is one's. */
    public PortKeys keys(int endport, long guid) {
        PortKeys keys = aliases.vports().keysOf(guid);
        return keys == null ? keys(endport) : keys;
    }

    /**
     * Checks whether requests from an end port may concern a partition. A virtual port has the LID of its port, so a
     * request may come from any of them.
     */
    boolean isIn(int endport, int pKey) {
        return keys(endport).isIn(pKey) || keysOfVPorts(endport).isIn(pKey);
    }

    /** Checks whether requests from an end port, or its virtual ports, may concern a holder of P_Keys. */
    boolean sharesWith(int endport, PortKeys others) {
        return keys(endport).sharesWith(others) || keysOfVPorts(endport).sharesWith(others);
    }

    private PartitionSet keysOfVPorts(int endport) {
        return aliases.vports().keysAt(fabric().portGuid(endport));
    }

    /** Returns the MTU code of a port and of the port that its cable leads to, the smaller. */
    public int mtu(int port) {
        return mtu[port];
    }

    /**
     * Returns the rate of a port and of the port that its cable leads to, the slower; in the order of {@link
     * Rates#order}.
     */
    public int rateOrder(int port) {
        return rateOrder[port];
    }

    private int slotOf(long guid) {
        int mask = guids.length - 1;
        int slot = (int) (guid * HASH >>> Integer.SIZE) & mask;
        while (portOfGuid[slot] != Fabric.NONE && guids[slot] != guid) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
