package io.torussm.routing;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Walks the ways that packets may take while each switch holds its old entry or its new one, and notes in a
 * {@link Traffic} what travels where; or, given edges to cut, which entries are to be dropped for that. What
 * {@link InTrees} is to one plan, with two ways out of a switch; where both together lead in circles, sets of SLs go round
 * until they grow no more. One instance belongs to one task.
 */
final class MixedTrees {
    private static final int BLOCK = 64;
    private static final int NONE = Fabric.NONE;

    private final Channels channels;
    private final MixedDestinations destinations;

    /** Whether entries of which one leads nowhere are left out, because they are written before or after all others. */
    private final boolean isDeferring;

    private final Traffic traffic;
    private final @Nullable Cuts cuts;

    private final byte[] heldColumns;
    private final byte[] wantedColumns;
    private int column;
    private int group;
    private boolean hasCircles;

    /** By switch: the links towards the destination by the new entry, and by the old one if that is another. */
    private final int[] wantedNext;

    private final int[] heldNext;

    /** By switch: entries that lead to it from switches that were not visited yet. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** By ingress class, over all switches: SLs that arrive. All zero between walks. */
    private final char[] arriving;

    MixedTrees(
            Channels channels,
            MixedDestinations destinations,
            boolean isDeferring,
            Traffic traffic,
            @Nullable Cuts cuts) {
        this.channels = channels;
        this.destinations = destinations;
        this.isDeferring = isDeferring;
        this.traffic = traffic;
        this.cuts = cuts;
        heldColumns = new byte[BLOCK * channels.switchCount];
        wantedColumns = new byte[BLOCK * channels.switchCount];
        wantedNext = new int[channels.switchCount];
        heldNext = new int[channels.switchCount];
        pending = new int[channels.switchCount];
        queue = new int[channels.switchCount];
        arriving = new char[channels.firstClass[channels.switchCount]];
    }

    /** Takes blocks of destinations until none is left. */
    void walk(AtomicInteger nextBlock) {
        int blocks = (destinations.count() + BLOCK - 1) / BLOCK;
        int block = nextBlock.getAndIncrement();
        while (block < blocks && (isDeferring || !hasCircles)) {
            int first = block * BLOCK;
            int count = Math.min(BLOCK, destinations.count() - first);
            transpose(first, count);
            for (int i = 0; i < count; i++) {
                group = first + i;
                column = i * channels.switchCount;
                walk();
            }
            block = nextBlock.getAndIncrement();
        }
    }

    /** Whether some packet may go in circles; a walk that is not deferring ends when it meets one. */
    boolean hasCircles() {
        return hasCircles;
    }

    Traffic traffic() {
        return traffic;
    }

    private void transpose(int first, int count) {
        int switches = channels.switchCount;
        int[] lids = new int[count];
        for (int i = 0; i < count; i++) {
            lids[i] = destinations.members(first + i)[0];
        }
        for (int sw = 0; sw < switches; sw++) {
            byte[] held = destinations.held[sw];
            byte[] wanted = destinations.wanted[sw];
            for (int i = 0, to = sw; i < count; i++, to += switches) {
                heldColumns[to] = held[lids[i]];
                wantedColumns[to] = wanted[lids[i]];
            }
        }
    }

    private void walk() {
        readColumns();
        int head = 0;
        int tail = 0;
        for (int sw = 0; sw < pending.length; sw++) {
            if (pending[sw] == 0) {
                queue[tail++] = sw;
            }
        }
        while (head < tail) {
            int sw = queue[head++];
            inject(sw);
            tail = leave(sw, wantedNext[sw], tail);
            tail = leave(sw, heldNext[sw], tail);
            clear(sw);
        }
        if (tail < pending.length) {
            circle();
        }
    }

    private void readColumns() {
        for (int sw = 0; sw < wantedNext.length; sw++) {
            byte wanted = wantedColumns[column + sw];
            byte held = heldColumns[column + sw];
            if (held == wanted) {
                wantedNext[sw] = link(sw, wanted);
                heldNext[sw] = NONE;
            } else if (isDeferring && destinations.isDeferred(sw, held, wanted)) {
                wantedNext[sw] = NONE;
                heldNext[sw] = NONE;
            } else {
                wantedNext[sw] = link(sw, wanted);
                heldNext[sw] = link(sw, held);
            }
        }
    }

    private int link(int sw, byte entry) {
        int link = channels.link(sw, entry & 0xff);
        if (link != NONE) {
            pending[channels.linkTo[link]]++;
        }
        return link;
    }

    private void inject(int sw) {
        int[] local = channels.localClasses[sw];
        if (local.length > 0) {
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
        for (int sw = 0; sw < pending.length; sw++) {
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
        int to = channels.linkTo[link];
        if (cuts != null) {
            cut(cuts, sw, link, wantedNext[to]);
            cut(cuts, sw, link, heldNext[to]);
            return arriving(sw);
        }
        int out = channels.firstOut[sw] + link - channels.firstLink[sw];
        int slots = traffic.slots[out];
        int one = wantedNext[to] == NONE ? slots - 1 : wantedNext[to] - channels.firstLink[to];
        int other = heldNext[to] == NONE ? one : heldNext[to] - channels.firstLink[to];
        char[] seen = traffic.seen[sw];
        int at = traffic.offset[out];
        char all = 0;
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
    private void cut(Cuts wherever, int sw, int link, int next) {
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

    private void drop(Cuts wherever, int from, int to) {
        if (isTouched(to)) {
            wherever.drop(to, destinations.members(group));
        } else if (isTouched(from)) {
            wherever.drop(from, destinations.members(group));
        } else {
            dropBefore(wherever, from);
        }
    }

    /** Drops the nearest entries that change on all ways to a switch. */
    private void dropBefore(Cuts wherever, int sw) {
        boolean[] leadsThere = new boolean[channels.switchCount];
        leadsThere[sw] = true;
        boolean grows = true;
        while (grows) {
            grows = false;
            for (int from = 0; from < leadsThere.length; from++) {
                if (!leadsThere[from]
                        && !isTouched(from)
                        && wantedNext[from] != NONE
                        && leadsThere[channels.linkTo[wantedNext[from]]]) {
                    leadsThere[from] = true;
                    grows = true;
                }
            }
        }
        for (int from = 0; from < leadsThere.length; from++) {
            if (isTouched(from) && (leads(wantedNext[from], leadsThere) || leads(heldNext[from], leadsThere))) {
                wherever.drop(from, destinations.members(group));
            }
        }
    }

    private boolean leads(int link, boolean[] there) {
        return link != NONE && there[channels.linkTo[link]];
    }

    /** Whether packets to the destination may leave a switch otherwise afterwards: by another port or on another VL. */
    private boolean isTouched(int sw) {
        byte held = heldColumns[column + sw];
        int link = wantedNext[sw];
        return held != wantedColumns[column + sw]
                || link != NONE && channels.isRowChanged(sw, link - channels.firstLink[sw]);
    }
}
