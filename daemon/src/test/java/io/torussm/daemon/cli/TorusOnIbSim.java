package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.Simulation;
import io.torussm.testing.Simulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A torus, or another fabric, on a simulator, ibsim unless another is named, with SMs and the field's tools
 * at its hosts. SMs that run at its end are killed.
 */
final class TorusOnIbSim implements AutoCloseable {
    private static final long TIMEOUT_S = 90;

    private final Path dir;
    private final String toolHost;
    private final Simulation sim;
    private final List<Sm> started = new ArrayList<>();
    private String engine = "torus-2QoS";

    /**
     * Starts ibsim.
     *
     * @param torus as {@code torus:4x3x1,hosts=1}
     * @param toolHost where tools run
     * @param dir for all files; the working directory of all programs
     */
    TorusOnIbSim(String torus, String toolHost, Path dir) throws IOException {
        this(Simulator.IBSIM, torus, toolHost, dir);
    }

    /** Starts a fabric on a simulator. */
    TorusOnIbSim(Simulator simulator, String torus, String toolHost, Path dir) throws IOException {
        this(simulator, TorusSpec.parse(torus).topology(), toolHost, dir);
        Files.writeString(conf(), TorusSpec.parse(torus).torus2QosConf());
    }

    /** Starts ibsim with any fabric; there is no torus-2QoS.conf. */
    TorusOnIbSim(Topology topology, String toolHost, Path dir) throws IOException {
        this(Simulator.IBSIM, topology, toolHost, dir);
    }

    /** Starts a fabric on a simulator. */
    TorusOnIbSim(Simulator simulator, Topology topology, String toolHost, Path dir) throws IOException {
        simulator.assumeInstalled();
        this.dir = dir;
        this.toolHost = toolHost;
        Path file = dir.resolve("fabric.topo");
        try (Writer writer = Files.newBufferedWriter(file)) {
            TopologyText.write(topology, writer);
        }
        sim = simulator.start(file);
    }

    /** Names the routing engine of all SMs that are started from now on. */
    void routeWith(String name) {
        engine = name;
    }

    /** Returns the path of torus-2QoS.conf. */
    Path conf() {
        return dir.resolve("torus-2QoS.conf");
    }

    /** A subnet manager or another program, and its output. */
    static final class Sm {
        final Process process;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final List<String> seen = new ArrayList<>();

        private Sm(Process process) {
            this.process = process;
            Thread reader = new Thread(
                    () -> {
                        try (BufferedReader log = process.inputReader(UTF_8)) {
                            log.lines().forEach(lines::add);
                        } catch (IOException | UncheckedIOException e) {
                            lines.add(e.toString());
                        }
                    },
                    "sm-log");
            reader.setDaemon(true);
            reader.start();
        }

        /**
         * Waits for a line with one of some texts, after the lines of earlier waits; returns its time in
         * nanoseconds.
         */
        long await(String... wanted) throws InterruptedException {
            for (String line = next(wanted); ; line = next(wanted)) {
                if (Arrays.stream(wanted).anyMatch(line::contains)) {
                    return System.nanoTime();
                }
            }
        }

        /**
         * Waits until each text was in a line, be the lines in this order or in another, as those are that
         * several threads write.
         */
        void awaitAll(String... wanted) throws InterruptedException {
            List<String> missing = new ArrayList<>(List.of(wanted));
            while (!missing.isEmpty()) {
                missing.removeIf(next(missing.toArray(String[]::new))::contains);
            }
        }

        private String next(String... wanted) throws InterruptedException {
            String line = lines.poll(TIMEOUT_S, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError(
                        "no line with " + String.join(" or ", wanted) + ":\n" + String.join("\n", seen));
            }
            seen.add(line);
            return line;
        }

        /** Kills the process by SIGKILL, and waits for its end, after which it holds no file. */
        void kill() {
            process.destroyForcibly().onExit().join();
        }

        /** Ends the process by SIGTERM, and returns its exit status. */
        int end() throws InterruptedException {
            process.destroy();
            return process.waitFor();
        }
    }

