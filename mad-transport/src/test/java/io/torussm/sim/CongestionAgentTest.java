package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionLog;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.congestion.KeyViolation;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.mad.congestion.SwitchPortCongestionSetting;
import io.torussm.mad.congestion.TimeStamp;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.FaultPlan;
import io.torussm.transport.MadAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The responses of agents of congestion control to hand-written requests. */
class CongestionAgentTest {
    private static final long LAST = RowFabric.switchGuid(2);
    private static final MadAddress TO_LAST = new MadAddress(3, 1, 0, 0);
    private static final MadAddress TO_HOST = new MadAddress(RowFabric.SM_LID + 1, 1, 0, 0);
    private static final int NO_RESPONSE = -1;
    private static final long KEY = 0x1234_5678_9abc_def0L;

    private RowFabric row = fabric(CongestionProfile.DEFAULT);
    private long tid = 1L << 20;

    private static RowFabric fabric(CongestionProfile profile) {
        DeviceModels models = DeviceModels.PERFECT.with(
                node -> true, model -> model.counters(counters -> counters.withCongestion(profile)));
        return new RowFabric(models, FaultPlan.NONE).configure();
    }

    private CongestionAgent agent() {
        return row.fabric.portCounters().congestion(LAST, 0);
    }

    private byte @Nullable [] send(MadAddress to, int method, long key, int modifier, Attribute<?> value) {
        byte[] answer = row.sm.send(to, CongestionMad.request(method, tid++, key, modifier, value));
        assertThat(answer == null || MadHeader.method(answer) == Method.GET_RESP)
                .isTrue();
        return answer;
    }

    private int status(MadAddress to, int method, long key, int modifier, Attribute<?> value) {
        byte[] answer = send(to, method, key, modifier, value);
        return answer == null ? NO_RESPONSE : MadHeader.status(answer);
    }

    private <A extends Attribute<A>> A sendExpectingOk(MadAddress to, int method, long key, int modifier, A value) {
        byte[] answer = Objects.requireNonNull(send(to, method, key, modifier, value));
        assertThat(MadHeader.status(answer)).isZero();
        return value.type().read(answer, CongestionMad.dataAt(value.type()));
    }

    private <A extends Attribute<A>> A get(MadAddress to, A value) {
        return sendExpectingOk(to, Method.GET, 0, 0, value);
    }

    private <A extends Attribute<A>> A set(MadAddress to, A value) {
        return sendExpectingOk(to, Method.SET, 0, 0, value);
    }

    private static CongestionKeyInfo key(long key, int protect, int leaseS) {
        return CongestionKeyInfo.TYPE
                .zero()
                .with(CongestionKeyInfo.CC_KEY, key)
                .with(CongestionKeyInfo.PROTECT_BIT, protect)
                .with(CongestionKeyInfo.LEASE_PERIOD, leaseS);
    }

    @Test
    void anAgentIsThereWhereItsProfileSaysSo() {
        assertThat(get(TO_LAST, CongestionInfo.TYPE.zero())).isEqualTo(CongestionInfo.of(0, 2));
        ClassPortInfo info = get(TO_HOST, ClassPortInfo.TYPE.zero());
        assertThat(info.get(ClassPortInfo.CLASS_VERSION)).isEqualTo(2);
        row.fabric.portCounters().setProfile(LAST, CounterProfile.DEFAULT);
        assertThat(status(TO_LAST, Method.GET, 0, 0, CongestionInfo.TYPE.zero()))
                .isEqualTo(NO_RESPONSE);
    }

