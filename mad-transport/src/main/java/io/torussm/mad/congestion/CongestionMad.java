package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;

/**
 * The MAD of congestion control (IBA annex A10): common header, CC_Key, 32 bytes for logs only, 192 bytes of data.
 */
public final class CongestionMad {
    private static final Layout L = new Layout("CongestionControlMAD", MadHeader.MAD_SIZE);
    static final Field HEADER = L.bits("reserved header", 0, 192);

    /** The key of the manager; 0 for none. */
    public static final Field CC_KEY = L.bits("CC_Key", 192, 64);

    static final Field LOG_FIELD = L.bits("CongestionLogData", 256, 256);
    static final Field DATA_FIELD = L.bits("CongestionMgtData", 512, 1536);

    /** The whole declaration. */
    public static final Layout LAYOUT = L.complete();

    /** ClassVersion of congestion control. */
    public static final int CLASS_VERSION = 2;

    /** Byte offset of all attributes but {@link CongestionLog}. */
    public static final int DATA_OFFSET = 64;

    /** Byte offset of {@link CongestionLog}. */
    public static final int LOG_OFFSET = 32;

    private CongestionMad() {}

    /** Returns the byte offset of an attribute. */
    public static int dataAt(AttributeType<?> type) {
        return type.id() == CongestionLog.TYPE.id() ? LOG_OFFSET : DATA_OFFSET;
    }

    /**
     * Returns a request.
     *
     * @param method Get or Set
     * @param tid TransactionID; 0 if the sender assigns one
     * @param key CC_Key; 0 for none
     * @param modifier AttributeModifier: the number of a block, else 0
     */
    public static byte[] request(int method, long tid, long key, int modifier, Attribute<?> attribute) {
        byte[] mad = MadHeader.create(
                MgmtClass.CONGESTION_CONTROL,
                CLASS_VERSION,
                method,
                tid,
                attribute.type().id(),
                modifier);
        CC_KEY.set(mad, 0, key);
        attribute.write(mad, dataAt(attribute.type()));
        return mad;
    }
}
