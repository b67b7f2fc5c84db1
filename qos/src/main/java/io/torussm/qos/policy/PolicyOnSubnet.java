package io.torussm.qos.policy;

import io.torussm.event.Finding;
import io.torussm.paths.PathPolicy;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy for one subnet, in which groups are sets of ports. Immutable. */
final class PolicyOnSubnet implements PathPolicy.Rules {
    private final List<PortRule> rules;
    /** The level of paths without a matching rule. */
    private final QosLevel fallbackLevel;

    private final List<Finding> findings;

    /**
     * A rule whose groups are sets of port indexes. The sets must not be changed.
     *
     * @param sources port indexes of sources; null for all ports
     * @param destinations port indexes of destinations; null for all ports
     */
    record PortRule(
            MatchRule rule,
            @Nullable BitSet sources,
            @Nullable BitSet destinations) {
        boolean isForAllPorts() {
            return sources == null && destinations == null;
        }

        boolean matches(int from, int to) {
            boolean isFrom = sources == null || sources.get(from);
            boolean isTo = destinations == null || destinations.get(to);
            return rule.kind() == MatchRule.CriterionType.EITHER_END ? isFrom || isTo : isFrom && isTo;
        }
    }

    PolicyOnSubnet(List<PortRule> rules, QosLevel defaultLevel, List<Finding> findings) {
        this.rules = List.copyOf(rules);
        this.fallbackLevel = defaultLevel;
        this.findings = List.copyOf(findings);
    }

    /** Returns the findings on the file, see {@link QosPolicy#check}. */
    List<Finding> findings() {
        return findings;
    }

    @Override
    public PathPolicy.Choice choice(PathPolicy.Criteria wish) {
        PortRule[] left = new PortRule[rules.size()];
        int count = 0;
        for (PortRule rule : rules) {
            if (rule.rule().matches(wish)) {
                if (rule.isForAllPorts()) {
                    return new CandidateRules(left, count, rule.rule().level());
                }
                left[count++] = rule;
            }
        }
        return new CandidateRules(left, count, fallbackLevel);
    }

    /**
     * The rules whose other criteria a request meets. The ends of a path then select the first rule, or else a last
     * level.
     */
    private static final class CandidateRules implements PathPolicy.Choice {
        private final PortRule[] rules;
        private final int count;
        private final QosLevel fallback;

        CandidateRules(PortRule[] rules, int count, QosLevel last) {
            this.rules = rules;
            this.count = count;
            this.fallback = last;
        }

        @Override
        public QosLevel level(int from, int to) {
            for (int i = 0; i < count; i++) {
                if (rules[i].matches(from, to)) {
                    return rules[i].rule().level();
                }
            }
            return fallback;
        }
    }
}
