package io.torussm.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionLog;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.SimCounters;
import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.GsiClient;
import io.torussm.view.PublishedView;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings of congestion control that devices of an embedded fabric have in the end. */
class CongestionManagerTest {
    private static final long KEY = 0x1234_5678L;
    private static final long CHECK_S = 6 * 60;

    private final SweepHarness harness = new SweepHarness("torus:3x2x1,hosts=1");
    private final SimCounters agents = harness.fabric.portCounters();
    private CongestionOptions options = options(true, 0, 15);
    private final GsiClient client = new GsiClient(
            harness.client,
            harness.loop,
            () -> new GsiClient.Settings(500, 100_000, 100, 1),
            1,
            GsiClient.RedirectionPolicy.withinSubnet(key -> 0));
    private CongestionManager manager = newManager();
    private final Fabric fabric = bringUp();

    private CongestionManager newManager() {
        return new CongestionManager(harness.loop, client, () -> options);
    }

    private static CongestionOptions options(boolean isOn, long key, int threshold) {
        List<Integer> timers = new ArrayList<>(Collections.nCopies(16, 0));
        timers.set(0, 150);
        List<Integer> none = Collections.nCopies(16, 0);
        return new CongestionOptions(
                isOn,
                key,
                500,
                new CongestionOptions.Marking(
                        0x1f, BigInteger.valueOf(0xfe), BigInteger.ZERO, threshold, 8, 5, 0x4010, 100),
                new CongestionOptions.Reaction(1, 3, timers, none, none, none),
                Collections.nCopies(70, 0xc005));
    }

    private Fabric bringUp() {
        assertThat(harness.sweep()).startsWith("up");
        Fabric found = view().subnet().fabric();
        for (int node = 0; node < found.nodeCount(); node++) {
            agents.setProfile(found.nodeGuid(node), CounterProfile.DEFAULT.withCongestion(CongestionProfile.DEFAULT));
        }
        return found;
    }

    private PublishedView view() {
        return Objects.requireNonNull(harness.sweeper.view());
    }

    private void setProfile(int node, CongestionProfile profile) {
        agents.setProfile(fabric.nodeGuid(node), CounterProfile.DEFAULT.withCongestion(profile));
    }

    private CongestionAgent agent(int node) {
        return agents.congestion(fabric.nodeGuid(node), fabric.isSwitch(node) ? 0 : 1);
    }

    private void startManager() {
        manager.subnetUp(view());
        run(10);
    }

    private void run(long seconds) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private boolean isSet(int node) {
        return fabric.isSwitch(node)
                ? agent(node).settings().ofSwitch().equals(options.marking().attribute())
                : agent(node).settings().ofAdapter().equals(options.reaction().attribute())
                        && agent(node)
                                .settings()
                                .table(0)
                                .equals(options.table().get(0))
                        && agent(node)
                                .settings()
                                .table(1)
                                .equals(options.table().get(1));
    }

    private void assertAllSetBut(int exception) {
        for (int node = 0; node < fabric.nodeCount(); node++) {
            assertThat(isSet(node)).as(fabric.nodeName(node)).isEqualTo(node != exception);
        }
    }

    @Test
    void everyDeviceIsSetOnceAndATakeoverWritesNothing() {
        startManager();
        assertAllSetBut(-1);
        int hosts = fabric.nodeCount() - fabric.switchCount();
        assertThat(manager.statistics())
                .isEqualTo(new CongestionStatistics(
                        true,
                        fabric.nodeCount(),
                        fabric.nodeCount(),
                        0,
                        fabric.switchCount() + 3L * hosts,
                        0,
                        0,
                        List.of()));
        manager.end();
        manager = newManager();
        startManager();
        assertThat(manager.statistics().sets()).isZero();
        assertThat(manager.statistics().set()).isEqualTo(fabric.nodeCount());
    }

