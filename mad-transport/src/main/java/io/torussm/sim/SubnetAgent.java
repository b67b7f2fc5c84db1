package io.torussm.sim;

import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.sim.topology.PowerUp;
import java.util.Arrays;

/**
 * The subnet management agent of all devices (IBA 14.2.5). It answers a Get or Set with an accepted M_Key in the bytes
 * of the request. The response to a Set contains the registers afterwards; a rejection contains the request.
 */
final class SubnetAgent {
    /** Attribute IDs (IBA table 14-4), equal to those of their types, which a switch statement cannot use. */
    private static final int NODE_DESCRIPTION = 0x0010;

    private static final int NODE_INFO = 0x0011;
    private static final int SWITCH_INFO = 0x0012;
    private static final int GUID_INFO = 0x0014;
    private static final int PORT_INFO = 0x0015;
    private static final int P_KEY_TABLE = 0x0016;
    private static final int SL_TO_VL = 0x0017;
    private static final int VL_ARBITRATION = 0x0018;
    private static final int LINEAR_TABLE = 0x0019;
    private static final int MULTICAST_TABLE = 0x001B;
    private static final int PORT_STATES = 0x0034;
    private static final int GENERAL_INFO = 0xFF17;

    /**
     * AttributeModifier bits: support of extended speeds (PortInfo); all output or input ports (SLtoVLMappingTable).
     */
    private static final int SPEEDS_BIT = 1 << 31;

    private static final int ALL_OUTPUTS = 1 << 16;
    private static final int ALL_INPUTS = 1 << 17;

    private final PortSetter portSetter;

    SubnetAgent(PortSetter portSetter) {
        this.portSetter = portSetter;
    }

    /**
     * Answers a request.
     *
     * @param in port that received the request
     * @param showMKey true if PortInfo may show the M_Key
     * @return status of the response
     */
    int answer(SimPort in, byte[] mad, boolean showMKey) {
        SimDevice device = in.device;
        boolean isSet = MadHeader.method(mad) == Method.SET;
        int modifier = MadHeader.attributeModifier(mad);
        return switch (MadHeader.attributeId(mad)) {
            case NODE_DESCRIPTION ->
                isSet ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE : put(NodeDescription.TYPE, mad, device.description);
            case NODE_INFO -> isSet ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE : nodeInfo(in, mad);
            case SWITCH_INFO -> switchInfo(device, mad, isSet);
            case GUID_INFO -> guidInfo(in, mad, isSet, modifier);
            case PORT_INFO -> portInfo(in, mad, isSet, modifier & ~SPEEDS_BIT, showMKey);
            case P_KEY_TABLE -> pKeys(in, mad, isSet, modifier);
            case SL_TO_VL -> slToVl(in, mad, isSet, modifier);
            case VL_ARBITRATION -> vlArbitration(in, mad, isSet, modifier);
            case LINEAR_TABLE -> linearTable(device, mad, isSet, modifier);
            case MULTICAST_TABLE -> multicastTable(device, mad, isSet, modifier);
            case PORT_STATES -> isSet ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE : portStates(device, mad, modifier);
            case GENERAL_INFO -> isSet ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE : generalInfo(device, mad, modifier);
            default -> in.vports == null ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE : in.vports.answer(mad);
        };
    }

    private static int put(AttributeType<?> type, byte[] mad, byte[] value) {
        System.arraycopy(value, 0, mad, Smp.DATA_OFFSET, type.layout().size());
        return MadStatus.OK;
    }

    private static int nodeInfo(SimPort in, byte[] mad) {
        put(NodeInfo.TYPE, mad, in.device.nodeInfo);
        NodeInfo.PORT_GUID.set(mad, Smp.DATA_OFFSET, in.portGuid);
        NodeInfo.LOCAL_PORT_NUM.set(mad, Smp.DATA_OFFSET, in.portNum);
        return MadStatus.OK;
    }

