/**
 * The sweep: from discovery to a proved, programmed and published subnet.
 *
 * <p>{@link io.torussm.sweep.Sweeper} decides when to sweep, and in which scope; one sweep at a time.
 * {@code DueWork} is the work of the next one. A {@code Sweep} begins with {@code SweepState}, an immutable value,
 * and runs its stages in the order of its methods. Its {@code SweepResult} contains the next state.
 * {@code Knowledge} keeps that, with the {@link io.torussm.view.FabricState} for readers. The
 * {@link io.torussm.program.Programmers} remember the programmed tables.
 *
 * <p>The stages: {@link io.torussm.discovery.Discovery} reads the fabric and freezes it;
 * {@code FabricReading} records unanswered requests and switches that may have restarted. {@code Planning}
 * calls {@link io.torussm.subnet.LidAssigner} for LIDs. {@code Routing} calls the routing chain for routes
 * and the checker for a proof, on a pool. If only hosts changed, {@code ReusedPlan} keeps the active
 * routes; if only leaf switches did, {@code RemainingRoutes}. {@code Programming} writes by
 * {@link io.torussm.program.table.TableProgrammer}, {@link io.torussm.program.port.PartitionProgrammer},
 * {@link io.torussm.program.port.LinkActivator} and {@link io.torussm.program.port.MKeyRollover}, one after the other.
 * Each has the form of a {@link io.torussm.stage.Stage} and passes one immutable value to the next.
 * {@code StageRunner} opens and closes their scopes, guards their continuations and measures the time of each
 * {@link io.torussm.stage.Phase}.
 *
 * <p>If a local sweep waits for missing answers and a change is reported, the next sweep preempts it:
 * {@code LocalSweepDeadline}, {@code RouteCheck}.
 *
 * <p>A refusal happens before the first write. A defect ends the sweep: nothing is published, and the
 * contents of devices count as unknown. Remaining work (a failed write, another master SM meanwhile) makes
 * the next light sweep a heavy one.
 *
 * <p>Between sweeps there are {@code LightSweeps}. One asks every switch for PortStateChange, and repeats
 * unanswered requests. If a few switches have changes, a local sweep follows; if more than an eighth of them
 * and more than four, a whole one. While no work is due there is {@link io.torussm.sweep.IdleWork}.
 * {@link io.torussm.sweep.idle.DriftWatch} reads back the tables of devices. {@code FailurePrecheck} tries the
 * loss of a few cables. {@code PlanPreparation} computes plans for all single failures; {@code Routing} takes
 * the one that matches.
 *
 * <p>Between sweeps {@code RunTimeChanges} programs run-time members of partitions at the concerned ports,
 * one change after the other; a sweep that becomes due interrupts it once.
 *
 * <p>Owner thread: the loop, except for routes and their comparison, which are computed on the pool. The
 * published view and the counters may be read by any thread. Cost: that of the stages, see
 * {@link io.torussm.discovery} and {@link io.torussm.program}; a comparison of two plans takes switches x
 * switches steps.
 */
@NullMarked
package io.torussm.sweep;

import org.jspecify.annotations.NullMarked;
