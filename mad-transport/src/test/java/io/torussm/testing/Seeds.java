package io.torussm.testing;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Seeds for {@code @MethodSource("io.torussm.testing.Seeds#few")}: the same ones every run, or the one that
 * {@code -Dseed=N} names, to replay a failure; {@code -Dseeds=N} asks for more. Tests draw from them with
 * {@link #random(long)}.
 */
public final class Seeds {
    private Seeds() {}

    /** Returns twelve seeds, or the seeds of the system properties. */
    public static LongStream few() {
        return first(12);
    }

    /** Returns the seeds from 1 to a number, or the seeds of the system properties. */
    public static LongStream first(int count) {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, Long.getLong("seeds", count));
    }

    /**
     * Returns the random numbers of a seed. The first numbers of {@link Random} are alike for near seeds: its first
     * {@code nextBoolean()} is true for each seed of 0 to 4,095. So the seed is mixed first.
     */
    public static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }

    /**
     * Returns the random numbers of a seed for one of several purposes of a test, independent of those of
     * {@link #random(long)} and of other purposes. Two generators of {@code random(seed)} give equal numbers. If a test
     * draws from both, one draw follows from the other, and some combinations never occur.
     */
    public static Random random(long seed, String purpose) {
        return random(new SplittableRandom(seed).nextLong() ^ purpose.hashCode());
    }

    /**
     * Returns the random numbers of a seed that is not mixed, for seeds and inputs that found a defect, and for
     * figures in pages. Each class that calls this is an exception in {@code house.tsv}.
     */
    public static Random unmixed(long seed) {
        return new Random(seed);
    }
}
