package io.torussm.transport;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A bounded queue of received frames from the transport's thread to the loop, which reads a batch in each turn.
 *
 * @param <T> frame, or frame with its time of arrival
 */
final class InboundQueue<T> {
    private static final int CAPACITY = 1 << 14;

    /** Max frames in one turn of the loop, so that a flood does not delay timers. */
    private static final int BATCH = 256;

    private final Loop loop;
    private final Consumer<T> receiver;
    private final ArrayBlockingQueue<T> frames = new ArrayBlockingQueue<>(CAPACITY);

    /** True while {@link #drain} waits for its turn. */
    private final AtomicBoolean draining = new AtomicBoolean();

    /**
     * Creates an empty queue.
     *
     * @param receiver consumer of each frame, on the loop
     */
    InboundQueue(Loop loop, Consumer<T> receiver) {
        this.loop = loop;
        this.receiver = receiver;
    }

    /** Adds a frame from the transport's thread. Returns false if the queue is full. */
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
        // Cleared first: a frame that is added from here on queues another turn.
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
