package io.torussm.sweep;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.stage.Phase;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.Accounts.Account;
import io.torussm.sweep.ScaleRow.Column;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.transport.MadClient;
import io.torussm.transport.WireWindow;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * The cost of a torus for an SM: cold sweep, light sweep, loss and return of a cable, and takeover, on the embedded
 * fabric in virtual time. Each port and agent serves one SMP in a constant time, has a bounded queue, and drops further
 * SMPs. The model of the Linux kernel is in front. A {@link ScaleRow} for each event: SMPs, their number by {@link
 * SmpFormulas}, virtual time by phase, processor time by account.
 *
 * <p>Arguments:
 *
 * <ul>
 *   <li>torus, such as {@code 8x8x8,hosts=1}; {@code 32x32x16,hosts=2} has one host less, for the 49,151 LIDs
 *   <li>microseconds for an SMP
 *   <li>depth of queues
 *   <li>optional {@code reaction}: only the cable, after a sweep without limits
 *   <li>optional {@code compute}: also routing and proof alone, with one task and with two
 * </ul>
 */
public final class Scale {
    private static final long LIMIT_NS = TimeUnit.DAYS.toNanos(1);
    private static final long HOP_NS = 500;
    private static final long JITTER_NS = 5_000;
    private static final int ROUNDS = 3;

    /** Request and response with LRH, BTH, DETH and both CRCs. */
    private static final int BYTES_OF_SMP = 2 * (8 + 12 + 8 + 256 + 4 + 2);

    private final String name;
    private final int serviceUs;
    private final Torus2QosConf.Parsed conf;
    private final SweepHarness harness;
    private final SmpCensus census;
    private final Accounts accounts = new Accounts();
    private boolean isRouted;

    private Scale(TorusSpec spec, boolean isFull, String name, int serviceUs) {
        this.name = name;
        this.serviceUs = serviceUs;
        conf = Torus2QosConf.parse("torus-2QoS.conf", spec.torus2QosConf());
        harness = new SweepHarness(
                isFull ? FullTorus.topology(spec) : spec.topology(), new FaultPlan(1, 0, 0, HOP_NS, JITTER_NS));
        harness.mads = new MadClient.Settings(0, 4, 200, 3);
        harness.isBehindKernel = true;
        harness.keepsRequests = false;
        harness.wire = accounts::wire;
        harness.smLoop = accounts.loop(harness.loop);
        harness.engine = meteredEngine(new Torus2QosEngine(conf, 1));
        harness.pool = task -> accounts.compute(pooledAccount(), () -> {
            task.run();
            return null;
        });
        census = SmpCensus.of(harness);
    }

    /** Returns the account of a task of the pool: the first task of a sweep routes and proves, later ones order the change. */
    private Account pooledAccount() {
        Account account = isRouted ? Account.ORDER : Account.PROOF;
        isRouted = true;
        return account;
    }

    private Engine meteredEngine(Torus2QosEngine engine) {
        return new Engine() {
            @Override
            public String name() {
                return engine.name();
            }

            @Override
            public boolean hasOwnSl2Vl() {
                return engine.hasOwnSl2Vl();
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return accounts.compute(Account.ROUTING, () -> engine.route(context));
            }
        };
    }

    private void start() {
        harness.window = WireWindow.adaptive(WireWindow.DEFAULT_LIMIT);
        harness.restart();
    }

    private SmpFormulas formulas() {
        return SmpFormulas.of(
                harness.publishedView().subnet().fabric(),
                harness.publishedView().subnet().topLid());
    }

    private void await(BooleanSupplier condition) {
        if (!harness.loop.runUntil(condition, LIMIT_NS)) {
            throw new IllegalStateException("no end: " + harness.ends);
        }
    }

    /** Measures an event that ends with SUBNET UP. */
    private void measureUntilUp(String label, Runnable begin) {
        int before = harness.ends.size();
        measure(label, begin, () -> harness.ends.size() > before);
        if (!harness.ends.get(before).equals("up")) {
            throw new IllegalStateException(label + ": " + harness.ends.get(before));
        }
    }

    private void measure(String label, Runnable begin, BooleanSupplier end) {
        census.takeCounts();
        accounts.secondsSinceLastCall();
        isRouted = false;
        long began = harness.loop.nowNs();
        begin.run();
        await(end);
        double wire = (harness.loop.nowNs() - began) / 1e9;
        Map<Account, Double> processor = accounts.secondsSinceLastCall();
        print(label, SmpFormulas.sum(census.takeCounts()), wire, processor);
        await(harness.sweeper::isResting);
    }

