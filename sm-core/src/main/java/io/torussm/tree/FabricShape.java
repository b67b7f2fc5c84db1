package io.torussm.tree;

/** The kind of graph that the cables between switches form. */
public enum FabricShape {
    /** Almost all cables join neighbouring levels, and almost all hosts are on the lowest level. */
    TREE("a tree"),
    /** From every switch, the number of switches at each distance is that of a cube. */
    HYPERCUBE("a hypercube"),
    /** Every switch has a cable to every other switch. */
    FULL_MESH("a full mesh"),
    /** Groups of switches that are all connected with each other, with cables from each group to each other group. */
    DRAGONFLY("a dragonfly"),
    /** A grid of one to three dimensions whose lines are rings. */
    TORUS("a torus"),
    /** A grid of one to three dimensions. */
    MESH("a mesh"),
    /** No switch: two hosts on one cable, or one host alone. */
    UNSWITCHED("without a switch"),
    /** Any other graph. */
    OTHER("irregular");

    private final String text;

    FabricShape(String text) {
        this.text = text;
    }

    /** Returns the text for operators, as the end of "the fabric is". */
    public String text() {
        return text;
    }
}
