package io.torussm.daemon;

import io.torussm.routing.Plan;
import io.torussm.sim.topology.Topology;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SLs of paths that the SA granted in a storm. They never change, with one exception: the default engine routed
 * switches without tables to keep (ADR 18), and another engine follows. Then the SM reports how many paths have another
 * SL, and packets with the previous SLs may close a credit loop (docs/developer/order-of-change.md).
 */
final class StormSls {
    static final byte NO_SL = -1;

    private static final String DEFAULT_ENGINE = "minhop";

    private final StormStory story;

    /** First SLs by source (hosts) and destination node; {@link #NO_SL} before. */
    private final byte[][] sls;

    /** The engine that gave the SLs; empty before. */
    private String engine = "";

    /** The plans of other engines that were written since the default engine gave the SLs. */
    private final List<Plan> successors = new ArrayList<>();

    /** The last SM that rightly reported changed SLs; null if none did. */
    private @Nullable FabricSm reporter;

    /** The changed SLs that {@link #reporter} counts. */
    private long reported;

    private int grants;

    /**
     * Creates SLs that are unknown.
     *
     * @param destinations number of destinations, by source
     */
    StormSls(StormStory story, int... destinations) {
        this.story = story;
        sls = new byte[destinations.length][];
        for (int source = 0; source < sls.length; source++) {
            sls[source] = new byte[destinations[source]];
        }
        forget();
    }

    private void forget() {
        Arrays.stream(sls).forEach(row -> Arrays.fill(row, NO_SL));
    }

    /** Notes that an SM has a plan, and writes its tables next. */
    void writes(Plan plan) {
        if (engine.equals(DEFAULT_ENGINE) && isOfAnother(plan)) {
            successors.add(plan);
        }
    }

    private static boolean isOfAnother(Plan plan) {
        return !plan.engine().equals(DEFAULT_ENGINE);
    }

    /** Checks the number of changed SLs that an SM counts between two sweeps. */
    void count(FabricSm now) {
        long changed = now.sweeper.counts().changedSls();
        PublishedView view = now.sweeper.view();
        if (view != null) {
            boolean isSuccessor = engine.equals(DEFAULT_ENGINE) && isOfAnother(view.plan());
            if (isSuccessor && changed != expected(now)) {
                reporter = now;
                reported = changed;
                forget();
            }
            successors.clear();
            engine = view.plan().engine();
        }
        story.check(changed == expected(now), "the SM counts " + changed + " changed SLs");
    }

    private long expected(FabricSm now) {
        return now == reporter ? reported : 0;
    }

    /** Notes an SL, which must not differ from an earlier one. */
    void grant(Topology.Node from, Topology.Node to, int sl) {
        int known = of(from.index(), to.index());
        story.check(
                known == NO_SL || known == sl, "the SL from " + from + " to " + to + " was " + known + " and is " + sl);
        if (known == NO_SL) {
            sls[from.index()][to.index()] = (byte) sl;
            grants++;
        }
    }

    /** Returns the number of SLs that were noted so far. */
    int grants() {
        return grants;
    }

    /** Returns the SL of a path; {@link #NO_SL} if it is unknown. */
    int of(int source, int destination) {
        return sls[source][destination];
    }

    /**
     * Checks whether packets on a path must not close a credit loop: its SL is known. An SL of the default engine
     * counts only if each plan that replaces it gives the same.
     *
     * @param sourceLid LID of the source
     * @param destinationLid LID of the destination
     */
    boolean mustBeSafe(int source, int destination, int sourceLid, int destinationLid) {
        int sl = of(source, destination);
        return sl != NO_SL && successors.stream().allMatch(plan -> plan.pathSl(sourceLid, destinationLid, 0) == sl);
    }
}
