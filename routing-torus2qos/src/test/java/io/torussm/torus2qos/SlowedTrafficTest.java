package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.dataplane.DataPlane;
import io.torussm.dataplane.DataPlaneSettings;
import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.OfferedLoad;
import io.torussm.dataplane.PlanTables;
import io.torussm.dataplane.SlChoice;
import io.torussm.dataplane.TestTraffic;
import io.torussm.dataplane.Workload;
import io.torussm.dataplane.congestion.CongestionParameters;
import io.torussm.dataplane.congestion.TestParameters;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Congestion control leaves a certificate as it is: it slows senders down and moves no packet. On random faulty tori
 * with random settings all hosts send at full load. When they stop, every packet and every CNP arrives.
 */
class SlowedTrafficTest {
    private static final long LOADED_NS = 400_000;
    private static final int PORTS = 36;
    private static final int HOT_SHARE = 4;

    /** A full load until a time, of which each fourth message goes to the first host. */
    private static final class Burst implements Workload {
        private final Workload load;
        long sent;
        long arrived;

        Burst(Hosts hosts, long seed) {
            Destinations uniform = Destinations.uniform(hosts.count());
            load = new OfferedLoad(
                    hosts,
                    (host, random) -> host > 0 && random.nextInt(HOT_SHARE) == 0 ? 0 : uniform.next(host, random),
                    1,
                    2_048,
                    0,
                    seed);
        }

        @Override
        public boolean next(int host, long nowNs, Message message) {
            if (nowNs > LOADED_NS || !load.next(host, nowNs, message)) {
                return false;
            }
            sent += message.bytes;
            return true;
        }

        @Override
        public void arrived(int host, int from, int bytes, long nowNs) {
            arrived += bytes;
        }
    }

    private static CongestionParameters draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SwitchCongestionSetting marking =
                TestParameters.marking(1 + random.nextInt(15), random.nextInt(33), random.nextInt(12));
        if (random.nextBoolean()) {
            marking = TestParameters.withVictims(
                    marking,
                    IntStream.range(1, PORTS)
                            .filter(port -> random.nextBoolean())
                            .toArray());
        }
        if (random.nextBoolean()) {
            marking = TestParameters.withStarvation(
                    marking,
                    random.nextInt(16),
                    random.nextInt(1 << 16) & 0xc0ff,
                    IntStream.range(1, PORTS)
                            .filter(port -> random.nextBoolean())
                            .toArray());
        }
        return new CongestionParameters(
                marking,
                TestParameters.reaction(
                        random.nextInt(2), 1 + random.nextInt(20), 1 + random.nextInt(4), 0, random.nextInt(3)),
                TestParameters.quarters(1 + random.nextInt(127)));
    }

    @ParameterizedTest
    @CsvSource({"1, 6"})
    void noPacketOfAPlanWithACertificateWaitsForEver(long first, int cases) {
        long seed = first;
        long marks = 0;
        for (int drawn = 0; drawn < cases; seed++) {
            FaultyCase each = FaultyCase.draw(seed);
            Subnet subnet = each.torus().fabric.subnet(each.lmc());
            Hosts hosts = new Hosts(subnet);
            if (hosts.count() < 2 || each.dataVls() < 8) {
                continue;
            }
            ChainResult result = TestTorus.routeWithLastResort(each.conf(), subnet);
            Plan plan = result.plan();
            if (plan == null) {
                continue;
            }
            drawn++;
            PlanTables tables = new PlanTables(plan, TestTorus.QOS, (portClass, low, high, vls) -> TestTraffic.FAIR);
            SlChoice sls = (from, dlid, level) -> plan.pathSl(hosts.lid(from), dlid, 0);
            Burst burst = new Burst(hosts, seed);
            DataPlane plane =
                    new DataPlane(hosts, tables, sls, burst, DataPlaneSettings.DEFAULT.withCongestion(draw(seed)));
            plane.run(LOADED_NS);
            assertThat(plane.deadlock()).as("seed " + seed).isEmpty();
            plane.run(Long.MAX_VALUE);
            assertThat(plane.isIdle()).as("seed " + seed).isTrue();
            assertThat(plane.inFlight()).as("seed " + seed).isZero();
            assertThat(plane.tally().drops()).as("seed " + seed).isZero();
            assertThat(burst.arrived).as("seed " + seed).isEqualTo(burst.sent);
            marks += plane.congestion().orElseThrow().marks();
        }
        assertThat(marks).isPositive();
        System.out.println("data plane: nothing waits for ever in " + cases + " slowed fabrics, seeds " + first + " to "
                + (seed - 1) + ", " + marks + " marks");
    }

    @ParameterizedTest
    @Tag("campaign")
    @CsvSource({"1000, 500"})
    void noPacketOfACampaignWaitsForEver(long first, int cases) {
        noPacketOfAPlanWithACertificateWaitsForEver(first, cases);
    }
}
