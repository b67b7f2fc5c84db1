package io.torussm.deadlock.transition;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.InTrees;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.growth.ForbiddenEdges;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A walk of all paths of packets while each switch has its old entry or its new one. It is {@link InTrees}
 * with two ways out of a switch. It records SLs in a {@link SlUsage}, or finds the entries to drop so that
 * some edges disappear. If old and new entries together form a loop, sets of SLs circulate until they no
 * longer grow. One instance belongs to one task.
 *
 * <p>For a destination with few changing entries, only packets that pass one of these are followed. All
 * others use the paths of the new plan; {@link SteadyDependencies} finds their dependencies where they
 * matter.
 */
final class MixedTrees {
    private static final int BLOCK = 32;
    private static final int NONE = Fabric.NONE;

    /**
     * Roles of a switch for a destination: irrelevant; on the path of relevant packets; source of relevant
     * packets.
     */
    private static final byte APART = 0;

    private static final byte PASSED = 1;
    private static final byte SOURCE = 2;

    private final Channels channels;
    private final MixedDestinations destinations;

    /**
     * True if changing entries without a link are left out, because they are written before or after all
     * others.
     */
    private final boolean isDeferring;

    /** Null if no traffic is recorded. */
    private final @Nullable SlUsage traffic;

    /** Links whose traffic was recorded. */
    private final BitSet noted = new BitSet();

    private final @Nullable ForbiddenEdges cuts;

    private int group;

    /** The first LID of the group. */
    private int lid;

    private boolean hasCircles;

    /** By switch: all {@link #APART} between walks. */
    private final byte[] role;

    /** The relevant switches, sources first. */
    private final int[] region;

    private int regionSize;

    /**
     * By relevant switch: the links towards the destination by the new entry, and by the old one if it
     * differs.
     */
    private final int[] wantedNext;

    private final int[] heldNext;

    /** By switch: entries of switches that were not yet visited and forward to it. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** By ingress class, over all switches: SLs that arrive. All zero between walks. */
    private final char[] arriving;

    private MixedTrees(
            Channels channels,
            MixedDestinations destinations,
            boolean isDeferring,
            @Nullable SlUsage traffic,
            @Nullable ForbiddenEdges cuts) {
        this.channels = channels;
        this.destinations = destinations;
        this.isDeferring = isDeferring;
        this.traffic = traffic;
        this.cuts = cuts;
        role = new byte[channels.switchCount];
        region = new int[channels.switchCount];
        wantedNext = new int[channels.switchCount];
        heldNext = new int[channels.switchCount];
        pending = new int[channels.switchCount];
        queue = new int[channels.switchCount];
        arriving = new char[channels.firstClass[channels.switchCount]];
    }

    /**
     * Creates a walk of the packets that pass a changing entry.
     *
     * @param isDeferring whether changing entries without a link are left out, because they are written
     *     before or after all others
     * @param traffic the record to write
     */
    static MixedTrees mixed(Channels channels, MixedDestinations destinations, boolean isDeferring, SlUsage traffic) {
        return new MixedTrees(channels, destinations, isDeferring, traffic, null);
    }

    /** Creates a walk that finds the entries to drop so that packets make none of some edges. */
    static MixedTrees cutting(Channels channels, MixedDestinations destinations, ForbiddenEdges cuts) {
        return new MixedTrees(channels, destinations, true, null, cuts);
    }

    /** Walks blocks of destinations until none is left. */
    void walk(AtomicInteger nextBlock) {
        walk(nextBlock, destinations.changedCount());
    }

    /** Walks the LIDs of the active plan alone. */
    void walkVanished() {
        walk(new AtomicInteger(), destinations.vanishedCount());
    }

    private void walk(AtomicInteger nextBlock, int count) {
        int blocks = (count + BLOCK - 1) / BLOCK;
        int block = nextBlock.getAndIncrement();
        while (block < blocks && (isDeferring || !hasCircles)) {
            for (group = block * BLOCK; group < Math.min(count, (block + 1) * BLOCK); group++) {
                lid = destinations.members(group)[0];
                walk();
            }
            block = nextBlock.getAndIncrement();
        }
    }

    /** Checks whether packets were found that may loop. A walk that is not deferring ends at the first one. */
    boolean hasCircles() {
        return hasCircles;
    }

