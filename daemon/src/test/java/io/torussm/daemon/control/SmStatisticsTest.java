package io.torussm.daemon.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.mastership.SmState;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.stage.Phase;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepCounts.Judgement;
import io.torussm.sweep.state.SweepCounts.SweepEnd;
import io.torussm.sweep.state.SweepCounts.SweepScope;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The counters and the status of a real SM on an embedded torus of 3x3 switches, each with a host: after the first
 * sweep, after routes are computed again, and after a refusal.
 */
@Timeout(120)
class SmStatisticsTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final int SWITCHES = 9;
    private static final int HOST_PORTS = 9;
    private static final int LINKS = 27;
    private static final int LINKS_BETWEEN_SWITCHES = 18;

    @TempDir
    Path dir;

    /** Returns an SM that has swept once. */
    private ServiceHarness start() throws Exception {
        ServiceHarness sm = new ServiceHarness(dir, Map.of(Settings.SIMULATE, TORUS));
        assertThat(sm.end()).isEqualTo("up");
        return sm;
    }

    @Test
    void theFirstSweepIsCountedWithItsProofAndItsStages() throws Exception {
        try (ServiceHarness sm = start()) {
            SweepCounts counts = statistics(sm).sweeps().counts();
            assertThat(statistics(sm).mastership().shownState()).isEqualTo(SmState.MASTER);
            assertThat(ended(sm, SweepScope.HEAVY, SweepEnd.UP)).isEqualTo(1);
            assertThat(counts.judgements(Judgement.CERTIFIED)).isEqualTo(1);
            assertThat(Objects.requireNonNull(counts.proof()).channels()).isPositive();
            for (Phase stage : Phase.values()) {
                assertThat(stages(sm, stage)).as("%s", stage).isEqualTo(1);
            }
        }
    }

    @Test
    void smpsAreCountedByAttributeMethodAndOutcome() throws Exception {
        try (ServiceHarness sm = start()) {
            assertThat(statistics(sm).smps().ended())
                    .anyMatch(ended -> ended.attribute().equals("SwitchInfo")
                            && ended.method().equals("Set")
                            && ended.outcome().equals("reply")
                            && ended.count() >= SWITCHES)
                    .noneMatch(ended -> ended.outcome().equals("timeout"));
        }
    }

    @Test
    void aRerouteIsCountedWithoutADiscovery() throws Exception {
        try (ServiceHarness sm = start()) {
            sm.control().requestReroute();
            assertThat(sm.end()).isEqualTo("up");
            assertThat(ended(sm, SweepScope.REROUTE, SweepEnd.UP)).isEqualTo(1);
            assertThat(stages(sm, Phase.DISCOVER)).isEqualTo(1);
            assertThat(stages(sm, Phase.ROUTE)).isEqualTo(2);
        }
    }

    @Test
    void statusShowsTheAgeAndTheSizeOfTheSubnet() throws Exception {
        try (ServiceHarness sm = start()) {
            SmStatus status = Objects.requireNonNull(SmStatus.of(sm.control()));
            SubnetStatus.Ruling subnet = Objects.requireNonNull(status.subnet());
            assertThat(status.version()).startsWith("torus-sm");
            assertThat(subnet.size()).isEqualTo(new FabricSize(SWITCHES, HOST_PORTS, LINKS, LINKS_BETWEEN_SWITCHES));
            assertThat(subnet.upSince()).isNotNull().isAfterOrEqualTo(status.started());
            assertThat(Objects.requireNonNull(status.sweeps().last()).outcome()).isEqualTo("up");
            assertThat(status.port().portNum()).isEqualTo(1);
        }
    }

    @Test
    void statusHasTheVerdictsOnSlsOnceTheyAreComputed() throws Exception {
        try (ServiceHarness sm = start()) {
            SlVerdicts sls = Objects.requireNonNull(sm.control().slVerdicts(TimeUnit.MINUTES.toMillis(1)));
            assertThat(sls.anySl()).isTrue();
            assertThat(Objects.requireNonNull(SmStatus.of(sm.control())).sls()).isSameAs(sls);
        }
    }

    @Test
    void aRerouteDoesNotChangeTheTimeSinceWhenTheSubnetIsUp() throws Exception {
        try (ServiceHarness sm = start()) {
            SubnetStatus.Ruling subnet = Objects.requireNonNull(
                    Objects.requireNonNull(SmStatus.of(sm.control())).subnet());
            sm.control().requestReroute();
            assertThat(sm.end()).isEqualTo("up");
            SmStatus later = Objects.requireNonNull(SmStatus.of(sm.control()));
            assertThat(Objects.requireNonNull(later.subnet()).upSince()).isEqualTo(subnet.upSince());
            assertThat(Objects.requireNonNull(later.sweeps().last()).ended()).isAfter(subnet.upSince());
        }
    }

    @Test
    void aSweepWhoseRoutesAreRefusedIsCountedWithoutAProof() throws Exception {
        String otherTorus = ServiceHarness.torusConf(dir, TorusSpec.parse("torus:3x4x1"));
        Map<Setting<?>, String> settings = Map.of(
                Settings.SIMULATE,
                TORUS,
                Settings.TORUS_CONFIG,
                otherTorus,
                Settings.ROUTING_ENGINE,
                "torus-2QoS,no_fallback");
        try (ServiceHarness sm = new ServiceHarness(dir.resolve("state"), settings)) {
            assertThat(sm.end()).startsWith("refused");
            assertThat(ended(sm, SweepScope.HEAVY, SweepEnd.REFUSED)).isEqualTo(1);
            assertThat(statistics(sm).sweeps().counts().judgements(Judgement.REFUSED))
                    .isEqualTo(1);
            assertThat(statistics(sm).sweeps().counts().proof()).isNull();
        }
    }

    private static SmStatistics statistics(ServiceHarness sm) {
        return Objects.requireNonNull(sm.control().statistics());
    }

    /** Returns the number of sweeps of a scope that had an outcome. */
    private static long ended(ServiceHarness sm, SweepScope kind, SweepEnd end) {
        return statistics(sm).sweeps().counts().counts().stream()
                .filter(count -> count.kind() == kind && count.end() == end)
                .mapToLong(SweepCounts.Count::count)
                .sum();
    }

    /** Returns the number of times that a stage has run. */
    private static long stages(ServiceHarness sm, Phase stage) {
        return statistics(sm).sweeps().counts().times().stream()
                .filter(times -> times.stage() == stage)
                .flatMap(times -> times.buckets().stream())
                .mapToLong(Long::longValue)
                .sum();
    }
}
