package io.torussm.program;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
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
 * Writes the tables of one plan, in the order in which its methods stand: reads what is not known, clears multicast entries
 * that are no more, writes what may change at once and then what has to wait for it, sets new multicast entries, raises
 * LinearFDBTop (of switches without traffic first of all), takes away what is left of LIDs that are gone, and looks whether ports changed
 * meanwhile. One use. Owner thread:
 * the loop.
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

    /** Blocks, over all switches, that differ in entries of LIDs that nobody has any more, and wait until all others are written. */
    private final BitSet gone = new BitSet();

    /** When all was in place that packets depend on; negative before. */
    private long inPlaceNs = -1;

    /** How long packets need that were led away; 0 if nobody asked yet. */
    private long drainNs;

    /** Switches whose SL2VL tables change for packets; as they are before anything is written. */
    private final BitSet rowsChange = new BitSet();

    /**
     * Looks up what the devices of the plan's fabric hold.
     *
     * @param unread NodeGUIDs of devices of which not all that they hold was read; those are added that are met now
     * @param halfRead NodeGUIDs of devices of which not all was read on which the order of the change depends; those that do not
     *     answer stay in it
     * @param oneByOne NodeGUIDs of switches that do not take SL2VL rows of many ports at once, though they announce it
     * @param pool where the order of the change is found
     */
    PlanWrites(
            StageContext context,
            TableProgrammer.Input input,
            VlArbitrationPolicy vlArbitration,
            KnownDevices devices,
            Set<Long> unread,
            Set<Long> halfRead,
            Set<Long> oneByOne,
            Executor pool,
            Consumer<TableProgrammer.Result> then) {
        this.context = context;
        this.input = input;
        this.then = then;
        this.pool = pool;
        this.devices = devices;
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
        this.unread = unread;
        this.halfRead = halfRead;
        this.qos = new QosWrites(fabric, tables, requests, wantedQos, node -> unread.contains(fabric.nodeGuid(node)));
        this.spreading = new Sl2VlSpreading(fabric, tables, requests, scope, wantedQos, oneByOne);
        this.multicast =
                new MulticastWrites(fabric, tables, requests, input.router(), input.groups(), sw -> !isRunning[sw]);
        this.switchInfos = new SwitchInfoWrites(
                plan.subnet(), tables, requests, scope, settings.packetLifeTime(), multicast, this::hasRestarted);
    }

    /** Starts: prepares switches without traffic, and reads what devices that carry some hold, as far as it is not known. */
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

    /** Reads what lost its packets, and nothing else; nobody may rely on tables of a switch that does not answer at all. */
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

    /** Of MLIDs that no group has what a device holds is read later, if it may. */
    private @Nullable SmpRequest<?> readMulticast(int sw, int entry) {
        boolean isLate = unread.contains(fabric.nodeGuid(sw)) && entry >= multicast.usedEntries();
        return isLate ? null : multicast.read(sw, entry);
    }

    /** Multicast entries that are no more go first, those that are new come last: no mixture with old routes. */
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

    /** Whether a table changes on which packets depend. */
    private boolean isTrafficConcerned() {
        return !rowsChange.isEmpty()
                || IntStream.range(0, fabric.switchCount()).anyMatch(sw -> isRunning[sw] && !tables[sw].isOnTarget());
    }

    /** Early and dropped entries; each step begins when the one before is confirmed and packets that it led away had time to leave. */
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

    /** Everything but late and dropped entries; what leads into links that are down goes ahead. */
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

    /** Once, and while answers are on their way. */
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

    /** Late and dropped entries. */
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
     * Goes on to a step that relies on what was written so far; not if a switch did not confirm it. Then the next sweep
     * finds out what it holds, and which steps are due from there.
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

    /** Entries that no packet needs any more, of which there may be more than of all others. */
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
        scope.pull(switchStripes(switchInfos::hasReported, maxPorts + 1, this::portAgain));
        scope.whenIdle(this::end);
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

    /** A switch that nothing more is asked of hinders if its tables are not in place, whatever it was asked for last. */
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

    /** It lost what it was given. */
    private void hasRestarted(int sw) {
        devices.forget(fabric.nodeGuid(sw));
        hinder(sw);
    }

    private boolean isInPlace(int sw) {
        return tables[sw].isOnTarget() && (!settings.qos() || qos.areRowsWritten(sw));
    }

    /** Of ports in between nothing needs to be asked: activation writes to them and hears what became of them. */
    private @Nullable SmpRequest<?> portAgain(int node, int portNum) {
        if (portNum == 0 || portNum > fabric.numPorts(node) || requests.isPastReading(node, PortInfo.TYPE)) {
            return null;
        }
        int index = fabric.port(node, portNum);
        PortInfo port = fabric.portInfo(index);
        return port == null || port.isLinkUp() && port.portState() != PortInfo.STATE_ACTIVE
                ? null
                : requests.get(PortInfo.TYPE, node, fabric.portInfoModifier(index), now -> {
                    if (now.isLinkUp() != port.isLinkUp() || now.portState() < port.portState()) {
                        changed.add(fabric.nodeGuid(node));
                    }
                });
    }

    /** What the switches are known to hold; a snapshot, as far as forwarding tables go. */
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

    /** Entries of a device, by number: LFT blocks, then those of {@link QosWrites}. */
    private int entryCount() {
        return lftBlocks + (settings.qos() ? qos.entries() : 0);
    }

    private Stripes switchStripes(IntPredicate wanted, int entries, Stripes.Entry source) {
        return stripes(sw -> fabric.isSwitch(sw) && wanted.test(sw), entries, source);
    }

    /** Entries of some devices; one that has given up meanwhile is left alone. */
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

    /** Reads all of a device that is not known, and of others what a write that was not confirmed left in doubt. */
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

    /** Writes a block unless the switch is known to hold just that. */
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
