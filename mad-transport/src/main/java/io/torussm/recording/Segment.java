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
 * A part of the ring: MADs copied into an array, without the zeros at their ends, so that nothing is allocated and nothing of what
 * was sent is held on to. What is rare or long is kept as an object, in its place among them. Not thread-safe.
 */
final class Segment {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** Time, then kind and SL, LID, QP, length, and length without zeros. */
    private static final int HEAD = 28;

    private static final int KIND_AT = 8;
    private static final int LID_AT = 12;
    private static final int QP_AT = 16;
    private static final int LENGTH_AT = 20;
    private static final int KEPT_AT = 24;
    private static final int SENT = 0;
    private static final int RECEIVED = 1;
    private static final int RETURNED = 2;
    private static final int OBJECT = 3;

    private byte[] bytes;
    private int used;
    private int entries;
    private List<Object> objects = new ArrayList<>();

    Segment(int size) {
        bytes = new byte[size];
    }

    /** Empty again. */
    void clear() {
        used = 0;
        entries = 0;
        objects = new ArrayList<>();
    }

    /** How many entries there are. */
    int entries() {
        return entries;
    }

    /** What is kept as an object, in order: not the MADs, which would have to be made for that. */
    List<Object> objects() {
        return objects;
    }

    /** Adds a MAD; false if there is no room. */
    boolean add(long timeNs, boolean isSent, MadFrame frame) {
        byte[] mad = frame.mad();
        MadAddress peer = frame.peer();
        if (peer.grh() != null || HEAD + mad.length > bytes.length / 4) {
            return add(isSent ? new Entry.Sent(timeNs, frame) : new Entry.Received(timeNs, frame));
        }
        int kept = withoutZeros(mad);
        if (used + HEAD + kept > bytes.length) {
            return false;
        }
        int kind = isSent ? SENT : frame.undelivered() ? RETURNED : RECEIVED;
        LONGS.set(bytes, used, timeNs);
        INTS.set(bytes, used + KIND_AT, kind | peer.sl() << Byte.SIZE);
        INTS.set(bytes, used + LID_AT, peer.lid());
        INTS.set(bytes, used + QP_AT, peer.qpn());
        INTS.set(bytes, used + LENGTH_AT, mad.length);
        INTS.set(bytes, used + KEPT_AT, kept);
        System.arraycopy(mad, 0, bytes, used + HEAD, kept);
        used += HEAD + kept;
        entries++;
        return true;
    }

    /** The length without the zeros at the end, eight of them at a time. */
    private static int withoutZeros(byte[] mad) {
        int kept = mad.length;
        while (kept >= Long.BYTES && (long) LONGS.get(mad, kept - Long.BYTES) == 0) {
            kept -= Long.BYTES;
        }
        while (kept > 0 && mad[kept - 1] == 0) {
            kept--;
        }
        return kept;
    }

    /** Adds anything else; false if there is no room. */
    boolean add(Object entry) {
        if (used + HEAD > bytes.length) {
            return false;
        }
        INTS.set(bytes, used + KIND_AT, OBJECT);
        INTS.set(bytes, used + KEPT_AT, 0);
        objects.add(entry);
        used += HEAD;
        entries++;
        return true;
    }

    /** What is in it now, for another thread. */
    Segment copy() {
        Segment copy = new Segment(0);
        copy.bytes = Arrays.copyOf(bytes, used);
        copy.used = used;
        copy.entries = entries;
        copy.objects = List.copyOf(objects);
        return copy;
    }

    /** Everything in order: entries, and whatever else was added. */
    void forEach(Consumer<Object> taker) {
        int object = 0;
        int at = 0;
        while (at < used) {
            int kind = (int) INTS.get(bytes, at + KIND_AT);
            int kept = (int) INTS.get(bytes, at + KEPT_AT);
            taker.accept(kind == OBJECT ? objects.get(object++) : entry(at, kind, kept));
            at += HEAD + kept;
        }
    }

    private Entry entry(int at, int kind, int kept) {
        byte[] mad = new byte[(int) INTS.get(bytes, at + LENGTH_AT)];
        System.arraycopy(bytes, at + HEAD, mad, 0, kept);
        MadAddress peer = new MadAddress(
                (int) INTS.get(bytes, at + LID_AT), (int) INTS.get(bytes, at + QP_AT), kind >> Byte.SIZE, 0);
        long timeNs = (long) LONGS.get(bytes, at);
        int direction = kind & 0xff;
        return direction == SENT
                ? new Entry.Sent(timeNs, new MadFrame(peer, mad))
                : new Entry.Received(timeNs, new MadFrame(peer, mad, direction == RETURNED));
    }
}
