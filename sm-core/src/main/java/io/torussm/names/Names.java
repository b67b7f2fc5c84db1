package io.torussm.names;

/** All that the operator says of nodes. */
public record Names(NodeNames nodes, SiteMap sites) {
    /** The operator says nothing. */
    public static final Names NONE = new Names(NodeNames.NONE, SiteMap.NONE);

    /**
     * What people call a node.
     *
     * @param description what it says of itself
     */
    public String of(long nodeGuid, String description) {
        return nodes.name(nodeGuid).orElse(description);
    }
}
