package io.torussm.mad.smp;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The layout of subnet management packets, directed-route (IBA 14.2.1.2) and LID-routed (14.2.1.1). */
public final class Smp {
    private static final Layout L = new Layout("SMP", MadHeader.MAD_SIZE);
    static final Field HEADER = L.bits("reserved header", 0, 192);
    public static final Field M_KEY = L.bits("M_Key", 192, 64);
    public static final Field DR_SLID = L.bits("DrSLID", 256, 16);
    public static final Field DR_DLID = L.bits("DrDLID", 272, 16);
    static final Field RESERVED = L.bits("reserved", 288, 224);
    static final Field DATA_FIELD = L.bits("SMPData", 512, 512);
    static final Field INITIAL = L.bits("InitialPath", 1024, 512);
    static final Field RETURN = L.bits("ReturnPath", 1536, 512);

    /** The layout of directed-route SMPs. LID-routed SMPs use the first two fields and the data. */
    public static final Layout LAYOUT = L.complete();

    /** Byte offset of the attribute. */
    public static final int DATA_OFFSET = 64;

    /** Bytes of the attribute. */
    public static final int DATA_SIZE = 64;

    /** Byte offset of InitialPath[0]. */
    public static final int INITIAL_PATH = 128;

    /** Byte offset of ReturnPath[0]. */
    public static final int RETURN_PATH = 192;

    private static final int HOP_COUNT = 7;
    private static final int DR_LIDS = 32;

    private Smp() {}

    /** Returns a directed-route request without data, as the local port accepts it: hop pointer 0, permissive LIDs. */
    public static byte[] directed(
            int method, long tid, int attributeId, int attributeModifier, long mKey, DrPath path) {
        byte[] mad = MadHeader.create(MgmtClass.SUBN_DIRECTED_ROUTE, 1, method, tid, attributeId, attributeModifier);
        mad[HOP_COUNT] = (byte) path.hops();
        if (mKey != 0) { // nearly all requests have M_Key 0, which the zeros contain
            M_KEY.set(mad, 0, mKey);
        }
        Arrays.fill(mad, DR_LIDS, DR_LIDS + 2 * Short.BYTES, (byte) 0xff); // DrSLID and DrDLID, both permissive
        path.write(mad, INITIAL_PATH);
        return mad;
    }

    /** Returns a LID-routed request without data. */
    public static byte[] lidRouted(int method, long tid, int attributeId, int attributeModifier, long mKey) {
        byte[] mad = MadHeader.create(MgmtClass.SUBN_LID, 1, method, tid, attributeId, attributeModifier);
        M_KEY.set(mad, 0, mKey);
        return mad;
    }

    /**
     * Returns the route of a directed-route SMP from its sender.
     *
     * @return null if HopCount is more than 63
     */
    public static @Nullable DrPath path(byte[] mad) {
        int hopCount = (int) MadHeader.HOP_COUNT.get(mad, 0);
        return hopCount > DrPath.MAX_HOPS ? null : DrPath.read(mad, INITIAL_PATH, hopCount);
    }

    /**
     * Returns the route from the receiver of a directed-route SMP back to its sender: the ports at which the SMP
     * arrived, the last one first.
     *
     * @return null if a part of the route was by LID, HopCount is more than 63, or a port is missing (0)
     */
    public static @Nullable DrPath returnPath(byte[] mad) {
        int hopCount = (int) MadHeader.HOP_COUNT.get(mad, 0);
        boolean isDirected = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && DR_SLID.get(mad, 0) == Lids.PERMISSIVE; // otherwise the first part was routed by LID
        if (!isDirected || hopCount > DrPath.MAX_HOPS) {
            return null;
        }
        int[] ports = new int[hopCount];
        for (int i = 0; i < hopCount; i++) {
            ports[i] = mad[RETURN_PATH + hopCount - i] & 0xff;
            if (ports[i] == 0) {
                return null;
            }
        }
        return DrPath.of(ports);
    }
}
