package io.torussm.transport.umad;

import io.torussm.mad.Gid;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.foreign.ForeignMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct ib_user_mad} with room for its MAD, for one thread and one direction: what libibumad sends from, or receives into.
 *
 * <p>Nearly all SMPs go to one address and come from one, and each access to direct memory costs a handful of calls as long as it is not compiled
 * by C2. So an address is written, or taken apart, only where it is another than that of the MAD before.
 */
final class UserMadMemory {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final ForeignMemory memory;

    /** What the header says; null if that is not known. */
    private @Nullable MadAddress address;

    /** The header that was read last, and the one before. */
    private byte[] header = new byte[UserMad.DATA];

    private byte[] headerBefore = new byte[UserMad.DATA];

    /**
     * Empty memory.
     *
     * @param madBytes the longest MAD, or message for the kernel to segment
     */
    UserMadMemory(int madBytes) {
        memory = ForeignMemory.of(UserMad.DATA + madBytes);
    }

    ForeignMemory memory() {
        return memory;
    }

    /** Puts a MAD there that is to be sent. */
    @SuppressWarnings("ReferenceEquality") // equal ones are nearly always the same, and to compare two costs more than to write one
    void put(MadAddress peer, byte[] mad) {
        if (peer != address) {
            write(peer, memory.bytes());
            address = peer;
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

    /** Reads the header of what was received, which the next two methods tell of. */
    void readHeader() {
        byte[] before = header;
        header = headerBefore;
        headerBefore = before;
        memory.bytes().get(0, header, 0, header.length);
    }

    /** Whether it is a request that comes back. */
    boolean isUndelivered() {
        return (header[UserMad.STATUS]
                        | header[UserMad.STATUS + 1]
                        | header[UserMad.STATUS + 2]
                        | header[UserMad.STATUS + 3])
                != 0;
    }

    /** Where it came from. */
    MadAddress address() {
        MadAddress known = address;
        boolean isSame = Arrays.equals(
                header, UserMad.QPN_BE, header.length, headerBefore, UserMad.QPN_BE, headerBefore.length);
        if (known == null || !isSame) {
            known = read(memory.bytes());
            address = known;
        }
        return known;
    }

    private static MadAddress read(ByteBuffer buffer) {
        GlobalRoute grh = buffer.get(UserMad.GRH_PRESENT) == 0
                ? null
                : new GlobalRoute(
                        new Gid(
                                bigEndian(buffer.getLong(UserMad.GID_BE)),
                                bigEndian(buffer.getLong(UserMad.GID_BE + Long.BYTES))),
                        buffer.get(UserMad.GID_INDEX) & 0xff,
                        buffer.get(UserMad.HOP_LIMIT) & 0xff,
                        buffer.get(UserMad.TRAFFIC_CLASS) & 0xff,
                        bigEndian(buffer.getInt(UserMad.FLOW_LABEL_BE)));
        return new MadAddress(
                bigEndian(buffer.getShort(UserMad.LID_BE)) & 0xffff,
                bigEndian(buffer.getInt(UserMad.QPN_BE)),
                buffer.get(UserMad.SL) & 0xf,
                buffer.getShort(UserMad.PKEY_INDEX) & 0xffff,
                buffer.get(UserMad.PATH_BITS) & 0x7f,
                grh);
    }

    static short bigEndian(short value) {
        return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
    }

    static int bigEndian(int value) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    static long bigEndian(long value) {
        return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }
}
