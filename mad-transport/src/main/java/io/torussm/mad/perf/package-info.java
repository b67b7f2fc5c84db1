/**
 * Performance management (IBA 16.1): the MAD, the counters that every port keeps, and what an agent can.
 *
 * <p>{@link io.torussm.mad.perf.PerfMad} knows the 256 bytes. Each attribute is declared once, as those of {@code mad.smp} are, and its
 * {@link io.torussm.mad.perf.CounterSet} says which counter has which bit in CounterSelect, so that a request to clear some of them
 * and an agent that clears them read the same declaration. What an agent supports is in the bits of
 * {@link io.torussm.mad.perf.PerfCapability} of its {@link io.torussm.mad.ClassPortInfo}.
 *
 * <p>Counters of {@link io.torussm.mad.perf.PortCounters} stop at their highest value, which the data counters of a busy link reach in
 * seconds; those of {@link io.torussm.mad.perf.PortCountersExtended} have 64 bits. Data is counted in units of four octets. Packets of all
 * VLs count, MADs among them, and link packets do not.
 *
 * <p>{@link io.torussm.mad.perf.CongestionInfo} belongs to another class, congestion control (IBA annex A10), and is the one attribute of it that whoever
 * reads counters needs.
 *
 * <p>The layouts are tested against bytes that perfquery and ibsim exchanged, and against what libibmad and tshark read from them.
 */
@NullMarked
package io.torussm.mad.perf;

import org.jspecify.annotations.NullMarked;
