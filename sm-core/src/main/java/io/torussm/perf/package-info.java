/**
 * The performance manager: reads the counters of all ports in turns, adds them up, keeps their history, and says which ports count more
 * errors, or wait longer for credits, than they should.
 *
 * <p>Enters: the published subnet, answers of performance management agents (IBA 16.1). Leaves: {@link io.torussm.perf.CounterStore},
 * which console, HTTP and health read; events when the errors of a port begin and end.
 *
 * <p>Memory: of each port and counter a 64-bit total, the last reading and its width, about 0.6 kB; of each port a ring of samples of 24
 * octets. All are primitive arrays, a few a device, made when the device is first seen and never grown: with the usual 60 samples 2.4 kB
 * a port, 98 MiB for 4,096 switches of 7 ports and as many hosts, and nothing is allocated while they are filled. Libraries of time series or of
 * collections off the heap would hold the same numbers behind more code; what is dense already needs none of them.
 *
 * <p>Readings: a counter that falls was cleared by somebody or ran over, a counter at its highest value stands still
 * ({@link io.torussm.perf.PortTotals} tells them apart). Devices are not asked to clear anything unless the counters would stand still,
 * and not then if they have counters of 64 bits, since other monitors read them too.
 */
@NullMarked
package io.torussm.perf;

import org.jspecify.annotations.NullMarked;
