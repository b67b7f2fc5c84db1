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
 * The next isolation or release of a cable, as a function of the cable history, the settings and the time. The end of
 * cable N with the lower port GUID is (N, 1), the other (N, 2).
 */
class IsolationStepTest {
    private static final SmOptions.Isolation SETTINGS = new SmOptions.Isolation(3, 600, 50, 2, 3600);
    private static final Instant START = Instant.parse("2026-11-25T00:00:00Z");

    private final List<Entry> history = new ArrayList<>();
    private final Map<Neighbors.CableEnd, Drain> drained = new HashMap<>();
    private final List<CableErrors> errors = new ArrayList<>();
    private Predicate<CableRecord> isRefused = cable -> false;

    @Test
    void downsCountWithinTheWindow() {
        downs(1, 0, 300);
        assertThat(step(400)).isEqualTo("rest");
        downs(1, 599);
        assertThat(step(599)).isEqualTo("isolate 1");
        assertThat(step(600)).as("the first one is too long ago").isEqualTo("rest");
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
    void drainsOfAnOperatorStay() {
        downs(1, 0, 10, 20);
        drained.put(end(1, 1).port(), new Drain(1, 1, "mine", START));
        assertThat(step(40)).isEqualTo("rest");
        assertThat(step(999_999)).isEqualTo("rest");
    }

    @Test
    void noMoreCablesAreIsolatedThanTheLimit() {
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
        assertThat(step(3599)).isEqualTo("rest");
        assertThat(step(3600)).isEqualTo("release 2");
    }

    @Test
    void aCableThatIsDownIsNotQuiet() {
        isolate(1, 0);
        addEntry(1, EntryType.DOWN, 10);
        assertThat(step(500_000)).isEqualTo("rest");
        addEntry(1, EntryType.UP, 500_001);
        assertThat(step(503_600)).isEqualTo("rest");
        assertThat(step(503_601)).isEqualTo("release 1");
    }

    @Test
    void downsBeforeTheReleaseDoNotCount() {
        downs(1, 0, 10, 20);
        addEntry(1, EntryType.ISOLATED, 25);
        addEntry(1, EntryType.RELEASED, 30);
        assertThat(step(40)).isEqualTo("rest");
        downs(1, 50, 60, 70);
        assertThat(step(80)).isEqualTo("isolate 1");
    }

    @Test
    void downsBeforeACableWasReplacedDoNotCount() {
        downs(1, 0, 10, 20);
        addEntry(1, EntryType.REPLACED, 25);
        assertThat(step(40)).isEqualTo("rest");
    }

    @Test
    void isolationsWithoutAHistoryAreReleased() {
        drained.put(end(1, 2).port(), new Drain(1, 2, "lost", START, Drains.Cause.ISOLATION));
        assertThat(step(10)).isEqualTo("release 1");
    }

    @Test
    void aCableWithTooManyErrorsIsIsolated() {
        errors.add(new CableErrors(end(1, 1), end(1, 2), 49.9));
        assertThat(step(0)).isEqualTo("rest");
        errors.add(new CableErrors(end(1, 2), end(1, 1), 50));
        assertThat(step(0)).as("the other end has more").isEqualTo("isolate 1");
        addEntry(1, EntryType.ISOLATED, 10);
        addEntry(1, EntryType.RELEASED, 3610);
        assertThat(step(3700)).as("on probation").isEqualTo("rest");
        assertThat(step(7210)).isEqualTo("isolate 1");
    }

    @Test
    void theQuietTimeDoublesUpToADay() {
        assertThat(SETTINGS.quiet(1)).isEqualTo(Duration.ofHours(1));
        assertThat(SETTINGS.quiet(2)).isEqualTo(Duration.ofHours(2));
        assertThat(SETTINGS.quiet(5)).isEqualTo(Duration.ofHours(16));
        assertThat(SETTINGS.quiet(6)).isEqualTo(Duration.ofDays(1));
        assertThat(SETTINGS.quiet(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
        assertThat(new SmOptions.Isolation(3, 600, 0, 2, 604_800).quiet(3)).isEqualTo(Duration.ofDays(7));
    }

    @Test
    void withoutIsolationEvenCablesThatAreDownAreReleased() {
        isolate(1, 0);
        addEntry(1, EntryType.DOWN, 10);
        assertThat(next(new SmOptions.Isolation(0, 600, 0, 2, 3600), 20)).isInstanceOf(IsolationStep.Release.class);
    }

    private static NamedEnd end(long cable, int side) {
        return new NamedEnd(new Neighbors.CableEnd(cable, side), "sw-" + cable + " port " + side);
    }

    private void addEntry(long cable, EntryType kind, long atS) {
        history.add(new Entry(START.plusSeconds(atS), kind, end(cable, 1), end(cable, 2)));
    }

    private void downs(long cable, long... atS) {
        for (long at : atS) {
            addEntry(cable, EntryType.DOWN, at);
            addEntry(cable, EntryType.UP, at + 1);
        }
    }

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
