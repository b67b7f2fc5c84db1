package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlStability;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The promise to applications: the SL of a path does not change while torus-2QoS can route the fabric, with lost cables
 * and switches and by another seed. If an operator moves a dateline or mirrors the torus, changed paths are counted.
 */
class SlPromiseTest {
    /** The bit of an SL that the second QoS level sets. */
    private static final int SECOND_LEVEL = 8;

    /** Returns the subnet after damage, in which each remaining port keeps its LID. */
    private static Subnet subnet(TestTorus torus, Subnet before) {
        Map<Long, Integer> known = new HashMap<>();
        Fabric old = before.fabric();
        for (int port = 0; port < old.portCount(); port++) {
            if (before.lid(port) != 0) {
                known.put(old.portGuid(port), before.lid(port));
            }
        }
        return LidAssigner.assign(
                        torus.fabric.fabric(), LidAssigner.KnownLids.ofStore(known), 0, false, before.gidPrefix())
                .subnet()
                .orElseThrow();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void slsDoNotChangeWhenCablesAndSwitchesAreLostAndReturn(long seed) {
        Random random = Seeds.random(seed);
        TestTorus torus = torus(random);
        Plan pristine = torus.plan(torus.conf());
        int accepted = 0;
        for (int i = 0; i < 8; i++) {
            TestTorus damaged = damage(torus, random);
            String otherSeed = torus.seed(random.nextInt(torus.radix[0]), random.nextInt(torus.radix[1]), 0);
            ChainResult result =
                    TestTorus.chain(torus.conf() + "next_seed\n" + otherSeed, subnet(damaged, pristine.subnet()));
            if (result.isAccepted()) {
                accepted++;
                Plan plan = TestTorus.plan(result);
                assertThat(SlStability.compare(pristine, plan).findings()).isEmpty();
                assertThat(SlStability.compare(plan, pristine).findings()).isEmpty();
            }
        }
        assertThat(accepted).isPositive();
    }

    /** Returns a torus without one to three cables or switches; the first switch stays. */
    private static TestTorus damage(TestTorus torus, Random random) {
        TestTorus damaged = new TestTorus(torus.radix.clone(), "", torus.links, torus.hosts, null);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = 1 + random.nextInt(damaged.count() - 1);
            if (random.nextBoolean()) {
                damaged.fabric.remove(damaged.guid(damaged.at(at)));
            } else {
                damaged.fabric.unplug(damaged.guid(damaged.at(at)), damaged.plusPort(at, random.nextInt(2), 0));
            }
        }
        return damaged;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void changedSlsAreCountedByPathIfADatelineMoves(long seed) {
        Random random = Seeds.random(seed);
        TestTorus torus = torus(random);
        Plan before = torus.plan(torus.conf());
        int d = random.nextInt(2);
        int steps = 1 + random.nextInt(torus.radix[d] - 1);
        Plan after = torus.plan(torus.conf() + "xyz".charAt(d) + "_dateline " + steps + "\n");
        SlStability stability = SlStability.compare(before, after);
        assertThat(stability.changedPaths())
                .isEqualTo(changedPaths(before, after))
                .isPositive();
        assertThat(stability.cause()).contains("datelines or sizes in torus-2QoS.conf");
    }

    @Test
    void changedSlsAreCountedByPathIfASeedMirrorsTheTorus() {
        TestTorus torus = new TestTorus(6, 5, 1);
        Plan before = torus.plan(torus.conf());
        String mirrored = torus.sizes()
                + String.format("xp_link 0x%x 0x%x%n", torus.guid(0, 0, 0), torus.guid(5, 0, 0))
                + String.format("yp_link 0x%x 0x%x%n", torus.guid(0, 0, 0), torus.guid(0, 1, 0));
        Plan after = torus.plan(mirrored);
        assertThat(SlStability.compare(before, after).changedPaths())
                .isEqualTo(changedPaths(before, after))
                .isPositive();
    }

    private static TestTorus torus(Random random) {
        int[] radix = {4 + random.nextInt(3), 3 + random.nextInt(3), 1 + random.nextInt(3)};
        return new TestTorus(radix, "", 1 + random.nextInt(2), random.nextInt(3), null);
    }

    /** Returns the number of paths of both plans with different SLs. */
    private static long changedPaths(Plan before, Plan after) {
        long changed = 0;
        int top = Math.min(before.subnet().topLid(), after.subnet().topLid());
        for (int slid = 1; slid <= top; slid++) {
            for (int dlid = 1; dlid <= top; dlid++) {
                int oldSl = before.pathSl(slid, dlid, SECOND_LEVEL);
                int newSl = after.pathSl(slid, dlid, SECOND_LEVEL);
                changed += slid != dlid && oldSl >= 0 && newSl >= 0 && oldSl != newSl ? 1 : 0;
            }
        }
        return changed;
    }
}
