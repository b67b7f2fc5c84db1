package io.torussm.torus2qos;

/**
 * The SL of a path: one bit for each dimension whose dateline the way crosses, and the QoS level in bit 3. It is made
 * of coordinates alone, so no failure of a link or a switch in between changes it.
 */
final class TorusSl {
    /** The bit of a wanted SL that counts: the QoS level. */
    static final int QOS_BIT = 8;

    private final Torus torus;
    private final int[] slotOfLid;

    TorusSl(Torus torus, int[] slotOfLid) {
        this.torus = torus;
        this.slotOfLid = slotOfLid;
    }

    /** The SL between two LIDs, -1 if either is not an end port of the torus. */
    int pathSl(int srcLid, int dstLid, int wanted) {
        int src = slot(srcLid);
        int dst = slot(dstLid);
        return src < 0 || dst < 0 ? -1 : betweenSlots(src, dst) | wanted & QOS_BIT;
    }

    /** The dateline bits between two slots. */
    int betweenSlots(int src, int dst) {
        int sl = 0;
        for (int d = 0; d < Dim.COUNT; d++) {
            if (Dim.crosses(torus.radix(d), torus.coordinate(src, d), torus.coordinate(dst, d))) {
                sl |= 1 << d;
            }
        }
        return sl;
    }

    private int slot(int lid) {
        return lid >= 0 && lid < slotOfLid.length ? slotOfLid[lid] : -1;
    }
}
