package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.program.port.MasterSmLidStage;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.Known;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the remembered view with the devices, in the first sweep of a mastership. The SA answers from the
 * view as soon as the devices are read, while tables are still read and written.
 *
 * <p>The view is served only if nothing contradicts it: the same switches with the same LIDs, the same working cables
 * between them, hosts at their ports with their LIDs or absent, MasterSMLID of the SM that made it, and in each switch
 * one block of the forwarding table and one SL2VL row as in the view. A switch that restarted has links that are not
 * ACTIVE. An SM with other routes wrote other blocks. Used once. Owner thread: the loop.
 */
public final class ViewComparison {
    private static final int LIDS_PER_BLOCK = LinearForwardingTable.LIDS_PER_BLOCK;

    private final SweepContext parts;
    private final SweepSettings settings;
    private final StageRunner stages;

    /** Null until it is read. */
    private @Nullable PublishedView last;

    /** The continuation when it is read. */
    private Runnable whenRead = () -> {};

    private boolean isContradicted;

    public ViewComparison(SweepContext parts, SweepSettings settings, StageRunner stages) {
        this.parts = parts;
        this.settings = settings;
        this.stages = stages;
    }

    /** Begins to read the view, beside the discovery, unless this SM has published one. */
    public void begin(Known known) {
        if (known.view() != null) {
            return;
        }
        stages.compute(
                parts.pool(), () -> Optional.ofNullable(parts.remembered().read()), read -> {
                    last = read.orElse(null);
                    whenRead.run();
                });
    }

    /**
     * Compares the view with the found devices, and with samples of their tables.
     *
     * @param found the found subnet with the LIDs that it is given
     */
    public void compare(Subnet found, PartitionSettings partitions) {
        whenRead = () -> {
            PublishedView view = last;
            if (view != null && isFound(view, found)) {
                whenRead = () -> {};
                sample(view, found.fabric(), () -> serve(adopted(view, partitions), found.fabric()));
            }
        };
        whenRead.run();
    }

    private void serve(PublishedView view, Fabric found) {
        parts.remembered().serve(view);
        parts.listener().accept(new SweepEvent.ViewRemembered(view));
        MasterSmLidStage.toHosts().start(stages, found, written -> {});
    }

    /** Returns the view as one of this SM. */
    private PublishedView adopted(PublishedView view, PartitionSettings partitions) {
        Fabric fabric = view.subnet().fabric();
        return new PublishedView(
                view.subnet(),
                view.plan(),
                view.multicast(),
                PartitionPlan.of(partitions, fabric, port -> PortKeys.NONE),
                parts.client().localPort().portGuid(),
                settings.subnetTimeout(),
                ClassPortInfo.responseTimeValue(parts.client().timeoutMs()),
                view.qos(),
                QosTables.NONE,
                PublishedView.REMEMBERED);
    }

    private boolean isFound(PublishedView view, Subnet found) {
        Subnet before = view.subnet();
        Fabric was = before.fabric();
        Fabric is = found.fabric();
        int own = was.port(is.nodePort(is.localPort()));
        int maker = was.endport(view.smPortGuid());
        int masterLid = maker == Fabric.NONE ? 0 : before.lid(maker);
        return own != Fabric.NONE
                && before.lid(own) == found.smLid()
                && masterLid != 0
                && was.switchCount() > 0
                && was.switchCount() == is.switchCount()
                && IntStream.range(0, was.switchCount()).allMatch(sw -> isSameSwitch(before, found, sw, masterLid))
                && IntStream.range(0, was.portCount()).allMatch(port -> isSamePort(before, found, port));
    }

    private static boolean isSameSwitch(Subnet before, Subnet found, int sw, int masterLid) {
        Fabric was = before.fabric();
        Fabric is = found.fabric();
        SwitchInfo info = is.node(sw).switchInfo();
        PortInfo port0 = is.portInfo(is.port(sw, 0));
        return was.nodeGuid(sw) == is.nodeGuid(sw)
                && was.numPorts(sw) == is.numPorts(sw)
                && info != null
                && info.linearFdbTop() >= before.topLid()
                && port0 != null
                && port0.masterSmLid() == masterLid
                && hasLid(found, is.port(sw, 0), before.lid(was.port(sw, 0)));
    }

