package io.torussm.daemon.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.control.LabControl;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.datagram.SocketLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The control of a simulated fabric by HTTP and torus-smctl instead of its standard input. The fabric is a line of
 * three switches.
 */
@Timeout(60)
class LabControlTest {
    private static final String CABLE = "\"S-0000000000200000\"[5]";
    private static final Topology TOPOLOGY =
            TorusSpec.parse("torus:1x1x3,mesh=z").topology();

    @TempDir
    Path dir;

    private SocketLoop loop;
    private LabControl control;

    @BeforeEach
    void start() throws Exception {
        loop = new SocketLoop("lab-in-test", defect -> {
            throw new AssertionError(defect);
        });
        FutureTask<LabControl> begun = new FutureTask<>(() -> {
            SimFabric fabric = new SimFabric(TOPOLOGY, loop, FaultPlan.NONE);
            return new RemoteControl(new Lab(fabric, TOPOLOGY, loop, loop, ServeLimits.DEFAULT), TOPOLOGY, loop);
        });
        loop.execute(begun);
        control = begun.get();
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void stateReportsFaultsAndActions() throws Exception {
        assertThat(get(control.execute("Unlink " + CABLE, "olga")).isGood()).isTrue();
        assertThat(get(control.execute("nonsense", "olga")).isGood()).isFalse();
        LabControl.State state = get(control.state());
        assertThat(state.switches()).isEqualTo(3);
        assertThat(state.hosts()).isEqualTo(3);
        assertThat(state.broken()).singleElement().satisfies(each -> assertThat(each.subject())
                .isEqualTo(CABLE));
        assertThat(state.done()).extracting(LabControl.ExecutedLine::isGood).containsExactly(true, false);
        assertThat(state.done()).extracting(LabControl.ExecutedLine::who).containsOnly("olga");
        assertThat(state.mads()).containsEntry("sent", 0L);
        assertThat(state.server()).containsEntry("attached", 0L);
        assertThat(state.clients()).isEmpty();
    }

    @Test
    void scriptsAreBegunOrReportErrors() throws Exception {
        assertThat(get(control.begin("a.faults", "1 h  Off \"S-1\"\n", "olga")).lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("a.faults:1: nodeid \"S-1\""));
        assertThat(get(control.begin("a.faults", "1 h  Heal\n", "olga")).isGood())
                .isTrue();
        assertThat(get(control.state()).coming()).singleElement().satisfies(each -> {
            assertThat(each.where()).isEqualTo("a.faults:1");
            assertThat(each.inS()).isBetween(3_500.0, 3_600.0);
        });
        assertThat(get(control.state()).done()).singleElement().satisfies(each -> {
            assertThat(each.who()).isEqualTo("olga");
            assertThat(each.line()).isEqualTo("script a.faults");
        });
    }

    @Test
    void theLabSocketDoesNotEndTheProcessOrReadFiles() throws Exception {
        assertThat(get(control.execute("Quit", "olga")).isGood()).isFalse();
        assertThat(get(control.execute("!/etc/passwd", "olga")).lines())
                .containsExactly("# files are read only for the console of the process itself");
    }

    @Test
    void torusSmctlSpeaksToItsSocket() throws Exception {
        Path socket = dir.resolve("lab.sock");
        LabServers.ServerAddresses plan =
                new LabServers.ServerAddresses(socket, null, null, LabServers.ServerAddresses.NONE.files());
        try (LabServers servers = LabServers.open(plan, control)) {
            assertThat(servers).isNotNull();
            assertThat(Files.getPosixFilePermissions(socket)).isEqualTo(PosixFilePermissions.fromString("rw-rw----"));
            List<String> lines = new ArrayList<>();
            int patienceMs = (int) TimeUnit.SECONDS.toMillis(20);
            String request = ConsoleClient.request(List.of("Unlink", "S-0000000000200000[5]"));
            assertThat(ConsoleClient.execute(socket, request, patienceMs, lines::add))
                    .isTrue();
            assertThat(ConsoleClient.execute(socket, "Unlink " + CABLE, patienceMs, lines::add))
                    .isFalse();
            assertThat(lines).singleElement().satisfies(line -> assertThat(line).contains("is not linked"));
        }
        assertThat(get(control.state()).broken()).hasSize(1);
    }

    private static <T> T get(CompletionStage<T> stage) throws ExecutionException, InterruptedException {
        return stage.toCompletableFuture().join();
    }
}
