package io.torussm.sim;

import io.torussm.mad.Field;
import io.torussm.mad.Lids;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import java.util.List;

/**
 * The execution of SubnSet(PortInfo) (IBA 14.2.5.6). It checks all fields first and changes nothing if a field is
 * illegal. Then it stores the fields of this kind of port, and finally changes the state of the link.
 */
final class PortSetter {
    /**
     * Values of Enabled fields that select all supported widths or speeds; 30 and 31 of extended speeds are special.
     */
    private static final int ALL_WIDTHS = 255;

    private static final int ALL_SPEEDS = 15;
    private static final int ALL_EXTENDED_SPEEDS = 31;
    private static final int NO_EXTENDED_SPEEDS = 30;
    private static final int MAX_MTU = 5;

    private static final List<Field> ALL_PORTS =
            List.of(PortInfo.VL_HIGH_LIMIT, PortInfo.LOCAL_PHY_ERRORS, PortInfo.OVERRUN_ERRORS);
    private static final List<Field> END_PORTS = List.of(
            PortInfo.M_KEY,
            PortInfo.GID_PREFIX,
            PortInfo.LID,
            PortInfo.MASTER_SM_LID,
            PortInfo.M_KEY_LEASE_PERIOD,
            PortInfo.M_KEY_PROTECT_BITS,
            PortInfo.LMC,
            PortInfo.MASTER_SM_SL,
            PortInfo.INIT_TYPE_REPLY,
            PortInfo.M_KEY_VIOLATIONS,
            PortInfo.P_KEY_VIOLATIONS,
            PortInfo.Q_KEY_VIOLATIONS,
            PortInfo.MULTICAST_PKEY_TRAP_SUPPRESSION,
            PortInfo.SUBNET_TIME_OUT);
    private static final List<Field> SWITCH_EXTERNAL_PORTS = List.of(
            PortInfo.VL_STALL_COUNT, PortInfo.HOQ_LIFE, PortInfo.FILTER_RAW_INBOUND, PortInfo.FILTER_RAW_OUTBOUND);

    private final SimLinks links;

    PortSetter(SimLinks links) {
        this.links = links;
    }

    /** Executes a Set and returns the status. The caller writes the registers into the response. */
    int set(SimPort port, byte[] mad) {
        boolean isSwitch = port.device.isSwitch;
        boolean isPort0 = port.portNum == 0;
        boolean isLegal = hasLegalLink(port, mad)
                && (isPort0 || hasLegalStates(port, mad))
                && ((isSwitch && !isPort0) || hasLegalAddresses(port, mad));
        if (!isLegal) {
            return MadStatus.INVALID_FIELD;
        }
        int lid = port.lid();
        int smLid = port.get(PortInfo.MASTER_SM_LID);
        boolean wasActive = port.isActive();
        store(port, mad, ALL_PORTS);
        storeUnlessZero(port, mad, PortInfo.NEIGHBOR_MTU);
        storeUnlessZero(port, mad, PortInfo.OPERATIONAL_VLS);
        if (!isSwitch || isPort0) {
            store(port, mad, END_PORTS);
        } else {
            store(port, mad, SWITCH_EXTERNAL_PORTS);
            storeEnforcement(port, mad);
        }
        if (!isPort0) {
            storeLink(port, mad);
            moveLink(port, mad);
        }
        notifyHost(port, mad, lid, smLid, wasActive);
        return MadStatus.OK;
    }

    /** Notifies the host of the events that a driver of Linux derives from a Set. */
    private static void notifyHost(SimPort port, byte[] mad, int lid, int smLid, boolean wasActive) {
        GroupClient groups = port.groups;
        if (groups == null) {
            return;
        }
        if (port.lid() != lid) {
            groups.handleEvent(GroupClient.Event.LID_CHANGE);
        }
        if (port.get(PortInfo.MASTER_SM_LID) != smLid) {
            groups.handleEvent(GroupClient.Event.SM_CHANGE);
        }
        if (requestedValue(mad, PortInfo.CLIENT_REREGISTER) != 0
                && (PortInfo.CAPABILITY_MASK.get(port.info, 0) & PortInfo.CAP_CLIENT_REREGISTRATION) != 0) {
            groups.handleEvent(GroupClient.Event.CLIENT_REREGISTER);
        }
        if (port.isActive() && !wasActive) {
            groups.handleEvent(GroupClient.Event.PORT_ACTIVE);
        }
    }

    /** Stores partition enforcement. A switch that cannot check a direction accepts the Set and leaves the bit at 0. */
    private static void storeEnforcement(SimPort port, byte[] mad) {
        if (SwitchInfo.INBOUND_ENFORCEMENT_CAP.get(port.device.switchInfo, 0) != 0) {
            store(port, mad, List.of(PortInfo.PARTITION_ENFORCEMENT_INBOUND));
        }
        if (SwitchInfo.OUTBOUND_ENFORCEMENT_CAP.get(port.device.switchInfo, 0) != 0) {
            store(port, mad, List.of(PortInfo.PARTITION_ENFORCEMENT_OUTBOUND));
        }
    }

