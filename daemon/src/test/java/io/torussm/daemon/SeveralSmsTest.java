package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The SMs of {@link SeveralSmsCase}: election of the master, takeovers and handovers, and changes that clients do not
 * notice.
 */
class SeveralSmsTest extends SeveralSmsCase {
    @Test
    void sweepsStayOffUntilTheyAreSwitchedOn() throws Exception {
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
    void aTakeoverAfterTheDeathOfTheMasterKeepsLidsTablesAndSls() throws Exception {
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
    void theLowerGuidIsMasterIfPrioritiesAreEqual() throws Exception {
        FabricSm second = master(SECOND, 5);
        FabricSm first = sm(FIRST, 5).start();
        settle();
        assertThat(Long.compareUnsigned(first.guid(), second.guid())).isNegative();
        assertThat(first.isUp()).isTrue();
        assertThat(second.state()).isEqualTo(SmState.STANDBY);
    }

    @Test
    void aPriorityRaisedAtRunTimeTakesOverBeforeTheNextSweep() throws Exception {
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
}
