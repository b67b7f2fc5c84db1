package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The P_Keys of ports with their indexes, and the checks of switches. By default, the SM's switch has 4 hosts at ports
 * 1 to 4 and another switch at port 5, and all tables have 8 entries.
 */
class PartitionPlanTest {
    private static final int HOSTS = 4;

    private final Fabric fabric = star(HOSTS, 8, 8);

    /** Returns a switch (the SM's own node) with hosts at its ports 1 to n, and another switch at port n + 1. */
    private static Fabric star(int hosts, int partitionCap, int enforcementCap) {
        Sketch sketch = new Sketch().partitionCaps(partitionCap, enforcementCap);
        sketch.addSwitch("sw", hosts + 2);
        sketch.addSwitch("far", 2);
        for (int host = 0; host < hosts; host++) {
            sketch.addHost(0, host + 1);
        }
        sketch.link(0, hosts + 1, 1, 1);
        return sketch.build();
    }

    private static int host(Fabric fabric, int host) {
        return fabric.port(fabric.switchCount() + host, 1);
    }

    private int host(int host) {
        return host(fabric, host);
    }

    private static String guid(int host) {
        return String.format(Locale.ROOT, "0x%x", 0x10_0000_0001L + ((long) host << 8));
    }

    private static PartitionSettings settings(String text) {
        return settings(text, Enforcement.BOTH, false);
    }

    private static PartitionSettings settings(String text, Enforcement enforcement, boolean allowsBoth) {
        PartitionConf conf =
                Objects.requireNonNull(PartitionConf.parse("p.conf", text, true).conf());
        return new PartitionSettings(conf, enforcement, true, allowsBoth);
    }

    private PartitionPlan plan(String text) {
        return PartitionPlan.of(settings(text), fabric, port -> PortKeys.of(0xffff));
    }

    @Test
    void withoutAFileAllPortsAreFullMembersOfTheDefaultPartition() {
        PartitionPlan plan = PartitionPlan.withoutConf(fabric);
        for (int port = 0; port < fabric.portCount(); port++) {
            assertThat(plan.keys(port)).isEqualTo(fabric.isEndport(port) ? PortKeys.of(0xffff) : PortKeys.NONE);
        }
    }

    @Test
    void theSmIsAFullMemberOfTheDefaultPartitionInAnyFile() {
        for (String text :
                List.of("Default=0x7fff:;", "Default=0x7fff:ALL=limited,SELF=limited;", "Default=0x7fff:ALL=full;")) {
            assertThat(plan(text).keys(fabric.localPort())).isEqualTo(PortKeys.of(0xffff));
        }
        assertThat(plan("Default=0x7fff:;").keys(host(0))).isEqualTo(PortKeys.of(0x7fff));
    }

