package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.smp.RequestStripes;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The stage that determines the linear forwarding tables of switches that carry traffic, before the routes of an
 * adopted fabric are judged or kept. Only unknown blocks are read. The result is [switch][LID] egress port number, 0xFF
 * without a path; null for a switch that carries no traffic, so that its tables may change in any order, or whose table
 * could not be read completely.
 *
 * <p>Owner thread: the loop.
 */
public final class ForwardingReading implements Stage<Subnet, byte[] @Nullable []> {
    private final KnownDevices devices;
    private final Set<Long> partlyRead;
    private final int topLid;

    /**
     * Creates the stage.
     *
     * @param devices the known tables, which receive the blocks that are read
     * @param partlyRead receives the NodeGUIDs of devices that are unknown so far: the programming that follows must
     *     still read their SL2VL and multicast tables
     * @param topLid LID up to which tables are read at least; they are read up to the highest LID of the subnet, if
     *     this is higher
     */
    ForwardingReading(KnownDevices devices, Set<Long> partlyRead, int topLid) {
        this.devices = devices;
        this.partlyRead = partlyRead;
        this.topLid = topLid;
    }

    @Override
    public Phase phase() {
        return Phase.ROUTE;
    }

    @Override
    public void start(StageContext context, Subnet subnet, Consumer<byte[] @Nullable []> then) {
        new SwitchReading(context, subnet).start(then);
    }

    private final class SwitchReading {
        private final Fabric fabric;
        private final MadScope scope;
        private final SmpRequests requests;

        /** [switch] known tables; null for a switch that carries no traffic. */
        private final @Nullable DeviceTables[] tables;

        /** [switch] number of LIDs up to LinearFDBTop; packets to LIDs above are discarded (IBA 18.2.4.3.3). */
        private final int[] tableSizes;

        /** Number of entries of a table in the result, from LID 0 on. */
        private final int lids;

        SwitchReading(StageContext context, Subnet subnet) {
            fabric = subnet.fabric();
            scope = context.scope();
            requests = new SmpRequests(fabric, context.errors(), scope, context.loop());
            lids = Math.max(topLid, subnet.topLid()) + 1;
            tables = new DeviceTables[fabric.switchCount()];
            tableSizes = new int[fabric.switchCount()];
        }

        void start(Consumer<byte[] @Nullable []> then) {
            recallTables();
            int blocks = (lids - 1) / LinearForwardingTable.LIDS_PER_BLOCK + 1;
            scope.pull(new RequestStripes(
                    IntStream.range(0, tables.length).filter(sw -> tables[sw] != null), blocks, this::readIfUnknown));
            scope.whenIdle(() -> {
                byte[] @Nullable [] result = new byte[tables.length][];
                Arrays.setAll(result, this::entriesIfKnown);
                then.accept(result);
            });
        }

        /** Finds the known tables of running switches. Recalling replaces tables that do not fit, so it comes last. */
        private void recallTables() {
            for (int sw = 0; sw < tables.length; sw++) {
                SwitchInfo info = fabric.node(sw).switchInfo();
                if (info != null && KnownDevices.isRunning(fabric, sw)) {
                    if (!devices.knows(fabric, sw)) {
                        partlyRead.add(fabric.nodeGuid(sw));
                    }
                    DeviceTables known = devices.recall(fabric, sw);
                    known.setSwitchInfo(info);
                    tables[sw] = known;
                    tableSizes[sw] = info.linearFdbTop() + 1;
                }
            }
        }

        private @Nullable SmpRequest<?> readIfUnknown(int sw, int block) {
            DeviceTables known = tables[sw];
            boolean isInTable = block * LinearForwardingTable.LIDS_PER_BLOCK < tableSizes[sw];
            if (known == null || known.knows(block) || !isInTable || hasGivenUp(sw)) {
                return null;
            }
            return requests.get(LinearForwardingTable.TYPE, sw, block, read -> known.learnBlock(block, read));
        }

        private boolean hasGivenUp(int sw) {
            return requests.hasGivenUp(sw) || requests.hasGivenUpGets(sw, LinearForwardingTable.TYPE);
        }

        /** Returns the table of a switch; null if it carries no traffic or a block is unknown. */
        private byte @Nullable [] entriesIfKnown(int sw) {
            DeviceTables known = tables[sw];
            if (known == null) {
                return null;
            }
            int forwarded = Math.min(lids, tableSizes[sw]);
            for (int block = 0; block * LinearForwardingTable.LIDS_PER_BLOCK < forwarded; block++) {
                if (!known.knows(block)) {
                    return null;
                }
            }
            byte[] entries = known.entries(lids);
            Arrays.fill(entries, forwarded, lids, LinearForwardingTable.NO_PATH_ENTRY);
            return entries;
        }
    }
}
