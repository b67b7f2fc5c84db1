package io.torussm.program.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A short sequence of Sets for the SL2VL rows of a switch that supports wildcards. The first Set writes the most
 * frequent row for all pairs of ports. The next Sets each write a row for all inputs of one output, or all outputs of
 * one input, whichever needs fewer Sets. Remaining rows are written one by one. On a torus, a switch of 8 ports needs
 * 7 Sets and 12 single rows instead of 81 rows, a switch of 36 ports the same instead of 1,369. Pure.
 *
 * @param spreads rows for many pairs in the order of writing, each after the previous Set was confirmed; a later row
 *     overwrites an earlier one
 * @param singleRows number of rows that differ after all spreads
 */
record Sl2VlCover(List<Spread> spreads, int singleRows) {
    /** The wildcard for all ports, as an input or an output. */
    static final int ALL = -1;

    private static final int ALL_OUTPUTS = 1 << 16;
    private static final int ALL_INPUTS = 1 << 17;

    /** A function that returns the wanted row of a pair of port numbers, packed; null if the pair does not matter. */
    interface Rows {
        @Nullable
        Long row(int in, int out);
    }

    /**
     * A row for many pairs of ports.
     *
     * @param in number of an input port, or {@link #ALL}
     * @param out number of an output port, or {@link #ALL}
     * @param row the row, packed
     */
    record Spread(int in, int out, long row) {
        /**
         * Returns the AttributeModifier of SLtoVLMappingTable (IBA 14.2.5.8): bit 16 all output ports, bit 17 all input
         * ports.
         */
        int modifier() {
            return (in == ALL ? ALL_INPUTS : in << Byte.SIZE) | (out == ALL ? ALL_OUTPUTS : out);
        }

        /** Checks whether a pair of ports is among the pairs of this row. */
        boolean covers(int otherIn, int otherOut) {
            return (in == ALL || in == otherIn) && (out == ALL || out == otherOut);
        }
    }

    /** Copies the list. */
    Sl2VlCover {
        spreads = List.copyOf(spreads);
    }

    /**
     * Returns the cover for the rows of a switch.
     *
     * @param ports number of ports of the switch, port 0 included
     * @return a cover without spreads if no pair matters
     */
    static Sl2VlCover of(int ports, Rows wanted) {
        Map<Long, Integer> all = new LinkedHashMap<>();
        for (int in = 0; in < ports; in++) {
            count(all, in, ALL, ports, wanted);
        }
        if (all.isEmpty()) {
            return new Sl2VlCover(List.of(), 0);
        }
        long base = mostFrequent(all);
        Sl2VlCover byOutput = of(ports, wanted, base, true);
        Sl2VlCover byInput = of(ports, wanted, base, false);
        return byInput.countSets() < byOutput.countSets() ? byInput : byOutput;
    }

    /** Returns the cover that begins with a row for all pairs and continues by output, or by input. */
    private static Sl2VlCover of(int ports, Rows wanted, long base, boolean isByOutput) {
        List<Spread> spreads = new ArrayList<>(List.of(new Spread(ALL, ALL, base)));
        int single = 0;
        for (int port = 0; port < ports; port++) {
            Map<Long, Integer> rows = new LinkedHashMap<>();
            count(rows, isByOutput ? ALL : port, isByOutput ? port : ALL, ports, wanted);
            int total = rows.values().stream().mapToInt(Integer::intValue).sum();
            int baseCount = rows.getOrDefault(base, 0);
            long frequentRow = rows.isEmpty() ? base : mostFrequent(rows);
            // a Set for this port saves a single row for each pair that differs from the base, and costs one Set
            boolean isSpread = rows.getOrDefault(frequentRow, 0) > baseCount + 1;
            if (isSpread) {
                spreads.add(new Spread(isByOutput ? ALL : port, isByOutput ? port : ALL, frequentRow));
            }
            single += total - (isSpread ? rows.getOrDefault(frequentRow, 0) : baseCount);
        }
        return new Sl2VlCover(spreads, single);
    }

    /** Adds the number of pairs of each wanted row, for one input or output port. */
    private static void count(Map<Long, Integer> rows, int in, int out, int ports, Rows wanted) {
        for (int port = 0; port < ports; port++) {
            Long row = wanted.row(in == ALL ? port : in, out == ALL ? port : out);
            if (row != null) {
                rows.merge(row, 1, Integer::sum);
            }
        }
    }

    /** Returns the most frequent row; the first of several, so that equal rows always have the same cover. */
    private static long mostFrequent(Map<Long, Integer> rows) {
        long most = 0;
        int times = 0;
        for (Map.Entry<Long, Integer> each : rows.entrySet()) {
            if (each.getValue() > times) {
                most = each.getKey();
                times = each.getValue();
            }
        }
        return most;
    }

    /** Returns the number of all Sets, single rows included. */
    int countSets() {
        return spreads.size() + singleRows;
    }
}
