package io.torussm.qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.qos.QosSettings.Arbitration;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FairnessCheckTest {
    private static final String EQUAL = "0:64,1:64,2:64,3:64,4:64,5:64,6:64,7:64";
    private static final FairnessCheck.Sources SOURCES = (portClass, isHigh) -> "set by this test";

    private static List<String> check(PortClass portClass, int highLimit, String high, String low) {
        Arbitration arbitration = new Arbitration(
                highLimit,
                high.isEmpty() ? List.of() : VlWeight.parse(high),
                low.isEmpty() ? List.of() : VlWeight.parse(low));
        List<Finding> findings = FairnessCheck.check(QosSettings.DEFAULT.with(portClass, arbitration), SOURCES);
        assertThat(findings).allMatch(finding -> finding.severity() == Finding.Severity.WARNING);
        return findings.stream().map(Finding::text).toList();
    }

    @Test
    void acceptsTheDefaults() {
        assertThat(FairnessCheck.check(QosSettings.DEFAULT, SOURCES)).isEmpty();
    }

    @Test
    void acceptsLevelsOfDifferentWeight() {
        assertThat(check(PortClass.SWITCH_FABRIC_LINK, 4, "4:32,5:32,6:32,7:32", EQUAL))
                .isEmpty();
        assertThat(check(PortClass.SWITCH_FABRIC_LINK, 0, "", "0:1,1:1,2:1,3:1,4:9,5:9,6:9,7:9"))
                .isEmpty();
        assertThat(check(PortClass.CA, 4, "1:32", "0:64,1:64")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0:64,1:64,2:32,3:64,4:1,5:1,6:1,7:1; VL 0 the weight 64 and VL 2 the weight 32; QoS level 0",
                "0:1,1:1,2:1,3:1,4:8,5:8,6:8,7:9; VL 4 the weight 8 and VL 7 the weight 9; QoS level 1"
            })
    void warnsOfUnequalWeightsWithinALevel(String low, String weights, String level) {
        assertThat(check(PortClass.SWITCH_FABRIC_LINK, 0, "", low))
                .singleElement()
                .asString()
                .contains("(low)", weights, level);
    }

    @Test
    void judgesEachTableByItself() {
        // Together these are equal, but a VL in the high table is served first.
        assertThat(check(PortClass.SWITCH_FABRIC_LINK, 0, "0:64,1:64", "2:64,3:64,4:64,5:64,6:64,7:64"))
                .hasSize(2)
                .anySatisfy(text -> assertThat(text).contains("(high)"))
                .anySatisfy(text -> assertThat(text).contains("(low)"));
    }

    @Test
    void addsRepeatedEntriesUp() {
        assertThat(check(PortClass.SWITCH_FABRIC_LINK, 0, "4:10,5:5,6:10,7:10,5:5", EQUAL))
                .isEmpty();
    }

    @Test
    void doesNotJudgeVlsThatTheEngineNeverUses() {
        assertThat(check(PortClass.SWITCH_FABRIC_LINK, 0, "", EQUAL + ",8:1,9:200"))
                .isEmpty();
        assertThat(check(PortClass.CA, 0, "", "0:4,1:4,8:1")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = PortClass.class, mode = EnumSource.Mode.EXCLUDE, names = "SWITCH_FABRIC_LINK")
    void warnsOfWeightOnVlsThatOtherLinksNeverCarry(PortClass portClass) {
        assertThat(check(portClass, 0, "", "0:4,1:4,2:4,7:1"))
                .singleElement()
                .asString()
                .contains("(low)", "VL 2, 7");
        assertThat(check(portClass, 0, "3:1", "0:4,1:4"))
                .singleElement()
                .asString()
                .contains("(high)", "VL 3");
    }

    @Test
    void warnsOfVlsThatAreNeverServed() {
        assertThat(check(PortClass.SWITCH_FABRIC_LINK, 0, "", "0:1,1:1,2:1,3:1,4:0"))
                .singleElement()
                .asString()
                .contains("links between switches", "no weight to VL 4, 5, 6, 7");
        assertThat(check(PortClass.SWITCH_HOST_LINK, 0, "", "0:64"))
                .singleElement()
                .asString()
                .contains("switch ports to hosts", "no weight to VL 1");
    }

    @Test
    void warnsOfHighPriorityWithoutALimit() {
        assertThat(check(PortClass.CA, 255, "1:64", "0:64,1:64"))
                .singleElement()
                .asString()
                .contains("channel adapters", "255", "stop VL 0");
        assertThat(check(PortClass.CA, 254, "1:64", "0:64,1:64")).isEmpty();
        assertThat(check(PortClass.CA, 255, "", "0:64,1:64")).isEmpty();
        assertThat(check(PortClass.CA, 255, "0:64,1:64", "")).isEmpty();
    }
}