    SlUsage traffic() {
        return Objects.requireNonNull(traffic);
    }

    /** Returns the links whose traffic was recorded. */
    BitSet noted() {
        return noted;
    }

    private void walk() {
        findSources();
        findWays();
        int head = 0;
        int tail = 0;
        for (int i = 0; i < regionSize; i++) {
            if (pending[region[i]] == 0) {
                queue[tail++] = region[i];
            }
        }
        while (head < tail) {
            int sw = queue[head++];
            inject(sw);
            tail = leave(sw, wantedNext[sw], tail);
            tail = leave(sw, heldNext[sw], tail);
            clear(sw);
        }
        if (tail < regionSize) {
            circle();
        }
        leaveRegion();
    }

    /** Enters the switches with changing entries, and all switches whose packets pass them. */
    private void findSources() {
        int[] changedAt = destinations.changedAt(group);
        if (changedAt == MixedDestinations.EVERYWHERE) {
            for (int sw = 0; sw < role.length; sw++) {
                enter(sw, SOURCE);
            }
            return;
        }
        for (int sw : changedAt) {
            enter(sw, SOURCE);
        }
        for (int i = 0; i < regionSize; i++) {
            enterBefore(region[i]);
        }
    }

    /** Enters the neighbours that forward to a switch. */
    private void enterBefore(int sw) {
        for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
            int from = channels.linkTo[link];
            if (role[from] == APART) {
                int there = channels.link(from, destinations.wanted[from][lid] & 0xff);
                if (there != NONE && channels.linkTo[there] == sw) {
                    enter(from, SOURCE);
                }
            }
        }
    }

    private void enter(int sw, byte as) {
        role[sw] = as;
        region[regionSize++] = sw;
        readEntries(sw);
    }

    private void readEntries(int sw) {
        byte wanted = destinations.wanted[sw][lid];
        byte held = destinations.held[sw][lid];
        boolean isDeferred = held != wanted && isDeferring && destinations.isDeferred(sw, held, wanted);
        wantedNext[sw] = isDeferred ? NONE : channels.link(sw, wanted & 0xff);
        heldNext[sw] = isDeferred || held == wanted ? NONE : channels.link(sw, held & 0xff);
    }

    /** Enters all switches on the paths of the packets. */
    private void findWays() {
        for (int i = 0; i < regionSize; i++) {
            lead(wantedNext[region[i]]);
            lead(heldNext[region[i]]);
        }
    }

    private void lead(int link) {
        if (link != NONE) {
            int to = channels.linkTo[link];
            pending[to]++;
            if (role[to] == APART) {
                enter(to, PASSED);
            }
        }
    }

    private void leaveRegion() {
        for (int i = 0; i < regionSize; i++) {
            role[region[i]] = APART;
        }
        regionSize = 0;
    }

    private void inject(int sw) {
        int[] local = channels.localClasses[sw];
        if (role[sw] == SOURCE && local.length > 0) {
            char sls = (char) destinations.sls(group, sw);
            for (int ingress : local) {
                arriving[ingress] |= sls;
            }
        }
    }

    /** Forwards the packets of a switch by a link. Returns the new end of the queue. */
    private int leave(int sw, int link, int tail) {
        if (link == NONE) {
            return tail;
        }
        arriving[channels.linkClass[link]] |= note(sw, link);
        int to = channels.linkTo[link];
        if (--pending[to] == 0) {
            queue[tail] = to;
            return tail + 1;
        }
        return tail;
    }

    /** Forwards the SLs of a switch by a link. Returns whether any of them are new at its far end. */
    private boolean spread(int sw, int link) {
        int far = channels.linkClass[link];
        char before = arriving[far];
        arriving[far] |= arriving(sw);
        return arriving[far] != before;
    }

    /** Returns all SLs that arrive at a switch. */
    private char arriving(int sw) {
        char all = 0;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            all |= arriving[ingress];
        }
        return all;
    }

    private void clear(int sw) {
        Arrays.fill(arriving, channels.firstClass[sw], channels.firstClass[sw + 1], (char) 0);
    }

    /** Walks the unvisited switches: those on a loop of old and new entries, and those after it. */
    private void circle() {
        int count = 0;
        for (int i = 0; i < regionSize; i++) {
            int sw = region[i];
            if (pending[sw] != 0) {
                pending[sw] = 0;
                queue[count++] = sw;
                inject(sw);
            }
        }
        boolean grows = true;
        while (grows) {
            grows = false;
            for (int i = 0; i < count; i++) {
                int sw = queue[i];
                grows |= wantedNext[sw] != NONE && spread(sw, wantedNext[sw]);
                grows |= heldNext[sw] != NONE && spread(sw, heldNext[sw]);
            }
        }
        for (int i = 0; i < count; i++) {
            int sw = queue[i];
            if (wantedNext[sw] != NONE) {
                note(sw, wantedNext[sw]);
            }
            if (heldNext[sw] != NONE) {
                note(sw, heldNext[sw]);
            }
        }
        for (int i = 0; i < count; i++) {
            hasCircles |= arriving(queue[i]) != 0;
            clear(queue[i]);
        }
    }

    /** Records the next hops of packets on a link. Returns the SLs of all these packets. */
    private char note(int sw, int link) {
        if (cuts != null) {
            int to = channels.linkTo[link];
            cut(cuts, sw, link, wantedNext[to]);
            cut(cuts, sw, link, heldNext[to]);
        }
        return traffic == null ? arriving(sw) : note(traffic, sw, link);
    }

    private char note(SlUsage notes, int sw, int link) {
        int to = channels.linkTo[link];
        int out = channels.firstOut[sw] + link - channels.firstLink[sw];
        int slots = notes.slots[out];
        int one = wantedNext[to] == NONE ? slots - 1 : wantedNext[to] - channels.firstLink[to];
        int other = heldNext[to] == NONE ? one : heldNext[to] - channels.firstLink[to];
        char[] seen = notes.seen[sw];
        int at = notes.offset[out];
        char all = 0;
        noted.set(link);
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            char sls = arriving[ingress];
            if (sls != 0) {
                seen[at + one] |= sls;
                seen[at + other] |= sls;
                all |= sls;
            }
            at += slots;
        }
        return all;
    }

    /**
     * Drops an entry that directs packets from one link to the next, if some of them make an edge that must
     * be cut.
     */
    private void cut(ForbiddenEdges wherever, int sw, int link, int next) {
        if (next == NONE || !wherever.isBetween(link, next)) {
            return;
        }
        int to = channels.linkTo[link];
        int out = link - channels.firstLink[sw];
        int nextOut = next - channels.firstLink[to];
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            for (int sls = arriving[ingress]; sls != 0; sls &= sls - 1) {
                int sl = Integer.numberOfTrailingZeros(sls);
                int holds = channels.vls(sw, ingress, out, sl);
                int wants = channels.vls(to, channels.linkClass[link], nextOut, sl);
                if (wherever.contains(link, holds, next, wants)) {
                    drop(wherever, sw, to);
                    return;
                }
            }
        }
    }

    private void drop(ForbiddenEdges wherever, int from, int to) {
        if (destinations.isTouched(channels, lid, to)) {
            wherever.drop(to, destinations.members(group));
        } else if (destinations.isTouched(channels, lid, from)) {
            wherever.drop(from, destinations.members(group));
        } else {
            dropBefore(wherever, from);
        }
    }

    /** Drops the nearest changing entries on all paths to a switch. */
    private void dropBefore(ForbiddenEdges wherever, int sw) {
        boolean[] leadsThere = new boolean[channels.switchCount];
        leadsThere[sw] = true;
        boolean grows = true;
        while (grows) {
            grows = false;
            for (int i = 0; i < regionSize; i++) {
                int from = region[i];
                if (!leadsThere[from]
                        && !destinations.isTouched(channels, lid, from)
                        && wantedNext[from] != NONE
                        && leadsThere[channels.linkTo[wantedNext[from]]]) {
                    leadsThere[from] = true;
                    grows = true;
                }
            }
        }
        for (int i = 0; i < regionSize; i++) {
            int from = region[i];
            if (destinations.isTouched(channels, lid, from)
                    && (leads(wantedNext[from], leadsThere) || leads(heldNext[from], leadsThere))) {
                wherever.drop(from, destinations.members(group));
            }
        }
    }

    private boolean leads(int link, boolean[] there) {
        return link != NONE && there[channels.linkTo[link]];
    }
}
