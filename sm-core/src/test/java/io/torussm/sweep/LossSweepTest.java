package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import io.torussm.testing.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The events of a complete SM about the loss and return of switches and cables. The tree has leaves 0 to 3 with two
 * hosts each and spines 4 to 6; ports 1 to 3 of a leaf lead to the spines. The other fabric is a ring of 8 with 4
 * chords.
 */
class LossSweepTest {
    private static final List<SmEvent> LOSSES = List.of(
            SmEvent.CABLE_LOST,
            SmEvent.CABLE_BACK,
            SmEvent.SWITCH_LOST,
            SmEvent.SWITCH_BACK,
            SmEvent.MANY_LOST,
            SmEvent.MANY_BACK,
            SmEvent.PARTLY_BACK);

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TempDir
    Path dir;

    private SweepHarness sm = new SweepHarness(tree(), FaultPlan.NONE);

    /** Cables of a topology as text, until it is built. */
    private static final class Drawing {
        private final StringBuilder[] switches;
        private final int[] used;
        private final StringBuilder hosts = new StringBuilder();

        Drawing(int size) {
            switches = new StringBuilder[size];
            used = new int[size];
            for (int sw = 0; sw < size; sw++) {
                switches[sw] = new StringBuilder("switchguid=0x" + Integer.toHexString(0xa00 + sw) + "\nSwitch 36 \"S-"
                        + sw + "\" # \"sw-" + sw + "\" enhanced port 0\n");
            }
        }

        void link(int swA, int swB) {
            int portA = ++used[swA];
            int portB = ++used[swB];
            switches[swA].append("[" + portA + "] \"S-" + swB + "\"[" + portB + "]\n");
            switches[swB].append("[" + portB + "] \"S-" + swA + "\"[" + portA + "]\n");
        }

        void host(String name, int sw) {
            int port = ++used[sw];
            switches[sw].append("[" + port + "] \"H-" + name + "\"[1]\n");
            hosts.append("Ca 1 \"H-" + name + "\" # \"" + name + "\"\n[1] \"S-" + sw + "\"[" + port + "]\n\n");
        }

        Topology build() {
            return SweepHarness.topology(String.join("\n", switches) + "\n" + hosts);
        }
    }

    /** Returns a tree: leaves 0 to 3 with two hosts each, spines 4 to 6. */
    private static Topology tree() {
        Drawing drawing = new Drawing(7);
        for (int leaf = 0; leaf < 4; leaf++) {
            for (int spine = 4; spine < 7; spine++) {
                drawing.link(leaf, spine);
            }
            drawing.host(leaf == 0 ? SweepHarness.HOST : "host-" + leaf, leaf);
            drawing.host("other-" + leaf, leaf);
        }
        return drawing.build();
    }

    /** Returns a ring of eight with chords between half of them, and a host each. */
    private static Topology random() {
        Random random = Seeds.random(45);
        Drawing drawing = new Drawing(8);
        for (int sw = 0; sw < 8; sw++) {
            drawing.link(sw, (sw + 1) % 8);
        }
        for (int chord = 0; chord < 4; chord++) {
            int from = random.nextInt(8);
            drawing.link(from, (from + 2 + random.nextInt(5)) % 8);
        }
        for (int sw = 0; sw < 8; sw++) {
            drawing.host(sw == 0 ? SweepHarness.HOST : "host-" + sw, sw);
        }
        return drawing.build();
    }

    static Stream<Arguments> shapes() {
        return Stream.of(
                Arguments.of(tree(), new UpDownEngine()),
                Arguments.of(tree(), new FatTreeEngine()),
                Arguments.of(random(), new MinHopEngine()));
    }

    private static Engine refusing() {
        return new Engine() {
            @Override
            public String name() {
                return "refusing";
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return new Refusal(name(), List.of(Finding.error("no way")));
            }
        };
    }

    private void start(Topology topology, Engine engine) {
        sm = new SweepHarness(topology, FaultPlan.NONE, SweepHarness.settings(), dir);
        sm.engine = engine;
        sm.sweep();
        sm.awaitRest();
    }

    private long guid(String name) {
        return sm.node(name).nodeGuid();
    }

    private List<LoggedEvent> events() {
        return log.all().stream()
                .filter(event -> LOSSES.contains(event.event()))
                .toList();
    }

