package io.torussm.qos.policy;

import io.torussm.paths.PathPolicy.Level;
import io.torussm.qos.policy.PolicyPortGroup.NamedPartition;
import io.torussm.qos.policy.PolicyPortGroup.NamedPort;
import io.torussm.qos.policy.PolicyPortGroup.NodeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The content of the current section of a file, up to the current line. It is filled by {@link PolicyParser}. */
final class PolicyBlock {
    /** The number of the first line. */
    final int line;
    /** The number of the line by keyword, for keywords that occurred. */
    final Map<String, Integer> lineOfKeyword = new HashMap<>();

    final Map<String, List<NumberRanges>> ranges = new HashMap<>();
    final Map<String, Integer> numbers = new HashMap<>();
    final List<NamedPort> ports = new ArrayList<>();
    final List<NamedPartition> partitions = new ArrayList<>();
    final List<NodeKind> kinds = new ArrayList<>();
    final List<GroupName> sources = new ArrayList<>();
    final List<GroupName> destinations = new ArrayList<>();
    String name = "";

    /**
     * The name of a port group in a rule.
     *
     * @param line number of its line
     */
    record GroupName(String name, int line) {}

    PolicyBlock(int line) {
        this.line = line;
    }

    /** Returns the numbers of a keyword; empty if it did not occur. */
    NumberRanges ranges(String key) {
        return NumberRanges.union(ranges.getOrDefault(key, List.of()));
    }

    /** Returns the number of a keyword; {@link Level#NO_LIMIT} if it did not occur. */
    int number(String key) {
        return numbers.getOrDefault(key, Level.NO_LIMIT);
    }
}