    /**
     * Starts a torus-sm with its own state directory, {@code state-HOST}, and without a web server unless the options
     * name one.
     */
    Sm torusSm(String host, String... options) throws IOException {
        // under nohup a JVM would ignore SIGHUP
        List<String> command = new ArrayList<>(List.of("/usr/bin/env", "--default-signal=HUP"));
        command.addAll(IbSim.java(
                "io.torussm.daemon.cli.Main",
                "-Q",
                "-R",
                engine,
                "--torus_config",
                conf().toString(),
                "--control-socket",
                controlSocket(host).toString(),
                "--state-dir",
                "state-" + host));
        command.addAll(List.of(options));
        if (!command.contains("--http-listen")) {
            command.addAll(List.of("--http-listen", "none"));
        }
        return start(host, command);
    }

    /**
     * Starts an OpenSM that takes over from a dead master within 3 s. The test is skipped if OpenSM is not installed.
     */
    Sm openSm(String host, String... options) throws IOException {
        return openSm(host, List.of(), options);
    }

    /** Starts an OpenSM with lines of opensm.conf. */
    Sm openSm(String host, List<String> lines, String... options) throws IOException {
        Path cache = Files.createDirectories(dir.resolve("cache-" + host));
        Path settings = Files.writeString(
                dir.resolve("opensm-" + host + ".conf"),
                "force_log_flush TRUE\nsminfo_polling_timeout 1000\npolling_retry_number 2\ndump_files_dir " + cache
                        + "\n" + String.join("\n", lines) + "\n");
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/env",
                "OSM_CACHE_DIR=" + cache,
                "OSM_TMP_DIR=" + cache,
                Programs.requireProgram("opensm"),
                "-F",
                settings.toString(),
                "-Q",
                "-R",
                engine + ",no_fallback",
                "--torus_config",
                conf().toString(),
                "-f",
                "stdout"));
        command.addAll(List.of(options));
        return start(host, command);
    }

    /** Starts a program that runs at a host until the test ends. */
    Sm start(String host, List<String> command) throws IOException {
        Sm sm = new Sm(sim.client(host, command, dir).redirectErrorStream(true).start());
        started.add(sm);
        return sm;
    }

    /** Runs a program that must succeed; returns its output. */
    String tool(String... command) throws IOException, InterruptedException {
        IbSim.ProgramResult ended = toolAt(toolHost, command);
        assertThat(ended.status()).as(ended.text()).isZero();
        return ended.text();
    }

    /** Runs a program at some host to its end, be it good or bad. */
    IbSim.ProgramResult toolAt(String host, String... command) throws IOException, InterruptedException {
        return IbSim.run(sim.client(host, List.of(command), dir));
    }

    /** Sets a counter such as {@code PortCounters.SymbolErrorCounter} of a port. */
    void set(String node, int portNum, String counter, long value) throws IOException {
        assertThat(sim.command("PerformanceSet \"" + node + "\"[" + portNum + "] " + counter + "=" + value))
                .contains("has been set to " + value);
    }

    /** Takes the cable of a host away. */
    void unlink(String host) throws IOException {
        sim.command("Unlink \"" + host + "\"[1]");
    }

    /** Puts it back. */
    void relink(String host) throws IOException {
        sim.command("Relink \"" + host + "\"[1]");
    }

    /** Takes away the cable at a port of a switch. */
    void unlink(String node, int portNum) throws IOException {
        sim.command("Unlink \"" + node + "\"[" + portNum + "]");
    }

    /** Puts it back. */
    void relink(String node, int portNum) throws IOException {
        sim.command("Relink \"" + node + "\"[" + portNum + "]");
    }

    /** Returns output and exit status of a command of torus-smctl. */
    IbSim.ProgramResult control(String host, String... command) throws IOException, InterruptedException {
        List<String> all = IbSim.java(
                "io.torussm.daemon.cli.SmctlMain",
                "--socket",
                controlSocket(host).toString());
        all.addAll(List.of(command));
        return IbSim.run(new ProcessBuilder(all).directory(dir.toFile()));
    }

    /** Returns the path of the control socket of an SM. */
    Path controlSocket(String host) {
        return dir.resolve("control-" + host);
    }

    @Override
    public void close() {
        started.forEach(Sm::kill);
        sim.close();
    }
}
