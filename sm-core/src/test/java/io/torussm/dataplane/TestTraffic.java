package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DatelineRouter;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.Lattice;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.VlArbitrationPolicy.Tables;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Tori with textbook routes under traffic. */
public final class TestTraffic {
    static final RoutingOptions OPTIONS = TestRouting.QOS;

    /** Tables with equal weights of all VLs. */
    public static final Tables FAIR = tables(
            255,
            new int[0],
            IntStream.range(0, 15).flatMap(vl -> IntStream.of(vl, 64)).toArray());

    final TorusSketch torus;
    final Plan plan;
    final Hosts hosts;
    final Lattice lattice;

    private TestTraffic(TorusSketch torus, Plan plan) {
        this.torus = torus;
        this.plan = plan;
        hosts = new Hosts(torus.subnet());
        int[] radix = torus.radix();
        lattice = new Lattice(
                radix,
                new boolean[] {radix[0] > 2, radix[1] > 2, radix[2] > 2},
                IntStream.range(0, radix[0] * radix[1] * radix[2])
                        .mapToLong(torus.subnet().fabric()::nodeGuid)
                        .toArray());
    }

    /** Returns a torus with dimension-order routes, with datelines on VLs by SL, or with VL 0 alone. */
    static TestTraffic of(TorusSketch torus, boolean datelines) {
        PlanSketch sketch = DatelineRouter.route(torus);
        if (!datelines) {
            sketch.rows = (sw, in, out) -> 0;
        }
        return new TestTraffic(torus, sketch.plan());
    }

    PlanTables tables() {
        return new PlanTables(plan, OPTIONS, (portClass, low, high, vls) -> FAIR);
    }

    SlChoice sls() {
        return (from, dlid, level) -> plan.pathSl(hosts.lid(from), dlid, 8 * level);
    }

    DataPlane plane(Workload workload, DataPlaneSettings settings) {
        return new DataPlane(hosts, tables(), sls(), workload, settings);
    }

    /** Returns messages of the size of a packet, at a share of the hosts' capacity. */
    OfferedLoad load(Destinations destinations, double load) {
        return new OfferedLoad(hosts, destinations, load, DataPlaneSettings.DEFAULT.packetBytes(), 0, 1);
    }

    /**
     * Checks that every packet of the cycle waits for the next channel on its path, with an SL that the
     * checker includes.
     */
    void assertPredicted(Deadlock deadlock) {
        Fabric fabric = plan.subnet().fabric();
        PlanTables tables = tables();
        for (int i = 0; i < deadlock.circle().size(); i++) {
            Deadlock.Wait wait = deadlock.circle().get(i);
            Deadlock.Wait next =
                    deadlock.circle().get((i + 1) % deadlock.circle().size());
            assertThat(plan.slMask(fabric.switchOf(wait.source()), wait.dlid()) >> wait.sl() & 1)
                    .isOne();
            List<Integer> channels = new ArrayList<>();
            int in = fabric.peer(wait.source());
            int sw = fabric.nodeOf(in);
            while (sw != plan.subnet().switchOfLid(wait.dlid())) {
                int out = fabric.port(sw, tables.out(sw, wait.dlid()));
                channels.add(16 * out + tables.vl(sw, fabric.portNum(in), fabric.portNum(out), wait.sl()));
                in = fabric.peer(out);
                sw = fabric.nodeOf(in);
            }
            assertThat(channels).containsSequence(16 * wait.port() + wait.vl(), 16 * next.port() + next.vl());
        }
    }

    /** Returns arbitration tables of pairs of VL and weight. */
    static Tables tables(int limit, int[] high, int[] low) {
        return new Tables(part(low), part(new int[0]), part(high), part(new int[0]), limit);
    }

    private static VlArbitrationTable part(int[] pairs) {
        byte[] bytes = new byte[64];
        for (int i = 0; i < pairs.length; i++) {
            bytes[i] = (byte) pairs[i];
        }
        return VlArbitrationTable.TYPE.read(bytes, 0);
    }
}
