package io.torussm.daemon.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.torussm.daemon.Defects;
import io.torussm.daemon.ExitCode;
import io.torussm.daemon.Signals;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SimulatedDevices;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.Topology;
import io.torussm.sim.serve.FabricServer;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.transport.datagram.SocketLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** The life of {@code torus-sm fabric}: power on, serve, answer the console, end on a signal or on {@code quit}. */
public final class FabricProcess {
    /** What scripts wait for that start ibsim. */
    private static final String READY = "Network simulator ready.";

    private static final String PROMPT = "sim> ";

    private final Plan plan;
    private final PrintStream out;
    private final CountDownLatch end = new CountDownLatch(1);

    /**
     * What to serve.
     *
     * @param port names the topology and what its devices are like
     * @param listen at least one address
     */
    public record Plan(SmOptions.Port port, List<ListenAddress> listen, ServeLimits limits) {
        public Plan {
            listen = List.copyOf(listen);
        }
    }

    public FabricProcess(Plan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    /**
     * Serves until the end.
     *
     * @param input from which lines are read; its end ends nothing
     * @throws ConfigurationException if the fabric cannot be read, or an address cannot be used
     */
    public ExitCode run(InputStream input) throws ConfigurationException {
        Signals.handle("TERM", end::countDown);
        Signals.handle("INT", end::countDown);
        try (SocketLoop loop = new SocketLoop("fabric", new Defects())) {
            CompletableFuture<LabConsole> begun = new CompletableFuture<>();
            RecordedFabric recorded = SimulatedTopology.recorded(plan.port.simulate());
            Topology topology = recorded != null ? recorded.topology() : SimulatedTopology.read(plan.port.simulate());
            SimulatedDevices devices = SimulatedDevices.of(plan.port);
            loop.execute(() -> {
                try {
                    SimFabric fabric = recorded != null
                            ? recorded.start(devices.models(), loop, devices.faults())
                            : new SimFabric(topology, devices.models(), loop, devices.faults());
                    begun.complete(serve(fabric, topology, loop));
                } catch (IOException | RuntimeException e) {
                    begun.completeExceptionally(e);
                }
            });
            LabConsole console = await(begun);
            greet(topology);
            Thread reader = new Thread(() -> read(input, loop, console), "fabric-stdin");
            reader.setDaemon(true);
            reader.start();
            end.await();
            return ExitCode.OK;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        } catch (IOException e) {
            throw new ConfigurationException(List.of("the fabric cannot be served: " + e.getMessage()));
        }
    }

    private LabConsole serve(SimFabric fabric, Topology topology, SocketLoop loop) throws IOException {
        if (plan.port.isSimLimited()) {
            fabric.bound(SimFabric.Vl15.MODEST);
        }
        FabricServer server = new FabricServer(fabric, topology, loop, loop, plan.limits);
        for (ListenAddress address : plan.listen) {
            server.listen(address);
        }
        return new ClientsConsole(server);
    }

    private static LabConsole await(CompletableFuture<LabConsole> begun) throws IOException, InterruptedException {
        try {
            return begun.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("the fabric could not be switched on", e.getCause());
        }
    }

    private void greet(Topology topology) {
        long switches =
                topology.nodes().stream().filter(Topology.Node::isSwitch).count();
        out.println(READY);
        out.println(switches + " switches, " + (topology.nodes().size() - switches) + " other nodes; listening on "
                + plan.listen.stream().map(ListenAddress::toString).toList());
        out.print(PROMPT);
        out.flush();
    }

    private void read(InputStream input, SocketLoop loop, LabConsole console) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(input, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.trim().equalsIgnoreCase(LabConsole.QUIT)) {
                    end.countDown();
                    return;
                }
                String answer = line.isBlank() ? "" : ask(loop, console, line);
                out.print(answer.isEmpty() ? PROMPT : answer + System.lineSeparator() + PROMPT);
                out.flush();
            }
        } catch (IOException e) {
            out.println("standard input cannot be read any more: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String ask(SocketLoop loop, LabConsole console, String line) throws InterruptedException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                answer.complete(console.say(line));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get();
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause());
        }
    }
}
