package io.torussm.transport.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The forms of pcap with MADs, and other files. */
class CaptureReaderTest {
    private static final byte[] MAD = Smp.directed(Method.GET, 0x123456789L, 0x11, 0, 0, DrPath.of(1, 2));
    private static final MadFrame FRAME = new MadFrame(MadAddress.DIRECTED, MAD);
    private static final int PACKET = InfinibandPcap.FILE_HEADER;
    private static final int ERF = PACKET + InfinibandPcap.PACKET_HEADER;
    private static final int LRH = ERF + InfinibandPcap.ERF_HEADER;

    @TempDir
    private Path directory = Path.of("");

    /** Returns a file of one MAD, as this program writes it. */
    private static byte[] file() {
        byte[] packet = InfinibandPcap.packet(FRAME, true, 0, Instant.EPOCH);
        return join(InfinibandPcap.fileHeader(), packet);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Inserts bytes and adapts the lengths of the packet header. */
    private static byte[] insert(byte[] file, int at, byte[] more) {
        byte[] longer = join(Arrays.copyOf(file, at), more, Arrays.copyOfRange(file, at, file.length));
        ByteBuffer buffer = ByteBuffer.wrap(longer);
        buffer.putInt(PACKET + 8, buffer.getInt(PACKET + 8) + more.length);
        return longer;
    }

    private static List<byte[]> read(byte[] file) throws IOException {
        return CaptureReader.read(new ByteArrayInputStream(file), "x.pcap");
    }

    @Test
    void readsFilesOfThisProgram() throws IOException {
        assertThat(read(join(file(), Arrays.copyOfRange(file(), PACKET, file().length))))
                .containsExactly(MAD, MAD);
    }

    @Test
    void readsACompressedFileByItsName() throws IOException {
        Path file = directory.resolve("some.pcap.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(file());
        }
        assertThat(CaptureReader.isCapture(file)).isTrue();
        assertThat(CaptureReader.read(file)).containsExactly(MAD);
    }

    @Test
    void readsTheOtherByteOrder() throws IOException {
        byte[] file = file();
        ByteBuffer big = ByteBuffer.wrap(file.clone());
        ByteBuffer little = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        for (int at : new int[] {0, 20, PACKET + 8, PACKET + 12}) {
            little.putInt(at, big.getInt(at));
        }
        assertThat(read(file)).containsExactly(MAD);
    }

    @Test
    void readsBareInfinibandPackets() throws IOException {
        byte[] erf = file();
        byte[] bare = join(Arrays.copyOf(erf, ERF), Arrays.copyOfRange(erf, LRH, erf.length));
        bare[PACKET - 1] = (byte) 247;
        ByteBuffer.wrap(bare).putInt(PACKET + 8, bare.length - ERF);
        assertThat(read(bare)).containsExactly(MAD);
    }

    @Test
    void passesOverMoreHeaders() throws IOException {
        byte[] extended = file();
        extended[ERF + 8] |= (byte) 0x80;
        byte[] more = new byte[16];
        more[0] = (byte) 0x80;
        assertThat(read(insert(extended, LRH, more))).as("ERF extensions").containsExactly(MAD);
        byte[] global = file();
        global[LRH + 1] |= 3;
        assertThat(read(insert(global, LRH + 8, new byte[40]))).as("GRH").containsExactly(MAD);
    }

    @Test
    void skipsPacketsThatAreNoMad() throws IOException {
        byte[] data = file();
        data[LRH + 15] = 9; // DestQP
        data[LRH + 27] = 9; // SrcQP
        assertThat(read(data)).isEmpty();
        byte[] ethernet = file();
        ethernet[ERF + 8] = 2;
        assertThat(read(ethernet)).isEmpty();
    }

    @Test
    void readsUpToWhereAFileWasCutOff() throws IOException {
        byte[] two = join(file(), Arrays.copyOfRange(file(), PACKET, file().length));
        for (int length = file().length; length < two.length; length++) {
            assertThat(read(Arrays.copyOf(two, length))).as("%d bytes", length).containsExactly(MAD);
        }
    }

    @Test
    void refusesFilesThatAreNoCapture() throws IOException {
        assertThatThrownBy(() -> read("# a topology".repeat(9).getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .hasMessageContaining("x.pcap: this is no pcap file")
                .hasMessageContaining("editcap");
        byte[] ethernet = file();
        ethernet[PACKET - 1] = 1;
        assertThatThrownBy(() -> read(ethernet)).hasMessageContaining("link type 1 is not InfiniBand");
        byte[] damaged = file();
        damaged[PACKET + 8] = 1;
        assertThatThrownBy(() -> read(damaged)).hasMessageContaining("damaged behind MAD 0");
        Path text = Files.writeString(directory.resolve("text"), "Switch 8 \"S-1\"");
        assertThat(CaptureReader.isCapture(text)).isFalse();
        assertThat(CaptureReader.isCapture(directory.resolve("absent"))).isFalse();
    }
}
