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

/** A transport in memory: keeps what is sent, and delivers what a test tells it to. */
final class ScriptedTransport implements MadTransport {
    final List<MadFrame> sent = new ArrayList<>();
    final List<Integer> timeoutsMs = new ArrayList<>();
    Consumer<MadFrame> onSend = frame -> {};
    BooleanSupplier accepts = () -> true;
    int maxOutstanding = 1 << 12;
    boolean returnsUnanswered;

    /** What has come and is received when it is asked for. */
    final ArrayDeque<MadFrame> arrived = new ArrayDeque<>();

    /** Whether the transport's own thread is not aside. */
    boolean isBusyReceiving;

    /** How often receiving was left to the transport's own thread. */
    int left;

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
    public boolean returnsUnanswered() {
        return returnsUnanswered;
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
    public Receipt receiveHere(int timeoutMs) {
        if (isBusyReceiving) {
            return Receipt.NOT_YET;
        }
        MadFrame next = arrived.poll();
        if (next != null) {
            deliver(next);
        }
        return next == null ? Receipt.NOTHING : Receipt.CAME;
    }

    @Override
    public void leaveReceiving() {
        left++;
    }

    @Override
    public void setIsSm(boolean isSm) {}

    @Override
    public void close() {}

    void fail(String why) {
        Objects.requireNonNull(receiver).transportFailed(why);
    }

    void change(boolean isUsable, String why) {
        Objects.requireNonNull(receiver).portChanged(isUsable, why);
    }

    void deliver(MadFrame frame) {
        Objects.requireNonNull(receiver).received(frame);
    }

    void deliver(byte[] mad) {
        deliver(new MadFrame(MadAddress.DIRECTED, mad));
    }

    /** Delivers the answer that a device would give: what was asked, with status 0. */
    void answer(MadFrame request) {
        deliver(reply(request, 0));
    }

    void undelivered(MadFrame request) {
        deliver(new MadFrame(request.peer(), request.mad(), true));
    }

    MadFrame last() {
        return sent.get(sent.size() - 1);
    }

    /** A GetResp with the D bit. */
    static byte[] reply(MadFrame request, int status) {
        byte[] mad = request.mad().clone();
        MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
        MadHeader.DIRECTION.set(mad, 0, 1);
        MadHeader.STATUS.set(mad, 0, status);
        return mad;
    }
}
