package io.torussm.qos.policy;

import static io.torussm.qos.policy.SmallSubnet.pKey;
import static io.torussm.qos.policy.SmallSubnet.qosClass;
import static io.torussm.qos.policy.SmallSubnet.requestOfService;
import static io.torussm.qos.policy.SmallSubnet.requestWithoutValues;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.paths.PathPolicy.Criteria;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which level a request gets. The SL of each level tells it from the others. */
class PolicyPrecedenceTest {
    private static final String LEVELS = """
            qos-levels
                qos-level
                    name: DEFAULT
                    sl: 0
                end-qos-level
                qos-level
                    name: One
                    sl: 1
                end-qos-level
                qos-level
                    name: Two
                    sl: 2
                end-qos-level
            end-qos-levels
            """;
    private static final String GROUPS = """
            port-groups
                port-group
                    name: Servers
                    port-guid: 0x1001-0x1002
                end-port-group
                port-group
                    name: Clients
                    port-guid: 0x1003, 0x1004
                end-port-group
            end-port-groups
            """;

    private final SmallSubnet subnet = new SmallSubnet();

    private static String rules(String... rules) {
        StringBuilder text = new StringBuilder(LEVELS).append(GROUPS).append("qos-match-rules\n");
        for (String rule : rules) {
            text.append("qos-match-rule\n").append(rule).append("\nend-qos-match-rule\n");
        }
        return text.append("end-qos-match-rules\n").toString();
    }

    private static String ulps(String... lines) {
        return "qos-ulps\n" + String.join("\n", lines) + "\nend-qos-ulps\n";
    }

    private int sl(String text, Criteria wish) {
        return sl(text, wish, 4, 5);
    }

    private int sl(String text, Criteria wish, int fromHost, int toHost) {
        return subnet.level(text, wish, subnet.host(fromHost), subnet.host(toHost))
                .sl();
    }

    @Test
    void theFirstRuleThatFitsDecides() {
        String text = rules("qos-class: 1-5\nqos-level-name: One", "qos-class: 3-9\nqos-level-name: Two");
        assertThat(sl(text, qosClass(4))).isEqualTo(1);
        assertThat(sl(text, qosClass(6))).isEqualTo(2);
        assertThat(sl(text, qosClass(10))).as("none fits").isZero();
    }

    @Test
    void matchRulesComeBeforeUlpsWhereverTheyStand() {
        String text = ulps("any, service-id 7 : 5") + rules("service-id: 7\nqos-level-name: One");
        assertThat(sl(text, requestOfService(7))).isEqualTo(1);
    }

    @Test
    void ulpsAreTriedInTheOrderOfTheFile() {
        String text = ulps("sdp, port-num 80 : 3", "sdp : 4", "any, service-id 0x10050-0x10051 : 5", "default : 6");
        assertThat(sl(text, requestOfService(0x1_0050))).isEqualTo(3);
        assertThat(sl(text, requestOfService(0x1_0051))).isEqualTo(4);
        assertThat(sl(text, requestOfService(0x2_0051))).isEqualTo(6);
    }

    @Test
    void theLevelCalledDefaultComesBeforeTheUlpCalledDefault() {
        assertThat(sl(LEVELS + ulps("default : 7"), requestWithoutValues())).isZero();
        assertThat(sl(ulps("default : 7"), requestWithoutValues())).isEqualTo(7);
    }

    @Test
    void allCriteriaOfARuleMustHold() {
        String text = rules("qos-class: 1\nservice-id: 7\npkey: 0x10\nqos-level-name: One");
        assertThat(sl(text, new Criteria(true, 7, 1, 0x8010))).isEqualTo(1);
        assertThat(sl(text, new Criteria(true, 8, 1, 0x8010))).isZero();
        assertThat(sl(text, new Criteria(true, 7, 2, 0x8010))).isZero();
        assertThat(sl(text, new Criteria(true, 7, 1, 0x8011))).isZero();
    }

    @Test
    void anAbsentValueMeetsNoCriterion() {
        String text = rules("qos-class: 0-4095\nqos-level-name: One", "service-id: 0\nqos-level-name: Two");
        assertThat(sl(text, requestWithoutValues())).isZero();
        assertThat(sl(text, requestOfService(0))).isEqualTo(2);
        assertThat(sl(rules("pkey: 1-0x7fff\nqos-level-name: One"), requestWithoutValues()))
                .isZero();
    }

    @Test
    void aRuleWithoutCriteriaFitsAll() {
        String text = rules("qos-level-name: One", "qos-class: 1\nqos-level-name: Two");
        assertThat(sl(text, requestWithoutValues())).isEqualTo(1);
        assertThat(sl(text, qosClass(1))).isEqualTo(1);
    }

    @Test
    void sourceAndDestinationMustBothFit() {
        String text = rules("source: Clients\ndestination: Servers\nqos-level-name: One");
        assertThat(sl(text, requestWithoutValues(), 3, 1)).isEqualTo(1);
        assertThat(sl(text, requestWithoutValues(), 1, 3)).as("the other way").isZero();
        assertThat(sl(text, requestWithoutValues(), 3, 5)).isZero();
    }

