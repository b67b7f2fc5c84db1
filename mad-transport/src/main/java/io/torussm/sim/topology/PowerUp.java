package io.torussm.sim.topology;

import io.torussm.mad.Gid;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.function.ToIntFunction;

/** The attributes of devices after power-up. Those of default hardware are modelled on QDR devices and on ibsim. */
public final class PowerUp {
    /** Entries of a linear forwarding table. */
    public static final int LINEAR_FDB_CAP = 49152;

    /** Entries of a multicast forwarding table. */
    public static final int MULTICAST_FDB_CAP = 1024;

    /** Entries of a P_Key table. */
    public static final int PARTITION_CAP = 64;

    /** Entries of GUIDInfo. */
    public static final int GUID_CAP = 32;

    private static final int WIDTH_1X_4X = 3;
    private static final int SPEED_SDR_DDR_QDR = 7;
    private static final int CAP_VENDOR_CLASS = 1 << 20;
    private static final int CAP_CAPABILITY_MASK_NOTICE = 1 << 22;
    private static final int END_PORT_CAPABILITIES = PortInfo.CAP_TRAP
            | PortInfo.CAP_SL_MAPPING
            | PortInfo.CAP_EXTENDED_SPEEDS
            | PortInfo.CAP_CAPABILITY_MASK2
            | CAP_VENDOR_CLASS
            | CAP_CAPABILITY_MASK_NOTICE;

    private PowerUp() {}

    /** Returns NodeInfo as a port reports it. */
    static NodeInfo nodeInfo(Topology.Node node, int portNum) {
        Topology.Identity identity = node.identity();
        return NodeInfo.TYPE
                .zero()
                .with(NodeInfo.BASE_VERSION, 1)
                .with(NodeInfo.CLASS_VERSION, 1)
                .with(NodeInfo.NODE_TYPE, node.type())
                .with(NodeInfo.NUM_PORTS, node.numPorts())
                .with(NodeInfo.SYSTEM_IMAGE_GUID, identity.systemImageGuid())
                .with(NodeInfo.NODE_GUID, node.nodeGuid())
                .with(NodeInfo.PORT_GUID, node.portGuid(portNum))
                .with(NodeInfo.PARTITION_CAP, PARTITION_CAP)
                .with(NodeInfo.DEVICE_ID, identity.deviceId())
                .with(NodeInfo.LOCAL_PORT_NUM, portNum)
                .with(NodeInfo.VENDOR_ID, identity.vendorId());
    }

    /** Returns SwitchInfo after power-up. */
    public static SwitchInfo switchInfo(Topology.Node node, Hardware hardware) {
        return SwitchInfo.TYPE
                .zero()
                .with(SwitchInfo.LINEAR_FDB_CAP, LINEAR_FDB_CAP)
                .with(SwitchInfo.MULTICAST_FDB_CAP, MULTICAST_FDB_CAP)
                .with(SwitchInfo.PARTITION_ENFORCEMENT_CAP, PARTITION_CAP)
                .with(SwitchInfo.INBOUND_ENFORCEMENT_CAP, hardware.enforcesInbound() ? 1 : 0)
                .with(SwitchInfo.OUTBOUND_ENFORCEMENT_CAP, hardware.enforcesOutbound() ? 1 : 0)
                .with(
                        SwitchInfo.OPTIMIZED_SL2VL,
                        switch (hardware.sl2vlWildcards()) {
                            case ABSENT -> 0;
                            case MASKS -> 2;
                            case EXECUTED, REFUSED, IGNORED -> 1;
                        })
                .with(SwitchInfo.ENHANCED_PORT0, node.identity().enhancedPort0() ? 1 : 0);
    }

