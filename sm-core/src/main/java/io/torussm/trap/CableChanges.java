package io.torussm.trap;

import io.torussm.view.CableHistory;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a flapping link. Their unit is that of the events about its losses and returns, so that lines of the
 * log add up. If sweeps have found fewer than two changes, the reports of a switch (trap 128) show that the link flaps.
 *
 * @param losses number of losses that sweeps have found
 * @param returns number of returns that sweeps have found
 * @param reports number of reports of a switch, which may be about other ports, too
 * @param last time of the last change that a sweep has found; null if there was none
 */
record CableChanges(
        int losses, int returns, int reports, @Nullable Instant last) {
    /** Counts entries of the history about one cable. */
    static CableChanges of(List<CableHistory.Entry> entries, int reports) {
        int losses =
                (int) entries.stream().filter(entry -> entry.kind().isLoss()).count();
        Instant last =
                entries.isEmpty() ? null : entries.get(entries.size() - 1).at();
        return new CableChanges(losses, entries.size() - losses, reports, last);
    }

    private boolean isOfSweeps() {
        return losses + returns > 1;
    }

    /** Returns the number that the text shows: losses and returns, or reports. */
    int count() {
        return isOfSweeps() ? losses + returns : reports;
    }

    /**
     * Returns the changes as a sentence, to which the duration is added. A loss and return between two sweeps is not
     * among them: the second sweep finds the link as it was, and activates it again.
     */
    String text() {
        return isOfSweeps()
                ? "sweeps found it "
                        + Stream.of(times("lost", losses), times("back", returns))
                                .filter(part -> !part.isEmpty())
                                .collect(Collectors.joining(" and "))
                : "its switch reported " + reports + " changes";
    }

    private static String times(String change, int count) {
        return count == 0 ? "" : change + (count == 1 ? " once" : " " + count + " times");
    }
}
