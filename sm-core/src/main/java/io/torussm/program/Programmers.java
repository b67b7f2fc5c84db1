package io.torussm.program;

import io.torussm.alias.AliasGuids;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.multicast.MembershipService;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.stage.Stage;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that writes to the devices of a fabric, with what each remembers of them from one sweep to the next. Owner thread: the
 * loop.
 */
public final class Programmers {
    private final TableProgrammer tables;
    private final PartitionProgrammer partitions = new PartitionProgrammer();
    private final GroupProgrammer groups;
    private final GuidProgrammer guids;
    private final NonCompliantPorts nonCompliantPorts = new NonCompliantPorts();
    private final UnconfirmedLinks unconfirmedLinks = new UnconfirmedLinks();

    /** The fabric that was read last; null if none was. */
    private @Nullable Fabric read;

    /** Hears of what is written between sweeps. Called on the loop. */
    public interface GroupListener {
        /** Groups changed, and the switches hold what they need, as far as they could be written. */
        void programmed();

        /** Something could not be written, and is left to the next sweep. */
        void incomplete();
    }

    /**
     * Creates programmers that know nothing of any device yet.
     *
     * @param vlArbitration asked anew for every plan
     * @param pool where the order of a change is found
     */
    public Programmers(
            MadClient client,
            Loop loop,
            Executor pool,
            Function<Plan, VlArbitrationPolicy> vlArbitration,
            MembershipService memberships,
            AliasGuids aliases,
            GroupListener listener) {
        tables = new TableProgrammer(vlArbitration, pool);
        groups = new GroupProgrammer(client, loop, tables, memberships, listener);
        guids = new GuidProgrammer(client, aliases);
    }

    public TableProgrammer tables() {
        return tables;
    }

    public PartitionProgrammer partitions() {
        return partitions;
    }

    public GroupProgrammer groups() {
        return groups;
    }

    public GuidProgrammer guids() {
        return guids;
    }

    /** The stage that enables FDR10 at links that are about to come up. */
    public Stage<Fabric, Integer> fdr10(SweepSettings settings) {
        return new Fdr10Programmer(settings.links().speeds().fdr10());
    }

    /** The stage that configures ports and brings links up. */
    public LinkActivator links(SweepSettings settings, VlArbitrationPolicy vlArbitration) {
        return new LinkActivator(settings, vlArbitration, nonCompliantPorts);
    }

    /**
     * A fabric was read. A device that was not in the last one, or shares no cable with it, may have been written to under another
     * NodeGUID, or another device under its own. Where a device was that is not there any more, another one may have answered in its
     * name. It is not known what all these contain.
     */
    public void read(Fabric now) {
        Fabric before = read;
        read = now;
        if (before == null || before == now) {
            return;
        }
        for (int node = 0; node < now.nodeCount(); node++) {
            if (tables.remembers(now.nodeGuid(node)) && !keepsACable(before, now, node)) {
                forgetTables(now.nodeGuid(node));
            }
        }
        for (int node = 0; node < before.nodeCount(); node++) {
            boolean isGone = now.nodeByGuid(before.nodeGuid(node)) == Fabric.NONE;
            int inItsPlace = isGone ? now.nodeAt(before.node(node).path()) : Fabric.NONE;
            if (inItsPlace != Fabric.NONE) {
                forgetTables(now.nodeGuid(inItsPlace));
            }
        }
    }

    private void forgetTables(long nodeGuid) {
        forget(nodeGuid);
        partitions.forget(nodeGuid);
    }

    private static boolean keepsACable(Fabric before, Fabric now, int node) {
        for (int portNum = 1; portNum <= now.numPorts(node); portNum++) {
            int far = now.peer(now.port(node, portNum));
            int then = before.port(new NodePort(now.nodeGuid(node), portNum));
            int farThen = then == Fabric.NONE ? Fabric.NONE : before.peer(then);
            if (far != Fabric.NONE
                    && farThen != Fabric.NONE
                    && now.nodePort(far).equals(before.nodePort(farThen))) {
                return true;
            }
        }
        return false;
    }

    /** Links became ACTIVE: until they are seen steady the devices at both ends may be restarted unseen. */
    public void linksRose(Fabric fabric, BitSet ports) {
        unconfirmedLinks.rose(fabric, ports);
    }

    /** A switch was read, and what it had to report has been dealt with. */
    public void steady(long switchGuid) {
        unconfirmedLinks.seen(switchGuid);
    }

    /** A switch reports a change: devices behind links that rose there may have forgotten what was written to them. */
    public void changed(long switchGuid) {
        unconfirmedLinks.suspects(switchGuid).forEach(tables::forget);
    }

    /**
     * Links became ACTIVE, but other writes of the same sweep failed. Their devices may have restarted since their tables
     * were written, and would look from now on as if they had not.
     */
    public void forgetWhereLinksRose(Fabric fabric, BitSet ports) {
        ports.stream().forEach(port -> tables.forget(fabric.nodeGuid(fabric.nodeOf(port))));
    }

    /**
     * All that a device is known to hold, as questions whether it still does.
     *
     * @param fabric that is published
     */
    public List<TableProbe<?>> probes(Fabric fabric, int node) {
        return TableProbes.of(fabric, node, tables.held(fabric, node), partitions);
    }

    /**
     * The block of a switch's forwarding table that has a LID, as a question whether it is as it was written.
     *
     * @param fabric that is published
     * @return empty for other devices, and if nothing is known of the block
     */
    public List<TableProbe<?>> probeOf(Fabric fabric, int node, int lid) {
        return TableProbes.ofBlock(fabric, node, tables.held(fabric, node), partitions, lid);
    }

    /** What the tables of a device hold is not known any more, nor what settings its ports take. */
    public void forget(long nodeGuid) {
        tables.forget(nodeGuid);
        nonCompliantPorts.forget(nodeGuid);
    }

    /** What devices hold is not known any more. */
    public void forgetDevices() {
        tables.forgetAll();
        partitions.forgetAll();
        read = null;
    }

    /** Another SM is master: it writes to the devices from now on. */
    public void giveWay() {
        forgetDevices();
        unconfirmedLinks.clear();
    }
}
