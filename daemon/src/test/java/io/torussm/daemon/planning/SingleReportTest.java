package io.torussm.daemon.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.planning.TorusSymmetry.Images;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.chain.RoutingChain.Member;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.LidAssigner;
import io.torussm.testing.TestRouting;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.TorusMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The reported effects of failures that were not simulated, against their simulation. Failures that are mirror images
 * of each other on the torus are a kind; one or two of a kind are simulated ("played"), and the others have the same
 * effect.
 */
class SingleReportTest {
    /**
     * Kinds are counted by hand: each coordinate of a switch is one of two that are mirrored, that of a cable in its
     * own dimension one of three.
     */
    @Test
    void oneOfEachKindOfCablesAndTwoOfEachKindOfSwitchesAreSimulated() {
        Routed torus = Routed.torus("4x4x4", Map.of());
        SingleReport report = torus.mirrored();
        int ofSeeds = (int) torus.kinds().stream()
                .filter(kind -> kind.members().size() == 1)
                .count();
        int ofSwitches = 2 * 2 * 2;
        int ofCables = 3 * (2 * 2 * 3);
        assertThat(report.rows()).hasSize(64 + 3 * 64);
        assertThat(report.kinds()).isEqualTo(ofSeeds + ofSwitches + ofCables);
        assertThat(report.played()).isEqualTo(ofSeeds + 2 * ofSwitches + ofCables);
        assertThat(report.lines().get(report.lines().size() - 1))
                .isEqualTo("of these " + report.played() + " were played, the others are mirror images of them ("
                        + report.kinds() + " kinds; --every plays all)");
    }

    @ParameterizedTest
    @CsvSource({
        "4x4x4,,",
        "5x4x3,,",
        "6x6x1,,",
        "3x3x3;hosts=2,,",
        "7x4x1;hosts=0,,",
        "8x3x1,balance,ties",
        "4x6x1,balance,ties",
        "5x6x1,balance,one_sl",
        "4x5x3,multipath,sides",
        "4x4x3,multipath,orders"
    })
    void reportedEffectsAreThoseOfASimulationOfEachFailure(String spec, @Nullable String key, @Nullable String value) {
        assertEffects(Routed.torus(spec.replace(';', ','), settings(key, value)));
    }

    @Test
    @Tag("campaign")
    void reportedEffectsInLargeToriAreThoseOfASimulationOfEachFailure() {
        for (String spec : List.of("8x8x8", "7x6x5,hosts=2", "12x10x1", "9x3x4")) {
            assertEffects(Routed.torus(spec, Map.of()));
        }
    }

    /** Ways that avoid one pair of neighbours, parallel cables, a ring of two, and an open dimension. */
    @ParameterizedTest
    @CsvSource({"6x6x1,balance,one_sl", "4x4x1;links=2,,", "4x3x2,,", "4x3x1;mesh=x,,"})
    void allFailuresAreSimulatedIfNoneAreMirrorImages(String spec, @Nullable String key, @Nullable String value) {
        Routed torus = Routed.torus(spec.replace(';', ','), settings(key, value));
        SingleReport report = torus.mirrored();
        assertThat(report.kinds()).isEqualTo(torus.failures().size());
        assertThat(report.played()).isEqualTo(torus.failures().size());
        assertThat(report.lines())
                .isEqualTo(torus.whatIf.simulateAll(torus.failures()).lines());
    }

    /** A cable with fewer VLs over the dateline of x is its own image along x, and has no image along y. */
    @Test
    void aNarrowCableIsNoMirrorImageOfOthers() {
        TorusSpec spec = TorusSpec.parse("torus:4x5x1");
        FabricBuilder builder = FabricBuilder.of(fabric(spec));
        Plan plan = Routed.of(builder.build(), spec, Map.of()).plan;
        TorusMap torus = TorusMap.of(plan).orElseThrow();
        Fabric fabric = plan.subnet().fabric();
        int sw = torus.switchAt(torus.position(3, 0, 0));
        int port = fabric.port(sw, torus.plusPorts(torus.position(3, 0, 0), 0)[0]);
        for (int end : new int[] {port, fabric.peer(port)}) {
            PortInfo info = Objects.requireNonNull(fabric.portInfo(end));
            builder.setPortInfo(
                    fabric.nodeGuid(fabric.nodeOf(end)), fabric.portNum(end), info.with(PortInfo.VL_CAP, 3));
        }
        Plan narrow = Routed.of(builder.build(), spec, Map.of()).plan;
        assertThat(mirrors(plan)).containsExactly(true, true);
        assertThat(mirrors(narrow)).containsExactly(true, false);
    }

