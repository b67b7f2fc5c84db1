package io.torussm.trap;

import io.torussm.mad.smp.Notice;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** What became of the traps that came in, by trap number. A fixed number of counters, whatever is sent; from any thread. */
public final class TrapCounts {
    /** Traps that are counted by number; after them those of all other numbers, and those of vendors. */
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

    /** Creates counters that are all zero. */
    public TrapCounts() {
        for (Disposition disposition : Disposition.values()) {
            counts.put(disposition, new AtomicLongArray(KINDS));
        }
    }

    /**
     * Traps of one number that met one disposition.
     *
     * @param trap its number, or {@code other}, or {@code vendor}
     */
    public record Count(String trap, Disposition disposition, long count) {}

    /** What is done about a trap. */
    public enum Disposition {
        /** What it calls for, at once. */
        ACTED_ON,
        /** Nothing by itself: its source sends many, and is served at intervals. */
        DAMPED,
        /** Nothing: it is about nobody that is known, or not from whom it names, or of no interest to an SM. */
        IGNORED
    }

    /** Counts a trap. */
    public void count(Notice notice, Disposition disposition) {
        counters(disposition).incrementAndGet(kind(notice));
    }

    /** Counts something that is no notice as the standard defines it. */
    public void countMalformed() {
        malformed.incrementAndGet();
    }

    /** Notices that made no sense. */
    public long malformed() {
        return malformed.get();
    }

    /** Traps of one number; for numbers that have no counter of their own, of all those together. */
    public long count(int trapNumber, Disposition disposition) {
        return counters(disposition).get(kind(trapNumber));
    }

    /** By number and disposition, those of which there were none included. */
    public List<Count> counted() {
        List<Count> counted = new ArrayList<>();
        for (int kind = 0; kind < KINDS; kind++) {
            String trap = kind == OTHERS ? "other" : kind == VENDOR ? "vendor" : String.valueOf(NUMBERS[kind]);
            for (Disposition disposition : Disposition.values()) {
                counted.add(new Count(trap, disposition, counters(disposition).get(kind)));
            }
        }
        return counted;
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
