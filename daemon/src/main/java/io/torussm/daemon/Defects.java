package io.torussm.daemon;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs exceptions that no code expected; the first few with their stacks, later ones in one line. */
public final class Defects implements Consumer<Throwable> {
    private static final Logger LOG = LoggerFactory.getLogger(Defects.class);
    private static final int WITH_STACK = 10;

    private final AtomicLong count = new AtomicLong();

    @Override
    public void accept(Throwable defect) {
        long number = count.incrementAndGet();
        String thread = Thread.currentThread().getName();
        if (number <= WITH_STACK) {
            LOG.error("defect {} of this program, on thread {}", number, thread, defect);
        } else {
            LOG.error("defect {} of this program, on thread {}: {}", number, thread, defect.toString());
        }
    }

    /** How many there were. */
    public long count() {
        return count.get();
    }
}
