package io.torussm.perf;

import java.util.Locale;

/**
 * A counter over its limit.
 *
 * @param counter the error, or {@link Counter#XMIT_WAIT} for congestion
 * @param value errors an hour, or the share of time without credit
 * @param limit threshold in the same unit
 */
public record PortFault(Counter counter, double value, double limit) {
    private static final double PERCENT = 100;

    /** Checks whether the load is the cause, and not the link. */
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