    @Test
    void noMadIsSentUnlessTheOptionIsOn() {
        options = options(false, 0, 15);
        startManager();
        assertThat(client.stats().sent()).isZero();
        assertThat(manager.statistics().isOn()).isFalse();
        options = options(true, 0, 15);
        manager.settingsChanged();
        run(10);
        assertAllSetBut(-1);
        long sent = client.stats().sent();
        options = options(true, 0, 7);
        manager.settingsChanged();
        run(10);
        assertAllSetBut(-1);
        manager.end();
        run(CHECK_S);
        assertThat(manager.statistics().devices()).isZero();
        assertThat(client.stats().sent() - sent).isLessThan(2L * sent);
    }

    @Test
    void aDeviceThatWasChangedIsSetAgain() {
        startManager();
        byte[] mad = CongestionMad.request(
                Method.SET, 1, 0, 0, SwitchCongestionSetting.TYPE.zero().with(SwitchCongestionSetting.CONTROL_MAP, 4));
        agent(0).answer(mad, CongestionProfile.DEFAULT, 1, 1, 0, () -> 1);
        assertThat(isSet(0)).isFalse();
        run(CHECK_S);
        assertAllSetBut(-1);
    }

    static List<AgentProfile> bad() {
        return List.of(
                AgentProfile.CONFORMING.droppingAll(),
                AgentProfile.CONFORMING.busy(1),
                AgentProfile.CONFORMING.ignoringSets(SwitchCongestionSetting.TYPE.id()),
                AgentProfile.CONFORMING.dropping(SwitchCongestionSetting.TYPE.id(), Method.SET, 1),
                AgentProfile.CONFORMING.refusing(
                        AgentProfile.ANY, AgentProfile.ANY, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, 1),
                AgentProfile.CONFORMING.refusing(SwitchCongestionSetting.TYPE.id(), Method.SET, MadStatus.REDIRECT, 1));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void aBadSwitchCostsItselfUntilItIsGoodAgain(AgentProfile manners) {
        setProfile(0, CongestionProfile.DEFAULT.withAgent(manners));
        try (LoggedEvents events = new LoggedEvents().listen()) {
            startManager();
            run(CHECK_S);
            assertAllSetBut(0);
            assertThat(manager.statistics().failed()).isEqualTo(1);
            assertThat(events.of(SmEvent.CONGESTION_NOT_SET)).hasSize(1);
            setProfile(0, CongestionProfile.DEFAULT);
            run(35 * 60);
            assertAllSetBut(-1);
            assertThat(manager.statistics().failed()).isZero();
            assertThat(events.of(SmEvent.CONGESTION_NOT_SET)).hasSize(1);
            assertThat(events.of(SmEvent.CONGESTION_SET)).hasSize(1);
        }
    }

    private void giveKey(int node, int protect) {
        CongestionKeyInfo info = CongestionKeyInfo.TYPE
                .zero()
                .with(CongestionKeyInfo.CC_KEY, KEY)
                .with(CongestionKeyInfo.PROTECT_BIT, protect);
        agent(node)
                .answer(CongestionMad.request(Method.SET, 1, 0, 0, info), CongestionProfile.DEFAULT, 1, 1, 0, () -> 1);
    }

    @Test
    void aKeyGoesToPortsThatShowItAndToSwitchesOnly() {
        int host = fabric.switchCount();
        options = options(true, KEY, 15);
        giveKey(0, 1);
        giveKey(host, 1);
        giveKey(host + 1, 0);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            startManager();
            assertAllSetBut(host);
            assertThat(agent(host).key().get(CongestionKeyInfo.VIOLATIONS)).isZero();
            assertThat(events.of(SmEvent.CONGESTION_NOT_SET)).hasSize(1);
        }
    }

