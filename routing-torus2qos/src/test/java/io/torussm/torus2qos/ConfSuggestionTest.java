package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import io.torussm.torus2qos.planning.ConfSuggestion;
import io.torussm.torus2qos.planning.SeedSpread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Suggested configurations, on recorded fabrics by name ({@link GoldenFabric}) and on tori with shuffled GUIDs and
 * ports.
 */
class ConfSuggestionTest {

    private static ConfSuggestion suggestion(Subnet subnet) {
        return ConfSuggestion.of(subnet, TestTorus.QOS, 2);
    }

    private static Plan plan(ConfSuggestion suggestion) {
        ChainResult routed = suggestion.chainResult();
        if (routed == null) {
            throw new AssertionError(suggestion.reason());
        }
        return TestTorus.plan(routed);
    }

    private static String sizes(ConfSuggestion suggestion) {
        return suggestion.conf().lines().findFirst().orElse("");
    }

    @ParameterizedTest
    @MethodSource("io.torussm.torus2qos.GoldenFabric#routed")
    void theSuggestionRoutesARecordedFabricWithTheHopsOfItsOwnConfiguration(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        Subnet subnet = TestFabric.subnet(golden.fabric, 0);
        ConfSuggestion suggestion = suggestion(subnet);
        Plan given = TestTorus.plan(TestTorus.chain(golden.conf, subnet));
        assertThat(hops(plan(suggestion))).isEqualTo(hops(given));
    }

