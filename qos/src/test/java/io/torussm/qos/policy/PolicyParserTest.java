package io.torussm.qos.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The grammar of a policy file, and the errors of an invalid file. */
class PolicyParserTest {
    /** All words of the grammar. */
    private static final String WHOLE_GRAMMAR = """
            # storage
            port-groups
                port-group  # the servers
                    name: Storage
                    use: SRP Targets
                    port-guid: 0x10000000000001, 0x10000000000005-0x1000000000FFFA
                    port-guid: 0x1000000000FFFF
                    port-name: "vs1 HCA-1/P1", vs2 HCA-1/P1
                end-port-group
                port-group
                    name: Virtual Servers
                    partition: Part1, Part 2
                    pkey: 0x1234, 1-16
                end-port-group
                port-group
                    name : Routers and the SM
                    node-type: ROUTER, SELF
                end-port-group
            end-port-groups

            qos-setup
                sl2vl-tables
                    sl2vl-scope
                        group: Storage
                        from: *
                        to: 1,2
                        sl2vl-table: 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,14
                    end-sl2vl-scope
                    sl2vl-scope
                        across-from: Storage
                        across-to: Storage
                        across: Storage
                        sl2vl-table: 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7
                    end-sl2vl-scope
                end-sl2vl-tables
                vlarb-tables
                    vlarb-scope
                        group: Storage
                        across: Storage
                        vlarb-high: 0:255,1:127
                        vlarb-low: 8:255,9:127
                        vl-high-limit: 10
                    end-vlarb-scope
                end-vlarb-tables
            end-qos-setup

            qos-levels
                qos-level
                    name: DEFAULT
                    use: default QoS Level
                    sl: 0
                end-qos-level
                qos-level
                    name: WholeSet
                    sl: 1
                    mtu-limit: 4
                    rate-limit: 5
                    pkey: 0x1234
                    packet-life: 8
                end-qos-level
            end-qos-levels

            qos-match-rules
                qos-match-rule
                    use: by QoS class 7-9 or 11
                    qos-class: 7-9,11
                    qos-level-name: wholeset
                end-qos-match-rule
                qos-match-rule
                    source: Storage
                    destination: storage, "Virtual Servers"
                    service-id: 22,4719-5000
                    pkey: 0x0F00-0x0FFF
                    qos-level-name: WholeSet
                end-qos-match-rule
            end-qos-match-rules

            qos-ulps
                default                       :0
                sdp, port-num 30000           :0
                sdp, port-num 10000-20000     :1
                sdp                           :1
                rds                           :2
                iser, port-num 900            :2
                ipoib, pkey 0x0001            :0
                ipoib                         :4
                any, service-id 0x6234        :6
                any, pkey 0x0ABC              :6
                srp, target-port-guid 0x1234  :5
                any, target-port-guid 0x0ABC-0xFFFFF : 6
                any, source-target-port-guid 0x1, 0x3 : 6
            end-qos-ulps
            """;

    private static QosPolicy.Parsed parse(String text) {
        return QosPolicy.parse("qos.conf", text);
    }

    private static List<String> errors(String text) {
        QosPolicy.Parsed parsed = parse(text);
        assertThat(parsed.policy()).isNull();
        return parsed.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .toList();
    }

