package io.torussm.transport;

import io.torussm.mad.MadHeader;
import io.torussm.mad.sa.SaMad;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of RMPP (IBA 13.6.3) in user space: table answers of any length in segments of 200 data bytes.
 *
 * <p>One segment is sent; each ACK opens the window up to its NewWindowLast; what is not acknowledged in time is sent
 * again from the first such segment; too many repetitions, or too long a transaction, end it with an ABORT. STOP and
 * ABORT from the receiver end it at once.
 *
 * <p>Bounds: open transactions in all and per requester (LID and QP), bytes in all. Owner thread: the loop;
 * {@link #send} and {@link #receive} may be called from any thread.
 */
public final class RmppSender {
    /** RMPPType values (IBA 13.6.2). */
    public static final int DATA = 1;

    public static final int ACK = 2;
    public static final int STOP = 3;
    public static final int ABORT = 4;

    /** RMPPStatus values (IBA 13.6.2.2). */
    public static final int STATUS_TOTAL_TIME = 118;

    public static final int STATUS_WINDOW_TOO_SMALL = 122;
    public static final int STATUS_SEGMENT_TOO_BIG = 123;
    public static final int STATUS_TOO_MANY_RETRIES = 126;

    private static final int VERSION = 1;
    private static final int SA_HEADER = 20;
    private static final int RESPOND_TIME_NONE = 0x1f;

    /**
     * Patience and bounds.
     *
     * @param timeoutMs wait for an ACK before the window is sent again
     * @param retries repetitions without progress
     * @param totalMs longest life of a transaction
     * @param maxOpen transactions in all
     * @param maxOpenPerRequester transactions of one LID and QP
     * @param maxBytes of all open transactions together
     */
    public record Limits(int timeoutMs, int retries, int totalMs, int maxOpen, int maxOpenPerRequester, long maxBytes) {
        /** For a subnet of any size: 64 MiB is one world query of 49,151 NodeRecords twelve times over. */
        public static final Limits DEFAULT = new Limits(1000, 4, 120_000, 1024, 16, 64L << 20);
    }

    private record Key(int lid, int qpn, long tid) {}

    private static final class Transfer {
        final MadAddress peer;
        final byte[] header;
        final byte[] data;
        final int segments;
        final long startNs;
        int acknowledged;
        int windowLast = 1;
        int sent;
        int retries;
        Loop.@Nullable Timer timer;

        Transfer(MadAddress peer, byte[] header, byte[] data, long startNs) {
            this.peer = peer;
            this.header = header;
            this.data = data;
            this.segments = Math.max(1, (data.length + SaMad.DATA_SIZE - 1) / SaMad.DATA_SIZE);
            this.startNs = startNs;
        }
    }

    private final Loop loop;
    private final Limits limits;
    private final Consumer<MadFrame> out;
    private final Map<Key, Transfer> open = new HashMap<>();
    private long bytes;
    private volatile int openCount;

    /** A sender that hands its segments to {@code out}. */
    public RmppSender(Loop loop, Limits limits, Consumer<MadFrame> out) {
        this.loop = loop;
        this.limits = limits;
        this.out = out;
    }

    /** Transactions under way. */
    public int openCount() {
        return openCount;
    }

    /**
     * Sends a table.
     *
     * @param header a response MAD whose first 56 bytes (without RMPP fields) head every segment
     * @param data the records
     * @param whenFull called on the loop instead, if a bound is reached
     */
    public void send(MadAddress peer, byte[] header, byte[] data, Runnable whenFull) {
        loop.execute(() -> begin(peer, header, data, whenFull));
    }

    /** Takes an ACK, STOP or ABORT; those that belong to no transaction are dropped. */
    public void receive(MadFrame frame) {
        if (openCount > 0) {
            loop.execute(() -> accept(frame));
        }
    }

    private void begin(MadAddress peer, byte[] header, byte[] data, Runnable whenFull) {
        Key key = new Key(peer.lid(), peer.qpn(), MadHeader.tid(header));
        Transfer known = open.get(key);
        if (known != null) {
            return;
        }
        long ofRequester = open.keySet().stream()
                .filter(other -> other.lid() == key.lid() && other.qpn() == key.qpn())
                .count();
        boolean isFull = open.size() >= limits.maxOpen()
                || ofRequester >= limits.maxOpenPerRequester()
                || bytes + data.length > limits.maxBytes();
        if (isFull) {
            whenFull.run();
            return;
        }
        Transfer transfer = new Transfer(peer, header, data, loop.nowNs());
        open.put(key, transfer);
        openCount = open.size();
        bytes += data.length;
        sendWindow(key, transfer);
    }

    private void accept(MadFrame frame) {
        byte[] mad = frame.mad();
        Key key = new Key(frame.peer().lid(), frame.peer().qpn(), MadHeader.tid(mad));
        Transfer transfer = open.get(key);
        if (transfer == null) {
            return;
        }
        int type = (int) SaMad.RMPP_TYPE.get(mad, 0);
        if (type == ACK) {
            onAck(key, transfer, SaMad.DATA1.get(mad, 0), SaMad.DATA2.get(mad, 0));
        } else if (type == STOP || type == ABORT) {
            end(key, transfer);
        }
    }

    private void onAck(Key key, Transfer transfer, long segment, long newWindowLast) {
        if (segment > transfer.sent) {
            abort(key, transfer, STATUS_SEGMENT_TOO_BIG);
        } else if (newWindowLast < segment) {
            abort(key, transfer, STATUS_WINDOW_TOO_SMALL);
        } else if (segment == transfer.segments) {
            end(key, transfer);
        } else {
            if (segment > transfer.acknowledged) {
                transfer.acknowledged = (int) segment;
                transfer.retries = 0;
            }
            transfer.windowLast = (int) Math.max(transfer.windowLast, Math.min(newWindowLast, transfer.segments));
            sendWindow(key, transfer);
        }
    }

    /** Sends what the window admits and was not sent, and starts to wait. */
    private void sendWindow(Key key, Transfer transfer) {
        while (transfer.sent < transfer.windowLast) {
            transfer.sent++;
            out.accept(new MadFrame(transfer.peer, segment(transfer, transfer.sent)));
        }
        Loop.Timer timer = transfer.timer;
        if (timer != null) {
            timer.cancel();
        }
        transfer.timer =
                loop.schedule(TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs()), () -> onSilence(key, transfer));
    }

    private void onSilence(Key key, Transfer transfer) {
        if (loop.nowNs() - transfer.startNs > TimeUnit.MILLISECONDS.toNanos(limits.totalMs())) {
            abort(key, transfer, STATUS_TOTAL_TIME);
        } else if (transfer.retries++ >= limits.retries()) {
            abort(key, transfer, STATUS_TOO_MANY_RETRIES);
        } else {
            transfer.sent = transfer.acknowledged;
            sendWindow(key, transfer);
        }
    }

    private void abort(Key key, Transfer transfer, int status) {
        byte[] mad = transfer.header.clone();
        rmpp(mad, ABORT, SaMad.FLAG_ACTIVE);
        SaMad.RMPP_STATUS.set(mad, 0, status);
        out.accept(new MadFrame(transfer.peer, mad));
        end(key, transfer);
    }

    private void end(Key key, Transfer transfer) {
        Loop.Timer timer = transfer.timer;
        if (timer != null) {
            timer.cancel();
        }
        open.remove(key);
        openCount = open.size();
        bytes -= transfer.data.length;
    }

    /** PayloadLength counts the 20 bytes of SA header in every segment (IBA 13.6.2.3). */
    private static byte[] segment(Transfer transfer, int number) {
        int from = (number - 1) * SaMad.DATA_SIZE;
        int length = Math.min(SaMad.DATA_SIZE, transfer.data.length - from);
        boolean isFirst = number == 1;
        boolean isLast = number == transfer.segments;
        byte[] mad = transfer.header.clone();
        rmpp(mad, DATA, SaMad.FLAG_ACTIVE | (isFirst ? SaMad.FLAG_FIRST : 0) | (isLast ? SaMad.FLAG_LAST : 0));
        SaMad.DATA1.set(mad, 0, number);
        long payload = 0;
        if (isLast) {
            payload = (long) SA_HEADER + length;
        } else if (isFirst) {
            payload = transfer.data.length + (long) SA_HEADER * transfer.segments;
        }
        SaMad.DATA2.set(mad, 0, payload);
        System.arraycopy(transfer.data, from, mad, SaMad.DATA, length);
        return mad;
    }

    private static void rmpp(byte[] mad, int type, int flags) {
        SaMad.RMPP_VERSION.set(mad, 0, VERSION);
        SaMad.RMPP_TYPE.set(mad, 0, type);
        SaMad.R_RESP_TIME.set(mad, 0, RESPOND_TIME_NONE);
        SaMad.RMPP_FLAGS.set(mad, 0, flags);
    }
}
