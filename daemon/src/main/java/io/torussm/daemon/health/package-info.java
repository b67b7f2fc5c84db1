/**
 * The health of the subnet as one report: each check with its verdict and what it found, the worst first.
 *
 * <p>In goes what {@link io.torussm.daemon.control.SmObserver} shows, out comes a {@link io.torussm.daemon.health.HealthReport}. Nothing is
 * asked of devices: it is what they said when the fabric was looked at last, so it costs a walk over all ports and no SMP. Any thread.
 */
@NullMarked
package io.torussm.daemon.health;

import org.jspecify.annotations.NullMarked;
