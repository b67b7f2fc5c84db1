package io.torussm.transport.rmpp;

import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of RMPP (IBA 13.6.3) in user space: responses of any length in segments of 200 data bytes.
 *
 * <p>The first segment is sent alone, and each ACK opens the window up to its NewWindowLast. After a time-out, segments
 * are sent again from the first unacknowledged one. Too many repetitions, or too long a transaction, end in an ABORT,
 * unless the receiver never acknowledged: it does not support RMPP, or is absent.
 *
 * <p>A table may be supplied in parts ({@link Rest}). ACKs make room, and then the next part is requested. At most
 * {@link Limits#maxHeld} bytes are kept, and only these count in the total. Its length is not announced.
 * While a transaction waits for a part, only its total time limits it.
 *
 * <p>A requester has at most as many transactions and bytes open as remain free for others. At that limit a new
 * transaction replaces the oldest that the requester never acknowledged, if any. Admission is immediate. A requester is
 * a port: with LMC it has several LIDs.
 *
 * <p>The kernel ({@link Segmenter#KERNEL}) receives each table whole, and reports no end of a transfer. So a table
 * counts as open for the time-out of an ACK.
 *
 * <p>Threads: {@link #send}, {@link #receive} and {@link #undelivered} may be called from any thread. Everything else
 * happens on the loop.
 */
public final class RmppSender {
    private static final int MAX_WAITING_PER_TRANSFER = 64;

    /**
     * Time-outs and limits.
     *
     * @param timeoutMs wait for an ACK before the window is sent again
     * @param retries repetitions without progress
     * @param totalMs longest duration of a transaction
     * @param maxWindow maximum of segments in flight, even if the receiver allows more
     * @param maxOpen transactions in total
     * @param maxBytes bytes of all open transactions
     * @param maxHeld maximum of kept bytes of a table in parts; more than a receiver's window, which the
     *     receiver may only acknowledge as a whole
     */
    public record Limits(
            int timeoutMs, int retries, int totalMs, int maxWindow, int maxOpen, long maxBytes, int maxHeld) {
        /**
         * For a subnet of any size: 64 MiB is one world query of 49,151 NodeRecords twelve times over. The kernel's
         * window is 64 segments, and 1,024 with the longest receive queue that its MAD layer can be given.
         */
        public static final Limits DEFAULT = new Limits(1000, 4, 120_000, 4096, 4096, 64L << 20, 256 << 10);
    }

    /** The rest of a table, of which parts are made as the receiver takes them. */
    public interface Rest {
        /**
         * Requests the next part, on the loop. Never called again before that part arrived, nor after the
         * last. Must not block.
         *
         * @param maxBytes maximum size of the part
         */
        void next(int maxBytes, Taker taker);
    }

    /** Takes one part, by one call of one method; from any thread. */
    public interface Taker {
        /**
         * Hands a part over, which is kept and must not be changed.
         *
         * @param part not empty, unless it is the last
         */
        void give(byte[] part, boolean isLast);

        /** Ends the table without its next part. The receiver is notified that the table is incomplete. */
        void giveUp();
    }

    /**
     * How transactions ended.
     *
     * @param completed the receiver acknowledged everything
     * @param unacknowledged the receiver never acknowledged anything, or could not be reached
     * @param stopped by the receiver: by STOP, ABORT, or another request with the same TID
     * @param aborted by this side
     * @param refused never begun, for want of room
     * @param strays MADs of receivers that belong to no transfer, or are more than it can wait for: dropped
     */
    public record Stats(long completed, long unacknowledged, long stopped, long aborted, long refused, long strays) {}

    /** The component that cuts tables into segments and receives their control messages. */
    public enum Segmenter {
        SENDER,
        KERNEL
    }

    private final Loop loop;
    private final Limits limits;
    private final Segmenter segmenter;
    private final IntUnaryOperator baseLid;
    private final Consumer<MadFrame> out;

    /** Written under {@code admission} only. */
    private final Map<Rmpp.Key, RmppTransfer> open = new ConcurrentHashMap<>();

    private final Object admission = new Object();

    /** Under {@code admission}. */
    private final PortShares<RmppTransfer> shares;

    /** LIDs with a receiver that has acknowledged at least once. On the loop. */
    private final BitSet known = new BitSet();

    private final LongAdder completed = new LongAdder();
    private final LongAdder unacknowledged = new LongAdder();
    private final LongAdder stopped = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder strays = new LongAdder();

    /** A sender that hands its segments to {@code out}, on the loop. */
    public RmppSender(Loop loop, Limits limits, Consumer<MadFrame> out) {
        this(loop, limits, Segmenter.SENDER, lid -> lid, out);
    }

    /**
     * A sender that hands its segments, or whole tables, to {@code out}, on the loop.
     *
     * @param baseLid returns the base LID of the port with a LID; any thread
     */
    public RmppSender(Loop loop, Limits limits, Segmenter segmenter, IntUnaryOperator baseLid, Consumer<MadFrame> out) {
        this.loop = loop;
        this.limits = limits;
        this.segmenter = segmenter;
        this.baseLid = baseLid;
        this.shares = new PortShares<>(limits.maxOpen(), limits.maxBytes());
        this.out = out;
    }

    /** Transactions under way. */
    public int openCount() {
        return open.size();
    }

    /** Returns the number of bytes of the transactions under way. */
    public long openBytes() {
        synchronized (admission) {
            return shares.bytes();
        }
    }

    public Stats stats() {
        return new Stats(
                completed.sum(), unacknowledged.sum(), stopped.sum(), aborted.sum(), refused.sum(), strays.sum());
    }

    /** Checks whether the response to a request with this TID is already being sent. */
    public boolean isOpen(MadAddress peer, byte[] mad) {
        return open.containsKey(Rmpp.Key.of(peer, mad));
    }

    /** Checks whether a request is being answered. If no part of the response was acknowledged, it is sent again. */
    public boolean sendAgain(MadAddress peer, byte[] mad) {
        endUnlessAnswering(peer, mad);
        RmppTransfer transfer = open.get(Rmpp.Key.of(peer, mad));
        if (transfer != null && segmenter == Segmenter.SENDER) {
            loop.execute(() -> {
                if (!transfer.heard) {
                    transfer.sent = 0;
                    sendWindow(transfer);
                }
            });
        }
        return transfer != null;
    }

    /**
     * Ends the transfer with the TID of a request, without an ABORT, unless it answers this request. A requester
     * that reuses a TID has abandoned the response. Programs that start one after the other often do.
     */
    public void endUnlessAnswering(MadAddress peer, byte[] mad) {
        RmppTransfer transfer = open.isEmpty() ? null : open.get(Rmpp.Key.of(peer, mad)); // a key is an object
        if (transfer != null && !transfer.isAnswerTo(mad)) {
            giveUp(transfer);
        }
    }

    /** Checks whether tables may be supplied in parts. The kernel needs them whole. */
    public boolean takesParts() {
        return segmenter == Segmenter.SENDER;
    }

    /** Sends a table that is whole; see {@link #send(MadFrame, byte[], byte[], Rest)}. */
    public boolean send(MadFrame request, byte[] header, byte[] data) {
        return send(request, header, data, null);
    }

    /**
     * Sends a table, unless the transaction is open already. The arrays are kept and must not be changed.
     *
     * @param request the request, and its sender
     * @param header a response MAD whose first 56 bytes (without RMPP fields) head every segment
     * @param data the records, or the first of them
     * @param rest the others; null if there are none. Only if this {@link #takesParts()}
     * @return false if a bound is reached
     */
    public boolean send(MadFrame request, byte[] header, byte[] data, @Nullable Rest rest) {
        Rmpp.Key key = Rmpp.Key.of(request.peer(), header);
        int owner = baseLid.applyAsInt(request.peer().lid());
        long deadlineNs = loop.nowNs() + TimeUnit.MILLISECONDS.toNanos(limits.totalMs());
        RmppTransfer transfer = new RmppTransfer(key, request, header, data, rest, limits.maxHeld(), deadlineNs);
        synchronized (admission) {
            if (open.containsKey(key)) {
                return true;
            }
            while (!shares.hasPlace(owner) || !shares.hasBytes(owner, transfer.bytes)) {
                if (2 * transfer.bytes > limits.maxBytes() || !giveUpOneOf(owner)) {
                    refused.increment();
                    return false;
                }
            }
            open.put(key, transfer);
            shares.add(owner, transfer, transfer.bytes);
        }
        loop.execute(segmenter == Segmenter.KERNEL ? () -> sendWhole(transfer) : () -> sendWindow(transfer));
        return true;
    }

    /** Returns the open requests for parts, in no order; from any thread. */
    public List<Rest> unfinished() {
        return open.values().stream()
                .map(RmppTransfer::rest)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Ends the transaction that requests these parts, if any, by an ABORT; from any thread. */
    public void giveUp(Rest rest) {
        open.values().stream()
                .filter(transfer -> transfer.rest() == rest)
                .forEach(transfer -> loop.execute(() -> abort(transfer, Rmpp.UNSPECIFIED)));
    }

    /** Takes an ACK, STOP or ABORT. Messages without a transaction, and floods of messages, are dropped. */
    public void receive(MadFrame frame) {
        RmppTransfer transfer = open.get(Rmpp.Key.of(frame.peer(), frame.mad()));
        if (transfer == null || segmenter == Segmenter.KERNEL) {
            strays.increment();
            return;
        }
        if (transfer.waiting.incrementAndGet() > MAX_WAITING_PER_TRANSFER) {
            transfer.waiting.decrementAndGet();
            strays.increment();
            return;
        }
        loop.execute(() -> {
            transfer.waiting.decrementAndGet();
            accept(transfer, frame.mad());
        });
    }

    /** Makes room by ending the oldest transfer that the requester never acknowledged; false if there is none. */
    private boolean giveUpOneOf(int owner) {
        for (RmppTransfer transfer : shares.items(owner)) {
            if (!transfer.heard) {
                giveUp(transfer);
                return true;
            }
        }
        return false;
    }

    /** Ends a transfer without an ABORT. Its key is free immediately. */
    private void giveUp(RmppTransfer transfer) {
        synchronized (admission) {
            release(transfer);
        }
        loop.execute(() -> end(transfer, transfer.heard ? stopped : unacknowledged));
    }

    private void release(RmppTransfer transfer) {
        if (shares.remove(transfer)) {
            open.remove(transfer.key);
        }
    }

    /** Takes a segment that came back because its receiver is gone. */
    public void undelivered(MadFrame frame) {
        RmppTransfer transfer = open.get(Rmpp.Key.of(frame.peer(), frame.mad()));
        if (transfer != null) {
            loop.execute(() -> end(transfer, unacknowledged));
        }
    }

    private void accept(RmppTransfer transfer, byte[] mad) {
        loop.check();
        if (transfer.ended) {
            return;
        }
        int type = Rmpp.type(mad);
        if (SaMad.RMPP_VERSION.get(mad, 0) != Rmpp.VERSION) {
            abort(transfer, Rmpp.UNSUPPORTED_VERSION);
        } else if (type == Rmpp.STOP || type == Rmpp.ABORT) {
            end(transfer, stopped);
        } else if (type != Rmpp.ACK) {
            abort(transfer, Rmpp.BAD_TYPE);
        } else if (SaMad.RMPP_STATUS.get(mad, 0) != 0) {
            abort(transfer, Rmpp.ILLEGAL_STATUS);
        } else {
            transfer.heard = true;
            known.set(transfer.peer().lid());
            onAck(transfer, SaMad.DATA1.get(mad, 0), SaMad.DATA2.get(mad, 0));
        }
    }

    private void onAck(RmppTransfer transfer, long segment, long newWindowLast) {
        if (newWindowLast < segment) {
            abort(transfer, Rmpp.WINDOW_TOO_SMALL);
        } else if (segment > transfer.highestSent) {
            abort(transfer, Rmpp.SEGMENT_TOO_BIG);
        } else if (transfer.isWhole() && segment == transfer.segments()) {
            end(transfer, completed);
        } else if (segment >= transfer.acknowledged && newWindowLast >= transfer.newWindowLast) {
            boolean isProgress = segment > transfer.acknowledged || newWindowLast > transfer.newWindowLast;
            transfer.acknowledged = (int) segment;
            transfer.sent = Math.max(transfer.sent, transfer.acknowledged);
            transfer.newWindowLast = newWindowLast;
            if (isProgress) {
                transfer.retries = 0;
                sendWindow(transfer);
            }
        }
    }

    private void sendWhole(RmppTransfer transfer) {
        loop.check();
        transfer.timer =
                loop.schedule(TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs()), () -> end(transfer, completed));
        out.accept(transfer.whole());
    }

    /** Sends the segments that the window allows and that were not sent yet, and starts the timer. */
    private void sendWindow(RmppTransfer transfer) {
        loop.check();
        if (transfer.ended) {
            return;
        }
        long last = Math.min(
                Math.min(transfer.newWindowLast, transfer.segments()),
                (long) transfer.acknowledged + limits.maxWindow());
        // Set before sending: a segment that cannot be sent is retried until the time-out.
        transfer.cancelTimer();
        long waitNs = Math.min(
                TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs()), Math.max(0, transfer.deadlineNs - loop.nowNs()));
        transfer.timer = loop.schedule(waitNs, () -> onSilence(transfer));
        while (transfer.sent < last) {
            out.accept(transfer.segment(transfer.sent + 1));
            transfer.sent++;
            transfer.highestSent = Math.max(transfer.highestSent, transfer.sent);
        }
        askForMore(transfer);
    }

    private void askForMore(RmppTransfer transfer) {
        Rest rest = transfer.rest();
        int bytesAsked = transfer.asksFor(limits.maxHeld());
        if (rest != null && bytesAsked > 0) {
            rest.next(bytesAsked, new Taker() {
                @Override
                public void give(byte[] part, boolean isLast) {
                    loop.execute(() -> goOn(transfer, part, isLast));
                }

                @Override
                public void giveUp() {
                    loop.execute(() -> abort(transfer, Rmpp.UNSPECIFIED));
                }
            });
        }
    }

    private void goOn(RmppTransfer transfer, byte[] part, boolean isLast) {
        loop.check();
        if (!transfer.ended) {
            transfer.append(part, isLast);
            sendWindow(transfer);
        }
    }

    /** A receiver without any ACK may not support RMPP: it gets no segment twice unless it repeats its request. */
    private void onSilence(RmppTransfer transfer) {
        if (transfer.ended) {
            return;
        }
        if (loop.nowNs() - transfer.deadlineNs >= 0) {
            abort(transfer, Rmpp.TOTAL_TIME_TOO_LONG);
        } else if (!transfer.isStarved() && transfer.retries++ >= limits.retries()) {
            abort(transfer, Rmpp.TOO_MANY_RETRIES);
        } else {
            transfer.sent = known.get(transfer.peer().lid()) ? transfer.acknowledged : transfer.sent;
            sendWindow(transfer);
        }
    }

    private void abort(RmppTransfer transfer, int status) {
        if (transfer.ended) {
            return;
        }
        boolean isKnownReceiver =
                transfer.heard || (status != Rmpp.TOO_MANY_RETRIES && status != Rmpp.TOTAL_TIME_TOO_LONG);
        if (isKnownReceiver) {
            out.accept(transfer.abort(status));
        }
        end(transfer, isKnownReceiver ? aborted : unacknowledged);
    }

    private void end(RmppTransfer transfer, LongAdder counter) {
        if (transfer.ended) {
            return;
        }
        transfer.ended = true;
        transfer.cancelTimer();
        counter.increment();
        synchronized (admission) {
            release(transfer);
        }
    }
}
