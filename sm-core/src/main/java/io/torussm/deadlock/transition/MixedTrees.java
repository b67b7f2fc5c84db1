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
 * Walks the ways that packets may take while each switch holds its old entry or its new one, and notes in a
 * {@link SlUsage} what travels where; or, given edges to cut, which entries are to be dropped for that. What
 * {@link InTrees} is to one plan, with two ways out of a switch; where both together lead in circles, sets of SLs go round
 * until they grow no more. One instance belongs to one task.
 *
 * <p>Of a destination for which a few entries change, only packets are followed that come past one of them. The others have
 * the ways of the new plan; {@link SteadyDependencies} finds what they do where that matters.
 */
final class MixedTrees {
    private static final int BLOCK = 32;
    private static final int NONE = Fabric.NONE;

    /** What a switch has to do with a destination: nothing that matters; packets get there; packets come from there. */
    private static final byte APART = 0;

    private static final byte PASSED = 1;
    private static final byte SOURCE = 2;

    private final Channels channels;
    private final MixedDestinations destinations;

    /** Whether entries of which one leads nowhere are left out, because they are written before or after all others. */
    private final boolean isDeferring;

    /** Null if nothing is noted. */
    private final @Nullable SlUsage traffic;

    /** Links of which something was noted. */
    private final BitSet noted = new BitSet();

    private final @Nullable ForbiddenEdges cuts;

    private int group;

    /** The first LID of the group. */
    private int lid;

    private boolean hasCircles;

    /** By switch: all {@link #APART} between walks. */
    private final byte[] role;

    /** The switches that matter, sources first. */
    private final int[] region;

    private int regionSize;

    /** By switch that matters: the links towards the destination by the new entry, and by the old one if that is another. */
    private final int[] wantedNext;

    private final int[] heldNext;

    /** By switch: entries that lead to it from switches that were not visited yet. All zero between walks. */
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
     * What packets do that meet an entry that changes.
     *
     * @param isDeferring whether entries of which one leads nowhere are left out, because they are written before or after
     *     all others
     * @param traffic where that is noted
     */
    static MixedTrees mixed(Channels channels, MixedDestinations destinations, boolean isDeferring, SlUsage traffic) {
        return new MixedTrees(channels, destinations, isDeferring, traffic, null);
    }

    /** The entries by which packets make edges that are to be cut. */
    static MixedTrees cutting(Channels channels, MixedDestinations destinations, ForbiddenEdges cuts) {
        return new MixedTrees(channels, destinations, true, null, cuts);
    }

    /** Takes blocks of destinations until none is left. */
    void walk(AtomicInteger nextBlock) {
        walk(nextBlock, destinations.changedCount());
    }

    /** The same of those that only the plan in force knows. */
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

    /** Whether some packet may go in circles; a walk that is not deferring ends when it meets one. */
    boolean hasCircles() {
        return hasCircles;
    }

    SlUsage traffic() {
        return Objects.requireNonNull(traffic);
    }

    /** Links of which something was noted. */
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

    /** The switches that hold entries that change, and all from which packets come there. */
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

    /** Enters the neighbours that send packets to a switch. */
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

    /** Enters all switches that packets get to. */
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

    /** What a switch sends by a link; the new end of the queue. */
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

    /** Whether a link brings anything to its far end that was not there yet. */
    private boolean spread(int sw, int link) {
        int far = channels.linkClass[link];
        char before = arriving[far];
        arriving[far] |= arriving(sw);
        return arriving[far] != before;
    }

    /** All SLs that arrive at a switch. */
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

    /** The switches that nothing visited: those on a circle of old and new entries, and those behind it. */
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

    /** Notes what packets on a link go on to; the SLs of all of them. */
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

    /** Drops what makes packets go from one link to the next, if some of them make an edge that is to be cut. */
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

    /** Drops the nearest entries that change on all ways to a switch. */
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
