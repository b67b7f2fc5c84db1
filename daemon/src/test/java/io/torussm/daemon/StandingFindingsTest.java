package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.event.EventField;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lines of the log about a fault: its begin, its changes and its end, and none for repeated sweeps. The torus has
 * 5x4 switches with a host each.
 */
class StandingFindingsTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:5x4x1,hosts=1");

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final VirtualLoop loop = new VirtualLoop();
    private final Topology topology = TORUS.topology();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    @Test
    void aLostCableIsOneLineInAllLaterSweeps() throws Exception {
        FabricSm sm = start("torus-2QoS");
        advance(30);
        int port = plusX("sw-1-1-0", "sw-2-1-0");
        fabric.unlink(guid("sw-1-1-0"), port);
        advance(30);
        assertThat(warnings())
                .singleElement()
                .matches(lost -> lost.event() == SmEvent.CABLE_LOST)
                .matches(lost -> lost.get(EventField.COORDINATES).equals("(1,1,0)"));
        for (int i = 0; i < 5; i++) {
            sm.sweeper.sweepHeavy();
            advance(10);
        }
        sm.sweeper.reroute();
        advance(30);
        assertThat(warnings()).hasSize(1);
        fabric.relink(guid("sw-1-1-0"), port);
        advance(60);
        assertThat(log.only(SmEvent.CABLE_BACK).get(EventField.COORDINATES)).isEqualTo("(1,1,0)");
        assertThat(log.of(SmEvent.TORUS_RESTORED)).isEmpty();
        assertThat(log.of(SmEvent.FINDING_OVER)).isEmpty();
        assertThat(warnings()).hasSize(1);
        assertThat(log.of(Severity.ERROR)).isEmpty();
    }

    /** The cable that goes around is found from its other end by who counts places. */
    @Test
    void aLostCableThatWrapsIsReportedOnce() throws Exception {
        start("torus-2QoS");
        advance(30);
        fabric.unlink(guid("sw-4-2-0"), plusX("sw-4-2-0", "sw-0-2-0"));
        advance(30);
        assertThat(warnings()).singleElement().matches(lost -> lost.event() == SmEvent.CABLE_LOST);
    }

    @Test
    void aRefusalRepeatsNothing() throws Exception {
        FabricSm sm = start("torus-2QoS, no_fallback");
        advance(30);
        fabric.unlink(guid("sw-1-1-0"), plusX("sw-1-1-0", "sw-2-1-0"));
        fabric.unlink(guid("sw-3-1-0"), plusX("sw-3-1-0", "sw-4-1-0"));
        advance(30);
        int before = log.all().size();
        assertThat(log.of(SmEvent.CABLE_LOST)).hasSize(2);
        for (int i = 0; i < 5; i++) {
            sm.sweeper.sweepHeavy();
            advance(10);
        }
        assertThat(log.all().subList(before, log.all().size())).isEmpty();
    }

    /** The ring is cut, so that torus-2QoS refuses; a change of its reasons is the same condition. */
    @Test
    void useOfAFallbackEngineIsAConditionThatBeginsAndEnds() throws Exception {
        FabricSm sm = start("torus-2QoS, updn");
        advance(30);
        assertThat(sm.sweeper.state().reason()).isEmpty();
        int one = plusX("sw-1-1-0", "sw-2-1-0");
        int other = plusX("sw-3-1-0", "sw-4-1-0");
        fabric.unlink(guid("sw-1-1-0"), one);
        fabric.unlink(guid("sw-3-1-0"), other);
        advance(30);
        assertThat(log.only(SmEvent.FALLBACK_ENGINE).get(EventField.TEXT))
                .startsWith("updn, the 2nd of 2: torus-2QoS refused: ");
        assertThat(sm.sweeper.state().reason()).startsWith("routed by updn, the 2nd of 2: ");
        sm.sweeper.sweepHeavy();
        advance(30);
        log.only(SmEvent.FALLBACK_ENGINE);
        fabric.unlink(guid("sw-2-3-0"), plusX("sw-2-3-0", "sw-3-3-0"));
        fabric.unlink(guid("sw-0-3-0"), plusX("sw-0-3-0", "sw-1-3-0"));
        advance(30);
        assertThat(log.of(SmEvent.FIRST_ENGINE)).isEmpty();
        fabric.relink(guid("sw-1-1-0"), one);
        fabric.relink(guid("sw-3-1-0"), other);
        fabric.relink(guid("sw-2-3-0"), plusX("sw-2-3-0", "sw-3-3-0"));
        advance(60);
        log.only(SmEvent.FIRST_ENGINE);
        assertThat(sm.sweeper.state().fallback()).isEmpty();
    }

    /** A switch whose agent hangs has good cables, and a name although it does not tell it. */
    @Test
    void aSilentSwitchIsReportedAsSilent() throws Exception {
        FabricSm sm = start("torus-2QoS");
        advance(30);
        fabric.setAgent(guid("sw-2-2-0"), AgentProfile.CONFORMING.droppingAll());
        sm.sweeper.sweepHeavy();
        advance(7);
        assertThat(log.of(SmEvent.FABRIC_ANOMALY))
                .singleElement()
                .matches(silent -> silent.names("sw-2-2-0", "(2,2,0)"))
                .matches(silent -> !silent.names("M_Key"));
        assertThat(log.all()).noneMatch(logged -> logged.names("missing"));
    }

    /** The routes do without it from the second sweep on. */
    @Test
    void aSilentSwitchKeepsItsNameAndPlace() throws Exception {
        FabricSm sm = start("torus-2QoS");
        advance(30);
        fabric.setAgent(guid("sw-2-2-0"), AgentProfile.CONFORMING.droppingAll());
        for (int i = 0; i < 5; i++) {
            sm.sweeper.sweepHeavy();
            advance(20);
        }
        assertThat(log.of(SmEvent.FABRIC_ANOMALY))
                .allMatch(silent -> silent.names("sw-2-2-0", "(2,2,0)"))
                .hasSize(1);
        assertThat(anomalyEnds()).isEmpty();
        fabric.setAgent(guid("sw-2-2-0"), AgentProfile.CONFORMING);
        sm.sweeper.sweepHeavy();
        advance(20);
        assertThat(anomalyEnds()).singleElement().matches(over -> over.get(EventField.COORDINATES)
                .equals("(2,2,0)"));
    }

    @Test
    void aSilentHostIsReportedOnce() throws Exception {
        FabricSm sm = start("torus-2QoS");
        advance(30);
        fabric.setAgent(guid("host-2-2-0-0"), AgentProfile.CONFORMING.droppingAll());
        for (int i = 0; i < 3; i++) {
            sm.sweeper.sweepHeavy();
            advance(20);
        }
        assertThat(log.only(SmEvent.FABRIC_ANOMALY).names("host-2-2-0-0", "sw-2-2-0"))
                .isTrue();
    }

    /** The next critical cable is reported before its loss. */
    @Test
    void allCriticalCablesOfARingAreOneLineWithPlaces() throws Exception {
        start("torus-2QoS", 40);
        fabric.unlink(guid("sw-1-1-0"), plusX("sw-1-1-0", "sw-2-1-0"));
        advance(150);
        LoggedEvent line = log.only(SmEvent.SINGLE_FAILURE);
        assertThat(line.fields()).containsKeys(EventField.COORDINATES, EventField.PORT);
        assertThat(line.names("4 cables", "(2,1,0)", "(3,1,0)", "(4,1,0)", "(0,1,0)"))
                .as("%s", line)
                .isTrue();
    }

    private FabricSm start(String engines) throws Exception {
        return start(engines, 0);
    }

    private FabricSm start(String engines, int prechecks) throws Exception {
        Map<Setting<?>, String> settings = new HashMap<>();
        String conf = ServiceHarness.torusConf(dir, TORUS);
        settings.put(Settings.TORUS_CONFIG, conf);
        settings.put(Settings.ROUTING_ENGINE, engines);
        settings.put(Settings.FAILURE_PRECHECKS, Integer.toString(prechecks));
        return new FabricSm(loop, fabric, "host-0-0-0-0", 8, ServiceHarness.options(dir, settings)).start();
    }

    private void advance(int seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private long guid(String name) {
        return topology.node(name).orElseThrow().nodeGuid();
    }

    /** Returns the cable from a switch to its neighbour in +x. */
    private int plusX(String from, String to) {
        Topology.Node node = topology.node(from).orElseThrow();
        for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
            Topology.PortRef far = node.peer(portNum);
            if (far != null && far.node().description().equals(to)) {
                return portNum;
            }
        }
        throw new AssertionError(from + " is not cabled to " + to);
    }

    private List<LoggedEvent> warnings() {
        return log.of(Severity.WARNING);
    }

    private List<LoggedEvent> anomalyEnds() {
        return log.of(SmEvent.FINDING_OVER).stream()
                .filter(over -> over.names(SmEvent.FABRIC_ANOMALY.code()))
                .toList();
    }
}