    /** Returns PortInfo after power-up. If a cable is plugged in, its link is trained. */
    public static PortInfo portInfo(Topology.Node node, int portNum, Hardware hardware) {
        boolean isPort0 = portNum == 0;
        boolean isLinked = isPort0 || node.peer(portNum) != null;
        PortInfo info = isPort0 || !node.isSwitch() ? endPort() : PortInfo.TYPE.zero();
        if (!node.isSwitch() && hardware.isReregistrationSupported()) {
            info = info.with(PortInfo.CAPABILITY_MASK, END_PORT_CAPABILITIES | PortInfo.CAP_CLIENT_REREGISTRATION);
        }
        if (isPort0 && hardware.hasPortStateTable()) {
            info = info.with(
                    PortInfo.CAPABILITY_MASK2,
                    info.get(PortInfo.CAPABILITY_MASK2) | PortInfo.CAP2_SWITCH_PORT_STATE_TABLE);
        }
        int state = isPort0 ? PortInfo.STATE_ACTIVE : isLinked ? PortInfo.STATE_INITIALIZE : PortInfo.STATE_DOWN;
        int neighborMtu =
                isPort0 ? hardware.mtus().port0Neighbor() : hardware.mtus().neighbor();
        return withLink(info, node.rate(portNum))
                .with(PortInfo.LOCAL_PORT_NUM, portNum)
                .with(PortInfo.PORT_STATE, state)
                .with(PortInfo.PORT_PHYSICAL_STATE, isLinked ? PortInfo.PHYS_LINK_UP : PortInfo.PHYS_POLLING)
                .with(PortInfo.LINK_DOWN_DEFAULT_STATE, isPort0 ? 0 : PortInfo.PHYS_POLLING)
                .with(PortInfo.NEIGHBOR_MTU, Math.min(hardware.mtus().cap(), neighborMtu))
                .with(PortInfo.MTU_CAP, hardware.mtus().cap())
                .with(PortInfo.VL_CAP, hardware.vlCap())
                .with(PortInfo.OPERATIONAL_VLS, hardware.vlCap())
                .with(PortInfo.VL_ARBITRATION_HIGH_CAP, hardware.vlArbitrationCap())
                .with(PortInfo.VL_ARBITRATION_LOW_CAP, hardware.vlArbitrationCap());
    }

    /** Returns the fields of ports with a LID: channel adapter ports, and port 0 of switches. */
    private static PortInfo endPort() {
        return PortInfo.TYPE
                .zero()
                .with(PortInfo.GID_PREFIX, Gid.DEFAULT_PREFIX)
                .with(PortInfo.CAPABILITY_MASK, END_PORT_CAPABILITIES)
                .with(PortInfo.CAPABILITY_MASK2, PortInfo.CAP2_EXTENDED_SPEEDS_2)
                .with(PortInfo.GUID_CAP, GUID_CAP)
                .with(PortInfo.RESP_TIME_VALUE, 16);
    }

    private static PortInfo withLink(PortInfo info, LinkRate rate) {
        LinkSpeed speed = rate.speed();
        int extendedSupported = supported(speed, LinkSpeed::extActive);
        int extendedSupported2 = supported(speed, LinkSpeed::extActive2);
        return speed.applyTo(info)
                .with(PortInfo.LINK_WIDTH_SUPPORTED, WIDTH_1X_4X | rate.width())
                .with(PortInfo.LINK_WIDTH_ENABLED, WIDTH_1X_4X | rate.width())
                .with(PortInfo.LINK_WIDTH_ACTIVE, rate.width())
                .with(PortInfo.LINK_SPEED_SUPPORTED, SPEED_SDR_DDR_QDR)
                .with(PortInfo.LINK_SPEED_ENABLED, SPEED_SDR_DDR_QDR)
                .with(PortInfo.LINK_SPEED_EXT_SUPPORTED, extendedSupported)
                .with(PortInfo.LINK_SPEED_EXT_ENABLED, extendedSupported)
                .with(PortInfo.LINK_SPEED_EXT_SUPPORTED2, extendedSupported2)
                .with(PortInfo.LINK_SPEED_EXT_ENABLED2, extendedSupported2);
    }

    /** Returns the codes, as bits, of all speeds up to a speed. */
    private static int supported(LinkSpeed fastest, ToIntFunction<LinkSpeed> code) {
        int codes = 0;
        for (LinkSpeed speed : LinkSpeed.values()) {
            codes |= speed.compareTo(fastest) <= 0 ? code.applyAsInt(speed) : 0;
        }
        return codes;
    }
}
