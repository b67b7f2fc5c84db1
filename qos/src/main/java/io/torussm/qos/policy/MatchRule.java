package io.torussm.qos.policy;

import io.torussm.partition.PKeys;
import io.torussm.paths.PathPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A rule that assigns a level to all requests that meet each of its criteria.
 *
 * @param line number of the line in the file
 * @param kind special treatment of the rule
 * @param qosClasses permitted values of QoSClass; empty without this criterion
 * @param serviceIds permitted ServiceIDs; empty without this criterion
 * @param pKeys permitted P_Keys without the membership bit; empty without this criterion
 * @param sources groups, one of which must contain the source; empty without this criterion
 * @param destinations groups, one of which must contain the destination; empty without this criterion
 * @param level assigned level
 */
record MatchRule(
        int line,
        CriterionType kind,
        NumberRanges qosClasses,
        NumberRanges serviceIds,
        NumberRanges pKeys,
        List<PolicyPortGroup> sources,
        List<PolicyPortGroup> destinations,
        QosLevel level) {
    MatchRule {
        sources = List.copyOf(sources);
        destinations = List.copyOf(destinations);
    }

    /** The special treatment of a rule. */
    enum CriterionType {
        /** No special treatment. */
        PLAIN,
        /** The rule matches if one end is in its groups. */
        EITHER_END,
        /** The partitions of the rule must exist and have two full members. */
        IPOIB
    }

    /** Returns all criteria, as a text for operators. */
    String criteria() {
        List<String> criteria = new ArrayList<>();
        numbers("QoS class", qosClasses, criteria);
        numbers("service ID", serviceIds, criteria);
        numbers("P_Key", pKeys, criteria);
        groups("from", sources, criteria);
        groups("to", destinations, criteria);
        String all = criteria.isEmpty() ? "any" : String.join(", ", criteria);
        return kind == CriterionType.EITHER_END ? all + " (one end is enough)" : all;
    }

    private static void numbers(String label, NumberRanges numbers, List<String> criteria) {
        if (!numbers.isEmpty()) {
            criteria.add(label + " " + numbers);
        }
    }

    private static void groups(String label, List<PolicyPortGroup> groups, List<String> criteria) {
        if (!groups.isEmpty()) {
            criteria.add(
                    label + " " + groups.stream().map(PolicyPortGroup::name).collect(Collectors.joining(" or ")));
        }
    }

    /** Checks whether a request meets all criteria other than sources and destinations. */
    boolean matches(PathPolicy.Criteria wish) {
        return (qosClasses.isEmpty()
                        || (wish.qosClass() != PathPolicy.Criteria.UNSPECIFIED && qosClasses.contains(wish.qosClass())))
                && (serviceIds.isEmpty() || (wish.hasServiceId() && serviceIds.contains(wish.serviceId())))
                && (pKeys.isEmpty()
                        || (wish.pKey() != PathPolicy.Criteria.UNSPECIFIED && pKeys.contains(PKeys.base(wish.pKey()))));
    }
}
