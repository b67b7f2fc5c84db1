package io.torussm.daemon.opensm;

import io.torussm.mad.Gid;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of a record of OpenSM's SA dump: words {@code name=0x...}, where a GID and other 128-bit values are two
 * numbers, {@code 0x...:0x...}. Other words are passed over, as OpenSM does. Immutable.
 */
final class DumpFields {
    private final Map<String, String> values;

    private DumpFields(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if a field is there twice
     */
    static DumpFields of(String line) {
        Map<String, String> values = new HashMap<>();
        for (String word : line.split("\\s+", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0 && values.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(word.substring(0, equals) + " is there twice");
            }
        }
        return new DumpFields(values);
    }

    /**
     * Returns a number, unsigned.
     *
     * @param bits width of the field in bits, at most 64
     * @throws IllegalArgumentException if the field is missing, is not hexadecimal or has more bits
     */
    long number(String name, int bits) {
        return number(name, value(name), bits);
    }

    /** Parses a number as {@link #number} does, of at most 31 bits. */
    int small(String name, int bits) {
        return Math.toIntExact(number(name, bits));
    }

    /**
     * Returns a value of 128 bits.
     *
     * @throws IllegalArgumentException if the field is missing or has another form
     */
    Gid pair(String name) {
        String[] halves = value(name).split(":", -1);
        if (halves.length != 2) {
            throw new IllegalArgumentException(name + " is no 0x...:0x...");
        }
        return new Gid(number(name, halves[0], Long.SIZE), number(name, halves[1], Long.SIZE));
    }

    private String value(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    private static long number(String name, String text, int bits) {
        if (!text.matches("0x\\p{XDigit}{1,16}")) {
            throw new IllegalArgumentException(name + " is no 0x number");
        }
        long number = Long.parseUnsignedLong(text.substring(2), 16);
        if (bits < Long.SIZE && number >>> bits != 0) {
            throw new IllegalArgumentException(name + " has more than " + bits + " bits");
        }
        return number;
    }
}
