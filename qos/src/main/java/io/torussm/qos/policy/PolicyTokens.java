package io.torussm.qos.policy;

import io.torussm.conf.ConfLines;
import io.torussm.partition.PKeys;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The parser of values in the current line: numbers, ranges and names. An invalid value adds an error, and is
 * read as empty or as the minimum.
 */
final class PolicyTokens {
    private static final int MAX_NAME = 128;
    private static final int MAX_ITEMS = 4096;
    private static final int MAX_DIGITS = 20;

    private final ConfLines errors;

    PolicyTokens(ConfLines errors) {
        this.errors = errors;
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
            errors.error("more than " + MAX_ITEMS + " items; begin another line with the same keyword");
            return List.of();
        }
        return items;
    }

    /** Returns a text without the quotation marks around it. */
    String text(String text) {
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    /** Returns a name, which may be within quotation marks and contain blanks; empty after an error. */
    String name(String text) {
        String name = text(text);
        if (name.indexOf('"') >= 0) {
            errors.error(ConfLines.quote(text) + " is no name; put \" at both ends of it, or nowhere");
        } else if (name.isBlank()) {
            errors.error("a name is missing");
        } else if (name.length() > MAX_NAME) {
            errors.error("a name has at most " + MAX_NAME + " characters");
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
     * Parses a number, decimal or hexadecimal with 0x.
     *
     * @param noun description of the correct form, for messages
     * @return number; {@code min} after an error
     */
    int number(String text, int min, int max, String noun) {
        long number = 0;
        boolean isNumber = isNumber(text);
        if (isNumber) {
            number = parse(text);
        }
        if (!isNumber || Long.compareUnsigned(number, max) > 0 || number < min) {
            errors.error(ConfLines.quote(text) + " is not " + noun);
            return min;
        }
        return (int) number;
    }

    /**
     * Parses numbers and ranges of numbers that are separated by commas.
     *
     * @param max largest permitted number, unsigned
     * @param noun description of the correct form, for messages
     */
    NumberRanges ranges(String list, long max, String noun) {
        List<NumberRanges> all = new ArrayList<>();
        for (String item : items(list)) {
            int dash = item.indexOf('-');
            String first = dash < 0 ? item : item.substring(0, dash).strip();
            String last = dash < 0 ? item : item.substring(dash + 1).strip();
            if (isNumber(first)
                    && isNumber(last)
                    && Long.compareUnsigned(parse(first), max) <= 0
                    && Long.compareUnsigned(parse(last), max) <= 0) {
                all.add(NumberRanges.of(parse(first), parse(last)));
            } else {
                errors.error(ConfLines.quote(item) + " is not " + noun);
            }
        }
        return NumberRanges.union(all);
    }

    /** Parses ServiceIDs and ranges of ServiceIDs. */
    NumberRanges serviceIds(String list) {
        return ranges(list, -1, "a ServiceID of up to 64 bits, nor a range such as 0x10000-0x1ffff");
    }

    /** Parses port GUIDs and ranges of port GUIDs. */
    NumberRanges guids(String list) {
        return ranges(list, -1, "a port GUID, nor a range such as 0x2c900-0x2c9ff");
    }

    /** Parses P_Keys and ranges of P_Keys. The result has no membership bits. */
    NumberRanges pKeys(String list) {
        NumberRanges ranges = ranges(list, 0xffff, "a P_Key, 1 to 0xffff, nor a range such as 0x10-0x1f");
        List<NumberRanges> bases = new ArrayList<>();
        for (int i = 0; i < ranges.count(); i++) {
            int first = (int) ranges.first(i);
            int last = (int) ranges.last(i);
            if (PKeys.base(first) == 0 || (first <= PKeys.BASE && last > PKeys.BASE)) {
                errors.error(PKeys.format(first) + " to " + PKeys.format(last)
                        + " has P_Keys without a partition in it; begin at 1 and end at 0x7fff");
            } else {
                bases.add(NumberRanges.of(PKeys.base(first), PKeys.base(last)));
            }
        }
        return NumberRanges.union(bases);
    }

    private static boolean isNumber(String text) {
        boolean isHex = isHex(text);
        String digits = isHex ? text.substring(2) : text;
        if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
            return false;
        }
        for (int i = 0; i < digits.length(); i++) {
            if (Character.digit(digits.charAt(i), isHex ? 16 : 10) < 0 || digits.charAt(i) > 'f') {
                return false;
            }
        }
        return isHex ? digits.replaceFirst("^0+", "").length() <= Long.BYTES * 2 : isBelow64Bits(digits);
    }

    private static boolean isBelow64Bits(String digits) {
        return new BigInteger(digits).bitLength() <= Long.SIZE;
    }

    private static boolean isHex(String text) {
        return text.startsWith("0x") || text.startsWith("0X");
    }

    /** Parses a text that {@link #isNumber} accepts. */
    private static long parse(String text) {
        return isHex(text) ? Long.parseUnsignedLong(text, 2, text.length(), 16) : Long.parseUnsignedLong(text);
    }
}
