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
 * <p>Segments are accepted in order only. The last segment of a window, the last one of the transfer and each
 * repeated one is acknowledged. A gap is left to the sender's time-out. A complete transfer is remembered for
 * a while, so that a sender whose last ACK was lost receives another. An ABORT ends an inconsistent transfer,
 * a STOP one that exceeds limits.
 *
 * <p>Limits: open transfers in total and per sender, as many remembered ones, bytes of each and in total, segments that
 * wait for the loop. A sender is a port, which has several LIDs with LMC. It has at most as many open transfers and
 * bytes as remain free for others. Beyond the limit, the oldest remembered transfer of the sender with most of them is
 * dropped. {@link #receive} may be called from any thread. Everything else happens on the loop.
 */
public final class RmppReceiver {

    /**
     * Time-outs and limits.
     *
     * @param window segments that a sender may have in flight
     * @param timeoutMs wait for the next segment before a transfer is ended
     * @param totalMs longest duration of a transfer
     * @param lingerMs time for which a complete transfer is remembered
     * @param maxOpen open transfers in total, and remembered ones
     * @param maxOpenPerSender open transfers of one port, for all its LIDs and QPs
     * @param maxTransferBytes bytes of one transfer
     * @param maxBytes bytes of all open transfers
     * @param maxWaiting segments that wait for the loop; more are dropped, as if lost on the wire
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

    /** Where transfers end; called on the loop, once for each transfer. */
    public interface Sink {
        /**
         * Everything is there.
         *
         * @param header the first segment; its first 56 bytes are the header
         * @param data all records
         */
        void received(MadFrame header, byte[] data);

        /**
         * Nothing will come of it.
         *
         * @param status the RMPPStatus that either side gave
         */
        void failed(MadAddress peer, long tid, int status);
    }

    private static final class Transfer {
        final Rmpp.Key key;

        /** Base LID of the sender. */
        final int port;

        final MadFrame first;
        final long deadlineNs;
        long announced;
        int expected = 1;
        int newWindowLast = 1;
        byte[] data = new byte[SaMad.DATA_SIZE];
        int length;
        boolean isComplete;
        Loop.@Nullable Timer timer;

        Transfer(Rmpp.Key key, int port, MadFrame first, long deadlineNs) {
            this.key = key;
            this.port = port;
            this.first = first;
            this.deadlineNs = deadlineNs;
        }
    }

    private final Loop loop;
    private final Limits limits;
    private final IntUnaryOperator baseLid;
    private final Consumer<MadFrame> out;
    private final Sink sink;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Map<Rmpp.Key, Transfer> transfers = new HashMap<>();

    /** Complete ones. */
    private final Map<Rmpp.Key, Transfer> remembered = new HashMap<>();

    private final PortShares<Transfer> openShares;
    private final PortShares<Transfer> rememberedShares;
    private final LongAdder strays = new LongAdder();

    /**
     * A receiver that hands its ACKs to {@code out}, on the loop.
     *
     * @param baseLid returns the base LID of the port with a LID; on the loop
     */
    public RmppReceiver(Loop loop, Limits limits, IntUnaryOperator baseLid, Consumer<MadFrame> out, Sink sink) {
        this.loop = loop;
        this.limits = limits;
        this.openShares = new PortShares<>(limits.maxOpen(), limits.maxBytes());
        this.rememberedShares = new PortShares<>(limits.maxOpen(), 0);
        this.baseLid = baseLid;
        this.out = out;
        this.sink = sink;
    }

    /** Transfers that are open or remembered; on the loop. */
    public int openCount() {
        loop.check();
        return transfers.size() + remembered.size();
    }

    /** Returns the number of bytes held for transfers that are not complete; on the loop. */
    public long openBytes() {
        loop.check();
        return openShares.bytes();
    }

    /** Segments that belong to no transfer, or are too many; from any thread. */
    public long strays() {
        return strays.sum();
    }

    /** Takes a segment; an ACK is nothing to a receiver. */
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
        Transfer transfer = transfers.getOrDefault(key, remembered.get(key));
        int type = Rmpp.type(mad);
        boolean isBeginning = type == Rmpp.DATA && SaMad.DATA1.get(mad, 0) == 1;
        if (transfer == null && !isBeginning) {
            strays.increment();
        }
        if (!Rmpp.isActive(mad) || type == Rmpp.ACK) {
            return;
        }
        if (type == Rmpp.STOP || type == Rmpp.ABORT) {
            if (transfer != null) {
                forget(transfer, (int) SaMad.RMPP_STATUS.get(mad, 0));
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
        } else if (isBeginning) {
            begin(key, frame);
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
        transfer.announced = hasFlag(frame.mad(), SaMad.FLAG_LAST) ? 0 : SaMad.DATA2.get(frame.mad(), 0);
        transfers.put(key, transfer);
        openShares.add(sender, transfer, transfer.data.length);
        onData(transfer, frame);
    }

    private void onData(Transfer transfer, MadFrame frame) {
        byte[] mad = frame.mad();
        long segment = SaMad.DATA1.get(mad, 0);
        if (segment < transfer.expected) {
            acknowledge(transfer);
        } else if (transfer.isComplete || segment > transfer.newWindowLast) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.SEGMENT_TOO_BIG);
        } else if (segment == transfer.expected) {
            append(transfer, frame);
        }
    }

    private void append(Transfer transfer, MadFrame frame) {
        byte[] mad = frame.mad();
        boolean isLast = hasFlag(mad, SaMad.FLAG_LAST);
        long use = isLast ? SaMad.DATA2.get(mad, 0) - Rmpp.SA_HEADER : SaMad.DATA_SIZE;
        long payload = (long) transfer.expected * Rmpp.SA_HEADER + transfer.length + use;
        boolean isShortOfAnnounced = transfer.announced != 0 && isLast && payload != transfer.announced;
        boolean isBeyondAnnounced = transfer.announced != 0 && !isLast && payload >= transfer.announced;
        if (use < 0 || use > SaMad.DATA_SIZE || isShortOfAnnounced || isBeyondAnnounced) {
            refuse(frame, transfer, Rmpp.ABORT, Rmpp.INCONSISTENT_LAST);
            return;
        }
        if (!makeRoom(transfer, (int) use)) {
            refuse(frame, transfer, Rmpp.STOP, Rmpp.RESOURCES_EXHAUSTED);
            return;
        }
        System.arraycopy(mad, SaMad.DATA, transfer.data, transfer.length, (int) use);
        transfer.length += (int) use;
        boolean isWindowUsedUp = transfer.expected == transfer.newWindowLast;
        if (isWindowUsedUp && !isLast) {
            transfer.newWindowLast += limits.window();
        }
        transfer.expected++;
        if (isWindowUsedUp || isLast) {
            acknowledge(transfer);
        }
        if (isLast) {
            complete(transfer);
        } else {
            awaitNext(transfer);
        }
    }

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

    /** Gives back the room of an open transfer. */
    private void release(Transfer transfer) {
        transfers.remove(transfer.key, transfer);
        openShares.remove(transfer);
        transfer.data = new byte[0];
    }

    private void complete(Transfer transfer) {
        byte[] data = Arrays.copyOf(transfer.data, transfer.length);
        transfer.isComplete = true;
        release(transfer);
        Transfer dropped = rememberedShares.isFull() ? rememberedShares.oldestOfLargest() : null;
        if (dropped != null) {
            cancelTimer(dropped);
            discard(dropped);
        }
        remembered.put(transfer.key, transfer);
        rememberedShares.add(transfer.port, transfer, 0);
        restartTimer(transfer, TimeUnit.MILLISECONDS.toNanos(limits.lingerMs()), () -> discard(transfer));
        sink.received(transfer.first, data);
    }

    /** Removes a complete transfer from the remembered ones. */
    private void discard(Transfer transfer) {
        remembered.remove(transfer.key, transfer);
        rememberedShares.remove(transfer);
    }

    private void awaitNext(Transfer transfer) {
        long waitNs = Math.min(
                TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs()), Math.max(0, transfer.deadlineNs - loop.nowNs()));
        restartTimer(transfer, waitNs, () -> refuse(transfer.first, transfer, Rmpp.ABORT, Rmpp.TOTAL_TIME_TOO_LONG));
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
        reply(transfer.first, Rmpp.ACK, 0, transfer.expected - 1, transfer.newWindowLast);
    }

    private void refuse(MadFrame frame, @Nullable Transfer transfer, int type, int status) {
        reply(frame, type, status, 0, 0);
        if (transfer != null) {
            forget(transfer, status);
        }
    }

    /** Forgets a transfer; a complete one was delivered before. */
    private void forget(Transfer transfer, int status) {
        cancelTimer(transfer);
        release(transfer);
        discard(transfer);
        if (!transfer.isComplete) {
            sink.failed(transfer.first.peer(), transfer.key.tid(), status);
        }
    }

    /**
     * Turns the common header of a segment round: the sender of a response is answered as by the requester,
     * and vice versa. The SM_Key is not repeated.
     */
    private void reply(MadFrame segment, int type, int status, long data1, long data2) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(segment.mad(), 0, mad, 0, MadHeader.LAYOUT.size());
        MadHeader.METHOD.set(mad, 0, MadHeader.method(mad) ^ Method.RESPONSE);
        MadHeader.STATUS.set(mad, 0, 0);
        Rmpp.write(mad, type, 0, status, data1, data2);
        out.accept(new MadFrame(segment.peer(), mad));
    }

    private static boolean hasFlag(byte[] mad, int flag) {
        return (SaMad.RMPP_FLAGS.get(mad, 0) & flag) != 0;
    }
}
