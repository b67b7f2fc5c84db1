package io.torussm.daemon.rolling;

import io.torussm.mad.Gid;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.Names;
import io.torussm.shadow.FabricReader;
import io.torussm.sim.GroupClient;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTraffic;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.serve.FabricServer;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.sim.topology.Topology;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.SnapshotDifference;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.testing.Seeds;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.datagram.SocketLoop;
import io.torussm.transport.port.ReadOnlyPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The embedded fabric, served to other SMs, with hosts that are in groups and send packets. A host reads all
 * registers and asks the SA, as an observer.
 */
final class LiveFabric implements AutoCloseable {
    private static final long TIMEOUT_S = 120;
    private static final int PACKETS_PER_SECOND = 20_000;
    private static final int MAX_PAIRS = 8_000;
    /** Bursts of packets between all hosts at writes, in a change of ruler. */
    private static final int MAX_BURSTS = 200;

    private static final int MANY_HOSTS = 150;
    private static final long EACH_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final MadClient.Settings SETTINGS = new MadClient.Settings(256, 8, 500, 3);

    private final String socketName;
    private final SocketLoop loop;
    private final Topology topology;
    private final SimFabric fabric;
    private final FabricServer server;
    private final SimTraffic traffic;
    private final List<GroupClient> hosts = new ArrayList<>();
    private final List<Written> written = new ArrayList<>();
    private final FabricReader reader;
    private final PathQueries pathQueries;
    private int bursts;
    private boolean isSending;

    /** A Set that changed something. */
    record Written(long nodeGuid, int portNum, int attributeId, int modifier, byte[] before, byte[] after) {}

    /** Powers up; {@code onlooker} is the host that reads. */
    static LiveFabric start(Topology topology, String onlooker, String socketName) throws IOException {
        SocketLoop loop = new SocketLoop("rolling", defect -> {
            throw new IllegalStateException("a task of the fabric failed", defect);
        });
        return onLoop(loop, () -> new LiveFabric(topology, onlooker, socketName, loop));
    }

    private LiveFabric(Topology topology, String onlooker, String socketName, SocketLoop loop) throws IOException {
        this.socketName = socketName;
        this.loop = loop;
        this.topology = topology;
        fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        server = new FabricServer(fabric, topology, loop, loop, ServeLimits.DEFAULT);
        server.listen(new ListenAddress.Unix(socketName));
        traffic = new SimTraffic(fabric, loop, 1);
        MadTransport port = fabric.attach(onlooker, 1);
        PathQueries[] of = new PathQueries[1];
        MadClient client = new MadClient(
                new ReadOnlyPort(port),
                loop,
                MKeySource.fixed(0),
                () -> SETTINGS,
                1,
                new MadClient.UnsolicitedReceiver() {
                    @Override
                    public void subnetManagement(MadFrame frame) {}

                    @Override
                    public void subnetAdministration(MadFrame frame) {
                        of[0].received(frame);
                    }

                    @Override
                    public void portLost(String reason) {}
                });
        pathQueries = new PathQueries(client, loop);
        of[0] = pathQueries;
        long guid = port.localPort().portGuid();
        reader = new FabricReader(client, loop, SubnetMemory.of(StateDirectory.none(loop), guid, () -> 0, () -> true));
        fabric.watch(this::changed);
    }

