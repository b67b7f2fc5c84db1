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
 * The recorded traffic: for each request its responses, in order, and MADs that are no responses.
 *
 * <p>Two requests are the same if their addresses and all bytes except transaction ID and M_Key are equal.
 */
final class RecordedWire {
    /** The value of a register is used for at most this time. */
    private static final long OLD_NS = 15_000_000_000L;

    /** A replayed SM needs no processor time, so it may send a request this much earlier than the recorded SM. */
    private static final long AHEAD_NS = 1_000_000_000L;

    /** The same limit if recording and replay are identical from the start. */
    private static final long AHEAD_FROM_START_NS = 5_000_000_000L;

    private final Map<ByteBuffer, Deque<Exchange>> byRequest = new HashMap<>();
    private final List<Entry.Received> unasked = new ArrayList<>();
    private final boolean isFromStart;
    private final long aheadNs;
    private int exchanges;

    /** A request and its outcome. */
    static final class Exchange {
        final long sentNs;
        boolean isRefused;
        Entry.@Nullable Received answer;

        Exchange(long sentNs) {
            this.sentNs = sentNs;
        }
    }

    RecordedWire(Recording recording) {
        isFromStart = recording.isFromStart();
        aheadNs = isFromStart ? AHEAD_FROM_START_NS : AHEAD_NS;
        Map<Long, Exchange> byTid = new HashMap<>();
        Exchange last = null;
        for (Entry entry : recording.entries()) {
            if (entry instanceof Entry.Sent sent && isRequest(sent.frame().mad())) {
                last = new Exchange(sent.timeNs());
                byRequest
                        .computeIfAbsent(key(sent.frame()), any -> new ArrayDeque<>())
                        .add(last);
                byTid.put(tid(sent.frame().mad()), last);
                exchanges++;
            } else if (entry instanceof Entry.Received received) {
                take(received, byTid);
            } else if (entry instanceof Entry.Note note && note.kind() == NoteKind.REFUSED && last != null) {
                last.isRefused = true;
            }
        }
    }

    private void take(Entry.Received received, Map<Long, Exchange> byTid) {
        byte[] mad = received.frame().mad();
        boolean isAnswer = received.frame().undelivered() || (mad.length >= MadHeader.MAD_SIZE && isResponse(mad));
        Exchange exchange = isAnswer ? byTid.get(tid(mad)) : null;
        if (exchange != null && exchange.answer == null) {
            exchange.answer = received;
        } else {
            unasked.add(received);
        }
    }

    private static boolean isResponse(byte[] mad) {
        return MadHeader.isResponse(mad);
    }

    /** Checks whether a response is expected. */
    static boolean isRequest(byte[] mad) {
        if (mad.length < MadHeader.MAD_SIZE) {
            return false;
        }
        int method = MadHeader.method(mad);
        return (method & Method.RESPONSE) == 0 && method != Method.TRAP_REPRESS && method != Method.SEND;
    }

    /** Returns the lower half, which is all that kernels keep; each class has transaction IDs of its own. */
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
     * Returns the exchange of a request that is sent now. It is the oldest unused one, or one that began
     * later and still before now. An SM that started later than the recorded one may send fewer requests, so
     * it gets the last of several at one time.
     *
     * @return null if there is none, or none near
     */
    @Nullable
    Exchange next(MadFrame request, long nowNs) {
        Deque<Exchange> same = byRequest.get(key(request));
        if (same == null || same.isEmpty()) {
            return null;
        }
        Exchange first = same.element();
        if (first.sentNs > nowNs + aheadNs) {
            return null;
        }
        same.remove();
        while (!same.isEmpty() && isPassed(first, nowNs) && same.element().sentNs <= nowNs) {
            first = same.remove();
        }
        return first.sentNs < nowNs - OLD_NS ? null : first;
    }

    private boolean isPassed(Exchange exchange, long nowNs) {
        return isFromStart ? exchange.sentNs < nowNs : exchange.sentNs <= nowNs;
    }

    /** Returns the received MADs that are no responses. */
    List<Entry.Received> unasked() {
        return unasked;
    }

    /** Returns how many requests there are. */
    int exchanges() {
        return exchanges;
    }
}
