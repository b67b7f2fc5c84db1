package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import io.torussm.transport.datagram.DatagramEndpoint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The datagram of a MAD (ibsim's {@code struct sim_request}): destination and source LID, destination and source QP,
 * status, length, 256 bytes of MAD. LIDs, QPs and status are in network byte order. A LID is the lower half, in native
 * byte order, of a word of 32 bits. SL, P_Key and GRH are not transferred.
 *
 * <p>Clients of {@code torus-sm} and the server can agree on several MADs in one datagram
 * ({@link ControlMessage#PER_DATAGRAM}). Methods with a parameter {@code offset} read the MAD whose part of the
 * datagram begins at this byte.
 */
final class MadDatagram {
    static final int LENGTH = 288;

    /** Max MADs in one datagram. */
    static final int MAX_MADS = DatagramEndpoint.MAX_LENGTH / LENGTH;

    /** Byte offset of the MAD. */
    static final int MAD_OFFSET = 32;

    /** Status of a request without a response (ETIMEDOUT). */
    static final int STATUS_TIMED_OUT = 110;

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
     * Returns a datagram with one MAD.
     *
     * @param status 0, or {@link #STATUS_TIMED_OUT}
     * @param mad 256 bytes
     * @param length number of bytes of the MAD that its receiver counts
     */
    static byte[] of(int slid, int sourceQp, int dlid, int destinationQp, int status, byte[] mad, int length) {
        byte[] datagram = new byte[LENGTH];
        SHORT.set(datagram, DLID, (short) dlid);
        SHORT.set(datagram, SLID, (short) slid);
        INT.set(datagram, DESTINATION_QP, destinationQp);
        INT.set(datagram, SOURCE_QP, sourceQp);
        INT.set(datagram, STATUS, status);
        LONG.set(datagram, MAD_LENGTH, (long) length);
        System.arraycopy(mad, 0, datagram, MAD_OFFSET, MadHeader.MAD_SIZE);
        return datagram;
    }

    /** Returns the DLID. */
    static int dlid(byte[] datagram, int offset) {
        return (short) SHORT.get(datagram, offset + DLID) & 0xffff;
    }

    /** Returns the SLID; 0 for the base LID of the sender's port. */
    static int slid(byte[] datagram, int offset) {
        return (short) SHORT.get(datagram, offset + SLID) & 0xffff;
    }

    static int destinationQp(byte[] datagram, int offset) {
        return (int) INT.get(datagram, offset + DESTINATION_QP);
    }

    static int sourceQp(byte[] datagram, int offset) {
        return (int) INT.get(datagram, offset + SOURCE_QP);
    }

    /** Returns the status: 0, or {@link #STATUS_TIMED_OUT}. */
    static int status(byte[] datagram, int offset) {
        return (int) INT.get(datagram, offset + STATUS);
    }

    /** Returns the number of bytes of the MAD that count, 0 to 256; 256 for an invalid number. */
    static int length(byte[] datagram, int offset) {
        long length = (long) LONG.get(datagram, offset + MAD_LENGTH);
        return length < 0 || length > MadHeader.MAD_SIZE ? MadHeader.MAD_SIZE : (int) length;
    }

    /** Returns a copy of the 256 bytes of the MAD. */
    static byte[] mad(byte[] datagram, int offset) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(datagram, offset + MAD_OFFSET, mad, 0, mad.length);
        return mad;
    }
}
