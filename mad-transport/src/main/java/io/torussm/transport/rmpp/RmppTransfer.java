package io.torussm.transport.rmpp;

import io.torussm.mad.MadHeader;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A table in transfer: its progress, and the part of it in memory. That part begins after the last segment that was
 * acknowledged when the newest part arrived. Segments are numbered from 1. Confined to the loop, except final fields,
 * {@code heard} and {@code rest}.
 */
final class RmppTransfer {
    final Rmpp.Key key;
    final long deadlineNs;

    /** Bytes that count in the total: the table, or for a table in parts at least the max bytes that are kept. */
    final long bytes;

    /** Control messages that wait for the loop. */
    final AtomicInteger waiting = new AtomicInteger();

    /** Number of the last segment that the receiver allows. */
    long newWindowLast = 1;

    /** Number of the last acknowledged segment; 0 before the first ACK. */
    int acknowledged;

    /** Number of the last segment that was sent since the last time-out. */
    int sent;

    /** Number of the last segment that was ever sent. */
    int highestSent;

    /** Time-outs since the last progress. */
    int retries;

    /** True after the first ACK. */
    volatile boolean heard;

    boolean ended;
    Loop.@Nullable Timer timer;

    private final byte[] header;

    /** The request that the table answers. */
    private final MadFrame request;

    /** PayloadLength of the first segment; 0 if the length is unknown when that segment is sent (IBA 13.6.2.3). */
    private final long announced;

    private volatile RmppSender.@Nullable Rest rest;

    /** True while a requested part has not arrived. */
    private boolean isAsked;

    /** The part in memory; its first byte is that of segment {@link #dropped} + 1. */
    private byte[] held;

    /** Number of segments before the part in memory. */
    private int dropped;

    /** Number of segments that can be sent: all if the table is whole, otherwise the full ones. */
    private int segments;

    RmppTransfer(
            Rmpp.Key key,
            MadFrame request,
            byte[] header,
            byte[] data,
            RmppSender.@Nullable Rest rest,
            int maxHeld,
            long deadlineNs) {
        this.key = key;
        this.request = request;
        this.header = header;
        this.held = data;
        this.rest = rest;
        this.deadlineNs = deadlineNs;
        if (rest == null) {
            segments = Math.max(1, segmentsOf(data.length));
            bytes = data.length;
            announced = data.length + (long) Rmpp.SA_HEADER * segments;
        } else {
            segments = data.length / SaMad.DATA_SIZE;
            bytes = Math.max(maxHeld, data.length);
            announced = 0;
        }
    }

    private static int segmentsOf(int length) {
        return (length + SaMad.DATA_SIZE - 1) / SaMad.DATA_SIZE;
    }

    /**
     * Checks whether another request with this TID equals the request that this transfer answers. The RMPP header is
     * not compared, since each segment of a request has a different one.
     */
    boolean isAnswerTo(byte[] other) {
        byte[] mad = request.mad();
        return MadHeader.method(other) == MadHeader.method(mad)
                && MadHeader.attributeId(other) == MadHeader.attributeId(mad)
                && MadHeader.attributeModifier(other) == MadHeader.attributeModifier(mad)
                && SaMad.SM_KEY.get(other, 0) == SaMad.SM_KEY.get(mad, 0)
                && SaMad.COMPONENT_MASK.get(other, 0) == SaMad.COMPONENT_MASK.get(mad, 0)
                && Arrays.equals(other, SaMad.DATA, other.length, mad, SaMad.DATA, mad.length);
    }

    /** Returns the address of the receiver. */
    MadAddress peer() {
        return request.peer();
    }

    /** Checks whether all parts have arrived. */
    boolean isWhole() {
        return rest == null;
    }

    /**
     * Returns the source of the next parts; null after the last part, so that the memory of the source is released. Any
     * thread.
     */
    RmppSender.@Nullable Rest rest() {
        return rest;
    }

    /** Returns the number of segments that can be sent: all of them if the table is whole, otherwise the full ones. */
    int segments() {
        return segments;
    }

    /** Checks whether the receiver has acknowledged all available segments and waits for the next part. */
    boolean isStarved() {
        return !isWhole() && acknowledged == segments;
    }

    /** Returns the number of bytes in memory that are not acknowledged. */
    int unacknowledged() {
        return held.length - acknowledgedOfHeld();
    }

    private int acknowledgedOfHeld() {
        return Math.min(held.length, (acknowledged - dropped) * SaMad.DATA_SIZE);
    }

    /**
     * Returns the size of the next part to request, and marks it as requested. It is 0 if no part is missing, if one is
     * requested already, or if less than an eighth of the limit is free.
     */
    int asksFor(int maxHeld) {
        int free = maxHeld - unacknowledged();
        if (isWhole() || isAsked || free < maxHeld / 8) {
            return 0;
        }
        isAsked = true;
        return free;
    }

    /**
     * Appends a part and discards acknowledged data.
     *
     * @param part records; may be empty if it is the last part
     */
    void append(byte[] part, boolean isLast) {
        isAsked = false;
        int acknowledgedBytes = acknowledgedOfHeld();
        int kept = held.length - acknowledgedBytes;
        held = Arrays.copyOfRange(held, acknowledgedBytes, acknowledgedBytes + kept + part.length);
        System.arraycopy(part, 0, held, kept, part.length);
        dropped = acknowledged;
        segments = dropped + held.length / SaMad.DATA_SIZE;
        if (isLast) {
            rest = null;
            // The last segment that was sent was not marked as the last, so at least one more follows. It may be empty.
            segments = Math.max(highestSent + 1, dropped + segmentsOf(held.length));
        }
    }

    /**
     * Returns the whole table as one message for the kernel. The kernel requires the flag Active and completes the RMPP
     * header.
     */
    MadFrame whole() {
        byte[] mad = Arrays.copyOf(header, SaMad.DATA + held.length);
        SaMad.RMPP_FLAGS.set(mad, 0, SaMad.FLAG_ACTIVE);
        System.arraycopy(held, 0, mad, SaMad.DATA, held.length);
        return new MadFrame(peer(), mad);
    }

    /**
     * Returns a segment.
     *
     * @param number number of a segment in memory, from {@link #dropped} + 1
     */
    MadFrame segment(int number) {
        int offset = (number - 1 - dropped) * SaMad.DATA_SIZE;
        int length = Math.min(SaMad.DATA_SIZE, held.length - offset);
        boolean isFirst = number == 1;
        boolean isLast = isWhole() && number == segments;
        // PayloadLength counts the SA header of each segment (IBA 13.6.2.3). In the last segment it counts that segment
        // only.
        long payload = isLast ? (long) Rmpp.SA_HEADER + length : isFirst ? announced : 0;
        byte[] mad = header.clone();
        int flags = (isFirst ? SaMad.FLAG_FIRST : 0) | (isLast ? SaMad.FLAG_LAST : 0);
        Rmpp.write(mad, Rmpp.DATA, flags, 0, number, payload);
        System.arraycopy(held, offset, mad, SaMad.DATA, length);
        return new MadFrame(peer(), mad);
    }

    /** Returns an ABORT with a status. */
    MadFrame abort(int status) {
        byte[] mad = header.clone();
        Rmpp.write(mad, Rmpp.ABORT, 0, status, 0, 0);
        return new MadFrame(peer(), mad);
    }

    void cancelTimer() {
        Loop.Timer running = timer;
        if (running != null) {
            running.cancel();
        }
    }
}
