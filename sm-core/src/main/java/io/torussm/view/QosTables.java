package io.torussm.view;

import io.torussm.mad.smp.VlArbitrationTable;
import org.jspecify.annotations.Nullable;

/** The programmed SL2VL and VL arbitration tables. Immutable. Nodes and ports are given by their numbers. */
public interface QosTables {
    /** Parts of the VL arbitration tables of a port: 1 and 2 of low priority, 3 and 4 of high priority. */
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
     * Checks whether a row is programmed. A switch has a row for each linked output and every input. An end
     * port of another node has one table, under input 0 and its own number.
     */
    boolean hasRow(int node, int in, int out);

    /** Returns a programmed row: sixteen VLs of 4 bits, that of SL 0 in the highest. */
    long row(int node, int in, int out);

    /** Returns a part of the VL arbitration tables of a port; null if it has none. */
    @Nullable
    VlArbitrationTable arbitration(int node, int portNum, int part);
}
