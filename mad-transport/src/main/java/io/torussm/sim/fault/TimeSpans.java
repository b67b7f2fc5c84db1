package io.torussm.sim.fault;

import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans of time as operators write them, such as {@code 10 s}, {@code 500ms} or {@code 1.5 m}; from 0 to a year. */
final class TimeSpans {
    /** The pattern of a span: group 1 is the number, group 2 the unit. */
    static final String PATTERN = "(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s|min|m|h|d)";

    private static final String EXAMPLE = "; write it as 10 s, 500 ms, 1.5 m or 2 h";
    private static final Pattern SPAN = Pattern.compile(PATTERN);
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(?:\\.\\d{1,9})?");
    private static final Map<String, TimeUnit> UNITS = Map.of(
            "ms",
            TimeUnit.MILLISECONDS,
            "s",
            TimeUnit.SECONDS,
            "m",
            TimeUnit.MINUTES,
            "min",
            TimeUnit.MINUTES,
            "h",
            TimeUnit.HOURS,
            "d",
            TimeUnit.DAYS);
    private static final long MAX_NS = TimeUnit.DAYS.toNanos(366);

    private TimeSpans() {}

    /**
     * Returns a span in nanoseconds, and removes its one or two words.
     *
     * @throws BadLineException if the words are no span up to a year
     */
    static long parse(Iterator<String> words) throws BadLineException {
        if (!words.hasNext()) {
            throw new BadLineException("a time is missing" + EXAMPLE);
        }
        String first = words.next();
        String text = NUMBER.matcher(first).matches() && words.hasNext() ? first + words.next() : first;
        Matcher matcher = SPAN.matcher(text);
        if (!matcher.matches()) {
            throw new BadLineException("\"" + text + "\" is no time" + EXAMPLE);
        }
        return ns(matcher.group(1), matcher.group(2));
    }

    /**
     * Returns the nanoseconds of a span.
     *
     * @param number number, as group 1 of {@link #PATTERN}
     * @param unit unit, as group 2 of {@link #PATTERN}
     * @throws BadLineException if the span is more than a year
     */
    static long ns(String number, String unit) throws BadLineException {
        double ns = Double.parseDouble(number)
                * UNITS.getOrDefault(unit, TimeUnit.SECONDS).toNanos(1);
        if (ns > MAX_NS) {
            throw new BadLineException(number + " " + unit + " is more than a year");
        }
        return Math.round(ns);
    }

    /** Returns a span in seconds for display. */
    static String text(long ns) {
        return String.format(Locale.ROOT, "%.3f s", ns / 1e9);
    }
}
