package io.torussm.program.table;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.program.smp.RequestStripes;
import io.torussm.program.smp.SmpRequests;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
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
    private final Consumer<TableProgrammer.ProgrammedTables> then;
    private final Executor pool;
    private final ReadTables known;
    private final Fabric fabric;
    private final MadScope scope;
    private final DeviceTables[] tables;
    private final boolean[] isRunning;
    private final SmpRequests requests;
    private final ForwardingBlocks blocks;
    private final QosWrites qos;
    private final UnknownTables unknown;
    private final MulticastWrites multicast;
    private final SwitchInfoWrites switchInfos;
    private final Set<Long> changed = new LinkedHashSet<>();

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
            Consumer<TableProgrammer.ProgrammedTables> then) {
        this.context = context;
        this.input = input;
        this.then = then;
        this.pool = pool;
        this.known = known;
        Plan plan = input.plan();
        this.fabric = plan.subnet().fabric();
        this.scope = context.scope();
        this.requests = new SmpRequests(fabric, context.errors(), scope, context.loop());
        this.tables = new DeviceTables[fabric.nodeCount()];
        this.isRunning = new boolean[fabric.nodeCount()];
        boolean[] isUnknown = new boolean[fabric.nodeCount()];
        for (int node = 0; node < tables.length; node++) {
            long guid = fabric.nodeGuid(node);
            isRunning[node] = KnownDevices.isRunning(fabric, node);
            isUnknown[node] = isRunning[node]
                    && (!known.devices().knows(fabric, node) || known.halfRead().contains(guid));
            if (isUnknown[node] && input.isFirst()) {
                known.unread().add(guid);
            }
            tables[node] = known.devices().recall(fabric, node);
        }
        this.blocks =
                new ForwardingBlocks(fabric, tables, requests, plan.subnet().topLid());
        QosTarget wanted = new QosTarget(plan, vlArbitration, settings().links());
        this.qos = new QosWrites(fabric, tables, requests, wanted, this::isReadLater);
        this.unknown = new UnknownTables(
                fabric, tables, isRunning, isUnknown, blocks, settings().qos() ? qos : null);
        this.multicast =
                new MulticastWrites(fabric, tables, requests, input.router(), input.groups(), sw -> !isRunning[sw]);
        this.switchInfos = new SwitchInfoWrites(
                plan.subnet(), tables, requests, scope, settings().packetLifeTime(), multicast, this::noteRestart);
    }

    private SweepSettings settings() {
        return input.settings();
    }

    private boolean isReadLater(int node) {
        return known.unread().contains(fabric.nodeGuid(node));
    }

    /** Starts: prepares switches without traffic, and reads unknown tables of those that carry traffic. */
    void start() {
        scope.pull(switchStripes(sw -> !isRunning[sw], 1, (sw, entry) -> switchInfos.raiseTop(sw)));
        if (settings().qos()) {
            Sl2VlSpreading spreading =
                    new Sl2VlSpreading(fabric, tables, requests, scope, qos.wanted(), known.oneByOne());
            scope.pull(switchStripes(sw -> !isRunning[sw], 1, (sw, entry) -> spreading.begin(sw)));
        }
        readUnknown();
        scope.pull(switchStripes(unknown::isUnknown, multicast.readEntries(), this::readMulticast));
        scope.whenIdle(this::readAgain);
    }

    private void readUnknown() {
        scope.pull(stripes(unknown::isAny, entryCount(), unknown::read));
    }

    /** Reads tables again whose packets were lost. Tables of a switch that does not answer cannot be relied on. */
    private void readAgain() {
        known.halfRead().clear();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (requests.hasGivenUp(sw) && unknown.isAny(sw)) {
                known.halfRead().add(fabric.nodeGuid(sw));
                hinder(sw);
            }
        }
        if (!known.halfRead().isEmpty()) {
            end(context.loop().nowNs());
            return;
        }
        readUnknown();
        scope.whenIdle(this::clear);
    }

    /** Reads a multicast entry, unless its MLID is unused and it may be read later. */
    private @Nullable SmpRequest<?> readMulticast(int sw, int entry) {
        boolean isLate = isReadLater(sw) && entry >= multicast.usedEntries();
        return isLate ? null : multicast.read(sw, entry);
    }

    /** Clears outdated multicast entries first, and new ones are set last, so that they do not mix with old routes. */
    private void clear() {
        scope.pull(multicast.clearing(multicast.allBlocks()));
        scope.whenIdle(this::findOrder);
    }

    private void findOrder() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            tables[sw].target(input.plan().lft(sw));
            rowsChange.set(sw, isRunning[sw] && settings().qos() && qos.isAnyRowChanged(sw));
        }
        if (!isTrafficConcerned()) {
            writeFirst(Transition.FREE);
            return;
        }
        HeldTables held = new KnownTables(input.plan(), tables, isRunning, rowsChange.isEmpty());
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
        ForwardingSteps steps = new ForwardingSteps(transition, tables, input.plan());
        if (transition.isFree()) {
            writeRest(transition, steps);
            return;
        }
        boolean mustDrain = steps.isTrafficLedAwayFirst();
        scope.pull(switchStripes(
                steps::isInFirst, steps.firstBlocks(), (sw, block) -> blocks.write(sw, block, steps.first(sw, block))));
        findDrainTime(mustDrain);
        scope.whenIdle(() -> unlessFailed(mustDrain, () -> writeRest(transition, steps)));
    }

    /** Writes all but late and dropped entries. Entries that lead to links that are down come first. */
    private void writeRest(Transition transition, ForwardingSteps steps) {
        boolean mustDrain = !transition.isFree() && (steps.isTrafficLedAway() || !rowsChange.isEmpty());
        if (transition.isGoneLast()) {
            IntStream.range(0, fabric.switchCount())
                    .filter(sw -> isRunning[sw] && !tables[sw].isOnTarget())
                    .forEach(sw -> blocks.postponeGone(sw, steps));
        }
        BitSet asked = new BitSet();
        scope.pull(switchStripes(sw -> isRunning[sw] && !tables[sw].isOnTarget(), blocks.count(), (sw, block) -> {
            if (!blocks.isLeft(sw, block) || !steps.isUrgent(sw, block)) {
                return null;
            }
            asked.set(sw * blocks.count() + block);
            return blocks.write(sw, block, steps.rest(sw, block));
        }));
        scope.pull(stripes(this::isAnythingToWrite, entryCount(), (node, entry) -> {
            if (entry >= blocks.count()) {
                return qos.write(node, entry - blocks.count());
            }
            boolean isDue = fabric.isSwitch(node) && !asked.get(node * blocks.count() + entry);
            return isDue && blocks.isLeft(node, entry) ? blocks.write(node, entry, steps.rest(node, entry)) : null;
        }));
        findDrainTime(mustDrain);
        scope.whenIdle(() -> {
            if (transition.isFree()) {
                writeMulticast(steps);
            } else {
                unlessFailed(mustDrain && blocks.isAnyLeft(), () -> writeLast(steps));
            }
        });
    }

    /** Computes the drain time once, while answers are outstanding. */
    private void findDrainTime(boolean isNeeded) {
        if (isNeeded && drainNs == 0) {
            drainNs = DrainTime.ns(fabric);
        }
    }

    /** Writes late and dropped entries. */
    private void writeLast(ForwardingSteps steps) {
        scope.pull(switchStripes(
                sw -> !tables[sw].isOnTarget(),
                blocks.count(),
                (sw, block) -> blocks.isLeft(sw, block) ? blocks.write(sw, block, steps.last(sw, block)) : null));
        scope.whenIdle(() -> writeMulticast(steps));
    }

    /**
     * Continues with a step that relies on all previous writes, unless a switch did not confirm one. In that
     * case the next sweep reads the tables, and determines the remaining steps.
     */
    private void unlessFailed(boolean mustDrain, Runnable next) {
        noteWhoHinders();
        if (context.errors().isHindered()) {
            end(context.loop().nowNs());
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
        long inPlaceNs = context.loop().nowNs();
        if (blocks.isAnyGone()) {
            scope.pull(switchStripes(
                    sw -> !tables[sw].isOnTarget(),
                    blocks.count(),
                    (sw, block) -> blocks.isGone(sw, block) ? blocks.write(sw, block, steps.last(sw, block)) : null));
        }
        scope.whenIdle(() -> lookForChanges(inPlaceNs));
    }

    private void lookForChanges(long inPlaceNs) {
        ReportedPorts reported = new ReportedPorts(fabric, requests, changed);
        int ports = IntStream.range(0, fabric.switchCount())
                .map(fabric::numPorts)
                .max()
                .orElse(0);
        scope.pull(switchStripes(switchInfos::hasReported, SwitchPortStateTable.BLOCKS, reported::table));
        scope.whenIdle(() -> {
            scope.pull(switchStripes(switchInfos::hasReported, ports + 1, reported::port));
            scope.whenIdle(() -> end(inPlaceNs));
        });
    }

    private void end(long inPlaceNs) {
        noteWhoHinders();
        then.accept(new TableProgrammer.ProgrammedTables(
                requests.written(),
                inPlaceNs,
                settings().qos() ? qos.wanted() : QosTables.NONE,
                fabric.with(switchInfos.confirmed()),
                changed,
                new LateReading(
                        fabric,
                        tables,
                        qos.wanted(),
                        settings().qos(),
                        input.router(),
                        input.groups(),
                        known.unread())));
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
        context.errors()
                .hinder(sw, SmpRequest.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {}));
    }

    /** Notes that a switch restarted and lost its tables. */
    private void noteRestart(int sw) {
        known.devices().forget(fabric.nodeGuid(sw));
        hinder(sw);
    }

    private boolean isInPlace(int sw) {
        return tables[sw].isOnTarget() && (!settings().qos() || qos.areRowsWritten(sw));
    }

    /** Returns the number of entries of a device: LFT blocks, then those of {@link QosWrites}. */
    private int entryCount() {
        return blocks.count() + (settings().qos() ? qos.entries() : 0);
    }

    private RequestStripes switchStripes(IntPredicate wanted, int entries, RequestStripes.Entry source) {
        return stripes(sw -> fabric.isSwitch(sw) && wanted.test(sw), entries, source);
    }

    /** Returns the entries of some devices; devices that are given up meanwhile are skipped. */
    private RequestStripes stripes(IntPredicate wanted, int entries, RequestStripes.Entry source) {
        return new RequestStripes(
                IntStream.range(0, tables.length).filter(wanted),
                entries,
                (node, entry) -> requests.hasGivenUp(node) ? null : source.request(node, entry));
    }

    private boolean isAnythingToWrite(int node) {
        return (fabric.isSwitch(node) && !tables[node].isOnTarget())
                || (settings().qos() && !qos.isWritten(node));
    }
}
