package io.torussm.view;

import io.torussm.mad.smp.VlArbitrationTable;
import org.jspecify.annotations.Nullable;

/**
 * The programmed SL2VL and VL arbitration tables. Nodes are indexes of the fabric, ports are port numbers.
 * Immutable.
 */
public interface QosTables {
    /** The number of parts of the VL arbitration tables of a port: 1 and 2 are low priority, 3 and 4 high priority. */
    int PARTS = 4;

    /** No tables are programmed: devices keep their defaults. */
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
     * Checks whether a row is programmed. A switch has a row for each output with a link and each input. An end port
     * of another node has one table: input 0, and its own number as the output.
     */
    boolean hasRow(int node, int in, int out);

    /** Returns a programmed row: sixteen VLs of 4 bits, that of SL 0 in the highest bits. */
    long row(int node, int in, int out);

    /**
     * Returns a part of the VL arbitration tables of a port; null if the part is not programmed.
     *
     * @param part 1 to {@link #PARTS}
     */
    @Nullable
    VlArbitrationTable arbitration(int node, int portNum, int part);
}