    @Test
    void aRequestOfAnotherVersionMethodOrAttributeIsRefused() {
        byte[] old = CongestionMad.request(Method.GET, tid++, 0, 0, CongestionInfo.TYPE.zero());
        MadHeader.CLASS_VERSION.set(old, 0, 1);
        byte[] answer = Objects.requireNonNull(row.sm.send(TO_LAST, old));
        assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.UNSUPPORTED_VERSION);
        assertThat(status(TO_LAST, Method.TRAP, 0, 0, CongestionInfo.TYPE.zero()))
                .isEqualTo(MadStatus.UNSUPPORTED_METHOD);
        int unsupported = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        assertThat(status(TO_LAST, Method.SET, 0, 0, CongestionInfo.TYPE.zero()))
                .isEqualTo(unsupported);
        assertThat(status(TO_LAST, Method.GET, 0, 0, CaCongestionSetting.TYPE.zero()))
                .isEqualTo(unsupported);
        assertThat(status(TO_HOST, Method.GET, 0, 0, SwitchCongestionSetting.TYPE.zero()))
                .isEqualTo(unsupported);
        assertThat(status(TO_HOST, Method.SET, 0, 2, CongestionControlTable.TYPE.zero()))
                .isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(status(TO_HOST, Method.SET, 0, 0, CongestionControlTable.of(128)))
                .isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(status(TO_LAST, Method.GET, 0, -1, SwitchPortCongestionSetting.TYPE.zero()))
                .isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void aSwitchTakesTheFieldsOfItsControlMap() {
        SwitchCongestionSetting first = SwitchCongestionSetting.TYPE
                .zero()
                .with(
                        SwitchCongestionSetting.CONTROL_MAP,
                        SwitchCongestionSetting.THRESHOLD_VALID | SwitchCongestionSetting.MARKING_RATE_VALID)
                .with(SwitchCongestionSetting.THRESHOLD, 15)
                .with(SwitchCongestionSetting.PACKET_SIZE, 8)
                .with(SwitchCongestionSetting.MARKING_RATE, 100);
        assertThat(set(TO_LAST, first.with(SwitchCongestionSetting.CS_THRESHOLD, 3)))
                .isEqualTo(first);
        SwitchCongestionSetting second = first.with(
                        SwitchCongestionSetting.CONTROL_MAP, SwitchCongestionSetting.MARKING_RATE_VALID)
                .with(SwitchCongestionSetting.THRESHOLD, 1)
                .with(SwitchCongestionSetting.MARKING_RATE, 7);
        assertThat(set(TO_LAST, second)).isEqualTo(second.with(SwitchCongestionSetting.THRESHOLD, 15));
        assertThat(get(TO_LAST, SwitchCongestionSetting.TYPE.zero()))
                .isEqualTo(agent().settings().ofSwitch());
        byte[] ports = new byte[128];
        ports[12] = (byte) 0x8f;
        SwitchPortCongestionSetting block = SwitchPortCongestionSetting.TYPE.read(ports, 0);
        assertThat(set(TO_LAST, block)).isEqualTo(block);
    }

    @Test
    void anAdapterTakesTheEntriesOfItsControlMapAndATableOfBlocks() {
        CaCongestionSetting setting = CaCongestionSetting.TYPE
                .zero()
                .with(CaCongestionSetting.CONTROL_MAP, 2)
                .with(CaCongestionSetting.entry(1).timer(), 150);
        assertThat(set(TO_HOST, setting.with(CaCongestionSetting.entry(0).timer(), 9)))
                .isEqualTo(setting);
        CongestionControlTable second = CongestionControlTable.of(127, 5, 6);
        assertThat(sendExpectingOk(TO_HOST, Method.SET, 0, 1, second)).isEqualTo(second);
        assertThat(get(TO_HOST, CongestionControlTable.TYPE.zero())).isEqualTo(CongestionControlTable.of(127));
    }

    @Test
    void aWrongKeyIsCountedAndTheProtectionEndsWithTheLease() {
        assertThat(set(TO_LAST, key(KEY, 1, 2)).get(CongestionKeyInfo.CC_KEY)).isZero();
        assertThat(get(TO_LAST, CongestionKeyInfo.TYPE.zero()).get(CongestionKeyInfo.CC_KEY))
                .isZero();
        SwitchCongestionSetting setting =
                SwitchCongestionSetting.TYPE.zero().with(SwitchCongestionSetting.CONTROL_MAP, 4);
        assertThat(status(TO_LAST, Method.SET, 5, 0, setting)).isEqualTo(NO_RESPONSE);
        assertThat(agent().settings().ofSwitch()).isEqualTo(SwitchCongestionSetting.TYPE.zero());
        KeyViolation violation = KeyViolation.of(get(TO_LAST, Notice.TYPE.zero()));
        assertThat(violation).isEqualTo(new KeyViolation(RowFabric.SM_LID, Method.SET, 0x14, 0, 1, 5, new Gid(0, 0)));
        assertThat(get(TO_LAST, Notice.TYPE.zero()).issuerLid()).isEqualTo(3);
        row.loop.runFor(TimeUnit.SECONDS.toNanos(3));
        CongestionKeyInfo open = get(TO_LAST, CongestionKeyInfo.TYPE.zero());
        assertThat(open).isEqualTo(key(KEY, 0, 2).with(CongestionKeyInfo.VIOLATIONS, 1));
        assertThat(sendExpectingOk(TO_LAST, Method.SET, KEY, 0, setting)).isEqualTo(setting);
        assertThat(sendExpectingOk(TO_LAST, Method.SET, KEY, 0, key(KEY, 1, 2))).isEqualTo(key(KEY, 1, 2));
        assertThat(sendExpectingOk(TO_LAST, Method.SET, KEY, 0, Notice.TYPE.zero())
                        .isWellFormed())
                .isFalse();
    }

