package io.torussm.torus2qos.conf;

/**
 * The three dimensions: the numbers 0 (x), 1 (y), 2 (z). A group is {@code 2 * d} for links in direction -d,
 * {@code 2 * d + 1} for +d, and {@link #LOCAL} for port 0 and end ports.
 */
public final class Dim {
    /** The number of dimensions. */
    public static final int COUNT = 3;

    /** The group of a switch with port 0 and the ports to CAs and routers. */
    public static final int LOCAL = 6;

    /** Groups of a switch. */
    public static final int GROUPS = 7;

    /** Class of ports that do not lead to a neighbour in the torus; the classes below it are the dimensions. */
    public static final int LOCAL_CLASS = LOCAL / 2;

    private static final String[] GROUP_NAMES = {"-x", "+x", "-y", "+y", "-z", "+z", "local"};

    private Dim() {}

    /**
     * Returns the dimension that takes the place of this one if z comes first; {@link #LOCAL_CLASS} is not
     * changed.
     */
    public static int reversed(int d) {
        return d == LOCAL_CLASS ? d : COUNT - 1 - d;
    }

    /** Returns the letter of a dimension. */
    public static String name(int d) {
        return GROUP_NAMES[2 * d].substring(1);
    }

    /** Returns the name of a group of links, as in the file. */
    public static String groupName(int group) {
        return GROUP_NAMES[group];
    }
}
