package io.torussm.qos.policy;

import io.torussm.conf.ConfLines;
import io.torussm.partition.PKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The parser of values in the current line: numbers, ranges and names. Numbers are those of C, as OpenSM reads them
 * ({@link ConfLines#number}). An invalid value adds an error, and is read as empty or as the minimum.
 */
final class PolicyTokens {
    /** Max length of a name. A port-name with a NodeDescription of 64 bytes fits. */
    private static final int MAX_NAME = 128;

    /** Max items of a list; a bound for the memory. */
    private static final int MAX_ITEMS = 4096;

    private static final long MAX_UNSIGNED = -1;

    private final ConfLines lines;

    PolicyTokens(ConfLines lines) {
        this.lines = lines;
    }

    /** Returns a line without its comment. A {@code #} within quotation marks begins no comment. */
    static String withoutComment(String line) {
        int end = outsideQuotes(line, '#', 0);
        return (end < 0 ? line : line.substring(0, end)).strip();
    }

    private static int outsideQuotes(String text, char wanted, int from) {
        boolean isQuoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            isQuoted ^= c == '"';
            if (c == wanted && !isQuoted) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the items of a list, which are separated by commas outside of quotation marks, without blanks at their
     * ends.
     */
    private List<String> items(String list) {
        List<String> items = new ArrayList<>();
        int from = 0;
        for (int comma = outsideQuotes(list, ',', 0); comma >= 0; comma = outsideQuotes(list, ',', from)) {
            items.add(list.substring(from, comma).strip());
            from = comma + 1;
        }
        items.add(list.substring(from).strip());
        if (items.size() > MAX_ITEMS) {
            lines.error("more than " + MAX_ITEMS + " items; begin another line with the same keyword");
            return List.of();
        }
        return items;
    }

    /** Returns a text without the quotation marks around it. */
    private static String unquoted(String text) {
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    /** Returns a name, which may be within quotation marks and contain blanks; empty after an error. */
    String name(String text) {
        String name = unquoted(text);
        if (name.indexOf('"') >= 0) {
            lines.error(ConfLines.quote(text) + " is no name; put \" at both ends of it, or nowhere");
        } else if (name.isBlank()) {
            lines.error("a name is missing");
        } else if (name.length() > MAX_NAME) {
            lines.error("a name has at most " + MAX_NAME + " characters");
        } else {
            return name;
        }
        return "";
    }

    /** Returns names that are separated by commas, without wrong names. */
    List<String> names(String list) {
        return items(list).stream()
                .map(this::name)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /**
     * Parses a number.
     *
     * @param expected description of the correct form, after "is not" in messages such as {@code "16" is not an SL, 0
     *     to 15}
     * @return number; {@code min} after an error
     */
    int number(String text, int min, int max, String expected) {
        OptionalLong number = unsigned(text, max);
        if (number.isEmpty() || number.getAsLong() < min) {
            lines.error(ConfLines.quote(text) + " is not " + expected);
            return min;
        }
        return (int) number.getAsLong();
    }

    /** Returns a number up to an unsigned maximum; empty if the text is no such number. */
    private static OptionalLong unsigned(String text, long max) {
        OptionalLong number = ConfLines.number(text);
        return number.isPresent() && Long.compareUnsigned(number.getAsLong(), max) <= 0 ? number : OptionalLong.empty();
    }

    /**
     * Parses numbers and ranges of numbers that are separated by commas. The numbers of a range may be in any order.
     *
     * @param max largest permitted number, unsigned
     * @param expected description of the correct form, after "is not" in messages such as {@code "a" is not a port
     *     GUID, nor a range such as 0x2c900-0x2c9ff}
     */
    NumberRanges ranges(String list, long max, String expected) {
        List<NumberRanges> all = new ArrayList<>();
        for (String item : items(list)) {
            int dash = item.indexOf('-');
            OptionalLong first =
                    unsigned(dash < 0 ? item : item.substring(0, dash).strip(), max);
            OptionalLong last =
                    dash < 0 ? first : unsigned(item.substring(dash + 1).strip(), max);
            if (first.isPresent() && last.isPresent()) {
                all.add(NumberRanges.of(first.getAsLong(), last.getAsLong()));
            } else {
                lines.error(ConfLines.quote(item) + " is not " + expected);
            }
        }
        return NumberRanges.union(all);
    }

    /** Parses ServiceIDs and ranges of ServiceIDs. */
    NumberRanges serviceIds(String list) {
        return ranges(list, MAX_UNSIGNED, "a ServiceID of up to 64 bits, nor a range such as 0x10000-0x1ffff");
    }

    /** Parses port GUIDs and ranges of port GUIDs. */
    NumberRanges guids(String list) {
        return ranges(list, MAX_UNSIGNED, "a port GUID, nor a range such as 0x2c900-0x2c9ff");
    }

    /**
     * Parses P_Keys and ranges of P_Keys. The result has no membership bits. A range must be within the P_Keys of
     * limited members, 1 to 0x7fff, or within those of full members, 0x8001 to 0xffff. Otherwise its partitions are no
     * range.
     */
    NumberRanges pKeys(String list) {
        NumberRanges ranges = ranges(list, 0xffff, "a P_Key, 1 to 0xffff, nor a range such as 0x10-0x1f");
        List<NumberRanges> bases = new ArrayList<>();
        for (int i = 0; i < ranges.count(); i++) {
            int first = (int) ranges.first(i);
            int last = (int) ranges.last(i);
            if (PKeys.base(first) == 0 || (first <= PKeys.BASE && last > PKeys.BASE)) {
                lines.error(PKeys.format(first) + " to " + PKeys.format(last)
                        + " has P_Keys without a partition; write P_Keys of 1 to 0x7fff, or of 0x8001 to 0xffff");
            } else {
                bases.add(NumberRanges.of(PKeys.base(first), PKeys.base(last)));
            }
        }
        return NumberRanges.union(bases);
    }
}
