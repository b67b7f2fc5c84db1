package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of events that a wheel returns, and that no event is lost. */
class EventWheelTest {
    private record Event(long time, int number) {}

    /** Times are within the wheel, at its edge and far beyond it; handling an event may add others. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void givesAllInTheOrderOfTheirTimes(long seed) {
        Random random = Seeds.random(seed);
        EventWheel wheel = new EventWheel();
        List<Event> added = new ArrayList<>();
        List<Event> taken = new ArrayList<>();
        for (long end = 0; added.size() < 5_000; end += random.nextInt(30_000)) {
            while (wheel.removeNext(end)) {
                taken.add(new Event(wheel.nowNs(), wheel.type()));
                if (random.nextInt(3) == 0) {
                    add(wheel, random, added);
                }
            }
            assertThat(wheel.nowNs()).isEqualTo(end);
            for (int i = random.nextInt(20); i > 0; i--) {
                add(wheel, random, added);
            }
        }
        while (wheel.removeNext(Long.MAX_VALUE)) {
            taken.add(new Event(wheel.nowNs(), wheel.type()));
        }
        assertThat(wheel.isEmpty()).isTrue();
        assertThat(taken).isSortedAccordingTo(Comparator.comparingLong(Event::time));
        assertThat(taken).containsExactlyInAnyOrderElementsOf(added);
    }

    private static void add(EventWheel wheel, Random random, List<Event> added) {
        int[] spans = {3, 1_000, 1 << 14, (1 << 14) + 2, 1_000_000};
        Event event = new Event(wheel.nowNs() + random.nextInt(spans[random.nextInt(spans.length)]), added.size());
        added.add(event);
        wheel.add(event.time, event.number, 0);
    }
}
