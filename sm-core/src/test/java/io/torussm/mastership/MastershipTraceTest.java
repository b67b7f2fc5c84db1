package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The steps of the code, in the worlds of two campaigns, are steps of the model whose states are all checked. */
@Tag("interop")
class MastershipTraceTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.torussm.mastership");
    private static final int SEEDS = 60;
    private static final int SHOWN = 3;
    private static final int STATE = 5;
    private static final int CAMPAIGN_SEEDS = Integer.getInteger("campaign.seeds", 10_000);

    @TempDir
    static Path directory;

    private static MastershipModel model;

    @BeforeAll
    static void buildModel() throws Exception {
        LOGGER.setLevel(Level.OFF);
        model = new MastershipModel(directory);
    }

    @AfterAll
    static void restoreLogging() {
        LOGGER.setLevel(null);
    }

    @Test
    void theModelTakesTheStepsOfTheCampaign() throws Exception {
        assertThat(rejectedSeeds(seeds(SEEDS), MastershipCampaignTest::run)).isEmpty();
    }

    @Test
    void theModelTakesTheStepsOfDeafMasters() throws Exception {
        assertThat(rejectedSeeds(seeds(SEEDS), TwoWritersTest::run)).isEmpty();
    }

    @Test
    @Tag("campaign")
    void theModelTakesTheStepsOfVeryManySeeds() throws Exception {
        assertThat(rejectedSeeds(seeds(CAMPAIGN_SEEDS), MastershipCampaignTest::run))
                .isEmpty();
        assertThat(rejectedSeeds(seeds(CAMPAIGN_SEEDS), TwoWritersTest::run)).isEmpty();
    }

    private static LongStream seeds(int count) {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, count);
    }

    private static List<String> rejectedSeeds(LongStream seeds, ObjLongConsumer<SmWorld> run) throws Exception {
        return new TracedSeeds(model).run(seeds, run).rejected();
    }

    /** A trace that differs in one number from what the code did is rejected at that step. */
    @Test
    void theModelRejectsAStepThatTheRulesDoNotTake() throws Exception {
        SmWorld world = new SmWorld(1, 3);
        MastershipCampaignTest.run(world, 1);
        List<String> lines = world.trace.text().lines().toList();
        for (int kind : new int[] {
            ModelTrace.StepType.SEES.number, ModelTrace.StepType.JUDGES.number, ModelTrace.StepType.POLLED.number
        }) {
            List<String> changed = new ArrayList<>(lines);
            int at = first(lines, kind);
            String[] numbers = lines.get(at).split(" ");
            int field = kind == ModelTrace.StepType.SEES.number ? SHOWN : STATE;
            numbers[field] = numbers[field].equals("1") ? "2" : "1";
            changed.set(at, String.join(" ", numbers));
            assertThat(model.checkTrace(String.join("\n", changed))).isEqualTo("rejected at " + (at + 1));
        }
    }

    private static int first(List<String> lines, int kind) {
        int at = 0;
        while (!lines.get(at).startsWith(kind + " ")) {
            at++;
        }
        return at;
    }
}
