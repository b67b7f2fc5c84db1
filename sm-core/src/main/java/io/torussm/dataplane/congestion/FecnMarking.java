package io.torussm.dataplane.congestion;

import java.util.Arrays;
import java.util.List;

/** The switches' part: which packets leave with FECN, and which credits return late. */
public final class FecnMarking {
    private static final int THRESHOLD_STEPS = 16;
    private static final int VL_BITS = 4;
    private static final int VL_MASK = (1 << VL_BITS) - 1;
    private static final int NEVER = Integer.MAX_VALUE;

    private final CongestionCounters counters;
    private final Queues queues;

    /** By link: the port index of the switch that it leaves, -1 if it leaves a host. */
    private final int[] switchPort;

    /** By link: whether its port is in Victim_Mask. */
    private final boolean[] isVictimMarked;

    /** By link: the bytes behind a packet beyond which credits of the link return late. */
    private final int[] starvationBytes;

    private final int thresholdBytes;
    private final int minMarkedBytes;
    private final int markingRate;
    private final int starvationDelay;

    /** True if a port of any switch returns credits late. */
    private final boolean isStarving;

    /** By channel: eligible packets since the last mark. */
    private final int[] unmarkedPackets;

    /** By link: bit n if the first packet of VL n waited for credits. */
    private final int[] waits;

    /**
     * A direction of a cable.
     *
     * @param port index of the port that it leaves
     * @param fromSwitch port number there if it leaves a switch, else -1
     * @param toSwitch port number at its far end if it leads to a switch, else -1
     */
    public record Direction(int port, int fromSwitch, int toSwitch) {}

    /** The queues of channels. */
    @FunctionalInterface
    public interface Queues {
        /** Checks whether packets of so many bytes, or of more, wait in the queue of a channel. */
        boolean hasBytes(int channel, int bytes);
    }

    /**
     * Starts without marks.
     *
     * @param links directions of cables, by link
     * @param bufferBytes buffer of an input port for each VL, in bytes
     */
    public FecnMarking(
            CongestionParameters parameters,
            CongestionCounters counters,
            Queues queues,
            List<Direction> links,
            int bufferBytes) {
        this.counters = counters;
        this.queues = queues;
        thresholdBytes = bytes(parameters.threshold(), bufferBytes);
        minMarkedBytes = parameters.minMarkedBytes();
        markingRate = parameters.markingRate();
        starvationDelay = parameters.starvationDelay();
        switchPort = new int[links.size()];
        starvationBytes = new int[links.size()];
        isVictimMarked = new boolean[links.size()];
        waits = new int[links.size()];
        for (int link = 0; link < links.size(); link++) {
            Direction direction = links.get(link);
            switchPort[link] = direction.fromSwitch < 0 ? -1 : direction.port;
            isVictimMarked[link] = direction.fromSwitch >= 0 && parameters.isVictimMarked(direction.fromSwitch);
            starvationBytes[link] = direction.toSwitch < 0
                    ? NEVER
                    : bytes(parameters.starvationThreshold(direction.toSwitch), bufferBytes);
        }
        isStarving = Arrays.stream(starvationBytes).anyMatch(limit -> limit != NEVER);
        unmarkedPackets = new int[links.size() << VL_BITS];
        Arrays.fill(unmarkedPackets, markingRate);
    }

    /** Returns the limit of a threshold: 15 parts of 16 of a buffer for 1, down to one for 15. */
    private static int bytes(int threshold, int bufferBytes) {
        return threshold == 0 ? NEVER : (int) ((long) bufferBytes * (THRESHOLD_STEPS - threshold) / THRESHOLD_STEPS);
    }

    /** Checks whether any packet can be marked. */
    public boolean canMark() {
        return thresholdBytes != NEVER;
    }

    /** Checks whether credits of any port can be late. */
    public boolean isStarving() {
        return isStarving;
    }

    /**
     * Notes that first packets lack credits although their port is free.
     *
     * @param vls bit n: that of VL n
     */
    public void lackCredits(int link, int vls) {
        waits[link] |= vls;
    }

    /**
     * Decides on a packet that begins to leave, after it was removed from the queue.
     *
     * @param isExempt whether the packet goes to a group, or is a CNP
     * @return whether it leaves with FECN
     */
    public boolean markOnLeave(int channel, int bytes, boolean isExempt) {
        int link = channel >> VL_BITS;
        int vl = 1 << (channel & VL_MASK);
        boolean isVictim = (waits[link] & vl) != 0;
        if (isVictim) {
            waits[link] &= ~vl;
        }
        if (isExempt
                || bytes < minMarkedBytes
                || switchPort[link] < 0
                || (isVictim && !isVictimMarked[link])
                || thresholdBytes == NEVER
                || !queues.hasBytes(channel, thresholdBytes)) {
            return false;
        }
        if (unmarkedPackets[channel] < markingRate) {
            unmarkedPackets[channel]++;
            return false;
        }
        unmarkedPackets[channel] = 0;
        counters.countMark(switchPort[link]);
        return true;
    }

    /**
     * Returns the time by which the credits of a packet return later, 0 mostly.
     *
     * @param link by which the packet came in
     * @param channel by which it leaves
     * @param packetPs time on the link by which it came in
     */
    public long starvationPs(int link, int channel, long packetPs) {
        return starvationBytes[link] != NEVER && queues.hasBytes(channel, starvationBytes[link])
                ? CongestionParameters.delay(starvationDelay, packetPs)
                : 0;
    }
}
