package io.torussm.transport;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transactions on the wire, and their IDs. Confined to the client's loop.
 *
 * <p>umad owns the upper 32 bits of a transaction ID, so only the lower ones are used: a slot number in the lowest
 * {@value #SLOT_BITS} bits and a generation above it. A late reply to an earlier transaction, or to an earlier life of the
 * process, therefore finds no match.
 */
final class TransactionTable {
    private static final int SLOT_BITS = 12;

    /** The most transactions that a table has room for. */
    static final int MAX_SLOTS = 1 << SLOT_BITS;

    private static final long TID_MASK = 0xffffffffL;

    private final @Nullable Transaction<?>[] slots;
    private final int[] freeSlots;
    private int freeCount;
    private int generation;

    /**
     * Creates an empty table.
     *
     * @param window slots, 1 to {@link #MAX_SLOTS}
     * @param seed where the generation starts
     */
    TransactionTable(int window, int seed) {
        slots = new Transaction<?>[window];
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

    boolean isEmpty() {
        return freeCount == slots.length;
    }

    /** Gives a transaction a slot and an ID; there must be room. */
    void open(Transaction<?> transaction) {
        int slot = freeSlots[--freeCount];
        slots[slot] = transaction;
        transaction.slot = slot;
        transaction.tid = nextTid(slot);
    }

    /** A generation is never 0, so that no transaction ID is. */
    private long nextTid(int slot) {
        generation++;
        if (((long) generation << SLOT_BITS & TID_MASK) == 0) {
            generation++;
        }
        return ((long) generation << SLOT_BITS | slot) & TID_MASK;
    }

    void close(Transaction<?> transaction) {
        slots[transaction.slot] = null;
        freeSlots[freeCount++] = transaction.slot;
        transaction.slot = -1;
    }

    /**
     * The transaction that a MAD belongs to: same class, lower TID bits, attribute and modifier (IBA 13.4.6.4). Some agents
     * understand the bit of PortInfo's modifier that stands for extended speeds, and leave it out of the answer.
     */
    @Nullable
    Transaction<?> find(byte[] mad) {
        long tid = MadHeader.tid(mad) & TID_MASK;
        int slot = (int) (tid & (MAX_SLOTS - 1));
        Transaction<?> transaction = slot < slots.length ? slots[slot] : null;
        boolean matches = transaction != null
                && transaction.tid == tid
                && MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.attributeId(mad) == transaction.request.type().id()
                && isModifierOf(transaction.request, MadHeader.attributeModifier(mad));
        return matches ? transaction : null;
    }

    private static boolean isModifierOf(SmpRequest<?> request, int answered) {
        int asked = request.attributeModifier();
        boolean mayLackBit = request.type() == PortInfo.TYPE;
        return answered == asked || mayLackBit && answered == (asked & ~PortInfo.SM_SUPPORTS_EXTENDED_SPEEDS);
    }

    /** All that are open now, in the order of their slots. */
    List<Transaction<?>> all() {
        List<Transaction<?>> all = new ArrayList<>(slots.length - freeCount);
        for (Transaction<?> transaction : slots) {
            if (transaction != null) {
                all.add(transaction);
            }
        }
        return all;
    }
}
