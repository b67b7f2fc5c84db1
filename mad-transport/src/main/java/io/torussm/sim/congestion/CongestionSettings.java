package io.torussm.sim.congestion;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.mad.congestion.SwitchPortCongestionSetting;
import io.torussm.mad.smp.NodeInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of congestion control of one device: of a switch, of a port of a channel adapter, or none of a router.
 * Control_Map has the value of the last Set. Owner thread: the loop of the fabric.
 */
public final class CongestionSettings {
    private static final int SWITCH = 0x0014;
    private static final int SWITCH_PORTS = 0x0015;
    private static final int ADAPTER = 0x0016;
    private static final int TABLE = 0x0017;

    /** The fields of a switch that each bit of Control_Map makes valid. */
    private static final List<List<Field>> SWITCH_FIELDS = List.of(
            List.of(SwitchCongestionSetting.VICTIM_MASK),
            List.of(SwitchCongestionSetting.CREDIT_MASK),
            List.of(SwitchCongestionSetting.THRESHOLD, SwitchCongestionSetting.PACKET_SIZE),
            List.of(SwitchCongestionSetting.CS_THRESHOLD, SwitchCongestionSetting.CS_RETURN_DELAY),
            List.of(SwitchCongestionSetting.MARKING_RATE));

    private final int nodeType;
    private final SwitchPortCongestionSetting[] portBlocks;
    private final Map<Integer, CongestionControlTable> tableBlocks = new HashMap<>();
    private SwitchCongestionSetting ofSwitch = SwitchCongestionSetting.TYPE.zero();
    private CaCongestionSetting ofAdapter = CaCongestionSetting.TYPE.zero();
    private int limit;

    CongestionSettings(int nodeType, int numPorts) {
        this.nodeType = nodeType;
        int blocks = nodeType == NodeInfo.SWITCH ? numPorts / SwitchPortCongestionSetting.PORTS + 1 : 0;
        portBlocks = new SwitchPortCongestionSetting[blocks];
        Arrays.fill(portBlocks, SwitchPortCongestionSetting.TYPE.zero());
    }

    /** Returns SwitchCongestionSetting; all 0 if this is no switch. */
    public SwitchCongestionSetting ofSwitch() {
        return ofSwitch;
    }

    /** Returns CACongestionSetting; all 0 if this is no port of a channel adapter. */
    public CaCongestionSetting ofAdapter() {
        return ofAdapter;
    }

    /** Returns a block of CongestionControlTable. */
    public CongestionControlTable table(int block) {
        return tableBlocks
                .getOrDefault(block, CongestionControlTable.TYPE.zero())
                .with(CongestionControlTable.CCTI_LIMIT, limit);
    }

    private boolean has(byte[] mad) {
        return switch (MadHeader.attributeId(mad)) {
            case SWITCH, SWITCH_PORTS -> nodeType == NodeInfo.SWITCH;
            case ADAPTER, TABLE -> nodeType == NodeInfo.CHANNEL_ADAPTER;
            default -> false;
        };
    }

    private boolean hasBlock(byte[] mad, CongestionInfo info) {
        int blocks =
                switch (MadHeader.attributeId(mad)) {
                    case SWITCH_PORTS -> portBlocks.length;
                    case TABLE -> info.tableBlocks();
                    default -> 1;
                };
        return Integer.compareUnsigned(MadHeader.attributeModifier(mad), blocks) < 0;
    }

    /** Returns the status of a request for an attribute and block, before it is executed. */
    private int status(byte[] mad, CongestionInfo info) {
        if (!has(mad)) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }
        return hasBlock(mad, info) ? MadStatus.OK : MadStatus.INVALID_FIELD;
    }

    int get(byte[] mad, CongestionInfo info) {
        int status = status(mad, info);
        if (status != MadStatus.OK) {
            return status;
        }
        int block = MadHeader.attributeModifier(mad);
        switch (MadHeader.attributeId(mad)) {
            case SWITCH -> ofSwitch.write(mad, CongestionMad.DATA_OFFSET);
            case SWITCH_PORTS -> portBlocks[block].write(mad, CongestionMad.DATA_OFFSET);
            case ADAPTER -> ofAdapter.write(mad, CongestionMad.DATA_OFFSET);
            default -> table(block).write(mad, CongestionMad.DATA_OFFSET);
        }
        return MadStatus.OK;
    }

    int set(byte[] mad, CongestionInfo info) {
        int status = status(mad, info);
        if (status != MadStatus.OK) {
            return status;
        }
        int block = MadHeader.attributeModifier(mad);
        switch (MadHeader.attributeId(mad)) {
            case SWITCH -> setSwitch(SwitchCongestionSetting.TYPE.read(mad, CongestionMad.DATA_OFFSET));
            case SWITCH_PORTS ->
                portBlocks[block] = SwitchPortCongestionSetting.TYPE.read(mad, CongestionMad.DATA_OFFSET);
            case ADAPTER -> setAdapter(CaCongestionSetting.TYPE.read(mad, CongestionMad.DATA_OFFSET));
            default -> {
                return setTable(
                        block, CongestionControlTable.TYPE.read(mad, CongestionMad.DATA_OFFSET), info.tableBlocks());
            }
        }
        return MadStatus.OK;
    }

    private void setSwitch(SwitchCongestionSetting newer) {
        long map = newer.get(SwitchCongestionSetting.CONTROL_MAP);
        byte[] result = ofSwitch.toBytes();
        byte[] bytes = newer.toBytes();
        for (int bit = 0; bit < SWITCH_FIELDS.size(); bit++) {
            if ((map >> bit & 1) != 0) {
                SWITCH_FIELDS.get(bit).forEach(field -> copy(field, bytes, result));
            }
        }
        SwitchCongestionSetting.CONTROL_MAP.set(result, 0, map);
        ofSwitch = SwitchCongestionSetting.TYPE.read(result, 0);
    }

    private static void copy(Field field, byte[] from, byte[] to) {
        if (field.width() > Long.SIZE) {
            System.arraycopy(
                    from, field.offset() / Byte.SIZE, to, field.offset() / Byte.SIZE, field.width() / Byte.SIZE);
        } else {
            field.set(to, 0, field.get(from, 0));
        }
    }

    private void setAdapter(CaCongestionSetting newer) {
        long map = newer.get(CaCongestionSetting.CONTROL_MAP);
        CaCongestionSetting result = ofAdapter
                .with(CaCongestionSetting.PORT_CONTROL, newer.get(CaCongestionSetting.PORT_CONTROL))
                .with(CaCongestionSetting.CONTROL_MAP, map);
        for (int sl = 0; sl < CaCongestionSetting.SLS; sl++) {
            if ((map >> sl & 1) != 0) {
                CaCongestionSetting.Entry entry = CaCongestionSetting.entry(sl);
                result = result.with(entry.timer(), newer.get(entry.timer()))
                        .with(entry.increase(), newer.get(entry.increase()))
                        .with(entry.triggerThreshold(), newer.get(entry.triggerThreshold()))
                        .with(entry.minimum(), newer.get(entry.minimum()));
            }
        }
        ofAdapter = result;
    }

    private int setTable(int block, CongestionControlTable newer, int blocks) {
        int newLimit = (int) newer.get(CongestionControlTable.CCTI_LIMIT);
        if (newLimit >= blocks * CongestionControlTable.ENTRIES) {
            return MadStatus.INVALID_FIELD;
        }
        limit = newLimit;
        tableBlocks.put(block, newer);
        return MadStatus.OK;
    }
}
