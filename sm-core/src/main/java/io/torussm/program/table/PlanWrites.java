package io.torussm.program.table;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.program.smp.SmpRequests;
import io.torussm.program.smp.Stripes;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.StageContext;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import io.torussm.view.QosTables;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The writing of the tables of one plan, in the order of its methods. It reads unknown tables and clears outdated
 * multicast entries. Then it writes entries that may change simultaneously, and those that have to wait for them. It
 * sets new multicast entries and raises LinearFDBTop, for switches without traffic first of all. Finally it removes
 * entries of LIDs that are gone, and checks ports for changes. One use. Owner thread: the loop.
 */
final class PlanWrites {
    private final StageContext context;
    private final TableProgrammer.Input input;
    private final Consumer<TableProgrammer.Result> then;
    private final Executor pool;
    private final KnownDevices devices;
    private final Plan plan;
    private final SweepSettings settings;
    private final ProgrammingErrors errors;
    private final Fabric fabric;
    private final MadScope scope;
    private final DeviceTables[] tables;
    private final boolean[] isRunning;
    private final boolean[] mustLearn;
    private final int lftBlocks;
    private final int maxPorts;
    private final SmpRequests requests;
    private final QosTarget wantedQos;
    private final QosWrites qos;
    private final Sl2VlSpreading spreading;
    private final MulticastWrites multicast;
    private final SwitchInfoWrites switchInfos;
    private final Set<Long> unread;
    private final Set<Long> halfRead;
    private final Set<Long> changed = new LinkedHashSet<>();

    /**
     * Blocks, over all switches, that differ only in entries of LIDs that no port has any more. They are written last.
     */
    private final BitSet gone = new BitSet();

    /** Time at which all entries were in place on which packets depend; negative before. */
    private long inPlaceNs = -1;

    /** Drain time of rerouted packets in nanoseconds; 0 if it is not computed yet. */
    private long drainNs;

    /** Switches whose SL2VL tables change under traffic, as of the time before any write. */
    private final BitSet rowsChange = new BitSet();

    /**
     * Looks up the known tables of the devices in the fabric of the plan.
     *
     * @param known receives the devices that are found unread, and keeps silent ones as half read
     * @param pool computes the order of the change
     */
    PlanWrites(
            StageContext context,
            TableProgrammer.Input input,
            VlArbitrationPolicy vlArbitration,
            ReadTables known,
            Executor pool,
            Consumer<TableProgrammer.Result> then) {
        this.context = context;
        this.input = input;
        this.then = then;
        this.pool = pool;
        this.devices = known.devices();
        this.unread = known.unread();
        this.halfRead = known.halfRead();
        this.plan = input.plan();
        this.settings = input.settings();
        this.errors = context.errors();
        this.fabric = plan.subnet().fabric();
        this.scope = context.scope();
        this.requests = new SmpRequests(fabric, errors, scope, context.loop());
        this.tables = new DeviceTables[fabric.nodeCount()];
        this.isRunning = new boolean[fabric.nodeCount()];
        this.mustLearn = new boolean[fabric.nodeCount()];
        this.lftBlocks = plan.subnet().topLid() / LinearForwardingTable.LIDS_PER_BLOCK + 1;
        int ports = 0;
        for (int node = 0; node < tables.length; node++) {
            ports = Math.max(ports, fabric.numPorts(node));
            isRunning[node] = KnownDevices.isRunning(fabric, node);
            mustLearn[node] =
                    isRunning[node] && (!devices.knows(fabric, node) || halfRead.contains(fabric.nodeGuid(node)));
            if (mustLearn[node] && input.isFirst()) {
                unread.add(fabric.nodeGuid(node));
            }
            tables[node] = devices.recall(fabric, node);
        }
        this.maxPorts = ports;
        this.wantedQos = new QosTarget(plan, vlArbitration, settings.links());
        this.qos = new QosWrites(fabric, tables, requests, wantedQos, node -> unread.contains(fabric.nodeGuid(node)));
        this.spreading = new Sl2VlSpreading(fabric, tables, requests, scope, wantedQos, known.oneByOne());
        this.multicast =
                new MulticastWrites(fabric, tables, requests, input.router(), input.groups(), sw -> !isRunning[sw]);
        this.switchInfos = new SwitchInfoWrites(
                plan.subnet(), tables, requests, scope, settings.packetLifeTime(), multicast, this::hasRestarted);
    }

