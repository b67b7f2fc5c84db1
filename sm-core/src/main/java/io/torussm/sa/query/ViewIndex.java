package io.torussm.sa.query;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.VPortGuids;
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
import org.jspecify.annotations.Nullable;

/**
 * The index of a published view. With it, a query finds an end port by GUID, and the MTU and rate of a cable, in
 * constant time and without allocation. It takes two bytes for each port index, and about 24 for each end port.
 * Immutable and thread-safe.
 */
public final class ViewIndex {
    /** Code of an MTU of 256 bytes. */
    private static final int MIN_MTU = 1;

    /** Code of an MTU of 4,096 bytes; higher codes are reserved. */
    private static final int MAX_MTU = 5;

    /** 2^64 divided by the golden ratio: the factor of a multiplicative hash, which spreads similar GUIDs. */
    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private final PublishedView view;

    /**
     * Port indexes of end ports with a LID, hosts first. A client that reads only the first records of a table, as all
     * clients do on ibsim, needs hosts rather than switches.
     */
    private final int[] endports;

    /** Codes of {@link #mtu(int)}, by port index. */
    private final byte[] mtu;

    /** Values of {@link #rateOrder(int)}, by port index. */
    private final byte[] rateOrder;

    /**
     * The GUIDs of a hash table with open addressing, by slot. The table is at most half full; a slot is free if its
     * port is {@link Fabric#NONE}.
     */
    private final long[] guids;

    /** Port indexes of the hash table, by slot. */
    private final int[] portOfGuid;

    private final MulticastRouter router;
    private final int anyRouterPort;

    /** SL of each partition, by the base of its P_Key; empty if all are 0. */
    private final byte[] partitionSls;

    private final AliasGuids aliases;

    /**
     * Builds the index of a view.
     *
     * @param aliases alias GUIDs and virtual ports, whose present state is used for each look-up
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

    /** Creates the index of a view that differs from that of another index in P_Key tables only. */
    private ViewIndex(ViewIndex known, PublishedView view) {
        this.view = view;
        this.aliases = known.aliases;
        this.endports = known.endports;
        this.guids = known.guids;
        this.portOfGuid = known.portOfGuid;
        this.anyRouterPort = known.anyRouterPort;
        this.partitionSls = partitionSls(view.partitions().settings().conf().partitions());
        this.router = known.router;
        this.mtu = known.mtu;
        this.rateOrder = known.rateOrder;
    }

