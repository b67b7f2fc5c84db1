package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The lengths that senders gave to their MADs. On the wire, every MAD has 256 bytes. But a program that leaves RMPP to
 * the kernel sends a response of one segment through libumad2sim with the length of its records, and a receiver counts
 * the records by that length. Confined to the loop.
 */
final class SentLengths {
    /** Max remembered MADs. The oldest ones, which were lost, are removed. */
    private static final int MAX_LENGTHS = 4_096;

    /** Lengths of MADs in flight, the oldest first. */
    private final Map<Key, Integer> lengths = new LinkedHashMap<>();

    private record Key(long tid, int mgmtClass, int method) {
        static Key of(byte[] mad) {
            return new Key(MadHeader.tid(mad), MadHeader.mgmtClass(mad), MadHeader.method(mad));
        }
    }

    /**
     * Records the length of a sent MAD, if it is shorter than 256 bytes.
     *
     * @param mad bytes as on the wire
     */
    void recordLength(byte[] mad, int length) {
        if (length >= MadHeader.MAD_SIZE || length < 0 || MgmtClass.isSmp(MadHeader.mgmtClass(mad))) {
            return;
        }
        if (lengths.size() >= MAX_LENGTHS) {
            lengths.remove(lengths.keySet().iterator().next());
        }
        lengths.put(Key.of(mad), length);
    }

    /** Returns the length of a received MAD: the recorded one, or 256. */
    int removeLength(byte[] mad) {
        Integer length = lengths.isEmpty() ? null : lengths.remove(Key.of(mad));
        return length == null ? MadHeader.MAD_SIZE : length;
    }
}