    /** A failure at a seed is a kind of its own: the positions of all other switches are counted from there. */
    @Test
    void eachFailureAtASeedIsAKindOfItsOwn() {
        Routed torus = Routed.torus("5x4x3", Map.of());
        TorusMap map = TorusMap.of(torus.plan).orElseThrow();
        assertThat(torus.kinds().stream().filter(kind -> kind.members().stream()
                        .anyMatch(failure -> isOfSeed(torus.plan, map, failure))))
                .isNotEmpty()
                .allMatch(kind -> kind.members().size() == 1);
    }

    /** So the simulation of one cable is enough for a kind. */
    @ParameterizedTest
    @ValueSource(strings = {"4x4x4", "5x3x4", "7x6x1"})
    void theTreeOfTheEngineIsUsedAfterTheLossOfAnyCable(String spec) {
        Routed torus = Routed.torus(spec, Map.of());
        assertThat(TorusMap.of(torus.plan).orElseThrow().hasTreeAfterCableLoss())
                .isTrue();
        for (Failure failure : Failure.everyCable(torus.plan)) {
            ChainResult result =
                    torus.chain.route(failure.applyTo(torus.plan.subnet()).orElseThrow(), TestRouting.QOS);
            assertThat(result.multicast())
                    .as(failure.name())
                    .isNotNull()
                    .isSameAs(Objects.requireNonNull(result.plan())
                            .multicastTree()
                            .orElseThrow());
        }
    }

    @ParameterizedTest
    @CsvSource({"4x4x1,balance,ties", "4x4x1,balance,one_sl", "5x4x1,multipath,sides", "5x4x1;mesh=x,,", "4x3x2,,"})
    void twoFailuresOfAKindAreSimulatedIfTheTreeOfTheEngineMayNotBeUsed(
            String spec, @Nullable String key, @Nullable String value) {
        Routed torus = Routed.torus(spec.replace(';', ','), settings(key, value));
        assertThat(TorusMap.of(torus.plan).orElseThrow().hasTreeAfterCableLoss())
                .isFalse();
    }

    /** A switch that reports a MulticastFDBCap of 0 changes no routes. */
    @Test
    void twoFailuresOfAKindAreSimulatedIfASwitchHasNoMulticast() {
        Routed torus = Routed.torus("4x4x1", Map.of());
        Fabric fabric = torus.plan.subnet().fabric();
        @Nullable SwitchInfo[] infos = new SwitchInfo[fabric.switchCount()];
        infos[5] = SwitchInfo.TYPE.zero().with(SwitchInfo.MULTICAST_FDB_CAP, 0);
        Plan without = Objects.requireNonNull(torus.chain
                .route(torus.plan.subnet().with(fabric.with(infos)), TestRouting.QOS)
                .plan());
        assertThat(TorusMap.of(without).orElseThrow().hasTreeAfterCableLoss()).isFalse();
        assertThat(without.lft(0)).isEqualTo(torus.plan.lft(0));
    }

    /** The failures of a false kind have different effects, or each is refused for another ring. */
    @ParameterizedTest
    @ValueSource(strings = {"4x3x1", "2x2x1"})
    void allFailuresOfAKindAreSimulatedIfTheirEffectsDiffer(String spec) {
        Routed torus = Routed.torus(spec, Map.of());
        List<Failure> failures = torus.failures();
        SingleReport report = SingleReport.of(torus.whatIf, failures, List.of(new Images(failures, 2)));
        assertThat(report.played()).isEqualTo(failures.size());
        assertThat(report.rows()).isEqualTo(torus.whatIf.simulateAll(failures).rows());
    }

