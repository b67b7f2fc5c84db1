package io.torussm.program;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import io.torussm.view.QosTables;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes forwarding, multicast forwarding, SL2VL and VL arbitration tables, and only what differs from what a device holds.
 *
 * <p>What devices hold is remembered by NodeGUID over sweeps ({@link DeviceTables}). A device that carries traffic but is
 * not known yet is read first; one that has no port past INITIALIZE is written without asking, because reading costs as
 * much as writing and nobody depends on what it holds.
 *
 * <p>Requests are pulled in stripes, entry {@code i} of every device before entry {@code i + 1} of any, so the whole
 * window is busy although each device takes only a few at a time. LinearFDBTop is raised after the blocks below it are in
 * place. What must not be in place together while tables change is written in steps ({@link Transition}).
 *
 * <p>Owner thread: the loop.
 */
public final class TableProgrammer {
    /**
     * How long packets that were told by an old table are given to leave the fabric. Without congestion they need some
     * microseconds a hop.
     */
    public static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Function<Plan, VlArbitrationPolicy> vlArbitration;
    private final Loop loop;
    private final Executor pool;
    private final Map<Long, DeviceTables> devices = new HashMap<>();
    private final DeviceTables.RowValues rowValues = new DeviceTables.RowValues();

    /**
     * A programmer that knows nothing yet.
     *
     * @param pool where the order of a change is found
     */
    public TableProgrammer(Function<Plan, VlArbitrationPolicy> vlArbitration, Loop loop, Executor pool) {
        this.vlArbitration = vlArbitration;
        this.loop = loop;
        this.pool = pool;
    }

    /**
     * What came of it.
     *
     * @param written entries that were written, failed ones included
     * @param qos the QoS tables that devices hold now
     * @param fabric the fabric with SwitchInfo as the switches answered last
     * @param changed NodeGUIDs of switches with ports that went up or down between discovery and the moment when their
     *     PortStateChange was cleared: nothing else will tell of them
     */
    public record Result(long written, QosTables qos, Fabric fabric, Set<Long> changed) {}

    /**
     * Programs a plan, and the groups along its tree; calls back once, when everything is written, or what failed keeps the
     * rest from being written. The scope cancels it.
     *
     * @param order finds what must wait for what; asked on the pool, and only if something changes
     */
    public MadScope start(
            MadClient client,
            Plan plan,
            Function<HeldTables, Transition> order,
            MulticastRouter router,
            MulticastView groups,
            SweepSettings settings,
            ProgrammingErrors trouble,
            Consumer<Result> then) {
        MadScope scope = client.scope();
        new Run(plan, order, router, groups, settings, trouble, scope, then).learn();
        return scope;
    }

