package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The datagram that carries a MAD (ibsim's {@code struct sim_request}): destination and source LID, destination and source QP,
 * status, length, 256 bytes of MAD. LIDs, QPs and status are in network byte order; a LID stands in the lower half, as the sender's
 * machine counts, of a word of 32 bits. There is no room for SL, P_Key or GRH.
 */
final class MadDatagram {
    static final int LENGTH = 288;

    /** Where the MAD begins. */
    static final int MAD = 32;

    /** Status of a request that nobody answered (ETIMEDOUT). */
    static final int TIMED_OUT = 110;

    private static final int LID_SHIFT = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : Short.BYTES;
    private static final int DLID = LID_SHIFT;
    private static final int SLID = Integer.BYTES + LID_SHIFT;
    private static final int DESTINATION_QP = 8;
    private static final int SOURCE_QP = 12;
    private static final int STATUS = 16;
    private static final int MAD_LENGTH = 24;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private MadDatagram() {}

    /**
     * A datagram.
     *
     * @param status 0, or {@link #TIMED_OUT}
     */
    static byte[] of(int slid, int sourceQp, int dlid, int destinationQp, int status, byte[] mad) {
        byte[] datagram = new byte[LENGTH];
        SHORT.set(datagram, DLID, (short) dlid);
        SHORT.set(datagram, SLID, (short) slid);
        INT.set(datagram, DESTINATION_QP, destinationQp);
        INT.set(datagram, SOURCE_QP, sourceQp);
        INT.set(datagram, STATUS, status);
        LONG.set(datagram, MAD_LENGTH, (long) MadHeader.MAD_SIZE);
        System.arraycopy(mad, 0, datagram, MAD, MadHeader.MAD_SIZE);
        return datagram;
    }

    static int dlid(byte[] datagram) {
        return (short) SHORT.get(datagram, DLID) & 0xffff;
    }

    /** 0 for the base LID of the sender's port. */
    static int slid(byte[] datagram) {
        return (short) SHORT.get(datagram, SLID) & 0xffff;
    }

    static int destinationQp(byte[] datagram) {
        return (int) INT.get(datagram, DESTINATION_QP);
    }

    static int sourceQp(byte[] datagram) {
        return (int) INT.get(datagram, SOURCE_QP);
    }

    static int status(byte[] datagram) {
        return (int) INT.get(datagram, STATUS);
    }

    /** A copy of the MAD. */
    static byte[] mad(byte[] datagram) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(datagram, MAD, mad, 0, mad.length);
        return mad;
    }
}
