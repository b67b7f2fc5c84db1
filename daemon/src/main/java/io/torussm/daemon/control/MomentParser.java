package io.torussm.daemon.control;

import io.torussm.history.Change;
import io.torussm.history.ChangeHistory;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parser of moments in the past. A moment has one of four forms. It is the number of a sweep, or a time such as
 * {@code 2026-11-25T09:30:00Z}, of which seconds and Z may be absent. A clock time {@code HH:MM} is in the last 24
 * hours. An age such as {@code -10m} is in s, m, h or d. Times are in UTC.
 */
public final class MomentParser {
    /** The forms of a moment, for usage texts and errors. */
    public static final String SYNTAX =
            "the number of a sweep, a time (2026-11-25T09:30Z, 09:30; all in UTC), or how long ago (-10m, in s, m, h"
                    + " or d)";

    private static final Pattern SWEEP = Pattern.compile("\\d{1,18}");
    private static final Pattern CLOCK = Pattern.compile("\\d\\d:\\d\\d(:\\d\\d)?");
    private static final Pattern AGO = Pattern.compile("-(\\d{1,6})([smhd])");

    private MomentParser() {}

    /**
     * Returns the change that began the state at a moment.
     *
     * @param word text of the moment
     * @param now current time, for ages and clock times
     *
     * @return empty if no stored change is that old
     * @throws DateTimeException if the text is invalid
     */
    public static Optional<Change> find(ChangeHistory changes, String word, Instant now) {
        return SWEEP.matcher(word).matches() ? changes.at(Long.parseLong(word)) : changes.at(time(word, now));
    }

    /**
     * Returns an error text with the range of known sweeps if a word is the number of a future sweep.
     *
     * @param newest number of the last sweep of this process
     * @return empty if the word is no number of a future sweep, or if no change is stored
     */
    public static Optional<String> futureSweepError(ChangeHistory changes, String word, long newest) {
        if (!SWEEP.matcher(word).matches()) {
            return Optional.empty();
        }
        long sweep = Long.parseLong(word);
        List<Change> all = changes.changes();
        long last = all.isEmpty()
                ? newest
                : Math.max(newest, all.get(all.size() - 1).sweep());
        if (all.isEmpty() || sweep <= last || all.stream().anyMatch(each -> each.sweep() == sweep)) {
            return Optional.empty();
        }
        long first = last;
        for (int i = all.size() - 1; i >= 0; i--) {
            first = Math.min(first, all.get(i).sweep());
            if (all.get(i).isFirst()) {
                break;
            }
        }
        return Optional.of("there is no sweep " + word + ": sweeps " + first + " to " + last + " are known");
    }

    /**
     * Returns the time of a moment that is no number of a sweep.
     *
     * @param now current time, for ages and clock times
     * @throws DateTimeException if the text is invalid
     */
    public static Instant time(String word, Instant now) {
        Matcher ago = AGO.matcher(word);
        if (ago.matches()) {
            long count = Long.parseLong(ago.group(1));
            return now.minus(
                    switch (ago.group(2)) {
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        case "h" -> Duration.ofHours(count);
                        default -> Duration.ofDays(count);
                    });
        }
        if (CLOCK.matcher(word).matches()) {
            Instant today = LocalTime.parse(word)
                    .atDate(now.atOffset(ZoneOffset.UTC).toLocalDate())
                    .toInstant(ZoneOffset.UTC);
            return today.isAfter(now) ? today.minus(Duration.ofDays(1)) : today;
        }
        String local = word.endsWith("Z") ? word.substring(0, word.length() - 1) : word;
        return LocalDateTime.parse(local).toInstant(ZoneOffset.UTC);
    }
}
