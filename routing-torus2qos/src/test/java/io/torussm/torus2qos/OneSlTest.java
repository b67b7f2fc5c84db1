package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Balance;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code balance = one_sl}: nothing waits for itself, whatever SL any host uses. */
class OneSlTest {
    /** Hosts that use whatever SL they like. */
    private static final PathSls ANY = new PathSls() {
        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            return wanted;
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return 0xffff;
        }
    };

    private static ChainResult chain(String conf, Subnet subnet) {
        return TiesTest.chain(conf, subnet, TestTorus.QOS, Balance.ONE_SL);
    }

    private static void assertSafe(ChainResult routed, String label) {
        assertThat(routed.refusals()).as(label).isEmpty();
        assertThat(routed.multicast()).as(label).isNotNull();
        Plan plan = TestTorus.plan(routed);
        Plan any = plan.withTables(IntStream.range(0, plan.subnet().fabric().switchCount())
                        .mapToObj(plan::lft)
                        .toArray(byte[][]::new))
                .sls(ANY)
                .build();
        assertThat(new DeadlockChecker(2).prove(any, TestTorus.QOS).verdict())
                .as(label)
                .isInstanceOf(Certificate.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3x3x3", "4x4x4", "5x5x5", "6x6x6", "7x7x3", "8x8x4", "9x9x1", "10x6x1", "12x5x1", "16x16x1", "2x5x8"
            })
    void anySlIsSafe(String sizes) {
        TestTorus torus = TiesTest.torus(sizes, 1);
        ChainResult routed = chain(torus.conf(), torus.fabric.subnet(0));
        assertSafe(routed, sizes);
        Plan plan = TestTorus.plan(routed);
        Fabric fabric = plan.subnet().fabric();
        int[] hosts = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .map(plan.subnet()::lid)
                .toArray();
        for (int from : hosts) {
            for (int to : hosts) {
                assertThat(plan.pathSl(from, to, 0)).isZero();
                assertThat(plan.pathSl(from, to, 15)).isEqualTo(8);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6x6x1", "8x8x1", "7x4x2", "10x4x1"})
    void withoutAnySwitchToo(String sizes) {
        TestTorus whole = TiesTest.torus(sizes, 1);
        for (int lost = 0; lost < whole.count(); lost++) {
            TestTorus torus = TiesTest.torus(sizes, 1);
            torus.fabric.remove(torus.guid(torus.at(lost)));
            String conf = torus.conf() + "next_seed\n" + torus.seed(TiesTest.middle(torus));
            assertSafe(chain(conf, torus.fabric.subnet(0)), sizes + " without " + Arrays.toString(torus.at(lost)));
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.torus2qos.GoldenFabric#routed")
    void hasTheSlsOfTheReferenceOnRandomFabrics(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        assertSafe(chain(golden.conf, TestFabric.subnet(golden.fabric, 0)), name);
    }
}
