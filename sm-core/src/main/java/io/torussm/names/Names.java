package io.torussm.names;

/** The operator's names and locations of nodes. Immutable. */
public record Names(NodeNames nodes, SiteMap sites) {
    /** No names or locations. */
    public static final Names NONE = new Names(NodeNames.NONE, SiteMap.NONE);

    /**
     * Returns the name of a node for display.
     *
     * @param description NodeDescription, which is the default
     */
    public String of(long nodeGuid, String description) {
        return nodes.name(nodeGuid).orElse(description);
    }
}
