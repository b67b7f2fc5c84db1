package io.torussm.daemon.assembly;

import io.torussm.transport.Loop;
import io.torussm.transport.MadTransport;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The port, the threads and the random numbers of an SM. They are real, or a virtual clock with all work in
 * one thread.
 *
 * @param port not started
 * @param sm the loop that owns the SM
 * @param sa the loop of table responses
 * @param perf the loop that reads counters
 * @param saWorkers executor of queries
 * @param pool executor of routing and proofs
 * @param prechecks executor of computations in advance, one after the other
 * @param readyPlans executor of precomputed plans for single failures; null if there are none
 * @param seeds source of initial transaction IDs; called once for each part with its own IDs
 * @param defects receives unexpected exceptions
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
