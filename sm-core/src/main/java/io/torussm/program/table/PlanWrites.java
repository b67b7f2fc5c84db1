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
 * The programming of the tables of one plan, in the order of its methods:
 *
 * <ol>
 *   <li>Raise LinearFDBTop of switches without traffic; read unknown tables of devices with traffic.
 *   <li>Clear outdated multicast entries.
 *   <li>Write forwarding entries in the steps of the {@link Transition}, and QoS tables.
 *   <li>Set new multicast entries.
 *   <li>Write SwitchInfo, then remove entries of LIDs that no port has any more.
 *   <li>Read the ports of switches that reported a change again.
 * </ol>
 *
 * <p>An instance is used once. Owner thread: the loop.
 */
final class PlanWrites {
    private final StageContext context;
    private final TableProgrammer.Input input;
    private final Consumer<TableProgrammer.ProgrammedTables> then;
    private final Executor pool;
    private final ReadTables known;
    private final Fabric fabric;
    private final MadScope scope;

    /** [node] known tables. */
    private final DeviceTables[] tables;

    /** [node] whether it has a port past INITIALIZE, so that packets depend on its tables. */
    private final boolean[] isRunning;

    private final SmpRequests requests;
    private final ForwardingBlocks blocks;
    private final QosWrites qos;
    private final UnknownTables unknown;
    private final MulticastWrites multicast;
    private final SwitchInfoWrites switchInfos;
    private final Set<Long> changed = new LinkedHashSet<>();

    /** Drain time of rerouted packets, in nanoseconds; 0 before its computation. */
    private long drainNs;

    /** Switches whose SL2VL rows change under traffic. Determined before the first write of a row. */
    private final BitSet switchesWithChangedRows = new BitSet();

    /**
     * Looks up the known tables of the devices in the fabric of the plan.
     *
     * @param known known tables; receives NodeGUIDs of unread devices, and of switches that do not respond
     * @param pool executor that computes the order of the change
     * @param then callback, called once, on the loop
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
                    && (!known.devices().knows(fabric, node)
                            || known.partlyRead().contains(guid));
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
                plan.subnet(), tables, requests, scope, settings().packetLifeTime(), multicast, this::onRestart);
    }

    private SweepSettings settings() {
        return input.settings();
    }

    private boolean isReadLater(int node) {
        return known.unread().contains(fabric.nodeGuid(node));
    }

    /** Starts the programming: prepares switches without traffic, and reads unknown tables of other devices. */
    void start() {
        scope.pull(switchStripes(sw -> !isRunning[sw], 1, (sw, entry) -> switchInfos.raiseTop(sw)));
        if (settings().qos()) {
            Sl2VlSpreading spreading =
                    new Sl2VlSpreading(fabric, tables, requests, scope, qos.wanted(), known.withoutWildcards());
            scope.pull(switchStripes(sw -> !isRunning[sw], 1, (sw, entry) -> spreading.begin(sw)));
        }
        readUnknown();
        scope.pull(switchStripes(unknown::isUnknown, multicast.readEntries(), this::readMulticast));
        scope.whenIdle(this::repeatLostReads);
    }

    private void readUnknown() {
        scope.pull(stripes(unknown::isAny, entryCount(), unknown::read));
    }

