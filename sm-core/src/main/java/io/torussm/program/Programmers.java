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
 * The programmers of the devices of a fabric, with the known tables of devices from sweep to sweep. Owner thread: the
 * loop.
 */
public final class Programmers {
    private final TableProgrammer tables;
    private final PartitionProgrammer partitions = new PartitionProgrammer();
    private final GroupProgrammer groups;
    private final GuidProgrammer guids;
    private final NonCompliantPorts nonCompliantPorts = new NonCompliantPorts();
    private final UnconfirmedLinks unconfirmedLinks = new UnconfirmedLinks();

    /** The last discovered fabric; null before the first one. */
    private @Nullable Fabric lastFabric;

    /** A consumer of the results of writes between sweeps. Called on the loop. */
    public interface GroupListener {
        /**
         * Reports that groups changed, and that the switches are programmed as far as writes succeeded.
         */
        void onProgrammed();

        /** Reports a failed write, which is left to the next sweep. */
        void onFailedWrite();
    }

    /**
     * Creates programmers without known tables.
     *
     * @param vlArbitration function that returns the policy for a plan, called for every plan
     * @param pool executor that computes the order of a change
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

    /** Returns the stage that enables or disables FDR10 on links in INITIALIZE. */
    public Stage<Fabric, Integer> fdr10(SweepSettings settings) {
        return new Fdr10Programmer(settings.links().speeds().fdr10());
    }

    /** Returns the stage that configures ports and activates links. */
    public LinkActivator links(SweepSettings settings, VlArbitrationPolicy vlArbitration) {
        return new LinkActivator(settings, vlArbitration, nonCompliantPorts);
    }

    /**
     * Receives a new fabric, and removes the known tables of devices for which they are uncertain:
     *
     * <ul>
     *   <li>A device without a cable of the previous fabric, because it may have exchanged its NodeGUID with another.
     *   <li>Two devices, if the previous route to the first now leads to the second. The second may have responded and
     *       been written in place of the first.
     * </ul>
     */
    public void onDiscovery(Fabric currentFabric) {
        Fabric previousFabric = lastFabric;
        lastFabric = currentFabric;
        if (previousFabric == null || previousFabric == currentFabric) {
            return;
        }
        for (int node = 0; node < currentFabric.nodeCount(); node++) {
            if (tables.knowsAnyTable(currentFabric.nodeGuid(node))
                    && !keepsACable(previousFabric, currentFabric, node)) {
                forgetTables(currentFabric.nodeGuid(node));
            }
        }
        for (int node = 0; node < previousFabric.nodeCount(); node++) {
            DrPath path = previousFabric.node(node).path();
            int currentNode = currentFabric.nodeByGuid(previousFabric.nodeGuid(node));
            boolean isOnPath = currentNode != Fabric.NONE
                    && currentFabric.node(currentNode).path().equals(path);
            int nodeOnPath = isOnPath ? currentNode : currentFabric.nodeAt(path);
            if (nodeOnPath != Fabric.NONE && nodeOnPath != currentNode) {
                forgetTables(currentFabric.nodeGuid(nodeOnPath));
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
            int previousPort = previousFabric.port(new NodePort(currentFabric.nodeGuid(node), portNum));
            int previousFar = previousPort == Fabric.NONE ? Fabric.NONE : previousFabric.peer(previousPort);
            if (far != Fabric.NONE
                    && previousFar != Fabric.NONE
                    && currentFabric.nodePort(far).equals(previousFabric.nodePort(previousFar))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Records ports (by index) whose links became ACTIVE. Until the switches at a link are read again, the devices at
     * its ends may have restarted unnoticed.
     */
    public void onActivation(Fabric fabric, BitSet ports) {
        unconfirmedLinks.addActivated(fabric, ports);
    }

    /** Records that a switch was read and its reported changes were handled. */
    public void onSwitchRead(long switchGuid) {
        unconfirmedLinks.removeSwitch(switchGuid);
    }

    /** Handles a change that a switch reports: devices at the ends of its new links may have lost their tables. */
    public void onPortChange(long switchGuid) {
        unconfirmedLinks.suspects(switchGuid).forEach(tables::forget);
    }

    /**
     * Removes the known tables of devices whose links became ACTIVE in a sweep with failed writes. The devices may have
     * restarted after their tables were written, and an ACTIVE link does not show this.
     */
    public void forgetActivated(Fabric fabric, BitSet ports) {
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
     * @return empty if the device is no switch, or if the block is unknown
     */
    public List<TableProbe<?>> probeOf(Fabric fabric, int node, int lid) {
        return TableProbes.ofBlock(fabric, node, tables.held(fabric, node), partitions, lid);
    }

    /** Removes the known tables of a device, and the settings that its ports reject. */
    public void forget(long nodeGuid) {
        tables.forget(nodeGuid);
        nonCompliantPorts.forget(nodeGuid);
    }

    /** Removes the known tables of all devices. */
    public void forgetDevices() {
        tables.forgetAll();
        partitions.forgetAll();
        lastFabric = null;
    }

    /** Removes the whole state, because another SM is master and writes to the devices. */
    public void forgetAll() {
        forgetDevices();
        unconfirmedLinks.clear();
    }
}
