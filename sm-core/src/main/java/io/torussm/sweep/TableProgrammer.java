package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.RoutingPlan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes forwarding, SL2VL and VL arbitration tables, and only what differs from what a device holds.
 *
 * <p>What devices hold is remembered by NodeGUID over sweeps ({@link DeviceTables}). A device that carries traffic but is
 * not known yet is read first; one that has no port past INITIALIZE is written without asking, because reading costs as
 * much as writing and nobody depends on what it holds.
 *
 * <p>Requests are pulled in stripes, entry {@code i} of every device before entry {@code i + 1} of any, so the whole
 * window is busy although each device takes only a few at a time. LinearFDBTop is raised after the blocks below it are in
 * place.
 *
 * <p>Owner thread: the loop.
 */
final class TableProgrammer {
    private final VlArbitrationPolicy vlArbitration;
    private final Map<Long, DeviceTables> devices = new HashMap<>();
    private final DeviceTables.RowValues rowValues = new DeviceTables.RowValues();
    private long written;

    TableProgrammer(VlArbitrationPolicy vlArbitration) {
        this.vlArbitration = vlArbitration;
    }

    /**
     * What came of it.
     *
     * @param written entries that were written, failed ones included
     * @param fabric the fabric with SwitchInfo as the switches answered last
     * @param newLinks ports that came up after discovery, on switches whose PortStateChange was cleared since: nothing
     *     else will tell of them
     */
    record Result(long written, Fabric fabric, int newLinks) {}

    /** Programs a plan; calls back once, when everything is written or has failed. The scope cancels it. */
    MadScope start(MadClient client, RoutingPlan plan, SweepSettings settings, Trouble trouble, Consumer<Result> then) {
        MadScope scope = client.scope();
        new Run(plan, settings, trouble, scope, then).learn();
        return scope;
    }

    /** Forgets what a device holds; it is read or written whole the next time. */
    void forgetAll() {
        devices.clear();
    }

    /** One programming of one plan. */
    private final class Run {
        private final RoutingPlan plan;
        private final SweepSettings settings;
        private final Subnet subnet;
        private final Fabric fabric;
        private final Trouble trouble;
        private final MadScope scope;
        private final Consumer<Result> then;
        private final DeviceTables[] tables;
        private final boolean[] mustLearn;
        private final @Nullable SwitchInfo[] switchInfos;
        private final int lftBlocks;
        private final int maxPorts;
        private int newLinks;

        Run(RoutingPlan plan, SweepSettings settings, Trouble trouble, MadScope scope, Consumer<Result> then) {
            this.settings = settings;
            this.plan = plan;
            this.subnet = plan.subnet();
            this.fabric = subnet.fabric();
            this.trouble = trouble;
            this.scope = scope;
            this.then = then;
            this.tables = new DeviceTables[fabric.nodeCount()];
            this.mustLearn = new boolean[fabric.nodeCount()];
            this.switchInfos = new SwitchInfo[fabric.switchCount()];
            this.lftBlocks = subnet.topLid() / LinearForwardingTable.LIDS_PER_BLOCK + 1;
            int ports = 0;
            for (int node = 0; node < tables.length; node++) {
                ports = Math.max(ports, fabric.numPorts(node));
                tables[node] = remembered(node);
            }
            this.maxPorts = ports;
            written = 0;
        }

        private DeviceTables remembered(int node) {
            DeviceTables known = devices.get(fabric.nodeGuid(node));
            boolean isRunning = isRunning(node);
            mustLearn[node] = known == null && isRunning;
            if (known == null || !isRunning) {
                known = new DeviceTables(fabric.numPorts(node), rowValues);
                devices.put(fabric.nodeGuid(node), known);
            }
            return known;
        }

        private boolean isRunning(int node) {
            for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                PortInfo info = fabric.portInfo(fabric.port(node, portNum));
                if (info != null && info.portState() > PortInfo.STATE_INITIALIZE) {
                    return true;
                }
            }
            return false;
        }

        void learn() {
            scope.pull(stripes(entryCount(), (node, entry) -> mustLearn[node] ? read(node, entry) : null));
            scope.whenIdle(this::write);
        }

