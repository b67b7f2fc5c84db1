package io.torussm.partition;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.IntStream;

/**
 * The P_Keys of several ports together, such as the virtual ports of one port. Immutable; two bytes for each different
 * P_Key. A question about one P_Key takes the logarithm of their number.
 */
public final class PartitionSet {
    /** No P_Key at all. */
    public static final PartitionSet NONE = new PartitionSet(new char[0]);

    /** P_Keys, ascending by partition. */
    private final char[] pKeys;

    private PartitionSet(char[] pKeys) {
        this.pKeys = pKeys;
    }

    /** Returns the P_Keys of tables. */
    public static PartitionSet of(Collection<PortKeys> tables) {
        int[] rotated = tables.stream()
                .flatMapToInt(PortKeys::stream)
                .map(PartitionSet::rotated)
                .sorted()
                .distinct()
                .toArray();
        char[] pKeys = new char[rotated.length];
        for (int i = 0; i < pKeys.length; i++) {
            pKeys[i] = (char) rotated[i];
        }
        return pKeys.length == 0 ? NONE : new PartitionSet(pKeys);
    }

    /** Returns a P_Key with the membership in the lowest bit. */
    private static int rotated(int pKey) {
        return PKeys.base(pKey) << 1 | (PKeys.isFull(pKey) ? 1 : 0);
    }

    /** Checks whether one of the ports belongs to the partition of a P_Key, as a full or a limited member. */
    public boolean isIn(int pKey) {
        return has(PKeys.base(pKey) << 1) || has(PKeys.base(pKey) << 1 | 1);
    }

    /** Checks whether one of the ports may communicate with another one. */
    public boolean sharesWith(PortKeys other) {
        return pKeys.length > 0 && IntStream.range(0, other.length()).anyMatch(i -> matches(other.at(i)));
    }

    private boolean matches(int pKey) {
        int base = PKeys.base(pKey) << 1;
        return base != 0 && (has(base | 1) || (PKeys.isFull(pKey) && has(base)));
    }

    private boolean has(int rotated) {
        return Arrays.binarySearch(pKeys, (char) rotated) >= 0;
    }
}
