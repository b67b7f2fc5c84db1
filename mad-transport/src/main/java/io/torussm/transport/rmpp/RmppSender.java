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
 * The sending side of RMPP (IBA 13.6.3): sends responses of any length in segments of 200 data bytes.
 *
 * <p>The first segment is sent alone; each ACK opens the window up to its NewWindowLast. After a time-out, segments are
 * sent again from the first unacknowledged one. Too many repetitions, or too long a transaction, end in an ABORT. A
 * receiver that never acknowledged gets no ABORT: it does not support RMPP, or is absent.
 *
 * <p>A table may be supplied in parts ({@link PartSource}): when ACKs have made room, the next part is requested. At
 * most {@link Limits#maxHeld} bytes of it are kept, and only these count in the total. The length of such a table is
 * not announced. While its transaction waits for a part, only its total time limits it.
 *
 * <p>A requester has at most as many transactions and bytes open as remain free for others ({@link PortShares}). At
 * that limit, a new transaction replaces the oldest one that the requester never acknowledged, if there is one. A
 * requester is a port: with LMC it has several LIDs.
 *
 * <p>With {@link Segmenter#KERNEL}, the kernel receives each table whole and reports no end of a transfer. So a table
 * counts as open for the time-out of an ACK.
 *
 * <p>Threads: {@link #send}, {@link #receive} and {@link #undelivered} may be called from any thread. Transfers change
 * on the loop only.
 */
public final class RmppSender {
    /** Max control messages of one transfer that wait for the loop. */
    private static final int MAX_WAITING_PER_TRANSFER = 64;

    /**
     * Time-outs and limits.
     *
     * @param timeoutMs wait for an ACK before the window is sent again
     * @param retries max repetitions without progress
     * @param totalMs max duration of a transaction
     * @param maxWindow max segments in flight, even if the receiver allows more
     * @param maxOpen max transactions in total
     * @param maxBytes max bytes of all open transactions
     * @param maxHeld max kept bytes of a table in parts; above a window, since a receiver may acknowledge it as a whole
     */
    public record Limits(
            int timeoutMs, int retries, int totalMs, int maxWindow, int maxOpen, long maxBytes, int maxHeld) {
        /**
         * Limits for a subnet of any size. 64 MiB is twelve times the response with the NodeRecords of 49,151 LIDs. The
         * kernel's window is 64 segments, and 1,024 with the longest possible receive queue of its MAD layer.
         */
        public static final Limits DEFAULT = new Limits(1000, 4, 120_000, 4096, 4096, 64L << 20, 256 << 10);
    }

    /** The source of the rest of a table, which makes parts as the receiver acknowledges them. */
    public interface PartSource {
        /**
         * Requests the next part, on the loop. Called again only after that part arrived, and never after the last
         * part. Must not block.
         *
         * @param maxBytes max size of the part
         * @param taker receiver of the part
         */
        void requestNext(int maxBytes, PartReceiver taker);
    }

    /** The receiver of one part: one of its methods is called once, from any thread. */
    public interface PartReceiver {
        /** Supplies the part, which is kept and must not be changed. It is empty only if it is the last. */
        void supply(byte[] part, boolean isLast);

        /** Ends the table without its next part. The receiver is notified that the table is incomplete. */
        void giveUp();
    }

    /**
     * The ended transactions by cause, since the start.
     *
     * @param completed the receiver acknowledged all segments
     * @param unacknowledged the receiver never acknowledged a segment, or was unreachable
     * @param stopped ended by the receiver: by STOP, ABORT, or another request with the same TID
     * @param aborted ended by this side
     * @param refused not begun, because a limit was reached
     * @param strays dropped control messages: without a transfer, or too many for one transfer
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
    private final Consumer<MadFrame> output;

    /** The open transfers. Changed under {@code admission} only, read by any thread. */
    private final Map<Rmpp.Key, RmppTransfer> open = new ConcurrentHashMap<>();

    private final Object admission = new Object();

    /** The places and bytes of the open transfers. Guarded by {@code admission}. */
    private final PortShares<RmppTransfer> shares;

    /** LIDs whose receiver has acknowledged a segment at least once, so that it supports RMPP. On the loop. */
    private final BitSet rmppLids = new BitSet();

    private final LongAdder completed = new LongAdder();
    private final LongAdder unacknowledged = new LongAdder();
    private final LongAdder stopped = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder strays = new LongAdder();

    /** Creates a sender that segments tables, for ports without LMC. */
    public RmppSender(Loop loop, Limits limits, Consumer<MadFrame> out) {
        this(loop, limits, Segmenter.SENDER, lid -> lid, out);
    }

    /**
     * Creates a sender.
     *
     * @param baseLid returns the base LID of the port with a LID; any thread
     * @param out sends segments, or whole tables; called on the loop
     */
    public RmppSender(Loop loop, Limits limits, Segmenter segmenter, IntUnaryOperator baseLid, Consumer<MadFrame> out) {
        this.loop = loop;
        this.limits = limits;
        this.segmenter = segmenter;
        this.baseLid = baseLid;
        this.shares = new PortShares<>(limits.maxOpen(), limits.maxBytes());
        this.output = out;
    }

    /** Returns the number of open transactions. */
    public int openCount() {
        return open.size();
    }

    /** Returns the number of bytes of the open transactions. */
    public long openBytes() {
        synchronized (admission) {
            return shares.bytes();
        }
    }

    public Stats stats() {
        return new Stats(
                completed.sum(), unacknowledged.sum(), stopped.sum(), aborted.sum(), refused.sum(), strays.sum());
    }

    /**
     * Checks whether a response with the TID of a MAD is already being sent. The content of the request is not
     * compared.
     */
    public boolean isOpen(MadAddress peer, byte[] mad) {
        return open.containsKey(Rmpp.Key.of(peer, mad));
    }

    /**
     * Checks whether a request is being answered. If no segment of the response was acknowledged, the response is sent
     * again.
     */
    public boolean sendAgain(MadAddress peer, byte[] mad) {
        endUnlessAnswering(peer, mad);
        RmppTransfer transfer = open.get(Rmpp.Key.of(peer, mad));
        if (transfer != null && segmenter == Segmenter.SENDER) {
            loop.execute(() -> {
                if (!transfer.isAcknowledged) {
                    transfer.lastSent = 0;
                    sendWindow(transfer);
                }
            });
        }
        return transfer != null;
    }

    /**
     * Ends the transfer with the TID of a request, without an ABORT, unless the transfer answers this request. A
     * requester that reuses a TID has abandoned the response. Programs that start one after the other often reuse TIDs.
     */
    public void endUnlessAnswering(MadAddress peer, byte[] mad) {
        // isEmpty() saves the allocation of a key
        RmppTransfer transfer = open.isEmpty() ? null : open.get(Rmpp.Key.of(peer, mad));
        if (transfer != null && !transfer.isAnswerTo(mad)) {
            giveUp(transfer);
        }
    }

    /** Checks whether tables may be supplied in parts. The kernel requires whole tables. */
    public boolean supportsParts() {
        return segmenter == Segmenter.SENDER;
    }

    /** Sends a whole table, as {@link #send(MadFrame, byte[], byte[], Source)}. */
    public boolean send(MadFrame request, byte[] header, byte[] data) {
        return send(request, header, data, null);
    }

    /**
     * Sends a table, unless the transaction is already open. The arrays are kept and must not be changed.
     *
     * @param request request, and the address of its sender
     * @param header response MAD whose first 56 bytes (without RMPP fields) begin each segment
     * @param data records, or the first of them
     * @param rest source of the others if {@link #supportsParts()}; null if there are none
     * @return false if a limit is reached
     */
    public boolean send(MadFrame request, byte[] header, byte[] data, @Nullable PartSource rest) {
        Rmpp.Key key = Rmpp.Key.of(request.peer(), header);
        int owner = baseLid.applyAsInt(request.peer().lid());
        long deadlineNs = loop.nowNs() + TimeUnit.MILLISECONDS.toNanos(limits.totalMs());
        RmppTransfer transfer = new RmppTransfer(key, request, header, data, rest, limits.maxHeld(), deadlineNs);
        synchronized (admission) {
            if (open.containsKey(key)) {
                return true;
            }
            while (!shares.hasPlace(owner) || !shares.hasBytes(owner, transfer.bytes)) {
                // A table above half of the total is not admitted even for the only requester.
                if (2 * transfer.bytes > limits.maxBytes() || !endOldestUnacknowledged(owner)) {
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

    /** Returns the sources of all tables that are not complete, in no order; any thread. */
    public List<PartSource> unfinishedSources() {
        return open.values().stream()
                .map(RmppTransfer::source)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Ends the transaction with this source by an ABORT, if there is one; any thread. */
    public void giveUp(PartSource rest) {
        open.values().stream()
                .filter(transfer -> transfer.source() == rest)
                .forEach(transfer -> loop.execute(() -> abort(transfer, Rmpp.UNSPECIFIED)));
    }

    /**
     * Accepts an ACK, STOP or ABORT on the loop. Messages without a transaction, and floods of messages, are dropped.
     */
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

    /** Ends the oldest transfer that the requester never acknowledged. Returns false if there is no such transfer. */
    private boolean endOldestUnacknowledged(int owner) {
        for (RmppTransfer transfer : shares.items(owner)) {
            if (!transfer.isAcknowledged) {
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
        loop.execute(() -> end(transfer, transfer.isAcknowledged ? stopped : unacknowledged));
    }

    private void release(RmppTransfer transfer) {
        if (shares.remove(transfer)) {
            open.remove(transfer.key);
        }
    }

    /** Ends the transaction of a segment that was returned because its receiver is absent. */
    public void undelivered(MadFrame frame) {
        RmppTransfer transfer = open.get(Rmpp.Key.of(frame.peer(), frame.mad()));
        if (transfer != null) {
            loop.execute(() -> end(transfer, unacknowledged));
        }
    }

    private void accept(RmppTransfer transfer, byte[] mad) {
        loop.requireInLoop();
        if (transfer.isEnded) {
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
            transfer.isAcknowledged = true;
            rmppLids.set(transfer.peer().lid());
            onAck(transfer, SaMad.DATA1.get(mad, 0), SaMad.DATA2.get(mad, 0));
        }
    }

    /** Accepts an ACK. An old one, which would move the window back, is ignored. */
    private void onAck(RmppTransfer transfer, long segment, long newWindowLast) {
        if (newWindowLast < segment) {
            abort(transfer, Rmpp.WINDOW_TOO_SMALL);
        } else if (segment > transfer.highestSent) {
            abort(transfer, Rmpp.SEGMENT_TOO_BIG);
        } else if (transfer.isWhole() && segment == transfer.segments()) {
            end(transfer, completed);
        } else if (segment >= transfer.lastAcknowledged && newWindowLast >= transfer.newWindowLast) {
            boolean isProgress = segment > transfer.lastAcknowledged || newWindowLast > transfer.newWindowLast;
            transfer.lastAcknowledged = (int) segment;
            transfer.lastSent = Math.max(transfer.lastSent, transfer.lastAcknowledged);
            transfer.newWindowLast = newWindowLast;
            if (isProgress) {
                transfer.retries = 0;
                sendWindow(transfer);
            }
        }
    }

    private void sendWhole(RmppTransfer transfer) {
        loop.requireInLoop();
        transfer.timer =
                loop.schedule(TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs()), () -> end(transfer, completed));
        output.accept(transfer.wholeMessage());
    }

    /** Sends the segments that the window allows and that were not sent since the last time-out. Restarts the timer. */
    private void sendWindow(RmppTransfer transfer) {
        loop.requireInLoop();
        if (transfer.isEnded) {
            return;
        }
        long last = Math.min(
                Math.min(transfer.newWindowLast, transfer.segments()),
                (long) transfer.lastAcknowledged + limits.maxWindow());
        // Set before sending: a segment that cannot be sent is sent again after the time-out.
        transfer.cancelTimer();
        long waitNs = Math.min(
                TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs()), Math.max(0, transfer.deadlineNs - loop.nowNs()));
        transfer.timer = loop.schedule(waitNs, () -> handleTimeout(transfer));
        while (transfer.lastSent < last) {
            output.accept(transfer.segment(transfer.lastSent + 1));
            transfer.lastSent++;
            transfer.highestSent = Math.max(transfer.highestSent, transfer.lastSent);
        }
        requestPart(transfer);
    }

    private void requestPart(RmppTransfer transfer) {
        PartSource rest = transfer.source();
        int bytesAsked = transfer.reservePart(limits.maxHeld());
        if (rest != null && bytesAsked > 0) {
            rest.requestNext(bytesAsked, new PartReceiver() {
                @Override
                public void supply(byte[] part, boolean isLast) {
                    loop.execute(() -> addPart(transfer, part, isLast));
                }

                @Override
                public void giveUp() {
                    loop.execute(() -> abort(transfer, Rmpp.UNSPECIFIED));
                }
            });
        }
    }

    private void addPart(RmppTransfer transfer, byte[] part, boolean isLast) {
        loop.requireInLoop();
        if (!transfer.isEnded) {
            transfer.append(part, isLast);
            sendWindow(transfer);
        }
    }

    /**
     * Handles a time-out. A receiver without any ACK may not support RMPP: no segment is repeated ({@link #sendAgain}).
     */
    private void handleTimeout(RmppTransfer transfer) {
        if (transfer.isEnded) {
            return;
        }
        if (loop.nowNs() - transfer.deadlineNs >= 0) {
            abort(transfer, Rmpp.TOTAL_TIME_TOO_LONG);
        } else if (!transfer.isStarved() && transfer.retries++ >= limits.retries()) {
            abort(transfer, Rmpp.TOO_MANY_RETRIES);
        } else {
            transfer.lastSent = rmppLids.get(transfer.peer().lid()) ? transfer.lastAcknowledged : transfer.lastSent;
            sendWindow(transfer);
        }
    }

    private void abort(RmppTransfer transfer, int status) {
        if (transfer.isEnded) {
            return;
        }
        boolean isKnownReceiver =
                transfer.isAcknowledged || (status != Rmpp.TOO_MANY_RETRIES && status != Rmpp.TOTAL_TIME_TOO_LONG);
        if (isKnownReceiver) {
            output.accept(transfer.abort(status));
        }
        end(transfer, isKnownReceiver ? aborted : unacknowledged);
    }

    private void end(RmppTransfer transfer, LongAdder counter) {
        if (transfer.isEnded) {
            return;
        }
        transfer.isEnded = true;
        transfer.cancelTimer();
        counter.increment();
        synchronized (admission) {
            release(transfer);
        }
    }
}
