package io.torussm.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.SmOptions;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.subnet.Neighbors;
import io.torussm.view.CableHistory.End;
import io.torussm.view.CableHistory.Entry;
import io.torussm.view.CableHistory.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The decisions, as a function of history, settings and time alone. */
class IsolationStepTest {
    private static final SmOptions.Isolation RULES = new SmOptions.Isolation(3, 600, 50, 2, 3600);
    private static final Instant START = Instant.parse("2026-11-25T00:00:00Z");

    private final List<Entry> history = new ArrayList<>();
    private final Map<Neighbors.End, Drain> drained = new HashMap<>();
    private final List<CableErrors> errors = new ArrayList<>();
    private Predicate<CableRecord> isRefused = cable -> false;

    private static End end(long cable, int side) {
        return new End(new Neighbors.End(cable, side), "sw-" + cable + " port " + side);
    }

    private void happened(long cable, Kind kind, long atS) {
        history.add(new Entry(START.plusSeconds(atS), kind, end(cable, 1), end(cable, 2)));
    }

    private void downs(long cable, long... atS) {
        for (long at : atS) {
            happened(cable, Kind.DOWN, at);
            happened(cable, Kind.UP, at + 1);
        }
    }

    private Drain isolate(long cable, long atS) {
        happened(cable, Kind.ISOLATED, atS);
        Drain drain = new Drain(cable, 2, "cable " + cable, START.plusSeconds(atS), Drains.Cause.ISOLATION);
        drained.put(end(cable, 2).port(), drain);
        return drain;
    }

    private IsolationStep next(SmOptions.Isolation rules, long atS) {
        Instant now = START.plusSeconds(atS);
        List<Drain> isolations =
                drained.values().stream().filter(Drain::isIsolation).toList();
        return IsolationStep.next(
                rules,
                new IsolationStep.Known(CableRecord.of(history, errors, now), isolations, drained, isRefused),
                now);
    }

    private String step(long atS) {
        IsolationStep next = next(RULES, atS);
        if (next instanceof IsolationStep.Isolate isolate) {
            return "isolate " + isolate.cable().near().port().portGuid();
        }
        return next instanceof IsolationStep.Release release
                ? "release " + release.drain().nodeGuid()
                : "rest";
    }

    @Test
    void downsCountWithinTheWindow() {
        downs(1, 0, 300);
        assertThat(step(400)).isEqualTo("rest");
        downs(1, 599);
        assertThat(step(599)).isEqualTo("isolate 1");
        assertThat(step(600)).as("the first one is too long ago").isEqualTo("rest");
    }

    @Test
    void theWorstComesFirstAndOneThatCannotBeSparedIsPassedOver() {
        downs(1, 0, 10, 20);
        downs(2, 0, 10, 20, 30);
        assertThat(step(40)).isEqualTo("isolate 2");
        isRefused = cable -> cable.near().port().portGuid() == 2;
        assertThat(step(40)).isEqualTo("isolate 1");
    }

    @Test
    void drainsOfAnOperatorStay() {
        downs(1, 0, 10, 20);
        drained.put(end(1, 1).port(), new Drain(1, 1, "mine", START));
        assertThat(step(40)).isEqualTo("rest");
        assertThat(step(999_999)).isEqualTo("rest");
    }

    @Test
    void noMoreThanTheRulesAllow() {
        isolate(1, 0);
        isolate(2, 0);
        downs(3, 0, 10, 20);
        assertThat(step(40)).isEqualTo("rest");
    }

    @Test
    void theOneThatWasQuietLongestIsReleasedFirst() {
        isolate(1, 0);
        isolate(2, 0);
        downs(1, 100);
        assertThat(step(3599)).isEqualTo("rest");
        assertThat(step(3600)).isEqualTo("release 2");
    }

    @Test
    void oneThatIsDownIsNotQuiet() {
        isolate(1, 0);
        happened(1, Kind.DOWN, 10);
        assertThat(step(500_000)).isEqualTo("rest");
        happened(1, Kind.UP, 500_001);
        assertThat(step(503_600)).isEqualTo("rest");
        assertThat(step(503_601)).isEqualTo("release 1");
    }

    @Test
    void downsBeforeTheReleaseDoNotCount() {
        downs(1, 0, 10, 20);
        happened(1, Kind.ISOLATED, 25);
        happened(1, Kind.RELEASED, 30);
        assertThat(step(40)).isEqualTo("rest");
        downs(1, 50, 60, 70);
        assertThat(step(80)).isEqualTo("isolate 1");
    }

    @Test
    void aCableWithAnotherPartnerBeginsAnew() {
        downs(1, 0, 10, 20);
        happened(1, Kind.REPLACED, 25);
        assertThat(step(40)).isEqualTo("rest");
    }

    @Test
    void isolationsWithoutAHistoryAreReleased() {
        drained.put(end(1, 2).port(), new Drain(1, 2, "lost", START, Drains.Cause.ISOLATION));
        assertThat(step(10)).isEqualTo("release 1");
    }

    @Test
    void errorsIsolateToo() {
        errors.add(new CableErrors(end(1, 1), end(1, 2), 49.9));
        assertThat(step(0)).isEqualTo("rest");
        errors.add(new CableErrors(end(1, 2), end(1, 1), 50));
        assertThat(step(0)).as("the other end has more").isEqualTo("isolate 1");
        happened(1, Kind.ISOLATED, 10);
        happened(1, Kind.RELEASED, 3610);
        assertThat(step(3700)).as("on probation").isEqualTo("rest");
        assertThat(step(7210)).isEqualTo("isolate 1");
    }

    @Test
    void timesDoubleUpToADay() {
        assertThat(RULES.quiet(1)).isEqualTo(Duration.ofHours(1));
        assertThat(RULES.quiet(2)).isEqualTo(Duration.ofHours(2));
        assertThat(RULES.quiet(5)).isEqualTo(Duration.ofHours(16));
        assertThat(RULES.quiet(6)).isEqualTo(Duration.ofDays(1));
        assertThat(RULES.quiet(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
        assertThat(new SmOptions.Isolation(3, 600, 0, 2, 604_800).quiet(3)).isEqualTo(Duration.ofDays(7));
    }

    @Test
    void switchedOffReleasesEvenDownLinks() {
        isolate(1, 0);
        happened(1, Kind.DOWN, 10);
        assertThat(next(new SmOptions.Isolation(0, 600, 0, 2, 3600), 20)).isInstanceOf(IsolationStep.Release.class);
    }
}
