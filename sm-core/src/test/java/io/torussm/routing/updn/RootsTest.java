package io.torussm.routing.updn;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.testing.Sketch;
import org.junit.jupiter.api.Test;

/** The choice of roots of up/down routing, in a tree of 2 spines and 40 leaves with a host each. */
class RootsTest {
    /** With 40 leaves, a leaf has 39 hosts at one distance, more than nine tenths, as a root would have. */
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
        assertThat(TopSwitches.find(links, new Hops(links)).stream()).containsExactly(0, 1);
    }
}
