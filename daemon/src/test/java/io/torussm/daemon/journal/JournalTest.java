package io.torussm.daemon.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The limits of the journal: number and length of its events. */
class JournalTest {
    private final Journal journal = new Journal();

    @Test
    void keepsTheLastEventsOnly() {
        for (int i = 1; i <= Journal.CAPACITY + 5; i++) {
            journal.add(Instant.EPOCH, "info", "", "event " + i, Map.of());
        }
        assertThat(journal.after(0)).hasSize(Journal.CAPACITY);
        assertThat(journal.after(0).get(0))
                .isEqualTo(new Journal.Entry(6, Instant.EPOCH, "info", "", "event 6", Map.of()));
        assertThat(journal.after(journal.last() - 1)).hasSize(1);
    }

    @Test
    void keepsAnEventOnOneLineOfBoundedLength() {
        journal.add(Instant.EPOCH, "warn", "", "one\ntwo", Map.of());
        journal.add(Instant.EPOCH, "warn", "", "x".repeat(100_000), Map.of());
        assertThat(journal.after(0).get(0).text()).isEqualTo("one | two");
        assertThat(journal.after(1).get(0).text()).hasSizeLessThan(3000);
    }
}
