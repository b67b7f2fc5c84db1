package io.torussm.torus2qos;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.deadlock.incremental.IncrementalProof;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Routes and proofs of a cubic torus on all processors: whole, and incremental after a cable of each dimension or a
 * switch was lost; proofs also when it is back. Arguments: the radix, hosts of each switch, rounds, of which the median
 * of the later half counts. A line each: work, seconds.
 */
public final class ProofTimes {
    private static final int PREFIX_SHIFT = 48;

    private final int radix;
    private final int hosts;
    private final int rounds;
    private final DeadlockChecker checker =
            new DeadlockChecker(Runtime.getRuntime().availableProcessors());
    private final Torus2QosEngine engine;
    private final Map<Long, Integer> lids = new HashMap<>();

    private ProofTimes(int radix, int hosts, int rounds) {
        this.radix = radix;
        this.hosts = hosts;
        this.rounds = rounds;
        engine = new Torus2QosEngine(TestTorus.parse(torus().conf()));
    }

    public static void main(String[] arguments) {
        ProofTimes times = new ProofTimes(
                Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        ForkJoinPool pool = new ForkJoinPool(Runtime.getRuntime().availableProcessors());
        pool.submit(times::run).join();
        pool.shutdown();
    }

    private void run() {
        String fabric = radix + "x" + radix + "x" + radix;
        Subnet subnet = subnet(TorusChange.NONE);
        Plan plan = plan(subnet, null);
        Certificate wholeCertificate = prove(plan, null);
        report("routes from nothing " + fabric, () -> plan(subnet, null));
        report("whole proof " + fabric + ", " + plan.subnet().topLid() + " LIDs", () -> prove(plan, null));
        for (TorusChange change : TorusChange.values()) {
            if (change != TorusChange.NONE) {
                Subnet left = subnet(change);
                Plan damaged = plan(left, plan);
                Certificate after = prove(damaged, wholeCertificate);
                String outcome = after.isIncremental() ? "" : " (walked as a whole)";
                report("routes after " + change.words + " lost " + fabric, () -> plan(left, plan));
                report("proof after " + change.words + " lost " + fabric + outcome, () -> prove(damaged, wholeCertificate));
                report("proof when it is back " + fabric + " (" + change.words + ")", () -> prove(plan, after));
            }
        }
    }

    /** The lost part. */
    private enum TorusChange {
        NONE("nothing", -1),
        X("a cable in x", 0),
        Y("a cable in y", 1),
        Z("a cable in z", 2),
        SWITCH("a switch", -1);

        private final String words;
        private final int dimension;

        TorusChange(String words, int dimension) {
            this.words = words;
            this.dimension = dimension;
        }
    }

    /** Routes a subnet; unchanged tables are taken over from a similar plan. */
    private Plan plan(Subnet subnet, @Nullable Plan similar) {
        return TestTorus.plan(
                engine.route(new EngineContext(subnet, TestTorus.QOS, EngineConfig.NONE, null, Map.of(), similar)));
    }

    private TestTorus torus() {
        return new TestTorus(new int[] {radix, radix, radix}, "", 1, hosts, null);
    }

    private Subnet subnet(TorusChange change) {
        TestTorus torus = torus();
        int at = torus.index(3 % radix, 5 % radix, 7 % radix);
        long guid = torus.guid(torus.at(at));
        if (change == TorusChange.SWITCH) {
            torus.fabric.remove(guid);
        } else if (change != TorusChange.NONE) {
            torus.fabric.unplug(guid, torus.plusPort(at, change.dimension, 0));
        }
        Subnet subnet = LidAssigner.assign(
                        torus.fabric.fabric(), LidAssigner.KnownLids.ofStore(lids), 0, false, 0xfe80L << PREFIX_SHIFT)
                .subnet()
                .orElseThrow();
        for (int port = 0; port < subnet.fabric().portCount(); port++) {
            if (subnet.lid(port) != 0) {
                lids.put(subnet.fabric().portGuid(port), subnet.lid(port));
            }
        }
        return subnet;
    }

    private Certificate prove(Plan plan, @Nullable Certificate before) {
        return (Certificate) IncrementalProof.prove(checker, plan, TestTorus.QOS, before, TreeGrowth::candidates)
                .verdict();
    }

    private void report(String work, Runnable proof) {
        long[] nanos = new long[rounds];
        for (int round = 0; round < rounds; round++) {
            long start = System.nanoTime();
            proof.run();
            nanos[round] = System.nanoTime() - start;
        }
        long[] later = Arrays.copyOfRange(nanos, rounds / 2, rounds);
        Arrays.sort(later);
        System.out.printf("%s\t%.4f%n", work, later[later.length / 2] / 1e9);
    }
}
