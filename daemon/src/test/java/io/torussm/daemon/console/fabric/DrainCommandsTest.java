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
import io.torussm.mad.Guid;
import io.torussm.routing.Plan;
import io.torussm.routing.RingState;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.testing.Seeds;
import io.torussm.view.PublishedView;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands drain and undrain on a torus of 4x4 switches with 32 cables. Each drain is evaluated first: it is
 * refused if a host would lose a path, or a ring would be cut in two pieces. One cable of each ring can be drained.
 */
@Timeout(120)
class DrainCommandsTest {
    private static final String TORUS = "torus:4x4x1,hosts=1";

    /** Random drains; enough that some are permitted and others refused. */
    private static final int TRIES = 24;

    private static final int SIDE = 4;
    private static final int HOSTS_AND_SWITCHES = 2 * SIDE * SIDE;
    private static final int RINGS = 2 * SIDE;
    private static final int PORTS_TO_SWITCHES = 4;
    private static final boolean OPERATOR = true;
    private static final boolean READER = false;

    /** A switch that is not in the fabric. */
    private static final long ABSENT_GUID = 0x77;

    @TempDir
    Path dir;

    @Test
    void aReaderMayPreviewADrainButNotOrderIt() throws Exception {
        try (ServiceHarness harness = harness()) {
            assertThat(harness.end()).isEqualTo("up");
            Commands commands = new Commands(harness.control());
            Commands.Reply preview = commands.run("drain 1,1,0 1", READER);
            assertThat(preview.isGood()).isTrue();
            assertThat(preview.lines()).contains("nothing was done; append yes to drain it");
            assertThat(commands.run("drain 1,1,0 1 yes", READER).lines().toString())
                    .contains("nothing can be changed over TCP");
            assertThat(harness.control().drains()).isEmpty();
        }
    }

    /** Drains random cables, and ends the drains. */
    @Test
    void noDrainOfARandomCableCutsARing() throws Exception {
        Random random = Seeds.random(1);
        try (ServiceHarness harness = harness()) {
            assertThat(harness.end()).isEqualTo("up");
            SmControl control = harness.control();
            Commands commands = new Commands(control);
            List<String> refusals = new ArrayList<>();
            for (int i = 0; i < TRIES; i++) {
                Commands.Reply reply = drainRandomCable(harness, commands, random);
                if (reply.isGood()) {
                    assertThat(harness.end()).isEqualTo("up");
                    assertThatNothingIsLost(control);
                } else {
                    refusals.add(String.join(" ", reply.lines()));
                }
            }
            assertThat(control.drains())
                    .as("at most one cable of each ring; refused: %s", refusals)
                    .hasSizeBetween(RINGS / 2, RINGS);
            assertThat(refusals).anyMatch(reason -> reason.contains("no engine would route the rest as it is"));
            endAllDrains(harness, commands);
        }
    }

    /** Tries to drain a random cable. A drain must wait for the sweep of the previous one. */
    private static Commands.Reply drainRandomCable(ServiceHarness harness, Commands commands, Random random)
            throws InterruptedException {
        String place = random.nextInt(SIDE) + "," + random.nextInt(SIDE) + ",0";
        String drain = "drain " + place + " " + (1 + random.nextInt(PORTS_TO_SWITCHES)) + " yes";
        Commands.Reply reply = commands.run(drain, OPERATOR);
        while (reply.lines().get(0).contains("still used")) {
            assertThat(harness.end()).isEqualTo("up");
            reply = commands.run(drain, OPERATOR);
        }
        return reply;
    }

    private static void endAllDrains(ServiceHarness harness, Commands commands) throws InterruptedException {
        for (Drain drain : harness.control().drains()) {
            String end = "undrain " + Guid.format(drain.nodeGuid()) + " " + drain.portNum();
            assertThat(commands.run(end, OPERATOR).isGood()).isTrue();
        }
        while (!harness.control().drains().isEmpty()) {
            assertThat(harness.end()).isEqualTo("up");
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

    @Test
    void theSwitchOfADrainedCableHasTheNamesOfOtherCommands() {
        FakeControl control = new FakeControl();
        PublishedView view = Views.twoSwitches();
        control.view = view;
        Fabric fabric = view.subnet().fabric();
        long guid = fabric.nodeGuid(0);
        String place = view.placed().place(0);
        control.drains = List.of(new Drain(guid, 1, "a cable", FakeStatistics.STARTED));
        Commands commands = new Commands(control);
        for (String name :
                List.of(fabric.nodeName(0), place, place.replaceAll("[()]", ""), String.format("S-%016x", guid))) {
            assertThat(commands.run("undrain " + name + " 1", OPERATOR).isGood())
                    .as(name)
                    .isTrue();
            assertThat(commands.run("undrain " + name, OPERATOR).isGood())
                    .as("%s, which is not drained as a whole", name)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sw-gone", "(7,7,7)", "7,7,7", "S-0000000000000077", "0x77"})
    void anAbsentSwitchHasTheNamesThatItHadWhenItWasDrained(String name) {
        FakeControl control = new FakeControl();
        control.view = Views.twoSwitches();
        control.drains =
                List.of(new Drain(ABSENT_GUID, Drains.WHOLE_SWITCH, "switch (7,7,7) sw-gone", FakeStatistics.STARTED));
        assertThat(new Commands(control).run("undrain " + name, OPERATOR).isGood())
                .isTrue();
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
