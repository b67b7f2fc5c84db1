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
 * {@code isAcknowledged} and {@code source}.
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
    int lastAcknowledged;

    /** Number of the last segment that was sent since the last time-out. */
    int lastSent;

    /** Number of the last segment that was ever sent. */
    int highestSent;

    /** Time-outs since the last progress. */
    int retries;

    /** True after the first ACK. */
    volatile boolean isAcknowledged;

    boolean isEnded;
    Loop.@Nullable Timer timer;

    private final byte[] header;

    /** The request that the table answers. */
    private final MadFrame request;

    /** PayloadLength of the first segment; 0 if the length is unknown when that segment is sent (IBA 13.6.2.3). */
    private final long announcedLength;

    private volatile RmppSender.@Nullable PartSource source;

    /** True while a requested part has not arrived. */
    private boolean isPartRequested;

    /** The part in memory; its first byte is that of segment {@link #discardedSegments} + 1. */
    private byte[] buffer;

    /** Number of segments before the part in memory. */
    private int discardedSegments;

    /** Number of segments that can be sent: all if the table is whole, otherwise the full ones. */
    private int segments;

    RmppTransfer(
            Rmpp.Key key,
            MadFrame request,
            byte[] header,
            byte[] data,
            RmppSender.@Nullable PartSource rest,
            int maxHeld,
            long deadlineNs) {
        this.key = key;
        this.request = request;
        this.header = header;
        this.buffer = data;
        this.source = rest;
        this.deadlineNs = deadlineNs;
        if (rest == null) {
            segments = Math.max(1, segmentsOf(data.length));
            bytes = data.length;
            announcedLength = data.length + (long) Rmpp.SA_HEADER * segments;
        } else {
            segments = data.length / SaMad.DATA_SIZE;
            bytes = Math.max(maxHeld, data.length);
            announcedLength = 0;
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
                && Arrays.equals(other, SaMad.DATA_OFFSET, other.length, mad, SaMad.DATA_OFFSET, mad.length);
    }

    /** Returns the address of the receiver. */
    MadAddress peer() {
        return request.peer();
    }

    /** Checks whether all parts have arrived. */
    boolean isWhole() {
        return source == null;
    }

    /**
     * Returns the source of the next parts; null after the last part, so that the memory of the source is released. Any
     * thread.
     */
    RmppSender.@Nullable PartSource source() {
        return source;
    }

    /** Returns the number of segments that can be sent: all of them if the table is whole, otherwise the full ones. */
    int segments() {
        return segments;
    }

    /** Checks whether the receiver has acknowledged all available segments and waits for the next part. */
    boolean isStarved() {
        return !isWhole() && lastAcknowledged == segments;
    }

    /** Returns the number of bytes in memory that are not acknowledged. */
    int unacknowledgedBytes() {
        return buffer.length - acknowledgedBytesOfBuffer();
    }

    private int acknowledgedBytesOfBuffer() {
        return Math.min(buffer.length, (lastAcknowledged - discardedSegments) * SaMad.DATA_SIZE);
    }

    /**
     * Returns the size of the next part to request, and marks it as requested. It is 0 if no part is missing, if one is
     * requested already, or if less than an eighth of the limit is free.
     */
    int reservePart(int maxHeld) {
        int free = maxHeld - unacknowledgedBytes();
        if (isWhole() || isPartRequested || free < maxHeld / 8) {
            return 0;
        }
        isPartRequested = true;
        return free;
    }

    /**
     * Appends a part and discards acknowledged data.
     *
     * @param part records; may be empty if it is the last part
     */
    void append(byte[] part, boolean isLast) {
        isPartRequested = false;
        int acknowledgedBytes = acknowledgedBytesOfBuffer();
        int kept = buffer.length - acknowledgedBytes;
        buffer = Arrays.copyOfRange(buffer, acknowledgedBytes, acknowledgedBytes + kept + part.length);
        System.arraycopy(part, 0, buffer, kept, part.length);
        discardedSegments = lastAcknowledged;
        segments = discardedSegments + buffer.length / SaMad.DATA_SIZE;
        if (isLast) {
            source = null;
            // The last segment that was sent was not marked as the last, so at least one more follows. It may be empty.
            segments = Math.max(highestSent + 1, discardedSegments + segmentsOf(buffer.length));
        }
    }

    /**
     * Returns the whole table as one message for the kernel. The kernel requires the flag Active and completes the RMPP
     * header.
     */
    MadFrame wholeMessage() {
        byte[] mad = Arrays.copyOf(header, SaMad.DATA_OFFSET + buffer.length);
        SaMad.RMPP_FLAGS.set(mad, 0, SaMad.FLAG_ACTIVE);
        System.arraycopy(buffer, 0, mad, SaMad.DATA_OFFSET, buffer.length);
        return new MadFrame(peer(), mad);
    }

    /**
     * Returns a segment.
     *
     * @param number number of a segment in memory, from {@link #discardedSegments} + 1
     */
    MadFrame segment(int number) {
        int offset = (number - 1 - discardedSegments) * SaMad.DATA_SIZE;
        int length = Math.min(SaMad.DATA_SIZE, buffer.length - offset);
        boolean isFirst = number == 1;
        boolean isLast = isWhole() && number == segments;
        // PayloadLength counts the SA header of each segment (IBA 13.6.2.3). In the last segment it counts that segment
        // only.
        long payload = isLast ? (long) Rmpp.SA_HEADER + length : isFirst ? announcedLength : 0;
        byte[] mad = header.clone();
        int flags = (isFirst ? SaMad.FLAG_FIRST : 0) | (isLast ? SaMad.FLAG_LAST : 0);
        Rmpp.write(mad, Rmpp.DATA, flags, 0, number, payload);
        System.arraycopy(buffer, offset, mad, SaMad.DATA_OFFSET, length);
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
