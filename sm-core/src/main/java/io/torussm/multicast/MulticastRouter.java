package io.torussm.multicast;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.MulticastTree;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The multicast forwarding tables of all switches for groups along a tree, in blocks of 32 MLIDs. Immutable, except for
 * the alias GUIDs of members.
 *
 * <p>The path to a send-only member is a part of the tree, but its switch does not forward packets to it, unless
 * another member has the same port. A member that is no port of this subnet is ignored. Ports in entries that another
 * SM left are treated as members. Without a tree, and for groups whose SL is not allowed, nothing is forwarded.
 */
public final class MulticastRouter {
    /** Ports in one block of a MulticastForwardingTable. */
    public static final int PORTS_PER_POSITION = 16;

    /** Bytes of a MulticastForwardingTable: for each of 32 MLIDs a big-endian mask of 16 ports. */
    private static final int BLOCK_BYTES = 64;

    private final Fabric fabric;
    private final @Nullable MulticastTree tree;
    private final int sls;
    private final Map<Long, Integer> portOfGuid = new HashMap<>();
    private final LongUnaryOperator portOfAlias;

    /**
     * Creates the router of a subnet.
     *
     * @param tree tree over the switches of the subnet; null if there is no multicast
     * @param sls the SLs whose packets are forwarded: bit n is SL n
     * @param portOfAlias returns the PortGUID of the port that has an alias GUID at present; 0 if there is none
     */
    public MulticastRouter(Subnet subnet, @Nullable MulticastTree tree, int sls, LongUnaryOperator portOfAlias) {
        this.fabric = subnet.fabric();
        this.tree = tree;
        this.sls = sls;
        this.portOfAlias = portOfAlias;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (subnet.lid(port) != 0) {
                portOfGuid.putIfAbsent(fabric.portGuid(port), port);
            }
        }
    }

    /** Checks whether there is a tree. */
    public boolean hasTree() {
        return tree != null;
    }

    /** Returns the routed fabric. */
    public Fabric fabric() {
        return fabric;
    }

    /** Checks whether an end port has a GUID, as PortGUID or alias. */
    public boolean hasPort(long guid) {
        return portOf(guid) != null;
    }

    /** Checks whether the link of the end port with a GUID is ACTIVE. */
    public boolean isActive(long guid) {
        Integer port = portOf(guid);
        PortInfo info = port == null ? null : fabric.portInfo(port);
        return info != null && info.portState() == PortInfo.STATE_ACTIVE;
    }

    private @Nullable Integer portOf(long guid) {
        Integer port = portOfGuid.get(guid);
        return port == null ? portOfGuid.get(portOfAlias.applyAsLong(guid)) : port;
    }

    /** Returns the MulticastFDBTop for a switch; empty if the switch does not support it. */
    public OptionalInt top(MulticastView groups, int sw) {
        PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
        return port0 != null && port0.hasCapability(PortInfo.CAP_MULTICAST_FDB_TOP)
                ? OptionalInt.of(hasTree() ? groups.topMlid() : MulticastView.FIRST_MLID - 1)
                : OptionalInt.empty();
    }

    /** Returns the number of port positions (blocks of 16 ports) of a switch. */
    public int positions(int sw) {
        return fabric.numPorts(sw) / PORTS_PER_POSITION + 1;
    }

    /** The entries of 32 MLIDs in all switches. */
    public static final class Block {
        private static final MulticastForwardingTable EMPTY = MulticastForwardingTable.TYPE.zero();

        /** The tables {@code [switch][byte]}, for each position BLOCK_BYTES; null for a switch without entries. */
        private final byte[] @Nullable [] bySwitch;

        private Block(int switches) {
            bySwitch = new byte[switches][];
        }

        /**
         * Returns the block of 32 MLIDs for 16 ports of a switch.
         *
         * @param sw switch index
         * @param position ports 16 * position to 16 * position + 15
         */
        public MulticastForwardingTable table(int sw, int position) {
            byte[] entries = bySwitch[sw];
            return entries == null ? EMPTY : MulticastForwardingTable.TYPE.read(entries, position * BLOCK_BYTES);
        }

        /**
         * Returns the ascending numbers of the ports to which a switch forwards MLID i of the block, i from 0 to 31.
         */
        public int[] ports(int sw, int i) {
            byte[] entries = bySwitch[sw];
            if (entries == null) {
                return new int[0];
            }
            return IntStream.range(0, entries.length / BLOCK_BYTES * PORTS_PER_POSITION)
                    .filter(port -> isSet(entries, port, i))
                    .toArray();
        }

        // The mask of MLID i at a position has two bytes: first that of ports 15 to 8, then that of ports 7 to 0.
        private static boolean isSet(byte[] entries, int port, int i) {
            int highByte = port / PORTS_PER_POSITION * BLOCK_BYTES + 2 * i;
            int bit = port % PORTS_PER_POSITION;
            return (entries[highByte + 1 - bit / Byte.SIZE] >> bit % Byte.SIZE & 1) != 0;
        }
    }

    /** Returns the entries of a block of MLIDs: {@code 0xC000 + 32 * number} and the 31 after it. */
    public Block block(MulticastView groups, int number) {
        Block block = new Block(fabric.switchCount());
        int first = MulticastView.FIRST_MLID + number * MulticastForwardingTable.MLIDS_PER_BLOCK;
        Map<Integer, List<MulticastGroup>> sharing = new TreeMap<>();
        for (MulticastGroup group : groups.groups()) {
            if (group.mlid() >= first && group.mlid() < first + MulticastForwardingTable.MLIDS_PER_BLOCK) {
                sharing.computeIfAbsent(group.mlid(), mlid -> new ArrayList<>(1))
                        .add(group);
            }
        }
        SortedMap<Integer, Set<Long>> inherited =
                groups.inherited().subMap(first, first + MulticastForwardingTable.MLIDS_PER_BLOCK);
        inherited.keySet().forEach(mlid -> sharing.computeIfAbsent(mlid, none -> List.of()));
        sharing.forEach((mlid, mlidGroups) ->
                route(mlid, mlidGroups, inherited.getOrDefault(mlid, Set.of()), mlid - first, block));
        return block;
    }

    /**
     * Adds the entries of an MLID. A switch cannot distinguish the groups that share it, so that the members of each
     * group receive the packets of all.
     *
     * @param sharing groups with the MLID
     * @param inherited PortGUIDs of the ports in entries that another SM left
     * @param i index of the MLID in the block, 0 to 31
     */
    private void route(int mlid, List<MulticastGroup> sharing, Set<Long> inherited, int i, Block block) {
        if (tree == null) {
            return;
        }
        // Whether a member receives packets, by port index.
        Map<Integer, Boolean> receives = new LinkedHashMap<>();
        for (MulticastGroup group : sharing) {
            if ((sls >> group.record().sl() & 1) != 0) {
                group.members().forEach(member -> put(member.portGid().guid(), member.receives(), receives));
            }
        }
        inherited.forEach(guid -> put(guid, true, receives));
        int[] members = receives.keySet().stream().mapToInt(Integer::intValue).toArray();
        Map<Integer, long[]> masks = tree.route(mlid, members);
        receives.forEach((port, isReceiver) -> {
            if (!isReceiver) {
                removeSender(port, masks);
            }
        });
        masks.forEach((sw, mask) -> put(sw, mask, i, block));
    }

    private void put(long guid, boolean isReceiver, Map<Integer, Boolean> receives) {
        Integer port = portOf(guid);
        if (port != null) {
            receives.merge(port, isReceiver, Boolean::logicalOr);
        }
    }

    /** Removes the port of a send-only member from the mask of its switch. */
    private void removeSender(int port, Map<Integer, long[]> masks) {
        long[] mask = masks.get(fabric.switchOf(port));
        if (mask != null) {
            int local = fabric.isSwitch(fabric.nodeOf(port)) ? 0 : fabric.portNum(fabric.peer(port));
            mask[local >> 6] &= ~(1L << local);
        }
    }

    /** Writes the mask of MLID i of a switch, in which bit n of element k is port 64 * k + n. */
    private void put(int sw, long[] mask, int i, Block block) {
        byte[] entries = block.bySwitch[sw];
        if (entries == null) {
            entries = new byte[positions(sw) * BLOCK_BYTES];
            block.bySwitch[sw] = entries;
        }
        for (int position = 0; position < positions(sw); position++) {
            int ports = (int) (mask[position >> 2] >>> (position & 3) * PORTS_PER_POSITION) & 0xffff;
            int at = position * BLOCK_BYTES + 2 * i;
            entries[at] = (byte) (ports >> 8);
            entries[at + 1] = (byte) ports;
        }
    }
}
