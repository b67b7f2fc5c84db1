package io.torussm.recording;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.capture.FramePcap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * A recording in a pcap file, compressed with gzip, which Wireshark opens. Sent MADs are on capture interface 0,
 * received MADs on 1, undelivered MADs on 2. Notes are on 3, as MADs of a vendor class (0x0F) between LIDs 0, in pieces
 * of {@value #PIECE_BYTES} bytes. AttributeID is the kind of the note, AttributeModifier the number of pieces that
 * follow.
 *
 * <p>The file contains M_Keys and other secrets of MADs and settings. The writer must make it readable by its owner
 * only.
 */
public final class RecordingFile {
    /** Max entries of a file; a larger file is refused. */
    private static final int MAX_ENTRIES = 1 << 23;

    /** Max bytes of a note; a file with a longer one is refused. */
    private static final int MAX_NOTE_BYTES = 1 << 28;

    private static final int PIECE_BYTES = 7_000;
    private static final int NOTE_CLASS = 0x0f;

    /** Byte offset of the length of a piece in its MAD, and of the piece. */
    private static final int LENGTH_AT = 24;

    private static final int BODY_AT = 26;
    private static final int SENT_INTERFACE = 0;
    private static final int RECEIVED_INTERFACE = 1;
    private static final int UNDELIVERED_INTERFACE = 2;
    private static final int NOTE_INTERFACE = 3;
    private static final MadAddress NO_PEER = new MadAddress(0, 1, 0, 0);

    private final List<Entry> entries = new ArrayList<>();

    /** The pieces so far of the current note. */
    private final ByteArrayOutputStream note = new ByteArrayOutputStream();

    private RecordingFile() {}

    /** Writes a recording. The stream stays open. */
    public static void write(Recording recording, OutputStream out) throws IOException {
        GZIPOutputStream zipped = new GZIPOutputStream(out, 1 << 16);
        FramePcap.writeHeader(zipped);
        int sequence = 0;
        for (Entry entry : recording.entries()) {
            Instant time = Instant.ofEpochSecond(0, entry.timeNs());
            if (entry instanceof Entry.Sent sent) {
                FramePcap.write(zipped, SENT_INTERFACE, true, sequence++, time, sent.frame());
            } else if (entry instanceof Entry.Received received) {
                boolean isBack = received.frame().isUndelivered();
                FramePcap.write(
                        zipped,
                        isBack ? UNDELIVERED_INTERFACE : RECEIVED_INTERFACE,
                        isBack,
                        sequence++,
                        time,
                        received.frame());
            } else if (entry instanceof Entry.Note noteEntry) {
                sequence = write(zipped, sequence, time, noteEntry);
            }
        }
        zipped.finish();
    }

    /** Writes a note. Returns the sequence number after its last piece. */
    private static int write(OutputStream out, int first, Instant time, Entry.Note note) throws IOException {
        byte[] content = note.content();
        int pieces = Math.max(1, (content.length + PIECE_BYTES - 1) / PIECE_BYTES);
        for (int i = 0; i < pieces; i++) {
            int length = Math.min(PIECE_BYTES, content.length - i * PIECE_BYTES);
            byte[] mad = new byte[Math.max(MadHeader.MAD_SIZE, BODY_AT + length)];
            MadHeader.BASE_VERSION.set(mad, 0, 1);
            MadHeader.MGMT_CLASS.set(mad, 0, NOTE_CLASS);
            MadHeader.CLASS_VERSION.set(mad, 0, 1);
            MadHeader.METHOD.set(mad, 0, Method.SEND);
            MadHeader.ATTRIBUTE_ID.set(mad, 0, note.kind().code());
            MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, pieces - 1 - i);
            mad[LENGTH_AT] = (byte) (length >> Byte.SIZE);
            mad[LENGTH_AT + 1] = (byte) length;
            System.arraycopy(content, i * PIECE_BYTES, mad, BODY_AT, length);
            FramePcap.write(out, NOTE_INTERFACE, true, first + i, time, new MadFrame(NO_PEER, mad));
        }
        return first + pieces;
    }

    /**
     * Reads a recording.
     *
     * @param name name of the file, for messages
     * @throws IOException if the stream is no recording; the message names file and remedy
     */
    public static Recording read(InputStream in, String name) throws IOException {
        RecordingFile file = new RecordingFile();
        FramePcap.read(
                in,
                name,
                1 << SENT_INTERFACE | 1 << UNDELIVERED_INTERFACE | 1 << NOTE_INTERFACE,
                (from, time, frame) -> {
                    if (file.entries.size() == MAX_ENTRIES || file.note.size() > MAX_NOTE_BYTES) {
                        throw new IOException(
                                name + ": more than " + MAX_ENTRIES + " entries, or a note that does not end");
                    }
                    file.addFrame(
                            from,
                            Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano()),
                            frame);
                });
        Recording all = new Recording(file.entries, true);
        if (all.notes(NoteKind.START).findFirst().isEmpty()) {
            throw new IOException(
                    name + ": this is a capture, and no file of a flight recorder; torus-smctl record makes one,"
                            + " and torus-sm --simulate takes captures");
        }
        return new Recording(
                file.entries, all.notes(NoteKind.SNAPSHOT).findFirst().isEmpty());
    }

    private void addFrame(int from, long timeNs, MadFrame frame) {
        switch (from) {
            case SENT_INTERFACE -> entries.add(new Entry.Sent(timeNs, frame));
            case RECEIVED_INTERFACE -> entries.add(new Entry.Received(timeNs, frame));
            case UNDELIVERED_INTERFACE ->
                entries.add(new Entry.Received(timeNs, new MadFrame(frame.peer(), frame.mad(), true)));
            default -> addNotePiece(timeNs, frame.mad());
        }
    }

    /** Adds a piece of a note, and with its last piece the note. A note of an unknown kind is ignored. */
    private void addNotePiece(long timeNs, byte[] mad) {
        if (mad.length < MadHeader.MAD_SIZE) {
            return;
        }
        int length = (mad[LENGTH_AT] & 0xff) << Byte.SIZE | mad[LENGTH_AT + 1] & 0xff;
        note.write(mad, BODY_AT, Math.min(length, mad.length - BODY_AT));
        if (MadHeader.attributeModifier(mad) != 0) {
            return;
        }
        byte[] content = note.toByteArray();
        note.reset();
        int code = MadHeader.attributeId(mad);
        Arrays.stream(NoteKind.values())
                .filter(kind -> kind.code() == code)
                .forEach(kind -> entries.add(new Entry.Note(timeNs, kind, content)));
    }
}
