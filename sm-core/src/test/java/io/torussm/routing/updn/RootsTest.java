package io.torussm.routing.updn;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.testing.Sketch;
import org.junit.jupiter.api.Test;

class RootsTest {
    /** With forty leaves, a leaf too has more than nine tenths of all hosts at one distance, and a spine no more. */
    @Test
    void leavesOfALargeTreeAreNoRoots() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("spine 0", 40);
        sketch.addSwitch("spine 1", 40);
        for (int leaf = 0; leaf < 40; leaf++) {
            int sw = sketch.addSwitch("leaf " + leaf, 3);
            sketch.link(sw, 2, 0, leaf + 1);
            sketch.link(sw, 3, 1, leaf + 1);
            sketch.addHost(sw, 1);
        }
        Fabric fabric = sketch.build();
        Links links = new Links(fabric);
        assertThat(TopSwitches.found(links, new Hops(links)).stream()).containsExactly(0, 1);
    }
}
