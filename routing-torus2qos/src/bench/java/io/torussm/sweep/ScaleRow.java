package io.torussm.sweep;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A line of tab-separated values of {@link Scale}, as {@code packaging/bench/scale.py} reads it. */
final class ScaleRow {
    /** The columns, in their order. */
    enum Column {
        TORUS,
        SWITCHES,
        HOSTS,
        TOP_LID,
        SERVICE_US,
        EVENT,
        SMPS,
        SMPS_BY_FORMULA,
        WIRE_MIB,
        WIRE_S,
        DISCOVER_S,
        PROGRAM_S,
        ACTIVATE_S,
        LOOP_S,
        ROUTING_S,
        PROOF_S,
        ORDER_S,
        DROPPED,
        HEAP_MIB,
        PARALLEL_ROUTING,
        PARALLEL_PROOF
    }

    private final Map<Column, String> values = new EnumMap<>(Column.class);

    ScaleRow set(Column column, String value) {
        values.put(column, value);
        return this;
    }

    ScaleRow set(Column column, long value) {
        return set(column, Long.toString(value));
    }

    ScaleRow set(Column column, double value) {
        return set(column, String.format(Locale.ROOT, column == Column.WIRE_MIB ? "%.1f" : "%.3f", value));
    }

    /** Returns the line. A column without a value is empty. */
    @Override
    public String toString() {
        return Arrays.stream(Column.values())
                .map(column -> values.getOrDefault(column, ""))
                .collect(Collectors.joining("\t"));
    }
}
