package io.torussm.routing.updn;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.dnup.DownUpEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Seeds;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties of updn, and of dnup where both have the same. {@code TorusSketch.of} takes x, y, z, cables and hosts. */
class UpDownEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 60);

    private static RoutingResult route(Subnet subnet, String roots) {
        return route(subnet, roots, Map.of());
    }

    private static RoutingResult route(Subnet subnet, String roots, Map<String, String> values) {
        Map<String, EngineFile> files = Map.of("root_guid_file", EngineFile.read("roots.conf", roots));
        EngineConfig config = new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1);
        return new UpDownEngine().route(new EngineContext(subnet, TestRouting.QOS, config, null));
    }

    private static void assertProved(RoutingResult result, String label) {
        DeadlockChecker.Proof proof =
                new DeadlockChecker(1).prove((Plan) result, TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.verdict()).as(label).isInstanceOf(Certificate.class);
        assertThat(proof.multicast()).as(label).isNotNull();
    }

    /** On tori, where shortest paths have a credit loop; multicast goes along with it. */
    @ParameterizedTest
    @CsvSource({"5,5,1,1", "4,4,4,1", "7,1,1,2", "3,3,3,2", "1,1,1,1"})
    void isFreeOfCreditLoopsOnAnyTorus(int x, int y, int z, int cables) {
        Subnet subnet = TorusSketch.of(x, y, z, cables, 1).subnet();
        assertProved(new UpDownEngine().route(subnet, TestRouting.QOS), "updn");
        assertProved(new DownUpEngine().route(subnet, TestRouting.QOS), "dnup");
    }

    /** The root is random. Random fabrics have switches without hosts and parallel cables. */
    @Test
    void plansOfRandomFabricsAreFreeOfCreditLoops() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = Seeds.random(seed);
            Subnet subnet = Subnets.of(RandomFabric.of(random));
            Fabric fabric = subnet.fabric();
            String root = Guid.format(fabric.nodeGuid(random.nextInt(fabric.switchCount())));
            assertProved(route(subnet, root), "updn, seed " + seed);
            for (Engine engine : new Engine[] {new UpDownEngine(), new DownUpEngine()}) {
                assertProved(engine.route(subnet, TestRouting.QOS), engine.name() + ", seed " + seed);
            }
        }
    }

    @Test
    void dnupRefusesAPortThatItsSwitchHasNot() {
        Subnet subnet = TorusSketch.of(1, 1, 1, 1, 0).subnet();
        String line = Guid.format(subnet.fabric().nodeGuid(0)) + " 200\n";
        Map<String, EngineFile> files = Map.of("port_prof_ignore_file", EngineFile.read("ignore.conf", line));
        EngineConfig config = new EngineConfig(Map.of(), files, "", Sl2VlTables.DEFAULT, 1);
        RoutingResult result = new DownUpEngine().route(new EngineContext(subnet, TestRouting.QOS, config, null));
        assertThat(((Refusal) result).reason()).startsWith("ignore.conf:1: ").contains("has no port 200");
    }

    /** OpenSM's manual page says so, OpenSM does not do it. */
    @Test
    void aHostStandsForItsSwitch() {
        Subnet subnet = TorusSketch.of(5, 5, 1, 1, 1).subnet();
        Fabric fabric = subnet.fabric();
        int host = fabric.port(fabric.nodeCount() - 3, 1);
        Plan wanted = (Plan) route(subnet, Guid.format(fabric.nodeGuid(fabric.switchOf(host))));
        for (long guid : new long[] {fabric.nodeGuid(fabric.nodeOf(host)), fabric.portGuid(host)}) {
            Plan plan = (Plan) route(subnet, "# the host\n" + Guid.format(guid) + " its name\n");
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                assertThat(plan.lft(sw)).isEqualTo(wanted.lft(sw));
            }
        }
    }

    @Test
    void refusesWithoutTheRootsThatAreAskedFor() {
        Subnet subnet = TorusSketch.of(3, 1, 1, 1, 1).subnet();
        assertThat(((Refusal) route(subnet, "\n0x99\n")).reason()).startsWith("roots.conf:2: there is no switch");
        assertThat(((Refusal) route(subnet, "0x99 1\n")).reason())
                .startsWith("roots.conf:1: the number \"1\" may be a rank")
                .contains("list the switches at the top only");
        assertThat(((Refusal) route(subnet, "root\n")).reason()).startsWith("roots.conf:1: \"root\" is no GUID");
    }

    /** Two spines with a host each, under which leaves have no cable to each other. */
    @Test
    void refusesWhereHostsHaveNoPath() {
        Subnet subnet = TorusSketch.of(4, 1, 1, 1, 1).subnet();
        Fabric fabric = subnet.fabric();
        String roots = Guid.format(fabric.nodeGuid(0)) + "\n" + Guid.format(fabric.nodeGuid(2)) + "\n";
        assertThat(((Refusal) route(subnet, roots)).reason())
                .contains("2 pairs of hosts have no path", "updn_allow_partial");
    }

    /** Spines reach each other, and the hosts on them, with the proof: all at the same leaf. */
    @Test
    void connectsRootsWithoutACreditLoop() {
        RecordedCases.Case recorded = RecordedCases.of(UpDownEngine.NAME, "cut_connect");
        Subnet subnet = recorded.states().get(0).subnet();
        Plan plan =
                (Plan) new UpDownEngine().route(new EngineContext(subnet, TestRouting.QOS, recorded.config(), null));
        assertProved(plan, "cut_connect");
        assertThat(plan.findings()).isEmpty();
        for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                assertThat(plan.lft(sw)[lid] & 0xff)
                        .as("switch %d to LID %d", sw, lid)
                        .isNotEqualTo(0xff);
            }
        }
    }

    /** Three random roots, which may have hosts: all pairs have paths, or pairs without one are named. */
    @Test
    void connectsPairsThatTheProofAllows() {
        int whole = 0;
        int plans = 0;
        for (int seed = 0; seed < SEEDS / 3; seed++) {
            Random random = Seeds.random(seed);
            Subnet subnet = Subnets.of(RandomFabric.of(random));
            Fabric fabric = subnet.fabric();
            int[] roots = random.ints(3, 0, fabric.switchCount()).distinct().toArray();
            String file = Arrays.stream(roots)
                    .mapToObj(sw -> Guid.format(fabric.nodeGuid(sw)))
                    .collect(Collectors.joining("\n"));
            boolean isRoutedWithout = route(subnet, file) instanceof Plan;
            RoutingResult result = route(subnet, file, Map.of("connect_roots", "true"));
            assertThat(result instanceof Plan || !isRoutedWithout)
                    .as("seed " + seed)
                    .isTrue();
            if (result instanceof Plan plan && roots.length > 1) {
                assertProved(plan, "seed " + seed);
                boolean isWhole = IntStream.range(0, fabric.switchCount()).allMatch(sw -> IntStream.of(roots)
                        .allMatch(to -> plan.lft(sw)[subnet.lid(fabric.port(to, 0))] != (byte) 0xff));
                assertThat(plan.findings().isEmpty()).as("seed " + seed).isEqualTo(isWhole);
                plans++;
                whole += isWhole ? 1 : 0;
            }
        }
        assertThat(whole).as("of " + plans).isGreaterThan(plans * 2 / 3);
    }
}
