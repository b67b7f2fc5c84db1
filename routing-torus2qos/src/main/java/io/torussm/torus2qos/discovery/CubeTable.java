package io.torussm.torus2qos.discovery;

import io.torussm.torus2qos.conf.Dim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The attempts, in order, to fill the empty corners of a cube. Corners are numbered {@code a + 2b + 4c} for the
 * offset (a,b,c), each 0 or 1, from the corner with the lowest coordinates. The order is that of OpenSM, and is
 * data: it decides which cable is considered first in a damaged fabric. It also decides the order in which
 * switches are placed, and so the assignment of parallel cables.
 */
final class CubeTable {
    private static final Attempt[] NO_ATTEMPTS = {};

    /**
     * One way to find the switch of an empty corner. With {@code dim < 0}, the corner is the fourth of a square
     * whose other corners are {@code armA}, {@code base} (opposite) and {@code armC}. Otherwise the corner is one
     * step from {@code base} in dimension {@code dim}, and makes a square with each arm ({@code armC} is -1 if there
     * is one arm).
     *
     * @param target empty corner, 0 to 7
     */
    record Attempt(int target, int dim, int armA, int base, int armC) {}

    /**
     * Rows for squares. A row begins with the set of empty corners (two hexadecimal digits, bit c for corner c).
     * Then each word is an attempt: target, a less-than sign, {@code armA}, {@code base}, {@code armC}.
     */
    private static final String FACES = """
            01 0<231
            02 1<045
            04 2<046
            08 3<201
            10 4<015
            20 5<104
            40 6<204
            80 7<645
            03 0<264 1<375
            05 0<154 2<376
            0a 1<045 3<267
            0c 2<046 3<157
            11 0<132 4<576
            22 1<023 5<467
            30 4<026 5<137
            44 2<013 6<457
            50 4<015 6<237
            88 3<102 7<546
            a0 5<401 7<623
            c0 6<402 7<513
            07 1<375 2<376
            0b 0<264 3<267
            0d 0<154 3<157
            0e 1<045 2<046
            13 1<375 4<576
            15 2<376 4<576
            23 0<264 5<467
            2a 3<267 5<467
            31 0<132 5<137
            32 1<023 4<026
            45 0<154 6<457
            4c 3<157 6<457
            51 0<132 6<237
            54 2<013 4<015
            70 5<137 6<237
            8a 1<045 7<546
            8c 2<046 7<546
            a2 1<023 7<623
            a8 3<102 5<401
            b0 4<026 7<623
            c4 2<013 7<513
            c8 3<102 6<402
            d0 4<015 7<513
            e0 5<401 6<402
            17 4<675 1<375 2<376
            2b 5<467 0<264 3<267
            4d 6<457 0<154 3<157
            71 0<231 5<731 6<732
            8e 7<546 1<045 2<046
            b2 1<023 7<623 4<620
            d4 2<013 4<510 7<513
            e8 3<102 5<104 6<204
            """;

    /** By set of empty corners, bit c for corner c: the attempts in order. */
    private final Attempt[][] attempts = new Attempt[256][];
    /** The corners that differ in dimensions with more than one switch, bit c for corner c. */
    private final int usedCorners;

    /**
     * Creates the table for a torus.
     *
     * @param dims dimensions with more than one switch, bit d for dimension d
     */
    CubeTable(int dims) {
        Arrays.fill(attempts, NO_ATTEMPTS);
        usedCorners = Integer.bitCount(dims) == 3 ? 0xff : corners(dims);
        if (Integer.bitCount(dims) == 3) {
            addFaceAttempts();
            addPerpendicularAttempts();
        } else if (Integer.bitCount(dims) == 2) {
            addFlatAttempts(dims);
        }
    }

    /** Returns the attempts for a set of empty corners, bit c for corner c. */
    Attempt[] attempts(int empty) {
        return attempts[empty & usedCorners];
    }

    private static int corners(int dims) {
        int mask = 0;
        for (int corner = 0; corner < 8; corner++) {
            mask |= (corner & ~dims) == 0 ? 1 << corner : 0;
        }
        return mask;
    }

    private void addFaceAttempts() {
        for (String row : FACES.lines().toList()) {
            String[] words = row.split(" ", -1);
            attempts[Integer.parseInt(words[0], 16)] = Arrays.stream(words)
                    .skip(1)
                    .map(word -> new Attempt(
                            word.charAt(0) - '0', -1, word.charAt(2) - '0', word.charAt(3) - '0', word.charAt(4) - '0'))
                    .toArray(Attempt[]::new);
        }
    }

    /**
     * Adds the attempts by a perpendicular: for three placed corners of one side, and for one complete side of the
     * cube.
     */
    private void addPerpendicularAttempts() {
        for (int d = 0; d < Dim.COUNT; d++) {
            int up = 1 << d;
            int e = 1 << (d + 1) % Dim.COUNT;
            int f = 1 << (d + 2) % Dim.COUNT;
            for (int base = 0; base < 8; base++) {
                int filled = 1 << base | 1 << (base ^ e) | 1 << (base ^ f);
                attempts[0xff & ~filled] = new Attempt[] {new Attempt(base ^ up, d, base ^ e, base, base ^ f)};
            }
            for (int side = 0; side <= up; side += up) {
                List<Attempt> four = new ArrayList<>();
                int empty = 0;
                for (int target = 7; target >= 0; target--) {
                    if ((target & up) == side) {
                        int base = target ^ up;
                        empty |= 1 << target;
                        four.add(new Attempt(target, d, base ^ e, base, base ^ f));
                    }
                }
                attempts[empty] = four.toArray(NO_ATTEMPTS);
            }
        }
    }

    /** Adds the attempts for a torus of two dimensions, whose cubes have four corners. */
    private void addFlatAttempts(int dims) {
        int low = Integer.lowestOneBit(dims);
        int high = Integer.highestOneBit(dims);
        for (int corner : new int[] {0, low, high, low | high}) {
            int first = Math.min(corner ^ low, corner ^ high);
            int second = Math.max(corner ^ low, corner ^ high);
            attempts[1 << corner] = new Attempt[] {new Attempt(corner, -1, first, corner ^ low ^ high, second)};
        }
        for (int open : new int[] {low, high}) {
            int across = dims & ~open;
            int d = Integer.numberOfTrailingZeros(across);
            for (int base : new int[] {0, across}) {
                int empty = 1 << (base ^ across) | 1 << (base ^ across ^ open);
                attempts[empty] = new Attempt[] {
                    new Attempt(base ^ across, d, base ^ open, base, -1),
                    new Attempt(base ^ open ^ across, d, base, base ^ open, -1)
                };
            }
        }
    }
}
