package io.torussm.transport;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A bounded queue of received frames from the transport's thread to the loop, which takes a batch in each turn. */
final class InboundQueue<T> {
    private static final int CAPACITY = 1 << 14;

    /** Frames accepted in one turn of the loop, so that a flood does not keep timers waiting. */
    private static final int BATCH = 256;

    private final Loop loop;
    private final Consumer<T> receiver;
    private final ArrayBlockingQueue<T> frames = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicBoolean draining = new AtomicBoolean();

    /**
     * Creates an empty queue.
     *
     * @param receiver takes each frame, on the loop
     */
    InboundQueue(Loop loop, Consumer<T> receiver) {
        this.loop = loop;
        this.receiver = receiver;
    }

    /** Takes a frame from the transport's thread; false if the loop has not kept up and there is no room. */
    boolean offer(T frame) {
        if (!frames.offer(frame)) {
            return false;
        }
        wake();
        return true;
    }

    private void wake() {
        if (draining.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    private void drain() {
        draining.set(false);
        try {
            for (int i = 0; i < BATCH; i++) {
                T frame = frames.poll();
                if (frame == null) {
                    return;
                }
                receiver.accept(frame);
            }
        } finally {
            if (!frames.isEmpty()) {
                wake();
            }
        }
    }
}
