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

/**
 * One switch or host of a torus restarts at an SMP of a sweep; sweep, device, silence and SMP are drawn from the seed.
 * From 6 s after its agent responds again, the SM is at rest and the subnet is up: LIDs, tables and SLs are as
 * published, and all hosts reach each other. Meanwhile no sweep is refused, and paths between other hosts are
 * interrupted for less than 6 s. {@link RestartWithinSweep} runs and checks each case in virtual time.
 */
@Tag("slow")
@ExtendWith(StormCampaign.class)
class RestartWithinSweepTest {
    private static final String SMALL = "torus:4x4x1,hosts=1";
    private static final String LARGE = "torus:6x5x4,hosts=1";

    /**
     * Bytes that a story skipped at its begin when the seeds below failed, because first draws of near seeds were
     * alike.
     */
    private static final int SKIPPED_BYTES = 64;

    @TempDir
    Path dir;

    static LongStream few() {
        return StormCampaign.seeds().limit(12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("few")
    void aRestartedSwitchIsSoonServed(long seed) throws Exception {
        restart(SMALL, seed);
    }

    /** After each of these restarts the switch had no routes through it, or no LID, until the next light sweep. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {7, 24, 37, 83, 131})
    void aRestartThatOnceLeftASwitchUnservedIsServed(long seed) throws Exception {
        restart(SMALL, Seeds.unmixed(seed), () -> {
            StormStory story = StormStory.ofUnmixedSeed(seed);
            story.random.nextBytes(new byte[SKIPPED_BYTES]);
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

    private StormTally restart(String torus, long seed) throws Exception {
        return restart(torus, Seeds.random(seed, "moment of the restart"), () -> new StormStory(seed));
    }

    /**
     * Restarts a device at a random SMP of a sweep, or at its end. First the kind of the SMP is drawn, then one of this
     * kind.
     *
     * @param moments random numbers of the kind and the SMP
     * @param stories factory of equal stories: one sweep without a restart counts the SMPs, an equal one has the
     *     restart
     */
    private StormTally restart(String torus, Random moments, Supplier<StormStory> stories) throws Exception {
        Map<RestartWithinSweep.Kind, Integer> smpsByKind =
                new RestartWithinSweep(torus, stories.get(), Files.createTempDirectory(dir, "count")).count();
        List<RestartWithinSweep.Kind> kinds = new ArrayList<>(smpsByKind.keySet());
        kinds.add(RestartWithinSweep.Kind.END);
        RestartWithinSweep.Kind kind = kinds.get(moments.nextInt(kinds.size()));
        int nth = 1 + moments.nextInt(smpsByKind.getOrDefault(kind, 1)); // a sweep has one end
        return new RestartWithinSweep(torus, stories.get(), Files.createTempDirectory(dir, "restart")).run(kind, nth);
    }
}
