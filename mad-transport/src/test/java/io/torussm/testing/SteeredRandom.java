package io.torussm.testing;

import java.util.Arrays;
import java.util.Random;

/**
 * Random numbers that are the bytes of a fuzzer, so that it steers a test which draws its cases. Behind the last byte
 * they are those of a seed made of all bytes.
 */
public final class SteeredRandom extends Random {
    private static final long serialVersionUID = 1;

    private final byte[] bytes;
    private final Random fallback;
    private int position;

    /**
     * Creates a source of random numbers.
     *
     * @param bytes first numbers, big-endian; as many bytes for each number as it has bits, rounded up
     */
    public SteeredRandom(byte[] bytes) {
        super(0);
        this.bytes = bytes.clone();
        this.fallback = Seeds.unmixed(Arrays.hashCode(bytes));
    }

    /** Checks whether bytes are left. */
    public boolean isSteered() {
        return position < bytes.length;
    }

    @Override
    protected int next(int bits) {
        int value = 0;
        for (int i = 0; i < bits; i += Byte.SIZE) {
            value = value << Byte.SIZE | (isSteered() ? bytes[position++] & 0xff : fallback.nextInt(1 << Byte.SIZE));
        }
        return bits == Integer.SIZE ? value : value & (1 << bits) - 1;
    }
}
