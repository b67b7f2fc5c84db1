package io.torussm.daemon.twin;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadFrame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole SM in virtual time, on a torus of 4x3 switches, each with a host. */
class VirtualSmTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1,hosts=1");

    private final VirtualLoop clock = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TORUS.topology(), clock, FaultPlan.NONE);

    @TempDir
    Path dir;

    /** A watcher that records. */
    private static final class RecordingWatcher implements VirtualSm.Watcher {
        final List<String> sets = new ArrayList<>();
        final List<SmEvent> events = new ArrayList<>();
        final List<String> lines = new ArrayList<>();

        @Override
        public void onEvent(Finding finding) {
            events.add(finding.event());
            lines.add(finding.line());
        }

        @Override
        public void onSet(MadFrame frame) {
            sets.add(MadHeader.attributeId(frame.mad()) + " " + Arrays.hashCode(frame.mad()));
        }
    }

    @Test
    void rulesAFabricAndTellsItsWatcherOnly() throws Exception {
        RecordingWatcher notes = new RecordingWatcher();
        try (LoggedEvents logged = new LoggedEvents().listen()) {
            VirtualSm sm = start(notes);
            assertThat(sm.view()).isNull();
            assertThat(sm.runUntilIdle(LIMIT_NS)).as(notes.lines.toString()).isTrue();
            assertThat(Objects.requireNonNull(sm.plan()).engine()).isEqualTo("torus-2QoS");
            assertThat(logged.all()).isEmpty();
        }
        assertThat(notes.events).contains(SmEvent.STARTED_ON_PORT);
        assertThat(notes.sets).isNotEmpty();
    }

    @Test
    void followsFaultsUntilItsDeath() throws Exception {
        RecordingWatcher notes = new RecordingWatcher();
        VirtualSm sm = start(notes);
        assertThat(sm.runUntilIdle(LIMIT_NS)).as(notes.lines.toString()).isTrue();
        int before = notes.sets.size();
        long sw = TORUS.topology().nodes().stream()
                .filter(Topology.Node::isSwitch)
                .findFirst()
                .orElseThrow()
                .nodeGuid();
        fabric.unlink(sw, 1);
        sm.runFor(LIMIT_NS);
        assertThat(notes.sets.size()).as("requests to set something").isGreaterThan(before);
        sm.kill();
        int atDeath = notes.sets.size();
        fabric.relink(sw, 1);
        sm.runFor(LIMIT_NS);
        assertThat(sm.isDead()).isTrue();
        assertThat(notes.sets).hasSize(atDeath);
    }

    @Test
    void doesTheSameAgain() throws Exception {
        List<List<String>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            VirtualSmTest other = new VirtualSmTest();
            other.dir = dir;
            RecordingWatcher notes = new RecordingWatcher();
            VirtualSm sm = other.start(notes);
            sm.runFor(LIMIT_NS);
            runs.add(notes.sets);
        }
        assertThat(runs.get(1)).isEqualTo(runs.get(0)).hasSizeGreaterThan(100);
    }

    private SmOptions options() throws Exception {
        return ServiceHarness.options(
                dir.resolve("state"),
                Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS), Settings.SWEEP_INTERVAL, "10"));
    }

    private VirtualSm start(RecordingWatcher notes) throws Exception {
        return VirtualSm.start(clock, fabric.attach("host-0-0-0-0", 1), VirtualSm.Start.of(options()), notes);
    }
}
