package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The lengths that clients gave to MADs of less than 256 bytes, while these are on their way to other clients: a MAD has no length on the
 * wire, but libumad2sim hands the sender's to the receiver, as ibsim does, and tools count the records of a table by it. Confined to the loop.
 */
final class MadLengths {
    /** MADs under way whose lengths are known, at most; the oldest are forgotten. */
    private static final int MOST = 4_096;

    /** By what tells MADs apart: the header and, of RMPP, the segment. */
    private static final int KEY_BYTES = 36;

    private final Map<ByteBuffer, Integer> lengths = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Integer> eldest) {
            return size() > MOST;
        }
    };

    private static ByteBuffer key(byte[] mad) {
        return ByteBuffer.wrap(Arrays.copyOf(mad, KEY_BYTES));
    }

    /** A client has sent a MAD; only an answer to a request can be shorter than it looks. */
    void sent(byte[] mad, long length) {
        if (length > 0 && length < MadHeader.MAD_SIZE && MadHeader.isResponse(mad)) {
            lengths.put(key(mad), (int) length);
        }
    }

    /** The length of a MAD that arrives. */
    int of(byte[] mad) {
        return lengths.isEmpty() ? MadHeader.MAD_SIZE : lengths.getOrDefault(key(mad), MadHeader.MAD_SIZE);
    }
}
