package io.torussm.deadlock;

/**
 * The SLs of packets at every hop. For each ingress class at a switch, each out (see {@link Channels}) and each slot
 * there is a set of SLs, a {@code char} (bit n: SL n). A slot is the next hop after the out: a link of the switch at
 * the far end, numbered within that switch, or, in the last slot, delivery there. A local out has only the slot of
 * delivery. One task writes an instance.
 */
public final class SlUsage {
    public final Channels channels;

    /** [out, over all switches] its start in the array of the switch. */
    public final int[] offset;

    /** [out, over all switches] its number of slots for each ingress class of the switch. */
    public final int[] slots;

    /**
     * [switch][{@code offset[out] + ingress * slots[out] + slot}] the set of SLs. The ingress class is numbered within
     * the switch here; {@link #index} converts.
     */
    public final char[][] slSets;

    public SlUsage(Channels channels) {
        this(channels, (sw, size) -> new char[size]);
    }

    /** A provider of the arrays of {@link #slSets}: new arrays, or those of an earlier instance. */
    public interface Storage {
        /** Returns an array of {@code size} elements for the sets of a switch. */
        char[] of(int sw, int size);
    }

    /** Creates an instance whose sets are in arrays of the caller, with their content. */
    public SlUsage(Channels channels, Storage storage) {
        this.channels = channels;
        offset = new int[channels.outPort.length];
        slots = new int[channels.outPort.length];
        slSets = new char[channels.switchCount][];
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
            slSets[sw] = storage.of(sw, size);
        }
    }

    /** Creates an instance with the shape of another and with empty sets. */
    public SlUsage(SlUsage shape) {
        channels = shape.channels;
        offset = shape.offset;
        slots = shape.slots;
        slSets = new char[shape.slSets.length][];
        for (int sw = 0; sw < slSets.length; sw++) {
            slSets[sw] = new char[shape.slSets[sw].length];
        }
    }

    /**
     * Returns the sets of a switch in this shape from another array.
     *
     * @param all [switch] sets as in {@link #slSets}; if an element is null, empty sets are put there
     */
    public char[] sets(char[][] all, int sw) {
        if (all[sw] == null) {
            all[sw] = new char[slSets[sw].length];
        }
        return all[sw];
    }

    /** A consumer of sets of SLs. */
    public interface SetSink {
        void accept(int ingress, int out, int slot, char sls);
    }

    /**
     * Enumerates the sets of a switch that are not empty. Ingress classes are numbered over all switches, outs within
     * the switch.
     */
    public void forEachSet(int sw, SetSink sink) {
        for (int out = 0; out < channels.firstOut[sw + 1] - channels.firstOut[sw]; out++) {
            int global = channels.firstOut[sw] + out;
            int at = offset[global];
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                for (int slot = 0; slot < slots[global]; slot++, at++) {
                    if (slSets[sw][at] != 0) {
                        sink.accept(ingress, out, slot, slSets[sw][at]);
                    }
                }
            }
        }
    }

    /** Adds the sets of another task, which have the same shape. */
    public void add(SlUsage other) {
        for (int sw = 0; sw < slSets.length; sw++) {
            char[] sets = slSets[sw];
            char[] otherSets = other.slSets[sw];
            for (int i = 0; i < sets.length; i++) {
                sets[i] |= otherSets[i];
            }
        }
    }

    /**
     * Returns the SLs (bit n: SL n) of packets that arrive in an ingress class and leave by an out, with {@code slot}
     * as their next hop.
     *
     * @param ingress ingress class, numbered over all switches
     * @param out out, numbered within the switch
     */
    int sls(int sw, int ingress, int out, int slot) {
        return slSets[sw][index(sw, ingress, out, slot)];
    }

    /**
     * Returns the index of a set in {@link #slSets}.
     *
     * @param ingress ingress class, numbered over all switches
     * @param out out, numbered within the switch
     */
    public int index(int sw, int ingress, int out, int slot) {
        int global = channels.firstOut[sw] + out;
        return offset[global] + (ingress - channels.firstClass[sw]) * slots[global] + slot;
    }

    /**
     * Checks whether sets of a switch, in this shape, contain an SL of packets that leave by an out (numbered within
     * the switch), with {@code slot} as their next hop.
     */
    public boolean hasPackets(char[] sets, int sw, int out, int slot) {
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

    /** Returns the SLs of packets that arrive in an ingress class and leave by an out, with any next hop. */
    int sls(int sw, int ingress, int out) {
        int all = 0;
        for (int slot = 0; slot < slots[channels.firstOut[sw] + out]; slot++) {
            all |= sls(sw, ingress, out, slot);
        }
        return all;
    }

    /** Returns the SLs (bit n: SL n) of packets that some switch maps to VL15, and so discards. */
    public int discardedSls() {
        int discarded = 0;
        for (int sw = 0; sw < channels.switchCount; sw++) {
            discarded |= discardedSls(sw);
        }
        return discarded;
    }

    /** Returns the SLs (bit n: SL n) of packets that one switch maps to VL15, and so discards. */
    public int discardedSls(int sw) {
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

    /** Returns the SLs (bit n: SL n) of all packets. */
    public int usedSls() {
        int all = 0;
        for (char[] part : slSets) {
            for (char sls : part) {
                all |= sls;
            }
        }
        return all;
    }
}
