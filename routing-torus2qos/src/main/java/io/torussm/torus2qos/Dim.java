package io.torussm.torus2qos;

/**
 * The three dimensions and the arithmetic of one ring. Dimensions are the numbers 0 (x), 1 (y), 2 (z); a group is
 * {@code 2 * d} for links in direction -d, {@code 2 * d + 1} for +d, and {@link #LOCAL} for port 0 and end ports.
 */
final class Dim {
    static final int COUNT = 3;

    /** The group of a switch that holds port 0 and the ports to CAs and routers. */
    static final int LOCAL = 6;

    /** Groups of a switch. */
    static final int GROUPS = 7;

    /** Class of ports that do not lead to a neighbour in the torus; the classes below it are the dimensions. */
    static final int LOCAL_CLASS = LOCAL / 2;

    private static final String[] GROUP_NAMES = {"-x", "+x", "-y", "+y", "-z", "+z", "local"};

    private Dim() {}

    static String name(int d) {
        return GROUP_NAMES[2 * d].substring(1);
    }

    static String groupName(int group) {
        return GROUP_NAMES[group];
    }

    /**
     * Whether the way between two coordinates of a ring crosses its dateline, which lies between {@code radix - 1} and
     * 0. Ties take the way that does not. The same formula serves dimensions that do not wrap.
     */
    static boolean crosses(int radix, int s, int t) {
        return 2 * Math.abs(t - s) > radix;
    }

    /** The direction of the short way: 1, -1, or 0 if there is nowhere to go. */
    static int prefer(int radix, int s, int t) {
        int straight = Integer.signum(t - s);
        return crosses(radix, s, t) ? -straight : straight;
    }
}
