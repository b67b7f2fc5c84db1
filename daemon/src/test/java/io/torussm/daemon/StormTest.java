package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants under all faults: see {@link Storm}. */
@Tag("slow")
@ExtendWith(StormCampaign.class)
class StormTest {
    /** Gusts of a large storm in every build; a repeated one and the campaign have all. */
    private static final int GUSTS = 1;

    @TempDir
    Path dir;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfTori")
    void forbiddenStatesDoNotOccurOnASmallTorus(long seed) throws Exception {
        Storm storm = new Storm(Storm.SMALL, seed, dir);
        try (PacedLines paced = new PacedLines(storm::nowMs)) {
            storm.run();
            assertThat(paced.lines).isNotEmpty();
        }
    }

    /**
     * Seeds that found a defect, drawn as then. Seed 26: tables of the first plan were lost on the wire, and before the
     * second one a switch was cut off from the seeds. Seeds 107 and 161: a standby took over with a broken
     * torus-2QoS.conf and a cold switch, and minhop changed all SLs.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {26, 107, 161})
    void slsStayInStormsThatOnceChangedThem(long seed) throws Exception {
        new Storm(Storm.SMALL, StormStory.ofUnmixedSeed(seed), dir).run();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfLargeTori")
    void forbiddenStatesDoNotOccurOnALargeTorus(long seed) throws Exception {
        new Storm(Storm.LARGE, seed, dir).run(Long.getLong("seed") == null ? GUSTS : Integer.MAX_VALUE);
    }

    /** Three kinds of trees; {@link StormLosses} compares the reported losses with a model as well. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfTrees")
    void forbiddenStatesDoNotOccurOnATree(long seed) throws Exception {
        new Storm(Storm.TREES, seed, dir).run();
    }

    /**
     * Seeds that once failed though the SM was right. Seed 76: a random MAD was a response to no Report. Seed 198: the
     * first SM with a torus-2QoS.conf published nothing, the next one without it routed by minhop, and then torus-2QoS
     * followed.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {76, 198})
    void statesThatAreRareButPermittedDoNotFailAStorm(long seed) throws Exception {
        new Storm(Storm.SMALL, seed, dir).run();
    }

    static LongStream seedsOfTori() {
        return StormCampaign.seeds().limit(Long.getLong("seeds", 12));
    }

    static LongStream seedsOfTrees() {
        return StormCampaign.seeds().limit(20);
    }

    static LongStream seedsOfLargeTori() {
        return StormCampaign.seeds().limit(1);
    }

    @Test
    @Tag("campaign")
    void forbiddenStatesDoNotOccurInACampaignOnALargeTorus() throws Exception {
        StormCampaign.run("days of weather", new StormTally(), seed -> new Storm(
                        Storm.LARGE, seed, Files.createTempDirectory(dir, "storm"))
                .run());
    }

    @Test
    @Tag("campaign")
    void forbiddenStatesDoNotOccurInACampaignOnTrees() throws Exception {
        StormCampaign.run("days of weather on trees", new StormTally(), seed -> new Storm(
                        Storm.TREES, seed, Files.createTempDirectory(dir, "storm"))
                .run());
    }

    @Test
    @Tag("campaign")
    void forbiddenStatesDoNotOccurInVeryManyStorms() throws Exception {
        StormCampaign.run("storms", new StormTally(), seed -> new Storm(
                        Storm.SMALL, seed, Files.createTempDirectory(dir, "storm"))
                .run());
    }
}
