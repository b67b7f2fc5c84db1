package io.torussm.sim.topology;

import io.torussm.mad.smp.LinkSpeed;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The width and speed of a cable, with the codes of PortInfo (IBA 14.2.5.6).
 *
 * @param width LinkWidthActive: 1 1x, 2 4x, 4 8x, 8 12x, 16 2x
 * @param speed speed of each lane
 */
public record LinkRate(int width, LinkSpeed speed) {
    /** The rate of a cable without a rate in its file: 4xQDR. */
    public static final LinkRate DEFAULT = new LinkRate(2, LinkSpeed.QDR);

    private static final Pattern WORD = Pattern.compile("(\\d+)x(\\w*)");
    private static final Map<String, Integer> WIDTHS = Map.of("1", 1, "4", 2, "8", 4, "12", 8, "2", 16);

    /** Checks whether a word of a comment has the form of a rate. */
    static boolean isRate(String word) {
        return WORD.matcher(word).matches();
    }

    /** Parses a word such as {@code 4xQDR}. Returns null if width or speed is unknown. FDR10 counts as QDR. */
    static @Nullable LinkRate parse(String word) {
        Matcher match = WORD.matcher(word);
        if (!match.matches()) {
            return null;
        }
        Integer width = WIDTHS.get(match.group(1));
        LinkSpeed speed = match.group(2).equalsIgnoreCase("FDR10")
                ? LinkSpeed.QDR
                : LinkSpeed.ofName(match.group(2)).orElse(null);
        return width == null || speed == null ? null : new LinkRate(width, speed);
    }

    /**
     * Returns the rate of a cable from the rates at its ends.
     *
     * @return the slower rate; the other one if a rate is null; 4xQDR if both are
     */
    static LinkRate slower(@Nullable LinkRate one, @Nullable LinkRate other) {
        if (one == null || other == null) {
            return one != null ? one : other != null ? other : DEFAULT;
        }
        double difference = one.gbps() - other.gbps();
        return difference < 0 || (difference == 0 && one.lanes() <= other.lanes()) ? one : other;
    }

    private double gbps() {
        return lanes() * Double.parseDouble(speed.gbps());
    }

    private int lanes() {
        return switch (width) {
            case 1 -> 1;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 4;
        };
    }

    @Override
    public String toString() {
        return lanes() + "x" + speed;
    }
}
