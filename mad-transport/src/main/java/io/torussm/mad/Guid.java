package io.torussm.mad;

import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The formats of GUIDs, which are {@code long}s in this program. */
public final class Guid {
    /**
     * A GUID of 16 digits with {@code 0x}, with the letter of ibnetdiscover or without both, or in groups as in sysfs.
     * A number of 16 digits is always hexadecimal.
     */
    private static final Pattern ANY_FORM =
            Pattern.compile("(?:[SHR]-|0[xX])?(\\p{XDigit}{16})|(\\p{XDigit}{4}(?::\\p{XDigit}{4}){3})");

    private static final HexFormat DIGITS = HexFormat.of();

    private Guid() {}

    /** Formats a GUID as {@code 0x} and sixteen hexadecimal digits. */
    public static String format(long guid) {
        return "0x" + DIGITS.toHexDigits(guid);
    }

    /**
     * Returns a decimal number, or after {@code 0x} a hexadecimal one.
     *
     * @throws NumberFormatException if the text is no such number, or does not fit 64 bits
     */
    public static long parse(String text) {
        return text.startsWith("0x") || text.startsWith("0X")
                ? Long.parseUnsignedLong(text.substring(2), 16)
                : Long.parseUnsignedLong(text);
    }

    /**
     * Returns a GUID in any form of a tool: {@code 0x0002c90300001234}, also with fewer digits; the 16 digits without
     * {@code 0x}; {@code S-0002c90300001234} ({@code H-}, {@code R-}) as ibnetdiscover; {@code 0002:c903:0000:1234} as
     * sysfs.
     *
     * @return empty if the text has another form
     */
    public static OptionalLong parseAnyForm(String text) {
        Matcher matcher = ANY_FORM.matcher(text);
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
