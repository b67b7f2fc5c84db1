package io.torussm.deadlock;

/**
 * The SLs of packets at every hop. For each ingress class at a switch, out and next hop there is a set of
 * SLs, a {@code char} (bit n: SL n). The next hop is a link of the switch at the far end of the out (numbered
 * within that switch) or, in the last slot, delivery there. A local out has only the slot of delivery.
 * Written by one task.
 */
public final class SlUsage {
    public final Channels channels;

    /** By out: its start in the array of the switch, and the number of slots of each ingress class there. */
    public final int[] offset;

    public final int[] slots;

    /** By switch: the sets. The index is {@code offset[out] + ingress * slots[out] + slot}. */
    public final char[][] seen;

    public SlUsage(Channels channels) {
        this(channels, (sw, size) -> new char[size]);
    }

    /** A provider of the arrays for the sets: new ones, or those of an earlier record. */
    public interface Storage {
        /** Returns the array for the sets of a switch, of that many elements. */
        char[] of(int sw, int size);
    }

    /** Creates a record in arrays of the caller. */
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

    /** Creates an empty record of the same shape. */
    public SlUsage(SlUsage shape) {
        channels = shape.channels;
        offset = shape.offset;
        slots = shape.slots;
        seen = new char[shape.seen.length][];
        for (int sw = 0; sw < seen.length; sw++) {
            seen[sw] = new char[shape.seen[sw].length];
        }
    }

    /** Returns the sets of a switch in this shape from an array by switch; empty ones if it has none. */
    public char[] sets(char[][] all, int sw) {
        if (all[sw] == null) {
            all[sw] = new char[seen[sw].length];
        }
        return all[sw];
    }

    /** A consumer of sets of SLs. */
    public interface SetSink {
        void accept(int ingress, int out, int slot, char sls);
    }

    /**
     * Passes on the sets of a switch that are not empty. Ingress classes are numbered over all switches, outs
     * within the switch.
     */
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

    /** Adds the record of another task. */
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
     * Returns the SLs that came in by an ingress class, left by an out and had {@code slot} next.
     *
     * @param ingress ingress class, numbered over all switches
     * @param out out, numbered within the switch
     */
    int sls(int sw, int ingress, int out, int slot) {
        return seen[sw][index(sw, ingress, out, slot)];
    }

    /** Returns the index of a set in {@link #seen}. */
    public int index(int sw, int ingress, int out, int slot) {
        int global = channels.firstOut[sw] + out;
        return offset[global] + (ingress - channels.firstClass[sw]) * slots[global] + slot;
    }

    /**
     * Checks whether sets of a switch, in this shape, have any SL that left by an out and had {@code slot}
     * next.
     */
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

    /** Returns the SLs that came in by an ingress class and left by an out, for all next hops. */
    int sls(int sw, int ingress, int out) {
        int all = 0;
        for (int slot = 0; slot < slots[channels.firstOut[sw] + out]; slot++) {
            all |= sls(sw, ingress, out, slot);
        }
        return all;
    }

    /** Returns the SLs (bit n: SL n) of packets that some switch maps to VL15, and so discards. */
    public int discarded() {
        int discarded = 0;
        for (int sw = 0; sw < channels.switchCount; sw++) {
            discarded |= discarded(sw);
        }
        return discarded;
    }

    /** Returns the SLs (bit n: SL n) of packets that one switch maps to VL15, and so discards. */
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

    /** Returns all SLs of the record. */
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
