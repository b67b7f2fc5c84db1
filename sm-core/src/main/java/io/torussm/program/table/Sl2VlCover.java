package io.torussm.program.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A short sequence of Sets for the SL2VL rows of a switch that supports wildcards. The row that most pairs of
 * ports share comes first, for all of them. Then come rows for many inputs of one output, or many outputs of
 * one input, whichever takes fewer Sets. The remaining rows are written one by one. On a torus a switch of 8
 * ports needs 7 Sets and 12 single rows instead of 81, one of 36 ports the same instead of 1,369. Pure.
 *
 * @param spreads groups in order of writing, each after the previous one was confirmed; a later one overwrites an
 *     earlier one
 * @param single rows that differ afterwards
 */
record Sl2VlCover(List<Spread> spreads, int single) {
    /** All ports, as an input or an output. */
    static final int ALL = -1;

    private static final int ALL_OUTPUTS = 1 << 16;
    private static final int ALL_INPUTS = 1 << 17;

    /** The wanted row of a pair of ports; null if the pair does not matter. */
    interface Rows {
        @Nullable
        Long row(int in, int out);
    }

    /**
     * One row for many pairs of ports.
     *
     * @param in an input port, or {@link #ALL}
     * @param out an output port, or {@link #ALL}
     * @param row packed
     */
    record Spread(int in, int out, long row) {
        /**
         * Returns the AttributeModifier of SLtoVLMappingTable (IBA 14.2.5.8): bit 16 all output ports, bit 17 all input
         * ports.
         */
        int modifier() {
            return (in == ALL ? ALL_INPUTS : in << Byte.SIZE) | (out == ALL ? ALL_OUTPUTS : out);
        }

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
     * @param ports number of ports of the switch, with port 0
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
        return byInput.sets() < byOutput.sets() ? byInput : byOutput;
    }

    private static Sl2VlCover of(int ports, Rows wanted, long base, boolean isByOutput) {
        List<Spread> spreads = new ArrayList<>(List.of(new Spread(ALL, ALL, base)));
        int single = 0;
        for (int port = 0; port < ports; port++) {
            Map<Long, Integer> rows = new LinkedHashMap<>();
            count(rows, isByOutput ? ALL : port, isByOutput ? port : ALL, ports, wanted);
            int total = rows.values().stream().mapToInt(Integer::intValue).sum();
            int asBase = rows.getOrDefault(base, 0);
            long most = rows.isEmpty() ? base : mostFrequent(rows);
            boolean isSpread = rows.getOrDefault(most, 0) > asBase + 1;
            if (isSpread) {
                spreads.add(new Spread(isByOutput ? ALL : port, isByOutput ? port : ALL, most));
            }
            single += total - (isSpread ? rows.getOrDefault(most, 0) : asBase);
        }
        return new Sl2VlCover(spreads, single);
    }

    private static void count(Map<Long, Integer> rows, int in, int out, int ports, Rows wanted) {
        for (int port = 0; port < ports; port++) {
            Long row = wanted.row(in == ALL ? port : in, out == ALL ? port : out);
            if (row != null) {
                rows.merge(row, 1, Integer::sum);
            }
        }
    }

    /** Returns the most frequent row; the first of several, so that the same rows have the same cover. */
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

    /** Returns the number of all Sets. */
    int sets() {
        return spreads.size() + single;
    }
}
