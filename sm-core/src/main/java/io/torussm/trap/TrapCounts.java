package io.torussm.trap;

import io.torussm.mad.smp.Notice;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of received traps by trap number and disposition. Any thread. No input adds counters, so that memory is
 * bounded.
 */
public final class TrapCounts {
    /** Traps with own counters; two more counters are for other numbers and for vendors' traps. */
    private static final int[] NUMBERS = {
        Notice.TRAP_LINK_STATE_CHANGE,
        Notice.TRAP_LINK_INTEGRITY,
        Notice.TRAP_BUFFER_OVERRUN,
        Notice.TRAP_FLOW_CONTROL,
        Notice.TRAP_LOCAL_CHANGES,
        Notice.TRAP_SYSTEM_IMAGE_GUID,
        Notice.TRAP_BAD_M_KEY,
        Notice.TRAP_BAD_P_KEY,
        Notice.TRAP_BAD_Q_KEY,
        Notice.TRAP_BAD_P_KEY_AT_SWITCH
    };

    private static final int OTHERS = NUMBERS.length;
    private static final int VENDOR = OTHERS + 1;
    private static final int KINDS = VENDOR + 1;

    private final Map<Disposition, AtomicLongArray> counts = new EnumMap<>(Disposition.class);
    private final AtomicLong malformed = new AtomicLong();

    /** Creates counters with value 0. */
    public TrapCounts() {
        for (Disposition disposition : Disposition.values()) {
            counts.put(disposition, new AtomicLongArray(KINDS));
        }
    }

    /**
     * Traps of one number with one disposition.
     *
     * @param trap number, or {@code other}, or {@code vendor}
     */
    public record Count(String trap, Disposition disposition, long count) {}

    /** The action on a trap. */
    public enum Disposition {
        /** The SM acted on it immediately. */
        ACTED_ON,
        /** No action of its own: its source sends many, and the SM acts at intervals. */
        DAMPED,
        /** No action: the device is unknown or another one sent the trap, or it is irrelevant for an SM. */
        IGNORED
    }

    /** Counts a trap. */
    public void count(Notice notice, Disposition disposition) {
        counters(disposition).incrementAndGet(kind(notice));
    }

    /** Counts a malformed notice, such as one with undefined fields. */
    public void countMalformed() {
        malformed.incrementAndGet();
    }

    /** Returns the number of malformed notices. */
    public long malformed() {
        return malformed.get();
    }

    /**
     * Returns the number of traps of one number; for numbers without an own counter, of all those together.
     */
    public long count(int trapNumber, Disposition disposition) {
        return counters(disposition).get(kind(trapNumber));
    }

    /** Returns all counters by number and disposition, including 0. */
    public List<Count> counts() {
        List<Count> counts = new ArrayList<>();
        for (int kind = 0; kind < KINDS; kind++) {
            String trap = kind == OTHERS ? "other" : kind == VENDOR ? "vendor" : String.valueOf(NUMBERS[kind]);
            for (Disposition disposition : Disposition.values()) {
                counts.add(new Count(trap, disposition, counters(disposition).get(kind)));
            }
        }
        return counts;
    }

    private static int kind(Notice notice) {
        return notice.isGeneric() ? kind(notice.trapNumber()) : VENDOR;
    }

    private static int kind(int trapNumber) {
        for (int kind = 0; kind < OTHERS; kind++) {
            if (NUMBERS[kind] == trapNumber) {
                return kind;
            }
        }
        return OTHERS;
    }

    private AtomicLongArray counters(Disposition disposition) {
        return Objects.requireNonNull(counts.get(disposition));
    }
}