    @Test
    void severalGroupsAreOne() {
        String text = rules("source: Clients, servers\nqos-level-name: One");
        assertThat(sl(text, requestWithoutValues(), 1, 5)).isEqualTo(1);
        assertThat(sl(text, requestWithoutValues(), 4, 5)).isEqualTo(1);
        assertThat(sl(text, requestWithoutValues(), 5, 1)).isZero();
    }

    @Test
    void theMembershipBitOfAPKeyIsNoMatter() {
        assertThat(sl(rules("pkey: 0x8010\nqos-level-name: One"), pKey(0x0010))).isEqualTo(1);
        assertThat(sl(rules("pkey: 0x0010\nqos-level-name: One"), pKey(0x8010))).isEqualTo(1);
    }

    @Test
    void portsOfUlpsAreSourcesTargetsOrEither() {
        String target = ulps("any, target-port-guid 0x1001 : 3", "default : 0");
        assertThat(sl(target, requestWithoutValues(), 5, 1)).isEqualTo(3);
        assertThat(sl(target, requestWithoutValues(), 1, 5)).isZero();
        String source = ulps("any, source-port-guid 0x1001 : 3", "default : 0");
        assertThat(sl(source, requestWithoutValues(), 5, 1)).isZero();
        assertThat(sl(source, requestWithoutValues(), 1, 5)).isEqualTo(3);
        String either = ulps("any, source-target-port-guid 0x1001 : 3", "default : 0");
        assertThat(sl(either, requestWithoutValues(), 5, 1)).isEqualTo(3);
        assertThat(sl(either, requestWithoutValues(), 1, 5)).isEqualTo(3);
        assertThat(sl(either, requestWithoutValues(), 4, 5)).isZero();
        String srp = ulps("srp, target-port-guid 0x1001-0x1002 : 3", "default : 0");
        assertThat(sl(srp, requestWithoutValues(), 5, 2)).isEqualTo(3);
        assertThat(sl(srp, requestWithoutValues(), 2, 5)).isZero();
    }

    @Test
    void protocolsAreKnownByTheirServiceIds() {
        String text = ulps("sdp, port-num 5 : 1", "rds, port-num 6 : 2", "iser, port-num 7 : 3", "default : 0");
        assertThat(sl(text, requestOfService(0x1_0005))).isEqualTo(1);
        assertThat(sl(text, requestOfService(0x1_0006))).isZero();
        assertThat(sl(text, requestOfService(0x106_0006))).isEqualTo(2);
        assertThat(sl(text, requestOfService(0x106_0007))).isEqualTo(3);
        String whole = ulps("sdp : 1", "rds : 2", "iser : 3", "default : 0");
        assertThat(sl(whole, requestOfService(0x1_ffff))).isEqualTo(1);
        assertThat(sl(whole, requestOfService(0x2_0000))).isZero();
        assertThat(sl(whole, requestOfService(0x106_48ca))).isEqualTo(2);
        assertThat(sl(whole, requestOfService(0x106_0cbc))).isEqualTo(3);
    }

    @Test
    void ipoibIsKnownByThePKey() {
        String text = ulps("ipoib, pkey 0x10 : 1", "ipoib : 2", "any, pkey 0x20 : 3", "default : 0");
        assertThat(sl(text, pKey(0x8010))).isEqualTo(1);
        assertThat(sl(text, pKey(0xffff))).isEqualTo(2);
        assertThat(sl(text, pKey(0x0020))).isEqualTo(3);
        assertThat(sl(text, requestWithoutValues())).isZero();
    }

    @Test
    void aLevelHasWhatItsBlockSays() {
        QosLevel level = (QosLevel) subnet.level("""
                qos-levels
                  qos-level
                    name: default
                    use: for all
                    sl: 9
                    mtu-limit: 3
                    rate-limit: 7
                    packet-life: 20
                    pkey: 0x10-0x11, 0x8020
                  end-qos-level
                end-qos-levels
                """, requestWithoutValues(), subnet.host(1), subnet.host(2));
        assertThat(level)
                .isEqualTo(new QosLevel(
                        "default",
                        9,
                        3,
                        7,
                        20,
                        NumberRanges.union(List.of(NumberRanges.of(0x10, 0x11), NumberRanges.of(0x20, 0x20)))));
        assertThat(level.allows(0x8011)).isTrue();
        assertThat(level.allows(0x12)).isFalse();
        assertThat(QosLevel.ofSl("any", 0).allows(0x12)).isTrue();
    }

    @Test
    void withoutAPolicyNothingIsSelected() {
        assertThat(QosPolicy.NONE.on(subnet.fabric, subnet.partitions)).isNull();
        QosPolicy.Parsed comments = QosPolicy.parse("qos.conf", "# nothing\n\n   # yet");
        assertThat(comments.policy()).isEqualTo(QosPolicy.NONE);
        assertThat(comments.findings()).singleElement().satisfies(finding -> assertThat(finding.text())
                .startsWith("qos.conf: there is no policy in the file"));
    }
}
