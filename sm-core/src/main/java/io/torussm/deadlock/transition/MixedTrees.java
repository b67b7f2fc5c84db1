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
 * A walk of all paths of packets while each switch has its old entry or its new entry. It is the walk of {@link
 * InTrees} with up to two links out of a switch. The walk records SLs in a {@link SlUsage}, or finds the entries to
 * drop so that some edges disappear. If old and new entries together form a loop, sets of SLs circulate until they no
 * longer grow. One instance belongs to one task.
 *
 * <p>For a destination with few changing entries, only packets that pass such an entry are followed. All other packets
 * use the paths of the new plan; {@link SteadyDependencies} finds their dependencies.
 */
final class MixedTrees {
    /** Number of groups that a task takes together. */
    private static final int BLOCK = 32;

    private static final int NONE = Fabric.NONE;

    /** Role of a switch that no followed packet passes. */
    private static final byte OUTSIDE = 0;

    /** Role of a switch that followed packets pass, but where none starts. */
    private static final byte PASSED = 1;

    /** Role of a switch whose end ports send followed packets. */
    private static final byte SOURCE = 2;

    private final Channels channels;
    private final MixedDestinations destinations;

    /** True to ignore changing entries without a link, because they are written before or after all others. */
    private final boolean isDeferring;

    /** The recorded traffic; null if entries to drop are searched for. */
    private final @Nullable SlUsage traffic;

    /** Links whose traffic was recorded. */
    private final BitSet recordedLinks = new BitSet();

    /** The edges to cut, and the entries to drop for them; null if traffic is recorded. */
    private final @Nullable ForbiddenEdges cuts;

    private int group;

    /** The first LID of the group. */
    private int lid;

    private boolean hasLoops;

    /** [switch] its role. All are {@link #OUTSIDE} between walks. */
    private final byte[] role;

    /** The switches with another role than {@link #OUTSIDE}, sources first: the first {@link #regionSize} elements. */
    private final int[] region;

    private int regionSize;

    /** [switch of the region] link of the new entry; NONE if it has no link or is ignored. */
    private final int[] newNext;

    /** [switch of the region] link of the old entry; NONE if it equals the new entry, has no link or is ignored. */
    private final int[] oldNext;

