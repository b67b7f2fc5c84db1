package io.torussm.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.alias.AliasTable.Block;
import io.torussm.alias.AliasTable.Place;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The alias GUIDs of ports, on a torus of 3 x 3 switches with a host each. */
class GuidProgrammerTest {
    private static final AliasGuids.Users NO_USERS = new AliasGuids.Users(guid -> false, guid -> false);

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");
    private int host;
    private Block block = new Block(0, 0);

    @BeforeEach
    void bringUp() {
        harness.sweep();
        host = harness.hosts().get(3);
        block = new Block(fabric().portGuid(host), 1);
    }

    private Fabric fabric() {
        return harness.publishedView().subnet().fabric();
    }

    private void set(int selected, long... guids) {
        List<Integer> statuses = new ArrayList<>();
        harness.aliases.set(block, selected, guids, NO_USERS, (status, held) -> statuses.add(status));
        settle();
        assertThat(statuses).containsExactly(0);
    }

    private void settle() {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
    }

    private long[] deviceGuids() {
        return harness.fabric.guids(fabric().nodeGuid(fabric().nodeOf(host)), fabric().portNum(host));
    }

    private long countSent(int method) {
        return harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == GuidInfo.TYPE.id() && MadHeader.method(mad) == method)
                .count();
    }

    private static boolean isGuidInfo(byte[] mad) {
        return MadHeader.attributeId(mad) == GuidInfo.TYPE.id();
    }

    @Test
    void withoutAliasesNoPortIsAskedForGuids() {
        assertThat(countSent(Method.GET) + countSent(Method.SET)).isZero();
        assertThat(harness.fabric.guids(fabric().nodeGuid(fabric().nodeOf(host)), 1)[0])
                .isEqualTo(fabric().portGuid(host));
    }

    @Test
    void aChangeIsWrittenImmediatelyAndChecksCostOnlyPortsWithAliases() {
        set(0b110, 0, 0x11, 0x22, 0, 0, 0, 0, 0);
        assertThat(deviceGuids()).contains(0x11, 0x22);
        assertThat(deviceGuids()[9]).isEqualTo(0x11);
        harness.sweep();
        settle();
        assertThat(countSent(Method.GET)).as("of a whole sweep").isEqualTo(1);
        assertThat(countSent(Method.SET)).isZero();
    }

    /** It was absent when its GUID was given to another port. */
    @Test
    void aPortThatAppearsTakesItsGuidBack() {
        int late = harness.hosts().get(5);
        long guid = fabric().portGuid(late);
        set(0b110, 0, 0x11, guid, 0, 0, 0, 0, 0);
        assertThat(deviceGuids()).contains(guid);
        try (LoggedEvents log = new LoggedEvents().listen()) {
            harness.sweep();
            settle();
            assertThat(log.only(SmEvent.ALIAS_GUID_WITHDRAWN).get(EventField.GUID))
                    .isEqualTo(Guid.format(guid));
        }
        assertThat(deviceGuids()).contains(0x11).doesNotContain(guid);
        assertThat(harness.aliases.table().portOf(guid)).isZero();
    }

    @Test
    void deletedAliasesLeaveThePortAndAreForgotten() {
        set(0b10, 0, 0x11, 0, 0, 0, 0, 0, 0);
        harness.aliases.delete(block, 0xff, NO_USERS, (status, held) -> {});
        settle();
        assertThat(deviceGuids()[9]).isZero();
        assertThat(harness.aliases.table().blocks()).isEmpty();
    }

    @Test
    void refusedAliasesAreWrittenWithTheNextSweepLightOrHeavy() {
        harness.isRequestLost = GuidProgrammerTest::isGuidInfo;
        set(0b10, 0, 0x11, 0, 0, 0, 0, 0, 0);
        assertThat(deviceGuids()[9]).isZero();
        harness.sweepLight();
        assertThat(deviceGuids()[9]).isZero();
        harness.isRequestLost = mad -> false;
        settle();
        assertThat(deviceGuids()[9]).as("no request in between").isZero();
        harness.sweepLight();
        assertThat(deviceGuids()[9]).isEqualTo(0x11);
        assertThat(harness.ends).as("no other sweep because of it").hasSize(1);
    }

    @Test
    void aDeletionThatWasNotTakenSurvivesARestart() {
        set(0b10, 0, 0x11, 0, 0, 0, 0, 0, 0);
        harness.isRequestLost = GuidProgrammerTest::isGuidInfo;
        harness.aliases.delete(block, 0xff, NO_USERS, (status, held) -> {});
        settle();
        AliasTable known = harness.aliases.table();
        assertThat(known.guids()).isEmpty();
        harness.isRequestLost = mad -> false;
        harness.restart();
        harness.aliases.restore(known);
        harness.sweep();
        settle();
        assertThat(deviceGuids()[9]).isZero();
        assertThat(harness.aliases.table().blocks()).isEmpty();
    }

    @Test
    void aRestartedSmFindsThePortsAsTheyShouldBe() {
        set(0b10, 0, 0x11, 0, 0, 0, 0, 0, 0);
        AliasTable known = harness.aliases.table();
        harness.restart();
        harness.aliases.restore(known);
        harness.sweep();
        settle();
        assertThat(deviceGuids()[9]).isEqualTo(0x11);
        assertThat(harness.aliases.table().portOf(0x11)).isEqualTo(block.portGuid());
    }

    @Test
    void aPortThatWasAwayAndForgotItsGuidsIsGivenThemAgain() {
        set(0b10, 0, 0x11, 0, 0, 0, 0, 0, 0);
        long node = fabric().nodeGuid(fabric().nodeOf(host));
        harness.fabric.restartHost(node);
        harness.awaitRest();
        harness.sweepLight();
        harness.awaitRest();
        settle();
        assertThat(deviceGuids()[9]).isEqualTo(0x11);
    }

    @Test
    void aliasesOfAPortThatIsNotThereWaitForIt() {
        harness.aliases.restore(new AliasTable(Map.of(new Place(0x99, 1), 0x11L), Map.of(), Set.of()));
        settle();
        harness.sweep();
        settle();
        assertThat(countSent(Method.GET) + countSent(Method.SET)).isZero();
        assertThat(harness.aliases.table().portOf(0x11)).isEqualTo(0x99);
    }

    @Test
    void noTableIsWrittenDuringASweep() {
        harness.isRequestLost = GuidProgrammerTest::isGuidInfo;
        set(0b10, 0, 0x11, 0, 0, 0, 0, 0, 0);
        harness.isRequestLost = mad -> false;
        harness.requests.clear();
        harness.sweeper.sweepHeavy();
        harness.await(2);
        assertThat(countSent(Method.SET)).isZero();
        settle();
        assertThat(deviceGuids()[9]).isEqualTo(0x11);
    }
}
