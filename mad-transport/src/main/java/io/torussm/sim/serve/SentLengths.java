package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many bytes of a MAD its sender meant. On the wire every MAD has 256, but programs that leave RMPP to the kernel send, through
 * libumad2sim, an answer of one segment with the length of its records, and count records by it when they receive. Confined to the
 * loop.
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

    /** A client sends a MAD, as it goes on the wire. */
    void sent(byte[] mad, int length) {
        if (length >= MadHeader.MAD_SIZE || length < 0 || MgmtClass.isSmp(MadHeader.mgmtClass(mad))) {
            return;
        }
        if (underWay.size() >= MOST) {
            underWay.remove(underWay.keySet().iterator().next());
        }
        underWay.put(Key.of(mad), length);
    }

    /** A client receives a MAD; its length, 256 unless it was sent with another. */
    int received(byte[] mad) {
        Integer length = underWay.isEmpty() ? null : underWay.remove(Key.of(mad));
        return length == null ? MadHeader.MAD_SIZE : length;
    }
}
