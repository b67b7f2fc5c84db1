package io.torussm.daemon.lab;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.SimulatedDevices;
import io.torussm.daemon.system.Defects;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.InputLines;
import io.torussm.daemon.system.Signals;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.fault.BadLineException;
import io.torussm.sim.fault.ConsoleReply;
import io.torussm.sim.fault.FaultSession;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.datagram.SocketLoop;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The life cycle of {@code torus-sm fabric}: power on, serve, respond at the console, end on a signal or on
 * {@code quit}.
 */
public final class FabricProcess {
    /** The text that ibsim prints when it is ready. Scripts wait for it. */
    private static final String READY = "Network simulator ready.";

    private static final String PROMPT = "sim> ";

    /** Maximum size of a file of lines or faults, in bytes. */
    private static final long MAX_FILE_BYTES = 1 << 20;

    /** Max number of lines of standard input that wait for the loop. At this limit the reader waits. */
    private static final int MAX_QUEUED_LINES = 16;

    private final ProcessParameters parameters;
    private final PrintStream out;
    private final CountDownLatch end = new CountDownLatch(1);

    /**
     * The parameters of the process.
     *
     * @param port options with the topology and the properties of its devices
     * @param listenAddresses addresses to listen on, at least one
     * @param limits limits of the server
     * @param scripts scripts of faults, started when clients may connect
     * @param traffic rate of background traffic of all hosts together, in packets a second; 0 for none
     * @param serverAddresses access for control, besides standard input
     */
    public record ProcessParameters(
            SmOptions.Port port,
            List<ListenAddress> listenAddresses,
            ServeLimits limits,
            List<Path> scripts,
            int traffic,
            LabServers.ServerAddresses serverAddresses) {
        public ProcessParameters {
            listenAddresses = List.copyOf(listenAddresses);
            scripts = List.copyOf(scripts);
        }
    }

    public FabricProcess(ProcessParameters plan, PrintStream out) {
        this.parameters = plan;
        this.out = out;
    }

    /**
     * Serves until the end.
     *
     * @param input lines of commands; the end of the input does not end the process
     * @throws ConfigurationException if the fabric cannot be read, or an address cannot be used
     */
    public ExitCode run(InputStream input) throws ConfigurationException {
        Signals.handle("TERM", end::countDown);
        Signals.handle("INT", end::countDown);
        LabServers servers = null;
        try (SocketLoop loop = new SocketLoop("fabric", new Defects())) {
            RecordedFabric recorded = SimulatedTopology.recordedFabric(parameters.port.simulate());
            Topology topology =
                    recorded != null ? recorded.topology() : SimulatedTopology.read(parameters.port.simulate());
            SimulatedDevices devices = SimulatedDevices.of(parameters.port);
            Lab lab = onLoop(loop, () -> {
                SimFabric fabric = recorded != null
                        ? recorded.start(devices.models(), loop, devices.faults())
                        : new SimFabric(topology, devices.models(), loop, devices.faults());
                return begin(new Lab(fabric, topology, loop, loop, parameters.limits));
            });
            servers = LabServers.open(parameters.serverAddresses, new RemoteControl(lab, topology, loop));
            printBanner(topology);
            Thread reader = new Thread(() -> readCommands(input, loop, lab), "fabric-stdin");
            reader.setDaemon(true);
            reader.start();
            end.await();
            return ExitCode.OK;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        } catch (IOException e) {
            throw new ConfigurationException(List.of("the fabric cannot be served: " + e.getMessage()));
        } catch (BadLineException e) {
            throw new ConfigurationException(
                    String.valueOf(e.getMessage()).lines().toList());
        } finally {
            if (servers != null) {
                servers.close();
            }
        }
    }

    private Lab begin(Lab lab) throws IOException, BadLineException {
        if (parameters.port.isSimLimited()) {
            lab.fabric().limitQueues(SimFabric.Vl15.MODEST);
        }
        lab.console().traffic().setRate(parameters.traffic);
        for (Path script : parameters.scripts) {
            lab.start(script.getFileName().toString(), text(script));
        }
        for (ListenAddress address : parameters.listenAddresses) {
            lab.listen(address);
        }
        return lab;
    }

    /** Returns the contents of a regular file. */
    private static String text(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file");
        } else if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException(file + " is longer than " + MAX_FILE_BYTES + " bytes");
        }
        return Files.readString(file);
    }

    /** Runs work on the loop and waits for its result. */
    private static <T> T onLoop(SocketLoop loop, Callable<T> work)
            throws IOException, BadLineException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(work);
        loop.execute(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            } else if (e.getCause() instanceof BadLineException cause) {
                throw cause;
            }
            throw new IllegalStateException("the fabric could not be switched on", e.getCause());
        }
    }

    private void printBanner(Topology topology) {
        if (!topology.warning().isEmpty()) {
            out.println("warning: " + topology.warning());
        }
        long switches =
                topology.nodes().stream().filter(Topology.Node::isSwitch).count();
        out.println(READY);
        out.println(switches + " switches, " + (topology.nodes().size() - switches) + " other nodes; listening on "
                + parameters.listenAddresses.stream()
                        .map(ListenAddress::toString)
                        .toList());
        out.print(PROMPT);
        out.flush();
    }

    private void readCommands(InputStream input, SocketLoop loop, Lab lab) {
        FaultSession session =
                lab.session("console", name -> text(Path.of(name)).lines().toList(), new Terminal());
        Semaphore free = new Semaphore(MAX_QUEUED_LINES);
        try (InputLines lines = new InputLines(input)) {
            for (String line = nextLine(lines); line != null; line = nextLine(lines)) {
                String typed = line;
                free.acquire();
                loop.execute(() -> {
                    free.release();
                    enter(session, typed);
                });
            }
        } catch (IOException e) {
            out.println("standard input cannot be read any more: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the next line, without lines that are too long; null at the end of the input. */
    private @Nullable String nextLine(InputLines lines) throws IOException {
        while (true) {
            try {
                return lines.next();
            } catch (InputLines.TooLongException e) {
                out.println("# ignored: " + e.getMessage());
            }
        }
    }

    private void enter(FaultSession session, String line) {
        if (!session.enqueue(line)) {
            out.println("# too many lines wait already; this one is forgotten: " + line);
        }
    }

    /** Standard output in the format of ibsim. */
    private final class Terminal implements FaultSession.Screen {
        @Override
        public void show(ConsoleReply answer) {
            out.print(answer.text());
            if (answer.isEnd()) {
                out.flush();
                end.countDown();
            }
        }

        @Override
        public void prompt() {
            out.print(PROMPT);
            out.flush();
        }
    }
}
