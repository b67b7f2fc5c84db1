package io.torussm.torus2qos.planning;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sizes of a torus or mesh in three dimensions; an unused dimension has radix 1. A position is {@code x + X
 * (y + Y z)} in a torus of X x Y x Z.
 */
public final class TorusShape {
    static final int DIMENSIONS = 3;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,3})([mM]?)x(\\d{1,3})([mM]?)(?:x(\\d{1,3})([mM]?))?");

    /** The number of unicast LIDs of a subnet (IBA 4.1.3); each switch needs one. */
    private static final int MAX_POSITIONS = 0xBFFF;

    private final int[] radix;
    private final boolean[] mesh;

    TorusShape(int[] radix, boolean[] mesh) {
        this.radix = radix.clone();
        this.mesh = mesh.clone();
    }

    /**
     * Parses sizes such as {@code 6x6x6} or {@code 6x5}. An m after a number means that the dimension does not wrap.
     *
     * @throws IllegalArgumentException if the text has another form, or the sizes give fewer than 2 or too many
     *     switches; the message is for operators
     */
    public static TorusShape parse(String text) {
        Matcher match = TEXT.matcher(text.strip());
        if (!match.matches()) {
            throw new IllegalArgumentException("cannot understand \"" + text
                    + "\"; write the switches in each dimension, such as 6x6x6, 6x5, or 8x8x4m where z does not wrap");
        }
        int[] radix = new int[DIMENSIONS];
        boolean[] mesh = new boolean[DIMENSIONS];
        long positions = 1;
        for (int d = 0; d < DIMENSIONS; d++) {
            String number = match.group(2 * d + 1);
            radix[d] = number == null ? 1 : Integer.parseInt(number);
            mesh[d] = number != null && !match.group(2 * d + 2).isEmpty();
            positions *= radix[d];
        }
        if (positions < 2 || positions > MAX_POSITIONS) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has " + positions + " switches; a torus has 2 to " + MAX_POSITIONS);
        }
        return new TorusShape(radix, mesh);
    }

    /** Returns the number of switches in a dimension, at least 1. */
    public int radix(int d) {
        return radix[d];
    }

    /** Checks whether both ends of the lines of a dimension are joined; false for a radix of two. */
    public boolean wraps(int d) {
        return radix[d] > 2 && !mesh[d];
    }

    /** Returns the number of positions. */
    public int positions() {
        return radix[0] * radix[1] * radix[2];
    }

    int coordinate(int position, int d) {
        return position / stride(d) % radix[d];
    }

    /** Returns the position of coordinates, each taken modulo the radix. */
    int position(int[] coordinates) {
        int position = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            position += Math.floorMod(coordinates[d], radix[d]) * stride(d);
        }
        return position;
    }

    int[] coordinates(int position) {
        return new int[] {coordinate(position, 0), coordinate(position, 1), coordinate(position, 2)};
    }

    /**
     * Returns the position one step away in a dimension; -1 over the end of a dimension that does not wrap.
     *
     * @param sign 1 for plus, -1 for minus
     */
    int step(int position, int d, int sign) {
        int to = coordinate(position, d) + sign;
        if (!wraps(d) && (to < 0 || to >= radix[d])) {
            return -1;
        }
        return position + (Math.floorMod(to, radix[d]) - coordinate(position, d)) * stride(d);
    }

    /** Returns the positions one step away from a position, each once. */
    int[] neighbours(int position) {
        int[] all = new int[2 * DIMENSIONS];
        int count = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                int next = step(position, d, sign);
                if (next >= 0) {
                    all[count++] = next;
                }
            }
        }
        return Arrays.copyOf(all, count);
    }

    boolean areNeighbours(int a, int b) {
        for (int next : neighbours(a)) {
            if (next == b) {
                return true;
            }
        }
        return false;
    }

    /** Returns coordinates as operators write them: {@code (2,1,0)}. */
    String formatPosition(int position) {
        return "(" + coordinate(position, 0) + "," + coordinate(position, 1) + "," + coordinate(position, 2) + ")";
    }

    /** Returns the sizes in the format of torus-2QoS.conf: {@code torus 6 5 4m}. */
    public String confLine() {
        StringBuilder text = new StringBuilder("torus");
        for (int d = 0; d < DIMENSIONS; d++) {
            text.append(' ').append(radix[d]).append(mesh[d] && radix[d] > 2 ? "m" : "");
        }
        return text.toString();
    }

    private int stride(int d) {
        return d == 0 ? 1 : d == 1 ? radix[0] : radix[0] * radix[1];
    }
}
