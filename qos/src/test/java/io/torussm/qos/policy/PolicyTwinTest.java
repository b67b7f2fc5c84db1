package io.torussm.qos.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.paths.PathPolicy.Criteria;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random policies, written down as text, against a matcher that goes through the rules as they were thought out, one
 * criterion at a time.
 */
class PolicyTwinTest {
    private final SmallSubnet subnet = new SmallSubnet();

    /** A criterion of a rule; -1 for one that there is not. Sources and destinations are sets of hosts, a bit each. */
    private record Rule(int qosClass, int service, int pKey, int sources, int destinations, boolean isUlp, int sl) {
        boolean matches(Criteria wish, int from, int to) {
            if (qosClass >= 0 && wish.qosClass() != qosClass) {
                return false;
            }
            if (service >= 0 && !(wish.hasServiceId() && wish.serviceId() == service)) {
                return false;
            }
            if (pKey >= 0 && (wish.pKey() & 0x7fff) != pKey || pKey >= 0 && wish.pKey() < 0) {
                return false;
            }
            boolean isFrom = sources < 0 || (sources >> from & 1) != 0;
            boolean isTo = destinations < 0 || (destinations >> to & 1) != 0;
            return isUlp && sources >= 0 && destinations >= 0 ? isFrom || isTo : isFrom && isTo;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void thePolicySaysWhatTheRulesSay(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < 50; round++) {
            List<Rule> rules = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                rules.add(random.nextBoolean() ? randomMatchRule(random) : randomUlp(random));
            }
            int defaultValue = random.nextInt(16);
            String text = text(rules, defaultValue);
            PolicyOnSubnet policy = subnet.resolve(text);
            for (int i = 0; i < 100; i++) {
                Criteria wish = wish(random);
                int from = random.nextInt(SmallSubnet.HOSTS);
                int to = random.nextInt(SmallSubnet.HOSTS);
                assertThat(policy.choice(wish)
                                .level(subnet.host(from), subnet.host(to))
                                .sl())
                        .as("%s from %d to %d under%n%s", wish, from, to, text)
                        .isEqualTo(naiveSl(rules, defaultValue, wish, from, to));
            }
        }
    }

    private static int naiveSl(List<Rule> rules, int defaultValue, Criteria wish, int from, int to) {
        for (boolean isUlp : new boolean[] {false, true}) {
            for (Rule rule : rules) {
                if (rule.isUlp() == isUlp && rule.matches(wish, from, to)) {
                    return rule.sl();
                }
            }
        }
        return defaultValue;
    }

    private static Criteria wish(Random random) {
        return new Criteria(
                random.nextBoolean(),
                random.nextInt(3),
                random.nextInt(4) - 1,
                random.nextBoolean() ? Criteria.UNSPECIFIED : 1 + random.nextInt(3) | random.nextInt(2) << 15);
    }

    private static int randomOrAbsent(Random random, int bound) {
        return random.nextInt(3) == 0 ? random.nextInt(bound) : -1;
    }

    private static Rule randomMatchRule(Random random) {
        int all = 1 << SmallSubnet.HOSTS;
        int pKey = randomOrAbsent(random, 3);
        return new Rule(
                randomOrAbsent(random, 3),
                randomOrAbsent(random, 3),
                pKey < 0 ? -1 : pKey + 1,
                randomOrAbsent(random, all),
                randomOrAbsent(random, all),
                false,
                random.nextInt(16));
    }

    private static Rule randomUlp(Random random) {
        int ports = 1 + random.nextInt((1 << SmallSubnet.HOSTS) - 1);
        int sl = random.nextInt(16);
        return switch (random.nextInt(5)) {
            case 0 -> new Rule(-1, random.nextInt(3), -1, -1, -1, true, sl);
            case 1 -> new Rule(-1, -1, 1 + random.nextInt(3), -1, -1, true, sl);
            case 2 -> new Rule(-1, -1, -1, ports, -1, true, sl);
            case 3 -> new Rule(-1, -1, -1, -1, ports, true, sl);
            default -> new Rule(-1, -1, -1, ports, ports, true, sl);
        };
    }

    private static String text(List<Rule> rules, int defaultValue) {
        StringBuilder groups = new StringBuilder("port-groups\n");
        StringBuilder levels = new StringBuilder("qos-levels\n");
        StringBuilder matches = new StringBuilder("qos-match-rules\n");
        StringBuilder ulps =
                new StringBuilder("qos-ulps\ndefault : ").append(defaultValue).append('\n');
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            if (rule.isUlp()) {
                ulps.append("any, ")
                        .append(criterion(rule))
                        .append(" : ")
                        .append(rule.sl())
                        .append('\n');
                continue;
            }
            levels.append("qos-level\nname: level %d%nsl: %d%nend-qos-level%n".formatted(i, rule.sl()));
            matches.append("qos-match-rule\n");
            line(matches, "qos-class", rule.qosClass());
            line(matches, "service-id", rule.service());
            line(matches, "pkey", rule.pKey());
            if (rule.sources() >= 0) {
                group(groups, "from " + i, rule.sources());
                matches.append("source: FROM ").append(i).append('\n');
            }
            if (rule.destinations() >= 0) {
                group(groups, "to " + i, rule.destinations());
                matches.append("destination: To ").append(i).append('\n');
            }
            matches.append("qos-level-name: Level %d%nend-qos-match-rule%n".formatted(i));
        }
        return ulps.append("end-qos-ulps\n")
                .append(matches)
                .append("end-qos-match-rules\n")
                .append(levels)
                .append("end-qos-levels\n")
                .append(groups)
                .append("end-port-groups\n")
                .toString();
    }

    private static String criterion(Rule rule) {
        if (rule.service() >= 0) {
            return "service-id " + rule.service();
        }
        if (rule.pKey() >= 0) {
            return "pkey " + rule.pKey();
        }
        String which = rule.sources() < 0 ? "target" : rule.destinations() < 0 ? "source" : "source-target";
        return which + "-port-guid " + guids(Math.max(rule.sources(), rule.destinations()));
    }

    private static void line(StringBuilder text, String key, int value) {
        if (value >= 0) {
            text.append(key).append(": ").append(value).append('\n');
        }
    }

    private static void group(StringBuilder text, String name, int hosts) {
        text.append("port-group\nname: ").append(name).append('\n');
        if (hosts != 0) {
            text.append("port-guid: ").append(guids(hosts)).append('\n');
        }
        text.append("end-port-group\n");
    }

    private static String guids(int hosts) {
        List<String> guids = new ArrayList<>();
        for (int host = 0; host < SmallSubnet.HOSTS; host++) {
            if ((hosts >> host & 1) != 0) {
                guids.add("0x" + Long.toHexString(SmallSubnet.guid(host)));
            }
        }
        return String.join(", ", guids);
    }
}