    /**
     * Programs some blocks of multicast tables of a subnet that was programmed before; calls back once. A device that was
     * forgotten since is left to the next sweep.
     */
    MadScope startMulticast(
            MadClient client,
            MulticastRouter router,
            MulticastView groups,
            BitSet blocks,
            ProgrammingErrors trouble,
            Runnable then) {
        MadScope scope = client.scope();
        Fabric fabric = router.fabric();
        @Nullable DeviceTables[] tables = new DeviceTables[fabric.nodeCount()];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            tables[sw] = devices.get(fabric.nodeGuid(sw));
        }
        MulticastWrites writes =
                new MulticastWrites(fabric, tables, new SmpRequests(fabric, trouble), router, groups, sw -> false);
        scope.pull(writes.clearing(blocks));
        scope.whenIdle(() -> {
            scope.pull(writes.setting(blocks));
            scope.whenIdle(() -> {
                scope.pull(new Stripes(fabric.switchCount(), 1, (sw, entry) -> writes.setTop(sw)));
                scope.whenIdle(then);
            });
        });
        return scope;
    }

    /** Forgets what all devices hold; they are read or written whole the next time. */
    public void forgetAll() {
        devices.clear();
    }

    /** Forgets what a device holds. */
    public void forget(long nodeGuid) {
        devices.remove(nodeGuid);
    }

    /** Whether a switch answers as one that still holds what was written to it. */
    public boolean isAsProgrammed(long nodeGuid, SwitchInfo now) {
        DeviceTables held = devices.get(nodeGuid);
        SwitchInfo before = held == null ? null : held.switchInfo();
        return before == null || now.linearFdbTop() == before.linearFdbTop();
    }

    /** One programming of one plan. */
    private final class Run {
        private final Plan plan;
        private final Function<HeldTables, Transition> order;
        private final SweepSettings settings;
        private final ProgrammingErrors trouble;
        private final Subnet subnet;
        private final Fabric fabric;
        private final MadScope scope;
        private final Consumer<Result> then;
        private final DeviceTables[] tables;
        private final boolean[] isRunning;
        private final boolean[] mustLearn;
        private final @Nullable SwitchInfo[] switchInfos;
        private final int lftBlocks;
        private final int maxPorts;
        private final SmpRequests requests;
        private final QosTarget wantedQos;
        private final QosWrites qos;
        private final MulticastWrites multicast;
        private final Set<Long> changed = new LinkedHashSet<>();
        private int graveBefore;

        Run(
                Plan plan,
                Function<HeldTables, Transition> order,
                MulticastRouter router,
                MulticastView groups,
                SweepSettings settings,
                ProgrammingErrors trouble,
                MadScope scope,
                Consumer<Result> then) {
            this.settings = settings;
            this.plan = plan;
            this.order = order;
            this.trouble = trouble;
            this.subnet = plan.subnet();
            this.fabric = subnet.fabric();
            this.requests = new SmpRequests(fabric, trouble);
            this.scope = scope;
            this.then = then;
            this.tables = new DeviceTables[fabric.nodeCount()];
            this.isRunning = new boolean[fabric.nodeCount()];
            this.mustLearn = new boolean[fabric.nodeCount()];
            this.switchInfos = new SwitchInfo[fabric.switchCount()];
            this.lftBlocks = subnet.topLid() / LinearForwardingTable.LIDS_PER_BLOCK + 1;
            int ports = 0;
            for (int node = 0; node < tables.length; node++) {
                ports = Math.max(ports, fabric.numPorts(node));
                tables[node] = remembered(node);
            }
            this.maxPorts = ports;
            this.wantedQos = new QosTarget(plan, vlArbitration.apply(plan), settings.links());
            this.qos = new QosWrites(fabric, tables, requests, wantedQos);
            this.multicast = new MulticastWrites(fabric, tables, requests, router, groups, sw -> !isRunning[sw]);
        }

        private DeviceTables remembered(int node) {
            DeviceTables held = devices.get(fabric.nodeGuid(node));
            DeviceTables known = held != null
                            && held.fits(
                                    fabric.numPorts(node), fabric.node(node).switchInfo())
                    ? held
                    : null;
            isRunning[node] = isRunning(node);
            mustLearn[node] = known == null && isRunning[node];
            if (known == null || !isRunning[node]) {
                known = new DeviceTables(fabric.numPorts(node), rowValues);
                devices.put(fabric.nodeGuid(node), known);
            } else if (!fabric.isSwitch(node)) {
                forgetPortsAtRest(node, known);
            }
            return known;
        }

        /** Of a host with several ports each may have been reset by itself. */
        private void forgetPortsAtRest(int node, DeviceTables known) {
            for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                PortInfo info = fabric.portInfo(fabric.port(node, portNum));
                if (info == null || info.portState() <= PortInfo.STATE_INITIALIZE) {
                    known.forgetPort(portNum);
                }
            }
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
            scope.pull(stripes(this::isAnythingUnknown, entryCount(), this::readIfUnknown));
            scope.pull(switchStripes(sw -> mustLearn[sw], multicast.readEntries(), multicast::read));
            scope.whenIdle(this::clear);
        }

        /** Multicast entries that are no more go first, those that are new come last: no mixture with old routes. */
        private void clear() {
            scope.pull(multicast.clearing(multicast.allBlocks()));
            scope.whenIdle(this::findOrder);
        }

        private void findOrder() {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                tables[sw].target(plan.lft(sw));
            }
            if (!isTrafficConcerned()) {
                writeFirst(Transition.FREE);
                return;
            }
            HeldTables held = new Held();
            pool.execute(() -> {
                try {
                    Transition transition = order.apply(held);
                    loop.execute(() -> scope.whenIdle(() -> writeFirst(transition)));
                } catch (RuntimeException | Error bug) {
                    loop.execute(() -> scope.whenIdle(() -> {
                        throw new IllegalStateException("the order of a change was not found", bug);
                    }));
                }
            });
        }

        /** Whether a table changes on which packets depend. */
        private boolean isTrafficConcerned() {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                if (isRunning[sw] && (!tables[sw].isOnTarget() || settings.qos() && qos.isAnyRowChanged(sw))) {
                    return true;
                }
            }
            return false;
        }

        /** Early and dropped entries; each step begins when the one before is confirmed and packets had time to leave. */
        private void writeFirst(Transition transition) {
            graveBefore = trouble.graveCount();
            ForwardingSteps steps = new ForwardingSteps(transition, tables, plan);
            if (transition.isFree()) {
                writeRest(transition, steps);
                return;
            }
            long before = requests.written();
            scope.pull(switchStripes(
                    steps::isInFirst,
                    steps.firstBlocks(),
                    (sw, block) -> writeBlock(sw, block, steps.first(sw, block))));
            scope.whenIdle(() -> unlessFailed(requests.written() > before, () -> writeRest(transition, steps)));
        }

        /** Everything but late and dropped entries; what leads into links that are down goes ahead. */
        private void writeRest(Transition transition, ForwardingSteps steps) {
            BitSet asked = new BitSet();
            scope.pull(switchStripes(sw -> !tables[sw].isOnTarget(), lftBlocks, (sw, block) -> {
                if (tables[sw].holdsTarget(block) || !steps.isUrgent(sw, block)) {
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
                return isDone || tables[node].holdsTarget(entry)
                        ? null
                        : writeBlock(node, entry, steps.rest(node, entry));
            }));
            scope.whenIdle(() -> {
                if (transition.isFree()) {
                    writeMulticast();
                } else {
                    unlessFailed(true, () -> writeLast(steps));
                }
            });
        }

        /** Late and dropped entries. */
        private void writeLast(ForwardingSteps steps) {
            scope.pull(switchStripes(
                    sw -> !tables[sw].isOnTarget(),
                    lftBlocks,
                    (sw, block) ->
                            tables[sw].holdsTarget(block) ? null : writeBlock(sw, block, steps.last(sw, block))));
            scope.whenIdle(this::writeMulticast);
        }

        /**
         * Goes on to a step that relies on what was written so far; not if a switch did not confirm it. Then the next sweep
         * finds out what it holds, and which steps are due from there.
         */
        private void unlessFailed(boolean mustDrain, Runnable next) {
            boolean hasFailed = trouble.graveCount() > graveBefore;
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                hasFailed |= isRunning[sw] && requests.hasGivenUp(sw) && !tables[sw].isOnTarget();
            }
            if (hasFailed) {
                end();
            } else if (mustDrain) {
                loop.schedule(DRAIN_NS, () -> scope.whenIdle(next));
            } else {
                next.run();
            }
        }

        private void writeMulticast() {
            scope.pull(multicast.setting(multicast.allBlocks()));
            scope.whenIdle(() -> {
                scope.pull(switchStripes(sw -> true, 1, (sw, entry) -> switchInfo(sw)));
                scope.whenIdle(this::lookForChanges);
            });
        }

        private void lookForChanges() {
            scope.pull(switchStripes(this::hasChangedPorts, maxPorts + 1, this::portAgain));
            scope.whenIdle(this::end);
        }

        private void end() {
            then.accept(new Result(
                    requests.written(),
                    settings.qos() ? wantedQos : QosTables.NONE,
                    fabric.with(switchInfos),
                    changed));
        }

        /** Of ports in between nothing needs to be asked: activation writes to them and hears what became of them. */
        private @Nullable SmpRequest<?> portAgain(int node, int portNum) {
            if (portNum == 0 || portNum > fabric.numPorts(node)) {
                return null;
            }
            PortInfo port = fabric.portInfo(fabric.port(node, portNum));
            return port == null || port.isLinkUp() && port.portState() != PortInfo.STATE_ACTIVE
                    ? null
                    : requests.get(PortInfo.TYPE, node, portNum, now -> {
                        if (now.isLinkUp() != port.isLinkUp() || now.portState() < port.portState()) {
                            changed.add(fabric.nodeGuid(node));
                        }
                    });
        }

        /** What the switches are known to hold; a snapshot, as far as forwarding tables go. */
        private final class Held implements HeldTables {
            private final byte[] @Nullable [] lfts = new byte[fabric.switchCount()][];

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

        private boolean hasChangedPorts(int sw) {
            SwitchInfo info = fabric.node(sw).switchInfo();
            return info != null && info.portStateChange();
        }

        /** Reads all of a device that is not known, and of others what a write that was not confirmed left in doubt. */
        private @Nullable SmpRequest<?> readIfUnknown(int node, int entry) {
            if (!isRunning[node]) {
                return null;
            }
            if (entry < lftBlocks) {
                boolean isUnknown = mustLearn[node] || tables[node].isInDoubt(entry);
                return isUnknown && fabric.isSwitch(node) ? readBlock(node, entry) : null;
            }
            return qos.read(node, entry - lftBlocks, mustLearn[node]);
        }

        /** Writes a block unless the switch is known to hold just that. */
        private @Nullable SmpRequest<?> writeBlock(int sw, int block, byte[] content) {
            DeviceTables held = tables[sw];
            if (held.holdsBlock(block, content)) {
                return null;
            }
            held.writingBlock(block);
            LinearForwardingTable wanted = LinearForwardingTable.TYPE.read(content, 0);
            return requests.set(sw, wanted, block, answer -> held.confirmedBlock(block, wanted));
        }

        private @Nullable SmpRequest<?> readBlock(int sw, int block) {
            SwitchInfo info = fabric.node(sw).switchInfo();
            if (info == null || block * LinearForwardingTable.LIDS_PER_BLOCK > info.linearFdbTop()) {
                return null;
            }
            return requests.get(LinearForwardingTable.TYPE, sw, block, held -> tables[sw].learntBlock(block, held));
        }

        private @Nullable SmpRequest<?> switchInfo(int node) {
            SwitchInfo now = fabric.node(node).switchInfo();
            if (now == null) {
                return null;
            }
            int multicastTop = multicast.top(node).orElse((int) now.get(SwitchInfo.MULTICAST_FDB_TOP));
            SwitchInfo wanted = now.with(SwitchInfo.LINEAR_FDB_TOP, subnet.topLid())
                    .with(SwitchInfo.LIFE_TIME_VALUE, settings.packetLifeTime())
                    .with(SwitchInfo.MULTICAST_FDB_TOP, multicastTop);
            if (wanted.equals(now) && !now.portStateChange()) {
                tables[node].confirmedSwitchInfo(now);
                return null;
            }
            tables[node].confirmedSwitchInfo(null);
            return requests.set(node, wanted, 0, held -> {
                switchInfos[node] = held;
                tables[node].confirmedSwitchInfo(held);
            });
        }
    }
}
