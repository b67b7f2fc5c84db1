package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.event.SmEvent;
import io.torussm.routing.Plan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import io.torussm.view.PublishedView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The report and the count of paths whose SL changes, when a dateline moves in the torus-2QoS.conf of a running SM:
 * hosts have to query these paths again. The torus has 5x4 switches with two hosts each.
 */
@Timeout(120)
class SlChangeTest {
    private static final String TORUS = "torus:5x4x1,hosts=2";

    @TempDir
    Path dir;

    private final String originalConf = TorusSpec.parse(TORUS).torus2QosConf();

    private Path conf() {
        return dir.resolve("torus-2QoS.conf");
    }

    /** Returns an SM that has swept once. */
    private ServiceHarness start() throws Exception {
        Files.writeString(conf(), originalConf);
        ServiceHarness harness =
                new ServiceHarness(dir, Map.of(Settings.SIMULATE, TORUS, Settings.TORUS_CONFIG, conf().toString()));
        assertThat(harness.end()).isEqualTo("up");
        return harness;
    }

    private static void sweep(ServiceHarness harness) throws Exception {
        harness.control().requestSweep(true);
        assertThat(harness.end()).isEqualTo("up");
    }

    /** Moves the dateline of the first seed by two steps in x, and sweeps. Returns the number of changed paths. */
    private long moveDateline(ServiceHarness harness) throws Exception {
        Plan before = plan(harness);
        Files.writeString(conf(), originalConf.replaceFirst("next_seed", "x_dateline 2\nnext_seed"));
        sweep(harness);
        long changed = changedPaths(before, plan(harness));
        assertThat(changed).isPositive();
        return changed;
    }

    private static void assertCounted(ServiceHarness harness, long changed) {
        assertThat(harness.statusLines())
                .anyMatch(line -> line.startsWith("routing runs: ") && line.contains(", SL changes: " + changed));
    }

    @Test
    void aSweepWithTheSameConfigurationChangesNoSl() throws Exception {
        try (ServiceHarness harness = start()) {
            sweep(harness);
            assertThat(harness.statusLines()).noneMatch(line -> line.contains("SL changes: "));
            assertThat(changes(harness.log.take())).isEmpty();
        }
    }

    @Test
    void pathsWhoseSlChangesAreReportedAndCounted() throws Exception {
        try (ServiceHarness harness = start()) {
            long changed = moveDateline(harness);
            List<LoggedEvent> events = harness.log.take();
            assertThat(changes(events)).singleElement().matches(logged -> logged.names(changed + " paths"));
            assertThat(events)
                    .filteredOn(logged -> logged.event() == SmEvent.TORUS_CHANGED)
                    .anyMatch(logged ->
                            logged.names("(0,0,0)", "\"sw-0-0-0\"", "0x0000000000200080 \"sw-2-0-0\"", "(3,0,0)"));
            assertCounted(harness, changed);
        }
    }

    @Test
    void changedSlsAreNotReportedAgainByAReroute() throws Exception {
        try (ServiceHarness harness = start()) {
            long changed = moveDateline(harness);
            harness.log.take();
            harness.control().requestReroute();
            assertThat(harness.end()).isEqualTo("up");
            assertThat(changes(harness.log.take())).isEmpty();
            assertCounted(harness, changed);
        }
    }

    private static Plan plan(ServiceHarness harness) {
        PublishedView view = Objects.requireNonNull(harness.control().view());
        return view.plan();
    }

    private static List<LoggedEvent> changes(List<LoggedEvent> events) {
        return events.stream()
                .filter(logged -> logged.event() == SmEvent.SLS_CHANGED)
                .toList();
    }

    /** Returns the number of paths of both plans with different SLs. */
    private static long changedPaths(Plan before, Plan after) {
        long changed = 0;
        for (int slid = 1; slid <= after.subnet().topLid(); slid++) {
            for (int dlid = 1; dlid <= after.subnet().topLid(); dlid++) {
                int oldSl = before.pathSl(slid, dlid, 0);
                int newSl = after.pathSl(slid, dlid, 0);
                changed += oldSl >= 0 && newSl >= 0 && oldSl != newSl ? 1 : 0;
            }
        }
        return changed;
    }
}
