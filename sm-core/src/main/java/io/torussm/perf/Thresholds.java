package io.torussm.perf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The limits of errors per hour, and of the share of time without credit. Their text is that of {@code
 * error_thresholds} of infiniband-diags: {@code LinkDownedCounter=2}, separated by commas. Immutable.
 *
 * <p>Counters without an entry have the limits of {@link #STANDARD}. The limit of symbol errors without an entry comes
 * from the permitted bit error rate: 10^-12 up to QDR, which has no error correction (IBA volume 2, 6.4), and 10^-15
 * after the error correction of faster links. All bits on the wire count, because links send symbols even without
 * packets.
 */
public final class Thresholds {
    /** The default limits. */
    public static final Thresholds STANDARD = new Thresholds(Map.of(), 0.2);

    /** The lowest limit of symbol errors, because fewer errors do not show a rate. */
    private static final double MIN_SYMBOL_ERRORS = 3;

    private static final double HOUR_S = 3600;
    private static final double BER = 1e-12;
    private static final double BER_CORRECTED = 1e-15;

    /** Default limits in errors per hour; a counter without an entry has no limit. */
    private static final Map<Counter, Double> DEFAULT_LIMITS = new EnumMap<>(Map.of(
            Counter.SYMBOL_ERRORS, 10.0,
            Counter.LINK_ERROR_RECOVERY, 3.0,
            Counter.LINK_DOWNED, 3.0,
            Counter.RCV_ERRORS, 10.0,
            Counter.RCV_REMOTE_PHYSICAL_ERRORS, 100.0,
            Counter.XMIT_DISCARDS, 100.0,
            Counter.XMIT_CONSTRAINT_ERRORS, 100.0,
            Counter.RCV_CONSTRAINT_ERRORS, 100.0,
            Counter.LOCAL_LINK_INTEGRITY_ERRORS, 3.0,
            Counter.EXCESSIVE_BUFFER_OVERRUN_ERRORS, 3.0));

    private final Map<Counter, Double> limits;
    private final double waitShare;

    private Thresholds(Map<Counter, Double> limits, double waitShare) {
        this.limits = limits.isEmpty() ? Map.of() : new EnumMap<>(limits);
        this.waitShare = waitShare;
    }

    /**
     * Parses the value of a setting.
     *
     * @throws IllegalArgumentException if the text is invalid; the message continues a sentence that begins with the
     *     name of the setting
     */
    public static Thresholds parse(String text) {
        Map<Counter, Double> limits = new EnumMap<>(Counter.class);
        for (String entry : text.split(",", -1)) {
            String[] parts = entry.strip().split("=", -1);
            if (text.isBlank()) {
                continue;
            }
            Counter counter =
                    Counter.named(parts[0].strip()).filter(Counter::isError).orElse(null);
            if (counter == null || parts.length != 2 || !parts[1].strip().matches("\\d{1,9}")) {
                throw new IllegalArgumentException("is COUNTER=N with commas, such as LinkDownedCounter=2; \""
                        + entry.strip() + "\" is none, and counters are " + names());
            }
            limits.put(counter, Double.valueOf(parts[1].strip()));
        }
        return new Thresholds(limits, STANDARD.waitShare);
    }

    private static String names() {
        return String.join(
                ", ", Counter.errors().stream().map(Counter::attribute).toList());
    }

    /**
     * Returns a copy with another limit of congestion.
     *
     * @param share share of time, from 0 (no limit) to 1
     */
    public Thresholds withWaitShare(double share) {
        return new Thresholds(limits, share);
    }

    /**
     * Returns the max number of errors of a counter per hour; 0 if there is no limit.
     *
     * @param link capacity of the link; null if it is unknown
     */
    double limit(Counter error, @Nullable LinkCapacity link) {
        Double configured = limits.get(error);
        if (configured != null) {
            return configured;
        } else if (error == Counter.SYMBOL_ERRORS && link != null) {
            double ber = isCorrected(link) ? BER_CORRECTED : BER;
            return Math.max(MIN_SYMBOL_ERRORS, ber * link.signalBits() * HOUR_S);
        }
        return DEFAULT_LIMITS.getOrDefault(error, 0.0);
    }

    private static boolean isCorrected(LinkCapacity link) {
        return link.speed().extActive() != 0 || link.speed().extActive2() != 0;
    }

    /**
     * Returns the counters that exceed their limits, by descending excess.
     *
     * @param hourly returns the errors of a counter per hour
     * @param waiting share of time without credit, 0 to 1
     * @param link capacity of the link; null if it is unknown
     * @param part factor of all limits, 1 for the limits themselves
     */
    List<PortFault> exceeded(
            ToDoubleFunction<Counter> hourly, double waiting, @Nullable LinkCapacity link, double part) {
        List<PortFault> found = new ArrayList<>();
        for (Counter error : Counter.errors()) {
            double value = hourly.applyAsDouble(error);
            double limit = value == 0 ? 0 : part * limit(error, link);
            if (limit > 0 && value > limit) {
                found.add(new PortFault(error, value, limit));
            }
        }
        if (waitShare > 0 && waiting > part * waitShare) {
            found.add(new PortFault(Counter.XMIT_WAIT, waiting, part * waitShare));
        }
        found.sort(Comparator.comparingDouble(PortFault::excess).reversed());
        return found;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Thresholds that && limits.equals(that.limits) && waitShare == that.waitShare;
    }

    @Override
    public int hashCode() {
        return limits.hashCode() + Double.hashCode(waitShare);
    }
}
