package io.torussm.qos.policy;

import io.torussm.paths.PathPolicy.Level;
import io.torussm.qos.policy.PolicyPortGroup.NamedPartition;
import io.torussm.qos.policy.PolicyPortGroup.NamedPort;
import io.torussm.qos.policy.PolicyPortGroup.NodeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The content of the innermost section so far. */
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

    /** The name of a port group in a rule, with its line. */
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