    /** Returns the number of pairs of a switch and a LID by the number of cables between them. */
    private static Map<Integer, Integer> hops(Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        Map<Integer, Integer> pairs = new TreeMap<>();
        for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
            int to = plan.subnet().switchOfLid(lid);
            for (int from = 0; to != Fabric.NONE && from < fabric.switchCount(); from++) {
                int hops = 0;
                for (int sw = from; sw != to; hops++) {
                    sw = fabric.nodeOf(fabric.peer(fabric.port(sw, plan.lft(sw)[lid] & 0xff)));
                }
                pairs.merge(hops, 1, Integer::sum);
            }
        }
        return pairs;
    }

    /**
     * Fabrics that are refused as they are, such as a ring in two parts: the file is right, and the engine
     * names the broken parts.
     */
    @ParameterizedTest
    @CsvSource({
        "65_link_Sn_To,torus 6 5 1",
        "65_link_nT_To,torus 6 5 1",
        "666_ring2,torus 6 6 6",
        "65_mesh_link,torus 6m 5m 1"
    })
    void recognisesATorusThatIsTooBrokenToBeRouted(String name, String sizes) {
        ConfSuggestion suggestion = suggestion(TestFabric.subnet(new GoldenFabric(name).fabric, 0));
        assertThat(sizes(suggestion)).isEqualTo(sizes);
        assertThat(suggestion.chainResult()).isNotNull().matches(routed -> !routed.isAccepted());
    }

    /** Two absent switches that are neighbours in x or y are refused, unless the file makes that dimension the last. */
    @ParameterizedTest
    @ValueSource(strings = {"666_sw2x", "666_sw2y", "66_sw_O_T"})
    void findsTheOrderOfDimensionsInWhichSwitchesMayBeMissing(String name) {
        assertThat(plan(suggestion(TestFabric.subnet(new GoldenFabric(name).fabric, 0))))
                .isNotNull();
    }

    /** Lines and rings have no square. OpenSM places only the switches of the seed, and refuses such fabrics. */
    @ParameterizedTest
    @CsvSource({"2,x", "3,x", "3,''", "4,x", "4,''", "5,x", "5,''", "6,x", "6,''", "7,x", "9,''", "12,x"})
    void linesAndRingsAreRoutedWholly(int length, String mesh) {
        for (int seed = 0; seed < 10; seed++) {
            Random random = Seeds.random(seed);
            TestTorus line = new TestTorus(new int[] {length, 1, 1}, mesh, 1 + seed % 2, 1, random);
            ConfSuggestion suggestion = suggestion(line.fabric.subnet(0));
            assertThat(suggestion.reason()).isEmpty();
            Plan plan = plan(suggestion);
            assertThat(hops(plan).values().stream().mapToInt(pairs -> pairs).sum())
                    .as(suggestion.conf())
                    .isEqualTo(length * (2 * length));
            assertThat(plan.findings()).noneMatch(finding -> finding.severity() == Severity.WARNING);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void recognisesToriWithShuffledGuidsAndPorts(long seed) {
        Random random = Seeds.random(seed);
        int[] radix = {2 + random.nextInt(6), 2 + random.nextInt(6), random.nextInt(4) == 0 ? 1 : 2 + random.nextInt(6)
        };
        String mesh =
                random.nextInt(3) == 0 ? "xyz".substring(random.nextInt(3)).substring(0, 1) : "";
        TestTorus torus = new TestTorus(radix, mesh, 1 + random.nextInt(2), 1, random);
        Subnet subnet = torus.fabric.subnet(0);
        ConfSuggestion suggestion = suggestion(subnet);
        assertThat(suggestion.reason()).isEmpty();
        Plan plan = plan(suggestion);
        assertThat(hops(plan)).as(suggestion.conf()).isEqualTo(hops(torus.plan(torus.conf())));
        assertThat(plan.findings()).noneMatch(finding -> finding.severity() == Severity.WARNING);
        assertThat(SeedSpread.warnings(subnet.fabric(), TorusMap.of(plan).orElseThrow(), sw -> ""))
                .as(suggestion.conf())
                .isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void recognisesDamagedToriWithShuffledGuidsAndPorts(long seed) {
        Random random = Seeds.random(seed);
        int[] radix = {5 + random.nextInt(3), 3 + random.nextInt(4), 4 + random.nextInt(3)};
        TestTorus torus = new TestTorus(radix, "", 1, 1, random);
        DamagedTorus damaged = new DamagedTorus(torus);
        damaged.failSwitch(torus.at(random.nextInt(torus.count())));
        damaged.failLink(random.nextInt(3), torus.at(random.nextInt(torus.count())));
        Subnet subnet = torus.fabric.subnet(0);
        ConfSuggestion suggestion = suggestion(subnet);
        int[] found = Arrays.stream(sizes(suggestion).split(" ", -1))
                .skip(1)
                .mapToInt(Integer::parseInt)
                .sorted()
                .toArray();
        assertThat(found).isEqualTo(Arrays.stream(radix).sorted().toArray());
        assertThat(suggestion.reason()).contains("1 position without a switch");
    }

    @Test
    void noSingleSwitchIsPartOfAllSeeds() {
        TestTorus torus = new TestTorus(5, 5, 4);
        String conf = suggestion(torus.fabric.subnet(0)).conf();
        List<Seed> seeds = TestTorus.conf(conf).seeds();
        assertThat(seeds).hasSize(4);
        for (int lost = 0; lost < torus.count(); lost++) {
            long guid = torus.guid(torus.at(lost));
            assertThat(seeds).anyMatch(seed -> Arrays.stream(seed.links())
                    .allMatch(link -> link == null || link.from() != guid && link.to() != guid));
        }
    }

    @Test
    void everySeedMeansTheSameCoordinates() {
        TestTorus torus = new TestTorus(new int[] {6, 4, 3}, "x", 1, 2, Seeds.random(7));
        Subnet subnet = torus.fabric.subnet(0);
        String conf = suggestion(subnet).conf();
        String[] parts = conf.split("next_seed\n", -1);
        String head = conf.lines().findFirst().orElseThrow() + "\n";
        List<String> places = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            Plan plan = TestTorus.plan(TestTorus.chain(i == 0 ? parts[0] : head + parts[i], subnet));
            StringBuilder all = new StringBuilder();
            for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
                all.append(plan.coordinates(sw));
            }
            places.add(all.toString());
        }
        assertThat(places).hasSize(4).containsOnly(places.get(0));
    }

    @Test
    void givesGroupsRoomForManyHosts() {
        TestTorus torus = new TestTorus(new int[] {3, 3, 1}, "", 1, 20, null);
        ConfSuggestion suggestion = suggestion(torus.fabric.subnet(0));
        assertThat(suggestion.conf()).contains("portgroup_max_ports 21\n");
        assertThat(plan(suggestion)).isNotNull();
    }

    @Test
    void aDescriptionCannotAddLinesToTheFile() {
        TestTorus torus = new TestTorus(5, 5, 1);
        torus.fabric.addSwitch(torus.guid(0, 0, 0), 7, "sw\ntorus 1 1 1");
        ConfSuggestion suggestion = suggestion(torus.fabric.subnet(0));
        assertThat(suggestion.conf()).contains("# (0,0,0) sw torus 1 1 1\n");
        assertThat(plan(suggestion)).isNotNull();
    }

    @Test
    void refusesATreeAndNamesASwitchWithTooManyNeighbours() {
        TestFabric tree = new TestFabric();
        for (int leaf = 0; leaf < 12; leaf++) {
            tree.addSwitch(0x100 + leaf, 36, "leaf-" + leaf);
            tree.addCa(0x300 + leaf, 1, "host-" + leaf);
            tree.cable(0x300 + leaf, 1, 0x100 + leaf, 36);
            for (int spine = 0; spine < 9; spine++) {
                tree.addSwitch(0x200 + spine, 36, "spine-" + spine);
                tree.cable(0x100 + leaf, 1 + spine, 0x200 + spine, 1 + leaf);
            }
        }
        ConfSuggestion suggestion = suggestion(tree.subnet(0));
        assertThat(suggestion.conf()).isEmpty();
        assertThat(suggestion.reason())
                .startsWith("the switches are not cabled as a torus or mesh of up to three dimensions")
                .contains("has cables to 12 other switches, where a torus has 6 at most");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void refusesCablesAtRandom(long seed) {
        Random random = Seeds.random(seed);
        TestFabric tangle = new TestFabric();
        int count = 40;
        int[] used = new int[count];
        for (int sw = 0; sw < count; sw++) {
            tangle.addSwitch(0x100 + sw, 2 * count, "sw-" + sw);
            for (int cable = 0; cable < 3 && sw > 0; cable++) {
                int far = random.nextInt(sw);
                tangle.cable(0x100 + sw, ++used[sw], 0x100 + far, ++used[far]);
            }
        }
        ConfSuggestion suggestion = suggestion(tangle.subnet(0));
        assertThat(suggestion.conf()).isEmpty();
        assertThat(suggestion.reason()).isNotEmpty();
    }

    @Test
    void refusesASingleSwitch() {
        TestFabric one = new TestFabric();
        one.addSwitch(0x100, 8, "alone");
        assertThat(suggestion(one.subnet(0)).reason())
                .isEqualTo("the fabric has one switch only; a torus has at least two");
    }

    @Test
    void acceptedSuggestionsRaiseNoDoubtsAboutTheirSeeds() {
        for (Finding finding :
                plan(suggestion(new TestTorus(7, 6, 5).fabric.subnet(0))).findings()) {
            assertThat(finding.severity()).isEqualTo(Severity.INFO);
        }
    }
}
