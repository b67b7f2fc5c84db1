package io.torussm.torus2qos.discovery;

import io.torussm.torus2qos.conf.Balance;

/**
 * The short way between two coordinates of one dimension, and the bit of the SL that belongs to it. The dateline
 * of a ring lies between {@code radix - 1} and 0; the bit is set if the short way crosses the dateline.
 * Dimensions that do not wrap have the same bit. Immutable.
 *
 * <p>On rings of even radix both ways between opposite switches are equally long: a tie. OpenSM takes the way
 * that does not cross the dateline, so one half of a ring carries most of these paths. With {@link
 * Balance#TIES}, ties are split by the lower coordinate {@code a} of the two switches, 0 to {@code half - 1},
 * where {@code half} is half the radix:
 *
 * <pre>
 *     radix 4      - +               -  both from a and to a in direction -
 *     radix 6      - ? +             +  both in direction +
 *     radix 8      - - + +           ?  both, - or + by the destination's side
 *     10, 14, ..   = x = x =         =  the way that does not cross, in either direction
 *     12, 16, ..   ? x = x = x       x  the way that does
 * </pre>
 *
 * <p>The bit of a tie is 1 for {@code x}. For {@code - + ?} it is 1 unless {@code a} is 0 or {@code half - 1}.
 * The bit is the same in both directions, since a response is sent with the SL of its request.
 *
 * <p>Proof that no credit loop goes around the ring: two paths that together go around a ring in one direction
 * leave out two switches, {@code a} and {@code a + half}, that neither passes through. No other path with the
 * same bit and direction passes through one of these two. This switch is 0 or {@code radix - 1} for bit 0, and
 * one of {@code half - 2} to {@code half + 1} for bit 1. This allows one pair for each bit and direction. So
 * rings from radix 10 on have {@code =} and {@code x}, which give a cable half a pair more or less than the
 * other cables.
 *
 * <p>With {@link Balance#ONE_SL} no path passes through both 0 and 1; paths that would do so take the long way.
 * On each cable, packets that enter the ring there have one VL, and packets that came through the previous
 * switch have another. A credit loop around the ring would need, for every switch, a path that passes through
 * this switch and the next one. No path passes through both 0 and 1. A way that passes through two switches has
 * at least three hops, so no short way does up to radix 5.
 *
 * <p>For LIDs whose ties cross the dateline ({@link Multipath}), every pair of opposite switches is {@code x}.
 * Then no path that crosses the dateline passes through more than half a ring less one. The longest of these
 * paths pass through neither {@code half - 1} nor {@code half}.
 */
public final class ShortWay {
    /** By half the radix: one character for each {@code a}, as in the table above. */
    private static final String[] SMALL_RINGS = {"", "", "-+", "-?+", "--++"};

    private static final char NO_TIE = ' ';

    private final int radix;
    private final boolean splitsTies;
    private final boolean crossesTies;
    private final boolean isForOneSl;

    /** True if no path may pass through both 0 and 1. */
    private final boolean keepsOff;

    /**
     * Creates the ways along a dimension.
     *
     * @param radix number of switches in the dimension
     * @param isMesh true if the dimension does not wrap
     * @param areTiesCrossing true if ties take the way over the dateline
     */
    public ShortWay(int radix, Balance balance, boolean isMesh, boolean areTiesCrossing) {
        boolean isRing = !isMesh && radix > 2;
        this.radix = radix;
        isForOneSl = balance == Balance.ONE_SL;
        keepsOff = isForOneSl && isRing;
        splitsTies = balance == Balance.TIES && isRing;
        crossesTies = areTiesCrossing && isRing;
    }

    /**
     * Checks whether the SL of a path between two coordinates has the dateline bit. The result is the same in both
     * directions.
     */
    public boolean hasDatelineBit(int s, int t) {
        return !isForOneSl && crossesDateline(s, t);
    }

    private boolean crossesDateline(int s, int t) {
        return switch (tie(s, t)) {
            case NO_TIE -> 2 * Math.abs(t - s) > radix;
            case '=' -> false;
            case 'x' -> true;
            default -> Math.min(s, t) % (radix / 2 - 1) != 0;
        };
    }

    /**
     * Returns the direction of the way from a coordinate to another: 1, -1, or 0 if they are equal.
     *
     * @param s coordinate of the source
     * @param t coordinate of the destination
     * @param side the side of the destination, 0 or 1; see {@link Torus#side}
     */
    public int direction(int s, int t, int side) {
        if (keepsOff && s != t) {
            return Math.floorMod(t - s, radix) <= upwardCount(t, side) ? 1 : -1;
        }
        int straight = Integer.signum(t - s);
        return switch (tie(s, t)) {
            case '+' -> 1;
            case '-' -> -1;
            case '?' -> 1 - 2 * side;
            default -> crossesDateline(s, t) ? -straight : straight;
        };
    }

    /**
     * Returns the number of switches below a coordinate (modulo the radix) that send to it in direction +; the
     * others send in direction -. It is about half, limited so that no path passes through both 0 and 1.
     */
    private int upwardCount(int t, int side) {
        int max = t < 2 ? radix - 1 : t;
        int least = t < 2 ? 0 : t - 2;
        int half = radix % 2 == 0 && side == 0 ? radix / 2 : (radix - 1) / 2;
        return Math.max(least, Math.min(max, half));
    }

    /** Checks whether some way depends on the side of the destination. */
    boolean hasSides() {
        return (keepsOff && radix % 2 == 0) || tie(0, radix / 2) == '?' || tie(1, 1 + radix / 2) == '?';
    }

    /**
     * Checks whether the way taken is longer than the other way around, which happens only with {@link
     * Balance#ONE_SL}.
     */
    public boolean isLong(int s, int t, int side) {
        return keepsOff && 2 * Math.floorMod((t - s) * direction(s, t, side), radix) > radix;
    }

    /** Checks whether both ways are equally long and ties are split between them. */
    public boolean isSplit(int s, int t) {
        return keepsOff ? 2 * Math.abs(t - s) == radix : tie(s, t) != NO_TIE;
    }

    /**
     * Returns the character of the table for two opposite coordinates; {@link #NO_TIE} if they are not opposite, or
     * ties are not split.
     */
    private char tie(int s, int t) {
        int half = radix / 2;
        if ((!splitsTies && !crossesTies) || 2 * Math.abs(t - s) != radix) {
            return NO_TIE;
        }
        if (crossesTies) {
            return 'x';
        }
        int a = Math.min(s, t);
        if (half < SMALL_RINGS.length) {
            return SMALL_RINGS[half].charAt(a);
        }
        return a == 0 && half % 2 == 0 ? '?' : a % 2 == 0 ? '=' : 'x';
    }
}
