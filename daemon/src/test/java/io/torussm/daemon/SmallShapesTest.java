package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.event.Finding;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.smp.PortInfo;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.GroupClient;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadFrame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A whole SM on the smallest fabrics: no switch, one switch, switches without hosts. Devices, the SA and groups are
 * asked.
 */
class SmallShapesTest {
    private static final Gid GROUP = GroupClient.IPOIB_BROADCAST;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final VirtualLoop loop = new VirtualLoop();
    private Topology topology = TopologySpec.of("pair").topology();
    private @Nullable SimFabric fabric;
    private @Nullable FabricSm sm;

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "torus-2QoS",
                "dor",
                "updn",
                "dnup",
                "sssp",
                "dfsssp",
                "nue",
                "file",
                "lash",
                "ftree",
                "minhop",
                "auto",
                "ftree,no_fallback"
            })
    void servesTwoHostsOnACableWithEveryEngine(String engine) throws Exception {
        start("pair", engine, Map.of());
        assertServed();
        assertNoWarnings();
    }

    @ParameterizedTest
    @ValueSource(strings = {"minhop", "torus-2QoS"})
    void servesACableFromAnAdapterToItself(String engine) throws Exception {
        start("loop", engine, Map.of());
        assertServed();
        assertNoWarnings();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "torus:1x1,hosts=1; minhop",
                "torus:1x1,hosts=3; dor",
                "tree:4,1; nue",
                "tree:4,1; ftree",
                "tree:leaves=1,spines=2,hosts=1; updn",
                "tree:leaves=1,spines=2,hosts=1; ftree",
                "torus:2x1,hosts=1; lash",
                "torus:2x1,hosts=1; auto"
            })
    void servesOneSwitchAndSwitchesWithoutHosts(String shape, String engine) throws Exception {
        start(shape, engine, Map.of());
        assertServed();
    }

    @Test
    void givesSeveralLids() throws Exception {
        start("pair", "updn", Map.of(Settings.LMC, "2"));
        assertServed();
        assertThat(hostPorts())
                .allSatisfy(port -> assertThat(info(port).get(PortInfo.LMC)).isEqualTo(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 13, 40})
    void servesAHostAgainWhoseCableWasPulled(int seconds) throws Exception {
        start("pair", "minhop", Map.of());
        long other = hosts().get(1).nodeGuid();
        fabric().unlink(other, 1);
        advance(seconds);
        assertThat(sm().isUp()).isEqualTo(seconds < 10);
        fabric().relink(other, 1);
        advance(40);
        assertServed();
    }

    @Test
    void startsWithoutACableAndServesTheHostThatComes() throws Exception {
        topology = TopologySpec.of("pair").topology();
        fabric = new SimFabric(
                topology,
                DeviceModels.PERFECT.with(DeviceModels.byDescription("host-*"), model -> model.joining(GROUP)),
                loop,
                FaultPlan.NONE);
        long other = hosts().get(1).nodeGuid();
        fabric().unlink(other, 1);
        sm = sm(hosts().get(0), 8, "minhop", Map.of()).start();
        advance(30);
        fabric().relink(other, 1);
        advance(40);
        assertServed();
    }

    @Test
    void hasOneMasterOfTwo() throws Exception {
        start("pair", "minhop", Map.of());
        FabricSm second = sm(hosts().get(1), 3, "minhop", Map.of()).start();
        advance(30);
        assertThat(sm().isUp()).isTrue();
        assertThat(second.isUp()).isFalse();
        assertServed();
    }

    private void start(String shape, String engine, Map<Setting<?>, String> more) throws Exception {
        topology = TopologySpec.of(shape).topology();
        fabric = new SimFabric(
                topology,
                DeviceModels.PERFECT.with(DeviceModels.byDescription("host-*"), model -> model.joining(GROUP)),
                loop,
                FaultPlan.NONE);
        sm = sm(hosts().get(0), 8, engine, more).start();
        advance(30);
    }

    private FabricSm sm(Topology.Node host, int priority, String engine, Map<Setting<?>, String> more)
            throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.ROUTING_ENGINE, engine);
        settings.put(Settings.SWEEP_INTERVAL, "10");
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse("torus:3x3x1,hosts=1")));
        return new FabricSm(loop, fabric(), host.description(), priority, ServiceHarness.options(dir, settings));
    }

    private SimFabric fabric() {
        return Objects.requireNonNull(fabric);
    }

    private FabricSm sm() {
        return Objects.requireNonNull(sm);
    }

    private void advance(long seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private List<Topology.Node> hosts() {
        return topology.nodes().stream().filter(node -> !node.isSwitch()).toList();
    }

    private List<Topology.PortRef> hostPorts() {
        return hosts().stream()
                .flatMap(node -> IntStream.rangeClosed(1, node.numPorts())
                        .mapToObj(portNum -> new Topology.PortRef(node, portNum)))
                .toList();
    }

    private PortInfo info(Topology.PortRef port) {
        return fabric().portInfo(port.node().nodeGuid(), port.portNum());
    }

    private Set<Long> members() {
        return sm().memberships.view().groups().stream()
                .filter(group -> group.mgid().equals(GROUP))
                .map(MulticastGroup::members)
                .flatMap(members ->
                        members.stream().map(member -> member.portGid().guid()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Asserts that all ports are up with a LID, that each host has a path to each other, and that all are in their
     * group.
     */
    private void assertServed() {
        assertThat(hostPorts()).allSatisfy(port -> {
            assertThat(info(port).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
            assertThat(info(port).lid()).isNotZero();
        });
        List<Integer> lids = hostPorts().stream().map(port -> info(port).lid()).toList();
        assertThat(lids).doesNotHaveDuplicates();
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator asked = sm().administrator(answers::add);
        for (int from : lids) {
            for (int to : lids) {
                PathRecord path = DeviceStormChecks.path(asked, answers, from, to);
                assertThat(path).as("path from LID " + from + " to " + to).isNotNull();
                assertThat(Objects.requireNonNull(path).get(PathRecord.DLID)).isEqualTo(to);
            }
        }
        assertThat(members())
                .isEqualTo(hostPorts().stream()
                        .map(port -> port.node().portGuid(port.portNum()))
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(hostPorts()).allSatisfy(port -> assertThat(
                        fabric().groups(port.node().nodeGuid(), port.portNum()).joinedGroups())
                .contains(GROUP));
    }

    private void assertNoWarnings() {
        assertThat(log.all()).noneMatch(logged -> logged.event().severity() != Finding.Severity.INFO);
    }
}