    /** [switch] number of entries of unvisited switches that lead to it. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** [ingress class, over all switches] SLs that arrive (bit n: SL n). All zero between walks. */
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
        newNext = new int[channels.switchCount];
        oldNext = new int[channels.switchCount];
        pending = new int[channels.switchCount];
        queue = new int[channels.switchCount];
        arriving = new char[channels.firstClass[channels.switchCount]];
    }

    /**
     * Creates a walk of the packets that pass a changing entry.
     *
     * @param isDeferring whether changing entries without a link are ignored, because they are written before or after
     *     all others
     * @param traffic receives the SLs of packets
     */
    static MixedTrees mixed(Channels channels, MixedDestinations destinations, boolean isDeferring, SlUsage traffic) {
        return new MixedTrees(channels, destinations, isDeferring, traffic, null);
    }

    /** Creates a walk that finds the entries to drop so that packets cause none of some edges. */
    static MixedTrees cutting(Channels channels, MixedDestinations destinations, ForbiddenEdges cuts) {
        return new MixedTrees(channels, destinations, true, null, cuts);
    }

    /** Walks blocks of groups with changes until none is left. All tasks share the counter. */
    void walk(AtomicInteger nextBlock) {
        walk(nextBlock, destinations.changedCount());
    }

    /** Walks the groups of vanished LIDs. */
    void walkVanished() {
        walk(new AtomicInteger(), destinations.vanishedCount());
    }

    private void walk(AtomicInteger nextBlock, int count) {
        int blocks = (count + BLOCK - 1) / BLOCK;
        int block = nextBlock.getAndIncrement();
        while (block < blocks && (isDeferring || !hasLoops)) {
            for (group = block * BLOCK; group < Math.min(count, (block + 1) * BLOCK); group++) {
                lid = destinations.members(group)[0];
                walk();
            }
            block = nextBlock.getAndIncrement();
        }
    }

    /** Checks whether some packet may loop. A walk that is not deferring ends at the first such packet. */
    boolean hasLoops() {
        return hasLoops;
    }

    SlUsage traffic() {
        return Objects.requireNonNull(traffic);
    }

    /** Returns the links whose traffic was recorded. */
    BitSet recordedLinks() {
        return recordedLinks;
    }

    /** Walks the current group, leaves first, then loops. */
    private void walk() {
        findSources();
        findPaths();
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
            tail = forward(sw, newNext[sw], tail);
            tail = forward(sw, oldNext[sw], tail);
            clear(sw);
        }
        if (tail < regionSize) {
            walkLoops();
        }
        clearRegion();
    }

    /** Adds to the region the switches with changing entries, and all switches whose packets pass them. */
    private void findSources() {
        int[] changedAt = destinations.changedAt(group);
        if (changedAt == MixedDestinations.ALL_SWITCHES) {
            for (int sw = 0; sw < role.length; sw++) {
                addToRegion(sw, SOURCE);
            }
            return;
        }
        for (int sw : changedAt) {
            addToRegion(sw, SOURCE);
        }
        for (int i = 0; i < regionSize; i++) {
            addUpstreamNeighbours(region[i]);
        }
    }

    /** Adds to the region the neighbours whose new entry leads to a switch. Their entries do not change. */
    private void addUpstreamNeighbours(int sw) {
        for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
            int from = channels.linkTo[link];
            if (role[from] == OUTSIDE) {
                int nextLink = channels.link(from, destinations.newLfts[from][lid] & 0xff);
                if (nextLink != NONE && channels.linkTo[nextLink] == sw) {
                    addToRegion(from, SOURCE);
                }
            }
        }
    }

    /** Adds a switch to the region with a role. */
    private void addToRegion(int sw, byte as) {
        role[sw] = as;
        region[regionSize++] = sw;
        readEntries(sw);
    }

    private void readEntries(int sw) {
        byte wanted = destinations.newLfts[sw][lid];
        byte held = destinations.oldLfts[sw][lid];
        boolean isDeferred = held != wanted && isDeferring && destinations.isDeferred(sw, held, wanted);
        newNext[sw] = isDeferred ? NONE : channels.link(sw, wanted & 0xff);
        oldNext[sw] = isDeferred || held == wanted ? NONE : channels.link(sw, held & 0xff);
    }

    /** Adds to the region all switches on the paths of the followed packets. */
    private void findPaths() {
        for (int i = 0; i < regionSize; i++) {
            addNextHop(newNext[region[i]]);
            addNextHop(oldNext[region[i]]);
        }
    }

    private void addNextHop(int link) {
        if (link != NONE) {
            int to = channels.linkTo[link];
            pending[to]++;
            if (role[to] == OUTSIDE) {
                addToRegion(to, PASSED);
            }
        }
    }

    private void clearRegion() {
        for (int i = 0; i < regionSize; i++) {
            role[region[i]] = OUTSIDE;
        }
        regionSize = 0;
    }

    /** Adds the packets of a source's end ports. */
    private void inject(int sw) {
        int[] local = channels.localClasses[sw];
        if (role[sw] == SOURCE && local.length > 0) {
            char sls = (char) destinations.sls(group, sw);
            for (int ingress : local) {
                arriving[ingress] |= sls;
            }
        }
    }

    /** Forwards the packets of a switch by a link, and records them. Returns the new end of the queue. */
    private int forward(int sw, int link, int tail) {
        if (link == NONE) {
            return tail;
        }
        arriving[channels.linkClass[link]] |= recordTraffic(sw, link);
        int to = channels.linkTo[link];
        if (--pending[to] == 0) {
            queue[tail] = to;
            return tail + 1;
        }
        return tail;
    }

    /** Forwards the SLs of a switch by a link. Returns true if any SL is new at the far end. */
    private boolean forwardSls(int sw, int link) {
        int farClass = channels.linkClass[link];
        char previousSls = arriving[farClass];
        arriving[farClass] |= arriving(sw);
        return arriving[farClass] != previousSls;
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

    /** Walks the unvisited switches: those on loops of old and new entries, and those after a loop. */
    private void walkLoops() {
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
                grows |= newNext[sw] != NONE && forwardSls(sw, newNext[sw]);
                grows |= oldNext[sw] != NONE && forwardSls(sw, oldNext[sw]);
            }
        }
        for (int i = 0; i < count; i++) {
            int sw = queue[i];
            if (newNext[sw] != NONE) {
                recordTraffic(sw, newNext[sw]);
            }
            if (oldNext[sw] != NONE) {
                recordTraffic(sw, oldNext[sw]);
            }
        }
        for (int i = 0; i < count; i++) {
            hasLoops |= arriving(queue[i]) != 0;
            clear(queue[i]);
        }
    }

    /** Records packets on a link with their next hops, or drops entries. Returns the SLs of these packets. */
    private char recordTraffic(int sw, int link) {
        if (cuts != null) {
            int to = channels.linkTo[link];
            cut(cuts, sw, link, newNext[to]);
            cut(cuts, sw, link, oldNext[to]);
        }
        return traffic == null ? arriving(sw) : recordTraffic(traffic, sw, link);
    }

    /** Records packets on a link with both next hops. Returns the SLs of these packets. */
    private char recordTraffic(SlUsage notes, int sw, int link) {
        int to = channels.linkTo[link];
        int out = channels.firstOut[sw] + link - channels.firstLink[sw];
        int slots = notes.slots[out];
        int wantedSlot = newNext[to] == NONE ? slots - 1 : newNext[to] - channels.firstLink[to];
        int heldSlot = oldNext[to] == NONE ? wantedSlot : oldNext[to] - channels.firstLink[to];
        char[] seen = notes.slSets[sw];
        int classOffset = notes.offset[out];
        char all = 0;
        recordedLinks.set(link);
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            char sls = arriving[ingress];
            if (sls != 0) {
                seen[classOffset + wantedSlot] |= sls;
                seen[classOffset + heldSlot] |= sls;
                all |= sls;
            }
            classOffset += slots;
        }
        return all;
    }

    /**
     * Drops an entry that directs packets from one link to the next, if some packet causes an edge that must be cut.
     */
    private void cut(ForbiddenEdges forbidden, int sw, int link, int next) {
        if (next == NONE || !forbidden.isBetween(link, next)) {
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
                if (forbidden.contains(link, holds, next, wants)) {
                    drop(forbidden, sw, to);
                    return;
                }
            }
        }
    }

    /**
     * Drops the changing entry that is nearest before the second link of an edge: at the switch between the links, at
     * the switch before the first link, or further upstream.
     */
    private void drop(ForbiddenEdges forbidden, int from, int to) {
        if (destinations.isAffected(channels, lid, to)) {
            forbidden.drop(to, destinations.members(group));
        } else if (destinations.isAffected(channels, lid, from)) {
            forbidden.drop(from, destinations.members(group));
        } else {
            dropBefore(forbidden, from);
        }
    }

    /** Drops the changing entries that are nearest to a switch, on all paths to it. */
    private void dropBefore(ForbiddenEdges forbidden, int sw) {
        boolean[] isUpstream = new boolean[channels.switchCount];
        isUpstream[sw] = true;
        boolean grows = true;
        while (grows) {
            grows = false;
            for (int i = 0; i < regionSize; i++) {
                int from = region[i];
                if (!isUpstream[from]
                        && !destinations.isAffected(channels, lid, from)
                        && newNext[from] != NONE
                        && isUpstream[channels.linkTo[newNext[from]]]) {
                    isUpstream[from] = true;
                    grows = true;
                }
            }
        }
        for (int i = 0; i < regionSize; i++) {
            int from = region[i];
            if (destinations.isAffected(channels, lid, from)
                    && (leads(newNext[from], isUpstream) || leads(oldNext[from], isUpstream))) {
                forbidden.drop(from, destinations.members(group));
            }
        }
    }

    private boolean leads(int link, boolean[] isUpstream) {
        return link != NONE && isUpstream[channels.linkTo[link]];
    }
}
