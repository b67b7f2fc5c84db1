package io.torussm.partition;

import io.torussm.mad.smp.PKeyTable;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The P_Key table of one port: a P_Key at each index, 0 where there is none. Immutable; equal tables are equal. */
public final class PortKeys {
    /** No P_Key at all. */
    public static final PortKeys NONE = new PortKeys(new short[0]);

    private final short[] entries;
    private final int hash;

    private PortKeys(short[] entries) {
        this.entries = entries;
        this.hash = Arrays.hashCode(entries);
    }

    /** A table with these P_Keys from index 0 on; they are copied. */
    public static PortKeys of(int... pKeys) {
        int length = pKeys.length;
        while (length > 0 && PKeys.base(pKeys[length - 1]) == 0) {
            length--;
        }
        short[] entries = new short[length];
        for (int i = 0; i < length; i++) {
            entries[i] = PKeys.base(pKeys[i]) == 0 ? 0 : (short) pKeys[i];
        }
        return length == 0 ? NONE : new PortKeys(entries);
    }

    /** One more than the last index in use. */
    public int length() {
        return entries.length;
    }

    /** The P_Key at an index, 0 if there is none; any index. */
    public int at(int index) {
        return index < entries.length ? entries[index] & 0xffff : 0;
    }

    /** The index of this very P_Key, membership included; -1 if it is not held. */
    public int indexOf(int pKey) {
        for (int i = 0; i < entries.length; i++) {
            if (at(i) == pKey && pKey != 0) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the port belongs to the partition of a P_Key, as a full or a limited member. */
    public boolean isIn(int pKey) {
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] != 0 && PKeys.base(at(i)) == PKeys.base(pKey)) {
                return true;
            }
        }
        return false;
    }

    /** Whether two ports may talk in the partition of a P_Key: both are in it, one of them as a full member. */
    public boolean maySpeak(int pKey, PortKeys other) {
        return (membership(pKey) & other.membership(pKey)) != 0
                && ((membership(pKey) | other.membership(pKey)) & PKeys.FULL) != 0;
    }

    /** 0 if it is not in the partition; otherwise bit 0, and {@link PKeys#FULL} if it is a full member. */
    private int membership(int pKey) {
        int found = 0;
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] != 0 && PKeys.base(at(i)) == PKeys.base(pKey)) {
                found |= 1 | at(i) & PKeys.FULL;
            }
        }
        return found;
    }

    /** The first P_Key of this table with which both ports may talk; 0 if there is none. */
    public int sharedWith(PortKeys other) {
        for (int i = 0; i < entries.length; i++) {
            for (int j = 0; j < other.entries.length; j++) {
                if (PKeys.match(at(i), other.at(j))) {
                    return at(i);
                }
            }
        }
        return 0;
    }

    /** Whether both ports may talk at all. */
    public boolean sharesWith(PortKeys other) {
        return sharedWith(other) != 0;
    }

    /** A block of the table, as it is written to a port. */
    public PKeyTable block(int block) {
        return PKeyTable.blockOf(entries, block);
    }

    /** The same table but for one block, as it was read from a port. */
    public PortKeys with(int block, PKeyTable content) {
        int from = block * PKeyTable.KEYS_PER_BLOCK;
        int[] pKeys = toArray(Math.max(entries.length, from + PKeyTable.KEYS_PER_BLOCK));
        for (int i = 0; i < PKeyTable.KEYS_PER_BLOCK; i++) {
            pKeys[from + i] = content.pKey(i);
        }
        return of(pKeys);
    }

    /** The P_Keys by index, filled up with zeros. */
    int[] toArray(int length) {
        int[] pKeys = new int[length];
        for (int i = 0; i < length; i++) {
            pKeys[i] = at(i);
        }
        return pKeys;
    }

    /** The P_Keys that are held, in the order of their indexes. */
    public IntStream stream() {
        return IntStream.range(0, entries.length).map(this::at).filter(pKey -> pKey != 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PortKeys that && Arrays.equals(entries, that.entries);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** {@code [0xffff, 0x0000, 0x8001]}, by index. */
    @Override
    public String toString() {
        return IntStream.range(0, entries.length)
                .mapToObj(i -> PKeys.format(at(i)))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
