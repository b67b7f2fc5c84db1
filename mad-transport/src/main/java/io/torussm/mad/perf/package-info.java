/**
 * Performance management (IBA 16.1): the MAD, the counters of every port, and the capabilities of an agent.
 *
 * <p>{@link io.torussm.mad.perf.PerfMad} declares the 256 bytes. Each attribute is declared once, as those of
 * {@code mad.smp} are. Its {@link io.torussm.mad.perf.CounterSet} assigns counters to bits in CounterSelect. Requests
 * that clear counters, and simulated agents that clear them, use this declaration. The bits of
 * {@link io.torussm.mad.perf.PerfCapability} in {@link io.torussm.mad.ClassPortInfo} list the features of an agent.
 *
 * <p>Counters of {@link io.torussm.mad.perf.PortCounters} stop at their max value, which the data counters of a busy
 * link reach in seconds. Counters of {@link io.torussm.mad.perf.PortCountersExtended} have 64 bits. Data is counted in
 * units of four octets. Packets of all VLs count, including MADs; link packets do not.
 *
 * <p>The layouts are tested against bytes that perfquery and ibsim exchanged, and against their interpretation by
 * libibmad and tshark.
 */
@NullMarked
package io.torussm.mad.perf;

import org.jspecify.annotations.NullMarked;
