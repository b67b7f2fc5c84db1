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
 * What is to be done about cables that flap or lose packets: one at a time, since each changes the routes that the next is judged by.
 */
sealed interface IsolationStep {
    /** A cable deserves to be isolated; whether the subnet can do without it is another question. */
    record Isolate(CableRecord cable, String reason) implements IsolationStep {}

    /**
     * A cable is to be used again.
     *
     * @param cable null if nobody remembers why it was isolated
     */
    record Release(Drain drain, @Nullable CableRecord cable, String reason) implements IsolationStep {}

    /** Nothing now. */
    record Rest() implements IsolationStep {}

    /**
     * What is known when it is decided.
     *
     * @param cables all that anything is known of
     * @param isolations what is isolated
     * @param drained what is drained or isolated, by the end that it is drained at; without what hangs on devices that are not found
     * @param isRefused cables that the subnet cannot do without as it is routed now
     */
    record Known(
            List<CableRecord> cables,
            List<Drain> isolations,
            Map<Neighbors.End, Drain> drained,
            Predicate<CableRecord> isRefused) {
        private @Nullable Drain drainOf(CableRecord cable) {
            Drain near = drained.get(cable.near().port());
            return near == null ? drained.get(cable.far().port()) : near;
        }
    }

    /** The next step, a function of its arguments. */
    static IsolationStep next(SmOptions.Isolation rules, Known known, Instant now) {
        return Stream.<Optional<IsolationStep>>of(
                        forgotten(known), released(rules, known, now), isolated(rules, known, now))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(new Rest());
    }

    /** What is isolated by no history. */
    private static Optional<IsolationStep> forgotten(Known known) {
        List<Drain> remembered = known.cables().stream()
                .filter(CableRecord::isIsolated)
                .flatMap(cable -> Stream.ofNullable(known.drainOf(cable)))
                .toList();
        return known.drained().values().stream()
                .filter(drain -> drain.isIsolation() && !remembered.contains(drain))
                .findFirst()
                .map(drain -> new Release(drain, null, "the reason of its isolation is unknown"));
    }

    /** The one that has been quiet longest, if it was long enough. One that is down is not quiet. */
    private static Optional<IsolationStep> released(SmOptions.Isolation rules, Known known, Instant now) {
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

    private static Optional<IsolationStep> isolated(SmOptions.Isolation rules, Known known, Instant now) {
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

    /** Why a cable deserves to be isolated; empty if it does not. */
    static String reason(SmOptions.Isolation rules, CableRecord cable, Instant now) {
        long downs = cable.downsWithin(rules.window(), now);
        if (rules.isolateFlappingLinks() > 0 && downs >= rules.isolateFlappingLinks()) {
            return "it went down " + downs + " times within " + rules.isolateWindowS() + " s";
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
