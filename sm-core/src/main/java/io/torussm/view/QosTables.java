package io.torussm.view;

import io.torussm.mad.smp.VlArbitrationTable;
import org.jspecify.annotations.Nullable;

/** The SL2VL and VL arbitration tables that devices are programmed with. Immutable. Nodes and ports by their numbers. */
public interface QosTables {
    /** Parts of the VL arbitration tables of a port: 1 and 2 of low priority, 3 and 4 of high priority. */
    int PARTS = 4;

    /** Nothing is programmed: the devices have what they came with. */
    QosTables NONE = new QosTables() {
        @Override
        public boolean hasRow(int node, int in, int out) {
            return false;
        }

        @Override
        public long row(int node, int in, int out) {
            throw new IllegalArgumentException("no rows are programmed");
        }

        @Override
        public @Nullable VlArbitrationTable arbitration(int node, int portNum, int part) {
            return null;
        }
    };

    /**
     * Whether a row is programmed. Switches have one for each linked output and every input, end ports of other nodes one
     * table, under input 0 and their own number.
     */
    boolean hasRow(int node, int in, int out);

    /** A row that is programmed: sixteen VLs of 4 bits, that of SL 0 in the highest. */
    long row(int node, int in, int out);

    /** A part of the tables that a port has; null if it has none. */
    @Nullable
    VlArbitrationTable arbitration(int node, int portNum, int part);
}