    private List<SmEvent> codes() {
        return events().stream().map(LoggedEvent::event).toList();
    }

    private void pullCable(String sw, int port) {
        sm.fabric.unlink(guid(sw), port);
        sm.loop.runFor(2_000_000_000L);
        sm.awaitRest();
    }

    private void plugCable(String sw, int port) {
        sm.fabric.relink(guid(sw), port);
        sm.loop.runFor(2_000_000_000L);
        sm.awaitRest();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aCableIsAPairOfEventsHoweverOftenTheFabricIsSwept(Topology topology, Engine engine) {
        start(topology, engine);
        assertThat(events()).as("nothing is lost at the start").isEmpty();
        pullCable("sw-1", 2);
        sm.sweep();
        sm.sweep();
        assertThat(codes()).containsExactly(SmEvent.CABLE_LOST);
        LoggedEvent lost = events().get(0);
        assertThat(lost.event().severity()).isEqualTo(Severity.WARNING);
        assertThat(lost.names("sw-1")).isTrue();
        assertThat(lost.get(EventField.DESTINATION)).contains("sw-");
        plugCable("sw-1", 2);
        sm.sweep();
        assertThat(codes()).containsExactly(SmEvent.CABLE_LOST, SmEvent.CABLE_BACK);
        assertThat(events().get(1).get(EventField.GUID)).isEqualTo(lost.get(EventField.GUID));
        assertThat(events().get(1).get(EventField.PORT)).isEqualTo(lost.get(EventField.PORT));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aSwitchIsAPairOfEvents(Topology topology, Engine engine) {
        start(topology, engine);
        sm.fabric.failSwitch(guid("sw-5"));
        sm.sweep();
        sm.awaitRest();
        assertThat(codes()).containsExactly(SmEvent.SWITCH_LOST);
        assertThat(events().get(0).names("sw-5", "cables to switches")).isTrue();
        sm.fabric.restoreSwitch(guid("sw-5"));
        sm.sweep();
        sm.awaitRest();
        assertThat(codes()).containsExactly(SmEvent.SWITCH_LOST, SmEvent.SWITCH_BACK);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void reportsTwoSimultaneousLossesAndAFlappingSwitch(Topology topology, Engine engine) {
        start(topology, engine);
        sm.fabric.unlink(guid("sw-1"), 1);
        sm.fabric.unlink(guid("sw-3"), 1);
        sm.sweep();
        assertThat(codes()).containsExactly(SmEvent.CABLE_LOST, SmEvent.CABLE_LOST);
        for (int i = 0; i < 4; i++) {
            plugCable("sw-1", 1);
            sm.sweep();
            pullCable("sw-1", 1);
            sm.sweep();
        }
        assertThat(codes()).hasSize(10);
        assertThat(log.of(SmEvent.CABLE_BACK)).hasSize(4).allMatch(back -> back.names("sw-1"));
        assertThat(sm.sweeper.state().absences().losses()).hasSize(2);
    }

    /** A restarted SM knows earlier absences, but does not report them again. */
    @ParameterizedTest
    @MethodSource("shapes")
    void aRestartReportsNothingButKnowsAbsentDevices(Topology topology, Engine engine) {
        start(topology, engine);
        pullCable("sw-1", 2);
        sm.sweep();
        sm.restart();
        sm.sweep();
        sm.awaitRest();
        assertThat(codes()).containsExactly(SmEvent.CABLE_LOST);
        assertThat(sm.sweeper.state().absences().losses()).hasSize(1);
        plugCable("sw-1", 2);
        sm.sweep();
        assertThat(codes()).containsExactly(SmEvent.CABLE_LOST, SmEvent.CABLE_BACK);
    }

    /** The next SM reports the loss with the name of the switch, and later the return. */
    @ParameterizedTest
    @MethodSource("shapes")
    void aSwitchLostWithoutARunningSmIsAPairOfEvents(Topology topology, Engine engine) {
        start(topology, engine);
        sm.fabric.failSwitch(guid("sw-5"));
        sm.restart();
        sm.sweep();
        sm.awaitRest();
        assertThat(codes()).containsExactly(SmEvent.SWITCH_LOST);
        assertThat(events().get(0).names("sw-5", "cables to switches")).isTrue();
        sm.restart();
        sm.sweep();
        sm.awaitRest();
        assertThat(codes()).as("it is reported once").containsExactly(SmEvent.SWITCH_LOST);
        sm.fabric.restoreSwitch(guid("sw-5"));
        sm.sweep();
        sm.awaitRest();
        assertThat(codes()).containsExactly(SmEvent.SWITCH_LOST, SmEvent.SWITCH_BACK);
        assertThat(events().get(1).get(EventField.GUID))
                .isEqualTo(events().get(0).get(EventField.GUID));
        assertThat(sm.sweeper.state().absences().losses()).isEmpty();
    }

    /** Three cables of spine 6 are reported as lost. The fourth one is lost together with leaf 3. */
    @Test
    void aSwitchIsAnEventOfTheNextSmThoughItsCablesWereLostBefore() {
        start(tree(), new UpDownEngine());
        for (int leaf = 0; leaf < 3; leaf++) {
            pullCable("sw-" + leaf, 3);
        }
        assertThat(log.of(SmEvent.CABLE_LOST)).hasSize(3);
        sm.fabric.failSwitch(guid("sw-3"));
        sm.fabric.failSwitch(guid("sw-6"));
        for (int i = 0; i < 3; i++) {
            sm.restart();
            sm.sweep();
            sm.awaitRest();
        }
        assertThat(log.of(SmEvent.SWITCH_LOST))
                .as("once each")
                .satisfiesExactly(
                        leaf -> assertThat(leaf.names("sw-3")).isTrue(),
                        spine -> assertThat(spine.names("sw-6")).isTrue());
        assertThat(events()).hasSize(5);
    }

    @Test
    void aRefusedFabricIsReportedToo() {
        start(tree(), new UpDownEngine());
        sm.engine = refusing();
        pullCable("sw-1", 2);
        sm.sweep();
        assertThat(codes()).containsExactly(SmEvent.CABLE_LOST);
    }

    /** One link of the switch is excluded, and another link is lost. */
    @Test
    void aLinkThatIsLeftOutHidesNoLossOfItsSwitch() {
        sm.isRequestLost = mad -> Devices.wantedState(mad) >= 0
                && (MadHeader.attributeModifier(mad) & 0xff) == 2
                && BadDeviceTest.endOf(sm, mad) == guid("sw-5");
        sm.sweep();
        sm.awaitRest();
        passLightSweeps(4);
        assertThat(sm.sweeper.excludedParts()).singleElement().satisfies(entry -> assertThat(entry.portNum())
                .isEqualTo(2));
        sm.fabric.unlink(guid("sw-5"), 3);
        passLightSweeps(2);
        assertThat(events()).extracting(LoggedEvent::event).containsExactly(SmEvent.CABLE_LOST);
    }

    /** All links of a switch are excluded. During this time one of the cables is lost. */
    @Test
    void aCableThatIsLostUnseenIsReportedWhenItsSwitchIsBack() {
        sm.fabric.setAgent(guid("sw-5"), AgentProfile.CONFORMING.ignoringSets(PortInfo.TYPE.id()));
        sm.sweep();
        sm.awaitRest();
        passLightSweeps(6);
        sm.fabric.unlink(guid("sw-5"), 3);
        passLightSweeps(2);
        log.take();
        sm.fabric.setAgent(guid("sw-5"), AgentProfile.CONFORMING);
        passLightSweeps(20);
        assertThat(sm.sweeper.excludedParts()).isEmpty();
        assertThat(events()).extracting(LoggedEvent::event).containsExactly(SmEvent.CABLE_LOST);
    }

    /** The cable of the port is present, and is unplugged later. */
    @Test
    void aPortThatDoesNotRespondHasLostNoCable() {
        sm.sweep();
        sm.awaitRest();
        sm.isRequestLost = mad -> MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                && (MadHeader.attributeModifier(mad) & 0xff) == 2
                && BadDeviceTest.endOf(sm, mad) == guid("sw-5");
        sm.sweep();
        sm.awaitRest();
        assertThat(events()).isEmpty();
        sm.fabric.unlink(guid("sw-5"), 2);
        sm.isRequestLost = mad -> false;
        sm.sweep();
        sm.awaitRest();
        assertThat(events()).extracting(LoggedEvent::event).containsExactly(SmEvent.CABLE_LOST);
    }

    private void passLightSweeps(int count) {
        for (int i = 0; i < count; i++) {
            sm.sweepLight();
            sm.awaitRest();
            sm.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        }
    }
}
