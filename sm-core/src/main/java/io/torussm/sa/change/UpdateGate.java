package io.torussm.sa.change;

import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The queue of changes from any thread to state that a loop owns and publishes. Each change is made on the
 * loop and answered after its publication. Changes of a burst are published together.
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
     * Creates an empty queue.
     *
     * @param maxWaiting changes that may wait for the loop
     * @param publisher publishes the current state; its result runs after the answers and passes the state to recorders
     */
    public UpdateGate(Loop loop, int maxWaiting, Supplier<Runnable> publisher) {
        this.loop = loop;
        this.maxWaiting = maxWaiting;
        this.publisher = publisher;
    }

    /**
     * Submits a change.
     *
     * @param change makes the change on the loop and returns its answer, which runs there, too
     * @return false if too many changes wait; then nothing happens
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

    /** Publishes the changes of the owner and all submitted ones. */
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
