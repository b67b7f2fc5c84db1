package io.torussm.daemon.assembly;

import io.torussm.transport.Loop;
import io.torussm.transport.MadTransport;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The port, the threads and the random numbers of an SM. In production the threads are real; in tests and replays one
 * thread with a virtual clock replaces all of them.
 *
 * @param port port of the SM, not started yet
 * @param sm loop of the owner thread of the SM
 * @param sa loop of the responses of the SA that have several segments
 * @param perf loop of the reading of counters and of congestion control
 * @param saWorkers executor of the queries to the SA
 * @param pool executor of routing and proofs
 * @param prechecks sequential executor of the checks of possible failures
 * @param readyPlans executor of precomputed plans for single failures; null if there are none
 * @param seeds source of initial transaction IDs; called once for each part that has separate transaction IDs
 * @param defects callback; called with each unexpected exception
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
