package io.torussm.program;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.stage.Phase;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.view.QosTables;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes forwarding, multicast forwarding, SL2VL and VL arbitration tables, and only what differs from what a device holds.
 *
 * <p>What devices hold is remembered by NodeGUID over sweeps ({@link KnownDevices}). A device that carries traffic but is
 * not known yet is read first; one that has no port past INITIALIZE is written without asking, because reading costs as
 * much as writing and nobody depends on what it holds. Of the former only the tables are read that the order of the change
 * depends on; the rest when the subnet is published ({@link LateReading}).
 *
 * <p>Requests are pulled in stripes, entry {@code i} of every device before entry {@code i + 1} of any, so the whole
 * window is busy although each device takes only a few at a time. On a switch that carries traffic LinearFDBTop is raised after
 * the blocks below it are in place, on others before. What must not be in place together while tables change is written in steps ({@link Transition}).
 *
 * <p>Owner thread: the loop.
 */
public final class TableProgrammer implements Stage<TableProgrammer.Input, TableProgrammer.Result> {
    private final Function<Plan, VlArbitrationPolicy> vlArbitration;
    private final Executor pool;
    private final KnownDevices devices = new KnownDevices();

    /** NodeGUIDs of devices of which not all that they hold has been read yet. */
    private final Set<Long> unread = new HashSet<>();

    /** NodeGUIDs of devices of which not all was read on which the order of the change depends. */
    private final Set<Long> halfRead = new HashSet<>();

    /** NodeGUIDs of switches that do not take SL2VL rows of many ports at once, though they announce it. */
    private final Set<Long> oneByOne = new HashSet<>();

    /**
     * Creates a programmer that knows nothing yet.
     *
     * @param vlArbitration asked anew for every plan
     * @param pool where the order of a change is found
     */
    TableProgrammer(Function<Plan, VlArbitrationPolicy> vlArbitration, Executor pool) {
        this.vlArbitration = vlArbitration;
        this.pool = pool;
    }

    /**
     * A plan to be programmed, and the groups along its tree.
     *
     * @param order finds what must wait for what; asked on the pool, and only if something changes
     * @param isFirst whether nothing is published yet: then nothing is read that can wait until it is
     */
    public record Input(
            Plan plan,
            Function<HeldTables, Transition> order,
            MulticastRouter router,
            MulticastView groups,
            SweepSettings settings,
            boolean isFirst) {}

    /**
     * What came of it.
     *
     * @param written entries that were written, failed ones included
     * @param inPlaceNs when all tables were in place that packets depend on: time of the loop, in nanoseconds. Entries of LIDs
     *     that nobody has any more may have been taken away after that
     * @param qos the QoS tables that devices hold now
     * @param fabric the fabric with SwitchInfo as the switches answered last
     * @param changed NodeGUIDs of switches with ports that went up or down between discovery and the moment when their
     *     PortStateChange was cleared: nothing else will report them
     * @param late reads the rest, when the subnet is published
     */
    public record Result(
            long written, long inPlaceNs, QosTables qos, Fabric fabric, Set<Long> changed, LateReading late) {}

    @Override
    public Phase phase() {
        return Phase.PROGRAM;
    }

    /** Programs a plan; ends when everything is written, or what failed keeps the rest from being written. */
    @Override
    public void start(StageContext context, Input input, Consumer<Result> then) {
        new PlanWrites(
                        context,
                        input,
                        vlArbitration.apply(input.plan()),
                        devices,
                        unread,
                        halfRead,
                        oneByOne,
                        pool,
                        then)
                .start();
    }

    /**
     * The stage that finds the forwarding tables of switches which carry traffic.
     *
     * @param topLid the highest LID that matters, though nobody may have it at the moment
     */
    public ForwardingReading reading(int topLid) {
        return new ForwardingReading(devices, halfRead, topLid);
    }

    /**
     * Programs some blocks of multicast tables of a subnet that was programmed before; calls back once. A device that was
     * forgotten since is left to the next sweep.
     */
    MadScope startMulticast(
            MadClient client,
            Loop loop,
            MulticastRouter router,
            MulticastView groups,
            BitSet blocks,
            ProgrammingErrors errors,
            Runnable then) {
        MadScope scope = client.scope();
        Fabric fabric = router.fabric();
        @Nullable DeviceTables[] tables = new DeviceTables[fabric.nodeCount()];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            tables[sw] = devices.tables(fabric.nodeGuid(sw));
        }
        SmpRequests requests = new SmpRequests(fabric, errors, scope, loop);
        MulticastWrites writes = new MulticastWrites(fabric, tables, requests, router, groups, sw -> false);
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
    void forgetAll() {
        unread.clear();
        halfRead.clear();
        oneByOne.clear();
        devices.forgetAll();
    }

    /** Forgets what a device holds. */
    void forget(long nodeGuid) {
        devices.forget(nodeGuid);
    }

    /**
     * What switches are known to hold that a plan has and a newer fabric has not, while links to them carry data: nobody can
     * write to them any more, and they go on to forward.
     *
     * @return by switch of the plan, egress port by LID
     */
    public Map<Integer, byte[]> stale(Plan plan, Fabric now) {
        Map<Integer, byte[]> stale = new TreeMap<>();
        Fabric old = plan.subnet().fabric();
        for (int sw = 0; sw < old.switchCount(); sw++) {
            if (now.nodeByGuid(old.nodeGuid(sw)) == Fabric.NONE && isStillLinked(old, sw, now)) {
                DeviceTables held = devices.tables(old.nodeGuid(sw));
                stale.put(sw, held == null ? plan.lft(sw) : held.entries(plan.lft(sw).length));
            }
        }
        return stale;
    }

    private static boolean isStillLinked(Fabric old, int sw, Fabric now) {
        for (int portNum = 1; portNum <= old.numPorts(sw); portNum++) {
            int far = old.peer(old.port(sw, portNum));
            int node = far == Fabric.NONE ? Fabric.NONE : now.nodeByGuid(old.nodeGuid(old.nodeOf(far)));
            if (node != Fabric.NONE && now.isSwitch(node) && old.portNum(far) <= now.numPorts(node)) {
                int port = now.port(node, old.portNum(far));
                PortInfo info = now.portInfo(port);
                if (now.peer(port) == Fabric.NONE && info != null && info.portState() > PortInfo.STATE_INITIALIZE) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether anything is remembered of what a device holds. */
    boolean remembers(long nodeGuid) {
        return devices.tables(nodeGuid) != null;
    }

    /** What a device is known to hold; null if nothing is. */
    @Nullable
    DeviceTables held(Fabric fabric, int node) {
        return devices.knows(fabric, node) ? devices.tables(fabric.nodeGuid(node)) : null;
    }

    /** Whether a switch answers as one that still holds what was written to it. */
    public boolean isAsProgrammed(long nodeGuid, SwitchInfo now) {
        return devices.isAsProgrammed(nodeGuid, now);
    }
}
