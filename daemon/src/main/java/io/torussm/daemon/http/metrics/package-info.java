/**
 * Metrics for Prometheus: the SM, its sweeps and replicas, the torus, a shadowed fabric, and the counters of ports.
 */
@NullMarked
package io.torussm.daemon.http.metrics;

import org.jspecify.annotations.NullMarked;
