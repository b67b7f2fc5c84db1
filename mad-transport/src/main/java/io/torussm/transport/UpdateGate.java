package io.torussm.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The way by which changes come from any thread to something that a loop owns and publishes. Each is made on the loop and
 * answered when what it changed is published; those that come in a burst are published together.
 *
 * <p>Owner thread: the loop, except for {@link #submit}, which any thread may call.
 */
public final class UpdateGate {
    private final Loop loop;
    private final int maxWaiting;
    private final Supplier<Runnable> publisher;
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<Runnable> answers = new ArrayList<>();
    private boolean isPublishing;

    /**
     * Opens the gate.
     *
     * @param maxWaiting changes that may wait for the loop
     * @param publisher publishes the state as it is now; what it returns runs after the answers, and passes the state to
     *     what records it
     */
    public UpdateGate(Loop loop, int maxWaiting, Supplier<Runnable> publisher) {
        this.loop = loop;
        this.maxWaiting = maxWaiting;
        this.publisher = publisher;
    }

    /**
     * Asks for a change.
     *
     * @param change makes it, on the loop, and gives its answer, which is run there, too
     * @return false if too many wait already; then nothing happens
     */
    public boolean submit(Supplier<Runnable> change) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        loop.execute(() -> {
            waiting.decrementAndGet();
            answers.add(change.get());
            if (!isPublishing) {
                isPublishing = true;
                loop.execute(this::publish);
            }
        });
        return true;
    }

    /** Publishes now what the owner has changed by itself, and whatever was asked for. */
    public void publish() {
        loop.check();
        isPublishing = false;
        Runnable aftermath = publisher.get();
        List<Runnable> due = List.copyOf(answers);
        answers.clear();
        due.forEach(Runnable::run);
        aftermath.run();
    }
}
