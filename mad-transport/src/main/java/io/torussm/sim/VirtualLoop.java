package io.torussm.sim;

import io.torussm.sim.model.CheckReturnValue;
import io.torussm.transport.Loop;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A loop whose clock jumps to the next task. A test of an hour runs in milliseconds, and the same seed leads to the
 * same order. Tasks of the same time run in the order of their submission. Single-threaded.
 *
 * <p>Nearly every time-out is cancelled long before it is due. Cancelled tasks are removed when they are more than half
 * of all tasks, so that the queue stays short.
 */
public final class VirtualLoop implements Loop {
    /** Number of cancelled tasks up to which none are removed. */
    private static final int MAX_KEPT_CANCELLED = 64;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long nowNs;
    private long sequence;
    /** Upper bound of the cancelled tasks in the queue. */
    private int cancelled;

    private final class Task implements Timer, Comparable<Task> {
        final long dueNs;
        final long order;
        final Runnable action;
        boolean isCancelled;

        Task(long dueNs, long order, Runnable action) {
            this.dueNs = dueNs;
            this.order = order;
            this.action = action;
        }

        @Override
        public void cancel() {
            isCancelled = true;
            cancelled++;
        }

        @Override
        public int compareTo(Task other) {
            return dueNs != other.dueNs ? Long.compare(dueNs, other.dueNs) : Long.compare(order, other.order);
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(nowNs, sequence++, task));
    }

    private void removeCancelled() {
        if (cancelled > MAX_KEPT_CANCELLED && cancelled > tasks.size() / 2) {
            tasks.removeIf(task -> task.isCancelled);
            cancelled = 0;
        }
    }

    @Override
    public Timer schedule(long delayNs, Runnable action) {
        Task task = new Task(nowNs + Math.max(0, delayNs), sequence++, action);
        removeCancelled();
        tasks.add(task);
        return task;
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public boolean isInLoop() {
        return true;
    }

    /** Runs tasks until the condition is true, no task remains, or the limit is reached. Returns the condition. */
    @CheckReturnValue
    public boolean runUntil(BooleanSupplier condition, long limitNs) {
        long endNs = nowNs + limitNs;
        while (!condition.getAsBoolean()) {
            Task task = tasks.peek();
            if (task == null || task.dueNs > endNs) {
                return condition.getAsBoolean();
            }
            tasks.remove();
            nowNs = task.dueNs;
            if (!task.isCancelled) {
                task.action.run();
            }
        }
        return true;
    }

    /** Returns the number of waiting tasks, including cancelled ones. */
    int taskCount() {
        return tasks.size();
    }

    /** Runs all tasks that are due within a span of time, and sets the clock to its end. */
    public void runFor(long spanNs) {
        long endNs = nowNs + spanNs;
        boolean unusedResult = runUntil(() -> false, spanNs);
        nowNs = endNs;
    }
}
