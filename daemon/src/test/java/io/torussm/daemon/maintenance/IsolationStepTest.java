package io.torussm.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.SmOptions;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.subnet.Neighbors;
import io.torussm.view.CableHistory.Entry;
import io.torussm.view.CableHistory.EntryType;
import io.torussm.view.CableHistory.NamedEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The next isolation or release of a cable, as a function of the cable history, the settings and the time in seconds. A
 * step is {@code isolate N}, {@code release N}, or {@code rest}. The end of cable N with the lower port GUID is (N, 1),
 * the other (N, 2). A cable is isolated after three losses in ten minutes, or with 50 errors a second; at most two
 * cables are; it is released after it was quiet for an hour.
 */
class IsolationStepTest {
    private static final int MAX_DOWNS = 3;
    private static final int WINDOW_S = 600;
    private static final int MAX_ERRORS = 50;
    private static final int MAX_ISOLATED = 2;
    private static final int QUIET_S = 3600;
    private static final SmOptions.Isolation SETTINGS =
            new SmOptions.Isolation(MAX_DOWNS, WINDOW_S, MAX_ERRORS, MAX_ISOLATED, QUIET_S);
    private static final Instant START = Instant.parse("2026-11-25T00:00:00Z");

    private final List<Entry> history = new ArrayList<>();
    private final Map<Neighbors.CableEnd, Drain> drained = new HashMap<>();
    private final List<CableErrors> errors = new ArrayList<>();

    /** Selects cables without which the fabric would not be routed. */
    private Predicate<CableRecord> isRefused = cable -> false;

    @Test
    void aCableIsIsolatedIfItWasLostTooOftenWithinTheWindow() {
        downs(1, 0, 300);
        assertThat(step(400)).isEqualTo("rest");
        downs(1, WINDOW_S - 1);
        assertThat(step(WINDOW_S - 1)).isEqualTo("isolate 1");
        assertThat(step(WINDOW_S)).as("the first loss is too long ago").isEqualTo("rest");
    }

    @Test
    void theWorstCableIsIsolatedFirstUnlessRoutesNeedIt() {
        downs(1, 0, 10, 20);
        downs(2, 0, 10, 20, 30);
        assertThat(step(40)).isEqualTo("isolate 2");
        isRefused = cable -> cable.near().port().portGuid() == 2;
        assertThat(step(40)).isEqualTo("isolate 1");
    }

    @Test
    void aCableThatAnOperatorDrainedIsNeitherIsolatedNorReleased() {
        downs(1, 0, 10, 20);
        drained.put(end(1, 1).port(), new Drain(1, 1, "mine", START));
        assertThat(step(40)).isEqualTo("rest");
        assertThat(step(999_999)).isEqualTo("rest");
    }

    @Test
    void aCableBeyondTheMaxNumberIsNotIsolated() {
        isolate(1, 0);
        isolate(2, 0);
        downs(3, 0, 10, 20);
        assertThat(step(40)).isEqualTo("rest");
    }

    @Test
    void theCableThatWasQuietLongestIsReleasedFirst() {
        isolate(1, 0);
        isolate(2, 0);
        downs(1, 100);
        assertThat(step(QUIET_S - 1)).isEqualTo("rest");
        assertThat(step(QUIET_S)).isEqualTo("release 2");
    }

    @Test
    void aCableThatIsDownIsNotQuiet() {
        isolate(1, 0);
        addEntry(1, EntryType.DOWN, 10);
        assertThat(step(500_000)).isEqualTo("rest");
        int upAt = 500_001;
        addEntry(1, EntryType.UP, upAt);
        assertThat(step(upAt + QUIET_S - 1)).isEqualTo("rest");
        assertThat(step(upAt + QUIET_S)).isEqualTo("release 1");
    }

    @Test
    void lossesBeforeTheReleaseDoNotCount() {
        downs(1, 0, 10, 20);
        addEntry(1, EntryType.ISOLATED, 25);
        addEntry(1, EntryType.RELEASED, 30);
        assertThat(step(40)).isEqualTo("rest");
        downs(1, 50, 60, 70);
        assertThat(step(80)).isEqualTo("isolate 1");
    }

    @Test
    void lossesBeforeACableWasReplacedDoNotCount() {
        downs(1, 0, 10, 20);
        addEntry(1, EntryType.REPLACED, 25);
        assertThat(step(40)).isEqualTo("rest");
    }

