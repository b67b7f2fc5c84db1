package io.torussm.qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.qos.QosOptions.PortSet;
import io.torussm.qos.QosOptions.Values;
import io.torussm.qos.QosSettings.Arbitration;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class QosOptionsTest {
    private static final String FAIR = "0:8,1:8,2:8,3:8,4:1,5:1,6:1,7:1";
    private static final String UNFAIR = "0:8,1:8,2:8,3:8,4:1,5:1,6:1,7:2";

    private final Map<PortSet, Values> sets = new EnumMap<>(PortSet.class);

    private QosOptionsTest set(PortSet set, String maxVls, String highLimit, String high, String low, String sl2vl) {
        sets.put(
                set,
                new Values(
                        Optional.of(maxVls).filter(text -> !text.isEmpty()).map(Integer::valueOf),
                        Optional.of(highLimit).filter(text -> !text.isEmpty()).map(Integer::valueOf),
                        Optional.of(high).filter(text -> !text.isEmpty()).map(VlWeight::parse),
                        Optional.of(low).filter(text -> !text.isEmpty()).map(VlWeight::parse),
                        Optional.of(sl2vl).filter(text -> !text.isEmpty()).map(text -> Stream.of(text.split(","))
                                .map(Integer::valueOf)
                                .toList())));
        return this;
    }

    private QosOptions options() {
        return new QosOptions(sets);
    }

    private List<String> unsuitable() {
        List<Finding> findings = options().unsuitableWarnings();
        assertThat(findings).allMatch(finding -> finding.severity() == Finding.Severity.WARNING);
        return findings.stream().map(Finding::text).toList();
    }

    @Test
    void areTheDefaultsWithoutAWarningIfNothingIsSet() {
        assertThat(QosOptions.NONE.settings()).isEqualTo(QosSettings.DEFAULT);
        assertThat(QosOptions.NONE.unsuitableWarnings()).isEmpty();
        assertThat(QosOptions.NONE.ignoredWarnings()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = PortSet.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ALL", "SWE"})
    void takeEachItemFromTheSpecificSetElseTheGenericElseTheDefault(PortSet set) {
        set(set, "", "7", "", "0:2,1:3", "");
        set(PortSet.ALL, "", "9", "0:1", "1:1", "");
        for (PortClass portClass : PortClass.values()) {
            Arbitration arbitration = options().settings().of(portClass);
            boolean isSpecific = PortSet.of(portClass) == set;
            assertThat(arbitration.highLimit()).isEqualTo(isSpecific ? 7 : 9);
            assertThat(arbitration.high()).isEqualTo(VlWeight.parse("0:1"));
            if (portClass != PortClass.SWITCH_HOST_LINK) {
                assertThat(arbitration.low()).isEqualTo(VlWeight.parse(isSpecific ? "0:2,1:3" : "1:1"));
            }
        }
        sets.remove(PortSet.ALL);
        PortClass other = set == PortSet.CA ? PortClass.ROUTER : PortClass.CA;
        assertThat(options().settings().of(other)).isEqualTo(QosSettings.DEFAULT.of(other));
    }

    @ParameterizedTest
    @EnumSource(PortClass.class)
    void takeEachItemForItselfWhicheverSetsHaveTheOthers(PortClass portClass) {
        PortSet specific = PortSet.of(portClass);
        set(specific, "", "", "1:1", "", "");
        set(PortSet.ALL, "", "0", "0:9", "", "");
        Arbitration arbitration = options().plainSettings().of(portClass);
        assertThat(arbitration.high()).as("specific").isEqualTo(VlWeight.parse("1:1"));
        assertThat(arbitration.highLimit()).as("generic, and 0 is set").isZero();
        assertThat(arbitration.low())
                .as("default")
                .isEqualTo(QosSettings.PLAIN.of(portClass).low());
        set(specific, "", "0", "", "", "");
        set(PortSet.ALL, "", "7", "", "", "");
        assertThat(options().plainSettings().of(portClass).highLimit())
                .as("specific, and 0 is set")
                .isZero();
    }

    /** OpenSM's, under engines that leave VLs to the operator: there every SL may have any VL. */
    @ParameterizedTest
    @EnumSource(PortClass.class)
    void areOpenSmsDefaultsWithoutTorus2Qos(PortClass portClass) {
        Arbitration arbitration = QosOptions.NONE.plainSettings().of(portClass);
        assertThat(arbitration.high()).isEqualTo(VlWeight.parse("0:4"));
        assertThat(arbitration.low())
                .isEqualTo(VlWeight.parse("1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4"));
        assertThat(arbitration.highLimit()).isZero();
    }

    @Test
    void leaveTheTablesOfHostPortsAsTheyAreWithoutTorus2Qos() {
        set(PortSet.SWE, "", "", "", "4:1,0:64", "");
        assertThat(options().plainSettings().of(PortClass.SWITCH_HOST_LINK).low())
                .isEqualTo(VlWeight.parse("4:1,0:64"));
    }

    @Test
    void takeSl2VlTablesFromTheSpecificSetElseTheGenericElseTheDefault() {
        assertThat(QosOptions.NONE.sl2vl()).isEqualTo(Sl2VlTables.DEFAULT);
        set(PortSet.ALL, "", "", "", "", "0,1,2,3");
        set(PortSet.CA, "", "", "", "", "4");
        set(PortSet.RTR, "", "", "", "", "5");
        long generic = 0x0123_0000_0000_0000L;
        long ca = 4L << 60;
        long router = 5L << 60;
        assertThat(options().sl2vl()).isEqualTo(new Sl2VlTables(ca, router, generic, generic));
        set(PortSet.SWE, "", "", "", "", "6");
        set(PortSet.SW0, "", "", "", "", "15");
        sets.remove(PortSet.CA);
        assertThat(options().sl2vl()).isEqualTo(new Sl2VlTables(generic, router, 6L << 60, 15L << 60));
    }

    /** The example that OpenSM's behaviour was checked with: {@code 1:1,0:64} is left. */
    @Test
    void giveHostPortsTheFirstVlOfEachLevelOfTheSwitchTables() {
        set(PortSet.SWE, "", "", "", "4:1,5:1,6:1,7:1,0:64,1:64,2:64,3:64", "");
        Arbitration towardsHosts = options().settings().of(PortClass.SWITCH_HOST_LINK);
        assertThat(towardsHosts.low()).isEqualTo(VlWeight.parse("1:1,0:64"));
        assertThat(towardsHosts.high()).isEmpty();
        assertThat(options().settings().of(PortClass.SWITCH_FABRIC_LINK).low()).hasSize(8);
        assertThat(unsuitable()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SWE, high, configured qos_swe_vlarb_high",
        "SWE, low, configured qos_swe_vlarb_low",
        "ALL, high, configured qos_vlarb_high",
        "ALL, low, configured qos_vlarb_low"
    })
    void areUnsuitableIfVlsOfALevelBetweenSwitchesDiffer(PortSet set, String table, String source) {
        boolean isHigh = table.equals("high");
        set(set, "", "", isHigh ? UNFAIR : "", isHigh ? "" : UNFAIR, "");
        assertThat(unsuitable())
                .first()
                .asString()
                .startsWith("VL arbitration (" + table + ") of links between switches (" + source + ") gives VL 4")
                .contains("VL 7 the weight 2", "QoS level 1");
        assertThat(unsuitable()).hasSize(set == PortSet.SWE ? 1 : 4);
    }

    @ParameterizedTest
    @CsvSource({
        "CA, high, channel adapters (configured qos_ca_vlarb_high)",
        "CA, low, channel adapters (configured qos_ca_vlarb_low)",
        "SW0, high, switch ports 0 (configured qos_sw0_vlarb_high)",
        "SW0, low, switch ports 0 (configured qos_sw0_vlarb_low)",
        "RTR, high, routers (configured qos_rtr_vlarb_high)",
        "RTR, low, routers (configured qos_rtr_vlarb_low)"
    })
    void areUnsuitableIfEndPortsHaveWeightOnVlsThatTheyNeverCarry(PortSet set, String table, String source) {
        boolean isHigh = table.equals("high");
        set(set, "", "", isHigh ? FAIR : "", isHigh ? "" : FAIR, "");
        assertThat(unsuitable())
                .singleElement()
                .asString()
                .startsWith("VL arbitration (" + table + ") of " + source + " gives weight to VL 2, 3, 4, 5, 6, 7");
        set(PortSet.ALL, "", "", "0:1,1:1,2:1,3:1", FAIR, "");
        assertThat(unsuitable()).hasSize(6).allMatch(text -> text.contains("gives weight"));
        assertThat(unsuitable().stream().filter(text -> text.contains("configured qos_vlarb_")))
                .hasSize(5);
    }

    @Test
    void areUnsuitableIfTheSwitchTablesLeaveHostPortsWithoutLevel1() {
        set(PortSet.SWE, "", "", "", "0:64,1:64,2:64,3:64", "");
        assertThat(unsuitable())
                .hasSize(2)
                .element(1)
                .asString()
                .contains(
                        "switch ports to hosts",
                        "no weight to VL 1",
                        "configured qos_swe_vlarb_low, of which they have VL 0, and VL 4 as VL 1");
    }

    @ParameterizedTest
    @CsvSource({
        "SWE, 7, 1, at most 7 VLs are meant for links between switches (configured qos_swe_max_vls)",
        "SWE, 8, 0, ",
        "CA, 1, 1, at most 1 VLs are meant for channel adapters (configured qos_ca_max_vls)",
        "CA, 2, 0, ",
        "SW0, 1, 1, switch ports 0 (configured qos_sw0_max_vls)",
        "RTR, 1, 1, routers (configured qos_rtr_max_vls)",
        "ALL, 7, 1, links between switches (configured qos_max_vls)",
        "ALL, 1, 4, links between switches (configured qos_max_vls)"
    })
    void areUnsuitableIfTooFewVlsAreMeant(PortSet set, String maxVls, int warnings, String text) {
        set(set, maxVls, "", "", "", "");
        assertThat(unsuitable()).hasSize(warnings);
        if (warnings > 0) {
            assertThat(unsuitable().get(0)).contains(text);
        }
    }

    @Test
    void preferTheSpecificLimitOnVls() {
        set(PortSet.ALL, "1", "", "", "", "");
        for (PortSet set : List.of(PortSet.SWE, PortSet.CA, PortSet.SW0, PortSet.RTR)) {
            set(set, "15", "", "", "", "");
        }
        assertThat(unsuitable()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(PortSet.class)
    void sayThatAnSl2VlTableIsIgnoredAlsoTheGenericOne(PortSet set) {
        set(set, "", "", "", "", "3");
        assertThat(options().ignoredWarnings()).singleElement().satisfies(finding -> assertThat(finding.text())
                .startsWith(set.prefix() + "sl2vl is ignored"));
        assertThat(unsuitable()).isEmpty();
    }
}