    @Test
    void aRightKeyStopsTheLease() {
        set(TO_LAST, key(KEY, 1, 2));
        assertThat(status(TO_LAST, Method.SET, 5, 0, SwitchCongestionSetting.TYPE.zero()))
                .isEqualTo(NO_RESPONSE);
        sendExpectingOk(TO_LAST, Method.GET, KEY, 0, CongestionInfo.TYPE.zero());
        row.loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertThat(get(TO_LAST, CongestionKeyInfo.TYPE.zero()).get(CongestionKeyInfo.CC_KEY))
                .isZero();
    }

    @Test
    void aLogIsThereUntilItIsRead() {
        agent().setLog(CongestionLog.TYPE
                .zero()
                .with(CongestionLog.LOG_TYPE, CongestionLog.LOG_TYPE_SWITCH)
                .with(CongestionLog.EVENT_COUNTER, 3));
        row.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1024));
        CongestionLog log = get(TO_LAST, CongestionLog.TYPE.zero());
        assertThat(log.get(CongestionLog.EVENT_COUNTER)).isEqualTo(3);
        assertThat(log.get(CongestionLog.SWITCH_TIME)).isBetween(1_000_000L, 1_001_000L);
        assertThat(get(TO_LAST, TimeStamp.TYPE.zero()).get(TimeStamp.TIME_STAMP))
                .isGreaterThanOrEqualTo(log.get(CongestionLog.SWITCH_TIME));
        assertThat(get(TO_LAST, CongestionLog.TYPE.zero()).get(CongestionLog.EVENT_COUNTER))
                .isZero();
        assertThat(get(TO_HOST, CongestionLog.TYPE.zero()).get(CongestionLog.LOG_TYPE))
                .isEqualTo(CongestionLog.LOG_TYPE_ADAPTER);
    }

    @Test
    void aBadAgentRefusesDisobeysLiesAndIsLate() {
        AgentProfile manners = AgentProfile.CONFORMING
                .refusing(0x11, Method.GET, MadStatus.BUSY, 1)
                .ignoringSets(0x14)
                .dropping(0x13, Method.GET, 1)
                .withFalseValue(FalseValue.of(0x18, TimeStamp.TIME_STAMP, 77));
        row = fabric(CongestionProfile.DEFAULT.withAgent(manners));
        SwitchCongestionSetting setting =
                SwitchCongestionSetting.TYPE.zero().with(SwitchCongestionSetting.CONTROL_MAP, 4);
        assertThat(set(TO_LAST, setting)).isEqualTo(SwitchCongestionSetting.TYPE.zero());
        assertThat(status(TO_LAST, Method.GET, 0, 0, CongestionInfo.TYPE.zero()))
                .isEqualTo(MadStatus.BUSY);
        assertThat(status(TO_LAST, Method.GET, 0, 0, CongestionLog.TYPE.zero())).isEqualTo(NO_RESPONSE);
        assertThat(get(TO_LAST, TimeStamp.TYPE.zero()).get(TimeStamp.TIME_STAMP))
                .isEqualTo(77);
        row = fabric(CongestionProfile.DEFAULT.withDelay(TimeUnit.SECONDS.toNanos(1)));
        int before = row.sm.received.size();
        assertThat(status(TO_LAST, Method.GET, 0, 0, CongestionInfo.TYPE.zero()))
                .isEqualTo(NO_RESPONSE);
        row.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(row.sm.received).hasSize(before + 1);
    }

    @Test
    void powerUpForgetsKeyAndSettings() {
        set(TO_LAST, key(KEY, 1, 0));
        row.fabric.port(LAST, 0).reset();
        assertThat(agent().key()).isEqualTo(CongestionKeyInfo.TYPE.zero());
        assertThat(new CongestionAgent(NodeInfo.ROUTER, 2).settings().ofAdapter())
                .isEqualTo(CaCongestionSetting.TYPE.zero());
    }
}
