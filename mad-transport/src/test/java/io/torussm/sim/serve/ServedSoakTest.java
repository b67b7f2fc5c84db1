package io.torussm.sim.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.datagram.SocketLoop;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The memory of a server does not grow: {@code -Dsmps=N} SMPs over sockets of the kernel, 10^8 by default. Each round
 * has another client, and every tenth client is killed.
 */
@Tag("campaign")
class ServedSoakTest {
    private static final int ROUND = 1_000_000;
    private static final int WINDOW = 64;
    private static final long MAX_GROWTH_BYTES = 4 << 20;

    private final ListenAddress.Unix address =
            new ListenAddress.Unix("soak-" + ProcessHandle.current().pid());
    private final Topology topology = TorusSpec.parse("torus:4x4x1,hosts=2").topology();

    @Test
    void memoryStaysFlat() throws Exception {
        long rounds = Math.max(2, Long.getLong("smps", 100_000_000) / ROUND);
        try (SocketLoop loop =
                new SocketLoop("fabric", thrown -> Runtime.getRuntime().halt(70))) {
            FutureTask<FabricServer> begun = new FutureTask<>(() -> {
                SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
                FabricServer server = new FabricServer(fabric, topology, loop, loop, ServeLimits.DEFAULT);
                server.listen(address);
                return server;
            });
            loop.execute(begun);
            FabricServer server = begun.get();
            long answered = round(0);
            long before = usedHeapBytes();
            for (int round = 1; round < rounds; round++) {
                answered += round(round);
            }
            long after = usedHeapBytes();
            System.out.printf(
                    "%,d SMPs answered; heap %,d bytes after the first round, %,d after the last%n",
                    answered, before, after);
            assertThat(answered).isEqualTo(rounds * ROUND);
            FutureTask<ServeCounters> end = new FutureTask<>(server::counters);
            loop.execute(end);
            assertThat(end.get().received()).isEqualTo(rounds * ROUND);
            assertThat(after - before).isLessThan(MAX_GROWTH_BYTES);
        }
    }

    private int round(int number) throws Exception {
        SocketLoop loop =
                new SocketLoop("client", thrown -> Runtime.getRuntime().halt(70));
        ServedPort port = ServedPort.open(loop, loop, address, 1 + number, "host-0-0-0-0");
        int answered = new ServedRate(port, loop, WINDOW).round(ROUND);
        if (number % 10 != 0) {
            port.close();
        }
        loop.close();
        return answered;
    }

    private static long usedHeapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
