package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.placement.PlacedHosts;
import io.torussm.daemon.placement.SlurmTopology;
import io.torussm.fabric.Fabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The places of hosts as schedulers read them: blocks of tori, trees, and names. */
class PlacementTest {
    private final VirtualLoop loop = new VirtualLoop();

    @TempDir
    Path dir;

    @Test
    void aTorusIsFilledWithTheHostsThatCanBeReached() throws Exception {
        TorusSpec torus = TorusSpec.parse("torus:4x3x2,hosts=2");
        SimFabric fabric = new SimFabric(torus.topology(), loop, FaultPlan.NONE);
        FabricSm sm = start(torus, fabric);
        PlacedHosts whole = placed(sm);
        assertThat(whole.sizes()).isEqualTo(List.of(4, 3, 2));
        assertThat(whole.leftOut()).isEmpty();
        assertThat(whole.hosts()).hasSize(48).allSatisfy(host -> {
            String[] words = host.leaf().name().split("-", -1);
            assertThat(host.name())
                    .startsWith("host-" + String.join("-", List.of(words).subList(1, 4)));
        });
        String text = String.join("\n", SlurmTopology.lines(whole, SlurmTopology.RequestedTopology.FABRIC));
        assertThat(text)
                .contains("dims: {x: 8, y: 3, z: 2}", "- dims: {x: 1, y: 1, z: 1}", "- dims: {x: 8, y: 3, z: 2}")
                .contains("nodes: \"host-0-0-0-0,host-0-0-0-1\"", "- dims: {x: 4, y: 1, z: 2}")
                .doesNotContain("- dims: {x: 3,", "left out");
        long host = torus.topology().node("host-1-1-1-0").orElseThrow().nodeGuid();
        fabric.unlink(host, 1);
        advance();
        List<String> fewer = SlurmTopology.lines(placed(sm), SlurmTopology.RequestedTopology.FABRIC);
        assertThat(placed(sm).hosts()).hasSize(47);
        assertThat(fewer).anyMatch(line -> line.contains("nodes: \"host-1-1-1-1\""));
        assertThat(fewer)
                .filteredOn(line -> line.contains("    dims: {x: 1, y: 1, z: 1}"))
                .hasSize(1);
    }

    @Test
    void namesBelongToHosts() {
        PlacedHosts hosts = placed(renamed(Views.twoSwitches(), "node1 mlx5_0", "node2.example.org HCA-1"));
        assertThat(hosts.hosts()).extracting(PlacedHosts.Host::name).containsExactly("node1", "node2");
        assertThat(hosts.sizes()).isNull();
        assertThat(SlurmTopology.lines(hosts, SlurmTopology.RequestedTopology.FABRIC))
                .contains("  tree:", "        nodes: \"node1\"", "      - switch: all")
                .anyMatch(line -> line.matches("        children: \"0x[0-9a-f]{16},0x[0-9a-f]{16}\""));
    }

    /**
     * As topology.yaml(5) wants it: no block has fewer nodes than the first size, and each size is a power of two of
     * it.
     */
    @Test
    void aTorusIsWrittenAsBlocksOrAsATree() throws Exception {
        TorusSpec torus = TorusSpec.parse("torus:4x3x1,hosts=2");
        SimFabric fabric = new SimFabric(torus.topology(), loop, FaultPlan.NONE);
        FabricSm sm = start(torus, fabric);
        List<String> blocks = SlurmTopology.lines(placed(sm), SlurmTopology.RequestedTopology.BLOCK);
        assertThat(blocks)
                .containsSequence(
                        "  block:",
                        "    block_sizes:",
                        "      - 2",
                        "      - 4",
                        "      - 8",
                        "      - 16",
                        "    blocks:")
                .doesNotContain("      - 32", "  tree:", "  torus3d:")
                .contains("        nodes: \"host-1-2-0-0,host-1-2-0-1\"");
        assertThat(blocks)
                .filteredOn(line -> line.startsWith("      - block: \"0x"))
                .hasSize(12);
        assertThat(SlurmTopology.lines(placed(sm), SlurmTopology.RequestedTopology.TREE))
                .contains("  tree:", "        nodes: \"host-1-2-0-0,host-1-2-0-1\"", "      - switch: all")
                .doesNotContain("  torus3d:");
        fabric.unlink(torus.topology().node("host-1-1-0-0").orElseThrow().nodeGuid(), 1);
        advance();
        assertThat(SlurmTopology.lines(placed(sm), SlurmTopology.RequestedTopology.BLOCK))
                .as("the smallest block has one node now")
                .containsSequence("    block_sizes:", "      - 1", "      - 2")
                .contains("        nodes: \"host-1-1-0-1\"");
    }

    /** Nothing of a name may become YAML, or a command. */
    @Test
    void invalidNamesAreLeftOut() {
        PlacedHosts hosts = placed(renamed(Views.twoSwitches(), "a\"; reboot", "$(reboot)"));
        assertThat(hosts.hosts()).isEmpty();
        assertThat(hosts.leftOut()).hasSize(2).allMatch(text -> text.contains("no name of a host"));
        assertThat(String.join("\n", SlurmTopology.lines(hosts, SlurmTopology.RequestedTopology.FABRIC)))
                .doesNotContain("reboot");
    }

    @Test
    void aNameThatTwoHaveIsTheFirsts() {
        PlacedHosts hosts = placed(renamed(Views.twoSwitches(), "node1 mlx5_0", "node1 mlx5_1"));
        assertThat(hosts.hosts()).singleElement().matches(host -> host.lid() == 3);
        assertThat(hosts.leftOut()).singleElement().asString().contains("node1 is at 0x0000000000200000 already");
    }

    private FabricSm start(TorusSpec torus, SimFabric fabric) throws Exception {
        FabricSm sm = new FabricSm(loop, fabric, "host-0-0-0-0", 8, ServiceHarness.torusOptions(dir, torus)).start();
        advance();
        return sm;
    }

    private void advance() {
        loop.runFor(TimeUnit.SECONDS.toNanos(25));
    }

    private static PlacedHosts placed(FabricSm sm) {
        return PlacedHosts.of(sm.sweeper.state(), Objects.requireNonNull(sm.sweeper.view()));
    }

    private static PublishedView renamed(PublishedView view, String... names) {
        Fabric fabric = view.subnet().fabric();
        int[] hosts = IntStream.range(0, fabric.nodeCount())
                .filter(node -> !fabric.isSwitch(node))
                .toArray();
        PublishedView now = view;
        for (int i = 0; i < names.length; i++) {
            Fabric.Node node = fabric.node(hosts[i]);
            now = now.on(now.subnet()
                    .fabric()
                    .with(hosts[i], new Fabric.Node(node.info(), names[i], node.switchInfo(), node.path())));
        }
        return now;
    }

    private static PlacedHosts placed(PublishedView view) {
        return PlacedHosts.of(FabricState.of(view, Instant.EPOCH), view);
    }
}
