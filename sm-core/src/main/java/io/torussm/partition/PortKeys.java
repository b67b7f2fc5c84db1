package io.torussm.partition;

import io.torussm.mad.smp.PKeyTable;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The P_Key table of one port: a P_Key at each index, 0 for an empty entry. Immutable; compared by value. */
public final class PortKeys {
    /** No P_Key at all. */
    public static final PortKeys NONE = new PortKeys(new short[0]);

    private final short[] entries;
    private final int hash;

    private PortKeys(short[] entries) {
        this.entries = entries;
        this.hash = Arrays.hashCode(entries);
    }

    /** Returns a table with these P_Keys from index 0 on. */
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

    /** Returns the last used index plus one. */
    public int length() {
        return entries.length;
    }

    /** Returns the P_Key at any index, 0 if there is none. */
    public int at(int index) {
        return index < entries.length ? entries[index] & 0xffff : 0;
    }

    /** Returns the index of a P_Key, with the same membership; -1 if there is none. */
    public int indexOf(int pKey) {
        for (int i = 0; i < entries.length; i++) {
            if (at(i) == pKey && pKey != 0) {
                return i;
            }
        }
        return -1;
    }

    /** Checks whether the port belongs to the partition of a P_Key, as a full or a limited member. */
    public boolean isIn(int pKey) {
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] != 0 && PKeys.base(at(i)) == PKeys.base(pKey)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks whether two ports may communicate in the partition of a P_Key: both are members, at least one a
     * full member.
     */
    public boolean maySpeak(int pKey, PortKeys other) {
        return (membership(pKey) & other.membership(pKey)) != 0
                && ((membership(pKey) | other.membership(pKey)) & PKeys.FULL) != 0;
    }

    /** Returns 0 for no member; otherwise bit 0, and {@link PKeys#FULL} for a full member. */
    private int membership(int pKey) {
        int found = 0;
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] != 0 && PKeys.base(at(i)) == PKeys.base(pKey)) {
                found |= 1 | at(i) & PKeys.FULL;
            }
        }
        return found;
    }

    /** Returns the first P_Key of this table with which both ports may communicate; 0 if there is none. */
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

    /** Checks whether both ports may communicate at all. */
    public boolean sharesWith(PortKeys other) {
        return sharedWith(other) != 0;
    }

    /** Returns a block of the table as an attribute. */
    public PKeyTable block(int block) {
        return PKeyTable.blockOf(entries, block);
    }

    /** Returns the table with one block replaced. */
    public PortKeys with(int block, PKeyTable content) {
        int from = block * PKeyTable.KEYS_PER_BLOCK;
        int[] pKeys = toArray(Math.max(entries.length, from + PKeyTable.KEYS_PER_BLOCK));
        for (int i = 0; i < PKeyTable.KEYS_PER_BLOCK; i++) {
            pKeys[from + i] = content.pKey(i);
        }
        return of(pKeys);
    }

    /** Returns the P_Keys by index, padded with zeros. */
    int[] toArray(int length) {
        int[] pKeys = new int[length];
        for (int i = 0; i < length; i++) {
            pKeys[i] = at(i);
        }
        return pKeys;
    }

    /** Returns the P_Keys in the order of their indexes. */
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

    /** Returns {@code [0xffff, 0x0000, 0x8001]}, by index. */
    @Override
    public String toString() {
        return IntStream.range(0, entries.length)
                .mapToObj(i -> PKeys.format(at(i)))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
