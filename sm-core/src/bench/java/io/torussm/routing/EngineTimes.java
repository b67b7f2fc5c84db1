package io.torussm.routing;

import com.sun.management.OperatingSystemMXBean;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.Verdict;
import io.torussm.fabric.Fabric;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.dnup.DownUpEngine;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.nue.NueEngine;
import io.torussm.routing.sssp.SsspEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TorusSketch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * The processor time of engines and of their proofs, each measured once. It includes all threads and the compilers of
 * the JVM, and depends little on other load.
 *
 * <p>Arguments: {@code torus:8} or {@code random:2000} (six cables a switch) with a host at each switch, or {@code
 * tree:36} (switches with 36 ports); names of engines.
 */
public final class EngineTimes {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);
    private static final int RINGS = 3;

    private static final List<Engine> ENGINES = List.of(
            new MinHopEngine(),
            new DorEngine(),
            new UpDownEngine(),
            new DownUpEngine(),
            new FatTreeEngine(),
            new LashEngine(),
            new SsspEngine(),
            new DfssspEngine(),
            new NueEngine());

    private EngineTimes() {}

    /** Runs engines. */
    public static void main(String[] arguments) {
        String[] shape = arguments[0].split(":", -1);
        int size = Integer.parseInt(shape[1]);
        Subnet subnet =
                switch (shape[0]) {
                    case "torus" -> TorusSketch.of(size, size, size, 1, 1).subnet();
                    case "tree" -> Subnets.of(tree(size));
                    default -> Subnets.of(random(size));
                };
        Fabric fabric = subnet.fabric();
        System.out.println(
                fabric.switchCount() + " switches, " + (fabric.nodeCount() - fabric.switchCount()) + " hosts");
        for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
            ENGINES.stream()
                    .filter(engine -> engine.name().equals(name))
                    .forEach(engine -> System.out.println(name + ": " + timed(engine, subnet)));
        }
    }

    private static String timed(Engine engine, Subnet subnet) {
        EngineConfig config =
                new EngineConfig(Map.of("do_mesh_analysis", "true"), Map.of(), "", Sl2VlTables.DEFAULT, 2);
        double start = processorTime();
        RoutingResult result = engine.route(new EngineContext(subnet, QOS, config, null));
        double routed = processorTime();
        if (result instanceof Plan plan) {
            Verdict verdict = new DeadlockChecker(2).prove(plan, QOS).verdict();
            return String.format(
                    Locale.ROOT,
                    "routing %.2f s, proof %.2f s, %s",
                    routed - start,
                    processorTime() - routed,
                    verdict.getClass().getSimpleName());
        }
        return String.format(Locale.ROOT, "%.2f s, %s", routed - start, ((Refusal) result).reason());
    }

    private static double processorTime() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }

    private static Fabric tree(int ports) {
        int half = ports / 2;
        int leaves = ports * half;
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < 2 * leaves + half * half; sw++) {
            sketch.addSwitch("sw-" + sw, ports);
        }
        for (int pod = 0; pod < ports; pod++) {
            for (int i = 0; i < half; i++) {
                for (int j = 0; j < half; j++) {
                    sketch.addHost(pod * half + i, j + 1);
                    sketch.link(pod * half + i, half + 1 + j, leaves + pod * half + j, i + 1);
                    sketch.link(leaves + pod * half + i, half + 1 + j, 2 * leaves + i * half + j, pod + 1);
                }
            }
        }
        return sketch.build();
    }

    private static Fabric random(int switches) {
        Random random = new Random(1);
        Sketch sketch = new Sketch();
        List<Integer> order = new ArrayList<>();
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw-" + sw, 2 * RINGS + 1);
            order.add(sw);
        }
        for (int ring = 0; ring < RINGS; ring++) {
            Collections.shuffle(order, random);
            for (int i = 0; i < switches; i++) {
                sketch.link(order.get(i), 2 * ring + 1, order.get((i + 1) % switches), 2 * ring + 2);
            }
        }
        for (int sw = 0; sw < switches; sw++) {
            sketch.addHost(sw, 2 * RINGS + 1);
        }
        return sketch.build();
    }
}
