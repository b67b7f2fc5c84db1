package io.torussm.dataplane;

import io.torussm.fabric.Fabric;
import io.torussm.sim.SimCounters;
import io.torussm.sim.model.PortCounter;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The counters of ports, as IBA 16.1.3.5 defines them. Written by the data plane. A tick of PortXmitWait is
 * the time in which a port sends four octets, so that it is comparable with PortXmitData.
 */
public final class PortTraffic {
    private static final int WORD = 4;
    private static final long NO_WAIT = Long.MIN_VALUE;

    private final DataLinks links;
    private final LongSupplier nowNs;
    private boolean isCounting;

    /** By counter, then by port index. */
    private final long[][] values = new long[PortCounter.values().length][];

    /**
     * By link: the time for which it has sent nothing although packets waited, and the begin of the present
     * wait; in picoseconds.
     */
    private final long[] waitedPs;

    private final long[] waitsSincePs;

    /** Starts with all counters 0. */
    PortTraffic(DataLinks links, LongSupplier nowNs) {
        this.links = links;
        this.nowNs = nowNs;
        waitedPs = new long[links.count()];
        waitsSincePs = new long[links.count()];
        Arrays.fill(waitsSincePs, NO_WAIT);
    }

    void begin() {
        isCounting = true;
    }

    /**
     * Returns the value of a counter since the last {@link #moveTo}.
     *
     * @param port index
     */
    public long get(int port, PortCounter counter) {
        if (links.linkOfPort[port] != Fabric.NONE) {
            countWait(links.linkOfPort[port]);
        }
        long[] ofPorts = values[counter.index()];
        return ofPorts == null ? 0 : ofPorts[port];
    }

    /**
     * Adds all values to the counters of the embedded fabric's ports with the same GUIDs, and resets them to
     * 0.
     */
    public void moveTo(SimCounters counters) {
        for (int link = 0; link < links.count(); link++) {
            countWait(link);
        }
        Fabric fabric = links.fabric;
        for (PortCounter counter : PortCounter.values()) {
            long[] ofPorts = values[counter.index()];
            for (int port = 0; ofPorts != null && port < ofPorts.length; port++) {
                if (ofPorts[port] != 0) {
                    counters.add(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), counter, ofPorts[port]);
                    ofPorts[port] = 0;
                }
            }
        }
    }

    private void add(int port, PortCounter counter, long amount) {
        if (!isCounting) {
            return;
        }
        long[] ofPorts = values[counter.index()];
        if (ofPorts == null) {
            ofPorts = new long[links.fabric.portCount()];
            values[counter.index()] = ofPorts;
        }
        ofPorts[port] += amount;
    }

    private static int words(int bytes) {
        return (bytes + WORD - 1) / WORD;
    }

    /** Counts a packet that a link begins to send. */
    void countSent(int link, int bytes, boolean isToGroup, long nowPs) {
        int port = links.nearPort[link];
        add(port, PortCounter.XMIT_PKTS, 1);
        add(port, PortCounter.XMIT_DATA, words(bytes));
        add(port, isToGroup ? PortCounter.MULTICAST_XMIT_PKTS : PortCounter.UNICAST_XMIT_PKTS, 1);
        endWait(link, nowPs);
    }

    /** Counts a packet that arrived by a link. */
    void countReceived(int link, int bytes, boolean isToGroup) {
        int port = links.farPort[link];
        add(port, PortCounter.RCV_PKTS, 1);
        add(port, PortCounter.RCV_DATA, words(bytes));
        add(port, isToGroup ? PortCounter.MULTICAST_RCV_PKTS : PortCounter.UNICAST_RCV_PKTS, 1);
    }

    /** Begins a wait: the link is free and has packets to send, but no credits for any. */
    void beginWait(int link, long nowPs) {
        if (waitsSincePs[link] == NO_WAIT) {
            waitsSincePs[link] = nowPs;
        }
    }

    /** Counts the present wait until now. */
    private void countWait(int link) {
        if (waitsSincePs[link] != NO_WAIT) {
            long nowPs = nowNs.getAsLong() * DataPlane.PS_PER_NS;
            endWait(link, nowPs);
            waitsSincePs[link] = nowPs;
        }
    }

    /** Ends a wait: the link sends, or has no more packets. */
    void endWait(int link, long nowPs) {
        if (waitsSincePs[link] != NO_WAIT) {
            long tickPs = (long) WORD * links.psPerByte[link];
            waitedPs[link] += nowPs - waitsSincePs[link];
            waitsSincePs[link] = NO_WAIT;
            add(links.nearPort[link], PortCounter.XMIT_WAIT, waitedPs[link] / tickPs);
            waitedPs[link] %= tickPs;
        }
    }

    /**
     * Counts a packet from a link that the switch cannot forward: its tables have no entry, or map it to VL
     * 15.
     */
    void countRelayError(int link, PortCounter why) {
        add(links.farPort[link], PortCounter.RCV_SWITCH_RELAY_ERRORS, 1);
        add(links.farPort[link], why, 1);
    }

    /** Counts a dropped packet that was to leave by a link. */
    void countDiscard(int link, PortCounter why) {
        add(links.nearPort[link], PortCounter.XMIT_DISCARDS, 1);
        add(links.nearPort[link], why, 1);
    }
}
