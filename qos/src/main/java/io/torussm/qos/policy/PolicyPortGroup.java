package io.torussm.qos.policy;

import java.util.List;

/**
 * A {@code port-group} of a QoS policy file (docs/operator/qos.md): all ports that at least one of these criteria
 * selects.
 *
 * @param name name by which match rules refer to the group
 * @param guids PortGUIDs: {@code port-guid}
 * @param ports ports by name of the node and number: {@code port-name}
 * @param pKeys P_Keys without the membership bit, 0 to 0x7fff: {@code pkey}; selects full and limited members
 * @param partitions partitions by name, from lines "partition:"; selects full and limited members
 * @param kinds types of nodes: {@code node-type}
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

    /** Returns a group of the ports with these PortGUIDs. */
    static PolicyPortGroup of(String name, NumberRanges guids) {
        return new PolicyPortGroup(name, guids, List.of(), NumberRanges.NONE, List.of(), List.of());
    }

    /**
     * A port that the file names.
     *
     * @param node displayed name of the node: the name of the operator, else the NodeDescription, as in OpenSM
     * @param portNum port number, 1 to NumPorts; for a switch also 0
     * @param line line of the file, for messages
     */
    record NamedPort(String node, int portNum, int line) {}

    /**
     * A partition that the file names.
     *
     * @param line line of the file, for messages
     */
    record NamedPartition(String name, int line) {}

    /** The values of {@code node-type}. */
    enum NodeKind {
        CA,
        SWITCH,
        ROUTER,
        /** The port of the SM. */
        SELF,
        ALL
    }
}
