package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The production client reads a whole torus by asking every node that it reaches for its neighbours. */
class ClientOnFabricTest {
    private static final Topology TORUS = TorusSpec.parse("torus:3x4x2,hosts=2").topology();
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final VirtualLoop loop = new VirtualLoop();
    private final Map<Long, NodeInfo> nodes = new TreeMap<>();
    private boolean isFinished;

    private MadClient read(SimFabric fabric) {
        MadClient.Settings settings = new MadClient.Settings(64, 4, 10, 20);
        MadClient client = new MadClient(
                fabric.attach("host-0-0-0-0", 1), loop, MKeySource.fixed(0), () -> settings, 7, new IgnoringReceiver());
        MadScope scope = client.scope();
        readNode(scope, DrPath.LOCAL);
        scope.whenIdle(() -> isFinished = true);
        assertThat(loop.runUntil(() -> isFinished, MINUTE_NS)).isTrue();
        return client;
    }

    private void readNode(MadScope scope, DrPath path) {
        scope.get(NodeInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply
                    && nodes.put(reply.value().nodeGuid(), reply.value()) == null) {
                boolean isStart = path.hops() == 0;
                int last = reply.value().isSwitch() || isStart ? reply.value().numPorts() : 0;
                for (int portNum = 1; portNum <= last; portNum++) {
                    readNode(scope, path.withHop(portNum));
                }
            }
        });
    }

    @Test
    void readsATorusWithoutLosses() {
        SimFabric fabric = new SimFabric(TORUS, loop, FaultPlan.NONE);
        MadClient client = read(fabric);
        assertFoundAll();
        assertThat(client.stats().malformed()).isZero();
        assertThat(fabric.counters().answered()).isEqualTo(client.stats().replies());
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void readsATorusThroughLossDuplicatesAndDelay(long seed) {
        SimFabric fabric = new SimFabric(TORUS, loop, new FaultPlan(seed, 0.05, 0.05, 500, 100_000));
        MadClient client = read(fabric);
        assertFoundAll();
        assertThat(client.stats().retries()).isPositive();
        assertThat(fabric.counters().duplicated()).isPositive();
    }

    private void assertFoundAll() {
        assertThat(nodes).hasSize(TORUS.nodes().size());
        for (Topology.Node node : TORUS.nodes()) {
            NodeInfo info = nodes.get(node.nodeGuid());
            assertThat(info).isEqualTo(node.nodeInfo(info == null ? 0 : info.localPortNum()));
        }
    }
}
