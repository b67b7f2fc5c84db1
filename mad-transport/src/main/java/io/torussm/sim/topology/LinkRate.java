package io.torussm.sim.topology;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The width and speed of a cable, with the codes of PortInfo (IBA 14.2.5.6).
 *
 * @param width LinkWidthActive, the code of a {@link LinkWidth}
 * @param speed speed of each lane
 */
public record LinkRate(int width, LinkSpeed speed) {
    /** The rate of a cable without a rate in its file: 4xQDR. */
    public static final LinkRate DEFAULT = new LinkRate(LinkWidth.X4.code(), LinkSpeed.QDR);

    private static final Pattern WORD = Pattern.compile("(\\d+x)(\\w*)");

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
        LinkWidth width = Arrays.stream(LinkWidth.values())
                .filter(each -> each.toString().equals(match.group(1)))
                .findFirst()
                .orElse(null);
        LinkSpeed speed = match.group(2).equalsIgnoreCase("FDR10")
                ? LinkSpeed.QDR
                : LinkSpeed.ofName(match.group(2)).orElse(null);
        return width == null || speed == null ? null : new LinkRate(width.code(), speed);
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
        return LinkWidth.ofCode(width).orElse(LinkWidth.X4).lanes();
    }

    @Override
    public String toString() {
        return lanes() + "x" + speed;
    }
}
