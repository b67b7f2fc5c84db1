package io.torussm.testing;

import io.torussm.fabric.Fabric;
import java.util.Random;

/** Random connected fabrics of switches with 16 ports. */
public final class RandomFabric {
    private static final int PORTS = 16;

    private RandomFabric() {}

    /**
     * Returns 4 to 15 switches: a tree of cables, and at most one further cable for each switch. On average, three of
     * four switches have a host, and switch 0 always has one.
     */
    public static Fabric of(Random random) {
        return of(random, 4 + random.nextInt(12));
    }

    /** Returns a random connected fabric of a number of switches. */
    public static Fabric of(Random random, int switches) {
        Sketch sketch = new Sketch();
        int[] used = new int[switches];
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw-" + sw, PORTS);
            if (sw > 0) {
                link(sketch, used, sw, random.nextInt(sw));
            }
        }
        for (int more = random.nextInt(switches + 1); more > 0; more--) {
            link(sketch, used, random.nextInt(switches), random.nextInt(switches));
        }
        for (int sw = 0; sw < switches; sw++) {
            if (sw == 0 || random.nextInt(4) != 0) {
                sketch.addHost(sw, PORTS);
            }
        }
        return sketch.build();
    }

    private static void link(Sketch sketch, int[] used, int a, int b) {
        if (a != b && used[a] < PORTS - 1 && used[b] < PORTS - 1) {
            sketch.link(a, ++used[a], b, ++used[b]);
        }
    }
}
