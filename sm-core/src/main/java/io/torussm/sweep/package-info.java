/**
 * The sweep: from the wire to a proved, programmed and published subnet.
 *
 * <p>{@link io.torussm.sweep.Sweeper} decides when there is a sweep, and of what; one at a time. {@code DueWork} is what the next one is to do. A
 * {@code Sweep} is given what is {@code Known}, an immutable value, runs its stages in the order in which its methods stand, and hands over a
 * {@code SweepResult} with what is known next; {@code Knowledge} keeps that, and makes the {@link io.torussm.view.FabricState} that
 * readers see of it. What devices hold is remembered by the
 * {@link io.torussm.program.Programmers}.
 *
 * <p>The stages: {@link io.torussm.discovery.Discovery} reads the fabric and freezes it ({@code FabricReading} keeps who was silent, and who
 * may have restarted);
 * {@code Planning} has {@link io.torussm.subnet.LidAssigner} give it addresses; {@code Routing} asks the routing chain for routes and the checker
 * for a proof, on a pool, or {@code RetainedRoutes} keeps those in force if only hosts changed, {@code StayingRoutes} if only leaf switches did;
 * {@code Programming} has {@link io.torussm.program.TableProgrammer}, {@link io.torussm.program.PartitionProgrammer},
 * {@link io.torussm.program.LinkActivator} and {@link io.torussm.program.MKeyRollover} write, one after the other. Each has the shape of a
 * {@link io.torussm.stage.Stage} and hands one immutable value to the next; {@code StageRunner} opens and closes their
 * scopes, guards what follows them and takes the time of each {@link io.torussm.stage.Phase}.
 *
 * <p>A local sweep that waits in vain while somebody reports a change gives way to the next one: {@code Patience}, {@code RouteCheck}.
 *
 * <p>A refusal happens before anything at all is written. A defect abandons the sweep: nothing is published, and what devices
 * hold is forgotten. Whatever was left undone (a write that failed, another SM that was master) makes the next light sweep a
 * heavy one.
 *
 * <p>Between sweeps there are {@code LightSweeps}. One asks every switch for PortStateChange, and whatever was silent for a sign of life. What changed around a
 * few switches is swept locally; if that is more than an eighth of them and four, all are. When all is quiet there is
 * {@link io.torussm.sweep.IdleWork}: {@link io.torussm.sweep.DriftWatch} reads back what devices hold, {@code FailurePrecheck} plays the loss of a few cables through, and {@code PlanPreparation} computes plans for all single failures, of which
 * {@code Routing} takes the one that fits.
 *
 * <p>Between sweeps {@code RunTimeChanges} writes what is added to partitions at run time, to the ports concerned only, one change after the
 * other; a sweep that becomes due interrupts it once.
 *
 * <p>Owner thread: the loop, except for routes and their comparison, which are computed on the pool. The published view and
 * the counters may be read by any thread. Cost: that of the stages, see {@link io.torussm.discovery} and
 * {@link io.torussm.program}; comparing two plans takes switches x switches steps.
 */
@NullMarked
package io.torussm.sweep;

import org.jspecify.annotations.NullMarked;
