package io.torussm.program.table;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.smp.RequestStripes;
import io.torussm.program.smp.SmpRequests;
import io.torussm.program.smp.SweepSettings;
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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The stage that writes forwarding, multicast forwarding, SL2VL and VL arbitration tables. Only differences
 * are written.
 *
 * <p>The known tables are kept by NodeGUID over sweeps ({@link KnownDevices}). An unknown device that carries
 * traffic is read first. A device without a port past INITIALIZE is written without reading: both cost the
 * same, and no packet depends on its tables. Of the former only those tables are read that determine the
 * order of the change. The others are read when the subnet is published ({@link LateReading}).
 *
 * <p>Requests are pulled in stripes, entry {@code i} of every device before entry {@code i + 1} of any. Thus
 * the whole window is busy although each device takes only a few simultaneously. On a switch that carries
 * traffic LinearFDBTop is raised after the blocks below it are in place, on others before. Entries that must
 * not coexist while tables change are written in steps ({@link Transition}).
 *
 * <p>Owner thread: the loop.
 */
public final class TableProgrammer implements Stage<TableProgrammer.Input, TableProgrammer.ProgrammedTables> {
    private final Function<Plan, VlArbitrationPolicy> vlArbitration;
    private final Executor pool;
    private final ReadTables known = new ReadTables();

    /**
     * Creates a programmer without knowledge of any device.
     *
     * @param vlArbitration policy, called for every plan
     * @param pool computes the order of a change
     */
    public TableProgrammer(Function<Plan, VlArbitrationPolicy> vlArbitration, Executor pool) {
        this.vlArbitration = vlArbitration;
        this.pool = pool;
    }

    /**
     * A plan to be programmed, and the groups along its tree.
     *
     * @param order determines the order of writes; called on the pool, and only if a table changes
     * @param isFirst whether no subnet is published yet; then reading is deferred where possible
     */
    public record Input(
            Plan plan,
            Function<HeldTables, Transition> order,
            MulticastRouter router,
            MulticastView groups,
            SweepSettings settings,
            boolean isFirst) {}

    /**
     * The outcome of the programming.
     *
     * @param written entries that were written, failed ones included
     * @param inPlaceNs time of the loop in nanoseconds when all tables were in place that packets depend on;
     *     entries of LIDs that are gone may have been removed after that
     * @param qos the current QoS tables of the devices
     * @param fabric the fabric with the last SwitchInfo of each switch
     * @param changed NodeGUIDs of switches with ports that went up or down between discovery and the clearing
     *     of PortStateChange; nothing else will report them
     * @param late reads the remaining tables when the subnet is published
     */
    public record ProgrammedTables(
            long written, long inPlaceNs, QosTables qos, Fabric fabric, Set<Long> changed, LateReading late) {}

    @Override
    public Phase phase() {
        return Phase.PROGRAM;
    }

    /** Programs a plan; ends when everything is written, or a failure prevents further writes. */
    @Override
    public void start(StageContext context, Input input, Consumer<ProgrammedTables> then) {
        new PlanWrites(context, input, vlArbitration.apply(input.plan()), known, pool, then).start();
    }

    /**
     * Returns the stage that reads the forwarding tables of switches that carry traffic.
     *
     * @param topLid the highest LID that matters, even if no port has it at the moment
     */
    public ForwardingReading reading(int topLid) {
        return new ForwardingReading(known.devices(), known.halfRead(), topLid);
    }

    /**
     * Programs some multicast blocks of a subnet that was programmed before; calls back once. Devices that
     * were forgotten since are left to the next sweep.
     */
    public MadScope startMulticast(
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
            tables[sw] = known.devices().tables(fabric.nodeGuid(sw));
        }
        SmpRequests requests = new SmpRequests(fabric, errors, scope, loop);
        MulticastWrites writes = new MulticastWrites(fabric, tables, requests, router, groups, sw -> false);
        scope.pull(writes.clearing(blocks));
        scope.whenIdle(() -> {
            scope.pull(writes.setting(blocks));
            scope.whenIdle(() -> {
                scope.pull(new RequestStripes(fabric.switchCount(), 1, (sw, entry) -> writes.setTop(sw)));
                scope.whenIdle(then);
            });
        });
        return scope;
    }

    /** Forgets the tables of all devices; next time they are read or written completely. */
    public void forgetAll() {
        known.unread().clear();
        known.halfRead().clear();
        known.oneByOne().clear();
        known.devices().forgetAll();
    }

    /** Forgets the tables of a device. */
    public void forget(long nodeGuid) {
        known.devices().forget(nodeGuid);
    }

    /**
     * Returns the known tables of switches that a newer fabric lacks while links to them carry data. They
     * cannot be written any more, and continue to forward.
     *
     * @return by switch of the plan, egress port by LID
     */
    public Map<Integer, byte[]> stale(Plan plan, Fabric currentFabric) {
        Map<Integer, byte[]> stale = new TreeMap<>();
        Fabric old = plan.subnet().fabric();
        for (int sw = 0; sw < old.switchCount(); sw++) {
            if (currentFabric.nodeByGuid(old.nodeGuid(sw)) == Fabric.NONE && isStillLinked(old, sw, currentFabric)) {
                DeviceTables held = known.devices().tables(old.nodeGuid(sw));
                stale.put(sw, held == null ? plan.lft(sw) : held.entries(plan.lft(sw).length));
            }
        }
        return stale;
    }

    private static boolean isStillLinked(Fabric old, int sw, Fabric currentFabric) {
        for (int portNum = 1; portNum <= old.numPorts(sw); portNum++) {
            int far = old.peer(old.port(sw, portNum));
            int node = far == Fabric.NONE ? Fabric.NONE : currentFabric.nodeByGuid(old.nodeGuid(old.nodeOf(far)));
            if (node != Fabric.NONE
                    && currentFabric.isSwitch(node)
                    && old.portNum(far) <= currentFabric.numPorts(node)) {
                int port = currentFabric.port(node, old.portNum(far));
                PortInfo info = currentFabric.portInfo(port);
                if (currentFabric.peer(port) == Fabric.NONE
                        && info != null
                        && info.portState() > PortInfo.STATE_INITIALIZE) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Checks whether any table of a device is known. */
    public boolean remembers(long nodeGuid) {
        return known.devices().tables(nodeGuid) != null;
    }

    /** Returns the known tables of a device; null if there are none. */
    @Nullable
    public DeviceTables held(Fabric fabric, int node) {
        return known.devices().knows(fabric, node) ? known.devices().tables(fabric.nodeGuid(node)) : null;
    }

    /** Checks whether a SwitchInfo is that of a switch which kept its programmed tables. */
    public boolean isAsProgrammed(long nodeGuid, SwitchInfo current) {
        return known.devices().isAsProgrammed(nodeGuid, current);
    }
}