    /** Starts: prepares switches without traffic, and reads unknown tables of those that carry traffic. */
    void start() {
        scope.pull(switchStripes(sw -> !isRunning[sw], 1, (sw, entry) -> switchInfos.raiseTop(sw)));
        if (settings.qos()) {
            scope.pull(switchStripes(sw -> !isRunning[sw], 1, (sw, entry) -> spreading.begin(sw)));
        }
        readUnknown();
        scope.pull(switchStripes(sw -> mustLearn[sw], multicast.readEntries(), this::readMulticast));
        scope.whenIdle(this::readAgain);
    }

    private void readUnknown() {
        scope.pull(stripes(this::isAnythingUnknown, entryCount(), this::readIfUnknown));
    }

    /** Reads tables again whose packets were lost. Tables of a switch that does not answer cannot be relied on. */
    private void readAgain() {
        halfRead.clear();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (requests.hasGivenUp(sw) && isAnythingUnknown(sw)) {
                halfRead.add(fabric.nodeGuid(sw));
                hinder(sw);
            }
        }
        if (!halfRead.isEmpty()) {
            end();
            return;
        }
        readUnknown();
        scope.whenIdle(this::clear);
    }

    /** Reads a multicast entry, unless its MLID is unused and it may be read later. */
    private @Nullable SmpRequest<?> readMulticast(int sw, int entry) {
        boolean isLate = unread.contains(fabric.nodeGuid(sw)) && entry >= multicast.usedEntries();
        return isLate ? null : multicast.read(sw, entry);
    }

    /** Clears outdated multicast entries first, and new ones are set last, so that they do not mix with old routes. */
    private void clear() {
        scope.pull(multicast.clearing(multicast.allBlocks()));
        scope.whenIdle(this::findOrder);
    }

    private void findOrder() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            tables[sw].target(plan.lft(sw));
            rowsChange.set(sw, isRunning[sw] && settings.qos() && qos.isAnyRowChanged(sw));
        }
        if (!isTrafficConcerned()) {
            writeFirst(Transition.FREE);
            return;
        }
        HeldTables held = new Held();
        context.compute(
                pool, () -> input.order().apply(held), transition -> scope.whenIdle(() -> writeFirst(transition)));
    }

    /** Checks whether a table changes on which packets depend. */
    private boolean isTrafficConcerned() {
        return !rowsChange.isEmpty()
                || IntStream.range(0, fabric.switchCount()).anyMatch(sw -> isRunning[sw] && !tables[sw].isOnTarget());
    }

    /**
     * Writes early and dropped entries. Each step begins when the previous one is confirmed and its rerouted
     * packets had time to leave.
     */
    private void writeFirst(Transition transition) {
        ForwardingSteps steps = new ForwardingSteps(transition, tables, plan);
        if (transition.isFree()) {
            writeRest(transition, steps);
            return;
        }
        boolean mustDrain = steps.isTrafficLedAwayFirst();
        scope.pull(switchStripes(
                steps::isInFirst, steps.firstBlocks(), (sw, block) -> writeBlock(sw, block, steps.first(sw, block))));
        findDrainTime(mustDrain);
        scope.whenIdle(() -> unlessFailed(mustDrain, () -> writeRest(transition, steps)));
    }

    /** Writes all but late and dropped entries. Entries that lead to links that are down come first. */
    private void writeRest(Transition transition, ForwardingSteps steps) {
        boolean mustDrain = !transition.isFree() && (steps.isTrafficLedAway() || !rowsChange.isEmpty());
        if (transition.isGoneLast()) {
            findGone(steps);
        }
        BitSet asked = (BitSet) gone.clone();
        scope.pull(switchStripes(sw -> isRunning[sw] && !tables[sw].isOnTarget(), lftBlocks, (sw, block) -> {
            if (tables[sw].holdsTarget(block) || isGone(sw, block) || !steps.isUrgent(sw, block)) {
                return null;
            }
            asked.set(sw * lftBlocks + block);
            return writeBlock(sw, block, steps.rest(sw, block));
        }));
        scope.pull(stripes(this::isAnythingToWrite, entryCount(), (node, entry) -> {
            if (entry >= lftBlocks) {
                return qos.write(node, entry - lftBlocks);
            }
            boolean isDone = !fabric.isSwitch(node) || asked.get(node * lftBlocks + entry);
            return isDone || tables[node].holdsTarget(entry) ? null : writeBlock(node, entry, steps.rest(node, entry));
        }));
        findDrainTime(mustDrain);
        scope.whenIdle(() -> {
            if (transition.isFree()) {
                writeMulticast(steps);
            } else {
                unlessFailed(mustDrain && isAnyEntryLeft(), () -> writeLast(steps));
            }
        });
    }

    /** Computes the drain time once, while answers are outstanding. */
    private void findDrainTime(boolean isNeeded) {
        if (isNeeded && drainNs == 0) {
            drainNs = DrainTime.ns(fabric);
        }
    }

    private void findGone(ForwardingSteps steps) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int block = 0; isRunning[sw] && !tables[sw].isOnTarget() && block < lftBlocks; block++) {
                gone.set(sw * lftBlocks + block, !tables[sw].holdsTarget(block) && steps.isOfGoneOnly(sw, block));
            }
        }
    }

    private boolean isGone(int sw, int block) {
        return gone.get(sw * lftBlocks + block);
    }

    private boolean isAnyEntryLeft() {
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> !tables[sw].isOnTarget())
                .anyMatch(sw -> IntStream.range(0, lftBlocks)
                        .anyMatch(block -> !tables[sw].holdsTarget(block) && !isGone(sw, block)));
    }

    /** Writes late and dropped entries. */
    private void writeLast(ForwardingSteps steps) {
        scope.pull(switchStripes(
                sw -> !tables[sw].isOnTarget(),
                lftBlocks,
                (sw, block) -> tables[sw].holdsTarget(block) || isGone(sw, block)
                        ? null
                        : writeBlock(sw, block, steps.last(sw, block))));
        scope.whenIdle(() -> writeMulticast(steps));
    }

    /**
     * Continues with a step that relies on all previous writes, unless a switch did not confirm one. In that
     * case the next sweep reads the tables, and determines the remaining steps.
     */
    private void unlessFailed(boolean mustDrain, Runnable next) {
        noteWhoHinders();
        if (errors.isHindered()) {
            end();
        } else if (mustDrain) {
            context.loop().schedule(drainNs, () -> scope.whenIdle(next));
        } else {
            next.run();
        }
    }

    private void writeMulticast(ForwardingSteps steps) {
        scope.pull(multicast.setting(multicast.allBlocks()));
        scope.whenIdle(() -> {
            scope.pull(switchStripes(sw -> true, 1, (sw, entry) -> switchInfos.write(sw)));
            scope.whenIdle(() -> writeGone(steps));
        });
    }

    /** Removes entries that no packet needs any more. There may be more of them than of all others. */
    private void writeGone(ForwardingSteps steps) {
        inPlaceNs = context.loop().nowNs();
        if (!gone.isEmpty()) {
            scope.pull(switchStripes(
                    sw -> !tables[sw].isOnTarget(),
                    lftBlocks,
                    (sw, block) -> isGone(sw, block) ? writeBlock(sw, block, steps.last(sw, block)) : null));
        }
        scope.whenIdle(this::lookForChanges);
    }

    private void lookForChanges() {
        ReportedPorts reported = new ReportedPorts(fabric, requests, changed);
        scope.pull(switchStripes(switchInfos::hasReported, SwitchPortStateTable.BLOCKS, reported::table));
        scope.whenIdle(() -> {
            scope.pull(switchStripes(switchInfos::hasReported, maxPorts + 1, reported::port));
            scope.whenIdle(this::end);
        });
    }

    private void end() {
        noteWhoHinders();
        then.accept(new TableProgrammer.Result(
                requests.written(),
                inPlaceNs < 0 ? context.loop().nowNs() : inPlaceNs,
                settings.qos() ? wantedQos : QosTables.NONE,
                fabric.with(switchInfos.confirmed()),
                changed,
                new LateReading(fabric, tables, wantedQos, settings.qos(), input.router(), input.groups(), unread)));
    }

    /**
     * Marks switches that are given up as hindrances if their tables are not in place, whichever request failed last.
     */
    private void noteWhoHinders() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (requests.hasGivenUp(sw) && !isInPlace(sw)) {
                hinder(sw);
            }
        }
    }

    private void hinder(int sw) {
        errors.hinder(sw, SmpRequest.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {}));
    }

    /** Notes that a switch restarted and lost its tables. */
    private void hasRestarted(int sw) {
        devices.forget(fabric.nodeGuid(sw));
        hinder(sw);
    }

    private boolean isInPlace(int sw) {
        return tables[sw].isOnTarget() && (!settings.qos() || qos.areRowsWritten(sw));
    }

    /** The known tables of the switches; a snapshot of their forwarding tables. */
    private final class Held implements HeldTables {
        private final byte[] @Nullable [] lfts = new byte[fabric.switchCount()][];
        private final boolean areRowsPlanned = rowsChange.isEmpty();

        Held() {
            for (int sw = 0; sw < lfts.length; sw++) {
                lfts[sw] = isRunning[sw] ? tables[sw].lft() : null;
            }
        }

        @Override
        public byte @Nullable [] lft(int sw) {
            return lfts[sw];
        }

        @Override
        public long sl2vl(int sw, int in, int out) {
            long wanted = plan.sl2vl(sw, in, out);
            return isRunning[sw] ? tables[sw].row(in, out, wanted) : wanted;
        }

        @Override
        public boolean areRowsPlanned() {
            return areRowsPlanned;
        }

        @Override
        public boolean isUp(int port) {
            return QosWrites.carriesData(fabric, port);
        }
    }

    /** Returns the number of entries of a device: LFT blocks, then those of {@link QosWrites}. */
    private int entryCount() {
        return lftBlocks + (settings.qos() ? qos.entries() : 0);
    }

    private Stripes switchStripes(IntPredicate wanted, int entries, Stripes.Entry source) {
        return stripes(sw -> fabric.isSwitch(sw) && wanted.test(sw), entries, source);
    }

    /** Returns the entries of some devices; devices that are given up meanwhile are skipped. */
    private Stripes stripes(IntPredicate wanted, int entries, Stripes.Entry source) {
        return new Stripes(
                IntStream.range(0, tables.length).filter(wanted),
                entries,
                (node, entry) -> requests.hasGivenUp(node) ? null : source.request(node, entry));
    }

    private boolean isAnythingUnknown(int node) {
        return mustLearn[node]
                || isRunning[node]
                        && fabric.isSwitch(node)
                        && (tables[node].isAnyBlockInDoubt() || settings.qos() && qos.isAnyRowInDoubt(node));
    }

    private boolean isAnythingToWrite(int node) {
        return fabric.isSwitch(node) && !tables[node].isOnTarget() || settings.qos() && !qos.isWritten(node);
    }

    /** Reads all entries of an unknown device, and entries in doubt of others after an unconfirmed write. */
    private @Nullable SmpRequest<?> readIfUnknown(int node, int entry) {
        if (!isRunning[node]) {
            return null;
        }
        if (entry < lftBlocks) {
            boolean isUnknown = mustLearn[node] ? !tables[node].knows(entry) : tables[node].isInDoubt(entry);
            return isUnknown && fabric.isSwitch(node) ? readBlock(node, entry) : null;
        }
        return qos.read(node, entry - lftBlocks, mustLearn[node]);
    }

    /** Writes a block, unless it is known to have this content. */
    private @Nullable SmpRequest<?> writeBlock(int sw, int block, LinearForwardingTable wanted) {
        DeviceTables held = tables[sw];
        if (held.holdsBlock(block, wanted) || requests.isPastWriting(sw, LinearForwardingTable.TYPE)) {
            return null;
        }
        held.writingBlock(block);
        return requests.set(new BlockWrite(requests, sw, fabric.node(sw).path(), block, wanted, held));
    }

    private @Nullable SmpRequest<?> readBlock(int sw, int block) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        if (info == null
                || block * LinearForwardingTable.LIDS_PER_BLOCK > info.linearFdbTop()
                || requests.isPastReading(sw, LinearForwardingTable.TYPE)) {
            return null;
        }
        return requests.get(LinearForwardingTable.TYPE, sw, block, held -> tables[sw].learntBlock(block, held));
    }
}
