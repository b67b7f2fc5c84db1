package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.Plan;
import io.torussm.sa.query.ViewIndex;
import io.torussm.subnet.Subnet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The smallest MTU and the lowest rate of the paths from a switch to a LID, along the LFTs of one view.
 * Limits of a LID are cached for all switches together, a byte each, because paths from different sources
 * have common ends. LIDs with equal bytes share them; if all cables are alike, nearly all LIDs do.
 *
 * <p>A pass over all switches costs some hundred times as much as one path, and after each publication all
 * LIDs are new. Therefore single paths to a LID are followed until they took as many steps as there are
 * switches, and then the pass is made. The total is at most twice the work of either, and the first requests
 * to a new view wait for one path, not for a pass over the fabric.
 *
 * <p>Any thread. Memory: as many bytes as there are switches for each distinct set, at most
 * {@link #MAX_BYTES}, and four bytes for each LID. Beyond that, LIDs are not cached, and their tables are
 * followed each time.
 */
final class PathLimits {
    /** The limit that stands for a LID without a path. */
    static final int NO_PATH = 0;

    private static final int MAX_BYTES = 32 << 20;
    private static final int ORDER_BITS = 5;
    private static final int ORDER_MASK = (1 << ORDER_BITS) - 1;
    private static final byte UNSEEN = (byte) 0xff;

    private final ViewIndex index;
    private final Plan plan;
    private final Subnet subnet;
    private final Fabric fabric;
    private final int switches;

    /** By LID; null before the first pass, and if there is no room for the result. */
    private final AtomicReferenceArray<byte[]> byLid;

    /** By LID, the number of switches on the single paths so far. */
    private final AtomicIntegerArray passed;

    private final Map<ByteBuffer, byte[]> distinct = new HashMap<>();
    private final int mostDistinct;

    /** Starts with an empty cache. */
    PathLimits(ViewIndex index) {
        this(index, MAX_BYTES);
    }

    /** Starts with an empty cache and a limit of its bytes. */
    PathLimits(ViewIndex index, int maxBytes) {
        this.index = index;
        this.plan = index.view().plan();
        this.subnet = index.subnet();
        this.fabric = index.fabric();
        this.switches = fabric.switchCount();
        this.byLid = new AtomicReferenceArray<>(subnet.topLid() + 1);
        this.passed = new AtomicIntegerArray(subnet.topLid() + 1);
        this.mostDistinct = maxBytes / Math.max(1, switches);
    }

    /**
     * Returns the limits of the path, including its last cable.
     *
     * @param sw index of a switch
     * @param dlid LID of an end port that is not at the other end of the cable by which packets entered the
     * switch
     * @return {@link #NO_PATH} if the tables do not lead there; else see {@link #mtu} and {@link #rateOrder}
     */
    int from(int sw, int dlid) {
        byte[] known = byLid.get(dlid);
        if (known == null && passed.get(dlid) >= switches) {
            known = keep(dlid);
        }
        return known == null ? follow(sw, dlid) : known[sw] & 0xff;
    }

    /** Returns the size of the cache in bytes. */
    long bytes() {
        synchronized (distinct) {
            return (long) distinct.size() * switches;
        }
    }

    /** Returns the MTU code. */
    static int mtu(int limits) {
        return limits >> ORDER_BITS;
    }

    /** Returns the rank of the rate, as {@link Rates#order}. */
    static int rateOrder(int limits) {
        return limits & ORDER_MASK;
    }

    static int both(int mtu, int rateOrder) {
        return mtu << ORDER_BITS | rateOrder;
    }

    static int least(int a, int b) {
        return both(Math.min(mtu(a), mtu(b)), Math.min(rateOrder(a), rateOrder(b)));
    }

    /** Returns the port by which a switch forwards packets for a LID; {@link Fabric#NONE} if it has none. */
    private int egress(int sw, int dlid) {
        byte[] lft = plan.lft(sw);
        int out = dlid < lft.length ? lft[dlid] & 0xff : LinearForwardingTable.NO_PATH;
        return out == LinearForwardingTable.NO_PATH || out > fabric.numPorts(sw) ? Fabric.NONE : fabric.port(sw, out);
    }

    /** Returns the limits of an egress port; a switch's own port 0 does not limit the rate. */
    private int at(int egress) {
        boolean isOwn = fabric.portNum(egress) == 0;
        return both(index.mtu(egress), isOwn ? Rates.FASTEST_ORDER : index.rateOrder(egress));
    }

    /** Returns the next switch after an egress port; {@link Fabric#NONE} if there is none. */
    private int next(int egress) {
        int far = fabric.portNum(egress) == 0 ? Fabric.NONE : fabric.peer(egress);
        int node = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
        return node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    private boolean isAt(int egress, int destination) {
        return egress == destination || (fabric.portNum(egress) != 0 && fabric.peer(egress) == destination);
    }

    private int follow(int first, int dlid) {
        int destination = subnet.portOfLid(dlid);
        int sofar = both(index.mtu(destination), Rates.FASTEST_ORDER);
        int sw = first;
        int hops = 0;
        boolean isThere = false;
        while (sw != Fabric.NONE && !isThere && hops < switches) {
            hops++;
            int egress = egress(sw, dlid);
            sofar = egress == Fabric.NONE ? sofar : least(sofar, at(egress));
            isThere = egress != Fabric.NONE && isAt(egress, destination);
            sw = egress == Fabric.NONE ? Fabric.NONE : next(egress);
        }
        if (passed.get(dlid) < switches) {
            passed.addAndGet(dlid, hops);
        }
        return isThere ? sofar : NO_PATH;
    }

    private byte @Nullable [] keep(int dlid) {
        synchronized (distinct) {
            if (distinct.size() >= mostDistinct) {
                return null;
            }
        }
        byte[] found = toAll(dlid);
        synchronized (distinct) {
            byte[] same = distinct.get(ByteBuffer.wrap(found));
            if (same == null && distinct.size() < mostDistinct) {
                distinct.put(ByteBuffer.wrap(found), found);
                same = found;
            }
            byLid.set(dlid, same);
            return found;
        }
    }

    /** Returns the limits from all switches; each is visited once. */
    private byte[] toAll(int dlid) {
        int destination = subnet.portOfLid(dlid);
        byte[] limits = new byte[switches];
        Arrays.fill(limits, UNSEEN);
        int[] way = new int[switches];
        for (int first = 0; first < switches; first++) {
            int length = 0;
            int sw = first;
            int end = NO_PATH;
            while (sw != Fabric.NONE && limits[sw] == UNSEEN) {
                limits[sw] = NO_PATH; // remains so in a loop
                int egress = egress(sw, dlid);
                if (egress == Fabric.NONE) {
                    break;
                }
                way[length++] = egress;
                end = isAt(egress, destination) ? both(index.mtu(destination), Rates.FASTEST_ORDER) : NO_PATH;
                sw = end == NO_PATH ? next(egress) : Fabric.NONE;
            }
            end = sw == Fabric.NONE || length == 0 ? end : limits[sw] & 0xff;
            while (end != NO_PATH && length > 0) {
                int egress = way[--length];
                end = least(end, at(egress));
                limits[fabric.nodeOf(egress)] = (byte) end;
            }
        }
        return limits;
    }
}
