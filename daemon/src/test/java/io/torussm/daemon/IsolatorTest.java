package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.Replication;
import io.torussm.event.SmEvent;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.RingState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains.Drain;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadTransport;
import io.torussm.view.CableHistory;
import io.torussm.view.CableHistory.EntryType;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Cables that flap or lose packets, on an embedded torus in virtual time. */
class IsolatorTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:5x4x1,hosts=1");
    private static final int PLUS_X = 1;
    private static final int PLUS_Y = 3;

    /** Three downs in ten minutes, two cables at most, ten minutes of quiet. */
    private static final SmOptions.Isolation RULES = new SmOptions.Isolation(3, 600, 0, 2, 600);

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    private FabricSm start(int generation, SmOptions.Isolation rules) throws Exception {
        return start(generation, rules, "host-0-0-0-0", null);
    }

    private FabricSm start(int generation, SmOptions.Isolation rules, String host, @Nullable StormWire wire)
            throws Exception {
        MortalLoop life = new MortalLoop(loop);
        StateDirectory state = StateDirectory.open(dir.resolve("state of " + host), life);
        MadTransport port = fabric.attach(host, 1);
        FabricSm sm = new FabricSm(
                life,
                port,
                8,
                ServiceHarness.torusOptions(dir, TORUS),
                state,
                generation,
                wire == null
                        ? null
                        : new Replication(
                                state,
                                life,
                                life,
                                wire.end(host, life),
                                0xfe80_0000_0000_0000L,
                                port.localPort().portGuid()));
        sm.settings.isolation = rules;
        sm.start();
        advance(25);
        return sm;
    }

    private void advance(long seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private long guid(String name) {
        return topology.node(name).orElseThrow().nodeGuid();
    }

    private void flap(String sw, int port, int times) {
        for (int i = 0; i < times; i++) {
            fabric.unlink(guid(sw), port);
            advance(15);
            fabric.relink(guid(sw), port);
            advance(15);
        }
    }

    private static List<Drain> isolations(FabricSm sm) {
        return sm.memory.drains().isolations();
    }

    private int state(String sw, int port) {
        return fabric.portInfo(guid(sw), port).portState();
    }

    private static void assertIsServed(FabricSm sm) {
        var plan = Objects.requireNonNull(sm.sweeper.view()).plan();
        assertThat(plan.degradation()).isEmpty();
        assertThat(plan.subnet().fabric().nodeCount()).isEqualTo(40);
        assertThat(plan.explainer().rings()).noneMatch(ring -> ring.state() == RingState.CUT);
    }

    @Test
    void aCableThatFlapsIsIsolatedUntilItIsQuiet() throws Exception {
        FabricSm sm = start(1, RULES);
        flap("sw-1-1-0", PLUS_X, 2);
        assertThat(isolations(sm)).isEmpty();
        flap("sw-1-1-0", PLUS_X, 1);
        advance(60);
        assertThat(isolations(sm)).hasSize(1);
        assertThat(events.of(SmEvent.LINK_ISOLATED)).hasSize(1);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(state("sw-2-1-0", PLUS_X + 1)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertIsServed(sm);

        advance(480);
        flap("sw-1-1-0", PLUS_X, 1);
        advance(480);
        assertThat(isolations(sm)).as("it flapped meanwhile").hasSize(1);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_INITIALIZE);
        advance(180);
        assertThat(isolations(sm)).isEmpty();
        assertThat(events.of(SmEvent.ISOLATION_OVER)).hasSize(1);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertIsServed(sm);
        assertThat(sm.cables.entries().stream().map(entry -> entry.kind()))
                .containsExactly(
                        EntryType.DOWN,
                        EntryType.UP,
                        EntryType.DOWN,
                        EntryType.UP,
                        EntryType.DOWN,
                        EntryType.ISOLATED,
                        EntryType.UP,
                        EntryType.DOWN,
                        EntryType.UP,
                        EntryType.RELEASED);
    }

    /** The link of an isolated cable is down because a switch was off, and trains late: it did not fail. */
    @Test
    void anIsolatedCableDoesNotGoDownWithItsSwitch() throws Exception {
        FabricSm sm = start(1, RULES);
        flap("sw-1-1-0", PLUS_X, 3);
        advance(60);
        assertThat(isolations(sm)).hasSize(1);
        int entries = sm.cables.entries().size();
        fabric.interventions().powerOff(guid("sw-2-1-0"));
        advance(60);
        fabric.unlink(guid("sw-1-1-0"), PLUS_X);
        fabric.interventions().powerOn(guid("sw-2-1-0"));
        advance(25);
        fabric.relink(guid("sw-1-1-0"), PLUS_X);
        advance(60);
        assertThat(sm.cables.entries().subList(entries, sm.cables.entries().size()))
                .extracting(CableHistory.Entry::kind)
                .doesNotContain(EntryType.DOWN);
    }

    @Test
    void theSecondTimeItHasToBeQuietForTwiceAsLong() throws Exception {
        FabricSm sm = start(1, RULES);
        flap("sw-1-1-0", PLUS_X, 3);
        advance(660);
        assertThat(isolations(sm)).isEmpty();
        flap("sw-1-1-0", PLUS_X, 3);
        advance(660);
        assertThat(isolations(sm)).hasSize(1);
        advance(600);
        assertThat(isolations(sm)).isEmpty();
    }

    @Test
    void aCableThatIsNeededIsNotIsolatedUntilItIsNot() throws Exception {
        FabricSm sm = start(1, RULES);
        fabric.unlink(guid("sw-3-1-0"), PLUS_X);
        advance(25);
        for (int i = 0; i < 4; i++) { // too short for the ring to be cut when it is looked at
            fabric.unlink(guid("sw-1-1-0"), PLUS_X);
            advance(15);
            fabric.relink(guid("sw-1-1-0"), PLUS_X);
            advance(15);
        }
        assertThat(isolations(sm)).isEmpty();
        assertThat(events.of(SmEvent.LINK_NOT_SPARED)).hasSize(1);
        assertIsServed(sm);
        fabric.relink(guid("sw-3-1-0"), PLUS_X);
        advance(60);
        assertThat(isolations(sm)).hasSize(1);
        assertThat(events.of(SmEvent.LINK_SPARED)).hasSize(1);
        assertIsServed(sm);
    }

    @Test
    void isolatedCablesServeAgainWhenNeeded() throws Exception {
        FabricSm sm = start(1, RULES);
        flap("sw-1-1-0", PLUS_X, 3);
        advance(60);
        assertThat(isolations(sm)).hasSize(1);
        fabric.unlink(guid("sw-3-1-0"), PLUS_X);
        advance(25);
        assertThat(isolations(sm)).isEmpty();
        assertThat(events.of(SmEvent.ISOLATION_OVER)).hasSize(1);
        assertThat(events.of(SmEvent.DRAIN_GIVEN_BACK)).isEmpty();
        assertIsServed(sm);
        fabric.relink(guid("sw-3-1-0"), PLUS_X);
        advance(120);
        assertThat(isolations(sm)).as("it has to flap again first").isEmpty();
    }

    @Test
    void noMoreThanAreAllowed() throws Exception {
        FabricSm sm = start(1, RULES);
        flap("sw-1-1-0", PLUS_X, 3);
        flap("sw-1-2-0", PLUS_X, 3);
        flap("sw-1-3-0", PLUS_X, 3);
        advance(60);
        assertThat(isolations(sm)).hasSize(2);
        assertIsServed(sm);
    }

    @Test
    void isolationsAndTheirTimesOutliveTheProcess() throws Exception {
        FabricSm sm = start(1, RULES);
        flap("sw-1-1-0", PLUS_X, 3);
        advance(300);
        sm.kill();
        FabricSm next = start(2, RULES);
        assertThat(isolations(next)).hasSize(1);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(events.of(SmEvent.LINK_ISOLATED))
                .as("each process has its conditions")
                .hasSize(2);
        advance(400);
        assertThat(isolations(next)).isEmpty();
    }

    /** The second SM has its own state directory, and receives the first one's state by replication alone. */
    @Test
    void isolationsAndDrainsOutliveTheMaster() throws Exception {
        StormWire wire = new StormWire();
        FabricSm master = start(1, RULES, "host-0-0-0-0", wire);
        FabricSm standby = start(2, RULES, "host-3-3-0-0", wire);
        flap("sw-1-1-0", PLUS_X, 3);
        Drain drain = new Drain(guid("sw-2-2-0"), PLUS_Y, "a cable to work on", Instant.EPOCH);
        master.memory.drains().drain(drain);
        master.mastership.sweepHeavy();
        advance(300);
        assertThat(isolations(master)).hasSize(1);
        assertThat(standby.isUp()).isFalse();
        master.kill();
        wire.left("host-0-0-0-0");
        advance(60);
        assertThat(standby.isUp()).isTrue();
        assertThat(standby.memory.drains().all()).contains(drain).hasSize(2);
        assertThat(isolations(standby)).hasSize(1);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(state("sw-2-2-0", PLUS_Y)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertIsServed(standby);
        advance(400);
        assertThat(standby.memory.drains().all()).as("the time goes on").containsExactly(drain);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    @Test
    void switchingIsolationOffReleasesAllPorts() throws Exception {
        FabricSm sm = start(1, RULES);
        flap("sw-1-1-0", PLUS_X, 3);
        fabric.unlink(guid("sw-1-1-0"), PLUS_X);
        advance(25);
        assertThat(isolations(sm)).hasSize(1);
        sm.settings.isolation = new SmOptions.Isolation(0, 600, 0, 2, 600);
        advance(25);
        assertThat(isolations(sm)).isEmpty();
    }

    @Test
    void aLossyCableIsIsolatedAndTriedAgain() throws Exception {
        FabricSm sm = start(1, new SmOptions.Isolation(0, 600, 100, 2, 600));
        sm.counts = (guid, port) -> guid == guid("sw-1-1-0") && port == PLUS_Y ? 99 : 0;
        advance(25);
        assertThat(isolations(sm)).isEmpty();
        sm.counts = (guid, port) -> guid == guid("sw-1-1-0") && port == PLUS_Y ? 100 : 0;
        advance(25);
        assertThat(isolations(sm)).hasSize(1);
        assertThat(state("sw-1-1-0", PLUS_Y)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertIsServed(sm);
        advance(600);
        assertThat(isolations(sm)).as("it is given a try").isEmpty();
        advance(300);
        assertThat(isolations(sm)).isEmpty();
        advance(330);
        assertThat(isolations(sm)).as("and has not changed").hasSize(1);
    }
}
