package io.torussm.mad;

/** GUIDs are plain {@code long}s; this is how people write them. */
public final class Guid {
    private Guid() {}

    /** {@code 0x} and sixteen hexadecimal digits. */
    public static String format(long guid) {
        return String.format("0x%016x", guid);
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
}
