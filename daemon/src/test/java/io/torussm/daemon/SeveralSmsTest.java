package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mastership.SmState;
import io.torussm.mastership.Trust;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole subnet managers on one embedded fabric, in virtual time: election of the master, and changes that
 * clients do not notice.
 */
class SeveralSmsTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String FIRST = "host-0-0-0-0";
    private static final String SECOND = "host-2-1-0-0";
    private static final String THIRD = "host-3-2-0-0";

    /** From the last answer of a dead master to the moment when its standby rules, without the sweep. */
    private static final long NOTICED_NS = TimeUnit.SECONDS.toNanos(5);

    private final Topology topology = TorusSpec.parse(TORUS).topology();
    private final VirtualLoop loop = new VirtualLoop();

    @TempDir
    Path dir;

    private SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @Test
    void sweepsAreHeldBackUntilTheyAreWantedAgain() throws Exception {
        FabricSm master = master(FIRST, 5);
        settle();
        int before = master.ends.size();
        master.sweeper.suspend(true);
        unlinkSwitches();
        master.mastership.sweepHeavy();
        settle();
        assertThat(master.sweeper.isSuspended()).isTrue();
        assertThat(master.ends).hasSize(before);
        master.sweeper.suspend(false);
        settle();
        assertThat(master.ends.size()).isGreaterThan(before);
        assertThat(master.ends).last().isEqualTo("up");
    }

    @Test
    void aStandbyTakesOverWhenItsMasterDiesAndClientsKeepLidsTablesAndSls() throws Exception {
        FabricSm first = master(FIRST, 5);
        FabricSm second = standby(SECOND, 3);
        settle();
        List<Object> before = clientVisibleState(first);
        first.kill();
        await("a new master", NOTICED_NS, second::isUp);
        assertThat(clientVisibleState(second)).isEqualTo(before);
        assertFollows(second);
        assertThat(second.sweeper.counts().changedSls()).isZero();
    }

    /** Also of a master whose port had no LID yet when the standby met it. */
    @Test
    void aStandbyNamesTheHostOfItsMaster() throws Exception {
        FabricSm first = sm(FIRST, 5).start();
        FabricSm second = sm(SECOND, 3).start();
        settle();
        int lid = Objects.requireNonNull(first.sweeper.view()).subnet().smLid();
        assertThat(String.valueOf(second.mastership.state().master())).contains("\"" + FIRST + "\", LID " + lid + ",");
        assertThat(first.mastership.state().others()).singleElement().asString().contains(SECOND);
    }

    @Test
    void aStandbyNeitherWritesNorReactsToTrapsNorPublishes() throws Exception {
        master(FIRST, 5);
        FabricSm second = standby(SECOND, 3);
        settle();
        List<String> before = List.copyOf(second.ends);
        unlinkSwitches();
        settle();
        second.mastership.sweepHeavy();
        second.sweeper.reroute();
        settle();
        assertThat(second.ends).isEqualTo(before).doesNotContain("up");
        assertThat(second.sweeper.view()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15})
    void anOrderlyEndHandsOverAtOnceWhateverTheRanks(int priority) throws Exception {
        FabricSm first = master(FIRST, priority);
        FabricSm second = sm(SECOND, 7).start();
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        FabricSm master = priority == 0 ? second : first;
        FabricSm standby = priority == 0 ? first : second;
        await("the higher one rules", TimeUnit.SECONDS.toNanos(10), () -> master.isUp() && !standby.isUp());
        settle();
        List<Object> before = clientVisibleState(master);
        master.end();
        await("an end in order", TimeUnit.MILLISECONDS.toNanos(100), master::isDead);
        await("the other rules", TimeUnit.MILLISECONDS.toNanos(100), standby::isUp);
        assertThat(clientVisibleState(standby)).isEqualTo(before);
        settle();
        assertThat(standby.state()).isEqualTo(SmState.MASTER);
        assertFollows(standby);
    }

    @Test
    void theHigherOneRulesAgainWhenItReturns() throws Exception {
        FabricSm first = master(FIRST, 5);
        FabricSm second = standby(SECOND, 3);
        settle();
        List<Object> before = clientVisibleState(first);
        first.kill();
        await("a new master", NOTICED_NS, second::isUp);
        FabricSm again = sm(FIRST, 5).start();
        await("the higher one rules", TimeUnit.SECONDS.toNanos(5), again::isUp);
        assertThat(second.state()).isEqualTo(SmState.STANDBY);
        settle();
        assertThat(again.state()).isEqualTo(SmState.MASTER);
        assertThat(second.sweeper.view()).isNull();
        assertThat(clientVisibleState(again)).isEqualTo(before);
        assertFollows(again);
    }

    @Test
    void twoThatStartTogetherAgree() throws Exception {
        FabricSm first = sm(FIRST, 5).start();
        FabricSm second = sm(SECOND, 6).start();
        settle();
        assertThat(second.isUp()).isTrue();
        assertThat(first.state()).isEqualTo(SmState.STANDBY);
    }

    @Test
    void ofEqualPriorityTheLowerGuidRules() throws Exception {
        FabricSm second = master(SECOND, 5);
        FabricSm first = sm(FIRST, 5).start();
        settle();
        assertThat(Long.compareUnsigned(first.guid(), second.guid())).isNegative();
        assertThat(first.isUp()).isTrue();
        assertThat(second.state()).isEqualTo(SmState.STANDBY);
    }

    @Test
    void aPriorityThatIsRaisedAtRunTimeTakesOverWithoutWaitingForASweep() throws Exception {
        FabricSm first = master(FIRST, 5);
        FabricSm second = standby(SECOND, 3);
        settle();
        List<Object> before = clientVisibleState(first);
        second.settings.priority = 9;
        second.mastership.settingsChanged();
        await("trap 144, sweep, handover", TimeUnit.MILLISECONDS.toNanos(500), second::isUp);
        settle();
        assertThat(first.state()).isEqualTo(SmState.STANDBY);
        assertThat(clientVisibleState(second)).isEqualTo(before);
    }

    @Test
    void aStrangerIsIgnoredAndDoesNotStopTheMaster() throws Exception {
        FabricSm first = master(FIRST, 5);
        List<Object> before = clientVisibleState(first);
        first.settings.trust = new Trust(FabricSm.SM_KEY, Set.of(), Set.of(first.guid()));
        standby(SECOND, 9);
        settle();
        first.sweeper.sweepHeavy();
        settle();
        assertThat(first.isUp()).isTrue();
        assertThat(clientVisibleState(first)).isEqualTo(before);
    }

    /** The torus is cut into two halves with a master each, and the cables come back. */
    @ParameterizedTest
    @ValueSource(ints = {3, 9})
    void twoSubnetsThatAreJoinedHaveOneMasterAgain(int priority) throws Exception {
        FabricSm first = master(FIRST, 5);
        FabricSm second = sm(SECOND, priority).start();
        settle();
        FabricSm high = priority > 5 ? second : first;
        FabricSm low = priority > 5 ? first : second;
        assertThat(high.isUp()).isTrue();
        List<Object> before = clientVisibleState(high);
        cut(true);
        settle();
        assertThat(List.of(high.state(), low.state())).containsOnly(SmState.MASTER);
        cut(false);
        settle();
        assertThat(high.isUp()).isTrue();
        assertThat(low.state()).isEqualTo(SmState.STANDBY);
        settle();
        assertThat(clientVisibleState(high)).isEqualTo(before);
        assertFollows(high);
    }

    @Test
    void anSmWhosePortComesBackStandsBy() throws Exception {
        FabricSm first = master(FIRST, 3);
        FabricSm second = standby(SECOND, 5);
        await("the higher one rules", TimeUnit.SECONDS.toNanos(10), second::isUp);
        settle();
        long lonely = topology.node(FIRST).orElseThrow().nodeGuid();
        fabric.unlink(lonely, 1);
        settle();
        assertThat(first.state()).as("its own port is down").isEqualTo(SmState.DISCOVERING);
        assertThat(second.isUp()).isTrue();
        fabric.relink(lonely, 1);
        settle();
        assertThat(first.state()).isEqualTo(SmState.STANDBY);
        assertThat(second.isUp()).isTrue();
    }

    @Test
    void lidsAreNotReassignedByAStandbyThatTakesOver() throws Exception {
        FabricSm first = master(SECOND, 5);
        FabricSm second = new FabricSm(loop, fabric, FIRST, 3, options(Map.of(Settings.REASSIGN_LIDS, "true")))
                .trustPortsOf(topology)
                .start();
        settle();
        List<Object> before = clientVisibleState(first);
        first.kill();
        await("a new master", NOTICED_NS, second::isUp);
        assertThat(clientVisibleState(second)).isEqualTo(before);
    }

    /**
     * It was off while keys were drawn, for longer than the former ones are accepted, and the replication is not
     * connected.
     */
    @ParameterizedTest(name = "priority {0}")
    @ValueSource(ints = {1, 15})
    void aStandbyThatMissedNewKeysDoesNotRuleBesideTheMaster(int priority) throws Exception {
        FabricSm master = withKeys(FIRST, 8, 0x222, 0x2222);
        await("the master", NOTICED_NS, master::isUp);
        settle();
        FabricSm stale = withKeys(SECOND, priority, 0x111, 0x1111);
        for (int i = 0; i < 10; i++) {
            settle();
        }
        assertThat(master.isUp()).isTrue();
        assertThat(stale.state()).isEqualTo(SmState.STANDBY);
        assertThat(stale.ends).containsOnly("other master: 8");
    }

    @Test
    void answersAnotherHostByBothWaysAndHidesItsSmKeyForAnyMKey() throws Exception {
        SmOptions guarded = options(Map.of(Settings.M_KEY, "0x77", Settings.M_KEY_PROTECTION_LEVEL, "1"));
        FabricSm first = new FabricSm(loop, fabric, FIRST, 5, guarded).start();
        await("the master", NOTICED_NS, first::isUp);
        SimTransport asker = fabric.attach(FIRST.replace("0-0-0-0", "1-0-0-0"), 1);
        List<SmInfo> heard = new ArrayList<>();
        asker.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                assertThat(MadHeader.status(frame.mad())).isZero();
                heard.add(SmInfo.TYPE.read(frame.mad(), Smp.DATA_OFFSET));
            }

            @Override
            public void transportFailed(String reason) {
                throw new AssertionError(reason);
            }
        });
        int smLid = Objects.requireNonNull(first.sweeper.view()).subnet().smLid();
        for (long mKey : new long[] {0, 0x77}) {
            byte[] mad = Smp.lidRouted(Method.GET, 1, SmInfo.TYPE.id(), 0, mKey);
            asker.send(new MadFrame(new MadAddress(smLid, 0, 0, 0), mad), 100);
            loop.runFor(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(heard).extracting(info -> info.get(SmInfo.SM_KEY)).containsExactly(0L, 0L);
        assertThat(heard).allSatisfy(info -> assertThat(info.smState()).isEqualTo(SmInfo.MASTER));
    }

    /**
     * Deaths, ends and returns with loss on the wires. After them there is one master, and its tables are the
     * same.
     */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void oneRulesAfterRandomDeathsAndReturns(long seed) throws Exception {
        Random random = Seeds.random(seed);
        fabric = new SimFabric(topology, loop, new FaultPlan(seed, 0, 0.01, 1000, 100_000));
        FabricSm[] sms = new FabricSm[3];
        String[] hosts = {FIRST, SECOND, THIRD};
        sms[0] = master(FIRST, 5);
        List<Object> before = clientVisibleState(sms[0]);
        fabric.setLoss(random.nextInt(3) * 0.02);
        for (int i = 0; i < 8; i++) {
            int which = random.nextInt(3);
            FabricSm sm = sms[which];
            if (sm == null || sm.isDead()) {
                sms[which] = sm(hosts[which], 5 - which).start();
            } else if (random.nextBoolean()) {
                sm.kill();
            } else {
                sm.end();
            }
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(12_000)));
        }
        fabric.setLoss(0);
        loop.runFor(TimeUnit.SECONDS.toNanos(3));
        if (sms[1] == null || sms[1].isDead()) {
            sms[1] = sm(SECOND, 4).start();
        }
        settle();
        List<FabricSm> masters = Arrays.stream(sms)
                .filter(sm -> sm != null && !sm.isDead() && sm.state() == SmState.MASTER)
                .toList();
        assertThat(masters).hasSize(1);
        assertThat(clientVisibleState(masters.get(0))).isEqualTo(before);
        assertFollows(masters.get(0));
    }

    private SmOptions options(Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more.isEmpty() ? Map.of(Settings.SIM_HOST, "") : more);
        String conf = ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS));
        settings.put(Settings.TORUS_CONFIG, conf);
        return ServiceHarness.options(dir, settings);
    }

    private FabricSm sm(String host, int priority) throws Exception {
        return new FabricSm(loop, fabric, host, priority, options(Map.of())).trustPortsOf(topology);
    }

    private void await(String label, long limitNs, BooleanSupplier condition) {
        assertThat(loop.runUntil(condition, limitNs)).as(label).isTrue();
    }

    private void settle() {
        loop.runFor(TimeUnit.SECONDS.toNanos(30));
    }

    private FabricSm master(String host, int priority) throws Exception {
        FabricSm sm = sm(host, priority).start();
        await("the first master", NOTICED_NS, sm::isUp);
        return sm;
    }

    private FabricSm standby(String host, int priority) throws Exception {
        FabricSm sm = sm(host, priority).start();
        await("the standby", NOTICED_NS, () -> sm.state() == SmState.STANDBY);
        return sm;
    }

    /**
     * Returns all that affects packets: LIDs, forwarding tables, SL2VL tables, and the SLs that the SA gives
     * for all paths.
     */
    private List<Object> clientVisibleState(FabricSm master) {
        PublishedView view = Objects.requireNonNull(master.sweeper.view());
        List<Object> all = new ArrayList<>();
        for (Topology.Node node : topology.nodes()) {
            int first = node.isSwitch() ? 0 : 1;
            if (node.isSwitch()) {
                all.add(Arrays.toString(fabric.lft(node.nodeGuid())));
            }
            for (int port = first; port <= node.numPorts(); port++) {
                PortInfo info = fabric.portInfo(node.nodeGuid(), port);
                all.add(List.of(info.lid(), info.lmc(), info.portState(), info.neighborMtu()));
                for (int in = first; in <= node.numPorts(); in++) {
                    all.add(fabric.sl2vl(node.nodeGuid(), in, port));
                }
                all.add(fabric.vlArbitration(node.nodeGuid(), port, 1));
            }
        }
        for (int slid = 1; slid <= view.subnet().topLid(); slid++) {
            for (int dlid = 1; dlid <= view.subnet().topLid(); dlid++) {
                all.add(view.plan().pathSl(slid, dlid, 0));
            }
        }
        return all;
    }

    /** One cable between two switches. */
    private void unlinkSwitches() {
        for (Topology.Node node : topology.nodes()) {
            Topology.PortRef peer = node.peer(1);
            if (node.isSwitch() && peer != null && peer.node().isSwitch()) {
                fabric.unlink(node.nodeGuid(), 1);
                return;
            }
        }
        throw new AssertionError("no cable between switches at any port 1");
    }

    private void assertFollows(FabricSm master) {
        int lid = Objects.requireNonNull(master.sweeper.view()).subnet().smLid();
        for (Topology.Node node : topology.nodes()) {
            int port = node.isSwitch() ? 0 : 1;
            assertThat(fabric.portInfo(node.nodeGuid(), port).masterSmLid())
                    .as("%s", node)
                    .isEqualTo(lid);
        }
    }

    private void cut(boolean isCut) {
        for (Topology.Node node : topology.nodes()) {
            for (int port = 1; node.isSwitch() && port <= node.numPorts(); port++) {
                Topology.PortRef peer = node.peer(port);
                if (peer != null && peer.node().isSwitch() && isEast(node) && !isEast(peer.node())) {
                    if (isCut) {
                        fabric.unlink(node.nodeGuid(), port);
                    } else {
                        fabric.relink(node.nodeGuid(), port);
                    }
                }
            }
        }
    }

    private static boolean isEast(Topology.Node sw) {
        return sw.description().startsWith("sw-2-") || sw.description().startsWith("sw-3-");
    }

    /** Over the fabric: a third host asks the master by its LID and along a route. */
    private FabricSm withKeys(String host, int priority, long mKey, long smKey) throws Exception {
        FabricSm sm = new FabricSm(
                loop,
                fabric,
                host,
                priority,
                options(Map.of(Settings.M_KEY, Long.toString(mKey), Settings.M_KEY_PROTECTION_LEVEL, "1")));
        sm.settings.trust = new Trust(smKey, Set.of(), Set.of());
        return sm.start();
    }
}
