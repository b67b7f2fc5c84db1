package io.torussm.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.sim.SimCounters;
import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.congestion.CongestionSettings;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.FalseValue;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.GsiClient;
import io.torussm.view.PublishedView;
import java.math.BigInteger;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faulty agents of congestion control, while options, keys, masters and devices change at random. A faulty agent does
 * not keep other devices from their settings. Once all agents conform again, all devices have the settings, and each
 * condition TSM-8220 (a device without its settings) has ended.
 */
class CongestionFaultsTest {
    private static final long KEY = 0x1234_5678L;
    private static final long FOREIGN_KEY = 0x8765_4321L;
    private static final int CHANGES = 8;

    /** Longer than the time between two checks of all devices, which is five minutes. */
    private static final long CHECK_S = 6 * 60;

    /** Longer than the longest pause before a device that failed is tried again, and a check. */
    private static final long LONGEST_PAUSE_S = 33 * 60 + CHECK_S;

    private static final List<String> FABRICS =
            List.of("torus:3x2x1,hosts=1", "torus:2x2x1,hosts=2", "torus:4x1x1,hosts=2");

    /** The expected state of a device after some minutes. */
    private enum Outcome {
        SET,
        FAILED,
        /** Depends on the seed. */
        OPEN
    }

    /** The fault of an agent. */
    private enum Fault {
        NONE(Outcome.SET),
        REFUSING(Outcome.FAILED),
        REFUSING_SETS(Outcome.OPEN),
        SILENT(Outcome.FAILED),
        SILENT_ABOUT_SETS(Outcome.OPEN),
        /** Responds within the time-out. */
        SLOW(Outcome.SET),
        /** Responds after the time-out. */
        LATE(Outcome.FAILED),
        /** Responds to Sets, and ignores them. */
        IGNORING_SETS(Outcome.OPEN),
        /** Reports false settings. */
        FALSE_VALUES(Outcome.OPEN),
        BUSY_AT_TIMES(Outcome.OPEN),
        LOSING(Outcome.OPEN),
        /** Has no table, or one of too few entries. */
        HALF_CAPABLE(Outcome.OPEN),
        /** Has the key of another manager. */
        FOREIGN_KEY_SET(Outcome.OPEN);

        final Outcome outcome;

        Fault(Outcome outcome) {
            this.outcome = outcome;
        }

        private CongestionProfile profile(SplittableRandom random) {
            AgentProfile good = AgentProfile.CONFORMING;
            CongestionProfile usual = CongestionProfile.DEFAULT;
            int any = AgentProfile.ANY;
            int status = random.nextBoolean() ? MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE : MadStatus.INVALID_FIELD;
            return switch (this) {
                case NONE, FOREIGN_KEY_SET -> usual;
                case REFUSING -> usual.withAgent(good.refusing(any, any, status, 1));
                case REFUSING_SETS -> usual.withAgent(good.refusing(any, Method.SET, status, 1));
                case SILENT -> usual.withAgent(good.droppingAll());
                case SILENT_ABOUT_SETS -> usual.withAgent(good.dropping(any, Method.SET, 1));
                case SLOW -> usual.withDelay(TimeUnit.MILLISECONDS.toNanos(80));
                case LATE -> usual.withDelay(TimeUnit.SECONDS.toNanos(5));
                case IGNORING_SETS -> usual.withAgent(good.ignoringSets(any));
                case FALSE_VALUES ->
                    usual.withAgent(good.withFalseValue(FalseValue.of(
                                    SwitchCongestionSetting.TYPE.id(),
                                    SwitchCongestionSetting.THRESHOLD,
                                    random.nextInt(16)))
                            .withFalseValue(FalseValue.of(
                                    CaCongestionSetting.TYPE.id(),
                                    CaCongestionSetting.PORT_CONTROL,
                                    random.nextInt(2))));
                case BUSY_AT_TIMES -> usual.withAgent(good.busy(0.3));
                case LOSING -> usual.withAgent(good.dropping(any, any, 0.3));
                case HALF_CAPABLE ->
                    random.nextBoolean()
                            ? usual.withTable(1)
                            : usual.withAgent(good.refusing(CongestionControlTable.TYPE.id(), any, status, 1));
            };
        }
    }

    /** A seed: a fabric, its agents, and the SM's manager. */
    private static final class SeededSubnet {
        final SplittableRandom random;
        final SweepHarness harness;
        final SimCounters agents;
        final Map<Long, Fault> faults = new HashMap<>();
        final GsiClient client;
        CongestionOptions options;
        CongestionManager manager;

        /** Conditions that ended without an event, because the mastership did. */
        int endedWithoutEvent;

