package io.torussm.torus2qos.conf;

/**
 * The three dimensions and the groups of the ports of a switch. A dimension is a number: 0 (x), 1 (y), 2 (z). A
 * group is a number from 0 to 6. The group {@code 2d} contains the parallel links to the neighbour in direction
 * - of dimension d, {@code 2d + 1} those in direction +. So {@code group ^ 1} is the opposite direction. {@link
 * #LOCAL} contains the other ports.
 */
public final class Dim {
    /** The number of dimensions. */
    public static final int COUNT = 3;

    /** The group of a switch with port 0 and the ports to CAs and routers. */
    public static final int LOCAL = 6;

    /** The number of groups of a switch. */
    public static final int GROUPS = 7;

    /** Class of ports that do not lead to a neighbour in the torus; the classes below it are the dimensions. */
    public static final int LOCAL_CLASS = LOCAL / 2;

    private static final String[] GROUP_NAMES = {"-x", "+x", "-y", "+y", "-z", "+z", "local"};

    private Dim() {}

    /** Returns the group of the links to the previous switch in a dimension. */
    public static int minus(int d) {
        return 2 * d;
    }

    /** Returns the group of the links to the next switch in a dimension. */
    public static int plus(int d) {
        return 2 * d + 1;
    }

    /**
     * Returns the group of the links in one direction of a dimension.
     *
     * @param sign positive for the next switch, otherwise the previous one
     */
    public static int groupTowards(int d, int sign) {
        return sign > 0 ? plus(d) : minus(d);
    }

    /** Returns the dimension of a group; {@link #LOCAL_CLASS} of the local group. */
    public static int dimension(int group) {
        return group / 2;
    }

    /** Returns the direction of a group: 1 for the next switch in its dimension, -1 for the previous one. */
    public static int sign(int group) {
        return group % 2 == 0 ? -1 : 1;
    }

    /** Returns the dimension that replaces a dimension if the order is z, y, x; {@link #LOCAL_CLASS} stays. */
    public static int reversed(int d) {
        return d == LOCAL_CLASS ? d : COUNT - 1 - d;
    }

    /** Returns the letter of a dimension. */
    public static String name(int d) {
        return GROUP_NAMES[minus(d)].substring(1);
    }

    /** Returns the name of a group for operators, such as {@code +x}. */
    public static String groupName(int group) {
        return GROUP_NAMES[group];
    }
}
