package io.torussm.qos.policy;

import io.torussm.conf.ConfLines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The assembly of a policy from the sections of a file. It resolves the names of groups and levels in rules at
 * the end, so these may be defined before or after the rules. Used once.
 */
final class PolicyAssembly {
    private static final int MAX_GROUPS = 1024;
    private static final int MAX_LEVELS = 256;
    private static final int MAX_RULES = 1024;
    private static final String DEFAULT = "default";

    private final String file;
    private final ConfLines errors;
    private final Map<String, PolicyPortGroup> groups = new HashMap<>();
    private final Map<String, QosLevel> levels = new HashMap<>();
    private final List<Rule> rules = new ArrayList<>();
    private final List<MatchRule> ulps = new ArrayList<>();
    private @Nullable QosLevel defaultUlp;

    /**
     * A match rule whose names are not yet resolved.
     *
     * @param level name of the level; empty after an error
     * @param levelLine number of the line with the name
     */
    private record Rule(PolicyBlock block, String level, int levelLine) {}

    PolicyAssembly(String file, ConfLines errors) {
        this.file = file;
        this.errors = errors;
    }

    /** Adds a port-group whose section has ended. */
    void addGroup(PolicyBlock block) {
        if (reportIfMissing(block, "name", "port-group")) {
            return;
        }
        PolicyPortGroup group = new PolicyPortGroup(
                block.name,
                block.ranges("port-guid"),
                block.ports,
                block.ranges("pkey"),
                block.partitions,
                block.kinds);
        add(block, groups, group.name(), group, MAX_GROUPS, "port-group");
    }

    /** Adds a qos-level whose section has ended. */
    void addLevel(PolicyBlock block) {
        boolean isNameless = reportIfMissing(block, "name", "qos-level");
        if (reportIfMissing(block, "sl", "qos-level") || isNameless) {
            return;
        }
        QosLevel level = new QosLevel(
                block.name,
                block.number("sl"),
                block.number("mtu-limit"),
                block.number("rate-limit"),
                block.number("packet-life"),
                block.ranges("pkey"));
        add(block, levels, level.name(), level, MAX_LEVELS, "qos-level");
    }

    private boolean reportIfMissing(PolicyBlock block, String key, String section) {
        boolean isMissing = !block.lineOfKeyword.containsKey(key);
        if (isMissing) {
            errors.error(block.line, "this " + section + " has no " + key + "; add a line " + key + ": ...");
        }
        return isMissing;
    }

    /** Returns the key of a name of a group or level. Names are compared without case. */
    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private <T> void add(PolicyBlock block, Map<String, T> all, String name, T value, int max, String noun) {
        if (name.isEmpty()) {
            return;
        }
        if (all.size() >= max) {
            errors.error(block.line, "more than " + max + " times " + noun + "; leave some out");
        } else if (all.putIfAbsent(folded(name), value) != null) {
            errors.error(
                    block.line,
                    "there is another " + noun + " with the name " + ConfLines.quote(name)
                            + ", if case is ignored; give this one another name");
        }
    }

    /**
     * Adds a qos-match-rule whose section has ended.
     *
     * @param line number of its last line
     */
    void addRule(PolicyBlock block, int line) {
        if (!reportIfMissing(block, "qos-level-name", "qos-match-rule") && checkRuleCount(line)) {
            rules.add(new Rule(block, block.name, block.lineOfKeyword.getOrDefault("qos-level-name", line)));
        }
    }

    private boolean checkRuleCount(int line) {
        if (rules.size() + ulps.size() >= MAX_RULES) {
            errors.error(line, "more than " + MAX_RULES + " rules; leave some out");
            return false;
        }
        return true;
    }

    /** Adds the line {@code default : SL} of qos-ulps. */
    void addDefault(QosLevel level, int line) {
        if (defaultUlp != null) {
            errors.error(line, "default was already given in " + defaultUlp.name() + "; remove one of the two lines");
        }
        defaultUlp = defaultUlp == null ? level : defaultUlp;
    }

    /** Adds a line of qos-ulps other than the default. */
    void addUlp(UlpLine ulp, QosLevel level, int line) {
        if (checkRuleCount(line)) {
            ulps.add(ulp.rule(line, level));
        }
    }

    /** Returns the policy of all sections; null, with errors, without a default level. */
    @Nullable
    QosPolicy policy() {
        List<MatchRule> allRules = new ArrayList<>(rules.size() + ulps.size());
        for (Rule rule : rules) {
            QosLevel level = levels.get(folded(rule.level()));
            List<PolicyPortGroup> sources = groups(rule.block().sources);
            List<PolicyPortGroup> destinations = groups(rule.block().destinations);
            if (level != null) {
                allRules.add(new MatchRule(
                        rule.block().line,
                        MatchRule.CriterionType.PLAIN,
                        rule.block().ranges("qos-class"),
                        rule.block().ranges("service-id"),
                        rule.block().ranges("pkey"),
                        sources,
                        destinations,
                        level));
            } else if (!rule.level().isEmpty()) {
                errors.error(
                        rule.levelLine(),
                        "there is no qos-level " + ConfLines.quote(rule.level())
                                + "; define it in qos-levels, or correct it");
            }
        }
        allRules.addAll(ulps);
        QosLevel named = levels.get(DEFAULT);
        QosLevel defaultLevel = named == null ? defaultUlp : named;
        if (defaultLevel == null) {
            errors.error(
                    0,
                    "no level is given for requests that no rule fits; add a qos-level with the name DEFAULT, or \"default : 0\" "
                            + "to qos-ulps");
        }
        return defaultLevel == null ? null : new QosPolicy(file, allRules, defaultLevel);
    }

    private List<PolicyPortGroup> groups(List<PolicyBlock.GroupName> wanted) {
        List<PolicyPortGroup> resolved = new ArrayList<>(wanted.size());
        for (PolicyBlock.GroupName name : wanted) {
            PolicyPortGroup group = groups.get(folded(name.name()));
            if (group == null) {
                errors.error(
                        name.line(),
                        "there is no port-group " + ConfLines.quote(name.name())
                                + "; define it in port-groups, or correct it");
            } else {
                resolved.add(group);
            }
        }
        return resolved;
    }
}
