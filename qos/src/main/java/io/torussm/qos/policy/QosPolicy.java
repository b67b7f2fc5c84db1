package io.torussm.qos.policy;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.paths.PathPolicy;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The content of qos-policy.conf. Immutable; equal files give equal policies. */
public final class QosPolicy implements PathPolicy {
    /** The policy without a file, or of an empty file, which affects no path. */
    public static final QosPolicy NONE = new QosPolicy("(no qos-policy.conf)", List.of(), null);

    private final String file;
    private final List<MatchRule> rules;
    /** The level of paths without a matching rule; null without a policy. */
    private final @Nullable QosLevel fallbackLevel;

    /**
     * Creates a policy.
     *
     * @param file name of its file for messages
     * @param rules rules in order, of which the first match decides: those of qos-match-rules, then those of
     *     qos-ulps
     * @param defaultLevel level of paths without a matching rule; null for a policy without rules and levels
     */
    QosPolicy(String file, List<MatchRule> rules, @Nullable QosLevel defaultLevel) {
        this.file = file;
        this.rules = List.copyOf(rules);
        this.fallbackLevel = defaultLevel;
    }

    /**
     * The result of parsing a file.
     *
     * @param policy policy; null after an error
     * @param findings errors and warnings, each with file, line and remedy
     */
    public record Parsed(@Nullable QosPolicy policy, List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    /** Reads the text of a file. */
    public static Parsed parse(String file, String text) {
        return new PolicyParser(file).parse(text);
    }

    @Override
    public PathPolicy.@Nullable Rules prepare(PublishedView view) {
        return on(view.subnet().fabric(), view.partitions());
    }

    /** Returns the policy for the ports of a fabric, with its findings; null if it affects no path. */
    @Nullable
    PolicyOnSubnet on(Fabric fabric, PartitionPlan partitions) {
        QosLevel last = fallbackLevel;
        return last == null ? null : new Resolution(this, fabric, partitions).resolve(last);
    }

    /**
     * Returns the findings on the file for a subnet. If an error is among them, the policy should not become active.
     * It would be usable, because a name that does not exist matches nothing.
     */
    public List<Finding> check(PublishedView view) {
        PolicyOnSubnet resolved = on(view.subnet().fabric(), view.partitions());
        return resolved == null ? List.of() : resolved.findings();
    }

    /** Returns the name of the file, for operators. */
    public String file() {
        return file;
    }

    /**
     * A level for operators.
     *
     * @param limits text of the limits of MTU, rate, packet life and partitions, with the codes of IBA; empty
     *     without limits
     */
    public record LevelText(String name, int sl, String limits) {}

    /**
     * A rule for operators.
     *
     * @param line number of the line in the file
     * @param criteria criteria, all of which a request must meet
     * @param level name of the assigned level
     */
    public record RuleText(int line, String criteria, String level) {}

    /** Returns the levels in the order of the rules, the default level last. */
    public List<LevelText> levelTexts() {
        Stream<QosLevel> last = Stream.ofNullable(fallbackLevel);
        return Stream.concat(rules.stream().map(MatchRule::level), last)
                .distinct()
                .map(level -> new LevelText(level.name(), level.sl(), level.limits()))
                .toList();
    }

    /** Returns the rules in order; the first match decides. */
    public List<RuleText> ruleTexts() {
        return rules.stream()
                .map(rule ->
                        new RuleText(rule.line(), rule.criteria(), rule.level().name()))
                .toList();
    }

    List<MatchRule> rules() {
        return rules;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof QosPolicy that
                && file.equals(that.file)
                && rules.equals(that.rules)
                && Objects.equals(fallbackLevel, that.fallbackLevel);
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }
}
