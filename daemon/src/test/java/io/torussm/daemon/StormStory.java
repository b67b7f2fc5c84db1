package io.torussm.daemon;

import io.torussm.sim.VirtualLoop;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a storm in order, and its shared objects: the clock, the random numbers and the tally. */
final class StormStory {
    /** Bytes to record of the traffic of each SM. */
    long recordedBytes = 1 << 10;

    final Random random;
    final VirtualLoop loop = new VirtualLoop();
    final StormTally tally = new StormTally();
    final long seed;
    private final List<String> lines = new ArrayList<>();

    /** The first violation. Code of the SM that was on the stack may have caught it. */
    private @Nullable AssertionError firstViolation;

    StormStory(long seed) {
        this(seed, Seeds.random(seed));
    }

    private StormStory(long seed, Random random) {
        this.seed = seed;
        this.random = random;
    }

    /** Returns the story of a seed that found a defect before seeds were mixed. */
    static StormStory ofUnmixedSeed(long seed) {
        return new StormStory(seed, Seeds.unmixed(seed));
    }

    /** Draws a time up to a number of milliseconds, in nanoseconds. */
    long randomNs(int max) {
        return TimeUnit.MICROSECONDS.toNanos(random.nextInt(1000 * max + 1));
    }

    <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Draws only if there is a choice. */
    <T> T pickIfSeveral(List<T> all) {
        return all.size() == 1 ? all.get(0) : pick(all);
    }

    /** Advances time, and throws the first violation meanwhile. */
    void advance(long ns) {
        loop.runFor(ns);
        if (firstViolation != null) {
            throw firstViolation;
        }
    }

    /** Advances time by nothing, a moment, or seconds. */
    void advanceRandomly() {
        switch (random.nextInt(4)) {
            case 0 -> advance(0);
            case 1 -> advance(randomNs(20));
            case 2 -> advance(randomNs(300));
            default -> advance(randomNs(5000));
        }
    }

    void log(String text) {
        lines.add(String.format("%10.4f s  %s", loop.nowNs() / 1e9, text));
    }

    AssertionError violation(String message) {
        AssertionError wrong = new AssertionError("seed " + seed + " at " + loop.nowNs() / 1e9 + " s: " + message
                + "\nreplay with -Dseed=" + seed + "; what happened:\n  " + String.join("\n  ", lines));
        firstViolation = firstViolation == null ? wrong : firstViolation;
        return wrong;
    }

    void check(boolean holds, String noun) {
        if (!holds) {
            throw violation(noun);
        }
    }
}
