/**
 * The performance manager: it reads the counters of all ports in turns, adds them to 64-bit totals and keeps their
 * history. It reports ports with too many errors, or too long waits for credits.
 *
 * <p>Input: the published subnet, answers of performance management agents (IBA 16.1). Output:
 * {@link io.torussm.perf.CounterStore}, which console, HTTP and health read; events when the errors of a port
 * begin and end.
 *
 * <p>Memory: for each port and counter a 64-bit total, the last reading and its width, about 0.6 kB; for each
 * port a ring of samples of 24 octets. All are primitive arrays, a few for each device, allocated with it and
 * never grown. With the default of 60 samples a port takes 2.4 kB; 4,096 switches of 7 ports and as many hosts
 * take 98 MiB. Time series libraries or off-heap collections would store the same numbers behind more code.
 *
 * <p>Readings: a counter that falls was cleared or wrapped, and a counter at its highest value stops
 * ({@link io.torussm.perf.PortTotals} distinguishes them). Counters are cleared only if they would stop.
 * Devices with 64-bit counters are never cleared, since other monitors read them too.
 */
@NullMarked
package io.torussm.perf;

import org.jspecify.annotations.NullMarked;
