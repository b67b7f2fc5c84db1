package io.torussm.daemon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Storms by their seeds: those of every build, a repeated one ({@code -Dseed}), or very many. Without output,
 * except for a repeated one.
 */
final class StormCampaign implements BeforeAllCallback, AfterAllCallback {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.torussm");
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 1000);
    private static final int FIRST = Integer.getInteger("campaign.first", 1);

    /** A factory that draws and runs the storm of a seed. */
    interface Storms<T extends Tally<T>> {
        T run(long seed) throws Exception;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        LOGGER.setLevel(Long.getLong("seed") == null ? Level.OFF : Level.DEBUG);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LOGGER.setLevel(null);
    }

    /** Returns the seeds of every build. */
    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, Long.getLong("seeds", 20));
    }

    /**
     * Runs very many storms, prints their events and the failed seeds, and fails if any did.
     *
     * @param all sum of the tallies
     */
    static <T extends Tally<T>> void run(String label, T all, Storms<T> storms) throws Exception {
        long beginNs = System.nanoTime();
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                all.add(storms.run(seed));
            } catch (AssertionError e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        System.out.printf("%d %s in %d s: %s%n", SEEDS, label, (System.nanoTime() - beginNs) / 1_000_000_000, all);
        if (!failures.isEmpty()) {
            failures.forEach(
                    failure -> System.out.println(failure.lines().findFirst().orElse("")));
            throw new AssertionError(failures.size() + " storms went wrong; the first: " + failures.get(0));
        }
    }
}
