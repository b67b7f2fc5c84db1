/**
 * The SMPs of a stage of writes: {@link io.torussm.program.smp.SmpRequests} counts answers and gives up
 * silent devices, {@link io.torussm.program.smp.RequestStripes} orders the requests, and
 * {@link io.torussm.program.smp.SweepSettings} has the settings that they carry. The package knows neither
 * tables nor ports.
 */
@NullMarked
package io.torussm.program.smp;

import org.jspecify.annotations.NullMarked;
