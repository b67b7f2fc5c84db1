package io.torussm.torus2qos;

import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
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

/** A benchmark of a whole run of the engine: placement, checks, tables. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(value = 1, jvmArgs = "-Xmx6g")
public class Torus2QosBenchmark {
    /** Radices, parallel cables and hosts of each switch. */
    @Param({"8x8x8x1x1", "16x16x16x1x1", "16x16x16x2x1", "24x24x24x1x2"})
    public String torus = "";

    @Param({"1", "2"})
    public int threads;

    private Subnet subnet = new TestTorus(2, 1, 1).fabric.subnet(0);
    private Torus2QosEngine engine = new Torus2QosEngine(TestTorus.parse(""));

    /** Builds the torus. */
    @Setup
    public void cable() {
        int[] shape =
                Arrays.stream(torus.split("x", -1)).mapToInt(Integer::parseInt).toArray();
        TestTorus cabled = new TestTorus(Arrays.copyOf(shape, 3), "", shape[3], shape[4], null);
        engine = new Torus2QosEngine(TestTorus.parse(cabled.conf()), threads);
        subnet = cabled.fabric.subnet(0);
    }

    /** Returns the plan. */
    @Benchmark
    public Plan route() {
        RoutingResult result = engine.route(subnet, TestTorus.QOS);
        return TestTorus.plan(result);
    }
}
