package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.MulticastTree;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The SwitchInfo of one of nine switches, all of which have the LinearFDBTop of the subnet after a sweep. */
class SwitchInfoWritesTest {
    private static final int SWITCH = 4;
    private static final int ATTRIBUTE = SwitchInfo.TYPE.id();

    /** The LifeTimeValue of the sweep. */
    private static final int LIFE_TIME = SweepHarness.settings().packetLifeTime();

    private static final int OTHER_LIFE_TIME = LIFE_TIME - 1;

    private final SweptFabric swept = new SweptFabric(new SweepHarness("torus:3x3x1"));
    private final DeviceTables held = swept.tables[SWITCH];
    private final SwitchInfo programmed =
            swept.harness.fabric.switchInfo(swept.fabric.nodeGuid(SWITCH)).with(SwitchInfo.PORT_STATE_CHANGE, 0);
    private final List<Integer> restarted = new ArrayList<>();

    /** Returns the writes after a discovery in which the switch reported a SwitchInfo. */
    private SwitchInfoWrites writes(@Nullable SwitchInfo discovered, int lifeTimeValue) {
        @Nullable SwitchInfo[] infos = new SwitchInfo[swept.fabric.switchCount()];
        for (int sw = 0; sw < infos.length; sw++) {
            infos[sw] = sw == SWITCH ? discovered : swept.fabric.node(sw).switchInfo();
        }
        Subnet subnet = swept.subnet.with(swept.fabric.with(infos));
        MulticastRouter router =
                new MulticastRouter(subnet, MulticastTree.nearest(subnet.fabric(), 0), 0xffff, alias -> 0);
        MulticastWrites multicast = new MulticastWrites(
                subnet.fabric(), swept.tables, swept.requests, router, MulticastView.EMPTY, sw -> false);
        return new SwitchInfoWrites(
                subnet, swept.tables, swept.requests, swept.scope, lifeTimeValue, multicast, restarted::add);
    }

    private static SwitchInfo info(byte[] mad) {
        return SwitchInfo.TYPE.read(mad, Smp.DATA_OFFSET);
    }

