package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The cables between switches that an engine uses. Immutable. */
public final class Links {
    private final Fabric fabric;

    /** By port index: the switch at the other end of its cable, {@link Fabric#NONE} without a selected cable. */
    private final int[] farSwitch;

    private final int[] order;

    public Links(Fabric fabric) {
        this(fabric, port -> true);
    }

    /**
     * Selects some cables of a fabric.
     *
     * @param isSearched true if the cable at a port index of a switch is selected; the same for both ends
     */
    public Links(Fabric fabric, IntPredicate isSearched) {
        this.fabric = fabric;
        farSwitch = new int[fabric.portCount()];
        for (int port = 0; port < farSwitch.length; port++) {
            int far = fabric.peer(port);
            int node = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
            boolean isLink = node != Fabric.NONE && node != fabric.nodeOf(port) && fabric.isSwitch(fabric.nodeOf(port));
            farSwitch[port] = isLink && fabric.isSwitch(node) && isSearched.test(port) ? node : Fabric.NONE;
        }
        order = IntStream.range(0, fabric.switchCount())
                .boxed()
                .sorted(Comparator.comparing(sw -> sortKey(fabric.nodeGuid(sw)), Long::compareUnsigned))
                .mapToInt(sw -> sw)
                .toArray();
    }

    /**
     * Returns the sort key of a GUID, unsigned: OpenSM compares GUIDs as little-endian numbers, so their last
     * byte counts most.
     */
    public static long sortKey(long guid) {
        return Long.reverseBytes(guid);
    }

    /** Returns the fabric. */
    public Fabric fabric() {
        return fabric;
    }

    /**
     * Returns the switch at the other end of the cable at a port (by index) of a switch; {@link Fabric#NONE} without
     * a selected cable, or if the cable leads to the same switch.
     */
    public int farSwitch(int port) {
        return farSwitch[port];
    }

    /** Returns all switches in the order of OpenSM: by {@link #sortKey}. Must not be written. */
    public int[] order() {
        return order;
    }
}
