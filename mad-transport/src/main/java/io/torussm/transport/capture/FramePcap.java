package io.torussm.transport.capture;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.InputFile;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pcap file of frames that preserves their peers, and their times to the nanosecond. The flags of the ERF header
 * contain one of four interface numbers, which tools display as the capture interface. {@link CaptureReader} and
 * Wireshark read such a file, too; see {@code InfinibandPcap}.
 */
public final class FramePcap {
    /** Max bytes of a frame that is not truncated. */
    public static final int MAX_FRAME = 8_000;

    /** Mask of the interface number in the flags of the ERF header. */
    private static final int INTERFACES = 3;

    private static final int VARYING_LENGTH = 4;

    /** Bytes of the two checksums after the MAD. */
    private static final int CHECKSUM_BYTES = 6;

    private static final int GRH_BYTES = 40;
    private static final int MAX_PACKET = 1 << 14;
    private static final long MAGIC = 0xa1b2c3d4L;
    private static final long NANOS = 1_000_000_000L;

    private FramePcap() {}

    /** A consumer of frames that were read. */
    public interface FrameConsumer {
        /**
         * Takes the next frame.
         *
         * @param interfaceNumber interface of the ERF header, 0 to 3
         * @throws IOException if the frame is unexpected
         */
        void accept(int interfaceNumber, Instant time, MadFrame frame) throws IOException;
    }

    /** Writes the header of a file. */
    public static void writeHeader(OutputStream out) throws IOException {
        out.write(InfinibandPcap.fileHeader());
    }

    /**
     * Writes a frame.
     *
     * @param interfaceNumber interface of the ERF header, 0 to 3
     * @param isSent true if the peer is the destination, false if it is the source
     * @param sequence number of the frame in the file
     */
    public static void write(
            OutputStream out, int interfaceNumber, boolean isSent, int sequence, Instant time, MadFrame frame)
            throws IOException {
        byte[] packet = InfinibandPcap.packet(frame, isSent, sequence, time);
        InfinibandPcap.FLAGS.set(packet, InfinibandPcap.PACKET_HEADER, VARYING_LENGTH | interfaceNumber & INTERFACES);
        out.write(packet);
    }

    /**
     * Reads a file of this class, compressed with gzip or not. If the file ends within a packet, the packets before are
     * read.
     *
     * @param name name for messages
     * @param sent bit n is set if the peers of interface n are destinations
     * @throws IOException if the stream has another format
     */
    public static void read(InputStream stream, String name, int sent, FrameConsumer taker) throws IOException {
        InputStream plain = InputFile.content(stream, name);
        byte[] header = block(plain, InfinibandPcap.FILE_HEADER);
        if (header == null
                || InfinibandPcap.MAGIC.get(header, 0) != MAGIC
                || InfinibandPcap.NETWORK.get(header, 0) != InfinibandPcap.LINK_TYPE) {
            throw new IOException(name + ": this is no file of a flight recorder; torus-smctl record makes one");
        }
        byte[] packet = packet(plain, name);
        while (packet != null) {
            readPacket(packet, sent, taker);
            packet = packet(plain, name);
        }
    }

    private static byte @Nullable [] packet(InputStream in, String name) throws IOException {
        byte[] header = block(in, InfinibandPcap.PACKET_HEADER);
        if (header == null) {
            return null;
        }
        long length = InfinibandPcap.INCLUDED.get(header, 0);
        if (length > MAX_PACKET || length < InfinibandPcap.ERF_HEADER + InfinibandPcap.MAD_OFFSET + CHECKSUM_BYTES) {
            throw new IOException(name + ": damaged: a packet of " + length + " bytes; copy or record it again");
        }
        return block(in, (int) length);
    }

    private static byte @Nullable [] block(InputStream in, int length) throws IOException {
        try {
            byte[] bytes = in.readNBytes(length);
            return bytes.length == length ? bytes : null;
        } catch (EOFException e) { // the end of the gzip stream is missing
            return null;
        }
    }

    private static void readPacket(byte[] packet, int sent, FrameConsumer taker) throws IOException {
        int interfaceNumber = (int) InfinibandPcap.FLAGS.get(packet, 0) & INTERFACES;
        boolean isSent = (sent >> interfaceNumber & 1) != 0;
        int lrh = InfinibandPcap.ERF_HEADER;
        boolean isGlobal = InfinibandPcap.LNH.get(packet, lrh) == 3;
        int transport = isGlobal ? lrh + GRH_BYTES : lrh;
        int mad = transport + InfinibandPcap.MAD_OFFSET;
        int length = packet.length - mad - CHECKSUM_BYTES;
        if (length < 0) {
            return;
        }
        byte[] bytes = new byte[length];
        System.arraycopy(packet, mad, bytes, 0, length);
        MadAddress peer = new MadAddress(
                (int) (isSent ? InfinibandPcap.DLID : InfinibandPcap.SLID).get(packet, lrh),
                (int) (isSent ? InfinibandPcap.DEST_QP : InfinibandPcap.SRC_QP).get(packet, transport),
                (int) InfinibandPcap.SL.get(packet, lrh),
                0,
                0,
                isGlobal ? route(packet, isSent) : null);
        taker.accept(interfaceNumber, time(packet), new MadFrame(peer, bytes));
    }

    private static GlobalRoute route(byte[] packet, boolean isSent) {
        int grh = InfinibandPcap.ERF_HEADER + Long.BYTES;
        Field prefix = isSent ? InfinibandPcap.DGID_PREFIX : InfinibandPcap.SGID_PREFIX;
        Field guid = isSent ? InfinibandPcap.DGID_GUID : InfinibandPcap.SGID_GUID;
        return new GlobalRoute(
                new Gid(prefix.get(packet, grh), guid.get(packet, grh)),
                0,
                (int) InfinibandPcap.HOP_LMT.get(packet, grh),
                (int) InfinibandPcap.T_CLASS.get(packet, grh),
                (int) InfinibandPcap.FLOW_LABEL.get(packet, grh));
    }

    /**
     * Returns the time of a packet. ERF stores seconds in the upper half of the timestamp, and units of 2^-32 s in the
     * lower half, finer than a nanosecond. Rounding up restores the written nanosecond, since writing rounds down.
     */
    private static Instant time(byte[] packet) {
        long stamp = Long.reverseBytes(InfinibandPcap.TIMESTAMP.get(packet, 0));
        long fraction = stamp & 0xffffffffL;
        return Instant.ofEpochSecond(stamp >>> Integer.SIZE, (fraction * NANOS + 0xffffffffL) >>> Integer.SIZE);
    }
}
