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

/** The service for healthy hosts under faults of other devices: see {@link DeviceStorm}. */
@Tag("slow")
@ExtendWith(StormCampaign.class)
class DeviceStormTest {
    @TempDir
    Path dir;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void healthyHostsAreServedWhileOtherDevicesAreFaulty(long seed) throws Exception {
        DeviceStorm storm = new DeviceStorm(seed, dir);
        try (PacedLines paced = new PacedLines(storm::nowMs)) {
            storm.run();
            assertThat(paced.lines).isNotEmpty();
        }
    }

    /** One for each defect that only a campaign has found; each failed before its mend. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {115, 146, 468, 485, 493, 507, 573, 575, 632, 718, 742, 786, 939, 1135, 1136, 1215})
    void aRestartThatOnceLeftASwitchUnservedIsServed(long seed) throws Exception {
        new DeviceStorm(StormStory.ofUnmixedSeed(seed), dir, false).run();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsWithFalseValues")
    void healthyHostsAreServedWhileOtherDevicesReportFalseValues(long seed) throws Exception {
        DeviceStorm.withFalseValues(seed, dir).run();
    }

    /** One for each defect that only a campaign with false values has found; each failed before its mend. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {318, 518, 539, 566, 575, 826})
    void aFalseValueThatOnceEndedASweepEndsNone(long seed) throws Exception {
        new DeviceStorm(StormStory.ofUnmixedSeed(seed), dir, true).run();
    }

    static LongStream seeds() {
        return StormCampaign.seeds().limit(12);
    }

    static LongStream seedsWithFalseValues() {
        return StormCampaign.seeds().limit(8);
    }

    @Test
    @Tag("campaign")
    void healthyHostsAreServedInVeryManyStormsWithFalseValues() throws Exception {
        StormCampaign.run("storms with false values", new StormTally(), seed -> DeviceStorm.withFalseValues(
                        seed, Files.createTempDirectory(dir, "storm"))
                .run());
    }

    @Test
    @Tag("campaign")
    void healthyHostsAreServedInVeryManyStorms() throws Exception {
        StormCampaign.run("storms of devices", new StormTally(), seed -> new DeviceStorm(
                        seed, Files.createTempDirectory(dir, "storm"))
                .run());
    }
}
