package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.SmEvent;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.serve.FabricServer;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import io.torussm.transport.datagram.SocketLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole program in process, from the command line to the dump files, on embedded fabrics. */
@Timeout(120)
class OnceTest {
    private static final Path GOLDEN = Path.of("..", "routing-torus2qos", "src", "test", "resources", "golden");
    private static final String SMALL = "torus:3x3x1,hosts=2";

    @TempDir
    Path dir;

    @Test
    void bringsAnEmbeddedTorusUpAndWritesTheDumps() throws Exception {
        assertThat(runOnce("a", "--simulate", SMALL, "-Q")).isEqualTo(ExitCode.OK);
        assertThat(dir.resolve("a/opensm-subnet.lst")).isNotEmptyFile();
        assertThat(dir.resolve("a/opensm-path-sl.dump")).isNotEmptyFile();
        assertThat(Files.readAllLines(dir.resolve("a/opensm-torus.dump"))).hasSizeGreaterThanOrEqualTo(9);
        assertThat(Files.readString(dir.resolve("a/opensm-lfts.dump"))).contains("sw-2-2-0");
        assertThat(Files.readString(dir.resolve("a/fabric.topo"))).contains("host-2-2-0-1");
        assertThat(logged("a", SmEvent.PROOF_DONE)).hasSize(1);
        assertThat(logged("a", SmEvent.SUBNET_UP)).singleElement().matches(up -> up.names("9 switches, 18 host ports"));
    }

    /** Over the protocol of ibsim, and without libumad2sim. */
    @Test
    void rulesAFabricThatAnotherProcessServes() throws Exception {
        TorusSpec spec = TorusSpec.parse(SMALL);
        Path conf = Files.writeString(dir.resolve("torus.conf"), spec.torus2QosConf());
        String address = "unix:once-" + ProcessHandle.current().pid();
        try (SocketLoop loop = new SocketLoop("fabric", thrown -> {
            throw new IllegalStateException(thrown);
        })) {
            FutureTask<Boolean> listens = new FutureTask<>(() -> {
                SimFabric fabric = new SimFabric(spec.topology(), loop, FaultPlan.NONE);
                new FabricServer(fabric, spec.topology(), loop, loop, ServeLimits.DEFAULT)
                        .listen(ListenAddress.parse(address));
                return true;
            });
            loop.execute(listens);
            assertThat(listens.get()).isTrue();
            assertThat(runOnce("served", "--simulate", address, "-Q", "--torus_config", conf.toString()))
                    .isEqualTo(ExitCode.OK);
        }
        assertThat(logged("served", SmEvent.SUBNET_UP))
                .singleElement()
                .matches(up -> up.names("9 switches, 18 host ports"));
    }

    @Test
    void refusesATorusWithoutQosAndSaysWhatToDo() throws Exception {
        assertThat(runOnce("a", "--simulate", SMALL)).isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(logged("a", SmEvent.ROUTING_REFUSED)).singleElement().matches(refused -> refused.names("-Q"));
        assertThat(dir.resolve("a")).doesNotExist();
    }

    /** Threads and arrival order differ between runs; windows too, here. Tables must not. */
    @ParameterizedTest
    @ValueSource(strings = {"65_mesh", "333_par2_hosts3", "345_pristine"})
    void computesTheSameTablesByteForByteInEveryRun(String golden) throws Exception {
        Path topology = unpack(golden);
        String[] fabric = {
            "--simulate",
            topology.toString(),
            "--torus_config",
            GOLDEN.resolve(golden).resolve("torus-2QoS.conf").toString(),
            "-Q"
        };
        assertThat(runOnce("a", fabric)).isEqualTo(ExitCode.OK);
        List<String> other = new ArrayList<>(List.of(fabric));
        other.addAll(List.of("-n", "3"));
        assertThat(runOnce("b", other.toArray(new String[0]))).isEqualTo(ExitCode.OK);
        for (String file : List.of("opensm-lfts.dump", "opensm-sl2vl.dump", "opensm-path-sl.dump")) {
            assertThat(dir.resolve("a").resolve(file)).isNotEmptyFile();
            assertThat(Files.mismatch(
                            dir.resolve("a").resolve(file), dir.resolve("b").resolve(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
    }

    @Test
    void routesWithoutAnAmbiguouslyPlacedSwitchOnlyIfConfigured() throws Exception {
        String golden = "65_link_nT_To";
        String[] fabric = {
            "--simulate",
            unpack(golden).toString(),
            "--torus_config",
            GOLDEN.resolve(golden).resolve("torus-2QoS.conf").toString(),
            "-Q",
            "-F",
            Files.writeString(dir.resolve("sm.conf"), "").toString()
        };
        assertThat(runOnce("a", fabric)).isEqualTo(ExitCode.ROUTING_REFUSED);
        Files.writeString(dir.resolve("sm.conf"), "accept_unplaced_switches = true");
        assertThat(runOnce("b", fabric)).isEqualTo(ExitCode.OK);
        assertThat(logged("b", SmEvent.TORUS_PLACEMENT_WARNING)).anyMatch(told -> told.names("(3,1,0)"));
    }

    /** Runs {@code --once}; each run has directories, a console and a log of its own. */
    private ExitCode runOnce(String run, String... more) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "--once",
                "-R",
                "torus-2QoS,no_fallback",
                "--state-dir",
                dir.resolve(run + "-state").toString(),
                "--dump_files_dir",
                dir.resolve(run).toString(),
                "--control-socket",
                dir.resolve(run + ".sock").toString(),
                "-f",
                dir.resolve(run + ".log").toString()));
        arguments.addAll(List.of(more));
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        ExitCode end = Main.run(
                arguments.toArray(new String[0]),
                SubnetManager::open,
                printed,
                new PrintStream(errors, true, StandardCharsets.UTF_8));
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
        return end;
    }

    private List<LoggedEvent> logged(String run, SmEvent event) throws IOException {
        return LoggedEvents.in(Files.readString(dir.resolve(run + ".log"))).stream()
                .filter(logged -> logged.event() == event)
                .toList();
    }

    private Path unpack(String golden) throws IOException {
        Path unpacked = dir.resolve("fabric.topo");
        try (InputStream packed =
                new GZIPInputStream(Files.newInputStream(GOLDEN.resolve(golden).resolve("fabric.topo.gz")))) {
            Files.copy(packed, unpacked);
        }
        return unpacked;
    }
}