    private static int requestedValue(byte[] mad, Field field) {
        return (int) field.get(mad, Smp.DATA_OFFSET);
    }

    private static boolean hasLegalLink(SimPort port, byte[] mad) {
        int width = requestedValue(mad, PortInfo.LINK_WIDTH_ENABLED);
        int speed = requestedValue(mad, PortInfo.LINK_SPEED_ENABLED);
        int extended = requestedValue(mad, PortInfo.LINK_SPEED_EXT_ENABLED);
        return requestedValue(mad, PortInfo.OPERATIONAL_VLS) <= port.get(PortInfo.VL_CAP)
                && requestedValue(mad, PortInfo.NEIGHBOR_MTU) <= Math.min(MAX_MTU, port.get(PortInfo.MTU_CAP))
                && (width == ALL_WIDTHS || isSubset(width, port.get(PortInfo.LINK_WIDTH_SUPPORTED)))
                && (speed == ALL_SPEEDS || isSubset(speed, port.get(PortInfo.LINK_SPEED_SUPPORTED)))
                && (extended >= NO_EXTENDED_SPEEDS || isSubset(extended, port.get(PortInfo.LINK_SPEED_EXT_SUPPORTED)));
    }

    private static boolean isSubset(int mask, int supported) {
        return (mask & ~supported) == 0;
    }

    /** Returns true for a step of one state up, or down from any state (IBA 14.2.5.6, PortState). */
    private static boolean hasLegalStates(SimPort port, byte[] mad) {
        int current = port.state();
        boolean isLegalState =
                switch (requestedValue(mad, PortInfo.PORT_STATE)) {
                    case PortInfo.STATE_NO_CHANGE -> true;
                    case PortInfo.STATE_DOWN -> current != PortInfo.STATE_DOWN || changesPhysicalState(mad);
                    case PortInfo.STATE_ARMED -> current == PortInfo.STATE_INITIALIZE;
                    case PortInfo.STATE_ACTIVE -> current == PortInfo.STATE_ARMED;
                    default -> false;
                };
        return isLegalState
                && requestedValue(mad, PortInfo.PORT_PHYSICAL_STATE) <= PortInfo.PHYS_DISABLED
                && requestedValue(mad, PortInfo.LINK_DOWN_DEFAULT_STATE) <= PortInfo.PHYS_POLLING;
    }

    private static boolean changesPhysicalState(byte[] mad) {
        return requestedValue(mad, PortInfo.PORT_PHYSICAL_STATE) != 0;
    }

    /** Returns true for unicast LIDs and a legal LMC. Port 0 of a switch has a single LID unless it is enhanced. */
    private static boolean hasLegalAddresses(SimPort port, byte[] mad) {
        boolean isBase = port.portNum == 0 && SwitchInfo.ENHANCED_PORT0.get(port.device.switchInfo, 0) == 0;
        return requestedValue(mad, PortInfo.LID) <= Lids.UNICAST_LAST
                && requestedValue(mad, PortInfo.MASTER_SM_LID) <= Lids.UNICAST_LAST
                && (!isBase || requestedValue(mad, PortInfo.LMC) == 0);
    }

    private static void store(SimPort port, byte[] mad, List<Field> fields) {
        for (Field field : fields) {
            field.set(port.info, 0, field.get(mad, Smp.DATA_OFFSET));
        }
    }

    private static void storeUnlessZero(SimPort port, byte[] mad, Field field) {
        int value = requestedValue(mad, field);
        if (value != 0) {
            port.set(field, value);
        }
    }

    private static void storeLink(SimPort port, byte[] mad) {
        storeUnlessZero(port, mad, PortInfo.LINK_DOWN_DEFAULT_STATE);
        storeEnabled(port, mad, PortInfo.LINK_WIDTH_ENABLED, ALL_WIDTHS, PortInfo.LINK_WIDTH_SUPPORTED);
        storeEnabled(port, mad, PortInfo.LINK_SPEED_ENABLED, ALL_SPEEDS, PortInfo.LINK_SPEED_SUPPORTED);
        storeEnabled(
                port, mad, PortInfo.LINK_SPEED_EXT_ENABLED, ALL_EXTENDED_SPEEDS, PortInfo.LINK_SPEED_EXT_SUPPORTED);
    }

    private static void storeEnabled(SimPort port, byte[] mad, Field field, int all, Field supported) {
        int value = requestedValue(mad, field);
        if (value != 0) {
            port.set(field, value == all ? port.get(supported) : value);
        }
    }

    private void moveLink(SimPort port, byte[] mad) {
        int state = requestedValue(mad, PortInfo.PORT_STATE);
        int physical = requestedValue(mad, PortInfo.PORT_PHYSICAL_STATE);
        if (physical != 0) {
            links.downBySet(port, physical);
        } else if (state == PortInfo.STATE_DOWN) {
            links.downBySet(port, SimLinks.restingState(port));
        } else if (state != PortInfo.STATE_NO_CHANGE) {
            port.set(PortInfo.PORT_STATE, state);
        }
    }
}
