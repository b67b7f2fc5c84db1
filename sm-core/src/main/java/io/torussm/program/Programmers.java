package io.torussm.program;

import io.torussm.alias.AliasGuids;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.DrPath;
import io.torussm.multicast.MembershipService;
import io.torussm.program.port.Fdr10Programmer;
import io.torussm.program.port.LinkActivator;
import io.torussm.program.port.NonCompliantPorts;
import io.torussm.program.port.PartitionProgrammer;
import io.torussm.program.port.UnconfirmedLinks;
import io.torussm.program.smp.SweepSettings;
import io.torussm.program.table.TableProgrammer;
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
 * The programmers of the devices of a fabric, with their knowledge of device tables from sweep to sweep.
 * Owner thread: the loop.
 */
public final class Programmers {
    private final TableProgrammer tables;
    private final PartitionProgrammer partitions = new PartitionProgrammer();
    private final GroupProgrammer groups;
    private final GuidProgrammer guids;
    private final NonCompliantPorts nonCompliantPorts = new NonCompliantPorts();
    private final UnconfirmedLinks unconfirmedLinks = new UnconfirmedLinks();

    /** The last fabric that was read; null if there is none. */
    private @Nullable Fabric read;

    /** A consumer of the results of writes between sweeps. Called on the loop. */
    public interface GroupListener {
        /**
         * Reports that groups changed, and that the switches are programmed accordingly, as far as writes succeeded.
         */
        void programmed();

        /** Reports a failed write, which is left to the next sweep. */
        void incomplete();
    }

    /**
     * Creates programmers without knowledge of any device.
     *
     * @param vlArbitration policy, called for every plan
     * @param pool computes the order of a change
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

    /** Returns the programmer of tables. */
    public TableProgrammer tables() {
        return tables;
    }

    /** Returns the programmer of P_Key tables. */
    public PartitionProgrammer partitions() {
        return partitions;
    }

    /** Returns the programmer of multicast groups. */
    public GroupProgrammer groups() {
        return groups;
    }

    /** Returns the programmer of alias GUIDs. */
    public GuidProgrammer guids() {
        return guids;
    }

    /** Returns the stage that enables FDR10 on links that are about to rise. */
    public Stage<Fabric, Integer> fdr10(SweepSettings settings) {
        return new Fdr10Programmer(settings.links().speeds().fdr10());
    }

    /** Returns the stage that configures ports and activates links. */
    public LinkActivator links(SweepSettings settings, VlArbitrationPolicy vlArbitration) {
        return new LinkActivator(settings, vlArbitration, nonCompliantPorts);
    }

    /**
     * Takes a new fabric, and forgets devices whose tables are uncertain. A device that is new, or shares no
     * cable with the previous fabric, may have changed NodeGUIDs with another. Where the route to a device leads to
     * another one, that one may have answered, and been written, in its name.
     */
    public void read(Fabric currentFabric) {
        Fabric previousFabric = read;
        read = currentFabric;
        if (previousFabric == null || previousFabric == currentFabric) {
            return;
        }
        for (int node = 0; node < currentFabric.nodeCount(); node++) {
            if (tables.remembers(currentFabric.nodeGuid(node)) && !keepsACable(previousFabric, currentFabric, node)) {
                forgetTables(currentFabric.nodeGuid(node));
            }
        }
        for (int node = 0; node < previousFabric.nodeCount(); node++) {
            DrPath path = previousFabric.node(node).path();
            int there = currentFabric.nodeByGuid(previousFabric.nodeGuid(node));
            boolean isThere =
                    there != Fabric.NONE && currentFabric.node(there).path().equals(path);
            int inItsPlace = isThere ? there : currentFabric.nodeAt(path);
            if (inItsPlace != Fabric.NONE && inItsPlace != there) {
                forgetTables(currentFabric.nodeGuid(inItsPlace));
                forgetTables(previousFabric.nodeGuid(node));
            }
        }
    }

    private void forgetTables(long nodeGuid) {
        forget(nodeGuid);
        partitions.forget(nodeGuid);
    }

    private static boolean keepsACable(Fabric previousFabric, Fabric currentFabric, int node) {
        for (int portNum = 1; portNum <= currentFabric.numPorts(node); portNum++) {
            int far = currentFabric.peer(currentFabric.port(node, portNum));
            int then = previousFabric.port(new NodePort(currentFabric.nodeGuid(node), portNum));
            int farThen = then == Fabric.NONE ? Fabric.NONE : previousFabric.peer(then);
            if (far != Fabric.NONE
                    && farThen != Fabric.NONE
                    && currentFabric.nodePort(far).equals(previousFabric.nodePort(farThen))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes links that became ACTIVE. Until they are seen stable, devices at both ends may have restarted unnoticed.
     */
    public void linksRose(Fabric fabric, BitSet ports) {
        unconfirmedLinks.rose(fabric, ports);
    }

    /** Notes that a switch was read and its reported changes were handled. */
    public void steady(long switchGuid) {
        unconfirmedLinks.seen(switchGuid);
    }

    /** Handles a change that a switch reports: devices behind new links there may have lost their tables. */
    public void changed(long switchGuid) {
        unconfirmedLinks.suspects(switchGuid).forEach(tables::forget);
    }

    /**
     * Forgets devices at links that became ACTIVE while other writes of the same sweep failed. They may have
     * restarted after their tables were written, which would not be visible any more.
     */
    public void forgetWhereLinksRose(Fabric fabric, BitSet ports) {
        ports.stream().forEach(port -> tables.forget(fabric.nodeGuid(fabric.nodeOf(port))));
    }

    /**
     * Returns probes that compare all known tables and settings of a device.
     *
     * @param fabric the published fabric
     */
    public List<TableProbe<?>> probes(Fabric fabric, int node) {
        return TableProbes.of(fabric, node, tables.held(fabric, node), partitions);
    }

    /**
     * Returns a probe that compares the forwarding block of a LID in a switch.
     *
     * @param fabric the published fabric
     * @return empty for other devices, and if the block is not known
     */
    public List<TableProbe<?>> probeOf(Fabric fabric, int node, int lid) {
        return TableProbes.ofBlock(fabric, node, tables.held(fabric, node), partitions, lid);
    }

    /** Forgets the tables of a device, and the settings that its ports reject. */
    public void forget(long nodeGuid) {
        tables.forget(nodeGuid);
        nonCompliantPorts.forget(nodeGuid);
    }

    /** Forgets the tables of all devices. */
    public void forgetDevices() {
        tables.forgetAll();
        partitions.forgetAll();
        read = null;
    }

    /** Discards the state: another SM is master, which writes to the devices. */
    public void giveWay() {
        forgetDevices();
        unconfirmedLinks.clear();
    }
}
