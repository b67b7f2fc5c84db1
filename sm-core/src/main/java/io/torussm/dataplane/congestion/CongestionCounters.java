package io.torussm.dataplane.congestion;

import java.util.Arrays;

/** The counters of congestion control since the start. Written by the data plane. */
public final class CongestionCounters {
    /** By port index of the switch that sends the packet. */
    private final long[] marks;

    /** By host. */
    private final long[] notifications;

    private final int[] highestCcti;
    private long triggers;
    private long withheld;

    /** Starts with all counters 0. */
    public CongestionCounters(int ports, int hosts) {
        marks = new long[ports];
        notifications = new long[hosts];
        highestCcti = new int[hosts];
    }

    void countMark(int port) {
        marks[port]++;
    }

    void countNotification(int host, int ccti) {
        notifications[host]++;
        highestCcti[host] = Math.max(highestCcti[host], ccti);
    }

    void countTrigger() {
        triggers++;
    }

    void countWithheld() {
        withheld++;
    }

    /**
     * Returns the number of packets that a port of a switch marked with FECN.
     *
     * @param port index
     */
    public long marks(int port) {
        return marks[port];
    }

    /** Returns the number of marked packets, of all ports. */
    public long marks() {
        return Arrays.stream(marks).sum();
    }

    /** Returns the number of BECNs that a host received. */
    public long notifications(int host) {
        return notifications[host];
    }

    /** Returns the number of BECNs that hosts received. */
    public long notifications() {
        return Arrays.stream(notifications).sum();
    }

    /** Returns the highest CCTI of all flows of a host. */
    public int highestCcti(int host) {
        return highestCcti[host];
    }

    /** Returns how often a flow reached Trigger_Threshold. */
    public long triggers() {
        return triggers;
    }

    /** Returns the number of messages of an endless workload that had no place at the queue of a slow flow. */
    public long withheld() {
        return withheld;
    }
}