    private void print(String label, long smps, double wire, Map<Account, Double> processor) {
        SmpFormulas formulas = formulas();
        Map<String, Long> formula =
                switch (label) {
                    case "cold sweep" -> formulas.coldStart();
                    case "light sweep" -> formulas.lightSweep();
                    case "takeover" -> formulas.takeover();
                    default -> Map.of();
                };
        Map<Phase, Long> phases =
                label.equals("light sweep") ? Map.of() : harness.lastReport().phaseNs();
        System.out.println(row(label)
                .set(Column.SMPS, smps)
                .set(Column.SMPS_BY_FORMULA, SmpFormulas.sum(formula))
                .set(Column.WIRE_MIB, smps * (double) BYTES_OF_SMP / (1 << 20))
                .set(Column.WIRE_S, wire)
                .set(Column.DISCOVER_S, seconds(phases, Phase.DISCOVER))
                .set(Column.PROGRAM_S, seconds(phases, Phase.PROGRAM))
                .set(Column.ACTIVATE_S, seconds(phases, Phase.ACTIVATE))
                .set(Column.LOOP_S, processor.getOrDefault(Account.LOOP, 0.0))
                .set(Column.ROUTING_S, processor.getOrDefault(Account.ROUTING, 0.0))
                .set(Column.PROOF_S, processor.getOrDefault(Account.PROOF, 0.0))
                .set(Column.ORDER_S, processor.getOrDefault(Account.ORDER, 0.0))
                .set(Column.DROPPED, harness.fabric.counters().overflowed())
                .set(Column.HEAP_MIB, usedHeapBytes() >> 20));
    }

    private ScaleRow row(String event) {
        Subnet subnet = harness.publishedView().subnet();
        Fabric fabric = subnet.fabric();
        return new ScaleRow()
                .set(Column.TORUS, name)
                .set(Column.SWITCHES, fabric.switchCount())
                .set(Column.HOSTS, fabric.nodeCount() - fabric.switchCount())
                .set(Column.TOP_LID, subnet.topLid())
                .set(Column.SERVICE_US, serviceUs)
                .set(Column.EVENT, event);
    }

    private static double seconds(Map<Phase, Long> phases, Phase phase) {
        return phases.getOrDefault(phase, 0L) / 1e9;
    }

    private static long usedHeapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void limitQueues(int depth) {
        harness.fabric.limitQueues(new SimFabric.Vl15(depth, TimeUnit.MICROSECONDS.toNanos(serviceUs)));
    }

    private void measureAll(int depth) {
        limitQueues(depth);
        start();
        measureUntilUp("cold sweep", harness.sweeper::sweepHeavy);
        for (int i = 0; i < SecondReads.LIGHT_SWEEPS_AFTER_FIRST_SWEEP; i++) {
            harness.sweeper.sweepLight();
            await(harness.sweeper::isResting);
        }
        measure("light sweep", harness.sweeper::sweepLight, harness.sweeper::isResting);
        reaction();
        measureUntilUp("takeover", () -> {
            start();
            harness.sweeper.sweepHeavy();
        });
    }

    /** Measures the cable after a sweep without limits of the queues. */
    private void measureReactionOnly(int depth) {
        start();
        harness.sweeper.sweepHeavy();
        await(() -> !harness.ends.isEmpty());
        await(harness.sweeper::isResting);
        harness.sweepLight(); // until then devices whose links just came up are read once more
        limitQueues(depth);
        reaction();
    }

    private void reaction() {
        Fabric fabric = harness.publishedView().subnet().fabric();
        long guid = fabric.nodeGuid(fabric.switchCount() / 2);
        measureUntilUp("cable lost", () -> harness.fabric.unlink(guid, 1));
        measureUntilUp("cable back", () -> harness.fabric.relink(guid, 1));
    }

    /**
     * Measures routing and proof alone: processor time of the cheapest round, and its part in parallel sections.
     */
    private void compute() {
        Subnet subnet = harness.publishedView().subnet();
        RoutingOptions options = new RoutingOptions(true, 5, 0);
        for (int tasks = 1; tasks <= 2; tasks++) {
            Torus2QosEngine engine = new Torus2QosEngine(conf, tasks);
            DeadlockChecker checker = new DeadlockChecker(tasks);
            AtomicReference<Plan> plan = new AtomicReference<>();
            Runnable route =
                    () -> plan.set((Plan) engine.route(new EngineContext(subnet, options, EngineConfig.NONE, null)));
            ParallelShare.Cost routing = ParallelShare.measure(route);
            Runnable prove = () -> checker.prove(Objects.requireNonNull(plan.get()), options, TreeGrowth::candidates);
            ParallelShare.Cost proof = ParallelShare.measure(prove);
            for (int round = 1; round < ROUNDS; round++) {
                routing = routing.min(ParallelShare.measure(route));
                proof = proof.min(ParallelShare.measure(prove));
            }
            System.out.println(row(tasks + " tasks")
                    .set(Column.ROUTING_S, routing.seconds())
                    .set(Column.PROOF_S, proof.seconds())
                    .set(Column.PARALLEL_ROUTING, routing.share())
                    .set(Column.PARALLEL_PROOF, proof.share()));
        }
    }

    /** Measures one torus. */
    public static void main(String[] arguments) {
        String name = arguments[0];
        boolean isFull = name.equals("32x32x16,hosts=2");
        TorusSpec spec = TorusSpec.parse(TorusSpec.PREFIX + (isFull ? "32x32x16,hosts=1,ports=8" : name));
        Scale scale = new Scale(spec, isFull, name, Integer.parseInt(arguments[1]));
        int depth = Integer.parseInt(arguments[2]);
        List<String> modes = Arrays.asList(arguments).subList(3, arguments.length);
        if (modes.contains("reaction")) {
            scale.measureReactionOnly(depth);
        } else {
            scale.measureAll(depth);
        }
        if (modes.contains("compute")) {
            scale.compute();
        }
    }
}
