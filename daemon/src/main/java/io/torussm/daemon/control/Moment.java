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
 * A moment of the past as people write it: the number of a sweep; a time as it is shown everywhere, such as
 * {@code 2026-11-25T09:30:00Z}, also without seconds and Z; {@code HH:MM}, the last time that it was that
 * late; {@code -10m}, ago, in s, m, h or d. Times are UTC, as all times that are shown.
 */
public final class Moment {
    /** How it may be written, for usage and errors. */
    public static final String FORMS =
            "the number of a sweep, a time (2026-11-25T09:30Z, 09:30; all in UTC), or how long ago (-10m, in s, m, h"
                    + " or d)";

    private static final Pattern SWEEP = Pattern.compile("\\d{1,18}");
    private static final Pattern CLOCK = Pattern.compile("\\d\\d:\\d\\d(:\\d\\d)?");
    private static final Pattern AGO = Pattern.compile("-(\\d{1,6})([smhd])");

    private Moment() {}

    /**
     * Returns the change that began the state at that time.
     *
     * @return empty if no stored change is that old
     * @throws DateTimeException if the text is invalid
     */
    public static Optional<Change> find(ChangeHistory changes, String word, Instant now) {
        return SWEEP.matcher(word).matches() ? changes.at(Long.parseLong(word)) : changes.at(time(word, now));
    }

    /**
     * Returns the range of known sweeps if a word is the number of a future sweep.
     *
     * @param newest the last sweep of this run
     * @return empty if the word is no such number
     */
    public static Optional<String> unknown(ChangeHistory changes, String word, long newest) {
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

    private static Instant time(String word, Instant now) {
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
