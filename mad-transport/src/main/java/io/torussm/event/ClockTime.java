package io.torussm.event;

import java.time.Instant;
import java.time.LocalDate;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;

/** Times in texts of lines, in the time zone of the log. A formatter would load locale data on first use. */
public final class ClockTime {
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

    private ClockTime() {}

    /** Returns hours, minutes and seconds, after the date if it is not the day of a line. */
    public static String of(Instant time, Instant line) {
        long localMs = localMs(time);
        long ofDay = TimeUnit.MILLISECONDS.toSeconds(Math.floorMod(localMs, DAY_MS));
        String clock = digits(ofDay / 3600) + ":" + digits(ofDay / 60 % 60) + ":" + digits(ofDay % 60);
        boolean isSameDay = Math.floorDiv(localMs, DAY_MS) == Math.floorDiv(localMs(line), DAY_MS);
        return isSameDay ? clock : LocalDate.ofEpochDay(Math.floorDiv(localMs, DAY_MS)) + " " + clock;
    }

    private static long localMs(Instant time) {
        long ms = time.toEpochMilli();
        return ms + TimeZone.getDefault().getOffset(ms);
    }

    private static String digits(long value) {
        return value < 10 ? "0" + value : Long.toString(value);
    }
}
