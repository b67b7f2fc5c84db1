package io.torussm.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import io.torussm.routing.VlArbitrationPolicy.Tables;
import io.torussm.subnet.LinkSettings;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VlArbitrationPlanTest {
    private static final VlArbitrationPlan DEFAULT = new VlArbitrationPlan(QosSettings.DEFAULT);

    @Test
    void defaultsGiveEveryVlOfALevelTheSameWeight() {
        assertThat(FairnessCheck.check(QosSettings.DEFAULT)).isEmpty();
        int[] weights = weights(DEFAULT.tables(PortClass.SWITCH_FABRIC_LINK, 8, 8, 4));
        assertThat(weights).containsExactly(64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"CA", "ROUTER", "SWITCH_PORT0", "SWITCH_HOST_LINK"})
    void endLinksCarryTheTwoLevelsOnVls0And1(PortClass portClass) {
        int[] weights = weights(DEFAULT.tables(portClass, 8, 8, 4));
        assertThat(weights).startsWith(64, 64, 0, 0);
    }

    @Test
    void noVlIsStarvedAndNoneAboveOperationalVlsIsNamedWhateverTheDeviceCanHold() {
        for (PortClass portClass : PortClass.values()) {
            for (int code = 1; code <= 5; code++) {
                int used = Math.min(LinkSettings.dataVls(code), portClass == PortClass.SWITCH_FABRIC_LINK ? 8 : 2);
                for (int low = 1; low <= 64; low++) {
                    for (int high = Math.max(0, used - low); high <= 16; high++) {
                        int[] weights = weights(DEFAULT.tables(portClass, low, high, code));
                        for (int vl = 0; vl < 16; vl++) {
                            assertThat(weights[vl] > 0)
                                    .as("%s code %d caps %d/%d VL %d", portClass, code, low, high, vl)
                                    .isEqualTo(vl < used);
                        }
                    }
                }
            }
        }
    }

    @Test
    void entriesBeyondTheFirst32StandInTheSecondPart() {
        List<VlWeight> low = java.util.stream.IntStream.range(0, 40)
                .mapToObj(i -> new VlWeight(i % 8, i))
                .toList();
        Tables tables = new VlArbitrationPlan(with(PortClass.CA, new QosSettings.Arbitration(7, List.of(), low)))
                .tables(PortClass.CA, 64, 64, 5);
        assertThat(tables.low0().weight(31)).isEqualTo(31);
        assertThat(tables.low1().weight(0)).isEqualTo(32);
        assertThat(tables.low1().vl(7)).isEqualTo(39 % 8);
        assertThat(tables.low1().weight(8)).isZero();
        assertThat(tables.highLimit()).isEqualTo(7);
    }

    @Test
    void warnsOfUnequalWeightsWithinALevelAndNamesBoth() {
        List<VlWeight> low = VlWeight.parse("0:64,1:64,2:32,3:64,4:1,5:1,6:1,7:1");
        QosSettings settings = with(PortClass.SWITCH_FABRIC_LINK, new QosSettings.Arbitration(0, List.of(), low));
        assertThat(FairnessCheck.check(settings)).singleElement().satisfies(finding -> assertThat(finding.text())
                .contains("(low)", "VL 0 the weight 64", "VL 2 the weight 32", "QoS level 0"));
    }

    @Test
    void sumsTheWeightsOfRepeatedEntries() {
        List<VlWeight> high = VlWeight.parse("4:10,5:5,6:10,7:10,5:5");
        QosSettings settings = with(PortClass.SWITCH_FABRIC_LINK, new QosSettings.Arbitration(0, high, List.of()));
        assertThat(FairnessCheck.check(settings)).isEmpty();
    }

    @Test
    void warnsOfWeightOnVlsThatEndLinksNeverCarry() {
        QosSettings settings =
                with(PortClass.CA, new QosSettings.Arbitration(0, List.of(), VlWeight.parse("0:4,1:4,2:4")));
        assertThat(FairnessCheck.check(settings)).singleElement().satisfies(finding -> assertThat(finding.text())
                .contains("channel adapters", "VL 2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0:1:2", "x:1", "0:y", "15:1", "-1:1", "0:256", "0:1,,1:1"})
    void refusesWhatIsNoListOfEntriesAndShowsIt(String text) {
        assertThatThrownBy(() -> VlWeight.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }

    private static QosSettings with(PortClass changed, QosSettings.Arbitration arbitration) {
        Map<PortClass, QosSettings.Arbitration> tables = new EnumMap<>(QosSettings.DEFAULT.tables());
        tables.put(changed, arbitration);
        return new QosSettings(tables);
    }

    private static int[] weights(Tables tables) {
        int[] weights = new int[16];
        for (VlArbitrationTable part : List.of(tables.low0(), tables.low1(), tables.high0(), tables.high1())) {
            for (int i = 0; i < VlArbitrationTable.ENTRIES_PER_PART; i++) {
                weights[part.vl(i)] += part.weight(i);
            }
        }
        return weights;
    }
}
