package io.torussm.daemon.replay;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.Smp;
import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.transport.MadFrame;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recorded MADs: the requests with their responses, in order, and the received MADs that are no responses.
 *
 * <p>Two requests are equal if their addresses and all bytes except the transaction ID and the M_Key are equal.
 */
final class RecordedWire {
    /** Max age of a response: an older value of a register is not used. */
    private static final long MAX_RESPONSE_AGE_NS = 15_000_000_000L;

    /** Max time by which a replayed SM, which needs no processor time, sends a request before the recorded SM. */
    private static final long MAX_LEAD_NS = 1_000_000_000L;

    /** The same limit as {@link #MAX_LEAD_NS} for a recording that begins with the SM. */
    private static final long MAX_LEAD_FROM_START_NS = 5_000_000_000L;

    /** Unused exchanges in order of sending, by request. */
    private final Map<ByteBuffer, Deque<Exchange>> byRequest = new HashMap<>();

    /** Received MADs that are no responses. */
    private final List<Received> unsolicited = new ArrayList<>();

    private final boolean isFromStart;
    private final long maxLeadNs;
    private int exchanges;

    /**
     * A received MAD.
     *
     * @param timeNs time of the recording
     * @param number number of the MAD among all received MADs, in recorded order
     */
    record Received(long timeNs, int number, MadFrame frame) {}

    /** A request and its outcome. */
    static final class Exchange {
        final long sentNs;

        /** True if the port did not accept the request. */
        boolean isRefused;

        /** Response; null if none was received. */
        @Nullable
        Received answer;

        Exchange(long sentNs) {
            this.sentNs = sentNs;
        }
    }

    RecordedWire(Recording recording) {
        isFromStart = recording.isFromStart();
        maxLeadNs = isFromStart ? MAX_LEAD_FROM_START_NS : MAX_LEAD_NS;
        Map<Long, Exchange> byTid = new HashMap<>();
        Exchange last = null;
        int received = 0;
        for (Entry entry : recording.entries()) {
            if (entry instanceof Entry.Sent sent && isRequest(sent.frame().mad())) {
                last = new Exchange(sent.timeNs());
                byRequest
                        .computeIfAbsent(key(sent.frame()), any -> new ArrayDeque<>())
                        .add(last);
                byTid.put(tid(sent.frame().mad()), last);
                exchanges++;
            } else if (entry instanceof Entry.Received arrived) {
                add(new Received(arrived.timeNs(), received++, arrived.frame()), byTid);
            } else if (entry instanceof Entry.Note note && note.kind() == NoteKind.REFUSED && last != null) {
                last.isRefused = true;
            }
        }
    }

    private void add(Received arrived, Map<Long, Exchange> byTid) {
        byte[] mad = arrived.frame().mad();
        boolean isAnswer = arrived.frame().isUndelivered() || (mad.length >= MadHeader.MAD_SIZE && isResponse(mad));
        Exchange exchange = isAnswer ? byTid.get(tid(mad)) : null;
        if (exchange != null && exchange.answer == null) {
            exchange.answer = arrived;
        } else {
            unsolicited.add(arrived);
        }
    }

    private static boolean isResponse(byte[] mad) {
        return MadHeader.isResponse(mad);
    }

    /** Checks whether a MAD is a request that expects a response. */
    static boolean isRequest(byte[] mad) {
        if (mad.length < MadHeader.MAD_SIZE) {
            return false;
        }
        int method = MadHeader.method(mad);
        return (method & Method.RESPONSE) == 0 && method != Method.TRAP_REPRESS && method != Method.SEND;
    }

    /**
     * Returns the management class and the lower half of the transaction ID. Kernels replace the upper half, and each
     * class has separate transaction IDs.
     */
    private static long tid(byte[] mad) {
        return (long) MadHeader.mgmtClass(mad) << Integer.SIZE | MadHeader.tid(mad) & 0xffffffffL;
    }

    private static ByteBuffer key(MadFrame frame) {
        byte[] mad = frame.mad();
        byte[] bytes = new byte[mad.length + Integer.BYTES];
        System.arraycopy(mad, 0, bytes, 0, mad.length);
        MadHeader.TRANSACTION_ID.set(bytes, 0, 0);
        if (MgmtClass.isSmp(MadHeader.mgmtClass(mad))) {
            Smp.M_KEY.set(bytes, 0, 0);
        }
        bytes[mad.length] = (byte) (frame.peer().lid() >> Byte.SIZE);
        bytes[mad.length + 1] = (byte) frame.peer().lid();
        bytes[mad.length + 2] = (byte) frame.peer().qpn();
        return ByteBuffer.wrap(bytes);
    }

    /**
     * Removes and returns the exchange for a request that is sent now: the newest unused one that was recorded before
     * now, otherwise the next one. Older exchanges are skipped, because an SM that started later than the recorded one
     * may send fewer requests. If the recording begins with the SM, exchanges at the current time are not skipped.
     *
     * @return the exchange; null if no exchange of an equal request was recorded near the current time
     */
    @Nullable
    Exchange next(MadFrame request, long nowNs) {
        Deque<Exchange> candidates = byRequest.get(key(request));
        if (candidates == null || candidates.isEmpty()) {
            return null;
        }
        Exchange first = candidates.element();
        if (first.sentNs > nowNs + maxLeadNs) {
            return null;
        }
        candidates.remove();
        while (!candidates.isEmpty() && hasPassed(first, nowNs) && candidates.element().sentNs <= nowNs) {
            first = candidates.remove();
        }
        return first.sentNs < nowNs - MAX_RESPONSE_AGE_NS ? null : first;
    }

    private boolean hasPassed(Exchange exchange, long nowNs) {
        return isFromStart ? exchange.sentNs < nowNs : exchange.sentNs <= nowNs;
    }

    /** Returns the received MADs that are no responses. */
    List<Received> unsolicited() {
        return unsolicited;
    }

    /** Returns the number of recorded requests. */
    int exchanges() {
        return exchanges;
    }
}
