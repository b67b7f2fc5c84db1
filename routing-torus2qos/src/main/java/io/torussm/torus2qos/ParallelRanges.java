package io.torussm.torus2qos;

import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/** A loop over a range of numbers on several threads. The pieces of the range must not depend on each other. */
final class ParallelRanges {
    /**
     * Pieces per thread. With several pieces, a delayed thread delays only the piece that it runs; other threads
     * take the rest.
     */
    private static final int PIECES_PER_THREAD = 8;

    /** The loop over the numbers {@code from} to {@code to - 1}. */
    interface Loop {
        void run(int from, int to);
    }

    private ParallelRanges() {}

    /**
     * Runs the loop over 0 to {@code count - 1}. Returns when all pieces are complete.
     *
     * @param threads number of threads, at least 1; with 1, the loop runs on the thread of the caller
     */
    static void runInParallel(int count, int threads, Loop loop) {
        if (threads == 1 || count <= 1) {
            loop.run(0, count);
            return;
        }
        int piece = Math.max(1, count / (threads * PIECES_PER_THREAD));
        ForkJoinPool pool = new ForkJoinPool(threads);
        try {
            pool.submit(() -> IntStream.rangeClosed(0, (count - 1) / piece)
                            .parallel()
                            .forEach(i -> loop.run(i * piece, Math.min(count, (i + 1) * piece))))
                    .join();
        } finally {
            pool.shutdown();
        }
    }
}
