package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.daemon.replay.Decision;
import io.torussm.daemon.replay.Replay;
import io.torussm.daemon.replay.StormReplay;
import io.torussm.recording.FlightRecorder;
import io.torussm.recording.Recording;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replay of a recording that begins long after its SM, because the ring contains the last minutes only. */
class RecordedLaterTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1,hosts=1");
    private static final int RING = 100_000;

    @TempDir
    Path dir;

    @Test
    void repeatsTheDecisionsAfterAFault() throws Exception {
        VirtualLoop clock = new VirtualLoop();
        clock.runFor(TimeUnit.SECONDS.toNanos(120)); // the machine boots: a replay begins a minute before the recording
        SimFabric fabric = new SimFabric(TORUS.topology(), clock, FaultPlan.NONE);
        MortalLoop life = new MortalLoop(clock);
        SmOptions options = ServiceHarness.options(
                dir.resolve("state"), Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS)));
        SmRecorder recorder = new SmRecorder(new FlightRecorder(life::nowNs, RING));
        FabricSm sm = new FabricSm(
                life,
                fabric.attach("host-0-0-0-0", 1),
                8,
                options,
                StateDirectory.open(dir.resolve("state"), recorder.wrapDiskLoop(life)),
                Runnable::run,
                1,
                null,
                dir.resolve("state"),
                recorder);
        sm.start();
        clock.runFor(TimeUnit.SECONDS.toNanos(600));
        long sw = TORUS.topology().node("sw-1-1-0").orElseThrow().nodeGuid();
        for (int port = 1; port <= 2; port++) {
            fabric.unlink(sw, port);
            clock.runFor(TimeUnit.SECONDS.toNanos(30));
        }
        fabric.relink(sw, 1);
        clock.runFor(TimeUnit.SECONDS.toNanos(30));
        Recording recording = Objects.requireNonNull(recorder.ring().recording("the test"));
        assertThat(recording.isFromStart()).isFalse();

        List<Decision> first = decisions(recording);
        assertThat(decisions(recording)).isEqualTo(first);
        List<String> recorded = sweeps(new Replay(recording, "ring").recordedDecisions());
        assertThat(recorded).hasSizeGreaterThanOrEqualTo(3);
        assertThat(sweeps(first)).isEqualTo(recorded);
    }

    private static List<Decision> decisions(Recording recording) throws Exception {
        List<Decision> all = new ArrayList<>();
        Replay replay = StormReplay.of(recording, 8);
        assertThat(replay.run(Long.MAX_VALUE, all::add).isFromStart()).isFalse();
        return all;
    }

    private static List<String> sweeps(List<Decision> decisions) {
        return decisions.stream()
                .filter(decision -> decision.kind() == Decision.DecisionType.SWEEP)
                .map(decision -> decision.text().replaceAll(".* links; ", "").replaceAll(".*activated; ", ""))
                .toList();
    }
}
