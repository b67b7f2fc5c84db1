/**
 * The common parts of all stages of a sweep, and the checks of whether a response of a device is plausible.
 *
 * <p>Input and output of a {@link io.torussm.stage.Stage} are immutable values. The
 * {@link io.torussm.stage.StageContext} supplies everything else: scopes of SMPs
 * ({@link io.torussm.transport.MadScope}), the loop, the remembered LIDs and M_Keys
 * ({@link io.torussm.subnet.SubnetMemory}), and the errors of devices
 * ({@link io.torussm.stage.ProgrammingErrors}). A stage belongs to a {@link io.torussm.stage.Phase}, under which
 * its time is counted and reported. The sweep runs the stages one after another and selects each next stage; a
 * stage never starts another.
 *
 * <p>Owner thread: the loop. A stage that computes on another thread uses
 * {@link io.torussm.stage.StageContext#compute}, which continues on the loop, or abandons the sweep after a
 * failure. Cost: a constant per response; none of these classes walks the fabric.
 */
@NullMarked
package io.torussm.stage;

import org.jspecify.annotations.NullMarked;
