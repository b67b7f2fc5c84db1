package io.torussm.transport.capture;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.time.Instant;

/**
 * The classic pcap format with link type 197, "Extensible Record Format" (ERF). An ERF header with type "InfiniBand"
 * precedes the local route header (LRH) of each packet. Link type 247, bare InfiniBand packets, would be simpler, but
 * tshark 4.0 does not read it.
 *
 * <p>A program that sends or receives a MAD does not see its other headers, so they are synthesized here (IBA 7.7, 9.2,
 * 9.4). SMPs have VL15 and QP0; other MADs have QP1 with the well-known Q_Key. Both checksums and the LID of the local
 * port are unknown and therefore zero. Packet sequence numbers count the packets of the file. The P_Key is the default
 * one. A MAD that was reassembled from several packets (RMPP) is written as one packet.
 */
final class InfinibandPcap {
    /** LINKTYPE_ERF. */
    static final int LINK_TYPE = 197;

    /** Max bytes of a packet that is not truncated; an InfiniBand packet has at most 4 KiB of payload. */
    static final int SNAP_LENGTH = 1 << 13;

    static final int FILE_HEADER = 24;
    static final int PACKET_HEADER = 16;
    static final int ERF_HEADER = 16;

    /** The ERF record type of InfiniBand. */
    static final int ERF_INFINIBAND = 21;

    /** ERF flag: records are as long as their packets. */
    private static final int ERF_VARYING_LENGTH = 4;

    /** Offset of the LRH, after the pcap and ERF headers. */
    private static final int LRH_OFFSET = PACKET_HEADER + ERF_HEADER;

    /** Bytes before the MAD: LRH, BTH and DETH. */
    static final int MAD_OFFSET = 28;

    private static final int LRH_BYTES = 8;
    private static final int NEXT_IS_BTH = 2;
    private static final int NEXT_IS_GRH = 3;

    /** NxtHdr of a GRH that is followed by a base transport header. */
    private static final int IBA_TRANSPORT = 0x1b;

    /** Bytes of the invariant (4) and the variant (2) checksum. */
    private static final int CHECKSUM_BYTES = 6;

    private static final int VARIANT_CRC_BYTES = 2;
    private static final int QP_MASK = 0xffffff;
    private static final long WELL_KNOWN_Q_KEY = 0x80010000L;

    private static final Layout FILE = new Layout("pcap file header", FILE_HEADER);
    static final Field MAGIC = FILE.bits("magic", 0, 32);
    static final Field MAJOR = FILE.bits("major", 32, 16);
    static final Field MINOR = FILE.bits("minor", 48, 16);
    static final Field ZONE = FILE.bits("reserved", 64, 64);
    static final Field SNAP = FILE.bits("snaplen", 128, 32);
    static final Field NETWORK = FILE.bits("network", 160, 32);

    private static final Layout RECORD = new Layout("pcap packet header", PACKET_HEADER);
    static final Field SECONDS = RECORD.bits("ts_sec", 0, 32);
    static final Field MICROSECONDS = RECORD.bits("ts_usec", 32, 32);
    static final Field INCLUDED = RECORD.bits("incl_len", 64, 32);
    static final Field ORIGINAL = RECORD.bits("orig_len", 96, 32);

    private static final Layout ERF = new Layout("ERF header", ERF_HEADER);
    static final Field TIMESTAMP = ERF.bits("timestamp, little-endian", 0, 64);
    static final Field ERF_TYPE = ERF.bits("type", 64, 8);
    static final Field FLAGS = ERF.bits("flags", 72, 8);
    static final Field RECORD_LENGTH = ERF.bits("rlen", 80, 16);
    static final Field LOSS_COUNTER = ERF.bits("lctr", 96, 16);
    static final Field WIRE_LENGTH = ERF.bits("wlen", 112, 16);

