package io.torussm.qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.qos.QosSettings.Arbitration;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import io.torussm.routing.VlArbitrationPolicy.Tables;
import io.torussm.subnet.LinkSettings;
import io.torussm.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class VlArbitrationPlanTest {
    private static final VlArbitrationPlan DEFAULT = new VlArbitrationPlan(QosSettings.DEFAULT);

    @Test
    void defaultsGiveEveryVlOfALevelTheSameWeight() {
        assertThat(FairnessCheck.check(QosSettings.DEFAULT, (portClass, isHigh) -> ""))
                .isEmpty();
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
    void tablesOfAnySizeContainAllOperationalVlsAndNoOthers() {
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
        List<VlWeight> low =
                IntStream.range(0, 40).mapToObj(i -> new VlWeight(i % 8, i + 1)).toList();
        Tables tables = new VlArbitrationPlan(
                        QosSettings.DEFAULT.with(PortClass.CA, new Arbitration(7, List.of(), low)))
                .tables(PortClass.CA, 64, 64, 5);
        assertThat(tables.low0().weight(31)).isEqualTo(32);
        assertThat(tables.low1().weight(0)).isEqualTo(33);
        assertThat(tables.low1().vl(7)).isEqualTo(39 % 8);
        assertThat(tables.low1().weight(8)).isZero();
        assertThat(tables.highLimit()).isEqualTo(7);
    }

    @Test
    void defaultsStayFairForWholeLevelsForAnyTableSize() {
        for (int code = 1; code <= 5; code++) {
            int vls = Math.min(LinkSettings.dataVls(code), 8);
            int level = Math.min(vls, 4);
            for (int low = 1; low <= 64; low++) {
                for (int high = 1; high <= 64; high++) {
                    Tables tables = DEFAULT.tables(PortClass.SWITCH_FABRIC_LINK, low, high, code);
                    assertThat(entries(tables.low0(), tables.low1())).isLessThanOrEqualTo(low);
                    assertThat(entries(tables.high0(), tables.high1())).isLessThanOrEqualTo(high);
                    if (low / level + high / level >= vls / level) {
                        assertLevelsAreEqual(weights(tables.low0(), tables.low1()), vls, level);
                        assertLevelsAreEqual(weights(tables.high0(), tables.high1()), vls, level);
                    }
                }
            }
        }
    }

    private static void assertLevelsAreEqual(int[] weights, int vls, int level) {
        for (int vl = 0; vl < vls; vl++) {
            assertThat(weights[vl]).as("VL %d", vl).isEqualTo(weights[vl / level * level]);
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void servesAsManyVlsAsADeviceCanHoldAndNoOther(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < 200; round++) {
            PortClass portClass = random.nextBoolean() ? PortClass.SWITCH_FABRIC_LINK : PortClass.CA;
            Arbitration wanted = new Arbitration(random.nextInt(256), randomTable(random), randomTable(random));
            int lowCap = random.nextInt(12);
            int highCap = random.nextInt(12);
            int code = 1 + random.nextInt(5);

            Tables tables = new VlArbitrationPlan(QosSettings.DEFAULT.with(portClass, wanted))
                    .tables(portClass, lowCap, highCap, code);

            Set<Integer> asked = new TreeSet<>();
            Stream.concat(wanted.low().stream(), wanted.high().stream())
                    .filter(entry -> entry.weight() > 0 && entry.vl() < LinkSettings.dataVls(code))
                    .forEach(entry -> asked.add(entry.vl()));
            int[] weights = weights(tables);
            Set<Integer> served = new TreeSet<>();
            for (int vl = 0; vl < weights.length; vl++) {
                if (weights[vl] > 0) {
                    served.add(vl);
                }
            }
            assertThat(asked)
                    .as("%s caps %d/%d code %d", wanted, lowCap, highCap, code)
                    .containsAll(served);
            assertThat(served)
                    .as("%s caps %d/%d code %d", wanted, lowCap, highCap, code)
                    .hasSize(Math.min(asked.size(), lowCap + highCap));
            assertThat(entries(tables.low0(), tables.low1())).isLessThanOrEqualTo(lowCap);
            assertThat(entries(tables.high0(), tables.high1())).isLessThanOrEqualTo(highCap);
        }
    }

    private static List<VlWeight> randomTable(Random random) {
        return Stream.generate(() -> new VlWeight(random.nextInt(15), random.nextInt(256)))
                .limit(random.nextInt(VlWeight.MAX_ENTRIES + 1))
                .toList();
    }

    @Test
    void addsRepeatedEntriesUpWhenTheTableIsShort() {
        List<VlWeight> low = VlWeight.parse("0:200,1:100,0:200,1:100,0:110,1:55");
        VlArbitrationPlan plan =
                new VlArbitrationPlan(QosSettings.DEFAULT.with(PortClass.CA, new Arbitration(0, List.of(), low)));
        assertThat(weights(plan.tables(PortClass.CA, 6, 6, 4))).startsWith(510, 255, 0);
        assertThat(weights(plan.tables(PortClass.CA, 5, 5, 4))).startsWith(255, 127, 0);
    }

    @Test
    void movesAWholeLevelToTheOtherTableBeforeItTearsOneApart() {
        Tables tables = DEFAULT.tables(PortClass.SWITCH_FABRIC_LINK, 6, 4, 4);
        assertThat(weights(tables.low0(), tables.low1())).startsWith(64, 64, 64, 64, 0, 0, 0, 0);
        assertThat(weights(tables.high0(), tables.high1())).startsWith(0, 0, 0, 0, 64, 64, 64, 64);
    }

    @Test
    void believesNoDeviceThatClaimsMoreThanThereCanBe() {
        Tables tables = DEFAULT.tables(PortClass.SWITCH_FABRIC_LINK, 255, 255, 15);
        assertThat(weights(tables)).startsWith(64, 64, 64, 64, 64, 64, 64, 64, 0);
        assertThat(weights(DEFAULT.tables(PortClass.SWITCH_FABRIC_LINK, 8, 8, 0)))
                .startsWith(64, 0);
        assertThat(weights(DEFAULT.tables(PortClass.SWITCH_FABRIC_LINK, 0, 0, 4)))
                .containsOnly(0);
    }

    private static int entries(VlArbitrationTable... parts) {
        int count = 0;
        for (VlArbitrationTable part : parts) {
            for (int i = 0; i < VlArbitrationTable.ENTRIES_PER_PART; i++) {
                count += part.weight(i) > 0 ? 1 : 0;
            }
        }
        return count;
    }

    private static int[] weights(Tables tables) {
        return weights(tables.low0(), tables.low1(), tables.high0(), tables.high1());
    }

    private static int[] weights(VlArbitrationTable... parts) {
        int[] weights = new int[16];
        for (VlArbitrationTable part : parts) {
            for (int i = 0; i < VlArbitrationTable.ENTRIES_PER_PART; i++) {
                weights[part.vl(i)] += part.weight(i);
            }
        }
        return weights;
    }
}
