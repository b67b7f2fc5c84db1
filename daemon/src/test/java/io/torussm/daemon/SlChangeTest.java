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
 * The report and the count of SLs that change, when a dateline moves in the torus-2QoS.conf of a running SM. The torus
 * has 5x4 switches with two hosts each.
 */
@Timeout(120)
class SlChangeTest {
    private static final String TORUS = "torus:5x4x1,hosts=2";

    @TempDir
    Path dir;

    @Test
    void isReportedAndCountedWhenADatelineMoves() throws Exception {
        String text = TorusSpec.parse(TORUS).torus2QosConf();
        Path conf = Files.writeString(dir.resolve("torus-2QoS.conf"), text);
        try (ServiceHarness harness =
                new ServiceHarness(dir, Map.of(Settings.SIMULATE, TORUS, Settings.TORUS_CONFIG, conf.toString()))) {
            assertThat(harness.end()).isEqualTo("up");
            Plan before = plan(harness);
            harness.control().requestSweep(true);
            assertThat(harness.end()).isEqualTo("up");
            assertThat(harness.statusLines()).noneMatch(line -> line.contains("SL changes: "));
            assertThat(changes(harness.log.take())).isEmpty();

            Files.writeString(conf, text.replaceFirst("next_seed", "x_dateline 2\nnext_seed"));
            harness.control().requestSweep(true);
            assertThat(harness.end()).isEqualTo("up");
            long changed = changedPaths(before, plan(harness));
            assertThat(changed).isPositive();
            assertThat(harness.statusLines())
                    .anyMatch(line -> line.startsWith("routing runs: ") && line.contains(", SL changes: " + changed));
            List<LoggedEvent> told = harness.log.take();
            assertThat(told)
                    .filteredOn(logged -> logged.event() == SmEvent.TORUS_CHANGED)
                    .anyMatch(logged ->
                            logged.names("(0,0,0)", "\"sw-0-0-0\"", "0x0000000000200080 \"sw-2-0-0\"", "(3,0,0)"));
            assertThat(changes(told)).singleElement().matches(logged -> logged.names(changed + " paths"));

            harness.control().requestReroute();
            assertThat(harness.end()).isEqualTo("up");
            assertThat(changes(harness.log.take())).isEmpty();
            assertThat(harness.statusLines())
                    .anyMatch(line -> line.startsWith("routing runs: ") && line.contains(", SL changes: " + changed));
        }
    }

    private static Plan plan(ServiceHarness harness) {
        PublishedView view = Objects.requireNonNull(harness.control().view());
        return view.plan();
    }

    private static List<LoggedEvent> changes(List<LoggedEvent> told) {
        return told.stream()
                .filter(logged -> logged.event() == SmEvent.SLS_CHANGED)
                .toList();
    }

    private static long changedPaths(Plan before, Plan after) {
        long changed = 0;
        for (int slid = 1; slid <= after.subnet().topLid(); slid++) {
            for (int dlid = 1; dlid <= after.subnet().topLid(); dlid++) {
                int then = before.pathSl(slid, dlid, 0);
                int now = after.pathSl(slid, dlid, 0);
                changed += then >= 0 && now >= 0 && then != now ? 1 : 0;
            }
        }
        return changed;
    }
}
