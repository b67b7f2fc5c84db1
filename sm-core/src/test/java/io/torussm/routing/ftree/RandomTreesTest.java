package io.torussm.routing.ftree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Trees that lost cables, with hosts above the leaves and cables between switches of one rank: every plan is
 * proved.
 */
class RandomTreesTest {
    static LongStream seeds() {
        return Seeds.few();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void offersNothingThatIsNotFreeOfCreditLoops(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 5; i++) {
            RoutingResult result = route(random);
            if (result instanceof Refusal refusal) {
                assertThat(refusal.reason()).isNotEmpty();
            } else if (result instanceof Plan plan) {
                assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                        .isInstanceOf(Certificate.class);
            }
        }
    }

    private static RoutingResult route(Random random) {
        int ranks = 2 + random.nextInt(2);
        int width = 2 + random.nextInt(3);
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < ranks * width; sw++) {
            sketch.addSwitch("sw" + sw, 20);
        }
        int[] used = new int[ranks * width];
        int kept = 60 + random.nextInt(41);
        for (int sw = width; sw < used.length; sw++) {
            for (int i = 0; i < width; i++) {
                int above = (sw / width - 1) * width + i;
                if (random.nextInt(100) < kept) {
                    sketch.link(sw, ++used[sw], above, ++used[above]);
                }
            }
        }
        for (int sideways = random.nextInt(4); sideways > 0; sideways--) {
            int rank = random.nextInt(ranks);
            int a = rank * width + random.nextInt(width);
            int b = rank * width + random.nextInt(width);
            if (a != b) {
                sketch.link(a, ++used[a], b, ++used[b]);
            }
        }
        for (int sw = 0; sw < used.length; sw++) {
            for (int host = random.nextInt(sw < used.length - width ? 2 : 4); host > 0; host--) {
                sketch.addHost(sw, ++used[sw]);
            }
        }
        return route(sketch.build(), random, width, used.length - width);
    }

    private static RoutingResult route(Fabric fabric, Random random, int roots, int firstLeaf) {
        Map<String, EngineFile> files = new HashMap<>();
        StringBuilder computing = new StringBuilder();
        StringBuilder serving = new StringBuilder("1\n");
        for (int port = 0; port < fabric.portCount(); port++) {
            if (!fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port)) {
                (fabric.switchOf(port) >= firstLeaf ? computing : serving)
                        .append(fabric.portGuid(port))
                        .append('\n');
            }
        }
        files.put("cn_guid_file", EngineFile.read("cn", computing.toString()));
        files.put("io_guid_file", EngineFile.read("io", serving.toString()));
        if (random.nextInt(4) > 0) {
            StringBuilder lines = new StringBuilder();
            for (int sw = 0; sw < roots; sw++) {
                lines.append(fabric.nodeGuid(sw)).append('\n');
            }
            files.put("root_guid_file", EngineFile.read("roots", lines.toString()));
        }
        Map<String, String> values = Map.of(
                "max_reverse_hops", Integer.toString(random.nextInt(4)),
                "connect_roots", Boolean.toString(random.nextInt(3) == 0),
                "quasi_ftree_indexing", Boolean.toString(random.nextBoolean()),
                "ftree_allow_partial", "true");
        return new FatTreeEngine()
                .route(new EngineContext(
                        Subnets.of(fabric),
                        TestRouting.QOS,
                        new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1),
                        null));
    }
}
