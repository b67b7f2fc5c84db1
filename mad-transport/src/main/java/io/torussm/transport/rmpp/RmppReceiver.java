package io.torussm.transport.rmpp;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of RMPP (IBA 13.6.3), which reassembles segments.
 *
 * <p>Segments are accepted in order only. An ACK follows the last segment of a window, the last segment of the
 * transfer, and each repeated segment. After a gap, the sender's time-out repeats the segments. A complete transfer is
 * remembered for a while, so that a sender whose last ACK was lost receives another ACK. An ABORT ends an inconsistent
 * transfer; a STOP ends a transfer that exceeds limits.
 *
 * <p>Limits: open transfers in total and per sender, as many remembered ones, bytes of each and in total, segments that
 * wait for the loop. A sender is a port, which has several LIDs with LMC. It has at most as many open transfers and
 * bytes as remain free for others ({@link PortShares}). If all places of remembered transfers are taken, the oldest one
 * of the sender with the largest number is dropped.
 *
 * <p>{@link #receive} may be called from any thread. All other methods run on the loop.
 */
public final class RmppReceiver {

    /**
     * Time-outs and limits.
     *
     * @param window segments that a sender may have in flight
     * @param timeoutMs wait for the next segment, after which a transfer is aborted
     * @param totalMs max duration of a transfer
     * @param lingerMs time for which a complete transfer is remembered
     * @param maxOpen max open transfers in total, and max remembered transfers
     * @param maxOpenPerSender max open transfers of one port, for all its LIDs and QPs
     * @param maxTransferBytes max bytes of one transfer
     * @param maxBytes max bytes of all open transfers
     * @param maxWaiting max segments that wait for the loop; further ones are dropped, as if lost on the wire
     */
    public record Limits(
            int window,
            int timeoutMs,
            int totalMs,
            int lingerMs,
            int maxOpen,
            int maxOpenPerSender,
            int maxTransferBytes,
            long maxBytes,
            int maxWaiting) {
        /** Limits for requests. The longest MultiPathRecord has 8,184 bytes, and each rank of a job may send one. */
        public static final Limits REQUESTS = new Limits(64, 5_000, 20_000, 5_000, 2048, 64, 8192, 2L << 20, 4096);
    }

    /** The receiver of complete and failed transfers. Each transfer leads to one call, on the loop. */
    public interface Sink {
        /**
         * Receives a complete transfer.
         *
         * @param header the first segment; its first 56 bytes are the header
         * @param data all records
         */
        void received(MadFrame header, byte[] data);

        /**
         * Reports a transfer that will not be complete.
         *
         * @param peer sender of the segments
         * @param status RMPPStatus of the ABORT or STOP that either side sent
         */
        void failed(MadAddress peer, long tid, int status);
    }

    /** The segments of one transfer that arrived. */
    private static final class Transfer {
        final Rmpp.Key key;

        /** Base LID of the sender. */
        final int port;

        final MadFrame firstSegment;
        final long deadlineNs;

        /**
         * PayloadLength of the first segment: records and SA headers; 0 if not announced, or if there is one segment
         * only.
         */
        long announcedLength;

        /** Number of the next segment, from 1. */
        int nextSegment = 1;

        /** Number of the last segment that the sender may send. */
        int newWindowLast = 1;

        /** The records in the first {@link #length} bytes. Grows by doubling. */
        byte[] data = new byte[SaMad.DATA_SIZE];

        int length;
        boolean isComplete;
        Loop.@Nullable Timer timer;

        Transfer(Rmpp.Key key, int port, MadFrame first, long deadlineNs) {
            this.key = key;
            this.port = port;
            this.firstSegment = first;
            this.deadlineNs = deadlineNs;
        }
    }

    private final Loop loop;
    private final Limits limits;
    private final IntUnaryOperator baseLid;
    private final Consumer<MadFrame> output;
    private final Sink sink;

    /** Segments that wait for the loop. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** The open transfers. */
    private final Map<Rmpp.Key, Transfer> transfers = new HashMap<>();

    /** The complete transfers that are remembered. */
    private final Map<Rmpp.Key, Transfer> completeTransfers = new HashMap<>();

    private final PortShares<Transfer> openShares;

    /** Places of remembered transfers, without bytes, since their records were delivered. */
    private final PortShares<Transfer> completeShares;

    private final LongAdder strays = new LongAdder();

    /**
     * Creates a receiver.
     *
     * @param baseLid returns the base LID of the port with a LID; called on the loop
     * @param out sends control messages; called on the loop
     * @param sink receiver of transfers
     */
    public RmppReceiver(Loop loop, Limits limits, IntUnaryOperator baseLid, Consumer<MadFrame> out, Sink sink) {
        this.loop = loop;
        this.limits = limits;
        this.openShares = new PortShares<>(limits.maxOpen(), limits.maxBytes());
        this.completeShares = new PortShares<>(limits.maxOpen(), 0);
        this.baseLid = baseLid;
        this.output = out;
        this.sink = sink;
    }

    /** Returns the number of open or remembered transfers; on the loop. */
    public int openCount() {
        loop.requireInLoop();
        return transfers.size() + completeTransfers.size();
    }

    /** Returns the bytes allocated for open transfers; on the loop. */
    public long openBytes() {
        loop.requireInLoop();
        return openShares.bytes();
    }

    /**
     * Returns the number of segments and control messages that were dropped or refused: those of no transfer, and those
     * above {@link Limits#maxWaiting}; any thread.
     */
    public long strays() {
        return strays.sum();
    }

    /** Accepts a segment, STOP or ABORT on the loop. An ACK is ignored. */
    public void receive(MadFrame frame) {
        if (waiting.incrementAndGet() > limits.maxWaiting()) {
            waiting.decrementAndGet();
            strays.increment();
            return;
        }
        loop.execute(() -> {
            waiting.decrementAndGet();
            accept(frame);
        });
    }

    private void accept(MadFrame frame) {
        byte[] mad = frame.mad();
        Rmpp.Key key = Rmpp.Key.of(frame.peer(), mad);
        Transfer transfer = transfers.getOrDefault(key, completeTransfers.get(key));
        int type = Rmpp.type(mad);
        if (!Rmpp.isActive(mad) || type == Rmpp.ACK) {
            strays.add(transfer == null ? 1 : 0);
        } else if (type == Rmpp.STOP || type == Rmpp.ABORT) {
            if (transfer == null) {
                strays.increment();
            } else {
                removeTransfer(transfer, (int) SaMad.RMPP_STATUS.get(mad, 0));
            }
        } else if (SaMad.RMPP_VERSION.get(mad, 0) != Rmpp.VERSION) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.UNSUPPORTED_VERSION);
        } else if (type != Rmpp.DATA) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.BAD_TYPE);
        } else if (SaMad.RMPP_STATUS.get(mad, 0) != 0) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.ILLEGAL_STATUS);
        } else if ((SaMad.DATA1.get(mad, 0) == 1) != hasFlag(mad, SaMad.FLAG_FIRST)) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.INCONSISTENT_FIRST);
        } else if (transfer != null) {
            onData(transfer, frame);
        } else if (hasFlag(mad, SaMad.FLAG_FIRST)) {
            begin(key, frame);
        } else {
            strays.increment();
        }
    }

    private void begin(Rmpp.Key key, MadFrame frame) {
        int sender = baseLid.applyAsInt(key.lid());
        if (!openShares.hasPlace(sender) || openShares.items(sender).size() >= limits.maxOpenPerSender()) {
            refuse(frame, null, Rmpp.STOP, Rmpp.RESOURCES_EXHAUSTED);
            return;
        }
        long deadlineNs = loop.nowNs() + TimeUnit.MILLISECONDS.toNanos(limits.totalMs());
        Transfer transfer = new Transfer(key, sender, frame, deadlineNs);
        transfer.announcedLength = hasFlag(frame.mad(), SaMad.FLAG_LAST) ? 0 : SaMad.DATA2.get(frame.mad(), 0);
        transfers.put(key, transfer);
        openShares.add(sender, transfer, transfer.data.length);
        onData(transfer, frame);
    }

    private void onData(Transfer transfer, MadFrame frame) {
        byte[] mad = frame.mad();
        long segment = SaMad.DATA1.get(mad, 0);
        if (segment < transfer.nextSegment) {
            acknowledge(transfer);
        } else if (transfer.isComplete || segment > transfer.newWindowLast) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.SEGMENT_TOO_BIG);
        } else if (segment == transfer.nextSegment) {
            append(transfer, frame);
        }
    }

    private void append(Transfer transfer, MadFrame frame) {
        byte[] mad = frame.mad();
        boolean isLast = hasFlag(mad, SaMad.FLAG_LAST);
        long use = isLast ? SaMad.DATA2.get(mad, 0) - Rmpp.SA_HEADER : SaMad.DATA_SIZE;
        long payload = (long) transfer.nextSegment * Rmpp.SA_HEADER + transfer.length + use;
        boolean isShortOfAnnounced = transfer.announcedLength != 0 && isLast && payload != transfer.announcedLength;
        boolean isBeyondAnnounced = transfer.announcedLength != 0 && !isLast && payload >= transfer.announcedLength;
        if (use < 0 || use > SaMad.DATA_SIZE || isShortOfAnnounced || isBeyondAnnounced) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.INCONSISTENT_LAST);
            return;
        }
        if (!makeRoom(transfer, (int) use)) {
            refuse(frame, transfer, Rmpp.STOP, Rmpp.RESOURCES_EXHAUSTED);
            return;
        }
        System.arraycopy(mad, SaMad.DATA_OFFSET, transfer.data, transfer.length, (int) use);
        transfer.length += (int) use;
        boolean isWindowUsedUp = transfer.nextSegment == transfer.newWindowLast;
        if (isWindowUsedUp && !isLast) {
            transfer.newWindowLast += limits.window();
        }
        transfer.nextSegment++;
        if (isWindowUsedUp || isLast) {
            acknowledge(transfer);
        }
        if (isLast) {
            complete(transfer);
        } else {
            awaitNext(transfer);
        }
    }

    /** Makes room for bytes of a segment. Returns false if a limit is reached. */
    private boolean makeRoom(Transfer transfer, int more) {
        if (transfer.length + more <= transfer.data.length) {
            return true;
        }
        long grown = Math.min(2L * transfer.data.length, limits.maxTransferBytes());
        long growth = grown - transfer.data.length;
        if (transfer.length + more > grown || !openShares.hasBytes(transfer.port, growth)) {
            return false;
        }
        openShares.grow(transfer, growth);
        transfer.data = Arrays.copyOf(transfer.data, (int) grown);
        return true;
    }

    /** Removes an open transfer and its bytes. */
    private void release(Transfer transfer) {
        transfers.remove(transfer.key, transfer);
        openShares.remove(transfer);
        transfer.data = new byte[0];
    }

    private void complete(Transfer transfer) {
        byte[] data = Arrays.copyOf(transfer.data, transfer.length);
        transfer.isComplete = true;
        release(transfer);
        Transfer dropped = completeShares.isFull() ? completeShares.oldestOfLargest() : null;
        if (dropped != null) {
            cancelTimer(dropped);
            discard(dropped);
        }
        completeTransfers.put(transfer.key, transfer);
        completeShares.add(transfer.port, transfer, 0);
        restartTimer(transfer, TimeUnit.MILLISECONDS.toNanos(limits.lingerMs()), () -> discard(transfer));
        sink.received(transfer.firstSegment, data);
    }

    /** Removes a complete transfer from the remembered ones. */
    private void discard(Transfer transfer) {
        completeTransfers.remove(transfer.key, transfer);
        completeShares.remove(transfer);
    }

    private void awaitNext(Transfer transfer) {
        long waitNs = Math.min(
                TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs()), Math.max(0, transfer.deadlineNs - loop.nowNs()));
        restartTimer(
                transfer, waitNs, () -> refuse(transfer.firstSegment, transfer, Rmpp.ABORT, Rmpp.TOTAL_TIME_TOO_LONG));
    }

    private static void cancelTimer(Transfer transfer) {
        Loop.Timer timer = transfer.timer;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void restartTimer(Transfer transfer, long waitNs, Runnable action) {
        cancelTimer(transfer);
        transfer.timer = loop.schedule(waitNs, action);
    }

    private void acknowledge(Transfer transfer) {
        reply(transfer.firstSegment, Rmpp.ACK, 0, transfer.nextSegment - 1, transfer.newWindowLast);
    }

    /**
     * Sends a STOP or ABORT and ends the transfer, or counts a segment of none.
     *
     * @param transfer null if none begins or is open
     */
    private void refuse(MadFrame frame, @Nullable Transfer transfer, int type, int status) {
        reply(frame, type, status, 0, 0);
        if (transfer == null) {
            strays.increment();
        } else {
            removeTransfer(transfer, status);
        }
    }

    /** Removes a transfer. Reports the failure of an open one; a complete one was delivered before. */
    private void removeTransfer(Transfer transfer, int status) {
        cancelTimer(transfer);
        release(transfer);
        discard(transfer);
        if (!transfer.isComplete) {
            sink.failed(transfer.firstSegment.peer(), transfer.key.tid(), status);
        }
    }

    /**
     * Sends a control message with the common header of a segment, to its sender. The bit R of the method is inverted:
     * a response is acknowledged by the method of its request, and vice versa. The SM_Key is not repeated.
     */
    private void reply(MadFrame segment, int type, int status, long data1, long data2) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(segment.mad(), 0, mad, 0, MadHeader.LAYOUT.size());
        MadHeader.METHOD.set(mad, 0, MadHeader.method(mad) ^ Method.RESPONSE);
        MadHeader.STATUS.set(mad, 0, 0);
        Rmpp.write(mad, type, 0, status, data1, data2);
        output.accept(new MadFrame(segment.peer(), mad));
    }

    private static boolean hasFlag(byte[] mad, int flag) {
        return (SaMad.RMPP_FLAGS.get(mad, 0) & flag) != 0;
    }
}
