package io.torussm.qos.policy;

import io.torussm.conf.ConfLines;
import io.torussm.partition.PKeys;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of the current line: numbers, ranges and names. An invalid value is reported and read as empty.
 */
final class PolicyTokens {
    private static final int MAX_NAME = 128;
    private static final int MAX_ITEMS = 4096;
    private static final int MAX_DIGITS = 20;

    private final ConfLines errors;

    PolicyTokens(ConfLines errors) {
        this.errors = errors;
    }

    /** Returns the line without its comment; a {@code #} within quotation marks is none. */
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

    /** Splits items at commas outside of quotation marks, without the blanks around them. */
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

    /** Returns free text. */
    String text(String text) {
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    /** Returns a name, bare or within quotation marks; blanks inside are part of it. */
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

    /** Returns the names between commas. */
    List<String> names(String list) {
        return items(list).stream()
                .map(this::name)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /**
     * Reads a number.
     *
     * @param noun correct form, for display
     * @return {@code min} if the text is no number
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
     * Reads numbers and ranges of numbers, separated by commas.
     *
     * @param max the largest number, unsigned
     * @param noun correct form, for display
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

    /** Returns ServiceIDs. */
    NumberRanges serviceIds(String list) {
        return ranges(list, -1, "a ServiceID of up to 64 bits, nor a range such as 0x10000-0x1ffff");
    }

    /** Returns port GUIDs. */
    NumberRanges guids(String list) {
        return ranges(list, -1, "a port GUID, nor a range such as 0x2c900-0x2c9ff");
    }

    /** Reads partitions as 15 bits. The membership bit of a P_Key is ignored. */
    NumberRanges pKeys(String list) {
        NumberRanges given = ranges(list, 0xffff, "a P_Key, 1 to 0xffff, nor a range such as 0x10-0x1f");
        List<NumberRanges> bases = new ArrayList<>();
        for (int i = 0; i < given.count(); i++) {
            int first = (int) given.first(i);
            int last = (int) given.last(i);
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

    /** Parses text that is a number. */
    private static long parse(String text) {
        return isHex(text) ? Long.parseUnsignedLong(text, 2, text.length(), 16) : Long.parseUnsignedLong(text);
    }
}
