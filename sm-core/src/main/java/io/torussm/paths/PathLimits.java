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
 * The limits of paths, which are the smallest MTU and the lowest rate, from a switch to a LID along the LFTs of one
 * view. The limits of a LID are cached for all switches together, because paths from different sources have common
 * ends. They are an array {@code [switch]} of bytes. LIDs with equal arrays share one; if all cables are alike, nearly
 * all LIDs do.
 *
 * <p>To compute the limits from all switches costs some hundred times as much as to follow one path. After each
 * publication no LID is cached. Therefore single paths to a LID are followed until these had as many hops as there are
 * switches; then the array is computed. The total is at most twice the work of the cheaper method, and the first
 * requests to a new view wait for one path only.
 *
 * <p>Thread-safe. Memory: an array of switches for each distinct set, at most {@link #MAX_BYTES}, and a
 * reference and four bytes for each LID. If the memory is used up, further LIDs are not cached, and paths to them are
 * followed each time.
 */
final class PathLimits {
    /** The limits if there is no path; an MTU code is at least 1, so that no path has these limits. */
    static final int NO_PATH = 0;

    private static final int MAX_BYTES = 32 << 20;

    /**
     * Limits are {@code MTU code << ORDER_BITS | order of the rate}, in one byte: the MTU code is at most 5
     * (NeighborMTU, IBA 14.2.5.6). They are an int and no object, since one request may need those of thousands of
     * paths.
     */
    private static final int ORDER_BITS = 5;

    private static final int ORDER_MASK = (1 << ORDER_BITS) - 1;

    /** The mark of a switch whose limits are not computed yet; no limits have this value. */
    private static final byte NOT_COMPUTED = (byte) 0xff;

    private final ViewIndex index;
    private final Plan plan;
    private final Subnet subnet;
    private final Fabric fabric;
    private final int switches;

    /** Limits {@code [LID][switch]}; null for a LID that is not cached. */
    private final AtomicReferenceArray<byte[]> byLid;

    /** Number of hops of the single paths that were followed, by LID. */
    private final AtomicIntegerArray followedHops;

    /** The distinct arrays of limits; also the lock of the map. */
    private final Map<ByteBuffer, byte[]> distinct = new HashMap<>();

    private final int maxDistinct;

    /** Creates an empty cache of at most MAX_BYTES bytes. */
    PathLimits(ViewIndex index) {
        this(index, MAX_BYTES);
    }

    /** Creates an empty cache of at most {@code maxBytes} bytes. */
    PathLimits(ViewIndex index, int maxBytes) {
        this.index = index;
        this.plan = index.view().plan();
        this.subnet = index.subnet();
        this.fabric = index.fabric();
        this.switches = fabric.switchCount();
        this.byLid = new AtomicReferenceArray<>(subnet.topLid() + 1);
        this.followedHops = new AtomicIntegerArray(subnet.topLid() + 1);
        this.maxDistinct = maxBytes / Math.max(1, switches);
    }

    /**
     * Returns the limits of the path from a switch to a LID, its last cable included.
     *
     * @param sw switch index
     * @param dlid LID of an end port. A source that is cabled directly to it needs no switch: see {@link PathWalk}
     * @return limits, see {@link #mtu} and {@link #rateOrder}; {@link #NO_PATH} if the tables do not lead to the LID
     */
    int from(int sw, int dlid) {
        byte[] known = byLid.get(dlid);
        if (known == null && followedHops.get(dlid) >= switches) {
            known = computeAndCache(dlid);
        }
        return known == null ? follow(sw, dlid) : known[sw] & 0xff;
    }

    /** Returns the size of the cache in bytes. */
    long bytes() {
        synchronized (distinct) {
            return (long) distinct.size() * switches;
        }
    }

    /** Returns the MTU code of limits. */
    static int mtu(int limits) {
        return limits >> ORDER_BITS;
    }

    /** Returns the rate of limits, as a value of {@link Rates#order}. */
    static int rateOrder(int limits) {
        return limits & ORDER_MASK;
    }

    /** Returns the limits with an MTU code and a rate in the order of {@link Rates#order}. */
    static int pack(int mtu, int rateOrder) {
        return mtu << ORDER_BITS | rateOrder;
    }

    /** Returns the limits with the smaller MTU and the lower rate of two limits. */
    static int min(int a, int b) {
        return pack(Math.min(mtu(a), mtu(b)), Math.min(rateOrder(a), rateOrder(b)));
    }

    /**
     * Returns the index of the port by which a switch forwards packets to a LID; {@link Fabric#NONE} if there is none.
     */
    private int egress(int sw, int dlid) {
        byte[] lft = plan.lft(sw);
        int out = dlid < lft.length ? lft[dlid] & 0xff : LinearForwardingTable.NO_PATH;
        return out == LinearForwardingTable.NO_PATH || out > fabric.numPorts(sw) ? Fabric.NONE : fabric.port(sw, out);
    }

    /** Returns the limits of an egress port; port 0 of a switch does not limit the rate. */
    private int limitsOf(int egress) {
        boolean isPort0 = fabric.portNum(egress) == 0;
        return pack(index.mtu(egress), isPort0 ? Rates.FASTEST_ORDER : index.rateOrder(egress));
    }

    /** Returns the switch at the other end of the cable of an egress port; {@link Fabric#NONE} if there is none. */
    private int nextSwitch(int egress) {
        int far = fabric.portNum(egress) == 0 ? Fabric.NONE : fabric.peer(egress);
        int node = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
        return node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    /**
     * Checks whether packets reach a port by an egress port: it is port 0 of the switch, or the other end of the cable.
     */
    private boolean isDelivery(int egress, int destination) {
        return egress == destination || (fabric.portNum(egress) != 0 && fabric.peer(egress) == destination);
    }

    /** Follows a single path. A path has at most as many hops as there are switches, unless the tables have a loop. */
    private int follow(int firstSwitch, int dlid) {
        int destination = subnet.portOfLid(dlid);
        int limits = pack(index.mtu(destination), Rates.FASTEST_ORDER);
        int sw = firstSwitch;
        int hops = 0;
        boolean hasArrived = false;
        while (sw != Fabric.NONE && !hasArrived && hops < switches) {
            hops++;
            int egress = egress(sw, dlid);
            limits = egress == Fabric.NONE ? limits : min(limits, limitsOf(egress));
            hasArrived = egress != Fabric.NONE && isDelivery(egress, destination);
            sw = egress == Fabric.NONE ? Fabric.NONE : nextSwitch(egress);
        }
        if (followedHops.get(dlid) < switches) {
            followedHops.addAndGet(dlid, hops);
        }
        return hasArrived ? limits : NO_PATH;
    }

    /**
     * Computes and caches the limits of a LID; returns null if there is no memory for another array. Then the array is
     * not computed only to find an equal one, which would cost each request a pass over all switches.
     */
    private byte @Nullable [] computeAndCache(int dlid) {
        synchronized (distinct) {
            if (distinct.size() >= maxDistinct) {
                return null;
            }
        }
        byte[] computed = fromAllSwitches(dlid);
        synchronized (distinct) {
            byte[] shared = distinct.get(ByteBuffer.wrap(computed));
            if (shared == null && distinct.size() < maxDistinct) {
                distinct.put(ByteBuffer.wrap(computed), computed);
                shared = computed;
            }
            if (shared != null) {
                byLid.set(dlid, shared);
            }
            return computed;
        }
    }

    /**
     * Returns the limits from all switches, {@code [switch]}. Follows the path from each switch to the first switch
     * whose limits are known, then goes back and sets the limits of each switch on the way. So each switch is visited
     * once.
     */
    private byte[] fromAllSwitches(int dlid) {
        int destination = subnet.portOfLid(dlid);
        int atDestination = pack(index.mtu(destination), Rates.FASTEST_ORDER);
        byte[] limits = new byte[switches];
        Arrays.fill(limits, NOT_COMPUTED);
        int[] egressPorts = new int[switches];
        for (int first = 0; first < switches; first++) {
            int length = 0;
            int sw = first;
            boolean hasArrived = false;
            while (sw != Fabric.NONE && limits[sw] == NOT_COMPUTED) {
                limits[sw] = NO_PATH; // If the tables have a loop, this value remains.
                int egress = egress(sw, dlid);
                if (egress == Fabric.NONE) {
                    break;
                }
                egressPorts[length++] = egress;
                hasArrived = isDelivery(egress, destination);
                sw = hasArrived ? Fabric.NONE : nextSwitch(egress);
            }
            int behind = hasArrived ? atDestination : sw == Fabric.NONE ? NO_PATH : limits[sw] & 0xff;
            while (behind != NO_PATH && length > 0) {
                int egress = egressPorts[--length];
                behind = min(behind, limitsOf(egress));
                limits[fabric.nodeOf(egress)] = (byte) behind;
            }
        }
        return limits;
    }
}
