package io.torussm.mad.vport;

import io.torussm.mad.Field;
import io.torussm.mad.smp.Notice;

/**
 * The traps of vports: vendor notices whose number is in their last 16 bits. Their LIDADDR has the place of that of
 * traps 128 and 144, see {@link Notice#lidAddress}.
 */
public final class VPortNotice {
    /** Name or capabilities of a vport changed. The public headers call it a state change, too. */
    public static final int TRAP_VPORT_CHANGE = 1144;

    /** The state of a vport of the port changed, as when a virtual function arrives. */
    public static final int TRAP_VPORT_STATE = 1146;

    /** VendorID in traps of NVIDIA's devices. */
    public static final int VENDOR_NVIDIA = 0x0002c9;

    private static final int TYPE_INFORMATIONAL = 4;
    private static final Field LID_ADDRESS = new Field("LIDADDR", 96, 16);
    private static final Field VPORT_INDEX = new Field("VPortIndex", 176, 16);
    private static final Field TRAP_NUMBER = new Field("VendorTrapNumber", 496, 16);

    private VPortNotice() {}

    /** Checks whether a notice is a trap 1144 or 1146. */
    public static boolean isVPortTrap(Notice notice) {
        int number = notice.vendorTrapNumber();
        return !notice.isGeneric() && (number == TRAP_VPORT_CHANGE || number == TRAP_VPORT_STATE);
    }

    /** Returns the index of the vport of a trap 1144. */
    public static int vport(Notice notice) {
        return (int) VPORT_INDEX.get(notice.toBytes(), 0);
    }

    /**
     * Returns a trap.
     *
     * @param trapNumber 1144 or 1146
     * @param lid LID of the physical port
     * @param vport index; not part of trap 1146
     */
    public static Notice of(int trapNumber, int deviceId, int lid, int vport) {
        byte[] bytes = Notice.TYPE
                .zero()
                .with(Notice.NOTICE_TYPE, TYPE_INFORMATIONAL)
                .with(Notice.PRODUCER_TYPE, VENDOR_NVIDIA)
                .with(Notice.TRAP_NUMBER, deviceId)
                .with(Notice.ISSUER_LID, lid)
                .toBytes();
        LID_ADDRESS.set(bytes, 0, lid);
        VPORT_INDEX.set(bytes, 0, trapNumber == TRAP_VPORT_CHANGE ? vport : 0);
        TRAP_NUMBER.set(bytes, 0, trapNumber);
        return Notice.TYPE.read(bytes, 0);
    }
}