    private List<SwitchInfo> sets() {
        return swept.sentMads.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == ATTRIBUTE)
                .map(SwitchInfoWritesTest::info)
                .toList();
    }

    @Test
    void aSwitchAsWantedIsKnownWithoutARequest() {
        SwitchInfoWrites writes = writes(programmed, LIFE_TIME);
        assertThat(writes.write(SWITCH)).isNull();
        assertThat(held.switchInfo()).isEqualTo(programmed);
        assertThat(writes.hasReported(SWITCH)).isFalse();
        assertThat(writes.confirmed()[SWITCH]).as("nothing was written").isNull();
    }

    /** A device without SwitchInfo has no tables to raise. */
    @Test
    void aSwitchWithoutSwitchInfoGetsNoRequest() {
        SwitchInfoWrites writes = writes(SwitchInfo.TYPE.zero(), LIFE_TIME);
        assertThat(writes.write(0)).isNull();
        assertThat(swept.fabric.node(swept.fabric.switchCount()).switchInfo()).isNull();
        assertThat(writes.raiseTop(swept.fabric.switchCount())).isNull();
        assertThat(writes.write(swept.fabric.switchCount())).isNull();
    }

    @Test
    void aReportedChangeIsClearedAndRemembered() {
        SwitchInfoWrites writes = writes(programmed.with(SwitchInfo.PORT_STATE_CHANGE, 1), LIFE_TIME);
        swept.send(writes.write(SWITCH));
        assertThat(sets()).hasSize(1);
        assertThat(sets().get(0).portStateChange()).as("a 1 clears the bit").isTrue();
        assertThat(writes.hasReported(SWITCH)).isTrue();
        assertThat(writes.hasReported(0)).isFalse();
    }

    @Test
    void aSwitchInfoIsUnknownUntilItsSetIsConfirmed() {
        SwitchInfoWrites writes = writes(programmed, OTHER_LIFE_TIME);
        held.setSwitchInfo(programmed);
        SmpRequest<?> request = writes.write(SWITCH);
        assertThat(held.switchInfo()).isNull();
        swept.send(request);
        SwitchInfo now = programmed.with(SwitchInfo.LIFE_TIME_VALUE, OTHER_LIFE_TIME);
        assertThat(sets()).containsExactly(now);
        assertThat(held.switchInfo()).isEqualTo(now);
        assertThat(writes.confirmed()[SWITCH]).isEqualTo(now);
        assertThat(swept.harness
                        .fabric
                        .switchInfo(swept.fabric.nodeGuid(SWITCH))
                        .get(SwitchInfo.LIFE_TIME_VALUE))
                .isEqualTo(OTHER_LIFE_TIME);
    }

    /** LIDs above LinearFDBTop are not forwarded; the other fields concern the switch alone. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLostSetEndsTheChangeOfRoutesOnlyIfItRaisesTheTop(boolean isTopTooLow) {
        int top = programmed.linearFdbTop() - (isTopTooLow ? 1 : 0);
        SwitchInfoWrites writes = writes(programmed.with(SwitchInfo.LINEAR_FDB_TOP, top), OTHER_LIFE_TIME);
        swept.isLost = mad -> MadHeader.attributeId(mad) == ATTRIBUTE;
        swept.send(writes.write(SWITCH));
        assertThat(swept.errors.hasDeviations()).isEqualTo(isTopTooLow);
        assertThat(held.switchInfo()).isNull();
    }

    @Test
    void theTopOfASwitchWithoutTrafficIsRaisedWithoutClearingItsReport() {
        SwitchInfoWrites writes = writes(programmed.with(SwitchInfo.PORT_STATE_CHANGE, 1), LIFE_TIME);
        swept.send(writes.raiseTop(SWITCH));
        assertThat(sets()).containsExactly(programmed);
        assertThat(held.switchInfo()).isEqualTo(programmed);
    }

    /** Returns the writes of a switch whose top was raised, and whose next responses before a Set are changed. */
    private SwitchInfoWrites raised(UnaryOperator<SwitchInfo> change) {
        SwitchInfoWrites writes = writes(programmed, LIFE_TIME);
        swept.send(writes.raiseTop(SWITCH));
        swept.sentMads.clear();
        swept.harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == ATTRIBUTE && sets().isEmpty()) {
                change.apply(info(mad)).write(mad, Smp.DATA_OFFSET);
            }
        };
        return writes;
    }

    /** The switch reports a change after its top was raised. */
    @Test
    void aRaisedSwitchIsReadAgainAndItsReportCleared() {
        SwitchInfoWrites writes = raised(info -> info.with(SwitchInfo.PORT_STATE_CHANGE, 1));
        swept.send(writes.write(SWITCH));
        assertThat(swept.sent(ATTRIBUTE)).containsExactly("Get 0", "Set 0");
        assertThat(writes.hasReported(SWITCH)).isTrue();
        assertThat(restarted).isEmpty();
    }

    /** The response is damaged in a field that no SM writes. */
    @Test
    void aDamagedFieldOfARaisedSwitchIsNotWritten() {
        SwitchInfoWrites writes =
                raised(info -> info.with(SwitchInfo.PORT_STATE_CHANGE, 1).with(SwitchInfo.DEFAULT_PORT, 7));
        swept.send(writes.write(SWITCH));
        assertThat(sets()).hasSize(1);
        assertThat(sets().get(0).get(SwitchInfo.DEFAULT_PORT)).isEqualTo(programmed.get(SwitchInfo.DEFAULT_PORT));
    }

    @Test
    void aRaisedSwitchWithALowerTopHasRestarted() {
        SwitchInfoWrites writes = raised(info -> info.with(SwitchInfo.LINEAR_FDB_TOP, programmed.linearFdbTop() - 1));
        swept.send(writes.write(SWITCH));
        assertThat(restarted).containsExactly(SWITCH);
        assertThat(sets()).isEmpty();
    }

    /** The next sweep reads such a switch again. */
    @Test
    void aSwitchWhoseTopWasNotRaisedGetsNoOtherWrite() {
        SwitchInfoWrites writes = writes(programmed, LIFE_TIME);
        swept.isLost = mad -> MadHeader.attributeId(mad) == ATTRIBUTE;
        swept.send(writes.raiseTop(SWITCH));
        assertThat(swept.errors.hasDeviations()).isTrue();
        assertThat(writes.write(SWITCH)).isNull();
    }

    @Test
    void onlyWrittenFieldsComeFromAResponse() {
        SwitchInfo answer = programmed
                .with(SwitchInfo.LINEAR_FDB_TOP, 5)
                .with(SwitchInfo.LIFE_TIME_VALUE, 3)
                .with(SwitchInfo.MULTICAST_FDB_TOP, 0xc001)
                .with(SwitchInfo.PORT_STATE_CHANGE, 1)
                .with(SwitchInfo.DEFAULT_PORT, 9)
                .with(SwitchInfo.LINEAR_FDB_CAP, 9);
        SwitchInfo merged = SwitchInfoWrites.withWrittenFields(programmed, answer);
        assertThat(merged)
                .isEqualTo(answer.with(SwitchInfo.DEFAULT_PORT, programmed.get(SwitchInfo.DEFAULT_PORT))
                        .with(
                                SwitchInfo.LINEAR_FDB_CAP,
                                Objects.requireNonNull(programmed).linearFdbCap()));
    }
}
