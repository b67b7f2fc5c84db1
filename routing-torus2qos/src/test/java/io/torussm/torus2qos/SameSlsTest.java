package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * If the engine states that SLs equal those of another plan, so that a comparison of each pair is skipped,
 * they are equal.
 */
class SameSlsTest {
    private static final int SEEDS = 60;
    private static final int LEVELS = 16;

    private int equalCount;

    @Test
    void areTheSameForEveryPairAndLevel() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = Seeds.random(seed);
            TestTorus torus = new TestTorus(
                    new int[] {3 + random.nextInt(3), 3 + random.nextInt(2), 1 + random.nextInt(2) * 2},
                    "",
                    1,
                    random.nextInt(2),
                    null);
            Torus2QosEngine engine = new Torus2QosEngine(TestTorus.parse(torus.confOfSeeds()), 2);
            Map<Long, Integer> lids = new HashMap<>();
            Plan before = (Plan) engine.route(TestFabric.subnet(torus.fabric.fabric(), lids), TestTorus.QOS);
            for (int count = 1; count <= 3; count++) {
                TreeSet<Fault> faults = new TreeSet<>();
                while (faults.size() < count) {
                    faults.add(Fault.draw(torus, 4, random));
                }
                Subnet subnet = TestFabric.subnet(Fault.damaged(torus, faults), lids);
                if (engine.route(subnet, TestTorus.QOS) instanceof Plan plan) {
                    compare(plan, before, torus + " " + faults);
                }
            }
        }
        assertThat(equalCount).isGreaterThan(SEEDS / 2);
    }

    private void compare(Plan now, Plan before, String noun) {
        if (!now.sls().isSameAs(before.sls())) {
            return;
        }
        equalCount++;
        Fabric fabric = now.subnet().fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int old = before.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
            int from = now.subnet().lid(fabric.port(sw, 0));
            for (int lid = 1; lid <= now.subnet().topLid(); lid++) {
                if (now.subnet().switchOfLid(lid) == Fabric.NONE) {
                    continue;
                }
                assertThat(now.slMask(sw, lid)).as(noun).isEqualTo(before.slMask(old, lid));
                for (int wanted = 0; wanted < LEVELS; wanted++) {
                    assertThat(now.pathSl(from, lid, wanted)).as(noun).isEqualTo(before.pathSl(from, lid, wanted));
                }
            }
        }
    }
}
