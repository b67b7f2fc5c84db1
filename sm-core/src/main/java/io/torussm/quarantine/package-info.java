/**
 * Devices that cannot be programmed, and how the subnet lives without them.
 *
 * <p>A switch whose forwarding or SL2VL tables are not in place keeps a subnet from being published, for the proof relies on
 * them. So that one bad device does not do that for ever, {@link io.torussm.quarantine.Quarantine} counts its failures, and from
 * the second sweep on in which it fails it is left out: routes lead around it as if it were absent. The same is done with a
 * link between switches that does not rise, and, at once, with a switch that does not even tell what it is like. The one switch
 * that the SM itself hangs on cannot be left out; it is tolerated, and said so. What operators have drained goes the same way
 * ({@code DrainedParts}), unless there are no routes without it. {@link io.torussm.quarantine.Admission} is the fabric without all that.
 *
 * <p>What is left out is asked again with every light sweep and after every whole one: for a sign of life, then for the very
 * request that it failed. If it obeys it is released, and the next sweep takes it in. One that fails again after its release
 * has to wait twice as long each time, so a device that comes and goes does not keep the subnet in motion.
 *
 * <p>{@link io.torussm.quarantine.DeadEnds} finds the ports of others that lead to whatever is left out or silent, to be taken
 * down once the tables lead around it. {@link io.torussm.quarantine.DeviceTroubles} remembers what devices do not take that
 * nobody else depends on, and {@link io.torussm.quarantine.RetryPace} how often it is worth a whole sweep to try that again.
 *
 * <p>What enters are fabrics and what went wrong while they were written ({@link io.torussm.stage.ProgrammingErrors}), in their
 * indexes; what is kept is by GUID. Every condition is told when it begins and when it ends. Owner thread: the loop, but for the
 * list of what is left out. Cost: nothing while all is well.
 */
@NullMarked
package io.torussm.quarantine;

import org.jspecify.annotations.NullMarked;