        SeededSubnet(long seed) {
            random = new SplittableRandom(seed);
            harness = new SweepHarness(FABRICS.get(random.nextInt(FABRICS.size())));
            agents = harness.fabric.portCounters();
            options = randomOptions();
            client = new GsiClient(
                    harness.client,
                    harness.loop,
                    () -> new GsiClient.Settings(500, 100_000, 100, 1),
                    1,
                    GsiClient.RedirectionPolicy.withinSubnet(key -> 0));
            manager = new CongestionManager(harness.loop, client, () -> options);
            sweep();
            for (int node = 0; node < fabric().nodeCount(); node++) {
                Fault[] all = Fault.values();
                setFault(node, random.nextBoolean() ? Fault.NONE : all[random.nextInt(all.length)]);
            }
        }

        private CongestionOptions randomOptions() {
            List<Integer> timers = Collections.nCopies(16, 1 + random.nextInt(200));
            List<Integer> none = Collections.nCopies(16, 0);
            return new CongestionOptions(
                    true,
                    random.nextBoolean() ? KEY : 0,
                    1 + random.nextInt(8),
                    new CongestionOptions.Marking(
                            0x1f, BigInteger.valueOf(0xfe), BigInteger.ZERO, 1 + random.nextInt(15), 8, 5, 0x4010, 100),
                    new CongestionOptions.Reaction(1, 1 + random.nextInt(0xffff), timers, none, none, none),
                    Collections.nCopies(65 + random.nextInt(64), 0xc005));
        }

        PublishedView view() {
            return Objects.requireNonNull(harness.sweeper.view());
        }

        Fabric fabric() {
            return view().subnet().fabric();
        }

        CongestionAgent agent(int node) {
            return agents.congestion(fabric().nodeGuid(node), fabric().isSwitch(node) ? 0 : 1);
        }

        void run(long seconds) {
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
        }

        void sweep() {
            assertThat(harness.sweep()).startsWith("up");
            harness.awaitRest();
        }

        void setFault(int node, Fault fault) {
            faults.put(fabric().nodeGuid(node), fault);
            agents.setProfile(fabric().nodeGuid(node), CounterProfile.DEFAULT.withCongestion(fault.profile(random)));
            setForeignKey(node, fault == Fault.FOREIGN_KEY_SET ? FOREIGN_KEY : 0);
        }

        /** Gives an agent a key, as another manager that has its present key does. */
        private void setForeignKey(int node, long key) {
            CongestionKeyInfo info = CongestionKeyInfo.TYPE
                    .zero()
                    .with(CongestionKeyInfo.CC_KEY, key)
                    .with(CongestionKeyInfo.PROTECT_BIT, key == 0 ? 0 : random.nextInt(2));
            byte[] mad = CongestionMad.request(Method.SET, 1, agent(node).key().get(CongestionKeyInfo.CC_KEY), 0, info);
            agent(node).answer(mad, CongestionProfile.DEFAULT, 1, 1, 0, () -> 1);
        }

        boolean isSet(int node) {
            CongestionSettings settings = agent(node).settings();
            if (fabric().isSwitch(node)) {
                return settings.ofSwitch().equals(options.marking().attribute());
            }
            CaCongestionSetting wanted = options.reaction().attribute();
            boolean isReacting = settings.ofAdapter().get(CaCongestionSetting.CONTROL_MAP)
                            == wanted.get(CaCongestionSetting.CONTROL_MAP)
                    && IntStream.range(0, CaCongestionSetting.SLS)
                            .filter(sl -> (wanted.get(CaCongestionSetting.CONTROL_MAP) >> sl & 1) != 0)
                            .mapToObj(CaCongestionSetting::entry)
                            .allMatch(entry -> settings.ofAdapter().get(entry.timer()) == wanted.get(entry.timer()));
            return isReacting
                    && settings.table(0).equals(options.table().get(0))
                    && settings.table(1).equals(options.table().get(1));
        }

        /** Checks that devices have the settings whose agents can take them, and that the others are reported. */
        void assertSet(String when) {
            int failed = 0;
            for (int node = 0; node < fabric().nodeCount(); node++) {
                Fault fault = Objects.requireNonNull(faults.get(fabric().nodeGuid(node)));
                if (isAccessible(node) && fault.outcome == Outcome.SET) {
                    assertThat(isSet(node))
                            .as(when + ": " + fabric().nodeName(node))
                            .isTrue();
                }
                failed += fault.outcome == Outcome.FAILED ? 1 : 0;
            }
            assertThat(manager.statistics().failed()).as(when).isGreaterThanOrEqualTo(failed);
        }

        void repairAll() {
            for (int node = 0; node < fabric().nodeCount(); node++) {
                setFault(node, Fault.NONE);
            }
        }

