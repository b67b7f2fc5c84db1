package io.torussm.mad;

/**
 * The common MAD header (IBA 13.4.3): the first 24 bytes of every 256-byte MAD. The fields that dispatch each MAD are
 * read directly, not through their {@link Field}, to save time. A test compares both ways.
 */
public final class MadHeader {
    /** Bytes of a MAD on the wire. */
    public static final int MAD_SIZE = 256;

    private static final Layout L = new Layout("MADHeader", 24);
    public static final Field BASE_VERSION = L.bits("BaseVersion", 0, 8);
    public static final Field MGMT_CLASS = L.bits("MgmtClass", 8, 8);
    public static final Field CLASS_VERSION = L.bits("ClassVersion", 16, 8);
    public static final Field METHOD = L.bits("Method", 24, 8);

    /** In directed-route SMPs the first bit of the status word is D. */
    public static final Field DIRECTION = L.bits("D", 32, 1);

    public static final Field STATUS = L.bits("Status", 33, 15);
    public static final Field HOP_POINTER = L.bits("HopPointer", 48, 8);
    public static final Field HOP_COUNT = L.bits("HopCount", 56, 8);
    public static final Field TRANSACTION_ID = L.bits("TransactionID", 64, 64);
    public static final Field ATTRIBUTE_ID = L.bits("AttributeID", 128, 16);
    static final Field RESERVED = L.bits("reserved", 144, 16);
    public static final Field ATTRIBUTE_MODIFIER = L.bits("AttributeModifier", 160, 32);

    /** The whole declaration. */
    public static final Layout LAYOUT = L.complete();

    /** Byte offset of TransactionID. */
    private static final int TID_OFFSET = 8;

    /** Byte offset of AttributeModifier. */
    private static final int MODIFIER_OFFSET = 20;

    private MadHeader() {}

    /** Returns a MAD with a common header and zeros behind it. */
    public static byte[] create(
            int mgmtClass, int classVersion, int method, long tid, int attributeId, int attributeModifier) {
        byte[] mad = new byte[MAD_SIZE];
        mad[0] = 1;
        mad[1] = (byte) mgmtClass;
        mad[2] = (byte) classVersion;
        mad[3] = (byte) method;
        putInt(mad, TID_OFFSET, (int) (tid >>> Integer.SIZE));
        putInt(mad, TID_OFFSET + Integer.BYTES, (int) tid);
        mad[16] = (byte) (attributeId >>> Byte.SIZE);
        mad[17] = (byte) attributeId;
        putInt(mad, MODIFIER_OFFSET, attributeModifier);
        return mad;
    }

    public static int mgmtClass(byte[] mad) {
        return mad[1] & 0xff;
    }

    public static int method(byte[] mad) {
        return mad[3] & 0xff;
    }

    /**
     * Checks whether a MAD is a response by bit R of its method (IBA 13.4.5). TrapRepress responds without this bit.
     */
    public static boolean isResponse(byte[] mad) {
        return (method(mad) & Method.RESPONSE) != 0;
    }

    /** Returns the status without the D bit. */
    public static int status(byte[] mad) {
        return (mad[4] & 0x7f) << Byte.SIZE | mad[5] & 0xff;
    }

    public static long tid(byte[] mad) {
        return (long) getInt(mad, TID_OFFSET) << Integer.SIZE
                | Integer.toUnsignedLong(getInt(mad, TID_OFFSET + Integer.BYTES));
    }

    public static int attributeId(byte[] mad) {
        return (mad[16] & 0xff) << Byte.SIZE | mad[17] & 0xff;
    }

    public static int attributeModifier(byte[] mad) {
        return getInt(mad, MODIFIER_OFFSET);
    }

    private static int getInt(byte[] mad, int at) {
        return mad[at] << 24 | (mad[at + 1] & 0xff) << 16 | (mad[at + 2] & 0xff) << 8 | mad[at + 3] & 0xff;
    }

    private static void putInt(byte[] mad, int at, int value) {
        mad[at] = (byte) (value >>> 24);
        mad[at + 1] = (byte) (value >>> 16);
        mad[at + 2] = (byte) (value >>> 8);
        mad[at + 3] = (byte) value;
    }
}
