package io.torussm.daemon.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.twin.VirtualSm;
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

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x1,hosts=1", "torus:3x3x3,hosts=1", "torus:6x5x1,hosts=2"})
    void anEqualMasterLeadsToNoChanges(String torus) throws Exception {
        SmOptions options = options(torus, Map.of());
        FabricSnapshot seen = read(torus, managedFabric(torus, options));
        ShadowStudy study =
                ShadowStudy.of(seen, ShadowStudy.PathGrants.NOT_QUERIED, VirtualSm.Start.of(options), Names.NONE);
        assertThat(study.takeover().outcome()).isEmpty();
        assertThat(study.takeover().changes()).isEmpty();
        assertThat(study.takeover().engine()).isEqualTo("torus-2QoS");
        assertThat(study.takeover().unavoidable()).containsOnlyKeys("master_sm");
        assertThat(study.proof().isFree()).isTrue();
        assertThat(study.proof().verdicts()).hasSize(4).allMatch(ShadowReport.Verdict::isKnown);
        assertThat(study.proof().lost()).isZero();
        assertThat(study.proof().paths()).isPositive();
        assertThat(study.proof().contradictions()).isEmpty();
        assertThat(study.paths()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pair; 2",
                "loop; 2",
                "tree:4,1; 12",
                "torus:1x1,hosts=1; 0",
                "torus:2x1,hosts=1; 2",
                "tree:leaves=1,spines=2,hosts=1; 0"
            })
    void changesNothingOfASmallFabric(String spec, int paths) throws Exception {
        SmOptions options = ServiceHarness.options(dir, Map.of());
        Topology topology = TopologySpec.of(spec).topology();
        List<Topology.Node> hosts =
                topology.nodes().stream().filter(node -> !node.isSwitch()).toList();
        SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        VirtualSm sm = VirtualSm.start(
                loop,
                fabric.attach(hosts.get(0).description(), 1),
                VirtualSm.Start.of(options),
                VirtualSm.Watcher.NONE);
        assertThat(sm.runUntilIdle(TimeUnit.MINUTES.toNanos(5))).isTrue();
        FabricSnapshot seen =
                Twin.of(loop, fabric, hosts.get(0).portGuid(1)).read(sm.parts().client());
        List<PathSampler.Pair> pairs = ShadowPairs.sample(seen, 1_000);
        assertThat(pairs).hasSize(paths);
        List<PathSampler.Answer> granted = pairs.stream()
                .map(pair -> new PathSampler.Answer(pair.slid(), pair.dlid(), 0, 0))
                .toList();
        ShadowStudy study = ShadowStudy.of(
                seen, new ShadowStudy.PathGrants(pairs.size(), granted), VirtualSm.Start.of(options), Names.NONE);
        assertThat(study.takeover().outcome()).isEmpty();
        assertThat(study.takeover().changes()).isEmpty();
        assertThat(study.takeover().settings()).isEmpty();
        assertThat(study.takeover().findings()).isEmpty();
        assertThat(study.proof().isFree()).isTrue();
        assertThat(study.proof().lost()).isZero();
        assertThat(study.proof().lostWithSwitches()).isZero();
        assertThat(study.proof().paths()).isEqualTo(paths);
        assertThat(study.proof().contradictions()).isEmpty();
        ShadowReport.Paths same = study.paths();
        assertThat(same == null ? 0 : same.same()).isEqualTo(paths);
    }

    @Test
    void aCreditLoopIsShownWithItsPackets() throws Exception {
        SmOptions loops = options(TORUS, Map.of(Settings.ROUTING_ENGINE, "minhop", Settings.ON_CREDIT_LOOP, "warn"));
        FabricSnapshot seen = read(TORUS, managedFabric(TORUS, loops));
        ShadowStudy study = ShadowStudy.of(
                seen,
                new ShadowStudy.PathGrants(2, List.of(new PathSampler.Answer(1, 2, 0, 0))),
                VirtualSm.Start.of(options(TORUS, Map.of())),
                Names.NONE);
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
    void slsOfTheRulingSaAreCompared() throws Exception {
        SmOptions options = options(TORUS, Map.of());
        FabricSnapshot seen = read(TORUS, managedFabric(TORUS, options));
        List<PathSampler.Pair> pairs = ShadowPairs.sample(seen, 1_000);
        assertThat(pairs).hasSize(12 * 11).doesNotHaveDuplicates();
        assertThat(ShadowPairs.sample(seen, 40)).hasSize(40).allMatch(pair -> pair.slid() != pair.dlid());
        List<PathSampler.Answer> faults = pairs.stream()
                .map(pair -> new PathSampler.Answer(pair.slid(), pair.dlid(), 15, 0))
                .toList();
        ShadowStudy study = ShadowStudy.of(
                seen, new ShadowStudy.PathGrants(faults.size(), faults), VirtualSm.Start.of(options), Names.NONE);
        ShadowReport.Paths paths = Objects.requireNonNull(study.paths());
        assertThat(paths.answered()).isEqualTo(faults.size());
        assertThat(paths.same()).isZero();
        assertThat(paths.differing().get(0)).contains("host-").contains("SL 15, this SM: SL ");
        assertThat(study.proof().sls()).startsWith("SL 15, as the master's SA granted to all");
    }

    @Test
    void aRefusalOfRoutingIsExplained() throws Exception {
        FabricSnapshot seen = read(TORUS, managedFabric(TORUS, options(TORUS, Map.of())));
        SmOptions other = options("torus:5x5x1,hosts=1", Map.of(Settings.ROUTING_ENGINE, "torus-2QoS,no_fallback"));
        ShadowStudy study =
                ShadowStudy.of(seen, ShadowStudy.PathGrants.NOT_QUERIED, VirtualSm.Start.of(other), Names.NONE);
        assertThat(study.takeover().outcome()).contains("no engine routes the fabric");
        assertThat(study.takeover().changed()).isZero();
    }

    @Test
    void aFaultIsPlayedOnATwin() throws Exception {
        SmOptions options = options(TORUS, Map.of());
        SimFabric fabric = managedFabric(TORUS, options);
        FabricSnapshot before = read(TORUS, fabric);
        fabric.unlink(node(TORUS, "sw-1-1-0").nodeGuid(), 1);
        loop.runFor(TimeUnit.SECONDS.toNanos(30));
        FabricSnapshot after = read(TORUS, fabric);
        TakeoverTrial.Outcome own = TakeoverTrial.ofFault(before, after, VirtualSm.Start.of(options));
        assertThat(own.outcome()).isEmpty();
        assertThat(own.nanoseconds()).isBetween(1L, TimeUnit.SECONDS.toNanos(60));
        assertThat(own.difference().counts()).isNotEmpty();
        assertThat(own.difference().lostCables()).hasSize(1);
        TakeoverTrial.Outcome back = TakeoverTrial.ofFault(after, before, VirtualSm.Start.of(options));
        assertThat(back.outcome()).isEmpty();
        assertThat(back.difference().newCables()).hasSize(1);
        assertThat(back.difference().counts()).isNotEmpty();
    }

    @Test
    void aLostSwitchIsPlayedOnATwin() throws Exception {
        SmOptions options = options(TORUS, Map.of());
        SimFabric fabric = managedFabric(TORUS, options);
        FabricSnapshot before = read(TORUS, fabric);
        fabric.failSwitch(node(TORUS, "sw-3-2-0").nodeGuid());
        loop.runFor(TimeUnit.SECONDS.toNanos(60));
        FabricSnapshot after = read(TORUS, fabric);
        assertThat(after.devices()).hasSize(before.devices().size() - 2);
        TakeoverTrial.Outcome own = TakeoverTrial.ofFault(before, after, VirtualSm.Start.of(options));
        assertThat(own.outcome()).isEmpty();
        assertThat(own.difference().lostDevices()).hasSize(2);
        TakeoverTrial.Outcome back = TakeoverTrial.ofFault(after, before, VirtualSm.Start.of(options));
        assertThat(back.outcome()).isEmpty();
        assertThat(back.difference().newDevices()).hasSize(2);
    }

    private SmOptions options(String torus, Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse(torus)));
        return ServiceHarness.options(dir, settings);
    }

    private SimFabric managedFabric(String torus, SmOptions options) throws Exception {
        SimFabric fabric = new SimFabric(TorusSpec.parse(torus).topology(), loop, FaultPlan.NONE);
        VirtualSm sm = VirtualSm.start(
                loop, fabric.attach(MASTER_HOST, 1), VirtualSm.Start.of(options), VirtualSm.Watcher.NONE);
        assertThat(sm.runUntilIdle(TimeUnit.MINUTES.toNanos(5))).isTrue();
        return fabric;
    }

    private FabricSnapshot read(String torus, SimFabric fabric) {
        return Twin.of(loop, fabric, node(torus, SHADOW).portGuid(1)).read();
    }

    private static Topology.Node node(String torus, String description) {
        return TorusSpec.parse(torus).topology().node(description).orElseThrow();
    }
}
