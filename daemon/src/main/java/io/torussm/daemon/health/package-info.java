/**
 * The health of the subnet as one report: each check with its verdict and its findings, the worst first.
 *
 * <p>Input: {@link io.torussm.daemon.control.SmObserver}. Output: a
 * {@link io.torussm.daemon.health.HealthReport}. No SMP is sent: the report uses the responses of the last
 * discovery, so it costs one pass over all ports. Any thread.
 */
@NullMarked
package io.torussm.daemon.health;

import org.jspecify.annotations.NullMarked;
