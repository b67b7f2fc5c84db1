package io.torussm.perf;

import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counters of the ports of one device and their history. Any thread; a lock, held for one port at a time. */
final class DeviceCounters {
    private static final double NS = 1e-9;
    private static final int BITS = 8;

    /** Rates of the last sample of a port, by their places. */
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
    private final long[] readNs;
    private final long[] readMs;
    private final float[] rates;
    private final long[] deltas = new long[Counter.COUNT];
    private final boolean[] isRead;

    /** By port: what its link could carry when it was last known, so that limits stay the same while a link is down. */
    private final @Nullable LinkCapacity[] links;

    /**
     * A device that nobody has read yet.
     *
     * @param numPorts its highest port number
     * @param depth samples of each port
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

    /** Port numbers are below this. */
    int ports() {
        return ports;
    }

    /** Samples of each port. */
    int depth() {
        return depth;
    }

    /**
     * A port was read.
     *
     * @param nowNs for the length of times
     * @param nowMs since 1970, for people
     * @param link what it can carry; null if nobody knows
     * @return whether somebody cleared its counters
     */
    synchronized boolean take(int port, PortReading reading, long nowNs, long nowMs, @Nullable LinkCapacity link) {
        links[port] = link == null ? links[port] : link;
        boolean isCleared = totals.add(port, reading, deltas);
        double seconds = (nowNs - readNs[port]) * NS;
        if (isRead[port] && seconds > 0) {
            sample(port, seconds, nowMs, link);
        }
        isRead[port] = true;
        readNs[port] = nowNs;
        readMs[port] = nowMs;
        return isCleared;
    }

    private void sample(int port, double seconds, long nowMs, @Nullable LinkCapacity link) {
        double xmit = Counter.DATA_OCTETS * rate(Counter.XMIT_DATA, seconds);
        double rcv = Counter.DATA_OCTETS * rate(Counter.RCV_DATA, seconds);
        double wait = link == null ? 0 : waitShare(seconds, link);
        rate(port, XMIT_BYTES, xmit);
        rate(port, RCV_BYTES, rcv);
        rate(port, XMIT_PACKETS, rate(Counter.XMIT_PACKETS, seconds));
        rate(port, RCV_PACKETS, rate(Counter.RCV_PACKETS, seconds));
        rate(port, WAIT, wait);
        long faults = 0;
        for (Counter error : Counter.errors()) {
            faults += error.isFault() ? deltas[error.index()] : 0;
        }
        levels.add(port, seconds, deltas, wait);
        ring.add(port, nowMs, xmit, rcv, wait, faults);
    }

    /** A tick is the time of four octets, as devices have it where they do not say otherwise (PortSamplesControl.Tick). */
    private double waitShare(double seconds, LinkCapacity link) {
        double ticks = link.dataBits() / (BITS * Counter.DATA_OCTETS);
        return Math.min(1, rate(Counter.XMIT_WAIT, seconds) / ticks);
    }

    private double rate(Counter counter, double seconds) {
        return Math.max(0, deltas[counter.index()]) / seconds;
    }

    private void rate(int port, int rate, double value) {
        rates[port * RATES + rate] = (float) value;
    }

    private double rate(int port, int rate) {
        return rates[port * RATES + rate];
    }

    /** This program cleared counters of a port. */
    synchronized void cleared(int port, PortReading those) {
        totals.cleared(port, those);
    }

    /** An operator wants to count from 0 again; the history stays. */
    synchronized void restart(int port) {
        totals.restart(port);
        levels.restart(port);
    }

    synchronized boolean isRead(int port) {
        return isRead[port];
    }

    /** What is known of a port; null if it was never read. */
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
                levels.faults(port));
    }

    /** Samples of a port, oldest first. */
    synchronized List<PortSample> samples(int port) {
        return ring.samples(port);
    }

    /**
     * What is wrong with a port by some limits, the gravest first.
     *
     * @param link what it can carry; null if that is not known, or while it is down: then what was known last counts
     * @param part of each limit that counts, 1 for all
     */
    synchronized List<PortFault> faults(int port, Thresholds limits, @Nullable LinkCapacity link, double part) {
        return isRead[port]
                ? limits.exceeded(
                        error -> levels.hourly(port, error),
                        levels.waitShare(port),
                        link == null ? links[port] : link,
                        part)
                : List.of();
    }
}
