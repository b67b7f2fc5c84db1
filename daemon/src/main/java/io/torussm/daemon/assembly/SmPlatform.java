package io.torussm.daemon.assembly;

import io.torussm.transport.Loop;
import io.torussm.transport.MadTransport;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The port, the threads and the chance that an SM works with: real ones, or a clock that jumps and everything in one thread.
 *
 * @param port not started
 * @param sm the loop that owns the SM
 * @param sa the loop of table answers
 * @param perf the loop that reads counters
 * @param saWorkers where queries are answered
 * @param pool where routes are computed and proved
 * @param prechecks where things are computed in advance, one after the other
 * @param readyPlans where plans are computed that are kept for single failures; null if none are
 * @param seeds where transaction IDs begin; asked once for each part that has its own
 * @param defects hears of exceptions that nobody expected
 */
public record SmPlatform(
        MadTransport port,
        Loop sm,
        Loop sa,
        Loop perf,
        Executor saWorkers,
        Executor pool,
        Executor prechecks,
        @Nullable Executor readyPlans,
        IntSupplier seeds,
        Consumer<Throwable> defects) {}
