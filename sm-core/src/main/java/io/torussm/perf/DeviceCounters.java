package io.torussm.perf;

import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counters of the ports of one device, and their history: totals since a reset, rates between the last two
 * readings, hourly error rates, and the last samples. Arrays are indexed by port number, from 0. Thread-safe by one
 * lock for the device.
 */
final class DeviceCounters {
    private static final double S_PER_NS = 1e-9;
    private static final int BITS = 8;

    // Indexes of the rates of a port: octets and packets per second, and the share of time without credit.
    private static final int XMIT_BYTES = 0;

    private static final int RCV_BYTES = 1;
    private static final int XMIT_PACKETS = 2;
    private static final int RCV_PACKETS = 3;
    private static final int WAIT = 4;
    private static final int RATES = 5;

    private final int ports;
    private final int depth;
    private final PortTotals totals;
    private final PortLevels levels;
    private final SampleRing ring;

    /** Time of the last reading {@code [port]}, by the clock of the loop, for durations. */
    private final long[] readNs;

    /** Time of the last reading {@code [port]}, in milliseconds since 1970, for display. */
    private final long[] readMs;

    /** Last rates {@code [port * RATES + rate]}. */
    private final float[] rates;

    /** Increments of the present reading, by index of the counter. */
    private final long[] deltas = new long[Counter.COUNT];

    private final boolean[] isRead;

    /** Last known capacity of the link {@code [port]}, so that limits do not change while the link is down. */
    private final @Nullable LinkCapacity[] links;

    /**
     * Creates the counters of a device that was never read.
     *
     * @param numPorts highest port number
     * @param depth number of samples of each port
     */
    DeviceCounters(int numPorts, int depth) {
        ports = numPorts + 1;
        this.depth = depth;
        totals = new PortTotals(ports);
        levels = new PortLevels(ports);
        ring = new SampleRing(ports, depth);
        readNs = new long[ports];
        readMs = new long[ports];
        rates = new float[ports * RATES];
        isRead = new boolean[ports];
        links = new LinkCapacity[ports];
    }

    /** Returns the highest port number + 1. */
    int ports() {
        return ports;
    }

    /** Returns the number of samples of each port. */
    int depth() {
        return depth;
    }

    /**
     * Adds a reading of a port.
     *
     * @param port port number
     * @param nowNs arrival time of the answer by the clock of the loop, for durations
     * @param nowMs time in milliseconds since 1970, for display
     * @param link capacity of the link; null if it is unknown
     * @return whether another program cleared the counters
     */
    synchronized boolean add(int port, PortReading reading, long nowNs, long nowMs, @Nullable LinkCapacity link) {
        links[port] = link == null ? links[port] : link;
        boolean isCleared = totals.add(port, reading, deltas);
        double seconds = (nowNs - readNs[port]) * S_PER_NS;
        if (isRead[port] && seconds > 0) {
            sample(port, seconds, nowMs, link);
        }
        isRead[port] = true;
        readNs[port] = nowNs;
        readMs[port] = nowMs;
        return isCleared;
    }

    private void sample(int port, double seconds, long nowMs, @Nullable LinkCapacity link) {
        double xmit = Counter.DATA_OCTETS * perSecond(Counter.XMIT_DATA, seconds);
        double rcv = Counter.DATA_OCTETS * perSecond(Counter.RCV_DATA, seconds);
        double wait = link == null ? 0 : waitShare(seconds, link);
        setRate(port, XMIT_BYTES, xmit);
        setRate(port, RCV_BYTES, rcv);
        setRate(port, XMIT_PACKETS, perSecond(Counter.XMIT_PACKETS, seconds));
        setRate(port, RCV_PACKETS, perSecond(Counter.RCV_PACKETS, seconds));
        setRate(port, WAIT, wait);
        long faults = 0;
        for (Counter error : Counter.errors()) {
            faults += error.isFault() ? deltas[error.index()] : 0;
        }
        levels.add(port, seconds, deltas, wait);
        ring.add(port, nowMs, xmit, rcv, wait, faults);
    }

    /**
     * Returns the share of time without credit, 0 to 1. A tick is the time of four octets on the link, the default of
     * devices (PortSamplesControl.Tick).
     */
    private double waitShare(double seconds, LinkCapacity link) {
        double ticks = link.dataBits() / (BITS * Counter.DATA_OCTETS);
        return Math.min(1, perSecond(Counter.XMIT_WAIT, seconds) / ticks);
    }

    private double perSecond(Counter counter, double seconds) {
        return Math.max(0, deltas[counter.index()]) / seconds;
    }

    private void setRate(int port, int rate, double value) {
        rates[port * RATES + rate] = (float) value;
    }

    private double rate(int port, int rate) {
        return rates[port * RATES + rate];
    }

    /**
     * Notes that this program cleared counters of a port.
     *
     * @param written the cleared counters
     */
    synchronized void onCleared(int port, PortReading written) {
        totals.onCleared(port, written);
    }

    /** Resets the totals of a port for an operator; the samples stay. */
    synchronized void restart(int port) {
        totals.restart(port);
        levels.restart(port);
    }

    synchronized boolean isRead(int port) {
        return isRead[port];
    }

    /** Returns the statistics of a port; null if it was never read. */
    synchronized @Nullable PortStatistics counters(int port) {
        if (!isRead[port]) {
            return null;
        }
        long[] copy = new long[Counter.COUNT];
        BitSet known = new BitSet(Counter.COUNT);
        BitSet full = new BitSet(Counter.COUNT);
        for (Counter counter : Counter.all()) {
            copy[counter.index()] = totals.total(port, counter);
            known.set(counter.index(), totals.isKnown(port, counter));
            full.set(counter.index(), totals.isFull(port, counter));
        }
        return new PortStatistics(
                Instant.ofEpochMilli(readMs[port]),
                copy,
                known,
                full,
                rate(port, XMIT_BYTES),
                rate(port, RCV_BYTES),
                rate(port, XMIT_PACKETS),
                rate(port, RCV_PACKETS),
                rate(port, WAIT),
                levels.faultsPerHour(port));
    }

    /** Returns the samples of a port, the oldest first. */
    synchronized List<PortSample> samples(int port) {
        return ring.samples(port);
    }

    /**
     * Returns the faults of a port, by descending excess over the limit; empty if the port was never read.
     *
     * @param link capacity of the link; null if it is unknown or the link is down, so that the last known one is used
     * @param part factor of all limits, 1 for the limits themselves
     */
    synchronized List<PortFault> faults(int port, Thresholds limits, @Nullable LinkCapacity link, double part) {
        return isRead[port]
                ? limits.exceeded(
                        error -> levels.errorsPerHour(port, error),
                        levels.waitShare(port),
                        link == null ? links[port] : link,
                        part)
                : List.of();
    }
}
