/**
 * The work of a master SM while no sweep is due. A sweep that becomes due interrupts it.
 *
 * <p>{@link io.torussm.sweep.idle.DriftWatch} reads back the tables of devices and reports differences.
 * {@link io.torussm.sweep.idle.FailurePrecheck} tries the loss of some cables and of one switch.
 * {@link io.torussm.sweep.idle.PlanPreparation} computes plans for single failures, and
 * {@link io.torussm.sweep.idle.ReadyPlans} keeps them for the next sweep. The schedule is in
 * {@link io.torussm.sweep.IdleWork}.
 *
 * <p>Owner thread: the loop. Plans are computed on an executor that sweeps do not use.
 */
@NullMarked
package io.torussm.sweep.idle;

import org.jspecify.annotations.NullMarked;
