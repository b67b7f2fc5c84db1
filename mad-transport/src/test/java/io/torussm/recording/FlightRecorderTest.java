package io.torussm.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FlightRecorderTest {
    private static final int MAX_BYTES = 100_000;
    private static final MadFrame FRAME = frame();

    private long nowNs;
    private final FlightRecorder recorder = new FlightRecorder(() -> ++nowNs, MAX_BYTES);

    private static MadFrame frame() {
        byte[] mad = new byte[256];
        Arrays.fill(mad, (byte) 7);
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

    private void frames(int count) {
        for (int i = 0; i < count; i++) {
            recorder.sent(FRAME);
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
        frames(100);
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
        frames(1_000);
        assertThat(recorder.dropped()).isPositive();
        assertThat(recorder.recording("no checkpoint yet")).isNull();
        recorder.checkpoint(FlightRecorderTest::snapshot);
        recorder.checkpoint(() -> {
            throw new AssertionError("too soon after the last one");
        });
        frames(20);
        Recording last = Objects.requireNonNull(recorder.recording("asked"));
        assertThat(last.isFromStart()).isFalse();
        assertThat(last.notes(NoteKind.STATE)).isEmpty();
        assertThat(last.notes(NoteKind.SETTINGS).map(Entry.Note::text)).containsExactly("a = 2");
        assertThat(last.notes(NoteKind.SNAPSHOT)).hasSize(1);
        assertThat(last.entries().stream().filter(Entry.Sent.class::isInstance)).hasSize(20);
        frames(1_000);
        Recording later = Objects.requireNonNull(recorder.recording("the checkpoint is out of the ring"));
        assertThat(later.notes(NoteKind.SNAPSHOT)).hasSize(1);
        assertThat(later.beginNs()).isEqualTo(last.beginNs());
    }

    /** Whatever is in it comes out as it went in: zeros at the end, short frames, and those that came back. */
    @Test
    void keepsFramesAsTheyAre() {
        recorder.noteStart(NoteKind.START, text("start"));
        List<MadFrame> frames = new ArrayList<>();
        for (int length : new int[] {0, 3, 24, 256, 300}) {
            byte[] mad = new byte[length];
            if (length > 2) {
                mad[length / 2] = 9;
            }
            frames.add(new MadFrame(new MadAddress(length, 1, length % 16, 0), mad, length == 24));
        }
        frames.forEach(recorder::received);
        List<MadFrame> kept = Objects.requireNonNull(recorder.recording("asked")).entries().stream()
                .filter(Entry.Received.class::isInstance)
                .map(entry -> ((Entry.Received) entry).frame())
                .toList();
        assertThat(kept).usingRecursiveComparison().isEqualTo(frames);
    }

    @Test
    void keepsNoMoreThanItMay() {
        frames(10_000);
        recorder.checkpoint(FlightRecorderTest::snapshot);
        frames(10_000);
        long kept = Objects.requireNonNull(recorder.recording("asked")).entries().stream()
                .filter(Entry.Sent.class::isInstance)
                .count();
        assertThat(kept * FRAME.mad().length).isBetween(MAX_BYTES / 2L, (long) MAX_BYTES);
    }
}