    /** The switches have no multicast tables. If one failure leaves no tree, this is not assumed of another. */
    @Test
    void allFailuresOfAKindAreSimulatedIfThereIsNoTree() {
        TorusSpec spec = TorusSpec.parse("torus:4x3x1");
        FabricBuilder builder = FabricBuilder.of(fabric(spec));
        Fabric fabric = builder.build();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            SwitchInfo info = Objects.requireNonNull(fabric.node(sw).switchInfo());
            builder.setSwitchInfo(fabric.nodeGuid(sw), info.with(SwitchInfo.MULTICAST_FDB_CAP, 0));
        }
        Routed torus = Routed.of(builder.build(), spec, Map.of());
        List<Failure> cables = Failure.everyCable(torus.plan).subList(0, 3);
        SingleReport report = SingleReport.of(torus.whatIf, cables, List.of(new Images(cables, 1)));
        assertThat(report.rows()).allMatch(row -> row.isRouted() && !row.isMulticastRouted());
        assertThat(report.played()).isEqualTo(cables.size());
    }

    /** Another engine may route a fabric that torus-2QoS refuses, and its routes have no mirror images. */
    @Test
    void allFailuresAreSimulatedIfAnotherEngineRoutesThem() {
        Routed torus = Routed.torus("2x2x1", Map.of());
        List<Failure> cables = torus.failures().stream()
                .filter(failure -> failure.switches().isEmpty())
                .toList();
        WhatIf whatIf = new WhatIf(
                torus.plan,
                new RoutingChain(List.of(new MinHopEngine()), new DeadlockChecker(1), ChainPolicy.STRICT),
                TestRouting.QOS);
        SingleReport report = SingleReport.of(whatIf, cables, List.of(new Images(cables, 2)));
        assertThat(report.isRouted()).isTrue();
        assertThat(report.played()).isEqualTo(cables.size()).isGreaterThan(2);
    }

    private record Routed(Plan plan, WhatIf whatIf, RoutingChain chain) {
        static Routed torus(String words, Map<String, String> settings) {
            TorusSpec spec = TorusSpec.parse("torus:" + words);
            return of(fabric(spec), spec, settings);
        }

        static Routed of(Fabric fabric, TorusSpec spec, Map<String, String> settings) {
            int lmc = settings.containsKey("multipath") ? 1 : 0;
            EngineConfig config = new EngineConfig(
                    settings,
                    Map.of("torus_config", EngineFile.read("torus-2QoS.conf", spec.torus2QosConf())),
                    "",
                    Sl2VlTables.DEFAULT,
                    1);
            RoutingChain chain = new RoutingChain(
                    new DeadlockChecker(1), List.of(new Member(new Torus2QosEngine(), config)), ChainPolicy.STRICT);
            ChainResult result = chain.route(
                    LidAssigner.assign(fabric, LidAssigner.KnownLids.NONE, lmc, false, 0xfe80L << 48)
                            .subnet()
                            .orElseThrow(),
                    TestRouting.QOS);
            Plan plan = Objects.requireNonNull(result.plan(), result.findings()::toString);
            return new Routed(plan, new WhatIf(plan, result.verdict(), chain, TestRouting.QOS), chain);
        }

        List<Failure> failures() {
            return Stream.concat(Failure.everySwitch(plan).stream(), Failure.everyCable(plan).stream())
                    .toList();
        }

        SingleReport mirrored() {
            return whatIf.singles(failures());
        }

        List<Images> kinds() {
            return TorusSymmetry.of(plan).orElseThrow().mirrored(failures(), TestRouting.QOS);
        }
    }

    private static Fabric fabric(TorusSpec spec) {
        return TopologyFabric.reachableFrom(
                spec.topology().nodes().stream()
                        .filter(Topology.Node::isSwitch)
                        .findFirst()
                        .orElseThrow(),
                0);
    }

    private static List<Boolean> mirrors(Plan plan) {
        TorusMap torus = TorusMap.of(plan).orElseThrow();
        return List.of(
                TorusMirror.isOwnImage(plan, torus, 0, TestRouting.QOS),
                TorusMirror.isOwnImage(plan, torus, 1, TestRouting.QOS));
    }

    private static boolean isOfSeed(Plan plan, TorusMap map, Failure failure) {
        Fabric fabric = plan.subnet().fabric();
        return failure.switches().stream().anyMatch(map::isNamedBySeed)
                || failure.cables().stream()
                        .anyMatch(port -> map.isNamedBySeed(fabric.nodeOf(port))
                                && map.isNamedBySeed(fabric.nodeOf(fabric.peer(port))));
    }

    private static Map<String, String> settings(@Nullable String key, @Nullable String value) {
        return key == null || value == null ? Map.of() : Map.of(key, value);
    }

    /** Asserts that the report is that of a simulation of each failure. */
    private static void assertEffects(Routed torus) {
        SingleReport mirrored = torus.mirrored();
        SingleReport every = torus.whatIf.simulateAll(torus.failures());
        assertThat(every.played()).isEqualTo(torus.failures().size());
        assertThat(mirrored.rows()).isEqualTo(every.rows());
        assertThat(mirrored.lines()).startsWith(every.lines().toArray(String[]::new));
    }
}
