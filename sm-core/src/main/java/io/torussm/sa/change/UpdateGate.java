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
     * @param maxWaiting max number of changes that wait for the loop
     * @param publisher publishes the current state; the returned task runs after the answers, and passes the state to
     *     recorders
     */
    public UpdateGate(Loop loop, int maxWaiting, Supplier<Runnable> publisher) {
        this.loop = loop;
        this.maxWaiting = maxWaiting;
        this.publisher = publisher;
    }

    /**
     * Submits a change.
     *
     * @param change makes the change on the loop, and returns the task that answers it, which also runs on the loop
     * @return false if too many changes wait, so that the change was not submitted
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

    /** Publishes the state with all changes so far, those of the owner included, and answers them. */
    public void publish() {
        loop.requireInLoop();
        isPublishing = false;
        Runnable aftermath = publisher.get();
        List<Runnable> due = List.copyOf(answers);
        answers.clear();
        due.forEach(Runnable::run);
        aftermath.run();
    }
}
