/**
 * The SMPs of a stage that writes: {@link io.torussm.program.smp.SmpRequests} counts responses and skips devices that
 * do not respond, {@link io.torussm.program.smp.RequestStripes} orders the requests, and {@link
 * io.torussm.program.smp.SweepSettings} has the settings of a sweep. The package is independent of tables and ports.
 * Owner thread: the loop.
 */
@NullMarked
package io.torussm.program.smp;

import org.jspecify.annotations.NullMarked;
