package io.torussm.sweep;

import io.torussm.sweep.idle.ReadyPlans;
import io.torussm.sweep.stages.RestartedSwitch;
import io.torussm.sweep.state.SweepState;
import io.torussm.view.FabricState;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state with which a sweep starts.
 *
 * @param sweepState the state after the previous sweep
 * @param previousState the fabric state after the previous sweep
 * @param readyPlans precomputed plans; null if there are none
 * @param number number of the sweep, counted from 1
 * @param isLocal whether only changed parts are read; the sweep then uses the files as the last whole sweep read them
 * @param restarted receives the switches that restarted since the previous sweep
 */
record SweepStart(
        SweepState sweepState,
        FabricState previousState,
        @Nullable ReadyPlans readyPlans,
        long number,
        boolean isLocal,
        Consumer<List<RestartedSwitch>> restarted) {}
