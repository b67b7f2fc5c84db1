package io.torussm.sim;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Width and speed of a cable, as PortInfo spells them (IBA 14.2.5.6).
 *
 * @param width LinkWidthActive: 1 1x, 2 4x, 4 8x, 8 12x, 16 2x
 * @param speed LinkSpeedActive: 1 SDR, 2 DDR, 4 QDR
 * @param extended LinkSpeedExtActive: 0 none, 1 FDR, 2 EDR, 4 HDR, 8 NDR; if not 0, speed is 4
 */
record LinkRate(int width, int speed, int extended) {
    static final LinkRate DEFAULT = new LinkRate(2, 4, 0);

    private static final Pattern WORD = Pattern.compile("(\\d+)x(\\w*)");
    private static final Map<String, Integer> WIDTHS = Map.of("1", 1, "4", 2, "8", 4, "12", 8, "2", 16);
    private static final Map<String, LinkRate> SPEEDS = Map.of(
            "SDR", new LinkRate(2, 1, 0),
            "DDR", new LinkRate(2, 2, 0),
            "QDR", DEFAULT,
            "FDR10", DEFAULT,
            "FDR", new LinkRate(2, 4, 1),
            "EDR", new LinkRate(2, 4, 2),
            "HDR", new LinkRate(2, 4, 4),
            "NDR", new LinkRate(2, 4, 8),
            // LinkSpeedExtActive has no code for it
            "XDR", new LinkRate(2, 4, 8));

    /** Whether a word of a comment is meant as a rate. */
    static boolean isRate(String word) {
        return WORD.matcher(word).matches();
    }

    /** Reads a word such as {@code 4xQDR}; null if width or speed are unknown. */
    static @Nullable LinkRate parse(String word) {
        Matcher match = WORD.matcher(word);
        if (!match.matches()) {
            return null;
        }
        Integer width = WIDTHS.get(match.group(1));
        LinkRate speed = SPEEDS.get(match.group(2).toUpperCase(Locale.ROOT));
        return width == null || speed == null ? null : new LinkRate(width, speed.speed, speed.extended);
    }

    @Override
    public String toString() {
        String widthText =
                switch (width) {
                    case 1 -> "1x";
                    case 4 -> "8x";
                    case 8 -> "12x";
                    case 16 -> "2x";
                    default -> "4x";
                };
        return widthText
                + switch (extended) {
                    case 1 -> "FDR";
                    case 2 -> "EDR";
                    case 4 -> "HDR";
                    case 8 -> "NDR";
                    default -> speed == 1 ? "SDR" : speed == 2 ? "DDR" : "QDR";
                };
    }
}
