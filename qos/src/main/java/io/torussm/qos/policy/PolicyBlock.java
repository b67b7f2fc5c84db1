package io.torussm.qos.policy;

import io.torussm.qos.policy.PortGroup.NamedPartition;
import io.torussm.qos.policy.PortGroup.NamedPort;
import io.torussm.qos.policy.PortGroup.NodeKind;
import io.torussm.sa.PathPolicy.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was read of the innermost section. */
final class PolicyBlock {
    final int line;
    final Map<String, Integer> given = new HashMap<>();
    final Map<String, List<NumberRanges>> ranges = new HashMap<>();
    final Map<String, Integer> numbers = new HashMap<>();
    final List<NamedPort> ports = new ArrayList<>();
    final List<NamedPartition> partitions = new ArrayList<>();
    final List<NodeKind> kinds = new ArrayList<>();
    final List<GroupName> sources = new ArrayList<>();
    final List<GroupName> destinations = new ArrayList<>();
    String name = "";

    /** The name of a port group that a rule wants, and where it stands. */
    record GroupName(String name, int line) {}

    PolicyBlock(int line) {
        this.line = line;
    }

    NumberRanges ranges(String key) {
        return NumberRanges.union(ranges.getOrDefault(key, List.of()));
    }

    int number(String key) {
        return numbers.getOrDefault(key, Level.NO_LIMIT);
    }
}
