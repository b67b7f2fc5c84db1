package io.torussm.transport.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.QuietTransport;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.ScriptedTransport;
import io.torussm.transport.TransportException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The capture file byte by byte, and the independence of the traffic from the capture. */
class MadCaptureTest {
    private static final Clock CLOCK =
            Clock.fixed(Instant.ofEpochSecond(0x11223344L, 0xabcdeL * 1_000), ZoneOffset.UTC);
    private static final byte[] SMP = Smp.directed(Method.GET, 5, 0x11, 0, 0, DrPath.of(1));
    private static final byte[] QUERY = MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, 1, 0x35, 0);

    private final ScriptedTransport wire = new ScriptedTransport();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final List<MadFrame> received = new ArrayList<>();

    private final MadTransport.Receiver receiver = new MadTransport.Receiver() {
        @Override
        public void received(MadFrame frame) {
            received.add(frame);
        }

        @Override
        public void transportFailed(String reason) {
            received.clear();
        }
    };

    private MadTap capture(OutputStream out) {
        MadTap capture = new MadTap(wire, CaptureFile.unlimited(out, "memory", CLOCK));
        capture.start(receiver);
        return capture;
    }

    private String hex(int from, int length) {
        return HexFormat.of().formatHex(file.toByteArray(), from, from + length);
    }

    @Test
    void theFileIsAClassicPcapOfExtensibleRecords() {
        MadTap capture = capture(file);
        capture.close();
        assertThat(hex(0, file.size()))
                .isEqualTo("a1b2c3d4" + "0002" + "0004" + "00000000" + "00000000" + "00002000" + "000000c5");
    }

    @Test
    void anSmpStandsOnVl15BetweenQp0s() {
        MadTap capture = capture(file);
        assertThat(capture.send(new MadFrame(MadAddress.DIRECTED, SMP), 100)).isTrue();
        capture.close();
        assertThat(file.size()).isEqualTo(24 + 16 + 16 + 8 + 12 + 8 + 256 + 6);
        assertThat(hex(24, 16)).as("packet header").isEqualTo("11223344" + "000abcde" + "00000132" + "00000132");
        assertThat(hex(40, 16)).as("ERF header").isEqualTo("ab5626b444332211" + "15" + "04" + "0132" + "0000" + "0122");
        assertThat(hex(56, 8)).as("LRH").isEqualTo("f0" + "02" + "ffff" + "0048" + "ffff");
        assertThat(hex(64, 12)).as("BTH").isEqualTo("64" + "40" + "ffff" + "00" + "000000" + "00" + "000000");
        assertThat(hex(76, 8)).as("DETH").isEqualTo("00000000" + "00" + "000000");
        assertThat(hex(84, 256)).isEqualTo(HexFormat.of().formatHex(SMP));
        assertThat(hex(340, 6)).as("checksums").isEqualTo("000000000000");
        assertThat(wire.sent).extracting(MadFrame::mad).containsExactly(SMP);
    }

    @Test
    void anSaMadStandsBetweenQp1sWithTheWellKnownKey() {
        MadTap capture = capture(file);
        wire.deliver(new MadFrame(new MadAddress(0x1234, 0xabc, 3, 0), QUERY));
        capture.send(new MadFrame(new MadAddress(0x1234, 0xabc, 3, 0), QUERY), 0);
        capture.close();
        assertThat(hex(56, 8)).as("LRH").isEqualTo("00" + "32" + "0000" + "0048" + "1234");
        assertThat(hex(64, 12)).as("BTH").isEqualTo("6440ffff" + "00" + "000001" + "00" + "000000");
        assertThat(hex(76, 8)).as("DETH").isEqualTo("80010000" + "00" + "000abc");
        int next = 24 + 32 + 290 + 32;
        assertThat(hex(next, 8)).as("LRH").isEqualTo("00" + "32" + "1234" + "0048" + "0000");
        assertThat(hex(next + 8, 12)).as("BTH").isEqualTo("6440ffff" + "00" + "000abc" + "00" + "000001");
        assertThat(hex(next + 20, 8)).as("DETH").isEqualTo("80010000" + "00" + "000001");
        assertThat(received).hasSize(1);
    }

    @Test
    void aGlobalRouteHeaderStandsWhereItIsOnTheWire() throws IOException {
        GlobalRoute grh = new GlobalRoute(new Gid(0xfe80_0000_0000_0000L, 0x77), 0, 64, 0x1c, 0xabcde);
        MadFrame frame = new MadFrame(new MadAddress(5, 1, 0, 0, 0, grh), QUERY);
        byte[] packet = InfinibandPcap.packet(frame, false, 1, CLOCK.instant());
        assertThat(packet).hasSize(32 + 290 + 40);
        assertThat(packet[33] & 3).as("LNH").isEqualTo(3);
        assertThat(HexFormat.of().formatHex(packet, 40, 64))
                .isEqualTo("61cabcde" + "01181b40" + "fe80000000000000" + "0000000000000077");
        assertThat(HexFormat.of().formatHex(packet, 80, 84)).as("BTH").isEqualTo("6440ffff");
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(InfinibandPcap.fileHeader());
        whole.write(packet);
        assertThat(CaptureReader.read(new ByteArrayInputStream(whole.toByteArray()), "test"))
                .singleElement()
                .isEqualTo(QUERY);
    }

    @Test
    void aLongMadKeepsItsLengthAndAVeryLongOneIsCut() {
        byte[] mad = Arrays.copyOf(QUERY, 20_000);
        byte[] packet = InfinibandPcap.packet(new MadFrame(MadAddress.DIRECTED, mad), true, 0, CLOCK.instant());
        ByteBuffer buffer = ByteBuffer.wrap(packet);
        assertThat(packet).hasSize(16 + InfinibandPcap.SNAP_LENGTH);
        assertThat(buffer.getInt(8)).isEqualTo(InfinibandPcap.SNAP_LENGTH);
        assertThat(buffer.getInt(12)).isEqualTo(20_000 + 34 + 16);
        assertThat(buffer.getShort(32 + 4)).isEqualTo((short) 0x7ff);
        byte[] stub = InfinibandPcap.packet(
                new MadFrame(new MadAddress(-1, -1, -1, -1), new byte[3]), false, -1, CLOCK.instant());
        assertThat(stub).hasSize(32 + 34 + 3);
    }

    @Test
    void aRequestPrecedesItsAnswerAndAnUndeliveredOneDoesNot() {
        MadTap capture = capture(file);
        wire.onSend = frame -> {
            wire.respond(frame);
            wire.returnUndelivered(frame);
        };
        capture.send(new MadFrame(MadAddress.DIRECTED, SMP), 100);
        capture.close();
        assertThat(file.size()).isEqualTo(24 + 2 * (32 + 290));
        assertThat(file.toByteArray()[24 + 32 + 28 + 3]).isEqualTo((byte) Method.GET);
        assertThat(file.toByteArray()[24 + 32 + 290 + 32 + 28 + 3]).isEqualTo((byte) Method.GET_RESP);
        assertThat(hex(24 + 32 + 290 + 32 + 8 + 8, 4)).as("sequence").isEqualTo("00000001");
        assertThat(received).hasSize(2);
    }

    @Test
    void aFileThatCannotBeWrittenEndsTheCaptureButNotTheTraffic() throws InterruptedException {
        CountDownLatch broken = new CountDownLatch(1);
        MadTap capture = capture(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("disk full");
            }

            @Override
            public void close() {
                broken.countDown();
            }
        });
        capture.send(new MadFrame(MadAddress.DIRECTED, SMP), 100);
        assertThat(broken.await(30, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 20_000; i++) {
            assertThat(capture.send(new MadFrame(MadAddress.DIRECTED, SMP), 100))
                    .isTrue();
        }
        wire.respond(wire.lastSent());
        capture.close();
        assertThat(wire.sent).hasSize(20_001);
        assertThat(received).hasSize(1);
    }

    @Test
    void aDiskThatStandsStillCostsPacketsAndNoTime() throws InterruptedException {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        MadTap capture = capture(new OutputStream() {
            @Override
            public void write(int b) {
                file.write(b);
            }

            @Override
            public void flush() throws IOException {
                stuck.countDown();
                try {
                    free.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        });
        assertThat(stuck.await(30, TimeUnit.SECONDS)).isTrue();
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            capture.send(new MadFrame(MadAddress.DIRECTED, SMP), 100);
        }
        long dropped = Objects.requireNonNull(capture.capture()).dropped();
        assertThat(dropped).isEqualTo(count - (1 << 13));
        free.countDown();
        capture.close();
        assertThat(wire.sent).hasSize(count);
        assertThat((long) file.size()).isEqualTo(24 + (count - dropped) * (32 + 290));
    }

    @Test
    void manyThreadsWriteWholePackets() throws InterruptedException {
        MadTap capture = new MadTap(new QuietTransport(), CaptureFile.unlimited(file, "memory", CLOCK));
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < 1_000; i++) {
                    capture.send(new MadFrame(MadAddress.DIRECTED, SMP), 100);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        capture.close();
        assertThat(Objects.requireNonNull(capture.capture()).dropped()).isZero();
        assertThat(file.size()).isEqualTo(24 + 4_000 * 322);
        byte[] bytes = file.toByteArray();
        for (int i = 0; i < 4_000; i++) {
            int mad = 24 + i * 322 + 32 + 28;
            assertThat(Arrays.equals(bytes, mad, mad + 256, SMP, 0, 256)).isTrue();
        }
    }

    @Test
    void onlyItsOwnerMayReadTheFile(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("mads.pcap");
        MadTap.capturing(wire, path).close();
        assertThat(Files.size(path)).isEqualTo(24);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void aFileThatCannotBeCreatedIsRefusedInTheOperatorsWords(@TempDir Path directory) {
        Path path = directory.resolve("missing/mads.pcap");
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> MadTap.capturing(wire, path))
                .withMessageContaining(path.toString())
                .withMessageContaining("directory");
    }

    /** The file contains M_Keys. */
    @Test
    void anOldFileIsReplacedByOneThatOnlyTheOwnerMayRead(@TempDir Path dir) throws Exception {
        Path path = Files.writeString(dir.resolve("old.pcap"), "old");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
        MadTap.capturing(new ScriptedTransport(), path).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void irregularFilesAreLeftAlone(@TempDir Path dir) throws Exception {
        Path victim = Files.writeString(dir.resolve("victim"), "mine");
        Path link = Files.createSymbolicLink(dir.resolve("link.pcap"), victim);
        for (Path path : List.of(link, Path.of("/dev/null"), dir)) {
            assertThatExceptionOfType(TransportException.class)
                    .isThrownBy(() -> MadTap.capturing(new ScriptedTransport(), path))
                    .withMessageContaining(path.toString());
        }
        assertThat(victim).hasContent("mine");
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }
}