    @Test
    void anIsolationWithoutAHistoryIsReleased() {
        drained.put(end(1, 2).port(), new Drain(1, 2, "lost", START, Drains.Cause.ISOLATION));
        assertThat(step(10)).isEqualTo("release 1");
    }

    @Test
    void aCableWithTooManyErrorsIsIsolated() {
        errors.add(new CableErrors(end(1, 1), end(1, 2), MAX_ERRORS - 0.1));
        assertThat(step(0)).isEqualTo("rest");
        errors.add(new CableErrors(end(1, 2), end(1, 1), MAX_ERRORS));
        assertThat(step(0)).as("the other end has more").isEqualTo("isolate 1");
    }

    @Test
    void aReleasedCableWithTooManyErrorsIsIsolatedAgainAfterAnHour() {
        errors.add(new CableErrors(end(1, 1), end(1, 2), MAX_ERRORS));
        addEntry(1, EntryType.ISOLATED, 0);
        int releasedAt = QUIET_S;
        addEntry(1, EntryType.RELEASED, releasedAt);
        assertThat(step(releasedAt + 90)).as("on probation").isEqualTo("rest");
        assertThat(step(releasedAt + QUIET_S)).isEqualTo("isolate 1");
    }

    @Test
    void theQuietTimeDoublesWithEachIsolationUpToADay() {
        assertThat(SETTINGS.quiet(1)).isEqualTo(Duration.ofHours(1));
        assertThat(SETTINGS.quiet(2)).isEqualTo(Duration.ofHours(2));
        assertThat(SETTINGS.quiet(5)).isEqualTo(Duration.ofHours(16));
        assertThat(SETTINGS.quiet(6)).isEqualTo(Duration.ofDays(1));
        assertThat(SETTINGS.quiet(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void aQuietTimeOfMoreThanADayIsNotDoubled() {
        int week = (int) Duration.ofDays(7).toSeconds();
        assertThat(new SmOptions.Isolation(MAX_DOWNS, WINDOW_S, 0, MAX_ISOLATED, week).quiet(3))
                .isEqualTo(Duration.ofDays(7));
    }

    @Test
    void allIsolatedCablesAreReleasedWhenIsolationIsSwitchedOff() {
        isolate(1, 0);
        addEntry(1, EntryType.DOWN, 10);
        assertThat(next(new SmOptions.Isolation(0, WINDOW_S, 0, MAX_ISOLATED, QUIET_S), 20))
                .isInstanceOf(IsolationStep.Release.class);
    }

    private static NamedEnd end(long cable, int side) {
        return new NamedEnd(new Neighbors.CableEnd(cable, side), "sw-" + cable + " port " + side);
    }

    private void addEntry(long cable, EntryType kind, long atS) {
        history.add(new Entry(START.plusSeconds(atS), kind, end(cable, 1), end(cable, 2)));
    }

    /** Adds losses of a cable, each for a second. */
    private void downs(long cable, long... atS) {
        for (long at : atS) {
            addEntry(cable, EntryType.DOWN, at);
            addEntry(cable, EntryType.UP, at + 1);
        }
    }

    /** Adds an isolation, and drains the cable. */
    private Drain isolate(long cable, long atS) {
        addEntry(cable, EntryType.ISOLATED, atS);
        Drain drain = new Drain(cable, 2, "cable " + cable, START.plusSeconds(atS), Drains.Cause.ISOLATION);
        drained.put(end(cable, 2).port(), drain);
        return drain;
    }

    private IsolationStep next(SmOptions.Isolation settings, long atS) {
        Instant now = START.plusSeconds(atS);
        List<Drain> isolations =
                drained.values().stream().filter(Drain::isIsolation).toList();
        return IsolationStep.next(
                settings,
                new IsolationStep.IsolationInput(CableRecord.of(history, errors, now), isolations, drained, isRefused),
                now);
    }

    private String step(long atS) {
        IsolationStep next = next(SETTINGS, atS);
        if (next instanceof IsolationStep.Isolate isolate) {
            return "isolate " + isolate.cable().near().port().portGuid();
        }
        return next instanceof IsolationStep.Release release
                ? "release " + release.drain().nodeGuid()
                : "rest";
    }
}
