package io.torussm.torus2qos;

import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.transition.Transition;
import io.torussm.subnet.Subnet;
import java.util.HashMap;
import java.util.Map;
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

/** A benchmark of the order of writes after the loss and return of a switch or link of a cubic torus. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(value = 1, jvmArgs = "-Xmx4g")
public class TransitionBenchmark {
    @Param("16")
    public int radix;

    @Param({"switch fails", "switch is repaired", "link fails", "link is repaired"})
    public String event = "";

    private ChainResult before = TestTorus.chain("", new TestTorus(3, 3, 1).fabric.subnet(0));
    private ChainResult after = before;

    /** Routes the whole and the damaged torus. */
    @Setup
    public void damage() {
        Map<Long, Integer> lids = new HashMap<>();
        TestTorus whole = new TestTorus(radix, radix, radix);
        Subnet subnet = TestFabric.subnet(whole.fabric.fabric(), lids);
        TestTorus damaged = new TestTorus(radix, radix, radix);
        int at = damaged.index(3 % radix, 5 % radix, 7 % radix);
        if (event.startsWith("switch")) {
            damaged.fabric.remove(damaged.guid(damaged.at(at)));
        } else {
            damaged.fabric.unplug(damaged.guid(damaged.at(at)), damaged.plusPort(at, 0, 0));
        }
        ChainResult pristine = TestTorus.chain(whole.conf(), subnet);
        ChainResult broken = TestTorus.chain(whole.conf(), TestFabric.subnet(damaged.fabric.fabric(), lids));
        before = event.endsWith("repaired") ? broken : pristine;
        after = event.endsWith("repaired") ? pristine : broken;
    }

    /** Returns the order of the change. */
    @Benchmark
    public Transition transition() {
        return new Change(TestTorus.plan(before), after).transition;
    }
}