        private void write() {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                tables[sw].target(plan.lft(sw));
            }
            scope.pull(stripes(entryCount(), this::write));
            scope.whenIdle(() -> {
                scope.pull(stripes(1, (node, entry) -> switchInfo(node)));
                scope.whenIdle(this::lookForNewLinks);
            });
        }

        private void lookForNewLinks() {
            scope.pull(stripes(maxPorts + 1, this::portThatWasDown));
            scope.whenIdle(() -> then.accept(new Result(written, fabric.with(switchInfos), newLinks)));
        }

        private @Nullable SmpRequest<?> portThatWasDown(int node, int portNum) {
            SwitchInfo info = fabric.node(node).switchInfo();
            if (info == null || !info.portStateChange() || portNum == 0 || portNum > fabric.numPorts(node)) {
                return null;
            }
            PortInfo port = fabric.portInfo(fabric.port(node, portNum));
            return port == null || port.isLinkUp()
                    ? null
                    : get(PortInfo.TYPE, node, portNum, now -> newLinks += now.isLinkUp() ? 1 : 0);
        }

        /** Entries of a device, by number: LFT blocks, then SL2VL rows, then VL arbitration parts. */
        private int entryCount() {
            int rows = settings.qos() ? (maxPorts + 1) * (maxPorts + 1) : 0;
            int parts = settings.qos() ? 4 * (maxPorts + 1) : 0;
            return lftBlocks + rows + parts;
        }

        private interface Entry {
            @Nullable
            SmpRequest<?> request(int node, int entry);
        }

        private Iterator<SmpRequest<?>> stripes(int entries, Entry source) {
            return new Lookahead<>() {
                private int entry;
                private int node;

                @Override
                protected @Nullable SmpRequest<?> findNext() {
                    for (; entry < entries; entry++) {
                        while (node < tables.length) {
                            SmpRequest<?> request = source.request(node++, entry);
                            if (request != null) {
                                return request;
                            }
                        }
                        node = 0;
                    }
                    return null;
                }
            };
        }

        private @Nullable SmpRequest<?> write(int node, int entry) {
            if (entry < lftBlocks) {
                return fabric.isSwitch(node) ? writeBlock(node, entry) : null;
            }
            int slot = entry - lftBlocks;
            int rows = (maxPorts + 1) * (maxPorts + 1);
            return slot < rows
                    ? writeRow(node, slot / (maxPorts + 1), slot % (maxPorts + 1))
                    : writeArbitration(node, (slot - rows) / 4, (slot - rows) % 4 + 1);
        }

        private @Nullable SmpRequest<?> read(int node, int entry) {
            if (entry < lftBlocks) {
                return fabric.isSwitch(node) ? readBlock(node, entry) : null;
            }
            int slot = entry - lftBlocks;
            int rows = (maxPorts + 1) * (maxPorts + 1);
            return slot < rows
                    ? readRow(node, slot / (maxPorts + 1), slot % (maxPorts + 1))
                    : readArbitration(node, (slot - rows) / 4, (slot - rows) % 4 + 1);
        }

        private @Nullable SmpRequest<?> writeBlock(int sw, int block) {
            DeviceTables held = tables[sw];
            if (held.holdsBlock(block)) {
                return null;
            }
            LinearForwardingTable wanted = LinearForwardingTable.blockOf(plan.lft(sw), block);
            return set(sw, wanted, block, answer -> held.confirmedBlock(block));
        }

        private @Nullable SmpRequest<?> readBlock(int sw, int block) {
            SwitchInfo info = fabric.node(sw).switchInfo();
            if (info == null || block * LinearForwardingTable.LIDS_PER_BLOCK > info.linearFdbTop()) {
                return null;
            }
            return get(LinearForwardingTable.TYPE, sw, block, held -> tables[sw].learntBlock(block, held));
        }

        private @Nullable SmpRequest<?> writeRow(int node, int in, int out) {
            if (!hasRow(node, in, out)) {
                return null;
            }
            DeviceTables held = tables[node];
            long wanted = row(node, in, out);
            if (held.holdsRow(in, out, wanted)) {
                return null;
            }
            held.writingRow(in, out);
            return set(
                    node,
                    SlToVlMappingTable.of(wanted),
                    rowModifier(node, in, out),
                    answer -> held.confirmedRow(in, out, wanted));
        }

        private @Nullable SmpRequest<?> readRow(int node, int in, int out) {
            return hasRow(node, in, out)
                    ? get(
                            SlToVlMappingTable.TYPE,
                            node,
                            rowModifier(node, in, out),
                            held -> tables[node].confirmedRow(in, out, held.packed()))
                    : null;
        }

        /** Switches have a row for each linked output and every input, end ports one table, kept under output port. */
        private boolean hasRow(int node, int in, int out) {
            if (in > fabric.numPorts(node) || out > fabric.numPorts(node)) {
                return false;
            }
            PortInfo port = fabric.portInfo(fabric.port(node, out));
            if (!fabric.isSwitch(node)) {
                return in == 0
                        && out > 0
                        && port != null
                        && port.can(PortInfo.CAP_SL_MAPPING)
                        && fabric.peer(fabric.port(node, out)) != Fabric.NONE;
            }
            PortInfo port0 = fabric.portInfo(fabric.port(node, 0));
            SwitchInfo info = fabric.node(node).switchInfo();
            boolean isUsed = out == 0
                    ? info != null && info.enhancedPort0()
                    : fabric.peer(fabric.port(node, out)) != Fabric.NONE;
            return isUsed && port0 != null && port0.can(PortInfo.CAP_SL_MAPPING);
        }

        private long row(int node, int in, int out) {
            int port = fabric.port(node, out);
            long wanted = fabric.isSwitch(node) ? plan.sl2vl(node, in, out) : plan.sl2vl(port);
            return io.torussm.subnet.LinkSettings.foldRow(
                    wanted, settings.links().operationalVls(fabric, port));
        }

        private int rowModifier(int node, int in, int out) {
            return fabric.isSwitch(node) ? in << 8 | out : 0;
        }

        private @Nullable SmpRequest<?> writeArbitration(int node, int portNum, int part) {
            PortInfo info = arbitrated(node, portNum, part);
            if (info == null) {
                return null;
            }
            int port = fabric.port(node, portNum);
            VlArbitrationPolicy.Tables wanted = PortClasses.tables(plan, vlArbitration, settings.links(), port, info);
            VlArbitrationTable table =
                    switch (part) {
                        case 1 -> wanted.low0();
                        case 2 -> wanted.low1();
                        case 3 -> wanted.high0();
                        default -> wanted.high1();
                    };
            DeviceTables held = tables[node];
            if (held.holdsVlArbitration(portNum, part, table)) {
                return null;
            }
            held.confirmedVlArbitration(portNum, part, null);
            return set(
                    node,
                    table,
                    part << 16 | arbitrationPort(node, portNum),
                    answer -> held.confirmedVlArbitration(portNum, part, table));
        }

        private @Nullable SmpRequest<?> readArbitration(int node, int portNum, int part) {
            if (arbitrated(node, portNum, part) == null) {
                return null;
            }
            int modifier = part << 16 | arbitrationPort(node, portNum);
            return get(
                    VlArbitrationTable.TYPE,
                    node,
                    modifier,
                    held -> tables[node].confirmedVlArbitration(portNum, part, held));
        }

        private int arbitrationPort(int node, int portNum) {
            return fabric.isSwitch(node) ? portNum : 0;
        }

        /** PortInfo of a port whose device holds this part of a VL arbitration table; null if it does not. */
        private @Nullable PortInfo arbitrated(int node, int portNum, int part) {
            if (portNum == 0 || portNum > fabric.numPorts(node)) {
                return null;
            }
            PortInfo info = fabric.portInfo(fabric.port(node, portNum));
            if (info == null || info.vlCap() <= 1 || fabric.peer(fabric.port(node, portNum)) == Fabric.NONE) {
                return null;
            }
            int cap = part <= 2 ? info.vlArbitrationLowCap() : info.vlArbitrationHighCap();
            boolean isSecondHalf = part % 2 == 0;
            return cap > (isSecondHalf ? VlArbitrationTable.ENTRIES_PER_PART : 0) ? info : null;
        }

        private @Nullable SmpRequest<?> switchInfo(int node) {
            SwitchInfo now = fabric.node(node).switchInfo();
            if (now == null) {
                return null;
            }
            SwitchInfo wanted = now.with(SwitchInfo.LINEAR_FDB_TOP, subnet.topLid())
                    .with(SwitchInfo.LIFE_TIME_VALUE, settings.packetLifeTime());
            return wanted.equals(now) && !now.portStateChange()
                    ? null
                    : set(node, wanted, 0, held -> switchInfos[node] = held);
        }

        private <A extends Attribute<A>> SmpRequest<A> set(int node, A value, int modifier, Consumer<A> confirmed) {
            written++;
            DrPath path = fabric.node(node).path();
            return SmpRequest.set(value, path, modifier, outcome -> {
                if (outcome instanceof Outcome.Reply<A> reply) {
                    confirmed.accept(reply.value());
                } else {
                    trouble.report(
                            fabric.isSwitch(node),
                            "Set(" + value.type().layout().name() + ") of " + fabric.name(node) + ": " + outcome);
                }
            });
        }

        private <A extends Attribute<A>> SmpRequest<A> get(
                AttributeType<A> type, int node, int modifier, Consumer<A> learnt) {
            DrPath path = fabric.node(node).path();
            return SmpRequest.get(type, path, modifier, outcome -> {
                if (outcome instanceof Outcome.Reply<A> reply) {
                    learnt.accept(reply.value());
                } else {
                    trouble.report(
                            fabric.isSwitch(node),
                            "Get(" + type.layout().name() + ") of " + fabric.name(node) + ": " + outcome);
                }
            });
        }
    }
}
