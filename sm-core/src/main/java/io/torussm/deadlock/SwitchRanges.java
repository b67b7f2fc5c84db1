package io.torussm.deadlock;

import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

/**
 * A loop over switches that runs on ranges of switches in parallel: in the ForkJoinPool of the calling thread, else in
 * the common pool.
 */
public final class SwitchRanges {
    /** Minimum number of switches of a range, so that the work is worth a task. */
    private static final int MIN_SWITCHES = 64;

    private SwitchRanges() {}

    /** The work on switches {@code from} to {@code to - 1}. Two ranges never write the same data. */
    public interface Work<T> {
        T run(int from, int to);
    }

    /** The work on switches {@code from} to {@code to - 1}, without a result. Two ranges never write the same data. */
    public interface Loop {
        void run(int from, int to);
    }

    /**
     * Runs the work on all switches.
     *
     * @param switches number of switches
     * @param tasks upper limit of the number of ranges, at least 1
     * @return the result of each range, in the order of switches; at least one, even without switches
     */
    public static <T> List<T> collect(int switches, int tasks, Work<T> work) {
        int ranges = Math.max(1, Math.min(tasks, switches / MIN_SWITCHES));
        if (ranges == 1) {
            return List.of(work.run(0, switches));
        }
        List<ForkJoinTask<T>> all = IntStream.range(0, ranges)
                .mapToObj(range -> task(work, begin(switches, range, ranges), begin(switches, range + 1, ranges)))
                .toList();
        ForkJoinTask.invokeAll(all);
        return all.stream().map(ForkJoinTask::join).toList();
    }

    /** Runs the work on all switches, without results. */
    public static void run(int switches, int tasks, Loop loop) {
        collect(switches, tasks, (from, to) -> {
            loop.run(from, to);
            return Boolean.TRUE;
        });
    }

    private static <T> ForkJoinTask<T> task(Work<T> work, int from, int to) {
        return ForkJoinTask.adapt(() -> work.run(from, to));
    }

    private static int begin(int switches, int range, int ranges) {
        return (int) ((long) switches * range / ranges);
    }
}
