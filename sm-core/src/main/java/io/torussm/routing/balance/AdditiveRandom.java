package io.torussm.routing.balance;

/**
 * The additive feedback generator of the C library (TYPE_3 of {@code random(3)}: x(n) = x(n-3) + x(n-31) modulo 2^32,
 * of which the lowest bit is dropped), so that {@code scatter_ports} means the same routes here as with OpenSM. Not for
 * secrets.
 */
public final class AdditiveRandom {
    private static final int TERMS = 31;
    private static final int LAG = 3;
    private static final int DISCARDED = 310;
    private static final int MULTIPLIER = 16_807;

    private final int[] terms = new int[TERMS];
    private int front = LAG;
    private int back;

    /** Creates the sequence of a seed; 0 has that of 1. */
    public AdditiveRandom(int seed) {
        terms[0] = seed == 0 ? 1 : seed;
        for (int i = 1; i < TERMS; i++) {
            terms[i] = (int) Math.floorMod((long) MULTIPLIER * terms[i - 1], (long) Integer.MAX_VALUE);
        }
        for (int i = 0; i < DISCARDED; i++) {
            next();
        }
    }

    /** Returns the next number, 0 or more. */
    public int next() {
        terms[front] += terms[back];
        int number = terms[front] >>> 1;
        front = (front + 1) % TERMS;
        back = (back + 1) % TERMS;
        return number;
    }
}
