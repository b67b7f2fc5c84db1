package io.torussm.sim.agent;

import io.torussm.mad.Attribute;
import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.vport.VNodeDescription;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortGuidInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortNotice;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortActivation;
import io.torussm.sim.model.VPortModel.VPortLids;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent of the virtual ports of one port (vendor attributes 0xFFB0 to 0xFFB6). A vport has at most the state of the
 * physical port. The host of the fabric plugs vports in and out ({@link #plug}, {@link #unplug}), and the agent sends
 * a trap for each change. While virtualization is disabled, only vport 0 exists.
 */
public final class VPortAgent {
    /** P_Keys of a vport. */
    public static final int PARTITION_CAP = 64;

    private static final int GUID_CAP = 8;
    private static final int GUID_SHIFT = 40;

    private final VPortModel model;
    private final long portGuid;
    private final IntSupplier portState;
    private final TrapOutput traps;
    private final Map<Integer, VirtualPort> vports = new TreeMap<>();
    private boolean isEnabled;
    private boolean hasChanged;
    private int reregistrations;

    /** The sender of vendor traps. */
    @FunctionalInterface
    public interface TrapOutput {
        /** Sends a trap, 1144 or 1146, about a vport. */
        void send(int trapNumber, int vport);
    }

    private static final class VirtualPort {
        private final long nodeGuid;
        private final byte[] guids = VPortGuidInfo.TYPE.zero().toBytes();
        private VPortInfo info;
        private String description;
        private byte @Nullable [] pKeys;
        private int reregistrations;

        VirtualPort(VPortInfo info, long nodeGuid, String description) {
            this.info = info;
            this.nodeGuid = nodeGuid;
            this.description = description;
        }

        byte[] pKeys() {
            if (pKeys == null) {
                pKeys = VPortPKeyTable.blockOf(new short[] {(short) PKeyTable.DEFAULT_FULL}, 0)
                        .toBytes();
                pKeys = Arrays.copyOf(pKeys, 2 * PARTITION_CAP);
            }
            return pKeys;
        }
    }

    /**
     * Creates the vports of a port after power-up.
     *
     * @param portGuid GUID of the port and of vport 0
     * @param portState PortState of the port
     */
    public VPortAgent(VPortModel model, long portGuid, IntSupplier portState, TrapOutput traps) {
        this.model = model;
        this.portGuid = portGuid;
        this.portState = portState;
        this.traps = traps;
        reset();
    }

    /** Returns to the registers after power-up. */
    public void reset() {
        isEnabled = model.isEnabled();
        hasChanged = false;
        vports.clear();
        for (int i = 0; i < model.count(); i++) {
            add(i, defaultGuid(i));
        }
    }

    /** Returns the GUID that a vport of this port has after power-up; that of vport 0 is the GUID of the port. */
    public long defaultGuid(int vport) {
        return portGuid ^ (long) vport << GUID_SHIFT;
    }

    /** Checks whether a vport exists. */
    public boolean hasVPort(int vport) {
        return vports.containsKey(vport);
    }

    private void add(int vport, long guid) {
        VPortLids lids = vport == 0 ? VPortLids.SHARED : model.lids();
        VPortInfo info = VPortInfo.TYPE
                .zero()
                .with(VPortInfo.STATE, PortInfo.STATE_INITIALIZE)
                .with(VPortInfo.GUID_CAP, GUID_CAP)
                .with(VPortInfo.LID_REQUIRED, lids == VPortLids.OWN ? 1 : 0)
                .with(VPortInfo.LID_BY_VPORT_INDEX, lids == VPortLids.CHAINED ? vport - 1L : model.noVPort())
                .with(VPortInfo.PORT_GUID, guid);
        vports.put(vport, new VirtualPort(info, ~guid, "vport " + vport));
    }

    // --- the host ---

    /**
     * Plugs a vport in.
     *
     * @throws IllegalArgumentException if it exists, or exceeds VPortCap
     */
    public void plug(int vport, long guid) {
        if (vport < 0 || vport >= model.cap() || vports.containsKey(vport)) {
            throw new IllegalArgumentException("vport " + vport + " exists, or exceeds VPortCap " + model.cap());
        }
        add(vport, guid);
        reportChange(vport);
    }

    /**
     * Takes a vport away.
     *
     * @throws IllegalArgumentException if there is no such vport
     */
    public void unplug(int vport) {
        requireVPort(vport);
        vports.remove(vport);
        reportChange(vport);
    }

    /**
     * Gives a vport another GUID. Its state is INITIALIZE again.
     *
     * @throws IllegalArgumentException if there is no such vport
     */
    public void changeGuid(int vport, long guid) {
        requireVPort(vport);
        add(vport, guid);
        reportChange(vport);
    }

    /**
     * Gives the virtual node of a vport another description, and sends a trap.
     *
     * @throws IllegalArgumentException if there is no such vport
     */
    public void setDescription(int vport, String description) {
        setDescriptionSilently(vport, description);
        if (model.trap() != 0) {
            traps.send(VPortNotice.TRAP_VPORT_CHANGE, vport);
        }
    }

    /** Gives the virtual node of a vport another description without a trap, as if that was lost. */
    public void setDescriptionSilently(int vport, String description) {
        requireVPort(vport).description = description;
    }

    /** Gives a vport a LID, as another SM may have done. */
    public void setLid(int vport, int lid) {
        VirtualPort changed = requireVPort(vport);
        changed.info = changed.info.with(VPortInfo.LID, lid);
    }

    /** Changes whether a vport requires a LID of its own. */
    public void setLidRequired(int vport, boolean isRequired) {
        VirtualPort changed = requireVPort(vport);
        changed.info = changed.info.with(VPortInfo.LID_REQUIRED, isRequired ? 1 : 0);
        reportChange(vport);
    }

    private void reportChange(int vport) {
        if (isEnabled) {
            hasChanged = true;
            if (model.trap() != 0) {
                traps.send(model.trap(), vport);
            }
        }
    }

    /** Resets the state of all vports, since the link of the physical port is down. */
    public void handlePortDown() {
        hasChanged |= isEnabled;
        vports.values().forEach(each -> each.info = each.info.with(VPortInfo.STATE, PortInfo.STATE_INITIALIZE));
    }

    private VirtualPort requireVPort(int vport) {
        VirtualPort found = vports.get(vport);
        if (found == null) {
            throw new IllegalArgumentException("there is no vport " + vport);
        }
        return found;
    }

    /** Returns the registers of a vport. */
    public VPortInfo info(int vport) {
        return requireVPort(vport).info.with(VPortInfo.STATE, state(vport));
    }

    /** Returns the P_Keys of a vport, by index; 0 where there is none. */
    public int[] pKeys(int vport) {
        byte[] table = requireVPort(vport).pKeys();
        int[] all = new int[PARTITION_CAP];
        for (int i = 0; i < all.length; i++) {
            all[i] = (table[2 * i] & 0xff) << Byte.SIZE | table[2 * i + 1] & 0xff;
        }
        return all;
    }

    /** Returns how often clients of a vport were asked to repeat their registrations. */
    public int reregistrations(int vport) {
        return reregistrations + requireVPort(vport).reregistrations;
    }

    /** Checks whether virtualization is enabled. */
    public boolean isEnabled() {
        return isEnabled;
    }

    private int state(int vport) {
        VirtualPort found = vports.get(vport);
        if (found == null || (!isEnabled && vport != 0) || portState.getAsInt() < PortInfo.STATE_INITIALIZE) {
            return PortInfo.STATE_DOWN;
        }
        return Math.min(found.info.state(), portState.getAsInt());
    }

    // --- the wire ---

    /** Answers a request in its own bytes. Returns the status. */
    public int answer(byte[] mad) {
        boolean isSet = MadHeader.method(mad) == Method.SET;
        int modifier = MadHeader.attributeModifier(mad);
        int id = MadHeader.attributeId(mad);
        if (id == VirtualizationInfo.TYPE.id()) {
            return modifier == 0 ? virtualizationInfo(mad, isSet) : MadStatus.INVALID_FIELD;
        } else if (id == VPortStateTable.TYPE.id()) {
            return isSet ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE : states(mad, modifier);
        } else if (id == VPortGuidInfo.TYPE.id() || id == VPortPKeyTable.TYPE.id()) {
            VirtualPort vport = vports.get(model.modifier().vport(modifier));
            int block = model.modifier().block(modifier);
            return vport == null
                    ? MadStatus.INVALID_FIELD
                    : id == VPortGuidInfo.TYPE.id() ? guids(vport, block, mad, isSet) : pKeys(vport, block, mad, isSet);
        }
        VirtualPort vport = vports.get(modifier);
        if (id == VPortInfo.TYPE.id()) {
            return vport == null ? MadStatus.INVALID_FIELD : vportInfo(modifier, vport, mad, isSet);
        } else if (id == VNodeInfo.TYPE.id() || id == VNodeDescription.TYPE.id()) {
            return isSet
                    ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE
                    : vport == null ? MadStatus.INVALID_FIELD : vnode(vport, id, mad);
        }
        return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
    }

    private static int put(Attribute<?> value, byte[] mad) {
        value.write(mad, Smp.DATA_OFFSET);
        return MadStatus.OK;
    }

    private int virtualizationInfo(byte[] mad, boolean isSet) {
        if (isSet) {
            VirtualizationInfo wanted = VirtualizationInfo.TYPE.read(mad, Smp.DATA_OFFSET);
            isEnabled = wanted.isEnabled();
            reregistrations += (int) wanted.get(VirtualizationInfo.CLIENT_REREGISTER);
            hasChanged &= wanted.get(VirtualizationInfo.STATE_CHANGE) == 0;
        }
        int top = vports.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
        return put(
                VirtualizationInfo.TYPE
                        .zero()
                        .with(VirtualizationInfo.VPORT_CAP, model.cap())
                        .with(VirtualizationInfo.VPORT_INDEX_TOP, isEnabled ? top : 0)
                        .with(VirtualizationInfo.ENABLE, isEnabled ? 1 : 0)
                        .with(VirtualizationInfo.STATE_CHANGE, hasChanged ? 1 : 0),
                mad);
    }

    private int states(byte[] mad, int block) {
        int first = block * VPortStateTable.VPORTS_PER_BLOCK;
        if (block < 0 || first >= model.cap()) {
            return MadStatus.INVALID_FIELD;
        }
        int[] states = new int[VPortStateTable.VPORTS_PER_BLOCK];
        for (int i = 0; i < states.length; i++) {
            states[i] = vports.containsKey(first + i) ? state(first + i) : 0;
        }
        return put(VPortStateTable.of(states), mad);
    }

    private int vportInfo(int index, VirtualPort vport, byte[] mad, boolean isSet) {
        VPortInfo wanted = VPortInfo.TYPE.read(mad, Smp.DATA_OFFSET);
        if (isSet) {
            boolean hasLid = !vport.info.isLidRequired() || wanted.state() < PortInfo.STATE_ARMED || wanted.lid() != 0;
            boolean isLegal =
                    isLegalTransition(state(index), wanted.state()) && wanted.lid() <= Lids.UNICAST_LAST && hasLid;
            if (!isLegal) {
                return MadStatus.INVALID_FIELD;
            }
            if (wanted.state() != PortInfo.STATE_NO_CHANGE) {
                int next = Math.max(wanted.state(), PortInfo.STATE_INITIALIZE);
                vport.info = vport.info.with(VPortInfo.STATE, next);
            }
            if (vport.info.isLidRequired()) {
                vport.info = vport.info.with(VPortInfo.LID, wanted.lid());
            }
            vport.reregistrations += (int) wanted.get(VPortInfo.CLIENT_REREGISTER);
        }
        return put(vport.info.with(VPortInfo.STATE, state(index)), mad);
    }

    private boolean isLegalTransition(int from, int to) {
        boolean isByArmed = model.activation() == VPortActivation.BY_ARMED;
        return switch (to) {
            case PortInfo.STATE_NO_CHANGE -> true;
            case PortInfo.STATE_DOWN -> from != PortInfo.STATE_DOWN;
            case PortInfo.STATE_ARMED ->
                isByArmed && from == PortInfo.STATE_INITIALIZE && portState.getAsInt() >= PortInfo.STATE_ARMED;
            case PortInfo.STATE_ACTIVE ->
                from == (isByArmed ? PortInfo.STATE_ARMED : PortInfo.STATE_INITIALIZE)
                        && portState.getAsInt() == PortInfo.STATE_ACTIVE;
            default -> false;
        };
    }

    private static int vnode(VirtualPort vport, int id, byte[] mad) {
        return id == VNodeDescription.TYPE.id()
                ? put(VNodeDescription.of(vport.description), mad)
                : put(
                        VNodeInfo.TYPE
                                .zero()
                                .with(VNodeInfo.PARTITION_CAP, PARTITION_CAP)
                                .with(VNodeInfo.LOCAL_PORT_NUM, 1)
                                .with(VNodeInfo.NUM_PORTS, 1)
                                .with(VNodeInfo.NODE_GUID, vport.nodeGuid),
                        mad);
    }

    /** Answers GUIDs. Entry 0 of block 0 is the GUID of the vport, and stays. */
    private static int guids(VirtualPort vport, int block, byte[] mad, boolean isSet) {
        if (block != 0) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            System.arraycopy(mad, Smp.DATA_OFFSET, vport.guids, 0, vport.guids.length);
        }
        System.arraycopy(vport.guids, 0, mad, Smp.DATA_OFFSET, vport.guids.length);
        return put(VPortGuidInfo.TYPE.read(mad, Smp.DATA_OFFSET).withOwnGuid(vport.info.portGuid()), mad);
    }

    private static int pKeys(VirtualPort vport, int block, byte[] mad, boolean isSet) {
        int bytes = 2 * PKeyTable.KEYS_PER_BLOCK;
        if (block >= PARTITION_CAP / PKeyTable.KEYS_PER_BLOCK) {
            return MadStatus.INVALID_FIELD;
        }
        if (isSet) {
            System.arraycopy(mad, Smp.DATA_OFFSET, vport.pKeys(), block * bytes, bytes);
        }
        System.arraycopy(vport.pKeys(), block * bytes, mad, Smp.DATA_OFFSET, bytes);
        return MadStatus.OK;
    }
}
