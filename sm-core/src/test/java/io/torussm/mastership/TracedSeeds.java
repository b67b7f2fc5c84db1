package io.torussm.mastership;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;
import org.slf4j.LoggerFactory;

/** The worlds of the campaigns of mastership, each with the verdict of the model on its trace. */
final class TracedSeeds {
    private final MastershipModel model;
    private final List<String> rejected = new ArrayList<>();
    private int failedWorlds;
    private long steps;

    TracedSeeds(MastershipModel model) {
        this.model = model;
    }

    /** Prints the number of rejected traces of seeds 1 to N; packaging/proof/planted.sh gives N and a directory. */
    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);

        TracedSeeds traced = new TracedSeeds(new MastershipModel(Path.of(args[1])));
        int seeds = Integer.parseInt(args[0]);
        traced.run(LongStream.rangeClosed(1, seeds), MastershipCampaignTest::run);
        traced.run(LongStream.rangeClosed(1, seeds), TwoWritersTest::run);
        System.out.printf(
                "%d steps, %d rejected, %d seeds fail by themselves; %s%n",
                traced.steps,
                traced.rejected.size(),
                traced.failedWorlds,
                traced.rejected.isEmpty() ? "" : traced.rejected.get(0));
    }

    /** Runs a world for each seed. A world that fails has a trace up to there. */
    TracedSeeds run(LongStream seeds, ObjLongConsumer<SmWorld> run) throws Exception {
        for (long seed : seeds.toArray()) {
            SmWorld world = new SmWorld(seed, 2 + (int) (seed % 2));
            try {
                run.accept(world, seed);
            } catch (AssertionError e) {
                failedWorlds++;
            }
            String trace = world.trace.text();
            steps += trace.lines().count();
            String verdict = model.checkTrace(trace);
            if (!verdict.startsWith("accepted")) {
                rejected.add("seed " + seed + ": " + verdict);
            }
        }
        return this;
    }

    /** Returns the seeds whose traces no run of the model takes. */
    List<String> rejected() {
        return rejected;
    }

    long steps() {
        return steps;
    }
}
