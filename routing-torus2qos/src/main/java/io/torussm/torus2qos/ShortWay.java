package io.torussm.torus2qos;

/**
 * The short way between two coordinates of one dimension, and the bit of the SL that goes with it. The dateline of a ring lies between
 * {@code radix - 1} and 0; the bit says whether the short way crosses it. The same formula serves dimensions that do not
 * wrap. Immutable.
 *
 * <p>On rings of even radix both ways between opposite switches are equally long: a tie. OpenSM takes the one that does not
 * cross the dateline, so that half of a ring gets most of them. Else they are split, by the lower coordinate of the two,
 * {@code a} of 0 to {@code half - 1}:
 *
 * <pre>
 *     radix 4      - +               -  both from a and to a in direction -
 *     radix 6      - ? +             +  both in direction +
 *     radix 8      - - + +           ?  both, - or + by the destination's side
 *     10, 14, ..   = x = x =         =  the way that does not cross, in either direction
 *     12, 16, ..   ? x = x = x       x  the way that does
 * </pre>
 *
 * <p>The bit of a tie is 1 for {@code x}, and for {@code - + ?} unless {@code a} is 0 or {@code half - 1}. It is the same
 * there and back, whichever way either goes, since answers to a packet are sent with its SL. Two paths that go on round a ring in
 * one direction leave two switches, {@code a} and {@code a + half}, that neither passes by. One of them no other path with that bit and
 * direction passes by, either: 0 or {@code radix - 1} for the bit 0, one from {@code half - 2} to {@code half + 1} for
 * the bit 1. So no packets wait all the way round. That allows one pair for each bit and direction, which is why rings from 10 on
 * have {@code =} and {@code x}; these, in turn, leave a cable with half a pair more or less than the others.
 *
 * <p>With {@link Balance#ONE_SL} no path passes by both 0 and 1: those that would go the long way. On a cable packets have one VL if they
 * enter the ring by it and another if they pass by the switch before, so packets that wait all the way round have passed
 * by every switch, each by its own and the next; nobody has by 0 and 1. Up to radix 5 no short way is long enough, ties aside.
 *
 * <p>For LIDs whose ties cross ({@link Multipath}) every pair of opposite switches is {@code x}: no path that crosses the dateline passes by
 * more than half a ring less one, those among them neither by {@code half - 1} nor by {@code half}.
 */
final class ShortWay {
    /** By half the radix. */
    private static final String[] SMALL_RINGS = {"", "", "-+", "-?+", "--++"};

    private static final char NO_TIE = ' ';

    private final int radix;
    private final boolean splitsTies;
    private final boolean crossesTies;
    private final boolean isForOneSl;

    /** Whether paths keep from passing by both 0 and 1. */
    private final boolean keepsOff;

    /**
     * The ways along a dimension.
     *
     * @param areTiesCrossing whether of two ways that are equally long the one over the dateline is taken
     */
    ShortWay(int radix, Balance balance, boolean isMesh, boolean areTiesCrossing) {
        boolean isRing = !isMesh && radix > 2;
        this.radix = radix;
        isForOneSl = balance == Balance.ONE_SL;
        keepsOff = isForOneSl && isRing;
        splitsTies = balance == Balance.TIES && isRing;
        crossesTies = areTiesCrossing && isRing;
    }

    /** Whether the SL of a path from one coordinate to the other has the dateline's bit; the same in both directions. */
    boolean crosses(int s, int t) {
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
     * The direction of the short way: 1, -1, or 0 if there is nowhere to go.
     *
     * @param side the side of the destination, 0 or 1; see {@link Torus#side}
     */
    int prefer(int s, int t, int side) {
        if (keepsOff && s != t) {
            return Math.floorMod(t - s, radix) <= upward(t, side) ? 1 : -1;
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
     * How many switches before a coordinate send to it in direction +, the others in direction -: half of them, but none from which a path
     * would pass by both 0 and 1.
     */
    private int upward(int t, int side) {
        int most = t < 2 ? radix - 1 : t;
        int least = t < 2 ? 0 : t - 2;
        int half = radix % 2 == 0 && side == 0 ? radix / 2 : (radix - 1) / 2;
        return Math.max(least, Math.min(most, half));
    }

    /** Whether some way depends on the side of the destination. */
    boolean hasSides() {
        return keepsOff && radix % 2 == 0 || tie(0, radix / 2) == '?' || tie(1, 1 + radix / 2) == '?';
    }

    /** Whether the other way round is shorter, which is so only with {@link Balance#ONE_SL}. */
    boolean isLong(int s, int t, int side) {
        return keepsOff && 2 * Math.floorMod((t - s) * prefer(s, t, side), radix) > radix;
    }

    /** Whether both ways are equally long, and not always the same is taken. */
    boolean isSplit(int s, int t) {
        return keepsOff ? 2 * Math.abs(t - s) == radix : tie(s, t) != NO_TIE;
    }

    private char tie(int s, int t) {
        int half = radix / 2;
        if (!splitsTies && !crossesTies || 2 * Math.abs(t - s) != radix) {
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