    /**
     * Reads the tables again whose responses were lost. If a switch with unknown tables does not respond, the
     * programming ends, because the order of the change depends on these tables.
     */
    private void repeatLostReads() {
        known.partlyRead().clear();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (requests.hasGivenUp(sw) && unknown.isAny(sw)) {
                known.partlyRead().add(fabric.nodeGuid(sw));
                recordDeviation(sw);
            }
        }
        if (!known.partlyRead().isEmpty()) {
            end(context.loop().nowNs());
            return;
        }
        readUnknown();
        scope.whenIdle(this::clearMulticast);
    }

    /** Reads a multicast entry, unless its MLID is unused and it may be read later. */
    private @Nullable SmpRequest<?> readMulticast(int sw, int entry) {
        boolean isLate = isReadLater(sw) && entry >= multicast.usedEntries();
        return isLate ? null : multicast.read(sw, entry);
    }

    /**
     * Clears outdated multicast entries. This precedes the change of routes, and new entries follow it, so that
     * multicast entries do not mix with routes of the other plan.
     */
    private void clearMulticast() {
        scope.pull(multicast.clearingRequests(multicast.allBlocks()));
        scope.whenIdle(this::computeOrder);
    }

    /** Computes the order of the change on the pool, if packets depend on a table that changes. */
    private void computeOrder() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            tables[sw].setTarget(input.plan().lft(sw));
            if (isRunning[sw]) {
                blocks.lidChanges().compare(tables[sw], input.plan().lft(sw));
            }
            switchesWithChangedRows.set(sw, isRunning[sw] && settings().qos() && qos.isAnyRowChanged(sw));
        }
        if (!isTrafficConcerned()) {
            writeFirst(Transition.FREE);
            return;
        }
        HeldTables held = new KnownTables(input.plan(), tables, isRunning, switchesWithChangedRows.isEmpty());
        context.compute(
                pool, () -> input.order().apply(held), transition -> scope.whenIdle(() -> writeFirst(transition)));
    }

    /** Checks whether a table changes on which packets depend. */
    private boolean isTrafficConcerned() {
        return !switchesWithChangedRows.isEmpty()
                || IntStream.range(0, fabric.switchCount()).anyMatch(this::isTrafficPending);
    }

    /**
     * Writes early and dropped entries. The next step begins when this step is confirmed and its rerouted packets had
     * time to leave the fabric.
     */
    private void writeFirst(Transition transition) {
        ForwardingSteps steps = new ForwardingSteps(transition, tables, input.plan());
        if (transition.isFree()) {
            writeRest(transition, steps);
            return;
        }
        boolean mustDrain = steps.isTrafficReroutedFirst();
        scope.pull(switchStripes(
                steps::isInFirstStep,
                steps.firstBlocks(),
                (sw, block) -> blocks.write(sw, block, steps.afterFirstStep(sw, block))));
        findDrainTime(mustDrain);
        scope.whenIdle(() -> continueUnlessDeviating(mustDrain, () -> writeRest(transition, steps)));
    }

    /**
     * Writes all but late and dropped entries, and QoS tables. Blocks with an entry to a link that is down come first.
     * Rerouted packets leave before late and dropped entries are written, and before links come up to which early
     * entries lead.
     */
    private void writeRest(Transition transition, ForwardingSteps steps) {
        boolean mustDrain = !transition.isFree() && (steps.isTrafficRerouted() || !switchesWithChangedRows.isEmpty());
        if (transition.isVanishedLast()) {
            IntStream.range(0, fabric.switchCount())
                    .filter(this::isTrafficPending)
                    .forEach(sw -> blocks.postponeVanishedLids(sw, steps));
        }
        BitSet urgentBlocks = new BitSet();
        scope.pull(switchStripes(this::isTrafficPending, blocks.blocksPerSwitch(), (sw, block) -> {
            if (!blocks.isPending(sw, block) || !steps.isUrgent(sw, block)) {
                return null;
            }
            urgentBlocks.set(sw * blocks.blocksPerSwitch() + block);
            return blocks.write(sw, block, steps.afterSecondStep(sw, block));
        }));
        scope.pull(stripes(this::mustWrite, entryCount(), (node, entry) -> {
            if (entry >= blocks.blocksPerSwitch()) {
                return qos.write(node, entry - blocks.blocksPerSwitch());
            }
            boolean isDue = fabric.isSwitch(node) && !urgentBlocks.get(node * blocks.blocksPerSwitch() + entry);
            return isDue && blocks.isPending(node, entry)
                    ? blocks.write(node, entry, steps.afterSecondStep(node, entry))
                    : null;
        }));
        findDrainTime(mustDrain);
        scope.whenIdle(() -> {
            if (transition.isFree()) {
                writeMulticast(steps);
            } else {
                boolean isFollowed = blocks.isAnyPending() || transition.hasEarlyLids();
                continueUnlessDeviating(mustDrain && isFollowed, () -> writeLast(steps));
            }
        });
    }

    /** Computes the drain time once, while responses are outstanding. */
    private void findDrainTime(boolean isNeeded) {
        if (isNeeded && drainNs == 0) {
            drainNs = DrainTime.ns(fabric);
        }
    }

    /** Writes late and dropped entries. */
    private void writeLast(ForwardingSteps steps) {
        scope.pull(switchStripes(
                this::isPending,
                blocks.blocksPerSwitch(),
                (sw, block) ->
                        blocks.isPending(sw, block) ? blocks.write(sw, block, steps.afterLastStep(sw, block)) : null));
        scope.whenIdle(() -> writeMulticast(steps));
    }

    /**
     * Continues with a step that relies on all previous writes. If a switch did not confirm a write, the programming
     * ends; the next sweep reads the tables and determines the remaining steps.
     *
     * @param mustDrain whether to wait for the drain time before the step
     */
    private void continueUnlessDeviating(boolean mustDrain, Runnable next) {
        recordDeviatingSwitches();
        if (context.errors().hasDeviations()) {
            end(context.loop().nowNs());
        } else if (mustDrain) {
            context.loop().schedule(drainNs, () -> scope.whenIdle(next));
        } else {
            next.run();
        }
    }

    /** Sets new multicast entries, then writes SwitchInfo. */
    private void writeMulticast(ForwardingSteps steps) {
        scope.pull(multicast.settingRequests(multicast.allBlocks()));
        scope.whenIdle(() -> {
            scope.pull(switchStripes(sw -> true, 1, (sw, entry) -> switchInfos.write(sw)));
            scope.whenIdle(() -> removeVanishedLids(steps));
        });
    }

    /** Removes entries of LIDs that no port has any more. They are last, because they may be the majority. */
    private void removeVanishedLids(ForwardingSteps steps) {
        long inPlaceNs = context.loop().nowNs();
        if (blocks.isAnyPostponed()) {
            scope.pull(switchStripes(
                    this::isPending,
                    blocks.blocksPerSwitch(),
                    (sw, block) -> blocks.isPostponed(sw, block)
                            ? blocks.write(sw, block, steps.afterLastStep(sw, block))
                            : null));
        }
        scope.whenIdle(() -> readReportedPorts(inPlaceNs));
    }

    /** Reads the ports of switches that reported a change again, then ends. */
    private void readReportedPorts(long inPlaceNs) {
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
        recordDeviatingSwitches();
        then.accept(new TableProgrammer.ProgrammedTables(
                requests.writes(),
                inPlaceNs,
                settings().qos() ? qos.wanted() : QosTables.NONE,
                fabric.with(switchInfos.confirmed()),
                changed,
                blocks.lidChanges(),
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
     * Records an error for each switch that does not respond and whose tables are not in place, independently of the
     * request that failed last.
     */
    private void recordDeviatingSwitches() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (requests.hasGivenUp(sw) && !isInPlace(sw)) {
                recordDeviation(sw);
            }
        }
    }

    /** Records an error that prevents further steps. */
    private void recordDeviation(int sw) {
        context.errors()
                .recordDeviation(
                        sw, SmpRequest.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {}));
    }

    /** Handles a switch that restarted and lost its tables: its known tables are removed. */
    private void onRestart(int sw) {
        known.devices().forget(fabric.nodeGuid(sw));
        recordDeviation(sw);
    }

    private boolean isInPlace(int sw) {
        return tables[sw].isOnTarget() && (!settings().qos() || qos.areRowsWritten(sw));
    }

    /** Returns the number of entries of a device: LFT blocks, then those of {@link QosWrites}. */
    private int entryCount() {
        return blocks.blocksPerSwitch() + (settings().qos() ? qos.entries() : 0);
    }

    private RequestStripes switchStripes(IntPredicate wanted, int entries, RequestStripes.Entry source) {
        return stripes(sw -> fabric.isSwitch(sw) && wanted.test(sw), entries, source);
    }

    /** Returns the requests for the entries of some devices. A device that stops responding is skipped. */
    private RequestStripes stripes(IntPredicate wanted, int entries, RequestStripes.Entry source) {
        return new RequestStripes(
                IntStream.range(0, tables.length).filter(wanted),
                entries,
                (node, entry) -> requests.hasGivenUp(node) ? null : source.request(node, entry));
    }

    /** Checks whether the forwarding table of a switch differs from the plan. */
    private boolean isPending(int sw) {
        return !tables[sw].isOnTarget();
    }

    /** Checks whether packets depend on a forwarding table that differs from the plan. */
    private boolean isTrafficPending(int sw) {
        return isRunning[sw] && isPending(sw);
    }

    private boolean mustWrite(int node) {
        return (fabric.isSwitch(node) && isPending(node)) || (settings().qos() && !qos.isWritten(node));
    }
}
