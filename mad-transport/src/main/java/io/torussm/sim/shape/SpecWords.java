package io.torussm.sim.shape;

import io.torussm.mad.Lids;
import io.torussm.mad.smp.NodeInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The words of one spec: numbers by position, then options by name. Messages of errors contain fault and grammar. */
final class SpecWords {
    private static final String NUMBER = "\\d{1,6}";

    private final String grammar;
    private final String text;
    private final List<Integer> numbers = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>();

    /** Options that the shape supports. */
    private final Set<String> supportedOptions = new HashSet<>();

    /**
     * Splits a spec.
     *
     * @param text spec such as {@code tree:4,3,hosts=2}; {@code 4x3} is read as {@code 4,3}
     * @param grammar form of the spec, for messages
     */
    SpecWords(String text, String grammar) {
        this.text = text;
        this.grammar = grammar;
        int colon = text.indexOf(':');
        if (colon < 0) {
            return;
        }
        for (String word : text.substring(colon + 1).split(",", -1)) {
            read(word.strip());
        }
    }

    private void read(String word) {
        String[] option = word.split("=", 2);
        if (option.length == 2) {
            if (options.putIfAbsent(option[0], option[1]) != null) {
                throw error(option[0] + "= is given twice; give it once");
            }
            return;
        }
        if (!options.isEmpty() || !word.matches(NUMBER + "(x" + NUMBER + ")*")) {
            throw error("cannot understand \"" + word + "\" of \"" + text + '"');
        }
        numbers.addAll(vector(word));
    }

    private static List<Integer> vector(String word) {
        return Arrays.stream(word.split("x")).map(Integer::valueOf).toList();
    }

    /** Returns an error whose message contains the grammar. */
    IllegalArgumentException error(String fault) {
        return new IllegalArgumentException(fault + "; expected " + grammar);
    }

    /** Returns the number of numbers before the options. */
    int size() {
        return numbers.size();
    }

    /** Checks whether the spec has an option. */
    boolean has(String option) {
        return options.containsKey(option);
    }

    /** Rejects fewer or more numbers before the options than in this range. */
    void checkSize(int min, int max) {
        if (size() < min || size() > max) {
            throw error("\"" + text + "\" has " + size() + " numbers after the colon");
        }
    }

    /**
     * Returns a number before the options, which must exist.
     *
     * @param index index from 0
     * @param name name of the number in the grammar
     */
    int number(int index, String name, int min, int max) {
        return checked(name, numbers.get(index), min, max);
    }

    /**
     * Returns the number of an option.
     *
     * @param defaultValue value without the option; also checked against the range
     */
    int option(String name, int defaultValue, int min, int max) {
        String value = options.get(name);
        supportedOptions.add(name);
        if (value == null) {
            return checked(name, defaultValue, min, max);
        }
        if (!value.matches(NUMBER)) {
            throw error(name + "=" + value + " is no number from " + min + " to " + max);
        }
        return checked(name, Integer.parseInt(value), min, max);
    }

    /**
     * Returns the numbers of an option such as {@code down=4x4}.
     *
     * @param defaultValue value without the option; not checked against the range
     */
    int[] vector(String name, int[] defaultValue, int min, int max) {
        String value = options.get(name);
        supportedOptions.add(name);
        if (value == null) {
            return defaultValue;
        }
        if (!value.matches(NUMBER + "(x" + NUMBER + ")*")) {
            throw error(name + "=" + value + " is no list of numbers such as " + name + "=4x4");
        }
        return vector(value).stream()
                .mapToInt(number -> checked(name, number, min, max))
                .toArray();
    }

    private int checked(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw error(name + "=" + value + " is out of range; use " + min + " to " + max);
        }
        return value;
    }

    /** Returns the number of ports of a switch, at least 1. Checks that it is at most 254 (IBA 14.2.5.3). */
    int checkedPorts(long ports) {
        if (ports > NodeInfo.MAX_PORT_NUM) {
            throw error("a switch would need " + ports + " ports; it may have " + NodeInfo.MAX_PORT_NUM);
        }
        return (int) Math.max(1, ports);
    }

    /** Rejects more switches and ports of hosts than a subnet has LIDs (IBA 4.1.3). */
    void checkLids(long switches, long hostPorts) {
        if (switches > Lids.UNICAST_LAST || hostPorts > Lids.UNICAST_LAST - switches) {
            throw error(switches + " switches and " + hostPorts + " ports of hosts need more LIDs than the "
                    + Lids.UNICAST_LAST + " of a subnet");
        }
    }

    /** Rejects options that the shape does not support. */
    void checkAllUsed() {
        for (String name : options.keySet()) {
            if (!supportedOptions.contains(name)) {
                throw error("there is no option " + name + "= of this shape");
            }
        }
    }
}
