package io.torussm.transport;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A transport in memory that records sent frames and delivers the frames of a test. */
public final class ScriptedTransport implements MadTransport {
    public final List<MadFrame> sent = new ArrayList<>();
    public final List<Integer> timeoutsMs = new ArrayList<>();
    public Consumer<MadFrame> onSend = frame -> {};
    public BooleanSupplier accepts = () -> true;
    public int maxOutstanding = 1 << 12;
    public boolean returnsTimedOutRequests;

    /** MADs that have arrived, for the next receipt. */
    public final ArrayDeque<MadFrame> arrivedFrames = new ArrayDeque<>();

    /** True if the thread of the transport itself receives. */
    public boolean isBusyReceiving;

    /** How often receiving was left to the transport's own thread. */
    public int resumedCount;

    private @Nullable Receiver receiver;

    @Override
    public LocalPort localPort() {
        return new LocalPort("scripted", 1, 0x1L);
    }

    @Override
    public int maxOutstanding() {
        return maxOutstanding;
    }

    @Override
    public boolean returnsTimedOutRequests() {
        return returnsTimedOutRequests;
    }

    @Override
    public void start(Receiver started) {
        receiver = started;
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (!accepts.getAsBoolean()) {
            return false;
        }
        sent.add(frame);
        timeoutsMs.add(responseTimeoutMs);
        onSend.accept(frame);
        return true;
    }

    @Override
    public ReceiveResult receiveInline(int timeoutMs) {
        if (isBusyReceiving) {
            return ReceiveResult.THREAD_STILL_RECEIVES;
        }
        MadFrame next = arrivedFrames.poll();
        if (next != null) {
            deliver(next);
        }
        return next == null ? ReceiveResult.NONE : ReceiveResult.RECEIVED;
    }

    @Override
    public void resumeReceiveThread() {
        resumedCount++;
    }

    @Override
    public void setIsSm(boolean isSm) {}

    @Override
    public void close() {}

    public void failPort(String reason) {
        Objects.requireNonNull(receiver).transportFailed(reason);
    }

    public void changePort(boolean isUsable, String reason) {
        Objects.requireNonNull(receiver).portChanged(isUsable, reason);
    }

    public void deliver(MadFrame frame) {
        Objects.requireNonNull(receiver).received(frame);
    }

    public void deliver(byte[] mad) {
        deliver(new MadFrame(MadAddress.DIRECTED, mad));
    }

    /** Delivers the response of a device: the request, with status 0. */
    public void respond(MadFrame request) {
        deliver(reply(request, 0));
    }

    public void returnUndelivered(MadFrame request) {
        deliver(new MadFrame(request.peer(), request.mad(), true));
    }

    public MadFrame lastSent() {
        return sent.get(sent.size() - 1);
    }

    /** Returns a GetResp with the D bit. */
    public static byte[] reply(MadFrame request, int status) {
        byte[] mad = request.mad().clone();
        MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
        MadHeader.DIRECTION.set(mad, 0, 1);
        MadHeader.STATUS.set(mad, 0, status);
        return mad;
    }
}