    private static <T> T onLoop(SocketLoop loop, Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        loop.execute(task);
        try {
            return task.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the fabric", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the fabric did not do it: " + e, e);
        }
    }

    /** Begins something on the loop that ends with a call, and waits for that. */
    private <T> T begin(Consumer<Consumer<T>> work) throws IOException {
        CompletableFuture<T> end = new CompletableFuture<>();
        onLoop(loop, () -> {
            work.accept(end::complete);
            return true;
        });
        try {
            return end.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the fabric", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the fabric did not end it: " + e, e);
        }
    }

    private void changed(long nodeGuid, int portNum, int attributeId, int modifier, byte[] before, byte[] after) {
        if (!isSending) {
            return;
        }
        written.add(new Written(nodeGuid, portNum, attributeId, modifier, before, after));
        if (bursts < MAX_BURSTS && hosts.size() <= MANY_HOSTS) {
            bursts++;
            traffic.sendAll();
        }
    }

    /** Returns the environment variable by which clients find it. */
    String socketName() {
        return socketName;
    }

    /** Lets all hosts join the group of IPoIB, every third and every fifth one other groups. */
    void joinGroups() throws IOException {
        onLoop(loop, () -> {
            for (Topology.Node node : topology.nodes()) {
                for (int portNum = 1; !node.isSwitch() && portNum <= node.numPorts(); portNum++) {
                    if (node.peer(portNum) != null) {
                        join(fabric.groups(node.nodeGuid(), portNum));
                    }
                }
            }
            return true;
        });
    }

    private void join(GroupClient host) {
        int number = hosts.size();
        hosts.add(host);
        host.join(GroupClient.IPOIB_BROADCAST);
        for (int every : new int[] {3, 5}) {
            if (number % every == 0) {
                host.join(new Gid(0xff12_1234_0000_0000L, every));
            }
        }
    }

    /** Waits until all hosts are in the groups that they want; returns how many are not in the end. */
    int awaitGroups(long seconds) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int missing = missing();
        while (missing > 0 && System.nanoTime() < deadlineNs) {
            TimeUnit.MILLISECONDS.sleep(100);
            missing = missing();
        }
        return missing;
    }

    /** Hosts in groups, each group of each host. */
    int memberships() throws IOException {
        return onLoop(loop, () -> hosts.stream()
                .mapToInt(host -> host.joinedGroups().size())
                .sum());
    }

    private int missing() throws IOException {
        return onLoop(loop, () -> (int) hosts.stream()
                .filter(host -> !host.joinedGroups().equals(host.wantedGroups()))
                .count());
    }

    /** Reads all registers. */
    FabricSnapshot read() throws IOException {
        FabricReader.ReadingOutcome result =
                this.<FabricReader.ReadingOutcome>begin(end -> reader.read(Names.NONE, end));
        FabricSnapshot snapshot = result.snapshot();
        if (snapshot == null) {
            throw new IOException("the fabric cannot be read: " + result.problem());
        }
        return snapshot;
    }

    /** Reads until two readings are equal and all hosts are in their groups. */
    FabricSnapshot readAtRest() throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        awaitGroups(30);
        FabricSnapshot last = read();
        while (System.nanoTime() < deadlineNs) {
            TimeUnit.MILLISECONDS.sleep(300);
            FabricSnapshot next = read();
            if (SnapshotDifference.between(last, next).isEmpty()) {
                return next;
            }
            last = next;
        }
        throw new IOException("the fabric does not come to rest");
    }

    /**
     * Returns the SLs that the SA of the master grants to all pairs of hosts, or to a sample of {@value #MAX_PAIRS}.
     */
    Map<PathQueries.Pair, Integer> sls(FabricSnapshot snapshot, String onlooker) throws IOException {
        List<Integer> lids = new ArrayList<>();
        int sm = 0;
        for (DeviceRegisters device : snapshot.devices().values()) {
            for (int portNum : device.endports().toArray()) {
                PortInfo info = device.portInfo(portNum);
                if (!device.isSwitch() && info != null && Lids.isUnicast(info.lid())) {
                    lids.add(info.lid());
                    sm = device.guid() == guid(onlooker) ? (int) info.get(PortInfo.MASTER_SM_LID) : sm;
                }
            }
        }
        List<PathQueries.Pair> pairs = new ArrayList<>();
        for (int slid : lids) {
            lids.stream().filter(dlid -> dlid != slid).forEach(dlid -> pairs.add(new PathQueries.Pair(slid, dlid)));
        }
        if (pairs.size() > MAX_PAIRS) {
            Collections.shuffle(pairs, Seeds.random(1));
        }
        MadAddress sa = new MadAddress(sm, 1, 0, 0);
        return this.<Map<PathQueries.Pair, Integer>>begin(
                end -> pathQueries.query(pairs.subList(0, Math.min(MAX_PAIRS, pairs.size())), sa, end));
    }

    private long guid(String id) {
        return topology.nodes().stream()
                .filter(node -> node.id().equals(id))
                .findFirst()
                .orElseThrow()
                .nodeGuid();
    }

    /** Hosts send from now on, with the SLs that they were granted. */
    void startTraffic(Map<PathQueries.Pair, Integer> sls) throws IOException {
        onLoop(loop, () -> {
            traffic.setSls((slid, dlid) -> Math.max(0, sls.getOrDefault(new PathQueries.Pair(slid, dlid), 0)));
            traffic.setRate(PACKETS_PER_SECOND);
            isSending = true;
            sendToAll();
            return true;
        });
    }

    private void sendToAll() {
        traffic.sendAll();
        loop.schedule(hosts.size() <= MANY_HOSTS ? EACH_NS : 4 * EACH_NS, this::sendToAll);
    }

    /** Returns the writes and packets since the last call. */
    ChangeEffects changeEffects() throws IOException {
        return onLoop(loop, () -> {
            ChangeEffects toll = new ChangeEffects(List.copyOf(written), traffic.tally(), traffic.lastLosses());
            written.clear();
            traffic.resetCounts();
            bursts = 0;
            return toll;
        });
    }

    /** The cost of a period: Sets that changed something, and packets. */
    record ChangeEffects(List<Written> written, SimTraffic.Tally packets, List<SimTraffic.Loss> losses) {}

    @Override
    public void close() {
        loop.execute(server::close);
        loop.close();
    }
}
