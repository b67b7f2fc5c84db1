package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.LinkSettings;
import java.util.concurrent.TimeUnit;

/**
 * The time that packets which an old table forwarded need to leave the fabric. In each switch of the longest route, a
 * packet waits for one packet of the largest MTU on every data VL of the slowest link; the delay of the switch itself
 * is added. Without congestion a packet is far faster. With congestion it may live longer; see {@code
 * docs/developer/order-of-change.md}.
 */
public final class DrainTime {
    /** Number of hops of the longest directed route (IBA 14.2.1.2), as the assumed length of the longest path. */
    private static final int HOPS = 63;

    /** The assumed delay of an idle switch; switches need 0.1 to 0.3 us. */
    private static final double SWITCH_NS = 1_000;

    /** The largest MTU, with all headers and both CRCs (IBA 7.7, 7.8). */
    private static final double PACKET_BYTES = 4_096 + 128;

    /** Bits on the wire for each octet, with the 8b/10b encoding of SDR to QDR. */
    private static final double BITS_PER_BYTE = 10;

    /** The min result. Below it, the resolution of kernel timers dominates. */
    private static final long MIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The max result. */
    private static final long MAX_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private DrainTime() {}

    /** Returns the drain time of a fabric: 1 to 20 ms, in nanoseconds. */
    public static long ns(Fabric fabric) {
        double hopNs = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            if (info != null && isBetweenSwitches(fabric, port)) {
                double packetNs =
                        PACKET_BYTES * BITS_PER_BYTE / Rates.gigabits(Rates.of(info, fabric.capabilityPortInfo(port)));
                hopNs = Math.max(hopNs, SWITCH_NS + LinkSettings.dataVls(info.operationalVls()) * packetNs);
            }
        }
        return Math.max(MIN_NS, Math.min(MAX_NS, Math.round(HOPS * hopNs)));
    }

    private static boolean isBetweenSwitches(Fabric fabric, int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(far));
    }
}
