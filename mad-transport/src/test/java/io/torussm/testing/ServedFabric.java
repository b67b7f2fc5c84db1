package io.torussm.testing;

import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTraffic;
import io.torussm.sim.fault.Clients;
import io.torussm.sim.fault.ConsoleReply;
import io.torussm.sim.fault.FaultConsole;
import io.torussm.sim.fault.Faults;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.serve.FabricServer;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import io.torussm.transport.datagram.SocketLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The embedded fabric, served in this process to programs of others. */
public final class ServedFabric implements Simulation {
    private static final long TIMEOUT_S = 60;

    private final String socketName;
    private final SocketLoop loop;
    private final SimFabric fabric;
    private final FabricServer server;
    private final FaultConsole console;

    private ServedFabric(Topology topology, DeviceModels models, String socketName, SocketLoop loop)
            throws IOException {
        this.socketName = socketName;
        this.loop = loop;
        fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
        fabric.portCounters().countMads();
        server = new FabricServer(fabric, topology, loop, loop, ServeLimits.DEFAULT);
        console = new FaultConsole(
                new Faults(fabric, topology, loop), Clients.NONE, new SimTraffic(fabric, loop, 1), done -> {});
        server.listen(new ListenAddress.Unix(socketName));
    }

    /** Serves a fabric of perfect devices, in ibnetdiscover's format. */
    public static ServedFabric start(Path topology) throws IOException {
        return start(topology, DeviceModels.PERFECT);
    }

    /** Serves a fabric. */
    public static ServedFabric start(Path topology, DeviceModels models) throws IOException {
        UmadClients.preloadLibrary();
        try {
            Topology nodes = TopologyText.read(topology);
            SocketLoop loop = new SocketLoop("fabric-in-test", defect -> {
                throw new IllegalStateException("a task of the fabric failed", defect);
            });
            return callOn(loop, () -> new ServedFabric(nodes, models, UmadClients.newSocketName(), loop));
        } catch (TopologyException e) {
            throw new IOException(topology + ": " + e.getMessage(), e);
        }
    }

    private static <T> T callOn(SocketLoop loop, Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        loop.execute(task);
        try {
            return task.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the fabric", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the fabric did not do it", e);
        }
    }

    @Override
    public String command(String line) throws IOException {
        ConsoleReply answer = callOn(loop, () -> console.run(line, "test"));
        return answer.text();
    }

    /** Looks at the devices, on their loop. */
    public <T> T query(Function<SimFabric, T> question) throws IOException {
        return callOn(loop, () -> question.apply(fabric));
    }

    @Override
    public ProcessBuilder client(String simHost, List<String> command, Path cwd) {
        return UmadClients.client(socketName, simHost, command, cwd);
    }

    @Override
    public void close() {
        loop.execute(server::close);
        loop.close();
    }
}
