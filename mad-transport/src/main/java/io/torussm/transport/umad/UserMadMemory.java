package io.torussm.transport.umad;

import io.torussm.mad.Gid;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.foreign.ForeignMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct ib_user_mad} followed by its MAD, for one thread and one direction. libibumad sends from it, or
 * receives into it.
 *
 * <p>Each access to direct memory costs several calls until C2 has compiled it. So an address is only written if it
 * differs from that of the previous MAD, and a header is read as a whole. Directed-route SMPs have equal addresses.
 */
final class UserMadMemory {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final ForeignMemory memory;

    /** The address in the header that was written last; null before the first. */
    private @Nullable MadAddress writtenAddress;

    /** A copy of the header that was read last. */
    private final byte[] header = new byte[UserMad.DATA];

    /**
     * Creates empty memory.
     *
     * @param madBytes max bytes of the MAD, or of the message that the kernel segments
     */
    UserMadMemory(int madBytes) {
        memory = ForeignMemory.of(UserMad.DATA + madBytes);
    }

    ForeignMemory memory() {
        return memory;
    }

    /** Puts a MAD there that is to be sent. */
    @SuppressWarnings("ReferenceEquality") // equal addresses are mostly one object, so few are written again
    void put(MadAddress peer, byte[] mad) {
        if (peer != writtenAddress) {
            write(peer, memory.bytes());
            writtenAddress = peer;
        }
        memory.bytes().put(UserMad.DATA, mad, 0, mad.length);
    }

    private static void write(MadAddress peer, ByteBuffer buffer) {
        buffer.putInt(UserMad.QPN_BE, bigEndian(peer.qpn()));
        buffer.putInt(UserMad.QKEY_BE, bigEndian(peer.qpn() == 0 ? 0 : peer.qKey()));
        buffer.putShort(UserMad.LID_BE, bigEndian((short) peer.lid()));
        buffer.put(UserMad.SL, (byte) peer.sl());
        buffer.put(UserMad.PATH_BITS, (byte) peer.pathBits());
        buffer.putShort(UserMad.PKEY_INDEX, (short) peer.pKeyIndex());
        GlobalRoute grh = peer.grh();
        buffer.put(UserMad.GRH_PRESENT, (byte) (grh == null ? 0 : 1));
        if (grh != null) {
            buffer.put(UserMad.GID_INDEX, (byte) grh.gidIndex());
            buffer.put(UserMad.HOP_LIMIT, (byte) grh.hopLimit());
            buffer.put(UserMad.TRAFFIC_CLASS, (byte) grh.trafficClass());
            buffer.putLong(UserMad.GID_BE, bigEndian(grh.gid().prefix()));
            buffer.putLong(UserMad.GID_BE + Long.BYTES, bigEndian(grh.gid().guid()));
            buffer.putInt(UserMad.FLOW_LABEL_BE, bigEndian(grh.flowLabel()));
        }
    }

    /** Reads the header of the received MAD, for {@link #isUndelivered} and {@link #address}. */
    void readHeader() {
        memory.bytes().get(0, header, 0, header.length);
    }

    /** Checks whether the MAD is a request that the kernel returned, as a status other than 0 shows. */
    boolean isUndelivered() {
        return number(UserMad.STATUS, Integer.BYTES) != 0;
    }

    /** Returns the sender's address of the received MAD. */
    MadAddress address() {
        GlobalRoute grh = header[UserMad.GRH_PRESENT] == 0
                ? null
                : new GlobalRoute(
                        new Gid(number(UserMad.GID_BE, Long.BYTES), number(UserMad.GID_BE + Long.BYTES, Long.BYTES)),
                        header[UserMad.GID_INDEX] & 0xff,
                        header[UserMad.HOP_LIMIT] & 0xff,
                        header[UserMad.TRAFFIC_CLASS] & 0xff,
                        (int) number(UserMad.FLOW_LABEL_BE, Integer.BYTES));
        return new MadAddress(
                (int) number(UserMad.LID_BE, Short.BYTES),
                (int) number(UserMad.QPN_BE, Integer.BYTES),
                header[UserMad.SL] & 0xf,
                bigEndian((short) number(UserMad.PKEY_INDEX, Short.BYTES)) & 0xffff,
                header[UserMad.PATH_BITS] & 0x7f,
                grh);
    }

    /**
     * Returns a big-endian number of the header.
     *
     * @param offset offset in bytes
     * @param bytes width, 1 to 8
     */
    private long number(int offset, int bytes) {
        long number = 0;
        for (int i = offset; i < offset + bytes; i++) {
            number = number << Byte.SIZE | header[i] & 0xff;
        }
        return number;
    }

    private static short bigEndian(short value) {
        return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
    }

    private static int bigEndian(int value) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    static long bigEndian(long value) {
        return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }
}
