package io.torussm.view;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The time for which a part of the fabric was absent, in words. */
public final class TimeAway {
    private TimeAway() {}

    /**
     * Returns words such as "3 min 49 s", in the two largest units.
     *
     * @param since begin of the absence; null if it is unknown
     * @return words; empty if the begin is unknown
     */
    public static String of(@Nullable Instant since, Instant at) {
        if (since == null) {
            return "";
        }
        Duration away = Duration.between(since, at);
        if (away.compareTo(Duration.ofSeconds(1)) < 0) {
            return "less than 1 s";
        } else if (away.toDays() > 0) {
            return words(away.toDays(), "d", away.toHoursPart(), "h");
        } else if (away.toHours() > 0) {
            return words(away.toHours(), "h", away.toMinutesPart(), "min");
        } else if (away.toMinutes() > 0) {
            return words(away.toMinutes(), "min", away.toSecondsPart(), "s");
        }
        return away.toSeconds() + " s";
    }

    private static String words(long large, String largeUnit, int small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
