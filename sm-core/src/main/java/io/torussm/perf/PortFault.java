package io.torussm.perf;

import java.util.Locale;

/**
 * A counter that counts more than it should.
 *
 * @param counter the error, or {@link Counter#XMIT_WAIT} for congestion
 * @param value errors an hour, or the share of time without credit
 * @param limit the same
 */
public record PortFault(Counter counter, double value, double limit) {
    private static final double PERCENT = 100;

    /** Whether it is not the link but its load. */
    public boolean isCongestion() {
        return counter == Counter.XMIT_WAIT;
    }

    /** How many times the limit it is. */
    public double excess() {
        return value / limit;
    }

    /** For people, such as {@code LinkDownedCounter 5 an hour (limit 2)}. */
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
