package io.torussm.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlightRecorderTest {
    private static final int MAX_BYTES = 100_000;
    private static final int LENGTH = 256;
    private long nowNs;
    private final FlightRecorder recorder = new FlightRecorder(() -> ++nowNs, MAX_BYTES);
    private final Random random = Seeds.random(1);

    /** Returns a frame that differs from all others. */
    private MadFrame randomFrame() {
        byte[] mad = new byte[LENGTH];
        random.nextBytes(mad);
        return new MadFrame(MadAddress.DIRECTED, mad);
    }

    private static FabricSnapshot snapshot() {
        NodeInfo info = NodeInfo.TYPE.zero().with(NodeInfo.NODE_GUID, 5).with(NodeInfo.NUM_PORTS, 1);
        return new FabricSnapshot(
                Instant.EPOCH,
                new FabricSnapshot.PortRef(5, 1),
                List.of(new DeviceRegisters.Builder(info).build()),
                List.of(),
                List.of(),
                List.of());
    }

    private void recordFrames(int count) {
        for (int i = 0; i < count; i++) {
            recorder.recordSent(randomFrame());
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void beginsWithTheSmAsLongAsNothingWasDropped() {
        recorder.noteStart(NoteKind.START, text("start"));
        recorder.noteStart(NoteKind.STATE, text("state\nx"));
        recorder.noteSettings(NoteKind.SETTINGS, text("a = 1"));
        recordFrames(100);
        Recording all = Objects.requireNonNull(recorder.recording("asked"));
        assertThat(all.isFromStart()).isTrue();
        assertThat(all.entries()).hasSize(104);
        assertThat(all.entries().get(1)).isInstanceOf(Entry.Note.class);
        assertThat(all.notes(NoteKind.REASON).map(Entry.Note::text)).containsExactly("asked");
    }

    @Test
    void beginsAtACheckpointOtherwise() {
        recorder.noteStart(NoteKind.START, text("start"));
        recorder.noteStart(NoteKind.STATE, text("state\nx"));
        recorder.noteSettings(NoteKind.SETTINGS, text("a = 1"));
        recorder.noteSettings(NoteKind.SETTINGS, text("a = 2"));
        recordFrames(1_000);
        assertThat(recorder.dropped()).isPositive();
        assertThat(recorder.recording("no checkpoint yet")).isNull();
        recorder.checkpoint(FlightRecorderTest::snapshot);
        recorder.checkpoint(() -> {
            throw new AssertionError("too soon after the last one");
        });
        recordFrames(20);
        Recording last = Objects.requireNonNull(recorder.recording("asked"));
        assertThat(last.isFromStart()).isFalse();
        assertThat(last.notes(NoteKind.STATE)).isEmpty();
        assertThat(last.notes(NoteKind.SETTINGS).map(Entry.Note::text)).containsExactly("a = 2");
        assertThat(last.notes(NoteKind.SNAPSHOT)).hasSize(1);
        assertThat(last.entries().stream().filter(Entry.Sent.class::isInstance)).hasSize(20);
        recordFrames(1_000);
        Recording later = Objects.requireNonNull(recorder.recording("the checkpoint is out of the ring"));
        assertThat(later.notes(NoteKind.SNAPSHOT)).hasSize(1);
        assertThat(later.beginNs()).isEqualTo(last.beginNs());
    }

    /** MADs of both directions mixed, of any length, similar or not, and undelivered ones. */
    @Test
    void keepsFramesAsTheyAre() {
        recorder.noteStart(NoteKind.START, text("start"));
        List<Entry> frames = new ArrayList<>();
        byte[] before = new byte[0];
        for (int i = 0; i < 300; i++) {
            byte[] mad = Arrays.copyOf(before, i % 3 == 0 ? random.nextInt(600) : before.length);
            if (mad.length > 0) {
                mad[random.nextInt(mad.length)] ^= (byte) random.nextInt();
            }
            boolean isSent = random.nextBoolean();
            MadAddress peer = new MadAddress(random.nextInt(1 << 16), random.nextInt(1 << 24), random.nextInt(16), 0);
            MadFrame frame = new MadFrame(peer, mad, !isSent && random.nextBoolean());
            if (isSent) {
                recorder.recordSent(frame);
            } else {
                recorder.recordReceived(frame);
            }
            frames.add(isSent ? new Entry.Sent(nowNs, frame) : new Entry.Received(nowNs, frame));
            before = mad;
        }
        List<Entry> kept = Objects.requireNonNull(recorder.recording("asked")).entries().stream()
                .filter(entry -> !(entry instanceof Entry.Note))
                .toList();
        assertThat(kept).usingRecursiveComparison().isEqualTo(frames);
    }

    /** A sweep asks every port the same, and most answer the same: only what differs takes room. */
    @Test
    void keepsManyThatAreMuchAlike() {
        byte[] mad = randomFrame().mad();
        for (int i = 0; i < 2_000; i++) {
            mad[9] = (byte) i; // of the transaction ID, as a sweep counts it, and somewhere else
            mad[80] = (byte) (3 * i);
            recorder.recordSent(new MadFrame(MadAddress.DIRECTED, mad.clone()));
        }
        assertThat(recorder.dropped()).isZero();
    }

    @Test
    void keepsNoMoreThanItMay() {
        recordFrames(10_000);
        recorder.checkpoint(FlightRecorderTest::snapshot);
        recordFrames(10_000);
        long kept = Objects.requireNonNull(recorder.recording("asked")).entries().stream()
                .filter(Entry.Sent.class::isInstance)
                .count();
        assertThat(kept * LENGTH).isBetween(MAX_BYTES / 2L, (long) MAX_BYTES);
    }
}
