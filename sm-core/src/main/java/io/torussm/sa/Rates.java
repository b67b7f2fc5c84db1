package io.torussm.sa;

import io.torussm.mad.smp.PortInfo;

/** Rate codes (IBA 15.2.5.16.1), whose order is not that of their numbers. */
final class Rates {
    private static final int FIRST = 2;
    private static final int LAST = 24;

    /** Place of each code in ascending order of speed, from code 2 on. */
    private static final int[] ORDER = {
        1, 3, 6, 2, 5, 9, 10, 13, 14, 4, 12, 16, 17, 7, 15, 18, 19, 8, 11, 20, 21, 22, 23
    };

    /** Codes by width (1x, 2x, 4x, 8x, 12x) and speed (2.5, 5, 10, FDR, EDR, HDR, NDR). */
    private static final int[][] CODES = {
        {2, 5, 3, 11, 15, 20, 16},
        {5, 3, 6, 19, 20, 16, 17},
        {3, 6, 7, 12, 16, 17, 21},
        {6, 7, 9, 13, 17, 21, 23},
        {4, 8, 10, 14, 18, 22, 24},
    };

    private Rates() {}

    static boolean isDefined(int code) {
        return code >= FIRST && code <= LAST;
    }

    /** Negative if {@code a} is slower than {@code b}. */
    static int compare(int a, int b) {
        return Integer.compare(ORDER[a - FIRST], ORDER[b - FIRST]);
    }

    /** The code just below another; 0 if there is none. */
    static int nextLower(int code) {
        int wanted = ORDER[code - FIRST] - 1;
        for (int candidate = FIRST; candidate <= LAST; candidate++) {
            if (ORDER[candidate - FIRST] == wanted) {
                return candidate;
            }
        }
        return 0;
    }

    /**
     * The rate of a port.
     *
     * @param knowsExtendedSpeeds whether the governing port (port 0 of a switch) announces extended speeds
     */
    static int of(PortInfo port, boolean knowsExtendedSpeeds) {
        int width =
                switch ((int) port.get(PortInfo.LINK_WIDTH_ACTIVE)) {
                    case 16 -> 1;
                    case 2 -> 2;
                    case 4 -> 3;
                    case 8 -> 4;
                    default -> 0;
                };
        int extended = knowsExtendedSpeeds ? (int) port.get(PortInfo.LINK_SPEED_EXT_ACTIVE) : 0;
        int speed =
                switch (extended) {
                    case 1 -> 3;
                    case 2 -> 4;
                    case 4 -> 5;
                    case 8 -> 6;
                    default ->
                        switch ((int) port.get(PortInfo.LINK_SPEED_ACTIVE)) {
                            case 2 -> 1;
                            case 4 -> 2;
                            default -> 0;
                        };
                };
        return CODES[width][speed];
    }
}
