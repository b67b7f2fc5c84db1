/**
 * The values that pass from one sweep to the next, and from sweeps to their observers.
 *
 * <p>{@link io.torussm.sweep.state.SweepState} is the state of the SM between sweeps, and
 * {@link io.torussm.sweep.state.SweepResult} the outcome of one. Both are immutable.
 * {@link io.torussm.sweep.state.FabricStates} makes the {@link io.torussm.view.FabricState} for readers.
 * Observers receive each {@link io.torussm.sweep.state.SweepEvent}, and read
 * {@link io.torussm.sweep.state.SweepReport} and {@link io.torussm.sweep.state.SweepCounts}. The package depends on
 * neither the stages nor the schedule.
 */
@NullMarked
package io.torussm.sweep.state;

import org.jspecify.annotations.NullMarked;