    private static int switchInfo(SimDevice device, byte[] mad, boolean isSet) {
        if (!device.isSwitch) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }
        if (isSet) {
            if (SwitchInfo.LINEAR_FDB_TOP.get(mad, Smp.DATA_OFFSET) >= PowerUp.LINEAR_FDB_CAP) {
                return MadStatus.INVALID_FIELD;
            }
            storeSwitchInfo(device.switchInfo, mad);
        }
        return put(SwitchInfo.TYPE, mad, device.switchInfo);
    }

    private static void storeSwitchInfo(byte[] info, byte[] mad) {
        copy(SwitchInfo.LINEAR_FDB_TOP, mad, info);
        copy(SwitchInfo.DEFAULT_PORT, mad, info);
        copy(SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT, mad, info);
        copy(SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT, mad, info);
        copy(SwitchInfo.LIFE_TIME_VALUE, mad, info);
        copy(SwitchInfo.MULTICAST_FDB_TOP, mad, info);
        if (SwitchInfo.PORT_STATE_CHANGE.get(mad, Smp.DATA_OFFSET) != 0) {
            SwitchInfo.PORT_STATE_CHANGE.set(info, 0, 0);
        }
    }

    private static void copy(Field field, byte[] mad, byte[] info) {
        field.set(info, 0, field.get(mad, Smp.DATA_OFFSET));
    }

    private static int guidInfo(SimPort in, byte[] mad, boolean isSet, int block) {
        SimPort port = in.device.endPort(in);
        if (block < 0 || block >= PowerUp.GUID_CAP / GuidInfo.GUIDS_PER_BLOCK) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            port.writeGuids(block, mad, Smp.DATA_OFFSET);
        }
        port.readGuids(block, mad, Smp.DATA_OFFSET);
        return MadStatus.OK;
    }

    /** Answers PortInfo of any port. A channel adapter accepts a Set for the receiving port only. */
    private int portInfo(SimPort in, byte[] mad, boolean isSet, int portNum, boolean showMKey) {
        boolean isOwn = !in.device.isSwitch && (portNum == 0 || portNum == in.portNum);
        SimPort port = isOwn ? in : in.device.port(portNum);
        if (port == null || (isSet && !in.device.isSwitch && !isOwn)) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            int status = portSetter.set(port, mad);
            if (status != MadStatus.OK) {
                return status;
            }
        }
        put(PortInfo.TYPE, mad, port.info);
        PortInfo.LOCAL_PORT_NUM.set(mad, Smp.DATA_OFFSET, in.portNum);
        if (!showMKey) {
            PortInfo.M_KEY.set(mad, Smp.DATA_OFFSET, 0);
        }
        return MadStatus.OK;
    }

    private static int portStates(SimDevice device, byte[] mad, int block) {
        if (!device.isSwitch || !device.hardware.hasPortStateTable()) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }
        if (block < 0 || block >= SwitchPortStateTable.BLOCKS) {
            return MadStatus.INVALID_FIELD;
        }
        int[] states = new int[SwitchPortStateTable.PORTS_PER_BLOCK];
        for (int i = 0; i < states.length; i++) {
            SimPort port = device.port(block * SwitchPortStateTable.PORTS_PER_BLOCK + i);
            states[i] = port == null ? 0 : (int) PortInfo.PORT_STATE.get(port.info, 0);
        }
        return put(
                SwitchPortStateTable.TYPE, mad, SwitchPortStateTable.of(states).toBytes());
    }

    private static int generalInfo(SimDevice device, byte[] mad, int modifier) {
        if (device.vendor.capabilities().isEmpty()) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }
        boolean isKnown = modifier == GeneralInfo.MASK_MODIFIER;
        return isKnown ? put(GeneralInfo.TYPE, mad, device.vendor.generalInfo().toBytes()) : MadStatus.INVALID_FIELD;
    }

    private static int pKeys(SimPort in, byte[] mad, boolean isSet, int modifier) {
        int block = modifier & 0xffff;
        SimPort port = in.device.isSwitch ? in.device.port(modifier >>> 16) : in; // upper half: port of a switch
        if (port == null || block >= PowerUp.PARTITION_CAP / PKeyTable.KEYS_PER_BLOCK) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            port.writePKeys(block, mad, Smp.DATA_OFFSET);
        }
        port.readPKeys(block, mad, Smp.DATA_OFFSET);
        return MadStatus.OK;
    }

    private static int slToVl(SimPort in, byte[] mad, boolean isSet, int modifier) {
        SimDevice device = in.device;
        if (device.isSwitch && modifier >>> 16 != 0) {
            switch (device.hardware.sl2vlWildcards()) {
                case EXECUTED -> {
                    return isSet ? slToVlOfMany(device, mad, modifier) : MadStatus.INVALID_FIELD;
                }
                case IGNORED -> {
                    return slToVl(in, mad, isSet, modifier & 0xffff);
                }
                default -> {
                    return MadStatus.INVALID_FIELD;
                }
            }
        }
        int inPort = device.isSwitch ? modifier >>> 8 & 0xff : 0;
        int outPort = device.isSwitch ? modifier & 0xff : in.portNum;
        boolean isBase0 = device.isSwitch && outPort == 0 && !hasEnhancedPort0(device);
        if ((device.isSwitch && device.port(inPort) == null) || device.port(outPort) == null || isBase0) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            device.setSlToVl(inPort, outPort, SlToVlMappingTable.ENTRIES.get(mad, Smp.DATA_OFFSET));
        }
        clear(mad);
        SlToVlMappingTable.ENTRIES.set(mad, Smp.DATA_OFFSET, device.slToVl(inPort, outPort));
        return MadStatus.OK;
    }

    /** Sets the table of all output ports (bit 16 of the modifier), of all input ports (bit 17), or of both. */
    private static int slToVlOfMany(SimDevice device, byte[] mad, int modifier) {
        boolean hasAllOut = (modifier & ALL_OUTPUTS) != 0;
        boolean hasAllIn = (modifier & ALL_INPUTS) != 0;
        if (modifier >>> 18 != 0
                || (!hasAllIn && device.port(modifier >>> 8 & 0xff) == null)
                || (!hasAllOut && device.port(modifier & 0xff) == null)) {
            return MadStatus.INVALID_FIELD;
        }
        long row = SlToVlMappingTable.ENTRIES.get(mad, Smp.DATA_OFFSET);
        for (int in = 0; device.port(in) != null; in++) {
            for (int out = hasEnhancedPort0(device) ? 0 : 1; device.port(out) != null; out++) {
                if ((hasAllIn || in == (modifier >>> 8 & 0xff)) && (hasAllOut || out == (modifier & 0xff))) {
                    device.setSlToVl(in, out, row);
                }
            }
        }
        return MadStatus.OK;
    }

    private static boolean hasEnhancedPort0(SimDevice device) {
        return SwitchInfo.ENHANCED_PORT0.get(device.switchInfo, 0) != 0;
    }

    private static int vlArbitration(SimPort in, byte[] mad, boolean isSet, int modifier) {
        int part = modifier >>> 16;
        SimPort port = in.device.isSwitch ? in.device.port(modifier & 0xffff) : in;
        if (port == null || !port.hasVlArbitration(part)) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            port.writeVlArbitration(part, mad, Smp.DATA_OFFSET);
        }
        port.readVlArbitration(part, mad, Smp.DATA_OFFSET);
        return MadStatus.OK;
    }

    private static int linearTable(SimDevice device, byte[] mad, boolean isSet, int block) {
        if (!device.isSwitch) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }
        if (block < 0 || block >= SwitchTables.LFT_BLOCKS) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            device.tables().writeLft(block, mad, Smp.DATA_OFFSET);
        } else {
            device.tables().readLft(block, mad, Smp.DATA_OFFSET);
        }
        return MadStatus.OK;
    }

    private static int multicastTable(SimDevice device, byte[] mad, boolean isSet, int modifier) {
        if (!device.isSwitch) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }
        int position = modifier >>> 28; // group of 16 ports
        int block = modifier & 0x0fff_ffff;
        if (block >= SwitchTables.MFT_BLOCKS || position >= device.tables().positions()) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            device.tables().writeMft(block, position, mad, Smp.DATA_OFFSET);
        } else {
            device.tables().readMft(block, position, mad, Smp.DATA_OFFSET);
        }
        return MadStatus.OK;
    }

    private static void clear(byte[] mad) {
        Arrays.fill(mad, Smp.DATA_OFFSET, Smp.DATA_OFFSET + Smp.DATA_SIZE, (byte) 0);
    }
}