    private static final Layout L = new Layout("LRH, BTH, DETH", MAD_OFFSET);
    static final Field VL = L.bits("VL", 0, 4);
    static final Field LVER = L.bits("LVer", 4, 4);
    static final Field SL = L.bits("SL", 8, 4);
    static final Field RESERVED_12 = L.bits("reserved", 12, 2);
    static final Field LNH = L.bits("LNH", 14, 2);
    static final Field DLID = L.bits("DLID", 16, 16);
    static final Field RESERVED_32 = L.bits("reserved", 32, 5);
    static final Field PKT_LEN = L.bits("PktLen", 37, 11);
    static final Field SLID = L.bits("SLID", 48, 16);
    static final Field OP_CODE = L.bits("OpCode", 64, 8);
    static final Field SE = L.bits("SE", 72, 1);
    static final Field MIG_REQ = L.bits("M", 73, 1);
    static final Field PAD_CNT = L.bits("PadCnt", 74, 2);
    static final Field TVER = L.bits("TVer", 76, 4);
    static final Field P_KEY = L.bits("P_Key", 80, 16);
    static final Field RESERVED_96 = L.bits("reserved", 96, 8);
    static final Field DEST_QP = L.bits("DestQP", 104, 24);
    static final Field ACK_REQ = L.bits("A", 128, 1);
    static final Field RESERVED_129 = L.bits("reserved", 129, 7);
    static final Field PSN = L.bits("PSN", 136, 24);
    static final Field Q_KEY = L.bits("Q_Key", 160, 32);
    static final Field RESERVED_192 = L.bits("reserved", 192, 8);
    static final Field SRC_QP = L.bits("SrcQP", 200, 24);

    private static final Layout G = new Layout("GRH", 40);
    static final Field IP_VER = G.bits("IPVer", 0, 4);
    static final Field T_CLASS = G.bits("TClass", 4, 8);
    static final Field FLOW_LABEL = G.bits("FlowLabel", 12, 20);
    static final Field PAY_LEN = G.bits("PayLen", 32, 16);
    static final Field NXT_HDR = G.bits("NxtHdr", 48, 8);
    static final Field HOP_LMT = G.bits("HopLmt", 56, 8);
    static final Field SGID_PREFIX = G.bits("SGID prefix", 64, 64);
    static final Field SGID_GUID = G.bits("SGID GUID", 128, 64);
    static final Field DGID_PREFIX = G.bits("DGID prefix", 192, 64);
    static final Field DGID_GUID = G.bits("DGID GUID", 256, 64);
    static final Layout GRH = G.complete();
    static final Layout FILE_HEADER_LAYOUT = FILE.complete();
    static final Layout PACKET_HEADER_LAYOUT = RECORD.complete();
    static final Layout ERF_LAYOUT = ERF.complete();
    static final Layout HEADERS = L.complete();

    private InfinibandPcap() {}

    static byte[] fileHeader() {
        byte[] header = new byte[FILE_HEADER];
        MAGIC.set(header, 0, 0xa1b2c3d4L);
        MAJOR.set(header, 0, 2);
        MINOR.set(header, 0, 4);
        SNAP.set(header, 0, SNAP_LENGTH);
        NETWORK.set(header, 0, LINK_TYPE);
        return header;
    }

    /**
     * Returns a packet: the headers of pcap and ERF, the headers of the wire, and the MAD. The GID of the local port is
     * unknown.
     *
     * @param isSent true if the peer is the destination, false if it is the source
     * @param sequence number of the packet in the file
     */
    static byte[] packet(MadFrame frame, boolean isSent, int sequence, Instant time) {
        byte[] mad = frame.mad();
        GlobalRoute grh = frame.peer().grh();
        int grhBytes = grh == null ? 0 : GRH.size();
        int madOffset = MAD_OFFSET + grhBytes;
        int wireLength = madOffset + mad.length + CHECKSUM_BYTES;
        int included = Math.min(wireLength, SNAP_LENGTH - ERF_HEADER);
        byte[] packet = new byte[LRH_OFFSET + included];
        SECONDS.set(packet, 0, time.getEpochSecond() & 0xffffffffL);
        MICROSECONDS.set(packet, 0, time.getNano() / 1_000);
        INCLUDED.set(packet, 0, ERF_HEADER + included);
        ORIGINAL.set(packet, 0, ERF_HEADER + wireLength);
        writeErfHeader(packet, included, wireLength, time);
        writeHeaders(packet, frame, isSent, LRH_OFFSET + grhBytes);
        // PktLen counts units of 4 bytes without the variant checksum, and has 11 bits.
        PKT_LEN.set(packet, LRH_OFFSET, Math.min((wireLength - VARIANT_CRC_BYTES) / 4, 0x7ff));
        PSN.set(packet, LRH_OFFSET + grhBytes, sequence & QP_MASK);
        if (grh != null) {
            writeGlobalRoute(packet, grh, isSent, wireLength - LRH_BYTES - grhBytes - VARIANT_CRC_BYTES);
        }
        System.arraycopy(mad, 0, packet, LRH_OFFSET + madOffset, Math.min(mad.length, included - madOffset));
        return packet;
    }