    /** Returns the index of another view, with the parts of this one; null if more than P_Key tables differ. */
    @SuppressWarnings("ReferenceEquality") // A view with other partitions has the same objects.
    @Nullable
    ViewIndex on(PublishedView other) {
        boolean isSame =
                other.subnet() == view.subnet() && other.plan() == view.plan() && other.multicast() == view.multicast();
        return isSame ? new ViewIndex(this, other) : null;
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
     * Checks whether a port supports extended speeds but reports none, while the other end of its cable reports one,
     * and width and speed of both ends are equal. Both ends run at the same speed, which the other end reports.
     */
    private static boolean hidesSpeed(Fabric fabric, int port, int other) {
        PortInfo own = fabric.portInfo(port);
        PortInfo governing = fabric.capabilityPortInfo(port);
        PortInfo far = fabric.portInfo(other);
        return own != null
                && governing != null
                && far != null
                && governing.hasCapability(PortInfo.CAP_EXTENDED_SPEEDS)
                && own.showsNoExtendedSpeed()
                && !far.showsNoExtendedSpeed()
                && own.get(PortInfo.LINK_WIDTH_ACTIVE) == far.get(PortInfo.LINK_WIDTH_ACTIVE)
                && own.get(PortInfo.LINK_SPEED_ACTIVE) == far.get(PortInfo.LINK_SPEED_ACTIVE);
    }

    /** Returns the code of the largest MTU that a port sends; that of the smallest MTU if its PortInfo is unknown. */
    private static byte mtuOf(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        if (info == null) {
            return MIN_MTU;
        }
        boolean isLinked = fabric.peer(port) != Fabric.NONE && info.neighborMtu() != 0;
        int code = isLinked ? Math.min(info.mtuCap(), info.neighborMtu()) : info.mtuCap();
        return (byte) Math.max(MIN_MTU, Math.min(code, MAX_MTU));
    }

    private static int rateOf(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        return info == null ? Rates.SLOWEST_CODE : Rates.of(info, fabric.capabilityPortInfo(port));
    }

    /** Returns the router of multicast forwarding tables. */
    public MulticastRouter router() {
        return router;
    }

    /** Returns the view. */
    public PublishedView view() {
        return view;
    }

    /** Returns the subnet of the view. */
    public Subnet subnet() {
        return view.subnet();
    }

    /** Returns the fabric of the view. */
    public Fabric fabric() {
        return view.subnet().fabric();
    }

    /** Returns the indexes of all end ports with a LID, hosts before switches; the array must not be changed. */
    public int[] endports() {
        return endports;
    }

    /**
     * Returns the index of the last port that records list under the LID of an end port. For a switch these are all its
     * ports, whose indexes follow that of port 0; for others it is the end port.
     */
    public int lastPortAt(int endport) {
        int node = fabric().nodeOf(endport);
        return fabric().isSwitch(node) ? fabric().port(node, fabric().numPorts(node)) : endport;
    }

    /** Returns the index of the end port of a port: port 0 of a switch, or the port itself. */
    public int endportOf(int port) {
        int node = fabric().nodeOf(port);
        return fabric().isSwitch(node) ? fabric().port(node, 0) : port;
    }

    /** Returns the end port with a GUID, as PortGUID or alias; {@link Fabric#NONE} if no end port has it. */
    public int portOfGuid(long guid) {
        int port = portOfGuid[slotOf(guid)];
        return port == Fabric.NONE ? portOfGuid[slotOf(aliases.portOf(guid))] : port;
    }

    /** Checks whether a GUID is the PortGUID of an end port. */
    public boolean isPortGuid(long guid) {
        return portOfGuid[slotOf(guid)] != Fabric.NONE;
    }

    /** Checks whether a GUID is that of a virtual port, which has the LID of its physical port or one of its own. */
    public boolean isVPort(long guid) {
        return aliases.isVPort(guid);
    }

    /**
     * Returns the LID that a GUID has of its own at a port: 0 if it has that of the port, and
     * {@link VPortGuids#NO_LID} if its virtual port requires one that this view has no routes for.
     */
    public int ownLid(int endport, long guid) {
        int lid = aliases.vports().lidOf(guid);
        return lid == 0 || subnet().isVPortLidOf(endport, lid) ? lid : VPortGuids.NO_LID;
    }

    /** Checks whether this is the index of a view. */
    boolean isOf(PublishedView current) {
        return view.equals(current);
    }

    /**
     * Returns the port of a router with a GUID, or of any router if the GUID is 0; {@link Fabric#NONE} if there
     * is no such port.
     */
    public int routerPort(long guid) {
        if (guid == 0) {
            return anyRouterPort;
        }
        int port = portOfGuid(guid);
        return port != Fabric.NONE && isRouter(port) ? port : Fabric.NONE;
    }

    /** Returns the configured SL of the traffic of a partition; 0 if the partition is not defined. */
    public int slOf(int pKey) {
        return partitionSls.length == 0 ? 0 : partitionSls[PKeys.base(pKey)];
    }

    /** Returns the P_Keys of an end port. */
    public PortKeys keys(int endport) {
        return view.partitions().keys(endport);
    }

    /** Returns the P_Keys of the virtual port with a GUID; those of the end port if no virtual port has it. */
    public PortKeys keys(int endport, long guid) {
        PortKeys keys = aliases.vports().keysOf(guid);
        return keys == null ? keys(endport) : keys;
    }

    /**
     * Checks whether an end port, or one of its virtual ports, is in a partition. Virtual ports share the LID of their
     * end port unless they require LIDs of their own, so that a request may come from any of them.
     */
    boolean isIn(int endport, int pKey) {
        return keys(endport).isIn(pKey) || keysOfVPorts(endport).isIn(pKey);
    }

    /** Checks whether an end port, or one of its virtual ports, shares a partition with the holder of P_Keys. */
    boolean sharesWith(int endport, PortKeys others) {
        return keys(endport).sharesWith(others) || keysOfVPorts(endport).sharesWith(others);
    }

    private PartitionSet keysOfVPorts(int endport) {
        return aliases.vports().keysAt(fabric().portGuid(endport));
    }

    /** Returns the smaller of the MTU codes of a port and of the other end of its cable; 1 to 5. */
    public int mtu(int port) {
        return mtu[port];
    }

    /**
     * Returns the slower of the rates of a port and of the other end of its cable, as a value of {@link Rates#order}.
     */
    public int rateOrder(int port) {
        return rateOrder[port];
    }

    /** Returns the slot of a GUID, or the free slot that ends the search for it. */
    private int slotOf(long guid) {
        int mask = guids.length - 1;
        int slot = (int) (guid * HASH_FACTOR >>> Integer.SIZE) & mask;
        while (portOfGuid[slot] != Fabric.NONE && guids[slot] != guid) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
