package io.torussm.daemon;

import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A port with an attacker on its cable, which can repeat received frames, or send other ones. */
final class Eavesdropper extends ForwardingTransport {
    private static final int MAX_FRAMES = 64;

    /** The last frames that the port received. */
    private final List<MadFrame> receivedFrames = new ArrayList<>();

    /** Receives the frames of the port before they leave. */
    Consumer<byte[]> sendListener = mad -> {};

    /** Runs the reaction to a frame. */
    Consumer<Runnable> receiveWrapper = Runnable::run;

    private boolean isClosed;

    /** Index of the frame that the next received one replaces, modulo the max number. */
    private int next;

    Eavesdropper(MadTransport inner) {
        super(inner);
    }

    /** Returns one of the frames that the port received recently, at random; null if there is none. */
    @Nullable
    MadFrame randomFrame(Random random) {
        return receivedFrames.isEmpty() ? null : receivedFrames.get(random.nextInt(receivedFrames.size()));
    }

    /** Lets the port receive a frame of the attacker. */
    void inject(MadFrame frame) {
        if (!isClosed) {
            MadFrame copy = new MadFrame(frame.peer(), frame.mad().clone());
            receiveWrapper.accept(() -> receiver().received(copy));
        }
    }

    @Override
    protected void received(MadFrame frame) {
        MadFrame copy = new MadFrame(frame.peer(), frame.mad().clone());
        if (receivedFrames.size() < MAX_FRAMES) {
            receivedFrames.add(copy);
        } else {
            receivedFrames.set(next++ % MAX_FRAMES, copy);
        }
        receiveWrapper.accept(() -> super.received(frame));
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        sendListener.accept(frame.mad());
        return super.send(frame, responseTimeoutMs);
    }

    @Override
    public void close() {
        isClosed = true;
        super.close();
    }
}
