package io.torussm.transport.capture;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.transport.InputFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of MADs in a pcap file. It accepts files of {@link MadTap} and ibdump (both "Extensible Record Format",
 * ERF) and bare InfiniBand packets (link type 247). Either byte order is accepted, and compression with gzip.
 *
 * <p>Packets are skipped unless they are MADs of 256 bytes to or from QP0 or QP1. If a file ends within a packet, as
 * after the death of its writer, it is read up to that packet.
 */
public final class CaptureReader {
    /** Max MADs of one file; a larger file is refused. */
    static final int MAX_MADS = 1 << 22;

    private static final long MICROSECOND_MAGIC = 0xa1b2c3d4L;
    private static final long NANOSECOND_MAGIC = 0xa1b23c4dL;
    private static final int LINK_TYPE_INFINIBAND = 247;

    /** Max bytes of a packet. A larger length shows that the file is damaged. */
    private static final int MAX_PACKET = 1 << 18;

    /** Bit of the ERF record type, and of each extension header, that announces an extension header of 8 bytes. */
    private static final int ERF_MORE_HEADERS = 0x80;

    private static final int ERF_TYPE = 0x7f;

    private static final int ERF_EXTENSION_BYTES = 8;
    private static final int LRH_BYTES = 8;
    private static final int GRH_BYTES = 40;

    /** Values of LNH, the lower two bits of byte 1 of the LRH. */
    private static final int NEXT_IS_GRH = 3;

    private static final int NEXT_IS_BTH = 2;

    /** OpCode of an unreliable datagram of one packet. */
    private static final int UD_SEND_ONLY = 0x64;

    private final InputStream input;
    private final String name;
    private final List<byte[]> mads = new ArrayList<>();

    private CaptureReader(InputStream in, String name) {
        this.input = in;
        this.name = name;
    }

    /**
     * Returns all MADs of a file in their order.
     *
     * @return arrays of 256 bytes
     * @throws IOException if the file cannot be read or is no such capture; the message names the file and the remedy
     */
    public static List<byte[]> read(Path file) throws IOException {
        try (InputStream in = InputFile.open(file)) {
            return read(in, file.toString());
        }
    }

    /**
     * Returns all MADs of a stream in their order. The stream stays open.
     *
     * @param name name of the stream for messages
     * @return arrays of 256 bytes
     * @throws IOException if the stream cannot be read or is no such capture
     */
    public static List<byte[]> read(InputStream stream, String name) throws IOException {
        CaptureReader reader = new CaptureReader(InputFile.content(stream, name), name);
        reader.readFile();
        return reader.mads;
    }

    /** Checks whether a file begins like a capture, compressed or not. Returns false if the file cannot be read. */
    public static boolean isCapture(Path file) {
        try (InputStream in = InputFile.open(file)) {
            byte[] head = in.readNBytes(Integer.BYTES);
            return head.length == Integer.BYTES
                    && (InputFile.isGzip(head) || isMagic(number(head, 0, false)) || isMagic(number(head, 0, true)));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isMagic(long magic) {
        return magic == MICROSECOND_MAGIC || magic == NANOSECOND_MAGIC;
    }

    private void readFile() throws IOException {
        byte[] header = block(InfinibandPcap.FILE_HEADER);
        boolean isLittleEndian = header != null && isMagic(number(header, 0, true));
        if (header == null || (!isLittleEndian && !isMagic(number(header, 0, false)))) {
            throw new IOException(
                    name + ": this is no pcap file; record it with torus-smctl capture or ibdump, or convert"
                            + " pcapng with: editcap -F pcap FILE NEW");
        }
        int linkType = (int) number(header, 20, isLittleEndian) & 0xffff;
        if (linkType != InfinibandPcap.LINK_TYPE && linkType != LINK_TYPE_INFINIBAND) {
            throw new IOException(name + ": link type " + linkType + " is not InfiniBand; " + InfinibandPcap.LINK_TYPE
                    + " (ERF) and " + LINK_TYPE_INFINIBAND + " are");
        }
        byte[] packet = packet(isLittleEndian);
        while (packet != null) {
            addMad(packet, linkType == InfinibandPcap.LINK_TYPE ? lrhOffset(packet) : 0);
            packet = packet(isLittleEndian);
        }
    }

    /** Returns the captured bytes of the next packet; null at the end of the file. */
    private byte @Nullable [] packet(boolean isLittleEndian) throws IOException {
        byte[] header = block(InfinibandPcap.PACKET_HEADER);
        if (header == null) {
            return null;
        }
        long length = number(header, 8, isLittleEndian);
        if (length > MAX_PACKET) {
            throw new IOException(name + ": damaged behind MAD " + mads.size() + ": a packet of " + length
                    + " bytes; cut the file before it with editcap");
        }
        return block((int) length);
    }

    /** Reads a number of bytes. Returns null if the file ends earlier. */
    private byte @Nullable [] block(int length) throws IOException {
        try {
            byte[] bytes = input.readNBytes(length);
            return bytes.length == length ? bytes : null;
        } catch (EOFException e) { // the end of the gzip stream is missing
            return null;
        }
    }

    /**
     * Returns the offset of the local route header, after the ERF headers; the length of the packet if it is not
     * InfiniBand.
     */
    private static int lrhOffset(byte[] packet) {
        int offset = InfinibandPcap.ERF_HEADER;
        if (packet.length < offset || (packet[8] & ERF_TYPE) != InfinibandPcap.ERF_INFINIBAND) {
            return packet.length;
        }
        boolean hasMore = (packet[8] & ERF_MORE_HEADERS) != 0;
        while (hasMore && offset + ERF_EXTENSION_BYTES <= packet.length) {
            hasMore = (packet[offset] & ERF_MORE_HEADERS) != 0;
            offset += ERF_EXTENSION_BYTES;
        }
        return offset;
    }

    /**
     * Adds the MAD of a packet, if it has one.
     *
     * @param lrh offset of the local route header
     */
    private void addMad(byte[] packet, int lrh) throws IOException {
        int next = lrh + LRH_BYTES <= packet.length ? packet[lrh + 1] & 3 : 0;
        // With a GRH, the fields of BTH and DETH are 40 bytes later, so they are read from a later base.
        int base = next == NEXT_IS_GRH ? lrh + GRH_BYTES : lrh;
        int mad = base + InfinibandPcap.MAD_OFFSET;
        if ((next != NEXT_IS_GRH && next != NEXT_IS_BTH) || mad + MadHeader.MAD_SIZE > packet.length) {
            return;
        }
        boolean isManagement =
                InfinibandPcap.DEST_QP.get(packet, base) <= 1 || InfinibandPcap.SRC_QP.get(packet, base) <= 1;
        boolean isMad = InfinibandPcap.OP_CODE.get(packet, base) == UD_SEND_ONLY && packet[mad] == 1;
        if (!isManagement || !isMad) {
            return;
        }
        if (mads.size() == MAX_MADS) {
            throw new IOException(name + ": more than " + MAX_MADS + " MADs; cut the file with editcap");
        }
        byte[] bytes = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(packet, mad, bytes, 0, bytes.length);
        mads.add(bytes);
    }

    /** Returns an unsigned number of 32 bits. */
    private static long number(byte[] from, int offset, boolean isLittleEndian) {
        long value = new Field("number", 8 * offset, Integer.SIZE).get(from, 0);
        return isLittleEndian ? Integer.toUnsignedLong(Integer.reverseBytes((int) value)) : value;
    }
}
