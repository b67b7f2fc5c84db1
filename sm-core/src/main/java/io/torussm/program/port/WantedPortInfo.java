package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.SweepSettings;
import io.torussm.program.table.PortClasses;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.MKeyStore;
import io.torussm.subnet.Subnet;

/**
 * The wanted PortInfo of every port, except for states of links: addresses and keys of end ports, settings of links.
 * Owner thread: the loop.
 */
final class WantedPortInfo {
    private final Plan plan;
    private final PartitionProgrammer.ProgrammedPartitions partitions;
    private final Subnet subnet;
    private final Fabric fabric;
    private final MKeyStore keys;
    private final SweepSettings settings;
    private final VlArbitrationPolicy vlArbitration;

    WantedPortInfo(
            LinkActivator.Input input, MKeyStore keys, SweepSettings settings, VlArbitrationPolicy vlArbitration) {
        this.plan = input.plan();
        this.partitions = input.partitions();
        this.subnet = plan.subnet().with(partitions.fabric());
        this.fabric = subnet.fabric();
        this.keys = keys;
        this.settings = settings;
        this.vlArbitration = vlArbitration;
    }

    /**
     * Returns a PortInfo with all settings of a port. Settings do not depend on responses of the port, because a false
     * response, such as a wrong M_Key, must not be written back.
     *
     * @param port port index in the fabric of the plan
     * @param current last response of the port; fields that are no settings have its values
     */
    PortInfo of(int port, PortInfo current) {
        int node = fabric.nodeOf(port);
        boolean isBasePort0 = fabric.isSwitch(node) && fabric.portNum(port) == 0 && !fabric.hasEnhancedPort0(node);
        PortInfo wanted = fabric.isEndport(port) ? withEndportSettings(port, current) : current;
        return isBasePort0 ? wanted : withLinkSettings(port, wanted);
    }

    /**
     * Returns a PortInfo with the settings that only end ports have: addresses, the current M_Key and the LID of the
     * SM. {@link MKeyRollover} changes M_Keys later.
     */
    private PortInfo withEndportSettings(int port, PortInfo current) {
        boolean isBasePort0 = fabric.isSwitch(fabric.nodeOf(port)) && !fabric.hasEnhancedPort0(fabric.nodeOf(port));
        int smSl = isBasePort0 ? 0 : plan.pathSl(subnet.lid(port), subnet.smLid(), settings.smSl());
        return current.with(PortInfo.M_KEY, keys.currentKey(fabric.portGuid(port)))
                .with(PortInfo.M_KEY_LEASE_PERIOD, settings.mKeyLeasePeriod())
                .with(PortInfo.M_KEY_PROTECT_BITS, settings.mKeyProtectBits())
                .with(PortInfo.GID_PREFIX, settings.gidPrefix())
                .with(PortInfo.LID, subnet.lid(port))
                .with(PortInfo.LMC, subnet.lmc(port))
                .with(PortInfo.MASTER_SM_LID, subnet.smLid())
                .with(PortInfo.MASTER_SM_SL, smSl < 0 ? current.get(PortInfo.MASTER_SM_SL) : smSl)
                .with(PortInfo.SUBNET_TIME_OUT, settings.subnetTimeout());
    }

    /** Returns a PortInfo with the settings that every end of a link has. */
    private PortInfo withLinkSettings(int port, PortInfo current) {
        LinkSettings links = settings.links();
        int node = fabric.nodeOf(port);
        PortInfo wanted = current.with(PortInfo.LOCAL_PHY_ERRORS, links.localPhyErrors())
                .with(PortInfo.OVERRUN_ERRORS, links.overrunErrors())
                .with(PortInfo.NEIGHBOR_MTU, links.mtu(fabric, port))
                .with(PortInfo.OPERATIONAL_VLS, links.operationalVls(fabric, port));
        if (settings.qos()) {
            wanted = wanted.with(
                    PortInfo.VL_HIGH_LIMIT,
                    PortClasses.tables(plan, vlArbitration, links, port, current)
                            .highLimit());
        }
        if (fabric.portNum(port) > 0) {
            wanted = links.speeds().applyTo(fabric, port, wanted);
        }
        if (fabric.node(node).info().nodeType() == NodeInfo.ROUTER) {
            return wanted.with(PortInfo.HOQ_LIFE, links.leafHoqLife());
        }
        if (fabric.isSwitch(node) && fabric.portNum(port) > 0) {
            boolean isLeaf = plan.role(node, fabric.portNum(port)) == PortRole.HOST_LINK;
            wanted = wanted.with(PortInfo.HOQ_LIFE, isLeaf ? links.leafHoqLife() : links.hoqLife())
                    .with(PortInfo.VL_STALL_COUNT, isLeaf ? links.leafVlStallCount() : links.vlStallCount());
            wanted = partitions.withEnforcement(port, wanted);
        }
        return wanted;
    }
}
