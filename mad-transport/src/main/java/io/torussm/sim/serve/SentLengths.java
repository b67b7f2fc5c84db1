package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The lengths of MADs that their senders gave. On the wire every MAD has 256 bytes. But programs that leave RMPP to
 * the kernel send an answer of one segment through libumad2sim with the length of its records. A receiver counts the
 * records by that length. Confined to the loop.
 */
final class SentLengths {
    /** MADs under way that are remembered; of older ones, which were lost, nothing is known any more. */
    private static final int MOST = 4_096;

    private final Map<Key, Integer> underWay = new LinkedHashMap<>();

    private record Key(long tid, int mgmtClass, int method) {
        static Key of(byte[] mad) {
            return new Key(MadHeader.tid(mad), MadHeader.mgmtClass(mad), MadHeader.method(mad));
        }
    }

    /** Records the length of a MAD of a client, in the form of the wire. */
    void sent(byte[] mad, int length) {
        if (length >= MadHeader.MAD_SIZE || length < 0 || MgmtClass.isSmp(MadHeader.mgmtClass(mad))) {
            return;
        }
        if (underWay.size() >= MOST) {
            underWay.remove(underWay.keySet().iterator().next());
        }
        underWay.put(Key.of(mad), length);
    }

    /** Returns the length of a MAD for a client: 256 unless it was sent with another. */
    int received(byte[] mad) {
        Integer length = underWay.isEmpty() ? null : underWay.remove(Key.of(mad));
        return length == null ? MadHeader.MAD_SIZE : length;
    }
}
