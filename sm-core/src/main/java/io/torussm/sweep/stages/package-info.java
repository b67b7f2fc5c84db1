/**
 * The stages of one sweep, each with the form of a {@link io.torussm.stage.Stage}.
 *
 * <p>In their order: {@link io.torussm.sweep.stages.FabricReading} reads the fabric.
 * {@link io.torussm.sweep.stages.Planning} assigns LIDs ({@code Addressing}) and finds proved routes
 * ({@code Routing}, or {@code ReusedPlan} and its siblings if the active ones remain).
 * {@link io.torussm.sweep.stages.Programming} writes tables and ports ({@code Activation}).
 * {@link io.torussm.sweep.stages.Publication} makes the view for readers.
 * {@link io.torussm.sweep.stages.StageRunner} runs them, and {@link io.torussm.sweep.stages.LocalSweepDeadline} ends
 * the wait for missing answers. {@link io.torussm.sweep.stages.SweepContext} is the environment of all stages.
 *
 * <p>Owner thread: the loop, except for routes and their comparison, which are computed on the pool.
 */
@NullMarked
package io.torussm.sweep.stages;

import org.jspecify.annotations.NullMarked;
