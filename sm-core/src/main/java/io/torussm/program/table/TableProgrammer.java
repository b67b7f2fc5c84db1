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
 * <p>The known tables are stored by NodeGUID over sweeps ({@link KnownDevices}). A device without a port past
 * INITIALIZE is written without reading: both cost the same, and no packet depends on its tables. An unknown device
 * that carries traffic is read first. In the first sweep, only the tables that determine the order of the change are
 * read then, and the other tables after the subnet is published ({@link LateReading}).
 *
 * <p>Requests are pulled in stripes, entry {@code i} of every device before entry {@code i + 1} of any. So the window
 * is full although each device receives only a few requests simultaneously. On a switch that carries traffic,
 * LinearFDBTop is raised after the blocks below it are in place; on other switches, before. Entries that must not
 * coexist while tables change are written in steps ({@link Transition}).
 *
 * <p>Owner thread: the loop.
 */
public final class TableProgrammer implements Stage<TableProgrammer.Input, TableProgrammer.ProgrammedTables> {
    private final Function<Plan, VlArbitrationPolicy> vlArbitration;
    private final Executor pool;
    private final ReadTables known = new ReadTables();

    /**
     * Creates a programmer without known tables.
     *
     * @param vlArbitration function that returns the policy for a plan, called for every plan
     * @param pool executor that computes the order of a change
     */
    public TableProgrammer(Function<Plan, VlArbitrationPolicy> vlArbitration, Executor pool) {
        this.vlArbitration = vlArbitration;
        this.pool = pool;
    }

    /**
     * A plan to be programmed, and the multicast groups along its tree.
     *
     * @param order function that determines the order of writes; called on the pool, and only if a table on which
     *     packets depend changes
     * @param isFirst whether no subnet is published yet, so that reading is deferred where possible
     */
    public record Input(
            Plan plan,
            Function<HeldTables, Transition> order,
            MulticastRouter router,
            MulticastView groups,
            SweepSettings settings,
            boolean isFirst) {}

    /**
     * The result of the programming.
     *
     * @param writes number of entries that were written, failed writes included
     * @param inPlaceNs time of the loop, in nanoseconds, at which all tables on which packets depend were in place;
     *     entries of LIDs that no port has any more may have been removed later
     * @param qos the wanted QoS tables of the devices; {@link QosTables#NONE} if they are not programmed
     * @param fabric the fabric with the last SwitchInfo of each switch
     * @param changed NodeGUIDs of switches with ports that went up or down between discovery and the clearing of
     *     PortStateChange, which no later trap or sweep reports
     * @param lateReading the reading of the remaining tables after the subnet is published
     */
    public record ProgrammedTables(
            long writes,
            long inPlaceNs,
            QosTables qos,
            Fabric fabric,
            Set<Long> changed,
            LidChanges lidChanges,
            LateReading lateReading) {}

    @Override
    public Phase phase() {
        return Phase.PROGRAM;
    }

    /** Programs a plan. Ends when all tables are written, or when a failure prevents further writes. */
    @Override
    public void start(StageContext context, Input input, Consumer<ProgrammedTables> then) {
        new PlanWrites(context, input, vlArbitration.apply(input.plan()), known, pool, then).start();
    }

    /**
     * Returns the stage that reads the forwarding tables of switches that carry traffic.
     *
     * @param topLid the highest LID to read, even if no port has this LID
     */
    public ForwardingReading reading(int topLid) {
        return new ForwardingReading(known.devices(), known.partlyRead(), topLid);
    }

    /**
     * Programs some multicast blocks of a subnet that was programmed before, without a sweep. Devices without known
     * tables are left to the next sweep.
     *
     * @param blocks numbers of the blocks of MLIDs
     * @param errors receives the errors of devices
     * @param then callback, called once, on the loop
     * @return scope of the requests, whose cancellation ends the programming
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
        scope.pull(writes.clearingRequests(blocks));
        scope.whenIdle(() -> {
            scope.pull(writes.settingRequests(blocks));
            scope.whenIdle(() -> {
                scope.pull(new RequestStripes(fabric.switchCount(), 1, (sw, entry) -> writes.setTop(sw)));
                scope.whenIdle(then);
            });
        });
        return scope;
    }

    /** Removes the known tables of all devices, so that the next sweep reads or writes them completely. */
    public void forgetAll() {
        known.unread().clear();
        known.partlyRead().clear();
        known.withoutWildcards().clear();
        known.devices().forgetAll();
    }

    /** Removes the known tables of a device. */
    public void forget(long nodeGuid) {
        known.devices().forget(nodeGuid);
    }

    /**
     * Returns the known forwarding tables of stale switches: switches of the plan that a newer fabric lacks while links
     * to them carry data. They cannot be written, and continue to forward.
     *
     * @return by switch, as an index of the plan's fabric: [LID] egress port number
     */
    public Map<Integer, byte[]> staleTables(Plan plan, Fabric currentFabric) {
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

    /** Checks whether a port that had a cable to a switch is past INITIALIZE in the newer fabric, without a peer. */
    private static boolean isStillLinked(Fabric old, int sw, Fabric currentFabric) {
        for (int portNum = 1; portNum <= old.numPorts(sw); portNum++) {
            int far = old.peer(old.port(sw, portNum));
            int node = far == Fabric.NONE ? Fabric.NONE : currentFabric.nodeByGuid(old.nodeGuid(old.nodeOf(far)));
            if (node != Fabric.NONE
                    && currentFabric.isSwitch(node)
                    && old.portNum(far) <= currentFabric.numPorts(node)) {
                int port = currentFabric.port(node, old.portNum(far));
                PortInfo info = currentFabric.portInfo(port);
                if (currentFabric.peer(port) == Fabric.NONE && info != null && info.isArmedOrActive()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Checks whether any table of a device is known. */
    public boolean knowsAnyTable(long nodeGuid) {
        return known.devices().tables(nodeGuid) != null;
    }

    /** Returns the known tables of a device; null if none are known, or if they do not fit its current state. */
    @Nullable
    public DeviceTables held(Fabric fabric, int node) {
        return known.devices().knows(fabric, node) ? known.devices().tables(fabric.nodeGuid(node)) : null;
    }

    /**
     * Checks whether a SwitchInfo has the LinearFDBTop that was programmed. If not, the switch lost its tables. Returns
     * true for an unknown switch.
     */
    public boolean isAsProgrammed(long nodeGuid, SwitchInfo current) {
        return known.devices().isAsProgrammed(nodeGuid, current);
    }
}
