package io.torussm.mad.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;

/** The MAD of performance management (IBA 16.1.1): common header, 40 reserved bytes, 192 bytes of data. */
public final class PerfMad {
    private static final Layout L = new Layout("PerformanceMAD", MadHeader.MAD_SIZE);
    static final Field HEADER = L.bits("reserved header", 0, 192);
    static final Field RESERVED = L.bits("reserved", 192, 320);
    static final Field DATA_FIELD = L.bits("PerformanceData", 512, 1536);

    /** The whole declaration. */
    public static final Layout LAYOUT = L.complete();

    /** ClassVersion of performance management. */
    public static final int CLASS_VERSION = 1;

    /** Byte offset of the attribute. */
    public static final int DATA_OFFSET = 64;

    /** Bytes of data in one MAD. */
    public static final int DATA_SIZE = 192;

    private PerfMad() {}

    /**
     * Returns a request.
     *
     * @param method Get or Set
     * @param tid TransactionID; 0 if the sender assigns one
     * @param attribute content; AttributeModifier is 0 for all attributes of this package
     */
    public static byte[] request(int method, long tid, Attribute<?> attribute) {
        byte[] mad = MadHeader.create(
                MgmtClass.PERF_MGT, CLASS_VERSION, method, tid, attribute.type().id(), 0);
        attribute.write(mad, DATA_OFFSET);
        return mad;
    }
}