    @Test
    void allOfTheGrammar() {
        QosPolicy.Parsed parsed = parse(WHOLE_GRAMMAR);
        assertThat(parsed.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
            assertThat(finding.text()).startsWith("qos.conf:21: qos-setup is read, but not used: ");
        });
        assertThat(parsed.policy()).isNotNull().satisfies(policy -> {
            assertThat(policy.rules()).hasSize(2 + 12);
            MatchRule rule = policy.rules().get(1);
            assertThat(rule.serviceIds()).hasToString("0x16,0x126f-0x1388");
            assertThat(rule.destinations())
                    .extracting(PolicyPortGroup::name)
                    .containsExactly("Storage", "Virtual Servers");
            PolicyPortGroup storage = rule.sources().get(0);
            assertThat(storage.guids())
                    .hasToString("0x10000000000001,0x10000000000005-0x1000000000fffa,0x1000000000ffff");
            assertThat(storage.ports())
                    .containsExactly(
                            new PolicyPortGroup.NamedPort("vs1 HCA-1", 1, 8),
                            new PolicyPortGroup.NamedPort("vs2 HCA-1", 1, 8));
            assertThat(rule.destinations().get(1).partitions())
                    .extracting(PolicyPortGroup.NamedPartition::name)
                    .containsExactly("Part1", "Part 2");
        });
    }

    @Test
    void theExamplesOfTheManualAreRight() throws IOException {
        Matcher blocks = Pattern.compile("(?m)^\\n((?:    .*\n)*    (?:qos-ulps|port-groups)\n(?:    .*\n)+)")
                .matcher(Files.readString(Path.of("../docs/operator/qos.md")));
        List<String> examples = blocks.results().map(found -> found.group(1)).toList();
        assertThat(examples)
                .hasSize(3)
                .allSatisfy(example -> assertThat(parse(example).findings()).isEmpty());
    }

    @Test
    void equalFilesMakeEqualPolicies() {
        assertThat(parse(WHOLE_GRAMMAR).policy()).isEqualTo(parse(WHOLE_GRAMMAR).policy());
        assertThat(parse(WHOLE_GRAMMAR).policy())
                .isNotEqualTo(parse(WHOLE_GRAMMAR.replace("sl: 1\n", "sl: 2\n")).policy());
    }

    @Test
    void carriageReturnsAreBlanks() {
        assertThat(parse(WHOLE_GRAMMAR.replace("\n", "\r\n")).policy())
                .isEqualTo(parse(WHOLE_GRAMMAR).policy());
    }

    @Test
    void rangesMayBeReversedAndMayOverlap() {
        PolicyTokens tokens =
                new PolicyTokens(new ConfLines("f", SmEvent.QOS_POLICY_ERROR, SmEvent.QOS_POLICY_WARNING));
        NumberRanges ranges = tokens.ranges("9-7, 8-12 ,13, 20 - 0x1e", 99, "");
        assertThat(ranges).hasToString("0x7-0xd,0x14-0x1e");
        assertThat(tokens.ranges("18446744073709551615, 0", -1, "")).hasToString("0x0,0xffffffffffffffff");
    }

    /** As for strtoull of C with base 0, with which OpenSM reads the file. */
    @Test
    void aLeadingZeroMeansOctal() {
        PolicyTokens tokens =
                new PolicyTokens(new ConfLines("f", SmEvent.QOS_POLICY_ERROR, SmEvent.QOS_POLICY_WARNING));
        assertThat(tokens.number("010", 0, 15, "an SL")).isEqualTo(8);
        assertThat(tokens.ranges("010-017, 0020, 0x0010, 0", 99, "")).hasToString("0x0,0x8-0x10");
    }

    /** The line and its error. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            maxCharsPerColumn = 1000,
            value = {
                "name: A | 1 | \"name: A\" is in no section; write it after qos-ulps, port-groups, qos-levels or qos-match-rules",
                "port-group | 1 | port-group does not belong here; it stands in port-groups",
                "port-groups;qos-levels | 2 | port-groups of line 1 has no end; write end-port-groups before qos-levels",
                "port-groups;port-group;name: A;end-port-groups | 4 | port-group of line 2 has no end; write end-port-group before end-port-groups",
                "end-qos-ulps | 1 | end-qos-ulps ends nothing; write qos-ulps where it begins",
                "port-groups | 1 | port-groups has no end; write end-port-groups after its last line",
                "port-groups;port-group;use: A;end-port-group | 2 | this port-group has no name; add a line name: ...",
                "port-groups;port-group;what: A | 3 | \"what\" does not belong into port-group; use name, use, port-guid",
                "port-groups;port-group;what | 3 | \"what\" is no line of port-group; use name, use, port-guid",
                "port-groups;port-group;name: | 3 | a name is missing",
                "port-groups;port-group;name: A;name: B | 4 | name was already given in line 3; remove one of the two lines",
                "port-groups;port-group;name: \"A | 3 | \"\"A\" is no name; put \" at both ends of it, or nowhere",
                "port-groups;port-group;port-guid: 0x1g | 3 | \"0x1g\" is not a port GUID, nor a range such as 0x2c900-0x2c9ff",
                "port-groups;port-group;port-guid: 1,,2 | 3 | \"\" is not a port GUID",
                "port-groups;port-group;port-guid: 0x11111111111111111 | 3 | \"0x11111111111111111\" is not a port GUID",
                "port-groups;port-group;port-guid: 09 | 3 | \"09\" is not a port GUID",
                "port-groups;port-group;port-guid: 18446744073709551616 | 3 | \"18446744073709551616\" is not a port GUID",
                "port-groups;port-group;pkey: 0-5 | 3 | 0x0000 to 0x0005 has P_Keys without a partition; write P_Keys of 1 to 0x7fff, or of 0x8001 to 0xffff",
                "port-groups;port-group;pkey: 0x7000-0x9000 | 3 | 0x7000 to 0x9000 has P_Keys without a partition",
                "port-groups;port-group;port-name: host1 | 3 | \"host1\" is no port; write the node's description, '/P' and",
                "port-groups;port-group;port-name: host1/Px | 3 | \"x\" is not the number of a port after '/P', 0 to 254",
                "port-groups;port-group;node-type: HOST | 3 | \"HOST\" is not CA, SWITCH, ROUTER, SELF or ALL",
                "port-groups;port-group;name: a;end-port-group;port-group;name: A;end-port-group | 5 | there is another port-group with the name \"A\"",
                "qos-levels;qos-level;name: a;end-qos-level | 2 | this qos-level has no sl; add a line sl: ...",
                "qos-levels;qos-level;sl: 16 | 3 | \"16\" is not an SL, 0 to 15",
                "qos-levels;qos-level;sl: 1;sl: 1 | 4 | sl was already given in line 3",
                "qos-levels;qos-level;mtu-limit: 0 | 3 | \"0\" is not an MTU code, 1 (256 bytes) to 5 (4096)",
                "qos-levels;qos-level;mtu-limit: 2048 | 3 | \"2048\" is not an MTU code",
                "qos-levels;qos-level;rate-limit: 1 | 3 | \"1\" is not a rate code, such as 3 (10 Gb/s) or 7 (40 Gb/s)",
                "qos-levels;qos-level;packet-life: 64 | 3 | \"64\" is not a packet life time, 0 to 63",
                "qos-levels;qos-level;path-bits: 128 | 3 | \"128\" is not path bits, 0 to 127",
                "qos-match-rules;qos-match-rule;qos-class: 4096 | 3 | \"4096\" is not a QoSClass, 0 to 4095",
                "qos-match-rules;qos-match-rule;service-id: - | 3 | \"-\" is not a ServiceID of up to 64 bits",
                "qos-match-rules;qos-match-rule;end-qos-match-rule | 2 | this qos-match-rule has no qos-level-name",
                "qos-match-rules;qos-match-rule;qos-level-name: x;end-qos-match-rule | 3 | there is no qos-level \"x\"; define it",
                "qos-match-rules;qos-match-rule;source: y;qos-level-name: x;end-qos-match-rule | 3 | there is no port-group \"y\"; define it",
                "qos-ulps;what : 3 | 2 | \"what : 3\" is no line of qos-ulps; use default : SL;",
                "qos-ulps;srp : 3 | 2 | \"srp : 3\" is no line of qos-ulps",
                "qos-ulps;any, port-num 5 : 3 | 2 | \"any, port-num 5 : 3\" is no line of qos-ulps",
                "qos-ulps;any, pkey : 3 | 2 | \"any, pkey : 3\" is no line of qos-ulps",
                "qos-ulps;sdp, port-num 65536 : 3 | 2 | \"65536\" is not a port of TCP",
                "qos-ulps;sdp : 16 | 2 | \"16\" is not an SL, 0 to 15, after the last ':'",
                "qos-ulps;default : 1;default : 1 | 3 | default was already given in qos.conf:2; remove one of the two lines",
                "qos-setup;sl2vl-tables;sl2vl-scope;sl2vl-table: 1,2 | 4 | sl2vl-table has 2 values; give it 16",
                "qos-setup;sl2vl-tables;sl2vl-scope;vlarb-low: 1:2 | 4 | \"vlarb-low\" does not belong into sl2vl-scope",
                "qos-setup;vlarb-tables;vlarb-scope;vl-high-limit: 256 | 4 | \"256\" is not a limit, 0 to 255",
                "qos-setup;what: 1 | 2 | \"what\" does not belong into qos-setup; use sl2vl-tables or vlarb-tables",
            })
    void everyErrorHasItsLineAndItsRemedy(String text, int line, String message) {
        String wanted = "qos.conf:" + line + ": " + message;
        assertThat(errors(text.replace(';', '\n'))).anyMatch(error -> error.startsWith(wanted));
    }

    @Test
    void aRuleForAllOtherRequestsIsRequired() {
        assertThat(errors("qos-ulps\nsdp : 1\nend-qos-ulps"))
                .containsExactly(
                        "qos.conf: no level is given for requests that no rule fits; add a qos-level with the name "
                                + "DEFAULT, or \"default : 0\" to qos-ulps");
    }

    @Test
    void allErrorsAreReportedTogether() {
        String text = """
                qos-ulps
                default : 99
                sdp : 98
                end-qos-ulps
                port-groups
                port-group
                name: A
                pkey: 0
                end-port-groups
                """;
        assertThat(errors(text))
                .extracting(error -> error.substring(0, "qos.conf:2".length()))
                .containsExactly("qos.conf:2", "qos.conf:3", "qos.conf:8", "qos.conf:9");
    }

    @Test
    void aForgottenEndDoesNotHideEarlierLines() {
        String text = """
                port-groups
                port-group
                name: A
                port-group
                name: B
                end-port-group
                end-port-groups
                qos-levels
                qos-level
                name: DEFAULT
                sl: 0
                end-qos-level
                end-qos-levels
                qos-match-rules
                qos-match-rule
                source: A, B
                qos-level-name: DEFAULT
                end-qos-match-rule
                end-qos-match-rules
                """;
        assertThat(errors(text))
                .containsExactly("qos.conf:4: port-group of line 2 has no end; write end-port-group before port-group");
    }

    @Test
    void notMoreErrorsThanCanBeRead() {
        List<String> errors = errors("qos-ulps\ndefault : 0\n" + "what\n".repeat(1000) + "end-qos-ulps");
        assertThat(errors).hasSize(101);
        assertThat(errors.get(100)).isEqualTo("qos.conf: 900 more errors");
    }

    @Test
    void sizesAreBounded() {
        assertThat(errors("#".repeat((4 << 20) + 1))).singleElement().satisfies(error -> assertThat(error)
                .startsWith("qos.conf: more than 4194304 characters"));
        assertThat(errors("\n# " + "x".repeat(70_000)))
                .anyMatch(error -> error.startsWith("qos.conf:2: the line has more"));
        String groups = IntStream.range(0, 1025)
                .mapToObj(i -> "port-group\nname: " + i + "\nend-port-group\n")
                .collect(Collectors.joining("", "port-groups\n", "end-port-groups\n"));
        assertThat(errors(groups)).anyMatch(error -> error.contains("more than 1024 times port-group"));
        assertThat(errors("qos-ulps\n" + "sdp : 1\n".repeat(1025) + "end-qos-ulps"))
                .contains("qos.conf:1026: more than 1024 rules; leave some out");
        String numbers = IntStream.range(0, 4096).mapToObj(i -> "" + 2 * i).collect(Collectors.joining(","));
        assertThat(errors("port-groups\nport-group\n" + ("port-guid: " + numbers + "\n").repeat(33)))
                .anyMatch(error -> error.startsWith("qos.conf:35: more than 131072 numbers and ranges in the file"));
        assertThat(errors("port-groups\nport-group\nport-guid: " + "1,".repeat(4096) + "1"))
                .contains("qos.conf:3: more than 4096 items; begin another line with the same keyword");
    }

    @Test
    void quotesFromTheFileFitALineOfALog() {
        assertThat(errors("\u001b[31m" + "x".repeat(200)))
                .anyMatch(error -> error.startsWith("qos.conf:1: \"?[31mxxx") && error.length() < 250);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void anyTextIsReadToItsEnd(long seed) {
        Random random = Seeds.random(seed);
        String[] lines = WHOLE_GRAMMAR.split("\n", -1);
        for (int round = 0; round < 200; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(2 * lines.length); i > 0; i--) {
                text.append(mutate(lines[random.nextInt(lines.length)], random)).append('\n');
            }
            QosPolicy.Parsed parsed = parse(text.toString());
            boolean hasError =
                    parsed.findings().stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
            assertThat(parsed.policy() == null).as(text.toString()).isEqualTo(hasError);
        }
    }

    private static String mutate(String line, Random random) {
        StringBuilder text = new StringBuilder(line);
        for (int i = random.nextInt(3); i > 0 && text.length() > 0; i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, ":,-#\"0 \t\0".charAt(random.nextInt(9)));
                case 2 -> text.setCharAt(at, (char) random.nextInt(300));
                default -> text.insert(at, text.substring(at));
            }
        }
        return text.toString();
    }
}
