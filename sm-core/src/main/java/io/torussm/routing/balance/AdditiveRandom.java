package io.torussm.routing.balance;

/**
 * The additive feedback generator of the C library (TYPE_3 of {@code random(3)}: x(n) = x(n-3) + x(n-31) modulo
 * 2^32, of which the lowest bit is dropped), so that a seed of {@code scatter_ports} gives the same routes as in
 * OpenSM. The numbers must not be used for secrets. Not thread-safe.
 */
public final class AdditiveRandom {
    private static final int TERMS = 31;
    private static final int LAG = 3;
    /** The C library computes this number of terms before the first number: 10 for each term. */
    private static final int DISCARDED = 310;
    /** The first terms are a Lehmer sequence with this multiplier, modulo 2^31 - 1. */
    private static final int MULTIPLIER = 16_807;

    private final int[] terms = new int[TERMS];
    private int front = LAG;
    private int back;

    /** Creates the sequence of a seed, as {@code srandom(3)}. The seed 0 gives the sequence of the seed 1. */
    public AdditiveRandom(int seed) {
        terms[0] = seed == 0 ? 1 : seed;
        for (int i = 1; i < TERMS; i++) {
            terms[i] = (int) Math.floorMod((long) MULTIPLIER * terms[i - 1], (long) Integer.MAX_VALUE);
        }
        for (int i = 0; i < DISCARDED; i++) {
            next();
        }
    }

    /** Returns the next number, 0 to 2^31 - 1. */
    public int next() {
        terms[front] += terms[back];
        int number = terms[front] >>> 1;
        front = (front + 1) % TERMS;
        back = (back + 1) % TERMS;
        return number;
    }
}
