package io.torussm.perf;

import java.time.Instant;

/**
 * What happened at a port between two readings.
 *
 * @param at when the second one came in
 * @param xmitWaitShare of the time, 0 to 1, in which the port had something to send and no credit; 0 if it does not count that
 * @param errors signs of a bad link that were counted
 */
public record PortSample(
        Instant at, double xmitBytesPerSecond, double rcvBytesPerSecond, double xmitWaitShare, long errors) {}
