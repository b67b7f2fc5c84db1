package io.torussm.mad;

import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GUIDs are plain {@code long}s; this is how people write them. */
public final class Guid {
    /**
     * As ibnetdiscover names nodes, without 0x, or in groups as sysfs has them; a number of 16 digits is no
     * decimal one.
     */
    private static final Pattern WRITTEN =
            Pattern.compile("(?:[SHR]-|0[xX])?(\\p{XDigit}{16})|(\\p{XDigit}{4}(?::\\p{XDigit}{4}){3})");

    private static final HexFormat DIGITS = HexFormat.of();

    private Guid() {}

    /** Formats a GUID as {@code 0x} and sixteen hexadecimal digits. */
    public static String format(long guid) {
        return "0x" + DIGITS.toHexDigits(guid);
    }

    /**
     * Reads decimal, or hexadecimal after {@code 0x}.
     *
     * @throws NumberFormatException if it is neither, or does not fit 64 bits
     */
    public static long parse(String text) {
        return text.startsWith("0x") || text.startsWith("0X")
                ? Long.parseUnsignedLong(text.substring(2), 16)
                : Long.parseUnsignedLong(text);
    }

    /**
     * Reads a GUID in any form in which tools write it: {@code 0x0002c90300001234}, the same without
     * {@code 0x}, as {@code S-0002c90300001234} ({@code H-}, {@code R-}) like ibnetdiscover, as
     * {@code 0002:c903:0000:1234} like sysfs, or with fewer digits after {@code 0x}.
     *
     * @return empty if the text is none
     */
    public static OptionalLong written(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        if (matcher.matches()) {
            String digits = matcher.group(1) != null
                    ? matcher.group(1)
                    : matcher.group(2).replace(":", "");
            return OptionalLong.of(Long.parseUnsignedLong(digits, 16));
        }
        return text.matches("0[xX]\\p{XDigit}{1,15}")
                ? OptionalLong.of(Long.parseUnsignedLong(text.substring(2), 16))
                : OptionalLong.empty();
    }
}
