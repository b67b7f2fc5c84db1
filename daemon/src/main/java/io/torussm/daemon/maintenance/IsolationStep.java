package io.torussm.daemon.maintenance;

import io.torussm.daemon.config.SmOptions;
import io.torussm.subnet.Drains.Drain;
import io.torussm.subnet.Neighbors;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The next action about cables that flap or lose packets. There is one action at a time, since each action changes the
 * routes, and the next decision depends on the routes.
 */
sealed interface IsolationStep {
    /** The isolation of a cable. {@link DrainBudget} then decides whether the subnet can do without the cable. */
    record Isolate(CableRecord cable, String reason) implements IsolationStep {}

    /**
     * The release of a cable.
     *
     * @param cable record of the cable; null if the history does not contain it
     */
    record Release(Drain drain, @Nullable CableRecord cable, String reason) implements IsolationStep {}

    /** No action now. */
    record NoStep() implements IsolationStep {}

    /**
     * The input of the decision.
     *
     * @param cables all cables with a history or error counts
     * @param isolations isolated cables
     * @param drained drained and isolated cables, by the end at which they are drained; without cables at absent
     *     switches
     * @param isRefused test that is true for a cable which the subnet needs, according to its present routes
     */
    record IsolationInput(
            List<CableRecord> cables,
            List<Drain> isolations,
            Map<Neighbors.CableEnd, Drain> drained,
            Predicate<CableRecord> isRefused) {
        private @Nullable Drain drainOf(CableRecord cable) {
            Drain near = drained.get(cable.near().port());
            return near == null ? drained.get(cable.far().port()) : near;
        }
    }

    /** Returns the next step. A pure function. */
    static IsolationStep next(SmOptions.Isolation rules, IsolationInput known, Instant now) {
        return Stream.<Optional<IsolationStep>>of(
                        releaseUnknown(known), releaseQuiet(rules, known, now), isolateWorst(rules, known, now))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(new NoStep());
    }

    /** Returns the release of an isolated cable without a history. */
    private static Optional<IsolationStep> releaseUnknown(IsolationInput known) {
        List<Drain> remembered = known.cables().stream()
                .filter(CableRecord::isIsolated)
                .flatMap(cable -> Stream.ofNullable(known.drainOf(cable)))
                .toList();
        return known.drained().values().stream()
                .filter(drain -> drain.isIsolation() && !remembered.contains(drain))
                .findFirst()
                .map(drain -> new Release(drain, null, "the reason of its isolation is unknown"));
    }

    /**
     * Returns the release of the cable that has been quiet longest, if that is long enough. A cable that is down is not
     * quiet.
     */
    private static Optional<IsolationStep> releaseQuiet(SmOptions.Isolation rules, IsolationInput known, Instant now) {
        return known.cables().stream()
                .filter(cable -> isIsolation(known.drainOf(cable)) && (cable.isUp() || !rules.isOn()))
                .filter(cable -> !rules.isOn()
                        || cable.quietFor(now)
                                        .compareTo(
                                                rules.quiet(cable.isolations().size()))
                                >= 0)
                .max(Comparator.comparing(cable -> cable.quietFor(now)))
                .flatMap(cable -> Optional.ofNullable(known.drainOf(cable))
                        .map(drain -> new Release(
                                drain,
                                cable,
                                rules.isOn()
                                        ? "it was quiet for "
                                                + cable.quietFor(now).toSeconds() + " s"
                                        : "isolation is switched off")));
    }

    private static boolean isIsolation(@Nullable Drain drain) {
        return drain != null && drain.isIsolation();
    }

    private static Optional<IsolationStep> isolateWorst(SmOptions.Isolation rules, IsolationInput known, Instant now) {
        if (!rules.isOn() || known.isolations().size() >= rules.isolateMaxLinks()) {
            return Optional.empty();
        }
        return known.cables().stream()
                .filter(cable -> known.drainOf(cable) == null
                        && !reason(rules, cable, now).isEmpty()
                        && !known.isRefused().test(cable))
                .max(Comparator.<CableRecord>comparingLong(cable -> cable.downsWithin(rules.window(), now))
                        .thenComparing(CableRecord::errorRate))
                .map(cable -> new Isolate(cable, reason(rules, cable, now)));
    }

    /** Returns the reason to isolate a cable; empty if it has neither too many failures nor too many errors. */
    static String reason(SmOptions.Isolation rules, CableRecord cable, Instant now) {
        long failures = cable.downsWithin(rules.window(), now);
        if (rules.isolateFlappingLinks() > 0 && failures >= rules.isolateFlappingLinks()) {
            return "it went down " + failures + " times within " + rules.isolateWindowS() + " s";
        }
        Instant released = cable.released();
        boolean isOnProbation = released != null
                && Duration.between(released, now)
                                .compareTo(rules.quiet(cable.isolations().size()))
                        < 0;
        return rules.isolateErrorRate() > 0 && cable.errorRate() >= rules.isolateErrorRate() && !isOnProbation
                ? "it has " + Math.round(cable.errorRate()) + " errors a minute"
                : "";
    }
}
