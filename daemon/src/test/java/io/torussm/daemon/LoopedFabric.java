package io.torussm.daemon;

import io.torussm.daemon.system.NettyLoop;
import io.torussm.mad.Gid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.SimFabric;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MadTransport;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/** An embedded fabric on a thread of its own, whose hosts may be unplugged. */
public final class LoopedFabric implements AutoCloseable {
    /** A small torus with a host at each switch. */
    public static final String TORUS = "torus:4x3x1,hosts=1";

    private final TorusSpec torus;
    private final Topology topology;
    private final NettyLoop loop = new NettyLoop("fabric", defect -> {
        throw new AssertionError(defect);
    });
    private final SimFabric fabric;

    public LoopedFabric(String torus) {
        this(torus, DeviceModels.PERFECT);
    }

    LoopedFabric(String torus, DeviceModels models) {
        this.torus = TorusSpec.parse(torus);
        topology = this.torus.topology();
        fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
    }

    @Override
    public void close() {
        loop.close();
    }

    TorusSpec torus() {
        return torus;
    }

    MadTransport attach(String host) {
        return fabric.attach(host, 1);
    }

    private Topology.Node node(String name) {
        return topology.node(name).orElseThrow();
    }

    public long portGuid(String host) {
        return node(host).portGuid(1);
    }

    Gid gid(String name) {
        return new Gid(Gid.DEFAULT_PREFIX, node(name).portGuid(1));
    }

    private <T> T onFabric(Function<SimFabric, T> question) {
        return CompletableFuture.supplyAsync(() -> question.apply(fabric), loop::execute)
                .join();
    }

    int lid(String name) {
        return onFabric(seen -> seen.portInfo(node(name).nodeGuid(), 1).lid());
    }

    /** Returns the M_Keys of all switches and hosts, plugged in or not. */
    public Set<Long> mKeys() {
        return onFabric(seen -> topology.nodes().stream()
                .map(node ->
                        seen.portInfo(node.nodeGuid(), node.isSwitch() ? 0 : 1).get(PortInfo.M_KEY))
                .collect(Collectors.toSet()));
    }

    /** Returns the P_Keys of a host, by index. */
    List<Integer> pKeys(String host) {
        return onFabric(seen ->
                Arrays.stream(seen.pKeys(node(host).nodeGuid(), 1)).boxed().toList());
    }

    /** Returns the P_Keys of the switch port at a host, by index. */
    List<Integer> pKeysOfLeaf(String host) {
        Topology.PortRef leaf = Objects.requireNonNull(node(host).peer(1));
        return onFabric(seen -> Arrays.stream(seen.pKeys(leaf.node().nodeGuid(), leaf.portNum()))
                .boxed()
                .toList());
    }

    /** Asks or changes the virtual ports of a host. */
    <T> T vports(String host, Function<VPortAgent, T> question) {
        return onFabric(
                seen -> question.apply(seen.interventions().vports(node(host).nodeGuid(), 1)));
    }

    public void unplug(String name) {
        onFabric(seen -> {
            seen.unlink(node(name).nodeGuid(), 1);
            return true;
        });
    }

    public void plugIn(String name) {
        onFabric(seen -> {
            seen.relink(node(name).nodeGuid(), 1);
            return true;
        });
    }

    /** Returns the entries of the switch of a host for a group. */
    long[] entries(String host, int mlid) {
        Topology.PortRef leaf = Objects.requireNonNull(node(host).peer(1));
        return onFabric(seen -> seen.mft(leaf.node().nodeGuid(), mlid));
    }
}
