package io.torussm.deadlock;

/**
 * Which SLs travel where: for every (ingress class at a switch, its out, what comes next) the set of SLs seen, a
 * {@code char} each (bit n: SL n). What may come next is a link of the switch that the out leads to (numbered within
 * that switch) or, in the last slot, the end of the journey there. A local out has the end only. Written by one task.
 */
public final class SlUsage {
    public final Channels channels;

    /** By out: where its part of the switch's array starts, and how many slots each ingress class has there. */
    public final int[] offset;

    public final int[] slots;

    /** By switch: the sets. The index is {@code offset[out] + ingress * slots[out] + slot}. */
    public final char[][] seen;

    public SlUsage(Channels channels) {
        this(channels, (sw, size) -> new char[size]);
    }

    /** Where the sets of a switch are kept: new, or those of an earlier record. */
    public interface Storage {
        /** Returns the array for the sets of a switch, of that many elements. */
        char[] of(int sw, int size);
    }

    /** A record in arrays of the caller. */
    public SlUsage(Channels channels, Storage storage) {
        this.channels = channels;
        offset = new int[channels.outPort.length];
        slots = new int[channels.outPort.length];
        seen = new char[channels.switchCount][];
        for (int sw = 0; sw < channels.switchCount; sw++) {
            int classes = channels.firstClass[sw + 1] - channels.firstClass[sw];
            int size = 0;
            for (int i = 0; i < channels.firstOut[sw + 1] - channels.firstOut[sw]; i++) {
                int out = channels.firstOut[sw] + i;
                offset[out] = size;
                slots[out] =
                        i < channels.degree(sw) ? channels.degree(channels.linkTo[channels.firstLink[sw] + i]) + 1 : 1;
                size += slots[out] * classes;
            }
            seen[sw] = storage.of(sw, size);
        }
    }

    /** An empty record of the same shape. */
    public SlUsage(SlUsage shape) {
        channels = shape.channels;
        offset = shape.offset;
        slots = shape.slots;
        seen = new char[shape.seen.length][];
        for (int sw = 0; sw < seen.length; sw++) {
            seen[sw] = new char[shape.seen[sw].length];
        }
    }

    /** Sets of a switch in this shape, kept by switch where there are any; empty ones if there were none. */
    public char[] sets(char[][] all, int sw) {
        if (all[sw] == null) {
            all[sw] = new char[seen[sw].length];
        }
        return all[sw];
    }

    /** Takes a set of SLs. */
    public interface SetSink {
        void accept(int ingress, int out, int slot, char sls);
    }

    /** Passes on the sets of a switch that are not empty: ingress classes over all switches, outs within the switch. */
    public void forEachSet(int sw, SetSink sink) {
        for (int out = 0; out < channels.firstOut[sw + 1] - channels.firstOut[sw]; out++) {
            int global = channels.firstOut[sw] + out;
            int at = offset[global];
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                for (int slot = 0; slot < slots[global]; slot++, at++) {
                    if (seen[sw][at] != 0) {
                        sink.accept(ingress, out, slot, seen[sw][at]);
                    }
                }
            }
        }
    }

    /** Adds what another task saw. */
    public void add(SlUsage other) {
        for (int sw = 0; sw < seen.length; sw++) {
            char[] mine = seen[sw];
            char[] theirs = other.seen[sw];
            for (int i = 0; i < mine.length; i++) {
                mine[i] |= theirs[i];
            }
        }
    }

    /**
     * SLs that came in by an ingress class, left by an out and had {@code slot} next.
     *
     * @param ingress ingress class, numbered over all switches
     * @param out out, numbered within the switch
     */
    int sls(int sw, int ingress, int out, int slot) {
        return seen[sw][index(sw, ingress, out, slot)];
    }

    /** Where a set of {@link #seen} is. */
    public int index(int sw, int ingress, int out, int slot) {
        int global = channels.firstOut[sw] + out;
        return offset[global] + (ingress - channels.firstClass[sw]) * slots[global] + slot;
    }

    /** Whether sets of a switch, in this shape, have any SL that left by an out and had {@code slot} next. */
    public boolean isAny(char[] sets, int sw, int out, int slot) {
        int global = channels.firstOut[sw] + out;
        int at = offset[global] + slot;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            if (sets[at] != 0) {
                return true;
            }
            at += slots[global];
        }
        return false;
    }

    /** SLs that came in by an ingress class and left by an out, whatever came next. */
    int sls(int sw, int ingress, int out) {
        int all = 0;
        for (int slot = 0; slot < slots[channels.firstOut[sw] + out]; slot++) {
            all |= sls(sw, ingress, out, slot);
        }
        return all;
    }

    /** SLs (bit n: SL n) of packets that a switch maps to VL15 somewhere, which discards them. */
    public int discarded() {
        int discarded = 0;
        for (int sw = 0; sw < channels.switchCount; sw++) {
            discarded |= discarded(sw);
        }
        return discarded;
    }

    /** The same of one switch. */
    public int discarded(int sw) {
        int discarded = 0;
        for (int out = 0; out < channels.firstOut[sw + 1] - channels.firstOut[sw]; out++) {
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                for (int sls = sls(sw, ingress, out) & ~discarded; sls != 0; sls &= sls - 1) {
                    int sl = Integer.numberOfTrailingZeros(sls);
                    discarded |= channels.vls(sw, ingress, out, sl) == 1 << 15 ? 1 << sl : 0;
                }
            }
        }
        return discarded;
    }

    /** All SLs that were seen. */
    public int all() {
        int all = 0;
        for (char[] part : seen) {
            for (char sls : part) {
                all |= sls;
            }
        }
        return all;
    }
}
