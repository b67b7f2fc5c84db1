package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reader of a log who adds up the losses and returns of each cable that flapped. The sums are those of the line about
 * its end.
 */
final class FlapSums {
    private static final Pattern OWN = Pattern.compile("\\((\\d+) times since");
    private static final Pattern REPLACED = Pattern.compile("not logged since [\\d:]+: ([^;)]+)");
    private static final Pattern CHANGES = Pattern.compile("(lost|back) (?:once|(\\d+) times)");

    /** Time without a change after which a link no longer flaps. */
    private static final Duration QUIET = Duration.ofSeconds(30);

    /** Time after the line about the end in which the last state of the link may follow it. */
    private static final Duration AFTER = Duration.ofSeconds(1);

    private final List<Journal.Entry> lines;
    private int losses;
    private int returns;

    private FlapSums(List<Journal.Entry> lines) {
        this.lines = lines;
    }

    /** Checks the sums, and that routes are mentioned; returns the number of cables that flapped. */
    static int check(List<Journal.Entry> lines) {
        List<Journal.Entry> ends = lines.stream()
                .filter(line -> line.code().equals(SmEvent.LINK_QUIET.code()))
                .toList();
        ends.forEach(end -> new FlapSums(lines).check(end));
        return ends.size();
    }

    private void check(Journal.Entry end) {
        String device = LogSubject.device(end.fields());
        long seconds = Long.parseLong(end.fields().get(EventField.SECONDS.key()));
        Instant from = end.time().minus(QUIET).minusSeconds(seconds + 1);
        lines.stream()
                .filter(line -> LogSubject.device(line.fields()).equals(device))
                .filter(line -> line.time().isAfter(from)
                        && !line.time().isAfter(end.time().plus(AFTER)))
                .forEach(this::add);
        assertThat(end.fields().get(EventField.REASON.key()))
                .as("the sums of the lines until %s", end.line())
                .isEqualTo("sweeps found it " + words("lost", losses) + " and " + words("back", returns));
        assertThat(end.fields()).containsEntry(EventField.COUNT.key(), Integer.toString(losses + returns));
        assertThat(end.text()).contains(" routes use it again");
    }

    private static String words(String change, int count) {
        return change + (count == 1 ? " once" : " " + count + " times");
    }

    private void add(Journal.Entry line) {
        Matcher own = OWN.matcher(line.text());
        int count = own.find() ? Integer.parseInt(own.group(1)) : 1;
        losses += line.code().equals(SmEvent.CABLE_LOST.code()) ? count : 0;
        returns += line.code().equals(SmEvent.CABLE_BACK.code()) ? count : 0;
        REPLACED.matcher(line.text())
                .results()
                .flatMap(found -> CHANGES.matcher(found.group(1)).results())
                .forEach(change -> {
                    int times = change.group(2) == null ? 1 : Integer.parseInt(change.group(2));
                    losses += change.group(1).equals("lost") ? times : 0;
                    returns += change.group(1).equals("back") ? times : 0;
                });
    }
}