    @Test
    void theLastRuleThatFitsDecides() {
        PartitionPlan plan = plan("A=1:" + guid(0) + "=full,ALL," + guid(1) + "=full,ALL_SWITCHES=full,SELF;");
        assertThat(plan.keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 1));
        assertThat(plan.keys(host(1))).isEqualTo(PortKeys.of(0x7fff, 0x8001));
        assertThat(plan.keys(fabric.port(1, 0))).isEqualTo(PortKeys.of(0x7fff, 0x8001));
        assertThat(plan.keys(fabric.localPort())).isEqualTo(PortKeys.of(0xffff, 1));
    }

    @Test
    void aClassIsOfItsKindOfNodeOnly() {
        PartitionPlan plan = plan("A=1:ALL_CAS;B=2:ALL_SWITCHES;C=3:ALL_ROUTERS;");
        assertThat(plan.keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 1));
        assertThat(plan.keys(fabric.port(1, 0))).isEqualTo(PortKeys.of(0x7fff, 2));
    }

    @Test
    void bothIsFullUnlessBothAreAllowed() {
        String text = "A=1:" + guid(0) + "=both;";
        assertThat(plan(text).keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 0x8001));
        PartitionPlan both = PartitionPlan.of(settings(text, Enforcement.BOTH, true), fabric, port -> PortKeys.NONE);
        assertThat(both.keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 0x8001, 1));
        assertThat(both.table(fabric.port(0, 1)))
                .as("the switch needs the full one only")
                .isEqualTo(PortKeys.of(0x7fff, 0x8001));
    }

    @Test
    void indx0GoesToIndex0AndThePreviousKeyMakesRoom() {
        PartitionPlan plan = plan("A=1,indx0:" + guid(0) + "=full;B=2:" + guid(0) + ";");
        assertThat(plan.keys(host(0))).isEqualTo(PortKeys.of(0x8001, 0x7fff, 2));
        PartitionPlan later =
                PartitionPlan.of(settings("B=2:" + guid(0) + ";"), fabric, port -> PortKeys.of(0x8001, 0x7fff, 2));
        assertThat(later.keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 0, 2));
    }

    @Test
    void aSwitchPortChecksWhatItsEndPortHoldsAtIndexesOfItsOwn() {
        PartitionPlan plan = PartitionPlan.of(
                settings("A=1:" + guid(0) + ";B=2:" + guid(0) + ";"),
                fabric,
                port -> fabric.isEndport(port) ? PortKeys.of(0xffff, 0, 0, 1) : PortKeys.of(0xffff, 0, 2));
        assertThat(plan.keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 2, 0, 1));
        assertThat(plan.table(fabric.port(0, 1))).isEqualTo(PortKeys.of(0x7fff, 1, 2));
        assertThat(plan.isEnforced(fabric.port(0, 1))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Enforcement.class)
    void enforcementFollowsTheSettingAtPortsToHostsOnly(Enforcement enforcement) {
        PartitionPlan plan =
                PartitionPlan.of(settings("Default=0x7fff:;", enforcement, false), fabric, port -> PortKeys.NONE);
        PortInfo all = PortInfo.TYPE
                .zero()
                .with(PortInfo.PARTITION_ENFORCEMENT_INBOUND, 1)
                .with(PortInfo.PARTITION_ENFORCEMENT_OUTBOUND, 1);
        PortInfo toHost = plan.withEnforcement(fabric.port(0, 1), PortInfo.TYPE.zero());
        assertThat(toHost.get(PortInfo.PARTITION_ENFORCEMENT_INBOUND)).isEqualTo(enforcement.isInbound() ? 1 : 0);
        assertThat(toHost.get(PortInfo.PARTITION_ENFORCEMENT_OUTBOUND)).isEqualTo(enforcement.isOutbound() ? 1 : 0);
        assertThat(plan.withEnforcement(fabric.port(0, HOSTS + 1), all)).isEqualTo(PortInfo.TYPE.zero());
        assertThat(plan.table(fabric.port(0, HOSTS + 1))).isNull();
    }

    @Test
    void surplusKeysAreReportedAndNothingElseIsLost() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 9; i++) {
            text.append("p=").append(i).append(":").append(guid(1)).append(";");
        }
        PartitionPlan plan =
                plan(text.append("q=10:").append(guid(0)).append(";").toString());
        assertThat(plan.keys(host(1))).isEqualTo(PortKeys.of(0x7fff, 1, 2, 3, 4, 5, 6, 7));
        assertThat(plan.keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 10));
        assertThat(plan.findings())
                .containsExactly(SmEvent.P_KEYS_NO_ROOM.finding(
                        fabric.devicePort(host(1)),
                        " has room for 8 P_Keys only (PartitionCap) and goes without 0x0008, 0x0009;"
                                + " make it a member of fewer partitions"));
    }

    @Test
    void theDefaultKeyIsNotAmongTheSurplus() {
        Fabric narrow = star(1, 2, 2);
        PartitionPlan plan =
                PartitionPlan.of(settings("A=1,indx0:SELF=full;B=2:SELF;"), narrow, port -> PortKeys.of(2, 0xffff));
        assertThat(plan.keys(narrow.localPort())).isEqualTo(PortKeys.of(0x8001, 0xffff));
        assertThat(plan.findings()).hasSize(1);
    }

    @Test
    void aSwitchPortWithoutRoomChecksNothingAndSaysSo() {
        Fabric narrow = star(1, 8, 2);
        PartitionPlan plan =
                PartitionPlan.of(settings("A=1:" + guid(0) + ";B=2:" + guid(0) + ";"), narrow, port -> PortKeys.NONE);
        assertThat(plan.keys(host(narrow, 0))).isEqualTo(PortKeys.of(0x7fff, 1, 2));
        assertThat(plan.table(narrow.port(0, 1))).isNull();
        assertThat(plan.isEnforced(narrow.port(0, 1))).isFalse();
        assertThat(plan.findings())
                .extracting(Finding::text)
                .singleElement()
                .asString()
                .contains("PartitionEnforcementCap");
    }

    @Test
    void manyPortsWithoutRoomAreAShortLog() {
        Fabric narrow = star(30, 1, 8);
        PartitionPlan plan = PartitionPlan.of(settings("A=1:ALL_CAS;"), narrow, port -> PortKeys.NONE);
        assertThat(plan.findings()).hasSize(21); // 20 ports, and the number of the others
        assertThat(plan.findings().get(20).text()).isEqualTo("10 more ports have no room for all their P_Keys");
    }

    /** A naive model of memberships by partition and port: 0 none, 1 limited, 2 full. */
    private static final class Model {
        static final int PARTITIONS = 5;
        final int[][] memberships = new int[PARTITIONS][6];

        void change(Random random) {
            memberships[random.nextInt(PARTITIONS)][random.nextInt(6)] = random.nextInt(3);
        }

        String text() {
            StringBuilder text = new StringBuilder();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                text.append("p=").append(partition + 1).append(":\n");
                for (int host = 0; host < 6; host++) {
                    if (memberships[partition][host] > 0) {
                        text.append(guid(host)).append(memberships[partition][host] == 2 ? "=full,\n" : ",");
                    }
                }
                text.append(";\n");
            }
            return text.toString();
        }

        boolean mayCommunicate(int a, int b) {
            return Arrays.stream(memberships)
                    .anyMatch(members -> members[a] > 0 && members[b] > 0 && members[a] + members[b] > 2);
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void membersShareAKeyExclusivelyAndIndexesAreStable(long seed) {
        Random random = Seeds.random(seed);
        Fabric six = star(6, 8, 8);
        Model model = new Model();
        PortKeys[] held = new PortKeys[six.portCount()];
        Arrays.fill(held, PortKeys.of(0xffff));
        for (int round = 0; round < 50; round++) {
            for (int changes = random.nextInt(8); changes >= 0; changes--) {
                model.change(random);
            }
            PartitionPlan plan = PartitionPlan.of(settings(model.text()), six, port -> held[port]);
            for (int a = 0; a < 6; a++) {
                PortKeys keys = plan.keys(host(six, a));
                for (int b = 0; b < 6; b++) {
                    assertThat(keys.sharesWith(plan.keys(host(six, b)))).isEqualTo(model.mayCommunicate(a, b));
                }
                assertStable(held[host(six, a)], keys);
                int checking = six.port(0, a + 1);
                PortKeys checked = Objects.requireNonNull(plan.table(checking));
                assertThat(checked.stream().sorted().toArray())
                        .isEqualTo(keys.stream().sorted().toArray());
                assertStable(held[checking], checked);
                held[checking] = checked;
                held[host(six, a)] = keys;
            }
        }
    }

    private static void assertStable(PortKeys before, PortKeys after) {
        for (int i = 0; i < before.length(); i++) {
            int pKey = before.at(i);
            if (pKey != 0 && after.isIn(pKey)) {
                assertThat(PKeys.base(after.at(i))).as(before + " -> " + after).isEqualTo(PKeys.base(pKey));
            }
        }
    }

    @Test
    void withoutKeepingIndexesTablesHaveNoGaps() {
        PartitionConf conf =
                settings("A=1:" + guid(0) + ";B=2:" + guid(0) + ";").conf();
        PartitionPlan plan = PartitionPlan.of(
                new PartitionSettings(conf, Enforcement.BOTH, false, false),
                fabric,
                port -> PortKeys.of(0x7fff, 0, 0, 2, 1));
        assertThat(plan.keys(host(0))).isEqualTo(PortKeys.of(0x7fff, 1, 2));
    }

    @Test
    void equalTablesAreOneObject() {
        PartitionPlan plan = plan("A=1:ALL_CAS;");
        assertThat(plan.keys(host(0))).isSameAs(plan.keys(host(1)));
    }

    /** The blocks of a step arrive in any order, and no key that is in both tables is ever missing. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void stepsNeverTakeAwayKeysWantedBeforeAndAfter(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < 300; round++) {
            int capacity = 8 + random.nextInt(90);
            int[] before = randomKeys(random, capacity / 3);
            int[] after = randomKeys(random, capacity / 3);
            PortKeys held = scattered(random, before, capacity);
            KeyLayout layout = new KeyLayout(capacity, held, after.length == 0 ? PKeys.DEFAULT : after[0], after);
            assertThat(layout.surplus()).isEmpty();
            assertSteps(random, held, layout.keys());
        }
    }

    private static void assertSteps(Random random, PortKeys held, PortKeys wanted) {
        PortKeys now = held;
        for (PKeySteps step : PKeySteps.values()) {
            PortKeys next = step.apply(now, wanted);
            if (step == PKeySteps.REST) {
                assertThat(now).as("nothing is left for the last step").isEqualTo(wanted);
            }
            List<Integer> blocks = new ArrayList<>(List.of(0, 1, 2, 3));
            java.util.Collections.shuffle(blocks, random);
            for (int block : blocks) {
                now = now.with(block, next.block(block));
                for (int pKey : held.stream().toArray()) {
                    if (wanted.indexOf(pKey) >= 0) {
                        assertThat(now.indexOf(pKey))
                                .as("%s -> %s by %s", held, wanted, now)
                                .isNotNegative();
                    } else if (wanted.isIn(pKey)) {
                        assertThat(now.isIn(pKey)).isTrue();
                    }
                }
            }
            assertThat(now).isEqualTo(next);
        }
    }

    private static int[] randomKeys(Random random, int count) {
        return IntStream.range(0, random.nextInt(count + 1))
                .map(i -> 1 + random.nextInt(40))
                .distinct()
                .map(base -> base | (random.nextBoolean() ? PKeys.FULL : 0))
                .toArray();
    }

    private static PortKeys scattered(Random random, int[] keys, int capacity) {
        int[] table = new int[capacity];
        for (int pKey : keys) {
            table[random.nextInt(capacity)] = pKey;
        }
        return PortKeys.of(table);
    }

    /** held -> wanted, and the tables in between. */
    @ParameterizedTest
    @CsvSource({
        "ffff 8001 0 , ffff 0 8002    , ffff 8001 8002 , ffff 8001 8002 , ffff 0 8002",
        "ffff 0 0    , 8001 ffff 0    , ffff ffff 0    , 8001 ffff 0    , 8001 ffff 0",
        "7fff 1      , ffff 8001      , ffff 8001      , ffff 8001      , ffff 8001",
        "ffff 8001   , 7fff 1         , ffff 8001      , 7fff 1         , 7fff 1",
        "ffff 8001   , 8002 ffff      , ffff 8001      , ffff ffff      , ffff ffff"
    })
    void keysAreAddedThenReplacedThenRemoved(
            String held, String wanted, String added, String replaced, String removed) {
        PortKeys target = table(wanted);
        PortKeys first = PKeySteps.ADD.apply(table(held), target);
        PortKeys second = PKeySteps.REPLACE.apply(first, target);
        assertThat(first).isEqualTo(table(added));
        assertThat(second).isEqualTo(table(replaced));
        assertThat(PKeySteps.REMOVE.apply(second, target)).isEqualTo(table(removed));
        assertThat(PKeySteps.REST.apply(second, target)).isEqualTo(target);
    }

    private static PortKeys table(String hex) {
        return PortKeys.of(Arrays.stream(hex.strip().split(" ", -1))
                .mapToInt(each -> Integer.parseInt(each, 16))
                .toArray());
    }

    @ParameterizedTest
    @CsvSource({
        "ffff, ffff, 65535",
        "7fff, 7fff, 0",
        "7fff, ffff, 32767",
        "7fff 8001, 7fff 1, 32769",
        "0 0 8002, 8002, 32770",
        "8001, 8002, 0",
        "0, 0, 0"
    })
    void portsTalkIfOneOfThemIsAFullMember(String a, String b, int shared) {
        assertThat(table(a).sharedWith(table(b))).isEqualTo(shared);
        assertThat(table(a).sharesWith(table(b))).isEqualTo(shared != 0);
        assertThat(table(a).maySpeak(shared, table(b))).isEqualTo(shared != 0);
        assertThat(table(b).maySpeak(shared ^ PKeys.FULL, table(a))).isEqualTo(shared != 0);
    }
}
