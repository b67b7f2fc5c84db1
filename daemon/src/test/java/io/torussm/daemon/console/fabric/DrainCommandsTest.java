package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.Views;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.console.Commands;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.FakeStatistics;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RingState;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.testing.Seeds;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands drain and undrain on a torus of 4x4 switches with 32 cables. Each drain is evaluated first: it is
 * refused if a host would lose a path, or a ring would be cut in two pieces. One cable of each ring can be drained.
 */
@Timeout(120)
class DrainCommandsTest {
    private static final String TORUS = "torus:4x4x1,hosts=1";

    /** Random drains; enough that some are permitted and others refused. */
    private static final int TRIES = 24;

    private static final int HOSTS_AND_SWITCHES = 32;
    private static final int RINGS = 8;

    @TempDir
    Path dir;

    @Test
    void aReaderPreviewsADrainButDoesNotOrderIt() throws Exception {
        try (ServiceHarness harness = harness()) {
            assertThat(harness.end()).isEqualTo("up");
            Commands commands = new Commands(harness.control());
            Commands.Reply preview = commands.run("drain 1,1,0 1", false);
            assertThat(preview.isGood()).isTrue();
            assertThat(preview.lines()).contains("nothing was done; append yes to drain it");
            assertThat(commands.run("drain 1,1,0 1 yes", false).lines().toString())
                    .contains("nothing can be changed over TCP");
            assertThat(harness.control().drains()).isEmpty();
        }
    }

    /** Drains of random cables, which are ended again. */
    @Test
    void noDrainCutsARing() throws Exception {
        Random random = Seeds.random(1);
        try (ServiceHarness harness = harness()) {
            assertThat(harness.end()).isEqualTo("up");
            SmControl control = harness.control();
            Commands commands = new Commands(control);
            List<String> refusals = new ArrayList<>();
            for (int i = 0; i < TRIES; i++) {
                String place = random.nextInt(4) + "," + random.nextInt(4) + ",0";
                String drain = "drain " + place + " " + (1 + random.nextInt(4)) + " yes";
                Commands.Reply reply = commands.run(drain, true);
                while (reply.lines().get(0).contains("still used")) { // until the sweep of the last drain has ended
                    assertThat(harness.end()).isEqualTo("up");
                    reply = commands.run(drain, true);
                }
                if (reply.isGood()) {
                    assertThat(harness.end()).isEqualTo("up");
                    assertThatNothingIsLost(control);
                } else {
                    refusals.add(String.join(" ", reply.lines()));
                }
            }
            List<Drain> drained = control.drains();
            assertThat(drained).as(refusals.toString()).hasSizeBetween(RINGS / 2, RINGS); // one cable of a ring at most
            assertThat(refusals).anyMatch(reason -> reason.contains("no engine would route the rest as it is"));
            for (Drain drain : drained) {
                String end = "undrain 0x" + String.format("%016x", drain.nodeGuid()) + " " + drain.portNum();
                assertThat(commands.run(end, true).isGood()).isTrue();
            }
            while (!control.drains().isEmpty()) {
                assertThat(harness.end()).isEqualTo("up");
            }
        }
    }

    /** Two operators evaluate drains at the same time. Each is permitted alone, but both together would cut a ring. */
    @Test
    void aDrainEvaluatedBeforeAnotherDrainIsRefused() throws Exception {
        try (ServiceHarness harness = harness()) {
            assertThat(harness.end()).isEqualTo("up");
            SmControl control = harness.control();
            long guid = Objects.requireNonNull(control.view()).subnet().fabric().nodeGuid(0);
            List<Drain> evaluatedWith = control.drains();
            Drain first = new Drain(guid, 1, "one", Instant.EPOCH);
            Drain second = new Drain(guid, 2, "other", Instant.EPOCH);
            Future<String> early = control.requestDrain(first, evaluatedWith);
            Future<String> late = control.requestDrain(second, evaluatedWith);
            assertThat(early.get(10, TimeUnit.SECONDS)).isEmpty();
            assertThat(late.get(10, TimeUnit.SECONDS)).contains("meanwhile; ask again");
            assertThat(control.drains()).containsExactly(first);
        }
    }

    /** A switch has the names of other commands; an absent switch has the names that it had when it was drained. */
    @Test
    void drainedDevicesAreNamedLikeOthers() {
        FakeControl control = new FakeControl();
        control.view = Views.twoSwitches();
        Fabric fabric = control.view.subnet().fabric();
        long first = fabric.nodeGuid(0);
        String place = control.view.placed().place(0);
        for (String name :
                List.of(fabric.nodeName(0), place, place.replaceAll("[()]", ""), String.format("S-%016x", first))) {
            control.drains = List.of(new Drain(first, 1, "a cable", FakeStatistics.STARTED));
            assertThat(new Commands(control).run("undrain " + name + " 1", true).isGood())
                    .as(name)
                    .isTrue();
            assertThat(new Commands(control).run("undrain " + name, true).isGood())
                    .isFalse();
        }
        for (String name : List.of("sw-gone", "(7,7,7)", "7,7,7", "S-0000000000000077", "0x77")) {
            control.drains =
                    List.of(new Drain(0x77, Drains.WHOLE_SWITCH, "switch (7,7,7) sw-gone", FakeStatistics.STARTED));
            assertThat(new Commands(control).run("undrain " + name, true).isGood())
                    .as(name)
                    .isTrue();
        }
    }

    private ServiceHarness harness() throws Exception {
        String conf = ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS));
        return new ServiceHarness(dir.resolve("state"), Map.of(Settings.SIMULATE, TORUS, Settings.TORUS_CONFIG, conf));
    }

    private static void assertThatNothingIsLost(SmControl control) {
        Plan plan = Objects.requireNonNull(control.view()).plan();
        assertThat(plan.degradation()).isEmpty();
        assertThat(plan.subnet().fabric().nodeCount()).isEqualTo(HOSTS_AND_SWITCHES);
        assertThat(plan.explainer().rings()).noneMatch(ring -> ring.state() == RingState.CUT);
    }
}
