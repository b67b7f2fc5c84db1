package io.torussm.qos.policy;

import static io.torussm.qos.policy.SmallSubnet.requestWithoutValues;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ports of a group, and the errors of invalid groups. */
class PortGroupTest {
    private final SmallSubnet subnet = new SmallSubnet();

    private static String text(String group) {
        return """
                qos-ulps
                default : 0
                end-qos-ulps
                port-groups
                port-group
                name: G
                %s
                end-port-group
                end-port-groups
                qos-levels
                qos-level
                name: L
                sl: 1
                end-qos-level
                end-qos-levels
                qos-match-rules
                qos-match-rule
                source: g
                qos-level-name: l
                end-qos-match-rule
                end-qos-match-rules
                """.formatted(group);
    }

    private List<String> members(String group) {
        PolicyOnSubnet policy = subnet.resolve(text(group));
        return IntStream.range(0, subnet.fabric.portCount())
                .filter(port ->
                        policy.choice(requestWithoutValues()).level(port, 0).sl() == 1)
                .mapToObj(port -> subnet.fabric.node(subnet.fabric.nodeOf(port)).description())
                .toList();
    }

    private List<Finding> findings(String text) {
        return subnet.resolve(text).findings();
    }

    @Test
    void byGuid() {
        assertThat(members("port-guid: 0x1001, 0x1004-0x1003\nport-guid: 256"))
                .containsExactly("core 0/1", "host 1", "host 3", "host 4");
        assertThat(members("port-guid: 0x1005-0xffffffffffffffff")).containsExactly("host 5", "router");
        assertThat(members("port-guid: 0x7777")).isEmpty();
    }

    @Test
    void byNameWithItsBlanks() {
        assertThat(members("port-name: host 1/P1, \"host 3/P1\"")).containsExactly("host 1", "host 3");
        assertThat(members("port-name: \"core 0/1/P3\"")).containsExactly("core 0/1");
        assertThat(members("port-name: host1/P1")).as("no such node").isEmpty();
    }

    @Test
    void byPartition() {
        assertThat(members("pkey: 0x10")).containsExactly("host 1", "host 2");
        assertThat(members("partition: Storage")).containsExactly("host 1", "host 2");
        assertThat(members("pkey: 0x11-0x1f")).isEmpty();
    }

    @Test
    void byKind() {
        assertThat(members("node-type: SWITCH, router")).containsExactly("core 0/1", "router");
        assertThat(members("node-type: SELF")).containsExactly("host 0");
        assertThat(members("node-type: CA")).hasSize(SmallSubnet.HOSTS);
        assertThat(members("node-type: ALL")).hasSize(SmallSubnet.HOSTS + 2);
    }

    @Test
    void allStatementsCount() {
        assertThat(members("port-guid: 0x1003\nport-name: host 4/P1\npkey: 0x10\nnode-type: ROUTER"))
                .containsExactly("host 1", "host 2", "host 3", "host 4", "router");
    }

    @Test
    void aPortThatANodeHasNotIsAnError() {
        assertThat(findings(text("port-name: host 1/P2")))
                .extracting(Finding::line)
                .containsExactly(SmEvent.QOS_POLICY_ERROR.code()
                        + " qos.conf:7: 0x0000000000001001 \"host 1\" has no port 2; it has 1 to 1");
        assertThat(findings(text("port-name: host 1/P0")))
                .extracting(Finding::severity)
                .containsExactly(Finding.Severity.ERROR);
        assertThat(findings(text("port-name: host 77/P2"))).as("not here now").isEmpty();
    }

    @Test
    void aPartitionThatIsNotThereIsAWarning() {
        assertThat(findings(text("partition: Storage, Stowage")))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
                    assertThat(finding.text()).startsWith("qos.conf:7: no partition is called \"Stowage\"");
                });
    }

    @Test
    void aPKeyThatNoPartitionHasIsAWarningInRulesAndAnErrorForIpoib() {
        assertThat(findings("qos-ulps\nany, pkey 0x10-0x1f,0x33 : 1\ndefault : 0\nend-qos-ulps"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
                    assertThat(finding.text()).startsWith("qos.conf:2: no partition has P_Key 0x0033;");
                });
        assertThat(findings("qos-ulps\n\nipoib, pkey 0x33 : 1\ndefault : 0\nend-qos-ulps"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
                    assertThat(finding.text()).startsWith("qos.conf:3: ipoib: no partition has P_Key 0x0033;");
                });
    }

    @Test
    void ipoibNeedsTwoFullMembers() {
        assertThat(findings(
                        "qos-ulps\nipoib, pkey 0x10 : 1\nipoib : 1\nipoib, pkey 0x20 : 1\ndefault : 0\nend-qos-ulps"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
                    assertThat(finding.text())
                            .startsWith(
                                    "qos.conf:4: ipoib: partition \"Lonely\" (0x0020) has fewer than two full members");
                });
    }

    /** The SM is on host 0 with the port GUID 0x1000; no host has 0x7777. The last rule that fits a port decides. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x1001=full, 0x1002=full, ALL=limited | false",
                "0x1001=full, 0x1002=full, ALL_CAS=limited | false",
                "0x7777=full, 0x1001=full, ALL_CAS=limited | false",
                "SELF=full, 0x1000=full | false",
                "ALL_ROUTERS=full, ALL=limited | false",
                "ALL_CAS=full, ALL_ROUTERS=limited, ALL_CAS=limited, SELF=full | false",
                "ALL=limited, 0x1001=full, 0x7777=full | true",
                "SELF=full, 0x1001=both | true",
                "ALL=limited, ALL_ROUTERS=full | true",
                "0x1001=limited, ALL_CAS=both | true",
            })
    void fullMembersForIpoibAreCountedByTheLastRule(String members, boolean isEnough) {
        SmallSubnet otherSubnet = new SmallSubnet("Default=0x7fff : ALL=full ; Other=0x30 : " + members + " ;");
        assertThat(otherSubnet
                        .resolve("qos-ulps\nipoib, pkey 0x30 : 1\ndefault : 0\nend-qos-ulps")
                        .findings()
                        .isEmpty())
                .isEqualTo(isEnough);
    }

    @Test
    void messagesAreBounded() {
        StringBuilder text = new StringBuilder("qos-ulps\ndefault : 0\n");
        for (int i = 0; i < 500; i++) {
            text.append("any, pkey ").append(0x100 + i).append(" : 1\n");
        }
        List<Finding> findings =
                findings(text.append("ipoib, pkey 9 : 1\nend-qos-ulps").toString());
        assertThat(findings).hasSize(21);
        assertThat(findings.get(0).severity()).isEqualTo(Finding.Severity.ERROR);
        assertThat(findings.get(20).text()).isEqualTo("qos.conf: 481 more errors and warnings");
    }
}
