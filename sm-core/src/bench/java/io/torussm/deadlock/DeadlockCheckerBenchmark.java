package io.torussm.deadlock;

import io.torussm.routing.PlanSketch;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.TorusSketch;
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

/** A benchmark of the check of a whole torus, routed by {@link DatelineRouter}; the largest needs {@code -Xmx6g}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class DeadlockCheckerBenchmark {
    /** Radices, parallel cables and hosts of each switch. */
    @Param({"8x8x8x1x1", "16x16x16x1x1", "24x24x24x1x2"})
    public String torus = "";

    @Param({"1", "2"})
    public int tasks;

    private final RoutingOptions options = new RoutingOptions(true, 5, 0);
    private PlanSketch plan = DatelineRouter.route(TorusSketch.of(1, 1, 1, 1, 1));

    /** Routes the torus. */
    @Setup
    public void route() {
        plan = DatelineRouter.route(TorusSketch.parse(torus));
    }

    /** Returns the number of dependencies of a whole check. */
    @Benchmark
    public int check() {
        Verdict verdict = new DeadlockChecker(tasks).check(plan.plan(), options);
        if (verdict instanceof Certificate certificate) {
            return certificate.dependencyCount();
        }
        throw new IllegalStateException(verdict.text());
    }
}
