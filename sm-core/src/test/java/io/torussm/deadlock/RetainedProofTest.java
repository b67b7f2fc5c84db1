package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import org.junit.jupiter.api.Test;

/**
 * A ring of switches 0 1 2 3, port 1 to the next one and port 2 back, and switch 4 with cables to the ports 3 of 1 and
 * 2. Routes of two hops that go on by port 1 are 0 1 2, 1 2 3, 2 3 0, and, to switch 4 only, 3 0 1.
 */
class RetainedProofTest {
    private static final int[][] PORT_BY_DESTINATION = {
        {0, 1, 1, 2, 1}, {2, 0, 1, 1, 3}, {1, 2, 0, 1, 3}, {1, 2, 2, 0, 1}, {2, 2, 2, 2, 0}
    };

    private static Subnet ring() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < 5; sw++) {
            sketch.addSwitch("sw-" + sw, 3);
        }
        for (int sw = 0; sw < 4; sw++) {
            sketch.link(sw, 1, (sw + 1) % 4, 2);
        }
        sketch.link(4, 1, 1, 3);
        sketch.link(4, 2, 2, 3);
        return Subnets.of(sketch.build());
    }

    private static byte[][] tables(Subnet subnet) {
        byte[][] lfts = new byte[5][subnet.topLid() + 1];
        for (int sw = 0; sw < 5; sw++) {
            for (int to = 0; to < 5; to++) {
                lfts[sw][subnet.lid(subnet.fabric().port(to, 0))] = (byte) PORT_BY_DESTINATION[sw][to];
            }
        }
        return lfts;
    }

    /**
     * Returns the verdict on the tables after the loss of the cable from 4 to 1; the remaining paths are
     * proved in any case.
     */
    private static Verdict verdict(Subnet whole, byte[][] held) {
        FabricBuilder rest = FabricBuilder.of(whole.fabric());
        rest.unlink(whole.fabric().nodeGuid(4), 1);
        Plan engine =
                Plan.builder("engine", whole.restrictedTo(rest.build()), held).build();
        Plan adopted = RetainedRoutes.ofAdopted(engine, held, null).orElseThrow();
        DeadlockChecker checker = new DeadlockChecker(1);
        assertThat(adopted.retention().orElseThrow().lostPairs()).isPositive();
        assertThat(checker.check(adopted, TestRouting.QOS)).isInstanceOf(Certificate.class);
        return checker.proveRetained(adopted, TestRouting.QOS, TreeGrowth::candidates)
                .verdict();
    }

    /** Hosts got the path while it existed, and continue to send. Their packets wait on the ring as all packets do. */
    @Test
    void packetsThatAreLostInTheEndCount() {
        Subnet whole = ring();
        assertThat(verdict(whole, tables(whole))).isInstanceOf(Cycle.class);
    }

    /** The tree 4-1-0, 4-2-3 falls into two parts, both of which groups go on to use. */
    @Test
    void theRestOfAMulticastTreeWithALostCableIsProved() {
        Subnet whole = ring();
        byte[][] held = tables(whole);
        held[3][whole.lid(whole.fabric().port(4, 0))] = 2;
        Plan routed = Plan.builder("engine", whole, held).build();
        FabricBuilder rest = FabricBuilder.of(whole.fabric());
        rest.unlink(whole.fabric().nodeGuid(4), 1);
        Plan retained = RetainedRoutes.ofRefused(
                        routed, MulticastTree.nearest(whole.fabric(), 4), whole.restrictedTo(rest.build()))
                .orElseThrow();
        DeadlockChecker.Proof proof =
                new DeadlockChecker(1).proveRetained(retained, TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.verdict()).isInstanceOfSatisfying(Certificate.class, certificate -> assertThat(
                        certificate.verify(retained, TestRouting.QOS))
                .isTrue());
        MulticastTree left = retained.multicastTree().orElseThrow();
        assertThat(left.portAtParent(1, 0)).isEqualTo(Fabric.NONE);
        assertThat(proof.multicast()).isEqualTo(left);
    }

    @Test
    void packetsThatAreLostAndWaitForNoneOfThemDoNotMatter() {
        Subnet whole = ring();
        byte[][] held = tables(whole);
        held[3][whole.lid(whole.fabric().port(4, 0))] = 2;
        assertThat(verdict(whole, held)).isInstanceOf(Certificate.class);
    }
}