    private static void writeGlobalRoute(byte[] packet, GlobalRoute grh, boolean isSent, int payload) {
        int grhOffset = LRH_OFFSET + LRH_BYTES;
        LNH.set(packet, LRH_OFFSET, NEXT_IS_GRH);
        IP_VER.set(packet, grhOffset, 6);
        T_CLASS.set(packet, grhOffset, grh.trafficClass() & 0xff);
        FLOW_LABEL.set(packet, grhOffset, grh.flowLabel() & 0xfffff);
        PAY_LEN.set(packet, grhOffset, Math.min(payload, 0xffff));
        NXT_HDR.set(packet, grhOffset, IBA_TRANSPORT);
        HOP_LMT.set(packet, grhOffset, grh.hopLimit() & 0xff);
        (isSent ? DGID_PREFIX : SGID_PREFIX).set(packet, grhOffset, grh.gid().prefix());
        (isSent ? DGID_GUID : SGID_GUID).set(packet, grhOffset, grh.gid().guid());
    }

    private static void writeErfHeader(byte[] packet, int included, int wireLength, Instant time) {
        long fraction = (((long) time.getNano()) << 32) / 1_000_000_000;
        TIMESTAMP.set(packet, PACKET_HEADER, Long.reverseBytes(time.getEpochSecond() << 32 | fraction));
        ERF_TYPE.set(packet, PACKET_HEADER, ERF_INFINIBAND);
        FLAGS.set(packet, PACKET_HEADER, ERF_VARYING_LENGTH);
        RECORD_LENGTH.set(packet, PACKET_HEADER, ERF_HEADER + included);
        WIRE_LENGTH.set(packet, PACKET_HEADER, Math.min(wireLength, 0xffff));
    }

    /**
     * Writes LRH, BTH and DETH.
     *
     * @param transport offset from which the fields of BTH and DETH count; with a GRH it is 40 bytes after the LRH
     */
    private static void writeHeaders(byte[] packet, MadFrame frame, boolean isSent, int transport) {
        MadAddress peer = frame.peer();
        byte[] mad = frame.mad();
        int mgmtClass = mad.length < MadHeader.MAD_SIZE ? 0 : MadHeader.mgmtClass(mad);
        boolean isSmp = MgmtClass.isSmp(mgmtClass);
        int ownLid = mgmtClass == MgmtClass.SUBN_DIRECTED_ROUTE ? peer.lid() : 0;
        int ownQp = isSmp ? 0 : 1;
        VL.set(packet, LRH_OFFSET, isSmp ? 15 : 0);
        SL.set(packet, LRH_OFFSET, peer.sl() & 0xf);
        LNH.set(packet, LRH_OFFSET, NEXT_IS_BTH);
        DLID.set(packet, LRH_OFFSET, (isSent ? peer.lid() : ownLid) & 0xffff);
        SLID.set(packet, LRH_OFFSET, (isSent ? ownLid : peer.lid()) & 0xffff);
        OP_CODE.set(packet, transport, 0x64); // unreliable datagram, send only
        MIG_REQ.set(packet, transport, 1);
        P_KEY.set(packet, transport, 0xffff);
        DEST_QP.set(packet, transport, (isSent ? peer.qpn() : ownQp) & QP_MASK);
        SRC_QP.set(packet, transport, (isSent ? ownQp : peer.qpn()) & QP_MASK);
        Q_KEY.set(packet, transport, isSmp ? 0 : WELL_KNOWN_Q_KEY);
    }
}
