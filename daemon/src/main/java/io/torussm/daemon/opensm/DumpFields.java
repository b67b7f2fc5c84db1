package io.torussm.daemon.opensm;

import io.torussm.mad.Gid;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of a record of OpenSM's SA dump. A field is a word {@code name=0x...}; a GID or another 128-bit value is
 * {@code 0x...:0x...}. The value is checked when it is read. Words without '=' are ignored, as OpenSM ignores them.
 * Immutable.
 */
final class DumpFields {
    private final Map<String, String> values;

    private DumpFields(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if a field occurs twice
     */
    static DumpFields of(String line) {
        Map<String, String> values = new HashMap<>();
        for (String word : line.split("\\s+", -1)) {
            int equalsSign = word.indexOf('=');
            if (equalsSign > 0 && values.put(word.substring(0, equalsSign), word.substring(equalsSign + 1)) != null) {
                throw new IllegalArgumentException(word.substring(0, equalsSign) + " is there twice");
            }
        }
        return new DumpFields(values);
    }

    /**
     * Returns the value of a field as an unsigned number.
     *
     * @param bits width of the field in bits, 1 to 64
     * @throws IllegalArgumentException if the field is missing, is not a hexadecimal number or has more than {@code
     *     bits} bits
     */
    long number(String name, int bits) {
        return number(name, value(name), bits);
    }

    /**
     * Returns the value of a field as an unsigned number that fits an int.
     *
     * @param bits width of the field in bits, 1 to 31
     * @throws IllegalArgumentException if the field is missing, is not a hexadecimal number or has more than {@code
     *     bits} bits
     */
    int intNumber(String name, int bits) {
        return Math.toIntExact(number(name, bits));
    }

    /**
     * Returns a 128-bit value: a GID, or a value such as a ServiceKey as two numbers of 64 bits.
     *
     * @throws IllegalArgumentException if the field is missing or is not of the form {@code 0x...:0x...}
     */
    Gid value128(String name) {
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
