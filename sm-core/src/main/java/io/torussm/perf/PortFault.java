package io.torussm.perf;

import java.util.Locale;

/**
 * A counter of a port that exceeds its limit.
 *
 * @param counter error counter, or {@link Counter#XMIT_WAIT} for congestion
 * @param value errors per hour, or the share of time without credit, 0 to 1
 * @param limit threshold in the same unit
 */
public record PortFault(Counter counter, double value, double limit) {
    private static final double PERCENT = 100;

    /** Checks whether this is congestion, of which the cause is the load, and not the link. */
    public boolean isCongestion() {
        return counter == Counter.XMIT_WAIT;
    }

    /** Returns the value as a multiple of the limit. */
    public double excess() {
        return value / limit;
    }

    /** Returns a text for operators, such as {@code LinkDownedCounter 5 an hour (limit 2)}. */
    public String text() {
        return isCongestion()
                ? String.format(
                        Locale.ROOT,
                        "no credit for %.0f %% of the time (limit %.0f %%)",
                        PERCENT * value,
                        PERCENT * limit)
                : counter.attribute() + " " + number(value) + " an hour (limit " + number(limit) + ")";
    }

    private static String number(double value) {
        return value >= 10 ? Long.toString(Math.round(value)) : String.format(Locale.ROOT, "%.1f", value);
    }
}
