package io.torussm.mad.sa;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import java.util.Arrays;

/** The SA MAD (IBA 15.2.1.1): common header, RMPP header (13.6.2), SA header and 200 bytes of data. */
public final class SaMad {
    private static final Layout L = new Layout("SAMAD", MadHeader.MAD_SIZE);
    static final Field HEADER = L.bits("reserved header", 0, 192);
    public static final Field RMPP_VERSION = L.bits("RMPPVersion", 192, 8);
    public static final Field RMPP_TYPE = L.bits("RMPPType", 200, 8);
    public static final Field R_RESP_TIME = L.bits("RRespTime", 208, 5);
    public static final Field RMPP_FLAGS = L.bits("RMPPFlags", 213, 3);
    public static final Field RMPP_STATUS = L.bits("RMPPStatus", 216, 8);

    /** SegmentNumber of DATA and ACK. */
    public static final Field DATA1 = L.bits("Data1", 224, 32);

    /** PayloadLength of DATA, NewWindowLast of ACK. */
    public static final Field DATA2 = L.bits("Data2", 256, 32);

    public static final Field SM_KEY = L.bits("SM_Key", 288, 64);

    /** Distance between the beginnings of two records, in units of eight bytes. */
    public static final Field ATTRIBUTE_OFFSET = L.bits("AttributeOffset", 352, 16);

    static final Field RESERVED = L.bits("reserved", 368, 16);
    public static final Field COMPONENT_MASK = L.bits("ComponentMask", 384, 64);
    static final Field DATA_FIELD = L.bits("SubnAdminData", 448, 1600);

    /** The whole declaration. */
    public static final Layout LAYOUT = L.complete();

    /** ClassVersion of subnet administration. */
    public static final int CLASS_VERSION = 2;

    /** Byte offset of the data. */
    public static final int DATA_OFFSET = 56;

    /** Bytes of data in one MAD. */
    public static final int DATA_SIZE = 200;

    /** Bits of RMPPFlags. */
    public static final int FLAG_ACTIVE = 1;

    public static final int FLAG_FIRST = 2;
    public static final int FLAG_LAST = 4;

    private SaMad() {}

    /** Returns an SA request without data and SM_Key. */
    public static byte[] request(int method, long tid, int attributeId, int attributeModifier, long componentMask) {
        byte[] mad = MadHeader.create(MgmtClass.SUBN_ADM, CLASS_VERSION, method, tid, attributeId, attributeModifier);
        COMPONENT_MASK.set(mad, 0, componentMask);
        return mad;
    }

    /**
     * Returns the response to a request without data: the request's headers with another method and status. RMPP
     * header, SM_Key and AttributeOffset are 0.
     */
    public static byte[] response(byte[] request, int method, int status) {
        byte[] answer = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(request, 0, answer, 0, DATA_OFFSET);
        MadHeader.METHOD.set(answer, 0, method);
        MadHeader.STATUS.set(answer, 0, status);
        Arrays.fill(answer, RMPP_VERSION.offset() / Byte.SIZE, SM_KEY.offset() / Byte.SIZE + Long.BYTES, (byte) 0);
        ATTRIBUTE_OFFSET.set(answer, 0, 0);
        return answer;
    }
}
