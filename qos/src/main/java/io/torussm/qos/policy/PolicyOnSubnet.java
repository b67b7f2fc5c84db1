package io.torussm.qos.policy;

import io.torussm.event.Finding;
import io.torussm.paths.PathPolicy;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy with the ports of each group. Immutable. */
final class PolicyOnSubnet implements PathPolicy.Rules {
    private final List<PortRule> rules;
    private final QosLevel usual;
    private final List<Finding> findings;

    /**
     * A rule with its ends as sets of port indexes, which are constant.
     *
     * @param sources null for any
     * @param destinations null for any
     */
    record PortRule(
            MatchRule rule,
            @Nullable BitSet sources,
            @Nullable BitSet destinations) {
        boolean isForAllPorts() {
            return sources == null && destinations == null;
        }

        boolean fits(int from, int to) {
            boolean isFrom = sources == null || sources.get(from);
            boolean isTo = destinations == null || destinations.get(to);
            return rule.kind() == MatchRule.CriterionType.EITHER_END ? isFrom || isTo : isFrom && isTo;
        }
    }

    PolicyOnSubnet(List<PortRule> rules, QosLevel defaultLevel, List<Finding> findings) {
        this.rules = List.copyOf(rules);
        this.usual = defaultLevel;
        this.findings = List.copyOf(findings);
    }

    /** Returns the findings; see {@link QosPolicy#judge}. */
    List<Finding> findings() {
        return findings;
    }

    @Override
    public PathPolicy.Choice choice(PathPolicy.Wish wish) {
        PortRule[] left = new PortRule[rules.size()];
        int count = 0;
        for (PortRule rule : rules) {
            if (rule.rule().fits(wish)) {
                if (rule.isForAllPorts()) {
                    return new Left(left, count, rule.rule().level());
                }
                left[count++] = rule;
            }
        }
        return new Left(left, count, usual);
    }

    /** The rules that match a request except its ends, followed by the default. */
    private static final class Left implements PathPolicy.Choice {
        private final PortRule[] rules;
        private final int count;
        private final QosLevel last;

        Left(PortRule[] rules, int count, QosLevel last) {
            this.rules = rules;
            this.count = count;
            this.last = last;
        }

        @Override
        public QosLevel level(int from, int to) {
            for (int i = 0; i < count; i++) {
                if (rules[i].fits(from, to)) {
                    return rules[i].rule().level();
                }
            }
            return last;
        }
    }
}
