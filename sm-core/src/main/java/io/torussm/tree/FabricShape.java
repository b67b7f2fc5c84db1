package io.torussm.tree;

/** The kind of graph that switches are cabled as. */
public enum FabricShape {
    /** Nearly all cables join neighbouring levels, and nearly all hosts are on the lowest. */
    TREE("a tree"),
    /** From every switch as many others are one, two and more hops away as in a cube. */
    HYPERCUBE("a hypercube"),
    /** Every switch has a cable to every other. */
    FULL_MESH("a full mesh"),
    /** Groups whose switches are all joined, with cables from each group to each other group. */
    DRAGONFLY("a dragonfly"),
    /** A grid of one to three dimensions whose lines are rings. */
    TORUS("a torus"),
    /** A grid of one to three dimensions. */
    MESH("a mesh"),
    /** No switch: hosts on one cable, or one alone. */
    UNSWITCHED("without a switch"),
    /** Any other graph. */
    OTHER("irregular");

    private final String text;

    FabricShape(String text) {
        this.text = text;
    }

    /** Returns the words for people, after "the fabric is". */
    public String text() {
        return text;
    }
}
