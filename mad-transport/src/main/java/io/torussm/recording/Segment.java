package io.torussm.recording;

import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A part of the ring: MADs in one array, so that a MAD needs no allocation and no reference to its bytes remains. A MAD
 * with its time and peer is a row of 64-bit words. Only words that differ from the previous row of the same direction
 * are stored, as XOR with the previous word, since the SMPs of a sweep are similar. Rare or long entries are objects,
 * at their position among the rows. Not thread-safe.
 *
 * <p>A row is stored as a mask, the changed words of the first {@value #MASK_WORDS} words, and so on for each further
 * {@value #MASK_WORDS} words.
 */
final class Segment {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /**
     * Words of a row before the MAD: the time; kind, SL and LID of the peer; length of the MAD in bytes and QP of the
     * peer.
     */
    private static final int HEADER_WORDS = 3;

    private static final int PEER_AT = 1;
    private static final int LENGTH_AT = 2;

    /** Number of words that one mask describes: bit n is set if word n has changed and follows. */
    private static final int MASK_WORDS = Long.SIZE - 2;

    /** The mask in place of a row that marks the position of an object. */
    private static final long OBJECT_MARK = 1L << 63;

    /** Bit of the first mask of a row: the MAD was sent, and its row is the difference from the previous sent MAD. */
    private static final long SENT_BIT = 1L << 62;

    /** The kind of a MAD that returned undelivered; 0 for others. */
    private static final int UNDELIVERED = 1;

    private final long[] words;

    /** Number of used words. */
    private int usedWords;

    private int entries;
    private List<Object> objects = new ArrayList<>();

    /** The last row of each direction. */
    private final Rows last = new Rows();

    /** A row of each direction, zeros at the beginning of a segment. */
    private static final class Rows {
        long[] sent = new long[0];
        long[] received = new long[0];

        /** Returns the row of a direction, extended to at least a length. */
        long[] row(boolean isSent, int length) {
            long[] row = isSent ? sent : received;
            if (row.length < length) {
                row = Arrays.copyOf(row, length);
                if (isSent) {
                    sent = row;
                } else {
                    received = row;
                }
            }
            return row;
        }

        void clear() {
            Arrays.fill(sent, 0);
            Arrays.fill(received, 0);
        }
    }

    /**
     * Creates an empty segment.
     *
     * @param size length in bytes
     */
    Segment(int size) {
        this(new long[size / Long.BYTES]);
    }

    private Segment(long[] words) {
        this.words = words;
    }

    /** Clears the segment. */
    void clear() {
        usedWords = 0;
        entries = 0;
        objects = new ArrayList<>();
        last.clear();
    }

    /** Returns the number of entries. */
    int entries() {
        return entries;
    }

    /** Returns the entries that are objects, in order. MADs are omitted, since they would have to be created. */
    List<Object> objects() {
        return objects;
    }

    /** Adds a MAD. Returns false if the segment may be too small for it. */
    boolean add(long timeNs, boolean isSent, MadFrame frame) {
        byte[] mad = frame.mad();
        MadAddress peer = frame.peer();
        int length = rowLength(mad.length);
        if (peer.grh() != null || length > words.length / 4) {
            return add(isSent ? new Entry.Sent(timeNs, frame) : new Entry.Received(timeNs, frame));
        }
        if (usedWords + length + length / MASK_WORDS + 1 > words.length) {
            return false;
        }
        long[] row = last.row(isSent, length);
        int kind = !isSent && frame.isUndelivered() ? UNDELIVERED : 0;
        int maskAt = usedWords++;
        long mask = isSent ? SENT_BIT : 0;
        mask |= putIfChanged(row, 0, timeNs);
        mask |= putIfChanged(row, PEER_AT, combine(kind | peer.sl() << Byte.SIZE, peer.lid())) << PEER_AT;
        mask |= putIfChanged(row, LENGTH_AT, combine(mad.length, peer.qpn())) << LENGTH_AT;
        for (int i = HEADER_WORDS; i < length; i++) {
            if (i % MASK_WORDS == 0) {
                words[maskAt] = mask;
                maskAt = usedWords++;
                mask = 0;
            }
            mask |= putIfChanged(row, i, word(mad, (i - HEADER_WORDS) * Long.BYTES)) << (i % MASK_WORDS);
        }
        words[maskAt] = mask;
        entries++;
        return true;
    }

    /** Stores a word of a row if it has changed. Returns 1 if it has, otherwise 0. */
    private long putIfChanged(long[] row, int index, long word) {
        long change = row[index] ^ word;
        if (change == 0) {
            return 0;
        }
        row[index] = word;
        words[usedWords++] = change;
        return 1;
    }

    /** Returns the number of words of a row, for a length of the MAD in bytes. */
    private static int rowLength(int madLength) {
        return HEADER_WORDS + (madLength + Long.BYTES - 1) / Long.BYTES;
    }

    /** Returns a word with two halves. */
    private static long combine(int low, int high) {
        return Integer.toUnsignedLong(low) | (long) high << Integer.SIZE;
    }

    /** Returns eight bytes of a MAD; at its end the last bytes, followed by zeros. */
    private static long word(byte[] mad, int at) {
        if (at + Long.BYTES <= mad.length) {
            return (long) LONGS.get(mad, at);
        }
        return (long) LONGS.get(Arrays.copyOfRange(mad, at, at + Long.BYTES), 0);
    }

    /** Adds an object. Returns false if the segment is full. */
    boolean add(Object entry) {
        if (usedWords == words.length) {
            return false;
        }
        words[usedWords++] = OBJECT_MARK;
        objects.add(entry);
        entries++;
        return true;
    }

    /** Returns a copy of the content, for another thread that only reads it. */
    Segment copy() {
        Segment copy = new Segment(Arrays.copyOf(words, usedWords));
        copy.usedWords = usedWords;
        copy.entries = entries;
        copy.objects = List.copyOf(objects);
        return copy;
    }

    /** Passes all entries and other objects to a consumer, in order. */
    void forEach(Consumer<Object> taker) {
        Rows rows = new Rows();
        int object = 0;
        int index = 0;
        while (index < usedWords) {
            if (words[index] == OBJECT_MARK) {
                index++;
                taker.accept(objects.get(object++));
            } else {
                boolean isSent = (words[index] & SENT_BIT) != 0;
                index = read(rows, isSent, index);
                taker.accept(entry(rows.row(isSent, HEADER_WORDS), isSent));
            }
        }
    }

    /**
     * Applies a stored row to the last row of its direction.
     *
     * @param from index of its first mask
     * @return index after its last word
     */
    private int read(Rows rows, boolean isSent, int from) {
        int index = from;
        long[] row = rows.row(isSent, HEADER_WORDS);
        int length = HEADER_WORDS; // until the word at LENGTH_AT is read
        long mask = 0;
        for (int i = 0; i < length; i++) {
            if (i % MASK_WORDS == 0) {
                mask = words[index++];
            }
            if (((mask >>> (i % MASK_WORDS)) & 1) != 0) {
                row[i] ^= words[index++];
            }
            if (i == LENGTH_AT) {
                length = rowLength((int) row[LENGTH_AT]);
                row = rows.row(isSent, length);
            }
        }
        return index;
    }

    /** Returns the MAD of a row. */
    private static Entry entry(long[] row, boolean isSent) {
        byte[] mad = new byte[(int) row[LENGTH_AT]];
        int whole = mad.length / Long.BYTES;
        for (int i = 0; i < whole; i++) {
            LONGS.set(mad, i * Long.BYTES, row[HEADER_WORDS + i]);
        }
        if (whole * Long.BYTES < mad.length) {
            byte[] end = new byte[Long.BYTES];
            LONGS.set(end, 0, row[HEADER_WORDS + whole]);
            System.arraycopy(end, 0, mad, whole * Long.BYTES, mad.length - whole * Long.BYTES);
        }
        int kind = (int) row[PEER_AT];
        MadAddress peer = new MadAddress(
                (int) (row[PEER_AT] >> Integer.SIZE), (int) (row[LENGTH_AT] >> Integer.SIZE), kind >> Byte.SIZE, 0);
        return isSent
                ? new Entry.Sent(row[0], new MadFrame(peer, mad))
                : new Entry.Received(row[0], new MadFrame(peer, mad, (kind & 0xff) == UNDELIVERED));
    }
}