        /** Checks that all devices have the settings, and that no request is outstanding. */
        void assertAllSet() {
            CongestionStatistics statistics = manager.statistics();
            assertThat(statistics.failed()).isZero();
            assertThat(statistics.set()).isEqualTo(statistics.devices()).isEqualTo(fabric().nodeCount());
            assertThat(client.outstanding()).isZero();
        }

        /** Ends the manager, and checks that it sends nothing any more. */
        void endManager() {
            long sent = client.stats().sent();
            manager.end();
            run(CHECK_S);
            assertThat(client.stats().sent()).isEqualTo(sent);
        }

        /** Checks whether an agent has no key, or shows that of the options. */
        private boolean isAccessible(int node) {
            CongestionKeyInfo info = agent(node).key();
            long key = info.get(CongestionKeyInfo.CC_KEY);
            return key == 0 || (key == options.congestionKey() && info.get(CongestionKeyInfo.PROTECT_BIT) == 0);
        }

        /**
         * Makes a random change of the SM, of a device, or of an agent.
         *
         * @param open conditions that have begun and did not end with an event
         */
        void changeAtRandom(IntSupplier open) {
            int node = random.nextInt(fabric().nodeCount());
            switch (random.nextInt(7)) {
                case 0 -> {
                    options = randomOptions();
                    manager.settingsChanged();
                }
                case 1 -> {
                    endedWithoutEvent = open.getAsInt();
                    manager.end();
                    run(random.nextInt(60));
                    manager = new CongestionManager(harness.loop, client, () -> options);
                    manager.subnetUp(view());
                }
                case 2 -> writeForeignSettings(node);
                case 3 -> {
                    Fault[] all = Fault.values();
                    setFault(node, all[random.nextInt(all.length)]);
                }
                case 4 ->
                    restart(fabric().switchCount() + random.nextInt(fabric().nodeCount() - fabric().switchCount()));
                case 5 -> setForeignKey(node, LongStream.of(0, KEY, FOREIGN_KEY).toArray()[random.nextInt(3)]);
                default -> manager.subnetUp(view());
            }
        }

        /** Lets another program write other settings to a device. */
        private void writeForeignSettings(int node) {
            long key = agent(node).key().get(CongestionKeyInfo.CC_KEY);
            byte[] mad = fabric().isSwitch(node)
                    ? CongestionMad.request(
                            Method.SET,
                            1,
                            key,
                            0,
                            SwitchCongestionSetting.TYPE.zero().with(SwitchCongestionSetting.CONTROL_MAP, 4))
                    : CongestionMad.request(
                            Method.SET, 1, key, 0, CongestionControlTable.of(1, random.nextInt(1 << 14), 1));
            agent(node).answer(mad, CongestionProfile.DEFAULT, 1, 1, 0, () -> 1);
        }

        /** Switches a host off and on: its agent has factory settings and no key. The SM's own host stays. */
        private void restart(int node) {
            long guid = fabric().nodeGuid(node);
            if (!fabric().nodeName(node).contains(SweepHarness.HOST)) {
                harness.fabric.restartHost(guid);
                run(1);
                sweep();
                manager.subnetUp(view());
            }
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("seeds", 12));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aFaultyAgentKeepsNoOtherDeviceFromItsSettings(long seed) {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            SeededSubnet subnet = new SeededSubnet(seed);
            subnet.manager.subnetUp(subnet.view());
            subnet.run(60);
            subnet.assertSet("at first");
            for (int change = 1; change <= CHANGES; change++) {
                subnet.changeAtRandom(() -> openConditions(events));
                subnet.run(subnet.random.nextInt((int) CHECK_S));
            }
            subnet.run(LONGEST_PAUSE_S);
            subnet.assertSet("after changes");
            subnet.repairAll();
            subnet.run(LONGEST_PAUSE_S);
            subnet.assertSet("in the end");
            subnet.assertAllSet();
            assertThat(openConditions(events)).isEqualTo(subnet.endedWithoutEvent);
            assertThat(events.of(SmEvent.CONTINUATION_FAILED)).isEmpty();
            subnet.endManager();
        }
    }

    private static int openConditions(LoggedEvents events) {
        return events.of(SmEvent.CONGESTION_NOT_SET).size()
                - events.of(SmEvent.CONGESTION_SET).size();
    }

    static LongStream manySeeds() {
        return LongStream.rangeClosed(1_001, 1_200);
    }

    @Tag("campaign")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void aFaultyAgentOfACampaignKeepsNoOtherDeviceFromItsSettings(long seed) {
        aFaultyAgentKeepsNoOtherDeviceFromItsSettings(seed);
    }
}
