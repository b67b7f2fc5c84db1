package io.torussm.torus2qos;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark of a cubic torus with one failed switch, and 20 failed links, each on another ring. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(value = 1, jvmArgs = "-Xmx6g")
public class DamagedTorusBenchmark {
    private static final int LINKS = 20;

    @Param("16")
    public int radix;

    private Subnet subnet = new TestTorus(2, 1, 1).fabric.subnet(0);
    private Torus2QosEngine engine = new Torus2QosEngine(TestTorus.parse(""));
    private Plan plan = new TestTorus(3, 3, 1).plan(new TestTorus(3, 3, 1).conf());

    /** Builds the torus, and removes the switch and the links. */
    @Setup
    public void damage() {
        TestTorus torus = new TestTorus(radix, radix, radix);
        int[] failed = {3 % radix, 5 % radix, 7 % radix};
        torus.fabric.remove(torus.guid(failed));
        Random random = new Random(3);
        Set<String> rings = new HashSet<>();
        while (rings.size() < LINKS) {
            int[] at = torus.at(random.nextInt(torus.count()));
            int d = random.nextInt(3);
            int[] ring = at.clone();
            ring[d] = failed[d];
            int[] next = at.clone();
            next[d] = (at[d] + 1) % radix;
            if (!Arrays.equals(ring, failed) && rings.add(d + Arrays.toString(ring))) {
                torus.fabric.removeCables(torus.guid(at), torus.guid(next));
            }
        }
        engine = new Torus2QosEngine(TestTorus.parse(torus.conf()), 2);
        subnet = torus.fabric.subnet(0);
        plan = route();
    }

    /** Returns the plan after placement and checks. */
    @Benchmark
    public Plan route() {
        return TestTorus.plan(engine.route(subnet, TestTorus.QOS));
    }

    /** Returns the proof. The default multicast tree is not safe here, so another tree is grown. */
    @Benchmark
    public DeadlockChecker.Proof prove() {
        return new DeadlockChecker(2).prove(plan, TestTorus.QOS, TreeGrowth::candidates);
    }
}
