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

/** The words of one spec: numbers by their place, then options by name. Its errors state the fault and the grammar. */
final class SpecWords {
    private static final String NUMBER = "\\d{1,6}";

    private final String grammar;
    private final String text;
    private final List<Integer> numbers = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>();
    private final Set<String> used = new HashSet<>();

    /**
     * Splits a spec.
     *
     * @param text such as {@code tree:4,3,hosts=2}; {@code 4x3} stands for {@code 4,3}
     * @param grammar what errors show
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

    /** Returns an error that shows the grammar. */
    IllegalArgumentException error(String fault) {
        return new IllegalArgumentException(fault + "; expected " + grammar);
    }

    /** Returns how many numbers stand before the options. */
    int size() {
        return numbers.size();
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    /** Checks how many numbers stand before the options. */
    void checkSize(int min, int max) {
        if (size() < min || size() > max) {
            throw error("\"" + text + "\" has " + size() + " numbers after the colon");
        }
    }

    /** Returns the number at a place, which must be there. */
    int number(int place, String name, int min, int max) {
        return checked(name, numbers.get(place), min, max);
    }

    /** Returns the number of an option, or another if it is not given. */
    int option(String name, int otherwise, int min, int max) {
        String value = options.get(name);
        used.add(name);
        if (value == null) {
            return checked(name, otherwise, min, max);
        }
        if (!value.matches(NUMBER)) {
            throw error(name + "=" + value + " is no number from " + min + " to " + max);
        }
        return checked(name, Integer.parseInt(value), min, max);
    }

    /** Returns the numbers of an option such as {@code down=4x4}, or others if it is not given. */
    int[] vector(String name, int[] otherwise, int min, int max) {
        String value = options.get(name);
        used.add(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.matches(NUMBER + "(x" + NUMBER + ")*")) {
            throw error(name + "=" + value + " is no list of numbers such as " + name + "=4x4");
        }
        return vector(value).stream()
                .mapToInt(each -> checked(name, each, min, max))
                .toArray();
    }

    private int checked(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw error(name + "=" + value + " is out of range; use " + min + " to " + max);
        }
        return value;
    }

    /** Checks that a switch does not need more ports than there are (IBA 14.2.5.3). */
    int checkedPorts(long ports) {
        if (ports > NodeInfo.MAX_PORT_NUM) {
            throw error("a switch would need " + ports + " ports; it may have " + NodeInfo.MAX_PORT_NUM);
        }
        return (int) Math.max(1, ports);
    }

    /** Checks that the LIDs of a subnet suffice (IBA 4.1.3). */
    void checkLids(long switches, long hostPorts) {
        if (switches > Lids.UNICAST_LAST || hostPorts > Lids.UNICAST_LAST - switches) {
            throw error(switches + " switches and " + hostPorts + " ports of hosts need more LIDs than the "
                    + Lids.UNICAST_LAST + " of a subnet");
        }
    }

    /** Checks that no option is left that its shape did not ask for. */
    void checkAllUsed() {
        for (String name : options.keySet()) {
            if (!used.contains(name)) {
                throw error("there is no option " + name + "= of this shape");
            }
        }
    }
}
