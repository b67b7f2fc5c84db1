package io.torussm.daemon.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.mad.MadStatus;
import io.torussm.names.Names;
import io.torussm.shadow.PathSampler;
import io.torussm.shadow.Twin;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.snapshot.FabricSnapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The analysis of a fabric with another master SM, in virtual time. The master is at host-0-0-0-0 of an embedded torus,
 * the shadow at host-2-1-0-0.
 */
class ShadowStudyTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String MASTER_HOST = "host-0-0-0-0";
    private static final String SHADOW = "host-2-1-0-0";

    private static final int HOSTS = 12;
    private static final int MAX_PAIRS = 1_000;

    /** Time in which the master finds a loss by a light sweep and routes around it. */
    private static final long REROUTE_NS = TimeUnit.SECONDS.toNanos(60);

    /** A fabric that its master SM has programmed. */
    private record ManagedFabric(SimFabric fabric, VirtualSm sm) {}

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x1,hosts=1", "torus:3x3x3,hosts=1", "torus:6x5x1,hosts=2"})
    void anEqualMasterLeadsToNoChanges(String torus) throws Exception {
        SmOptions options = options(torus, Map.of());
        FabricSnapshot snapshot = read(torus, managedFabric(torus, options));
        ShadowStudy study =
                ShadowStudy.of(snapshot, ShadowStudy.PathGrants.NOT_QUERIED, VirtualSm.Start.of(options), Names.NONE);
        assertUnchangedAndFree(study);
        assertThat(study.takeover().engine()).isEqualTo("torus-2QoS");
        assertThat(study.takeover().unavoidable()).containsOnlyKeys("master_sm");
        assertThat(study.proof().verdicts()).hasSize(4).allMatch(ShadowReport.Verdict::isKnown);
        assertThat(study.proof().paths()).isPositive();
        assertThat(study.paths()).isNull();
    }

    /** The number of paths of n hosts is n (n - 1). */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pair; 2",
                "loop; 2",
                "tree:4,1; 4",
                "torus:1x1,hosts=1; 1",
                "torus:2x1,hosts=1; 2",
                "tree:leaves=1,spines=2,hosts=1; 1"
            })
    void changesNothingOfASmallFabric(String spec, int hosts) throws Exception {
        SmOptions options = ServiceHarness.options(dir, Map.of());
        Topology topology = TopologySpec.of(spec).topology();
        Topology.Node masterHost = topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .findFirst()
                .orElseThrow();
        ManagedFabric managed = managedFabric(topology, masterHost.description(), options);
        FabricSnapshot snapshot = Twin.of(loop, managed.fabric(), masterHost.portGuid(1))
                .read(managed.sm().parts().client());
        int paths = hosts * (hosts - 1);
        List<PathSampler.Pair> pairs = ShadowPairs.sample(snapshot, MAX_PAIRS);
        assertThat(pairs).hasSize(paths);
        ShadowStudy study = ShadowStudy.of(snapshot, allGranted(pairs, 0), VirtualSm.Start.of(options), Names.NONE);
        assertUnchangedAndFree(study);
        assertThat(study.takeover().settings()).isEmpty();
        assertThat(study.takeover().findings()).isEmpty();
        assertThat(study.proof().lostWithSwitches()).isZero();
        assertThat(study.proof().paths()).isEqualTo(paths);
        if (paths == 0) {
            assertThat(study.paths()).isNull();
        } else {
            assertThat(study.paths()).isEqualTo(new ShadowReport.Paths(paths, paths, paths, List.of()));
        }
    }

    @Test
    void aCreditLoopIsShownWithItsPackets() throws Exception {
        SmOptions looping = options(TORUS, Map.of(Settings.ROUTING_ENGINE, "minhop", Settings.ON_CREDIT_LOOP, "warn"));
        FabricSnapshot snapshot = read(TORUS, managedFabric(TORUS, looping));
        int queried = 2;
        ShadowStudy.PathGrants oneOfTwo =
                new ShadowStudy.PathGrants(queried, List.of(granted(new PathSampler.Pair(1, 2), 0)));
        ShadowStudy study =
                ShadowStudy.of(snapshot, oneOfTwo, VirtualSm.Start.of(options(TORUS, Map.of())), Names.NONE);
        assertThat(study.proof().isFree()).isFalse();
        assertThat(study.proof().verdicts().get(0).loop())
                .isNotEmpty()
                .allMatch(line -> line.contains("sw-") && line.contains(" VL 0, held by"));
        assertThat(study.takeover().changes()).containsKeys("lft", "sl2vl");
        assertThat(study.takeover().examples()).isNotEmpty().allMatch(change -> !change.device()
                .isEmpty());
        assertThat(study.takeover().devices()).isNotEmpty();
    }

    @Test
    void slsOfTheMastersSaAreCompared() throws Exception {
        SmOptions options = options(TORUS, Map.of());
        FabricSnapshot snapshot = read(TORUS, managedFabric(TORUS, options));
        int foreignSl = 15;
        ShadowStudy.PathGrants grants = allGranted(ShadowPairs.sample(snapshot, MAX_PAIRS), foreignSl);
        ShadowStudy study = ShadowStudy.of(snapshot, grants, VirtualSm.Start.of(options), Names.NONE);
        ShadowReport.Paths paths = Objects.requireNonNull(study.paths());
        assertThat(paths.answered()).isEqualTo(HOSTS * (HOSTS - 1));
        assertThat(paths.same()).isZero();
        assertThat(paths.differing().get(0)).contains("host-").contains("SL 15, this SM: SL ");
        assertThat(study.proof().sls()).startsWith("SL 15, as the master's SA granted to all");
    }

    @Test
    void pairsAreAllPairsOrAsManyAsTheLimit() throws Exception {
        FabricSnapshot snapshot = read(TORUS, managedFabric(TORUS, options(TORUS, Map.of())));
        int limit = 40;
        for (List<PathSampler.Pair> pairs :
                List.of(ShadowPairs.sample(snapshot, MAX_PAIRS), ShadowPairs.sample(snapshot, limit))) {
            assertThat(pairs).doesNotHaveDuplicates().allMatch(pair -> pair.slid() != pair.dlid());
        }
        assertThat(ShadowPairs.sample(snapshot, MAX_PAIRS)).hasSize(HOSTS * (HOSTS - 1));
        assertThat(ShadowPairs.sample(snapshot, limit)).hasSize(limit);
    }

    @Test
    void aRefusalOfRoutingIsExplained() throws Exception {
        FabricSnapshot snapshot = read(TORUS, managedFabric(TORUS, options(TORUS, Map.of())));
        SmOptions ofLargerTorus =
                options("torus:5x5x1,hosts=1", Map.of(Settings.ROUTING_ENGINE, "torus-2QoS,no_fallback"));
        ShadowStudy study = ShadowStudy.of(
                snapshot, ShadowStudy.PathGrants.NOT_QUERIED, VirtualSm.Start.of(ofLargerTorus), Names.NONE);
        assertThat(study.takeover().outcome()).contains("no engine routes the fabric");
        assertThat(study.takeover().changed()).isZero();
    }

    @Test
    void theLossAndTheRepairOfACableAreRepeatedOnATwin() throws Exception {
        SmOptions options = options(TORUS, Map.of());
        SimFabric fabric = managedFabric(TORUS, options);
        FabricSnapshot before = read(TORUS, fabric);
        fabric.unlink(node(TORUS, "sw-1-1-0").nodeGuid(), 1);
        loop.runFor(REROUTE_NS);
        FabricSnapshot after = read(TORUS, fabric);
        TakeoverTrial.Outcome loss = TakeoverTrial.ofFault(before, after, VirtualSm.Start.of(options));
        assertThat(loss.outcome()).isEmpty();
        assertThat(loss.nanoseconds()).as("virtual time of the loss").isBetween(1L, REROUTE_NS);
        assertThat(loss.difference().counts()).isNotEmpty();
        assertThat(loss.difference().lostCables()).hasSize(1);
        TakeoverTrial.Outcome repair = TakeoverTrial.ofFault(after, before, VirtualSm.Start.of(options));
        assertThat(repair.outcome()).isEmpty();
        assertThat(repair.difference().newCables()).hasSize(1);
        assertThat(repair.difference().counts()).isNotEmpty();
    }

    @Test
    void theLossAndTheRepairOfASwitchAreRepeatedOnATwin() throws Exception {
        SmOptions options = options(TORUS, Map.of());
        SimFabric fabric = managedFabric(TORUS, options);
        FabricSnapshot before = read(TORUS, fabric);
        Long sw = node(TORUS, "sw-3-2-0").nodeGuid();
        Long host = node(TORUS, "host-3-2-0-0").nodeGuid();
        fabric.failSwitch(sw);
        loop.runFor(REROUTE_NS);
        FabricSnapshot after = read(TORUS, fabric);
        assertThat(before.devices().keySet()).contains(sw, host);
        assertThat(after.devices().keySet())
                .doesNotContain(sw, host)
                .hasSize(before.devices().size() - 2);
        TakeoverTrial.Outcome loss = TakeoverTrial.ofFault(before, after, VirtualSm.Start.of(options));
        assertThat(loss.outcome()).isEmpty();
        assertThat(loss.difference().lostDevices()).containsExactlyInAnyOrder(sw, host);
        TakeoverTrial.Outcome repair = TakeoverTrial.ofFault(after, before, VirtualSm.Start.of(options));
        assertThat(repair.outcome()).isEmpty();
        assertThat(repair.difference().newDevices()).containsExactlyInAnyOrder(sw, host);
    }

    private static void assertUnchangedAndFree(ShadowStudy study) {
        assertThat(study.takeover().outcome()).isEmpty();
        assertThat(study.takeover().changes()).isEmpty();
        assertThat(study.proof().isFree()).isTrue();
        assertThat(study.proof().lost()).isZero();
        assertThat(study.proof().contradictions()).isEmpty();
    }

    /** Returns the response of an SA that grants a path. */
    private static PathSampler.Answer granted(PathSampler.Pair pair, int sl) {
        return new PathSampler.Answer(pair.slid(), pair.dlid(), sl, MadStatus.OK);
    }

    private static ShadowStudy.PathGrants allGranted(List<PathSampler.Pair> pairs, int sl) {
        return new ShadowStudy.PathGrants(
                pairs.size(), pairs.stream().map(pair -> granted(pair, sl)).toList());
    }

    private SmOptions options(String torus, Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse(torus)));
        return ServiceHarness.options(dir, settings);
    }

    private SimFabric managedFabric(String torus, SmOptions options) throws Exception {
        return managedFabric(TorusSpec.parse(torus).topology(), MASTER_HOST, options)
                .fabric();
    }

    private ManagedFabric managedFabric(Topology topology, String masterHost, SmOptions options) throws Exception {
        SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        VirtualSm sm = VirtualSm.start(
                loop, fabric.attach(masterHost, 1), VirtualSm.Start.of(options), VirtualSm.Watcher.NONE);
        assertThat(sm.runUntilIdle(TimeUnit.MINUTES.toNanos(5))).isTrue();
        return new ManagedFabric(fabric, sm);
    }

    private FabricSnapshot read(String torus, SimFabric fabric) {
        return Twin.of(loop, fabric, node(torus, SHADOW).portGuid(1)).read();
    }

    private static Topology.Node node(String torus, String description) {
        return TorusSpec.parse(torus).topology().node(description).orElseThrow();
    }
}
