package io.torussm.transport.rmpp;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import org.jspecify.annotations.Nullable;

/**
 * The constants and header fields of the reliable multi-packet protocol (IBA 13.6.2) that sender and receiver share.
 */
public final class Rmpp {
    /** RMPPVersion. */
    public static final int VERSION = 1;

    /** RMPPType values. */
    public static final int DATA = 1;

    public static final int ACK = 2;
    public static final int STOP = 3;
    public static final int ABORT = 4;

    /** RMPPStatus values (IBA 13.6.2.2): the only one of STOP, followed by those of ABORT. */
    public static final int RESOURCES_EXHAUSTED = 1;

    public static final int TOTAL_TIME_TOO_LONG = 118;
    public static final int INCONSISTENT_LAST = 119;
    public static final int INCONSISTENT_FIRST = 120;
    public static final int BAD_TYPE = 121;
    public static final int WINDOW_TOO_SMALL = 122;
    public static final int SEGMENT_TOO_BIG = 123;
    public static final int ILLEGAL_STATUS = 124;
    public static final int UNSUPPORTED_VERSION = 125;
    public static final int TOO_MANY_RETRIES = 126;
    public static final int UNSPECIFIED = 127;

    /** The SA header (SM_Key to ComponentMask), which every segment repeats and PayloadLength counts. */
    static final int SA_HEADER = 20;

    /** RRespTime of a sender that gives no response time. */
    private static final int RESPONSE_TIME_NONE = 0x1f;

    private Rmpp() {}

    /**
     * The identity of a transaction.
     *
     * @param lid LID of the peer
     * @param qpn QP of the peer
     * @param gid GID of the peer, which may share LID and QP with others; null without a GRH
     * @param mgmtClass management class
     * @param tid TransactionID, which the requester selected
     */
    record Key(int lid, int qpn, @Nullable Gid gid, int mgmtClass, long tid) {
        static Key of(MadAddress peer, byte[] mad) {
            GlobalRoute grh = peer.grh();
            Gid gid = grh == null ? null : grh.gid();
            return new Key(peer.lid(), peer.qpn(), gid, MadHeader.mgmtClass(mad), MadHeader.tid(mad));
        }
    }

    /** Checks whether the RMPP header is active. If not, its other fields are ignored (IBA 13.6.2.1). */
    public static boolean isActive(byte[] mad) {
        return (SaMad.RMPP_FLAGS.get(mad, 0) & SaMad.FLAG_ACTIVE) != 0;
    }

    /** Returns the RMPPType. */
    public static int type(byte[] mad) {
        return (int) SaMad.RMPP_TYPE.get(mad, 0);
    }

    /** Checks whether a MAD has no data but controls a transfer: ACK, STOP, ABORT, or an unknown type. */
    public static boolean isControl(byte[] mad) {
        return isActive(mad) && type(mad) > DATA;
    }

    /**
     * Writes the RMPP header of a segment or control message.
     *
     * @param data1 SegmentNumber of DATA and ACK
     * @param data2 PayloadLength of DATA, NewWindowLast of ACK
     */
    static void write(byte[] mad, int type, int flags, int status, long data1, long data2) {
        SaMad.RMPP_VERSION.set(mad, 0, VERSION);
        SaMad.RMPP_TYPE.set(mad, 0, type);
        SaMad.R_RESP_TIME.set(mad, 0, RESPONSE_TIME_NONE);
        SaMad.RMPP_FLAGS.set(mad, 0, SaMad.FLAG_ACTIVE | flags);
        SaMad.RMPP_STATUS.set(mad, 0, status);
        SaMad.DATA1.set(mad, 0, data1);
        SaMad.DATA2.set(mad, 0, data2);
    }
}
