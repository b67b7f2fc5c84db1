package io.torussm.routing.auto;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.dnup.DownUpEngine;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.nue.NueEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Seeds;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.TreeSketch;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine that is chosen for a fabric, and how long it stays chosen. */
class AutoEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 8);
    private static final List<Engine> ENGINES = List.of(
            new DorEngine(),
            new UpDownEngine(),
            new DownUpEngine(),
            new LashEngine(),
            new NueEngine(),
            new DfssspEngine(),
            new FatTreeEngine(),
            new MinHopEngine());

    private final AutoEngine auto =
            new AutoEngine(ENGINES, (subnet, options, threads) -> List.of("torus 4 4 4", "xp_link 0x1 0x2"));

    private Plan route(Subnet subnet, @Nullable Plan active) {
        return route(subnet, active, EngineConfig.NONE);
    }

    private Plan route(Subnet subnet, @Nullable Plan active, EngineConfig config) {
        Plan plan = (Plan) auto.route(new EngineContext(subnet, TestRouting.QOS, config, active));
        DeadlockChecker.Proof proof = new DeadlockChecker(1).prove(plan, TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.verdict()).isInstanceOf(Certificate.class);
        assertThat(proof.multicast()).isNotNull();
        assertThat(plan.isForHostsOnly()).isFalse();
        return plan;
    }

    private static Subnet recordedSubnet(String engine, String name, int state) {
        return RecordedCases.of(engine, name).states().get(state).subnet();
    }

    @ParameterizedTest
    @CsvSource({
        "ftree,k4n3,ftree",
        "ftree,k4n2,ftree",
        "ftree,slim,ftree",
        "ftree,lost_auto,ftree",
        "dor,cube4_ordered,dor"
    })
    void takesTheEngineThatTheFabricIsFor(String of, String name, String engine) {
        Plan plan = route(
                recordedSubnet(of, name, 0), null, RecordedCases.of(of, name).config());
        assertThat(plan.engine()).as("%s", plan.findings()).isEqualTo(engine);
        assertThat(plan.findings()).allMatch(finding -> finding.event() == SmEvent.ROUTING_NOTE);
        assertThat(plan.findings().get(0).text()).contains(engine + " is chosen");
    }

    @ParameterizedTest
    @CsvSource({"ftree,star", "minhop,single", "minhop,ring7", "dor,mesh45"})
    void takesAProvedOneOnAnyFabric(String of, String name) {
        route(recordedSubnet(of, name, 0), null);
    }

    @Test
    void takesAProvedOneOnRandomFabrics() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Subnet subnet = Subnets.of(RandomFabric.of(Seeds.random(seed)));
            Plan plan = route(subnet, null);
            assertThat(route(subnet, null).engine()).as("again, seed " + seed).isEqualTo(plan.engine());
        }
    }

    /** A link is lost, and comes back; or the SM starts anew meanwhile. */
    @ParameterizedTest
    @CsvSource({"ftree,live_link", "updn,live_link", "minhop,live_link"})
    void theChoiceStaysOverALostLink(String of, String name) {
        Plan whole = route(recordedSubnet(of, name, 0), null);
        Plan damaged = route(recordedSubnet(of, name, 1), whole);
        assertThat(damaged.engine()).isEqualTo(whole.engine());
        assertThat(damaged.findings().get(0).text()).contains("stays");
        Plan repaired = route(recordedSubnet(of, name, 2), damaged);
        assertThat(repaired.engine()).isEqualTo(whole.engine());
        for (int sw = 0; sw < whole.subnet().fabric().switchCount(); sw++) {
            assertThat(route(recordedSubnet(of, name, 2), null).lft(sw)).isEqualTo(whole.lft(sw));
        }
    }

    @Test
    void choosesAgainIfTheKindOfTheFabricChanges() {
        Plan torus = route(TorusSketch.of(4, 4, 4, 1, 1).subnet(), null);
        assertThat(route(recordedSubnet("ftree", "k4n3", 0), torus).engine()).isEqualTo("ftree");
    }

    /** The file itself would be twenty lines of the log at each start. */
    @Test
    void namesTheCommandThatWritesTheFileOfATorus() {
        List<String> notes = route(TorusSketch.of(4, 4, 4, 1, 1).subnet(), null).findings().stream()
                .map(Finding::text)
                .toList();
        assertThat(notes)
                .filteredOn(note -> note.contains("torus-sm suggest-conf"))
                .hasSize(1);
        assertThat(notes).noneMatch(note -> note.contains("xp_link"));
    }

    /** The SM started while cables were absent. */
    @ParameterizedTest
    @CsvSource({"updn,ftree", "dnup,ftree", "ftree,ftree", "nue,nue"})
    void choosesAgainOnceATreeIsWhole(String first, String then) {
        TreeSketch sketch = TreeSketch.kAry(4, 2);
        Subnet whole = Subnets.of(sketch.build());
        sketch.lose(0);
        Subnet lacksOne = Subnets.of(sketch.build());
        sketch.lose(sketch.cables().size() - 1);
        Subnet lacksTwo = Subnets.of(sketch.build());
        Engine engine = ENGINES.stream()
                .filter(each -> each.name().equals(first))
                .findFirst()
                .orElseThrow();
        WholeTree kept = new FatTreeEngine().route(context(whole, null, null)) instanceof Plan plan
                ? plan.explainer().wholeTree().orElseThrow()
                : null;
        Plan started = (Plan) engine.route(context(lacksTwo, null, kept));
        Plan nearer = (Plan) auto.route(context(lacksOne, started, kept));
        assertThat(nearer.engine()).isEqualTo(first);
        Plan repaired = (Plan) auto.route(context(whole, nearer, kept));
        assertThat(repaired.engine()).isEqualTo(then);
        assertThat(repaired.findings().get(0).text()).contains(then.equals(first) ? "stays" : "ftree is chosen");

        Plan wholeFromTheStart = (Plan) engine.route(context(whole, null, null));
        assertThat(((Plan) auto.route(context(whole, wholeFromTheStart, null))).engine())
                .isEqualTo(first);
    }

    private static EngineContext context(Subnet subnet, @Nullable Plan active, @Nullable WholeTree kept) {
        return new EngineContext(subnet, TestRouting.QOS, EngineConfig.NONE, active, Map.of(), kept, null);
    }

    /** From 128 switches on lash takes seconds, and nue does not. */
    @ParameterizedTest
    @CsvSource({"127,true", "128,false"})
    void asksNueAlwaysAndLashOnSmallFabrics(int switches, boolean isLashAsked) {
        EngineConfig config = new EngineConfig(Map.of("nue_max_num_vls", "0"), Map.of(), "", Sl2VlTables.DEFAULT, 1);
        Plan plan = route(Subnets.of(RandomFabric.of(Seeds.random(1), switches)), null, config);
        assertThat(plan.findings()).anyMatch(finding -> finding.text().startsWith("auto: nue "));
        assertThat(plan.findings().stream().anyMatch(finding -> finding.text().startsWith("auto: lash ")))
                .isEqualTo(isLashAsked);
        assertThat(route(plan.subnet(), plan, config).engine()).isEqualTo(plan.engine());
    }

    /** NCCL's hosts use one SL: an engine that is safe for them wins unless it loads a cable much more. */
    @ParameterizedTest
    @ValueSource(strings = {"Aggregation Node", "host"})
    void takesASafeEngineThoughNodesOnSpinesAreNoLeaves(String description) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Subnet subnet = Subnets.of(treeWithNodesOnAllSwitches(Seeds.random(seed), description));
            Plan plan = route(subnet, null);
            DeadlockChecker checker = new DeadlockChecker(1);
            SlVerdicts sls = SlVerdicts.of(
                    plan,
                    checker.prove(plan, TestRouting.QOS, TreeGrowth::candidates).multicast(),
                    TestRouting.QOS,
                    checker);
            assertThat(sls.anySl()).as("seed %d: %s", seed, plan.findings()).isTrue();
            assertThat(plan.findings().get(0).text()).as("seed %d", seed).startsWith("auto: the fabric is a tree; ");
        }
    }

    /** Leaves with hosts, spines, and a node of its own on each switch. */
    private static Fabric treeWithNodesOnAllSwitches(Random random, String description) {
        int hosts = 3 + random.nextInt(4);
        int leaves = 5 + random.nextInt(5);
        TreeSketch tree = new TreeSketch(hosts, new int[] {leaves}, new int[] {2 + random.nextInt(3)}, 1);
        for (int sw = 0; sw < tree.switches(); sw++) {
            tree.addHost(sw);
        }
        Fabric fabric = tree.build();
        FabricBuilder named = FabricBuilder.of(fabric);
        for (int node = fabric.nodeCount() - tree.switches(); node < fabric.nodeCount(); node++) {
            named.setDescription(fabric.nodeGuid(node), description + " " + node);
        }
        return named.build();
    }

    @Test
    void proposesATorusConfiguration() {
        Plan plan = route(TorusSketch.of(4, 4, 4, 1, 1).subnet(), null);
        assertThat(plan.findings().get(0).text())
                .as("a ring of four is a square")
                .contains("a hypercube, or a torus 4x4x4;");
        assertThat(route(recordedSubnet("ftree", "k4n2", 0), null).findings())
                .noneMatch(finding -> finding.text().contains("torus"));
    }

    /** Settings of an engine apply under auto as well; a wrong one is reported. */
    @Test
    void hasTheSettingsOfTheOthers() {
        EngineFile roots = EngineFile.read("roots.conf", "nonsense\n");
        EngineConfig config = new EngineConfig(Map.of(), Map.of("root_guid_file", roots), "", Sl2VlTables.DEFAULT, 1);
        assertThat(auto.settings()).anyMatch(setting -> setting.key().equals("max_reverse_hops"));
        assertThat(auto.check(config, TestRouting.QOS)).singleElement().matches(finding -> finding.text()
                .startsWith("roots.conf:1: "));
    }
}
