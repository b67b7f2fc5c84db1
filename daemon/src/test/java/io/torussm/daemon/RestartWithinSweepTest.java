package io.torussm.daemon;

import io.torussm.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A device restarts at some SMP of some sweep, and all is soon as it should be: see {@link RestartWithinSweep}. */
@Tag("slow")
@ExtendWith(StormCampaign.class)
class RestartWithinSweepTest {
    private static final String SMALL = "torus:4x4x1,hosts=1";
    private static final String LARGE = "torus:6x5x4,hosts=1";

    @TempDir
    Path dir;

    /** Restarts at a random SMP of the sweep, drawn first by type; or at its end. */
    private StormTally restart(String torus, long seed) throws Exception {
        return restart(torus, Seeds.random(seed), () -> new StormStory(seed));
    }

    private StormTally restart(String torus, Random random, Supplier<StormStory> stories) throws Exception {
        Map<RestartWithinSweep.Kind, Integer> asked =
                new RestartWithinSweep(torus, stories.get(), Files.createTempDirectory(dir, "count")).count();
        List<RestartWithinSweep.Kind> kinds = new ArrayList<>(asked.keySet());
        int which = random.nextInt(kinds.size() + 1);
        RestartWithinSweep.Kind kind = which == kinds.size() ? null : kinds.get(which);
        int count = kind == null ? 0 : 1 + random.nextInt(asked.getOrDefault(kind, 1));
        return new RestartWithinSweep(torus, stories.get(), Files.createTempDirectory(dir, "restart")).run(kind, count);
    }

    static LongStream few() {
        return StormCampaign.seeds().limit(12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("few")
    void aRestartedSwitchIsSoonServed(long seed) throws Exception {
        restart(SMALL, seed);
    }

    /** Each had no routes through the switch, or no LID for it, until the next light sweep. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {7, 24, 37, 83, 131})
    void aRestartThatOnceLeftASwitchUnservedIsServed(long seed) throws Exception {
        restart(SMALL, Seeds.unmixed(seed), () -> {
            StormStory story = StormStory.ofUnmixedSeed(seed);
            story.random.nextBytes(new byte[64]); // as these seeds were drawn when they failed
            return story;
        });
    }

    @Test
    @Tag("campaign")
    void everyRestartedSwitchOfACampaignIsSoonServed() throws Exception {
        StormCampaign.run("restarts", new StormTally(), seed -> restart(SMALL, seed));
    }

    @Test
    @Tag("campaign")
    void everyRestartedSwitchOfALargerTorusIsSoonServed() throws Exception {
        StormCampaign.run("restarts", new StormTally(), seed -> restart(LARGE, seed));
    }
}
