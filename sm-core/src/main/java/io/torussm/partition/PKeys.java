package io.torussm.partition;

import java.util.Locale;

/**
 * The arithmetic of P_Keys, which are plain {@code int}s (IBA 10.9.1.1): 15 bits for a partition, and the top
 * bit for full membership.
 */
public final class PKeys {
    /** Set in the P_Key of a full member. */
    public static final int FULL = 0x8000;

    /** The bits that name the partition. */
    public static final int BASE = 0x7fff;

    /** The default partition. */
    public static final int DEFAULT = 0x7fff;

    private PKeys() {}

    /** Returns the partition of a P_Key; 0 for an empty entry. */
    public static int base(int pKey) {
        return pKey & BASE;
    }

    public static boolean isFull(int pKey) {
        return (pKey & FULL) != 0;
    }

    /**
     * Checks whether holders of two keys may communicate: same partition, and not both limited members (IBA
     * 10.9.3).
     */
    public static boolean match(int a, int b) {
        return base(a) != 0 && base(a) == base(b) && ((a | b) & FULL) != 0;
    }

    /** Returns {@code 0x} and four hexadecimal digits. */
    public static String format(int pKey) {
        return String.format(Locale.ROOT, "0x%04x", pKey);
    }
}
