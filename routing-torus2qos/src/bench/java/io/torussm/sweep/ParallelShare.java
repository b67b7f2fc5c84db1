package io.torussm.sweep;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The parallel part of a computation, and its cost in processor time, on a machine with other load. A second
 * thread samples the stack of the first, which is within a parallel section or not.
 */
final class ParallelShare {
    private static final long SAMPLE_INTERVAL_NS = 1_000_000;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Thread watchedThread = Thread.currentThread();
    private volatile boolean isRunning = true;
    private int samples;
    private int parallel;

    /**
     * The cost of a computation.
     *
     * @param seconds processor time of all threads, with those of the JVM's compilers, in s
     * @param share share of the samples that were in a parallel section, 0 to 1
     */
    record Cost(double seconds, double share) {
        /** Returns the cheaper one of two costs. */
        Cost min(Cost other) {
            return other.seconds < seconds ? other : this;
        }
    }

    private ParallelShare() {}

    /** Returns the cost of a computation. */
    static Cost measure(Runnable task) {
        ParallelShare share = new ParallelShare();
        Thread sampler = new Thread(share::sample, "sampler");
        sampler.setDaemon(true);
        long began = SYSTEM.getProcessCpuTime();
        sampler.start();
        task.run();
        long took = SYSTEM.getProcessCpuTime() - began;
        share.isRunning = false;
        try {
            sampler.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Cost(took / 1e9, share.samples == 0 ? 0 : (double) share.parallel / share.samples);
    }

    private void sample() {
        while (isRunning) {
            boolean isParallel = Arrays.stream(watchedThread.getStackTrace())
                    .map(StackTraceElement::getClassName)
                    .anyMatch(name -> name.endsWith(".ForkJoinTask") || name.endsWith(".Ranges"));
            samples++;
            parallel += isParallel ? 1 : 0;
            LockSupport.parkNanos(SAMPLE_INTERVAL_NS);
        }
    }
}
