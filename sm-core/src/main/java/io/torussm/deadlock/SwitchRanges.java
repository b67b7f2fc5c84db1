package io.torussm.deadlock;

import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

/** Work that is done switch by switch, on ranges of them side by side: in the ForkJoinPool of the calling thread, or the common one. */
public final class SwitchRanges {
    /** Fewer switches than this are not worth another thread. */
    private static final int LEAST = 64;

    private SwitchRanges() {}

    /** What is done with switches {@code from} to {@code to - 1}, of which no other range knows. */
    public interface Work<T> {
        T on(int from, int to);
    }

    /** The same without a result. */
    public interface Loop {
        void on(int from, int to);
    }

    /**
     * Does all of it.
     *
     * @param tasks how many ranges there are at most, at least 1
     * @return what came of each range, in the order of switches
     */
    public static <T> List<T> each(int switches, int tasks, Work<T> work) {
        int ranges = Math.max(1, Math.min(tasks, switches / LEAST));
        if (ranges == 1) {
            return List.of(work.on(0, switches));
        }
        List<ForkJoinTask<T>> all = IntStream.range(0, ranges)
                .mapToObj(range -> task(work, begin(switches, range, ranges), begin(switches, range + 1, ranges)))
                .toList();
        ForkJoinTask.invokeAll(all);
        return all.stream().map(ForkJoinTask::join).toList();
    }

    /** Does all of it, without results. */
    public static void run(int switches, int tasks, Loop loop) {
        each(switches, tasks, (from, to) -> {
            loop.on(from, to);
            return Boolean.TRUE;
        });
    }

    private static <T> ForkJoinTask<T> task(Work<T> work, int from, int to) {
        return ForkJoinTask.adapt(() -> work.on(from, to));
    }

    private static int begin(int switches, int range, int ranges) {
        return (int) ((long) switches * range / ranges);
    }
}
