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
 * The stage that determines the linear forwarding tables of switches that carry traffic. Only unknown blocks are read.
 * The result is [switch][LID] egress port number, 0xFF without a path; null for a switch that carries no traffic or
 * whose table could not be read completely.
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
     * @param halfRead NodeGUIDs of devices of which only forwarding tables were read; receives the unknown devices
     * @param topLid min length of the result, as the highest LID to read, even if no port has this LID
     */
    ForwardingReading(KnownDevices devices, Set<Long> halfRead, int topLid) {
        this.devices = devices;
        this.partlyRead = halfRead;
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

        /** Number of entries of a table in the result, from LID 0 on. */
        private final int lids;

        SwitchReading(StageContext context, Subnet subnet) {
            fabric = subnet.fabric();
            scope = context.scope();
            requests = new SmpRequests(fabric, context.errors(), scope, context.loop());
            lids = Math.max(topLid, subnet.topLid()) + 1;
            tables = new DeviceTables[fabric.switchCount()];
            for (int sw = 0; sw < tables.length; sw++) {
                SwitchInfo info = fabric.node(sw).switchInfo();
                if (info != null && KnownDevices.isRunning(fabric, sw)) {
                    if (!devices.knows(fabric, sw)) {
                        partlyRead.add(fabric.nodeGuid(sw));
                    }
                    DeviceTables held = devices.recall(fabric, sw);
                    held.setSwitchInfo(info);
                    tables[sw] = held;
                }
            }
        }

        void start(Consumer<byte[] @Nullable []> then) {
            int blocks = (lids - 1) / LinearForwardingTable.LIDS_PER_BLOCK + 1;
            scope.pull(new RequestStripes(
                    IntStream.range(0, tables.length).filter(sw -> tables[sw] != null), blocks, this::readIfUnknown));
            scope.whenIdle(() -> {
                byte @Nullable [][] held = new byte[tables.length][];
                Arrays.setAll(held, this::held);
                then.accept(held);
            });
        }

        private @Nullable SmpRequest<?> readIfUnknown(int sw, int block) {
            DeviceTables held = tables[sw];
            return held == null
                            || held.knows(block)
                            || !isInTable(sw, block)
                            || requests.hasGivenUp(sw)
                            || requests.hasGivenUpGets(sw, LinearForwardingTable.TYPE)
                    ? null
                    : requests.get(LinearForwardingTable.TYPE, sw, block, read -> held.learnBlock(block, read));
        }

        /** Checks whether a block is within LinearFDBTop. LIDs above are not forwarded. */
        private boolean isInTable(int sw, int block) {
            SwitchInfo info = fabric.node(sw).switchInfo();
            return info != null && block * LinearForwardingTable.LIDS_PER_BLOCK <= info.linearFdbTop();
        }

        /** Returns the table of a switch; null if it carries no traffic or a block is unknown. */
        private byte @Nullable [] held(int sw) {
            DeviceTables held = tables[sw];
            SwitchInfo info = fabric.node(sw).switchInfo();
            if (held == null || info == null) {
                return null;
            }
            int inTable = Math.min(lids, info.linearFdbTop() + 1);
            for (int block = 0; block * LinearForwardingTable.LIDS_PER_BLOCK < inTable; block++) {
                if (!held.knows(block)) {
                    return null;
                }
            }
            byte[] entries = held.entries(lids);
            Arrays.fill(entries, inTable, lids, LinearForwardingTable.NO_PATH_ENTRY);
            return entries;
        }
    }
}
