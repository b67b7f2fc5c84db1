package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.inventory.Difference;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.inventory.Inventory;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MortalLoop;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Drains of operators on an embedded torus of 5x3 switches with a host each, in virtual time. */
class DrainTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:5x3x1,hosts=1");

    /** The port of a switch that leads in +x. */
    private static final int PLUS_X = 1;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    @Test
    void routesLeadAroundACableBeforeItGoesDown() throws Exception {
        FabricSm sm = start(1);
        Drain drain = drain(sm, "sw-1-1-0", PLUS_X);
        assertThat(isUsed(sm, "sw-1-1-0", PLUS_X)).isFalse();
        assertIsWellRouted(sm, 30);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(state("sw-2-1-0", PLUS_X + 1)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(sm.cables.entries()).as("nothing was lost").isEmpty();
        assertThat(events.of(SmEvent.TORUS_DEGRADED))
                .singleElement()
                .asString()
                .contains(" is up, but is drained, or ");
        assertThat(events.of(SmEvent.LINK_HELD_DOWN))
                .as("an operator disabled it")
                .isEmpty();
        assertThat(events.of(SmEvent.LINK_HELD_DOWN_BY_DRAIN)).isNotEmpty().allMatch(event -> event.get(EventField.TEXT)
                .equals(drain.name() + ", since " + drain.since()));
        fabric.unlink(guid("sw-1-1-0"), PLUS_X + 2);
        advance();
        assertThat(sm.cables.entries()).as("another cable of the switch").hasSize(1);
        fabric.relink(guid("sw-1-1-0"), PLUS_X + 2);
        advance();
        undrain(sm, drain);
        assertThat(isUsed(sm, "sw-1-1-0", PLUS_X)).isTrue();
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(state("sw-2-1-0", PLUS_X + 1)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    @Test
    void aDrainOutlivesTheProcess() throws Exception {
        FabricSm sm = start(1);
        drain(sm, "sw-1-1-0", PLUS_X);
        sm.kill();
        FabricSm next = start(2);
        assertThat(isUsed(next, "sw-1-1-0", PLUS_X)).isFalse();
        assertIsWellRouted(next, 30);
        assertThat(state("sw-1-1-0", PLUS_X)).isEqualTo(PortInfo.STATE_INITIALIZE);
    }

    @Test
    void aSwitchIsDrainedWithItsHosts() throws Exception {
        FabricSm sm = start(1);
        Drain drain = drain(sm, "sw-3-2-0", Drains.WHOLE_SWITCH);
        assertIsWellRouted(sm, 28);
        assertThat(state("sw-2-2-0", PLUS_X)).isEqualTo(PortInfo.STATE_INITIALIZE);
        undrain(sm, drain);
        assertIsWellRouted(sm, 30);
        assertThat(state("sw-2-2-0", PLUS_X)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    /** The fabric that was accepted lacks nothing that an operator took out of use. */
    @Test
    void theInventoryListsDrainedDevicesApart() throws Exception {
        FabricSm sm = start(1);
        Inventory inventory = new Inventory(StateDirectory.none(loop), sm.memory.drains()::all);
        inventory.accept(ExpectedFabric.of(found(sm)), isWritten -> {});
        drain(sm, "sw-1-1-0", PLUS_X);
        assertThat(inventory.differencesOf(found(sm))).isEmpty();
        assertThat(inventory.drained(found(sm))).singleElement().matches(each -> each.text()
                .contains("sw-1-1-0"));
        drain(sm, "sw-3-2-0", Drains.WHOLE_SWITCH);
        assertThat(inventory.differencesOf(found(sm))).isEmpty();
        assertThat(inventory.drained(found(sm)))
                .extracting(Difference::text)
                .anyMatch(text -> text.contains("\"sw-3-2-0\""))
                .anyMatch(text -> text.contains("\"host-3-2-0-0\""));
        fabric.unlink(guid("sw-0-1-0"), PLUS_X);
        advance();
        assertThat(inventory.differencesOf(found(sm)))
                .extracting(Difference::kind)
                .containsExactly(Difference.DifferenceType.MISSING_CABLE);
    }

    /** The ring would be cut. The drained part is used again, until the operator undrains it. */
    @Test
    void neededCablesAreGivenBack() throws Exception {
        FabricSm sm = start(1);
        Drain drain = drain(sm, "sw-1-1-0", PLUS_X);
        fabric.unlink(guid("sw-3-1-0"), PLUS_X);
        advance();
        assertThat(events.of(SmEvent.DRAIN_GIVEN_BACK)).hasSize(1);
        assertThat(isUsed(sm, "sw-1-1-0", PLUS_X)).isTrue();
        assertIsWellRouted(sm, 30);
        fabric.relink(guid("sw-3-1-0"), PLUS_X);
        advance();
        assertThat(isUsed(sm, "sw-1-1-0", PLUS_X)).isTrue();
        fabric.unlink(guid("sw-1-1-0"), PLUS_X);
        advance();
        assertThat(events.of(SmEvent.CABLE_LOST)).as("it served, and is missed").hasSize(2);
        fabric.relink(guid("sw-1-1-0"), PLUS_X);
        advance();
        undrain(sm, drain);
        drain(sm, "sw-1-1-0", PLUS_X);
        assertThat(isUsed(sm, "sw-1-1-0", PLUS_X)).isFalse();
        assertIsWellRouted(sm, 30);
    }

    /** One ring lost a cable. Orders about others neither take its drained cable out of use, nor end each other. */
    @Test
    void aNewDrainConcernsNoOtherOne() throws Exception {
        FabricSm sm = start(1);
        drain(sm, "sw-1-1-0", PLUS_X);
        fabric.unlink(guid("sw-3-1-0"), PLUS_X);
        advance();
        assertThat(events.of(SmEvent.DRAIN_GIVEN_BACK)).hasSize(1);
        Drain affordable = drain(sm, "sw-1-2-0", PLUS_X);
        assertThat(isUsed(sm, "sw-1-1-0", PLUS_X)).isTrue();
        assertThat(isUsed(sm, "sw-1-2-0", PLUS_X)).isFalse();
        assertThat(events.of(SmEvent.DRAIN_GIVEN_BACK)).hasSize(1);
        Drain tooMuch = drain(sm, "sw-3-2-0", PLUS_X);
        assertThat(isUsed(sm, "sw-3-2-0", PLUS_X)).isTrue();
        assertThat(isUsed(sm, "sw-1-2-0", PLUS_X)).isFalse();
        assertThat(events.of(SmEvent.DRAIN_GIVEN_BACK))
                .extracting(event -> event.get(EventField.NAME))
                .containsExactly("sw-1-1-0 port 1", tooMuch.name());
        undrain(sm, affordable);
        assertThat(isUsed(sm, "sw-3-2-0", PLUS_X)).as("its drain was cancelled").isTrue();
        assertThat(isUsed(sm, "sw-1-1-0", PLUS_X)).isTrue();
        assertIsWellRouted(sm, 30);
    }

    /** A cable is missed from the time at which it is expected again, also by an SM that began meanwhile. */
    @Test
    void aDrainedCableThatIsAwayIsLostWhenItIsUndrained() throws Exception {
        FabricSm sm = start(1);
        Drain drain = drain(sm, "sw-1-1-0", PLUS_X);
        fabric.unlink(guid("sw-1-1-0"), PLUS_X);
        advance();
        assertThat(events.of(SmEvent.CABLE_LOST)).as("it is drained").isEmpty();
        undrain(sm, drain);
        assertThat(events.only(SmEvent.CABLE_LOST).get(EventField.PORT)).isEqualTo(Integer.toString(PLUS_X));
        fabric.relink(guid("sw-1-1-0"), PLUS_X);
        advance();
        assertThat(events.of(SmEvent.CABLE_BACK)).hasSize(1);

        Drain again = drain(sm, "sw-1-1-0", PLUS_X);
        fabric.unlink(guid("sw-1-1-0"), PLUS_X);
        advance();
        sm.kill();
        FabricSm next = start(2);
        assertThat(events.of(SmEvent.CABLE_LOST)).as("it is drained again").hasSize(1);
        undrain(next, again);
        assertThat(events.of(SmEvent.CABLE_LOST)).hasSize(2);
        assertThat(next.sweeper.state().absences().cables()).hasSize(1);
    }

    @Test
    void aDrainedCableThatIsBackBeforeIsNot() throws Exception {
        FabricSm sm = start(1);
        Drain drain = drain(sm, "sw-1-1-0", PLUS_X);
        fabric.unlink(guid("sw-1-1-0"), PLUS_X);
        advance();
        fabric.relink(guid("sw-1-1-0"), PLUS_X);
        advance();
        undrain(sm, drain);
        assertThat(events.of(SmEvent.CABLE_LOST)).isEmpty();
        assertThat(sm.sweeper.state().absences().cables()).isEmpty();
    }

    @Test
    void aDrainedSwitchThatIsAwayIsLostWhenItIsUndrained() throws Exception {
        FabricSm sm = start(1);
        Drain drain = drain(sm, "sw-3-2-0", Drains.WHOLE_SWITCH);
        fabric.interventions().powerOff(guid("sw-3-2-0"));
        advance();
        assertThat(events.of(SmEvent.SWITCH_LOST)).as("it is drained").isEmpty();
        assertThat(sm.sweeper.state().absences().cables()).isEmpty();
        undrain(sm, drain);
        assertThat(events.only(SmEvent.SWITCH_LOST).get(EventField.TEXT))
                .contains("with 1 host (", "and 4 cables to switches");
        assertThat(events.of(SmEvent.CABLE_LOST)).isEmpty();
        fabric.interventions().powerOn(guid("sw-3-2-0"));
        advance();
        assertThat(events.of(SmEvent.SWITCH_BACK)).hasSize(1);
        assertThat(sm.sweeper.state().absences().cables()).isEmpty();
    }

    /** Or the SM would lose its subnet. */
    @Test
    void theSmsOwnSwitchIsNot() throws Exception {
        FabricSm sm = start(1);
        drain(sm, "sw-0-0-0", Drains.WHOLE_SWITCH);
        assertIsWellRouted(sm, 30);
    }

    private FabricSm start(int generation) throws Exception {
        MortalLoop life = new MortalLoop(loop);
        FabricSm sm = new FabricSm(
                        life,
                        fabric.attach("host-0-0-0-0", 1),
                        8,
                        ServiceHarness.torusOptions(dir, TORUS),
                        StateDirectory.open(dir.resolve("state"), life),
                        generation)
                .start();
        advance();
        return sm;
    }

    private void advance() {
        loop.runFor(TimeUnit.SECONDS.toNanos(45));
    }

    private long guid(String name) {
        return topology.node(name).orElseThrow().nodeGuid();
    }

    private static PublishedView view(FabricSm sm) {
        return Objects.requireNonNull(sm.sweeper.view());
    }

    private Drain drain(FabricSm sm, String sw, int portNum) {
        Drain drain = new Drain(guid(sw), portNum, sw + " port " + portNum, Instant.EPOCH);
        sm.memory.drains().drain(drain);
        sm.mastership.sweepHeavy();
        advance();
        return drain;
    }

    private void undrain(FabricSm sm, Drain drain) {
        sm.memory.drains().undrain(drain);
        sm.mastership.sweepHeavy();
        advance();
    }

    private boolean isUsed(FabricSm sm, String sw, int portNum) {
        Fabric found = view(sm).subnet().fabric();
        int node = found.nodeByGuid(guid(sw));
        return node != Fabric.NONE && found.peer(found.port(node, portNum)) != Fabric.NONE;
    }

    private int state(String sw, int portNum) {
        return fabric.portInfo(guid(sw), portNum).portState();
    }

    /** Checks that the engine itself routes all nodes. */
    private static void assertIsWellRouted(FabricSm sm, int nodes) {
        Plan plan = view(sm).plan();
        assertThat(plan.degradation()).isEmpty();
        assertThat(view(sm).subnet().fabric().nodeCount()).isEqualTo(nodes);
    }

    private static Fabric found(FabricSm sm) {
        return Objects.requireNonNull(sm.sweeper.state().found()).fabric();
    }
}