    /** Checks whether a port has a LID and keeps it. */
    private static boolean hasLid(Subnet found, int port, int lid) {
        PortInfo info = found.fabric().portInfo(port);
        return info != null && info.lid() == lid && found.lid(port) == lid;
    }

    /**
     * Checks the end of a cable of the view. A cable between switches is there and ACTIVE. A host is absent, or at its
     * switch port with its LID.
     */
    private static boolean isSamePort(Subnet before, Subnet found, int port) {
        Fabric was = before.fabric();
        Fabric is = found.fabric();
        int far = was.peer(port);
        if (far == Fabric.NONE) {
            return true;
        }
        int now = is.port(was.nodePort(port));
        int farNow = now == Fabric.NONE ? Fabric.NONE : is.peer(now);
        boolean isInPlace = farNow != Fabric.NONE && is.nodePort(farNow).equals(was.nodePort(far));
        if (!was.isSwitch(was.nodeOf(port))) {
            return farNow == Fabric.NONE || isInPlace && hasLid(found, now, before.lid(port));
        }
        PortInfo info = now == Fabric.NONE ? null : is.portInfo(now);
        return !was.isSwitch(was.nodeOf(far)) || isInPlace && info != null && info.portState() == PortInfo.STATE_ACTIVE;
    }

    /** Reads a block and a row of each switch; calls back if all are as in the view. */
    private void sample(PublishedView view, Fabric found, Runnable then) {
        MadScope scope = stages.scope();
        Plan plan = view.plan();
        for (int sw = 0; sw < found.switchCount(); sw++) {
            byte[] lft = plan.lft(sw);
            int block = sw % ((lft.length + LIDS_PER_BLOCK - 1) / LIDS_PER_BLOCK);
            scope.submit(sample(LinearForwardingTable.TYPE, found, sw, block, table -> isBlock(lft, block, table)));
            int[] cables = cables(view.subnet().fabric(), sw);
            if (view.qos() && cables.length > 1) {
                int of = sw;
                int in = cables[sw % cables.length];
                int out = cables[(sw + 1) % cables.length];
                int vls = settings.links().operationalVls(found, found.port(sw, out));
                scope.submit(sample(
                        SlToVlMappingTable.TYPE,
                        found,
                        sw,
                        in << Byte.SIZE | out,
                        row -> row.packed() == LinkSettings.foldRow(plan.sl2vl(of, in, out), vls)));
            }
        }
        scope.whenIdle(stages.guarded(() -> {
            if (!isContradicted) {
                then.run();
            }
        }));
    }

    private <A extends Attribute<A>> SmpRequest<A> sample(
            AttributeType<A> type, Fabric found, int sw, int modifier, Predicate<A> isExpected) {
        return SmpRequest.get(
                type,
                found.node(sw).path(),
                modifier,
                outcome -> isContradicted |=
                        !(outcome instanceof Outcome.Reply<A> reply && isExpected.test(reply.value())));
    }

    /** Compares a block with a table. No port has LID 0, and devices need not store its entry. */
    private static boolean isBlock(byte[] lft, int block, LinearForwardingTable table) {
        int first = block * LIDS_PER_BLOCK;
        return IntStream.range(Math.max(1, first), Math.min(lft.length, first + LIDS_PER_BLOCK))
                .allMatch(lid -> (lft[lid] & 0xff) == table.port(lid - first));
    }

    /** Returns the numbers of the ports with cables to switches. */
    private static int[] cables(Fabric fabric, int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .filter(portNum -> fabric.switchBehind(fabric.port(sw, portNum)) != Fabric.NONE)
                .toArray();
    }
}
