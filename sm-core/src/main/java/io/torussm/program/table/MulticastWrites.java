package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.smp.RequestStripes;
import io.torussm.program.smp.SmpRequests;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The programming of the multicast forwarding tables that a router computes. Only blocks that differ are written.
 *
 * <p>There are two waves. The first wave removes entries that the new tables lack; the second wave adds new entries.
 * Between the waves switches contain the common entries, so packets never follow a mixture of two trees. An unknown
 * block is cleared in the first wave, unless the switch carries no traffic yet.
 *
 * <p>A block has 32 MLIDs, and for each MLID a mask of the 16 ports of a position (IBA 14.2.5.12). An entry number is
 * {@code block * maxPositions + position}. Owner thread: the loop.
 */
public final class MulticastWrites {
    /** Factor by which MulticastFDBCaps of a subnet usually differ at most: 1,024 to 16,384 entries. */
    private static final int OUTLIER_FACTOR = 16;

    /** Bit of the AttributeModifier from which on the position stands (IBA 14.2.5.12). */
    private static final int POSITION_SHIFT = 28;

    /** MulticastFDBTop without multicast (0xBFFF). */
    private static final int NO_MULTICAST = MulticastView.FIRST_MLID - 1;

    private final Fabric fabric;
    private final @Nullable DeviceTables[] tables;
    private final SmpRequests requests;
    private final MulticastRouter router;
    private final MulticastView groups;
    private final IntPredicate isCold;

    /** Number of blocks up to the highest MLID of a group. */
    private final int usedBlocks;

    /** Max number of positions of a switch. */
    private final int maxPositions;

    /** Min number of MLIDs of a switch with multicast; see {@link #capacity}. */
    private final int commonCap;

    /** Number of the block in {@link #routedEntries}; -1 before the first block. */
    private int routedBlock = -1;

    /** The wanted block of all switches that was computed last. */
    private MulticastRouter.@Nullable Block routedEntries;

