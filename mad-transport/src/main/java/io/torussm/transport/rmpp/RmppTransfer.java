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
 * A table in transfer: its progress, and the part of it in memory. That part begins at the last segment that was
 * acknowledged when a part arrived. Confined to the loop, except constants, {@code waiting} and {@code heard}.
 */
final class RmppTransfer {
    final Rmpp.Key key;
    final long deadlineNs;

    /** Bytes that count in the total. */
    final long bytes;

    final AtomicInteger waiting = new AtomicInteger();
    long newWindowLast = 1;
    int acknowledged;
    int sent;
    int highestSent;
    int retries;
    volatile boolean heard;
    boolean ended;
    Loop.@Nullable Timer timer;

    private final byte[] header;

    /** The request that the table answers: the record selects its rows. */
    private final MadFrame request;

    /** PayloadLength of the first segment: 0 if it is not known when that is sent (IBA 13.6.2.3). */
    private final long announced;

    private volatile RmppSender.@Nullable Rest rest;
    private boolean isAsked;
    private byte[] held;

    /** Segments before the part in memory. */
    private int dropped;

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
     * Checks whether a request with the TID of this transfer is the one that it answers. The RMPP header does not
     * count, since a segmented request has another one in each segment.
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

    /** Returns the source of the next parts. Null after the last one, so that its memory is released. Any thread. */
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

    /** Returns the number of bytes that were given and not acknowledged. */
    int unacknowledged() {
        return held.length - acknowledgedOfHeld();
    }

    private int acknowledgedOfHeld() {
        return Math.min(held.length, (acknowledged - dropped) * SaMad.DATA_SIZE);
    }

    /** Returns the size of the next part to request. It is 0 while it would be less than an eighth of the limit. */
    int asksFor(int maxHeld) {
        int free = maxHeld - unacknowledged();
        if (isWhole() || isAsked || free < maxHeld / 8) {
            return 0;
        }
        isAsked = true;
        return free;
    }

    /** Appends a part and discards acknowledged data. The last segment may be empty. */
    void append(byte[] part, boolean isLast) {
        isAsked = false;
        int from = acknowledgedOfHeld();
        int kept = held.length - from;
        held = Arrays.copyOfRange(held, from, from + kept + part.length);
        System.arraycopy(part, 0, held, kept, part.length);
        dropped = acknowledged;
        segments = dropped + held.length / SaMad.DATA_SIZE;
        if (isLast) {
            rest = null;
            // At least one more than was sent, because that one was not marked as the last.
            segments = Math.max(highestSent + 1, dropped + segmentsOf(held.length));
        }
    }

    /** Returns one message for the kernel, which needs the flag Active and completes the RMPP header. */
    MadFrame whole() {
        byte[] mad = Arrays.copyOf(header, SaMad.DATA + held.length);
        SaMad.RMPP_FLAGS.set(mad, 0, SaMad.FLAG_ACTIVE);
        System.arraycopy(held, 0, mad, SaMad.DATA, held.length);
        return new MadFrame(peer(), mad);
    }

    /**
     * Returns a segment that is held, by its number. PayloadLength counts the SA header of every segment (IBA
     * 13.6.2.3).
     */
    MadFrame segment(int number) {
        int from = (number - 1 - dropped) * SaMad.DATA_SIZE;
        int length = Math.min(SaMad.DATA_SIZE, held.length - from);
        boolean isFirst = number == 1;
        boolean isLast = isWhole() && number == segments;
        long payload = isLast ? (long) Rmpp.SA_HEADER + length : isFirst ? announced : 0;
        byte[] mad = header.clone();
        int flags = (isFirst ? SaMad.FLAG_FIRST : 0) | (isLast ? SaMad.FLAG_LAST : 0);
        Rmpp.write(mad, Rmpp.DATA, flags, 0, number, payload);
        System.arraycopy(held, from, mad, SaMad.DATA, length);
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
