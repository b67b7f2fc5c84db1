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
 * The forwarding of groups along a tree, as blocks of 32 MLIDs. Immutable, except for the alias GUIDs of
 * members.
 *
 * <p>The switch of a send-only member is part of the tree, but its port is not sent to, unless another member
 * is at it. A member that is no port of this subnet is ignored. Ports in entries that another SM left are
 * treated as members. Without a tree, and for groups whose SL is not allowed, nothing is forwarded.
 */
public final class MulticastRouter {
    /** Ports in one block of a MulticastForwardingTable. */
    public static final int PORTS_PER_POSITION = 16;

    private static final int BLOCK_BYTES = 64;

    private final Fabric fabric;
    private final @Nullable MulticastTree tree;
    private final int sls;
    private final Map<Long, Integer> portOfGuid = new HashMap<>();
    private final LongUnaryOperator portOfAlias;

    /**
     * Routes groups of a subnet.
     *
     * @param tree over the switches of the subnet; null for no multicast
     * @param sls the SLs (bit n: SL n) that are forwarded
     * @param portOfAlias maps an alias GUID to the GUID of its port at the moment; 0 if there is none
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
    public boolean isOn() {
        return tree != null;
    }

    /** Returns the routed fabric. */
    public Fabric fabric() {
        return fabric;
    }

    /** Checks whether an end port has this GUID or alias GUID. */
    public boolean hasPort(long guid) {
        return portOf(guid) != null;
    }

    /** Checks whether the link of an end port is ACTIVE. */
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
        return port0 != null && port0.can(PortInfo.CAP_MULTICAST_FDB_TOP)
                ? OptionalInt.of(isOn() ? groups.topMlid() : MulticastView.FIRST_MLID - 1)
                : OptionalInt.empty();
    }

    /** Returns the number of port positions (blocks of 16 ports) of a switch. */
    public int positions(int sw) {
        return fabric.numPorts(sw) / PORTS_PER_POSITION + 1;
    }

    /** The entries of 32 MLIDs in all switches. */
    public static final class Block {
        private static final MulticastForwardingTable EMPTY = MulticastForwardingTable.TYPE.zero();
        private final byte[] @Nullable [] bySwitch;

        private Block(int switches) {
            bySwitch = new byte[switches][];
        }

        /** Returns the block of 32 MLIDs for 16 ports of a switch. */
        public MulticastForwardingTable table(int sw, int position) {
            byte[] entries = bySwitch[sw];
            return entries == null ? EMPTY : MulticastForwardingTable.TYPE.read(entries, position * BLOCK_BYTES);
        }

        /** Returns the ports, ascending, to which a switch forwards the i-th MLID of the block. */
        public int[] ports(int sw, int i) {
            byte[] entries = bySwitch[sw];
            if (entries == null) {
                return new int[0];
            }
            return IntStream.range(0, entries.length / BLOCK_BYTES * PORTS_PER_POSITION)
                    .filter(port -> isSet(entries, port, i))
                    .toArray();
        }

        private static boolean isSet(byte[] entries, int port, int i) {
            int highByte = port / PORTS_PER_POSITION * BLOCK_BYTES + 2 * i;
            int bit = port % PORTS_PER_POSITION;
            return (entries[highByte + 1 - bit / Byte.SIZE] >> bit % Byte.SIZE & 1) != 0;
        }
    }

    /** Routes the groups of one block of MLIDs: {@code 0xC000 + 32 * number} and the 31 after it. */
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
        sharing.forEach(
                (mlid, those) -> route(mlid, those, inherited.getOrDefault(mlid, Set.of()), mlid - first, block));
        return block;
    }

    /**
     * Routes the groups of one MLID. A switch cannot tell them apart, so that the members of all receive all.
     */
    private void route(int mlid, List<MulticastGroup> sharing, Set<Long> inherited, int i, Block block) {
        if (tree == null) {
            return;
        }
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
                silence(port, masks);
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

    private void silence(int port, Map<Integer, long[]> masks) {
        long[] mask = masks.get(fabric.switchOf(port));
        if (mask != null) {
            int local = fabric.isSwitch(fabric.nodeOf(port)) ? 0 : fabric.portNum(fabric.peer(port));
            mask[local >> 6] &= ~(1L << local);
        }
    }

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