    /**
     * Creates the writes for one set of groups.
     *
     * @param fabric fabric with current indexes and SwitchInfos
     * @param tables [node] known tables; null for an unknown device, which is skipped
     * @param isCold predicate of switches that carry no traffic yet
     */
    MulticastWrites(
            Fabric fabric,
            @Nullable DeviceTables[] tables,
            SmpRequests requests,
            MulticastRouter router,
            MulticastView groups,
            IntPredicate isCold) {
        this.fabric = fabric;
        this.tables = tables;
        this.requests = requests;
        this.router = router;
        this.groups = groups;
        this.isCold = isCold;
        this.usedBlocks = (groups.topMlid() - NO_MULTICAST + MulticastForwardingTable.MLIDS_PER_BLOCK - 1)
                / MulticastForwardingTable.MLIDS_PER_BLOCK;
        int positions = 1;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            positions = Math.max(positions, router.positions(sw));
        }
        this.maxPositions = positions;
        this.commonCap = capacity(fabric);
    }

    /** Returns the number of entries of the largest table. */
    int readEntries() {
        int blocks = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            blocks = Math.max(blocks, blocksOf(sw));
        }
        return blocks * maxPositions;
    }

    /** Returns the number of entries up to the highest MLID of a group. */
    int usedEntries() {
        return Math.min(readEntries(), usedBlocks * maxPositions);
    }

    /** Returns the request that reads an unknown entry; null if the entry is known or cannot be read. */
    @Nullable
    SmpRequest<?> readUnknown(int sw, int entry) {
        DeviceTables held = tables[sw];
        boolean isKnown = held != null && held.multicast(entry / maxPositions, entry % maxPositions) != null;
        return isKnown ? null : read(sw, entry);
    }

    /** Checks whether an accepted switch has a block that differs from the wanted block or is in doubt. */
    boolean isAnyBlockOutdated(IntPredicate filter) {
        int blocks = allBlocks().length();
        for (int block = 0; block < blocks; block++) {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                if (filter.test(sw) && isOutdated(sw, block)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isOutdated(int sw, int block) {
        DeviceTables held = tables[sw];
        if (held == null || block >= Math.min(held.multicastBlocks(), blocksOf(sw))) {
            return false;
        }
        for (int position = 0; position < router.positions(sw); position++) {
            if (!Objects.equals(wanted(sw, block, position), held.multicast(block, position))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the request that reads an entry; null above MulticastFDBTop. A later write takes precedence. */
    @Nullable
    SmpRequest<?> read(int sw, int entry) {
        int block = entry / maxPositions;
        int position = entry % maxPositions;
        DeviceTables held = tables[sw];
        SwitchInfo info = fabric.node(sw).switchInfo();
        if (held == null
                || info == null
                || block >= blocksOf(sw)
                || position >= router.positions(sw)
                || requests.hasGivenUpGets(sw, MulticastForwardingTable.TYPE)) {
            return null;
        }
        int first = MulticastView.FIRST_MLID + block * MulticastForwardingTable.MLIDS_PER_BLOCK;
        long top = info.get(SwitchInfo.MULTICAST_FDB_TOP);
        if (top(sw).isPresent() && top >= NO_MULTICAST && first > top) {
            return null;
        }
        held.setMulticast(block, position, null);
        return requests.get(MulticastForwardingTable.TYPE, sw, modifier(block, position), content -> {
            if (held.multicast(block, position) == null) {
                held.setMulticast(block, position, content);
            }
        });
    }

    /** Returns the numbers of all blocks that groups use or that are known on a switch. */
    BitSet allBlocks() {
        int blocks = usedBlocks;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            DeviceTables held = tables[sw];
            blocks = Math.max(blocks, held == null ? 0 : held.multicastBlocks());
        }
        BitSet all = new BitSet();
        all.set(0, blocks);
        return all;
    }

    /** Returns the requests of the first wave for some blocks. */
    RequestStripes clearingRequests(BitSet blocks) {
        return stripes(blocks, this::clear);
    }

    /** Returns the requests of the second wave for some blocks. */
    RequestStripes settingRequests(BitSet blocks) {
        return stripes(blocks, this::set);
    }

    private interface Write {
        @Nullable
        SmpRequest<?> of(int sw, DeviceTables held, int block, int position);
    }

    private RequestStripes stripes(BitSet blocks, Write write) {
        int[] numbers = blocks.stream().toArray();
        return new RequestStripes(fabric.switchCount(), numbers.length * maxPositions, (sw, entry) -> {
            int block = numbers[entry / maxPositions];
            int position = entry % maxPositions;
            DeviceTables held = tables[sw];
            boolean exists = held != null && block < blocksOf(sw) && position < router.positions(sw);
            boolean isWritable = exists && !requests.hasGivenUpSets(sw, MulticastForwardingTable.TYPE);
            return held != null && isWritable ? write.of(sw, held, block, position) : null;
        });
    }

    /** Returns the Set of the first wave, which leaves the common entries; null if nothing must be removed. */
    private @Nullable SmpRequest<?> clear(int sw, DeviceTables held, int block, int position) {
        MulticastForwardingTable current = held.multicast(block, position);
        if (current == null) {
            boolean mustBeEmptied = isUsed(held, block) && !isCold.test(sw);
            return mustBeEmptied ? write(sw, held, block, position, DeviceTables.NO_MULTICAST) : null;
        }
        MulticastForwardingTable wanted = wanted(sw, block, position);
        if (wanted.equals(current)) {
            return null;
        }
        MulticastForwardingTable common = common(current, wanted);
        return common.equals(current) ? null : write(sw, held, block, position, common);
    }

    /** Returns the Set of the second wave; null if the block is as wanted, or unknown and unused. */
    private @Nullable SmpRequest<?> set(int sw, DeviceTables held, int block, int position) {
        MulticastForwardingTable current = held.multicast(block, position);
        MulticastForwardingTable wanted = wanted(sw, block, position);
        boolean isIdle = current == null && !isUsed(held, block);
        return isIdle || Objects.equals(current, wanted) ? null : write(sw, held, block, position, wanted);
    }

    /** Checks whether a block matters: groups use it, or it was known on the switch. */
    private boolean isUsed(DeviceTables held, int block) {
        return block < usedBlocks || block < held.multicastBlocks();
    }

    private MulticastForwardingTable wanted(int sw, int block, int position) {
        MulticastRouter.Block current = routedEntries;
        if (current == null || routedBlock != block) {
            current = router.block(groups, block);
            routedEntries = current;
            routedBlock = block;
        }
        return current.table(sw, position);
    }

    private static MulticastForwardingTable common(MulticastForwardingTable a, MulticastForwardingTable b) {
        byte[] both = a.toBytes();
        byte[] other = b.toBytes();
        for (int i = 0; i < both.length; i++) {
            both[i] &= other[i];
        }
        return MulticastForwardingTable.TYPE.read(both, 0);
    }

    private SmpRequest<?> write(int sw, DeviceTables held, int block, int position, MulticastForwardingTable table) {
        held.setMulticast(block, position, null);
        return requests.set(
                sw,
                table,
                modifier(block, position),
                SmpRequests.Harm.GROUPS,
                answer -> held.setMulticast(block, position, table));
    }

    private static int modifier(int block, int position) {
        return position << POSITION_SHIFT | block;
    }

    /**
     * Returns the number of MLIDs that all switches with multicast support: the min MulticastFDBCap. A switch that
     * claims less than a sixteenth of the median does not count: entries above its claim are written, and trees bypass
     * the switch if it rejects them.
     */
    public static int capacity(Fabric fabric) {
        int[] caps = IntStream.range(0, fabric.switchCount())
                .mapToObj(sw -> fabric.node(sw).switchInfo())
                .mapToInt(info -> info == null ? 0 : info.multicastFdbCap())
                .filter(cap -> cap > 0)
                .sorted()
                .toArray();
        int median = caps.length == 0 ? 0 : caps[caps.length / 2];
        return IntStream.of(caps)
                .filter(cap -> cap >= median / OUTLIER_FACTOR)
                .reduce(MulticastGroups.MAX_MLIDS, Math::min);
    }

    /**
     * Returns the number of blocks of MLIDs to program: that of the switch, or of {@link #commonCap} if it claims less;
     * 0 without multicast.
     */
    private int blocksOf(int sw) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        int cap = info == null ? 0 : info.multicastFdbCap();
        int size = MulticastForwardingTable.MLIDS_PER_BLOCK;
        return cap == 0 ? 0 : (Math.max(cap, commonCap) + size - 1) / size;
    }

    /** Returns the wanted MulticastFDBTop of a switch; empty if the switch ignores it. */
    OptionalInt top(int sw) {
        return router.top(groups, sw);
    }

    /** Returns a Set of MulticastFDBTop alone; null if it is as wanted or ignored. */
    @Nullable
    SmpRequest<?> setTop(int sw) {
        DeviceTables held = tables[sw];
        SwitchInfo info = held == null ? null : held.switchInfo();
        OptionalInt top = top(sw);
        if (held == null || info == null || top.isEmpty() || info.get(SwitchInfo.MULTICAST_FDB_TOP) == top.getAsInt()) {
            return null;
        }
        held.setSwitchInfo(null);
        SwitchInfo wanted =
                info.with(SwitchInfo.MULTICAST_FDB_TOP, top.getAsInt()).with(SwitchInfo.PORT_STATE_CHANGE, 0);
        return requests.set(
                sw,
                wanted,
                0,
                SmpRequests.Harm.DEVICE,
                answer -> held.setSwitchInfo(SwitchInfoWrites.withWrittenFields(wanted, answer)));
    }
}
