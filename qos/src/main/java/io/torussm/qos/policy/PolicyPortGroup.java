package io.torussm.qos.policy;

import java.util.List;

/**
 * A group of ports: all ports that at least one of these criteria selects.
 *
 * @param name name in the file
 * @param guids port GUIDs
 * @param ports ports by node and number
 * @param pKeys partitions, as 15 bits
 * @param partitions partitions by name
 * @param kinds types of their nodes
 */
record PolicyPortGroup(
        String name,
        NumberRanges guids,
        List<NamedPort> ports,
        NumberRanges pKeys,
        List<NamedPartition> partitions,
        List<NodeKind> kinds) {
    PolicyPortGroup {
        ports = List.copyOf(ports);
        partitions = List.copyOf(partitions);
        kinds = List.copyOf(kinds);
    }

    /** Returns the ports with GUIDs only. */
    static PolicyPortGroup of(String name, NumberRanges guids) {
        return new PolicyPortGroup(name, guids, List.of(), NumberRanges.NONE, List.of(), List.of());
    }

    /**
     * A port as the file calls it.
     *
     * @param node NodeDescription
     * @param line where
     */
    record NamedPort(String node, int portNum, int line) {}

    /**
     * A partition as the file calls it.
     *
     * @param line where
     */
    record NamedPartition(String name, int line) {}

    /** Values of {@code node-type}. */
    enum NodeKind {
        CA,
        SWITCH,
        ROUTER,
        /** The port of the SM. */
        SELF,
        ALL
    }
}