    /** The first switch ignores Sets with a wrong key. */
    @Test
    void aChangedKeyTakesEffectImmediately() {
        options = options(true, KEY + 1, 15);
        giveKey(0, 1);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            startManager();
            run(CHECK_S);
            assertAllSetBut(0);
            assertThat(events.of(SmEvent.CONGESTION_NOT_SET)).hasSize(1);
            options = options(true, KEY, 15);
            manager.settingsChanged();
            run(10);
            assertAllSetBut(-1);
            assertThat(events.of(SmEvent.CONGESTION_NOT_SET)).hasSize(1);
            assertThat(events.of(SmEvent.CONGESTION_SET)).hasSize(1);
        }
    }

    /** The first sweep finds the host not yet, and later ones not while it restarts. */
    @Test
    void aNewOrReturningHostIsSetWithTheSubnet() {
        int host = fabric.nodeCount() - 1;
        long guid = fabric.nodeGuid(host);
        harness.fabric.unlink(guid, 1);
        assertThat(harness.sweep()).startsWith("up");
        startManager();
        assertAllSetBut(host);
        for (int arrival = 0; arrival < 2; arrival++) {
            harness.fabric.relink(guid, 1);
            assertThat(harness.sweep()).startsWith("up");
            startManager();
            assertAllSetBut(-1);
            harness.fabric.unlink(guid, 1);
            harness.fabric.restartHost(guid);
            assertThat(harness.sweep()).startsWith("up");
            startManager();
            assertAllSetBut(host);
        }
        assertThat(manager.statistics().failed()).isZero();
    }

    @Test
    void aLateAgentIsSetInTheEnd() {
        setProfile(0, CongestionProfile.DEFAULT.withDelay(TimeUnit.MILLISECONDS.toNanos(80)));
        startManager();
        assertAllSetBut(-1);
        assertThat(fabric.node(fabric.switchCount()).info().nodeType()).isEqualTo(NodeInfo.CHANNEL_ADAPTER);
        assertThat(agent(fabric.switchCount()).settings().ofAdapter().get(CaCongestionSetting.PORT_CONTROL))
                .isEqualTo(1);
    }

    private static CongestionLog logOf(int type, long events) {
        return CongestionLog.TYPE.zero().with(CongestionLog.LOG_TYPE, type).with(CongestionLog.EVENT_COUNTER, events);
    }

    @Test
    void logsAreReadOnRequestAndEachFiveMinutesAndAdd() {
        int host = fabric.switchCount();
        byte[] ports = new byte[32];
        ports[31] = 0b1010;
        startManager();
        agent(0).setLog(logOf(CongestionLog.LOG_TYPE_SWITCH, 7).with(CongestionLog.PORT_MAP, ports));
        agent(host).setLog(logOf(CongestionLog.LOG_TYPE_ADAPTER, 2).with(CongestionLog.EVENT_MAP, 5));
        assertThat(manager.statistics().congested()).isEmpty();
        manager.readNow();
        run(1);
        CongestionStatistics statistics = manager.statistics();
        assertThat(statistics.marks()).isEqualTo(7);
        assertThat(statistics.triggers()).isEqualTo(2);
        assertThat(statistics.congested()).hasSize(2);
        CongestedPort first = statistics.congested().get(0);
        assertThat(first.nodeGuid()).isEqualTo(fabric.nodeGuid(0));
        assertThat(first.ports().stream()).containsExactly(1, 3);
        assertThat(statistics.congested().get(1).sls().stream()).containsExactly(0, 2);
        agent(0).setLog(logOf(CongestionLog.LOG_TYPE_SWITCH, 100));
        run(CHECK_S);
        assertThat(manager.statistics().congested().get(0).events()).isEqualTo(107);
        assertThat(manager.statistics().congested().get(0).latest()).isEqualTo(100);
    }

    @Test
    void aDeviceWithoutACorrectLogIsConfiguredLikeOthers() {
        setProfile(
                0,
                CongestionProfile.DEFAULT.withAgent(AgentProfile.CONFORMING.refusing(
                        CongestionLog.TYPE.id(), AgentProfile.ANY, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, 1)));
        setProfile(
                1,
                CongestionProfile.DEFAULT.withAgent(
                        AgentProfile.CONFORMING.dropping(CongestionLog.TYPE.id(), AgentProfile.ANY, 1)));
        agent(2).setLog(logOf(CongestionLog.LOG_TYPE_ADAPTER, 7));
        startManager();
        run(CHECK_S);
        assertAllSetBut(-1);
        assertThat(manager.statistics().failed()).isZero();
        assertThat(manager.statistics().set()).isEqualTo(fabric.nodeCount());
        assertThat(manager.statistics().congested()).isEmpty();
    }
}
