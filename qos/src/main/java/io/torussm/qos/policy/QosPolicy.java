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

/** qos-policy.conf, parsed. Immutable; equal files make equal policies. */
public final class QosPolicy implements PathPolicy {
    /** Says nothing of any path: there is no file, or one without a word in it. */
    public static final QosPolicy NONE = new QosPolicy("(no qos-policy.conf)", List.of(), null);

    private final String file;
    private final List<MatchRule> rules;
    private final @Nullable QosLevel usual;

    /**
     * A policy.
     *
     * @param file where it comes from, for people
     * @param rules the first one that fits decides; those of qos-match-rules, then those of qos-ulps
     * @param usual what paths get that no rule fits; null if nothing is said of them, and there are no rules either
     */
    QosPolicy(String file, List<MatchRule> rules, @Nullable QosLevel usual) {
        this.file = file;
        this.rules = List.copyOf(rules);
        this.usual = usual;
    }

    /**
     * What came of a file.
     *
     * @param policy null if there is an error
     * @param findings errors and doubts, each with file, line and remedy
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
    public PathPolicy.@Nullable Rules on(PublishedView view) {
        return on(view.subnet().fabric(), view.partitions());
    }

    /** The policy for the ports of a fabric, with what there is to say of that; null if it says nothing of any path. */
    @Nullable
    PolicyOnSubnet on(Fabric fabric, PartitionPlan partitions) {
        QosLevel last = usual;
        return last == null ? null : new Resolution(this, fabric, partitions).resolve(last);
    }

    /**
     * What is to be said of the file together with the subnet. With an error among it the policy should not come into force,
     * though it can be used: what does not exist matches nothing.
     */
    public List<Finding> judge(PublishedView view) {
        PolicyOnSubnet resolved = on(view.subnet().fabric(), view.partitions());
        return resolved == null ? List.of() : resolved.findings();
    }

    /** Where it comes from, for people. */
    public String file() {
        return file;
    }

    /**
     * A level, for people.
     *
     * @param limits MTU, rate, packet life and partitions, as far as they are limited; codes as IBA has them
     */
    public record LevelText(String name, int sl, String limits) {}

    /**
     * A rule, for people.
     *
     * @param line of the file
     * @param criteria all of which a request must meet
     * @param level that it gets then
     */
    public record RuleText(int line, String criteria, String level) {}

    /** The levels that paths may get: in the order of the rules, the one for all others last. */
    public List<LevelText> levelTexts() {
        Stream<QosLevel> last = Stream.ofNullable(usual);
        return Stream.concat(rules.stream().map(MatchRule::level), last)
                .distinct()
                .map(level -> new LevelText(level.name(), level.sl(), level.limits()))
                .toList();
    }

    /** The rules, the first one that fits decides. */
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
                && Objects.equals(usual, that.usual);
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }
}
