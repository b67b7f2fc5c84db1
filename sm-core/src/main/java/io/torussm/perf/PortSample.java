package io.torussm.perf;

import java.time.Instant;

/**
 * The activity of a port between two readings.
 *
 * @param at time of the second reading
 * @param xmitBytesPerSecond sent bytes per second
 * @param rcvBytesPerSecond received bytes per second
 * @param xmitWaitShare share of the time, 0 to 1, with a packet to send and no credit; 0 if the port does not count it
 * @param errors number of signs of a bad link
 */
public record PortSample(
        Instant at, double xmitBytesPerSecond, double rcvBytesPerSecond, double xmitWaitShare, long errors) {}
