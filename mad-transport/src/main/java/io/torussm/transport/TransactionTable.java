package io.torussm.transport;

import io.torussm.mad.MadHeader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions on the wire, and their IDs. Confined to the loop of its client.
 *
 * <p>The umad device of the kernel owns the upper 32 bits of a transaction ID. The lower ones are a slot number in the
 * lowest {@value #SLOT_BITS} bits, and a generation above it. So a late response to an earlier transaction, or to an
 * earlier process, matches no transaction.
 *
 * @param <T> transaction
 */
final class TransactionTable<T extends TransactionTable.Entry> {
    private static final int SLOT_BITS = 12;

    /** Max slots of a table. */
    static final int MAX_SLOTS = 1 << SLOT_BITS;

    private static final long TID_MASK = 0xffffffffL;

    private final @Nullable Entry[] slots;

    /** The numbers of free slots, a stack of {@link #freeCount} elements. */
    private final int[] freeSlots;

    private int freeCount;

    /** The number of the last opened transaction; its lower 20 bits are part of the ID. */
    private int generation;

    /** An entry of the table. */
    abstract static class Entry {
        /** Lower 32 bits of the transaction ID; valid while the entry has a slot. */
        long tid;

        /** Index of the entry in the table; negative while it is not in the table. */
        int slot = -1;

        /** Checks whether a MAD with this transaction ID belongs to the entry. */
        abstract boolean isAnsweredBy(byte[] mad);
    }

    /**
     * Creates an empty table.
     *
     * @param window number of slots, 1 to {@link #MAX_SLOTS}
     * @param seed initial generation
     */
    TransactionTable(int window, int seed) {
        slots = new Entry[window];
        freeSlots = new int[window];
        for (int i = 0; i < window; i++) {
            freeSlots[i] = window - 1 - i;
        }
        freeCount = window;
        generation = seed;
    }

    int size() {
        return slots.length;
    }

    boolean hasRoom() {
        return freeCount > 0;
    }

    /** Returns the number of slots without a transaction. */
    int freeCount() {
        return freeCount;
    }

    boolean isEmpty() {
        return freeCount == slots.length;
    }

    /** Assigns a slot and an ID to a transaction. There must be a free slot. */
    void open(T transaction) {
        int slot = freeSlots[--freeCount];
        slots[slot] = transaction;
        transaction.slot = slot;
        transaction.tid = nextTid(slot);
    }

    /** Returns the next transaction ID. The generation in it is never 0, so the ID is never 0. */
    private long nextTid(int slot) {
        generation++;
        if (((long) generation << SLOT_BITS & TID_MASK) == 0) {
            generation++;
        }
        return ((long) generation << SLOT_BITS | slot) & TID_MASK;
    }

    void close(T transaction) {
        slots[transaction.slot] = null;
        freeSlots[freeCount++] = transaction.slot;
        transaction.slot = -1;
    }

    /** Returns the transaction that a MAD answers, by lower TID bits and {@link Entry#isAnsweredBy}; otherwise null. */
    @SuppressWarnings("unchecked") // only open() fills slots
    @Nullable
    T find(byte[] mad) {
        long tid = MadHeader.tid(mad) & TID_MASK;
        int slot = (int) (tid & (MAX_SLOTS - 1));
        Entry entry = slot < slots.length ? slots[slot] : null;
        return entry != null && entry.tid == tid && entry.isAnsweredBy(mad) ? (T) entry : null;
    }

    /** Returns all open transactions, in the order of their slots. */
    @SuppressWarnings("unchecked") // only open() fills slots
    List<T> openTransactions() {
        List<T> all = new ArrayList<>(slots.length - freeCount);
        for (Entry entry : slots) {
            if (entry != null) {
                all.add((T) entry);
            }
        }
        return all;
    }
}
