package io.torussm.daemon.journal;

import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The subject of lines of the log, each of which has its own pause, see {@link LinePace}. {@code hashCode} is written
 * by hand, because the generated one loads further classes at the start.
 *
 * @param about device, or text of an event without a device; then the identity of a condition
 */
record LineKey(String code, String about) {
    /** The subject of summaries of sweeps. */
    static final LineKey UP = new LineKey(SmEvent.SUBNET_UP.code(), "");

    /** The codes of changes that alter the numbers of a summary, and what an inventory compares. */
    private static final Set<String> CHANGES = Stream.of(
                    SmEvent.HOST_GONE,
                    SmEvent.HOST_BACK,
                    SmEvent.HOSTS_CHANGED,
                    SmEvent.CABLE_LOST,
                    SmEvent.CABLE_BACK,
                    SmEvent.SWITCH_LOST,
                    SmEvent.SWITCH_BACK,
                    SmEvent.MANY_LOST,
                    SmEvent.MANY_BACK,
                    SmEvent.PARTLY_BACK)
            .map(SmEvent::code)
            .collect(Collectors.toUnmodifiableSet());

    /** The codes that compare the changed fabric with the accepted one. */
    private static final Set<String> COMPARISONS =
            Set.of(SmEvent.INVENTORY_DIFFERS.code(), SmEvent.INVENTORY_AGREES.code());

    /** Returns the subject of an event. */
    static LineKey of(Journal.Entry event) {
        if (event.code().equals(UP.code())) {
            return UP;
        }
        String device = LogSubject.device(event.fields());
        String about = device.isEmpty() ? event.text() : device;
        return new LineKey(event.code(), Conditions.isConditionEvent(event) ? about + Conditions.key(event) : about);
    }

    boolean isChange() {
        return CHANGES.contains(code);
    }

    boolean isComparison() {
        return COMPARISONS.contains(code);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LineKey key && key.code.equals(code) && key.about.equals(about);
    }

    @Override
    public int hashCode() {
        return 31 * code.hashCode() + about.hashCode();
    }
}
