package io.torussm.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.Seeds;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.capture.CaptureReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordingFileTest {
    private static final long BEGIN_NS = 1_764_072_000_123_456_789L;

    private static MadFrame smp(int method, long tid) {
        return new MadFrame(
                MadAddress.DIRECTED, Smp.directed(method, tid, NodeInfo.TYPE.id(), 0, 7, DrPath.LOCAL.withHop(3)));
    }

    private static MadFrame gmp(boolean isBack) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        Seeds.random(1).nextBytes(mad);
        mad[0] = 1;
        GlobalRoute route = new GlobalRoute(new Gid(0xfe80_0000_0000_0000L, 77), 0, 5, 2, 99);
        return new MadFrame(new MadAddress(12, 0x345, 6, 0, 0, route), mad, isBack);
    }

    private static Recording recording() {
        List<Entry> entries = new ArrayList<>();
        entries.add(Entry.Note.of(BEGIN_NS, NoteKind.START, "version test\n"));
        entries.add(Entry.Note.of(BEGIN_NS, NoteKind.SETTINGS, "x".repeat(20_001)));
        entries.add(new Entry.Sent(BEGIN_NS + 1, smp(Method.GET, 1)));
        entries.add(new Entry.Received(BEGIN_NS + 2, smp(Method.GET_RESP, 1)));
        entries.add(new Entry.Received(BEGIN_NS + 1_000_000_003L, gmp(false)));
        entries.add(new Entry.Received(BEGIN_NS + 1_000_000_004L, gmp(true)));
        entries.add(new Entry.Received(BEGIN_NS + 1_000_000_004L, new MadFrame(MadAddress.DIRECTED, new byte[3])));
        entries.add(Entry.Note.of(BEGIN_NS + 2_000_000_000L, NoteKind.REASON, ""));
        return new Recording(entries, true);
    }

    private static byte[] write(Recording recording) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordingFile.write(recording, out);
        return out.toByteArray();
    }

    private static Recording read(byte[] file) throws IOException {
        return RecordingFile.read(new ByteArrayInputStream(file), "file");
    }

    private static String textOf(Entry entry) {
        if (entry instanceof Entry.Note note) {
            return note.timeNs() + " " + note.kind() + " " + note.text();
        }
        MadFrame frame = entry instanceof Entry.Sent sent ? sent.frame() : ((Entry.Received) entry).frame();
        return entry.timeNs() + " " + entry.getClass().getSimpleName() + " " + frame.peer() + " "
                + frame.isUndelivered() + " " + Arrays.toString(frame.mad());
    }

    @Test
    void isReadAsItWasWritten() throws Exception {
        Recording recording = recording();
        Recording again = read(write(recording));
        assertThat(again.entries().stream().map(RecordingFileTest::textOf))
                .isEqualTo(recording.entries().stream()
                        .map(RecordingFileTest::textOf)
                        .toList());
        assertThat(again.isFromStart()).isTrue();
        assertThat(again.beginNs()).isEqualTo(BEGIN_NS + 1);
    }

    @Test
    void isACaptureForOthers() throws Exception {
        List<byte[]> mads = CaptureReader.read(new ByteArrayInputStream(write(recording())), "file");
        assertThat(mads.stream().filter(mad -> MadHeader.attributeId(mad) == NodeInfo.TYPE.id()))
                .hasSize(2);
    }

    @Test
    void isReadUpToWhereItWasCutOff() throws Exception {
        byte[] file = write(recording());
        int last = 0;
        for (int length = file.length; length > 200; length -= 7) {
            try {
                last = read(Arrays.copyOf(file, length)).entries().size();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("file");
                continue;
            }
            assertThat(last).isLessThanOrEqualTo(recording().entries().size());
        }
    }

    @Test
    void refusesACaptureWithARemedy() throws Exception {
        Recording bare = new Recording(List.of(new Entry.Sent(1, smp(Method.GET, 1))), true);
        assertThatThrownBy(() -> read(write(bare)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("torus-smctl record");
        assertThatThrownBy(
                        () -> read("no pcap at all, but long enough".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("torus-smctl record");
    }

    /** Bytes that may have been changed at will: they cause an error, or fewer entries, but no other result. */
    @Test
    void survivesAnyBytes() throws Exception {
        byte[] plain = new java.util.zip.GZIPInputStream(new ByteArrayInputStream(write(recording()))).readAllBytes();
        Random random = Seeds.random(5);
        int read = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] changed = plain.clone();
            for (int k = 0; k < 4; k++) {
                changed[24 + random.nextInt(changed.length - 24)] = (byte) random.nextInt();
            }
            try {
                read += read(changed).entries().isEmpty() ? 0 : 1;
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("file");
            }
        }
        assertThat(read).isPositive();
    }
}
