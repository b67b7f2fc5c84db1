package io.torussm.history;

import io.torussm.fabric.Fabric;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The recorded SL2VL tables: of switches for linked ports, and of end ports. */
final class PastSl2Vl {
    /** By node, output and input; of end ports by their own number under input 0. */
    private final Map<Long, Long> rows = new HashMap<>();

    private final Fabric fabric;

    private PastSl2Vl(Fabric fabric) {
        this.fabric = fabric;
    }

    /**
     * Reads the tables of all nodes.
     *
     * @param rows by node; null for one without
     */
    static PastSl2Vl read(Fabric fabric, IntFunction<byte @Nullable []> rows) throws IOException {
        PastSl2Vl tables = new PastSl2Vl(fabric);
        for (int node = 0; node < fabric.nodeCount(); node++) {
            byte[] row = rows.apply(node);
            if (row != null) {
                long first = key(node, 0, 0);
                tables(row, fabric.isSwitch(node)).forEach((ports, table) -> tables.rows.put(first | ports, table));
            }
        }
        return tables;
    }

    /**
     * Returns the tables of one node by input and output, packed as 16 bits.
     *
     * @param row row as {@link StateWriter} wrote it
     */
    static Map<Integer, Long> tables(byte[] row, boolean isSwitch) throws IOException {
        Map<Integer, Long> tables = new HashMap<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(row));
        for (int out = in.readUnsignedByte(); out != StateWriter.NO_PORT; out = in.readUnsignedByte()) {
            if (!isSwitch) {
                tables.put(out, in.readLong());
            } else {
                for (int port = in.readUnsignedByte(); port != StateWriter.NO_PORT; port = in.readUnsignedByte()) {
                    tables.put(port << 8 | out, in.readLong());
                }
            }
        }
        if (isSwitch) {
            tables.put(0, in.readLong());
        }
        return tables;
    }

    private static long key(int node, int in, int out) {
        return (long) node << 16 | in << 8 | out;
    }

    /** Returns as {@link io.torussm.routing.Plan#sl2vl(int, int, int)}; 0 for ports without a cable. */
    long row(int sw, int in, int out) {
        return rows.getOrDefault(key(sw, in, out), 0L);
    }

    /** Returns as {@link io.torussm.routing.Plan#sl2vl(int)}. */
    long row(int endport) {
        return row(fabric.nodeOf(endport), 0, fabric.portNum(endport));
    }
}
