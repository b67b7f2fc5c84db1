package io.torussm.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.testing.Sketch;
import io.torussm.testing.TorusSketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shapes that {@link FabricTree} names: trees, and graphs that are none. */
class FabricShapeTest {
    @ParameterizedTest
    @CsvSource({"4 4 4,TORUS", "5 5 1,TORUS", "6 5 1,TORUS", "5 4 3,TORUS", "9 1 1,TORUS"})
    void namesTori(String sizes, FabricShape shape) {
        int[] radix =
                Arrays.stream(sizes.split(" ")).mapToInt(Integer::parseInt).toArray();
        FabricTree tree = FabricTree.of(
                TorusSketch.of(radix[0], radix[1], radix[2], 1, 1).subnet().fabric());
        assertThat(tree.isTree()).isFalse();
        assertThat(tree.shape()).isIn(shape, FabricShape.HYPERCUBE);
        assertThat(tree.levels()).isZero();
        assertThat(tree.spines()).isEmpty();
        assertThat(tree.place(0)).isEmpty();
    }

    private static FabricShape shape(int switches, List<int[]> cables) {
        Sketch sketch = new Sketch();
        int[] used = new int[switches];
        IntStream.range(0, switches).forEach(sw -> sketch.addSwitch("sw-" + sw, 40));
        IntStream.range(0, switches).forEach(sw -> sketch.addHost(sw, ++used[sw]));
        cables.forEach(cable -> sketch.link(cable[0], ++used[cable[0]], cable[1], ++used[cable[1]]));
        return FabricTree.of(sketch.build()).shape();
    }

    /** Hosts by switch; cables of a line, of a ring, and of a grid of rings whose sizes are even. */
    @ParameterizedTest
    @CsvSource({
        "line, 0 2 0, TREE",
        "line, 2 0 1, TREE",
        "line, 1 1 1, MESH",
        "line, 1 0 0, TREE",
        "line, 1 1 0, MESH",
        "line, 2 0 0 0 2, TREE",
        "line, 1 1 1 1 1, MESH",
        "line, 0 2, TREE",
        "ring, 1 0 1 0, TREE",
        "ring, 4 0 4 1, TREE",
        "ring, 1 1 1 0, TORUS",
        "ring, 1 1 1 1, TORUS",
        "ring, 1 0 0 0 0 0, TORUS",
        "grid, 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0, TORUS",
        "grid, 1 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0, TORUS"
    })
    void isATreeOrAGridByItsHosts(String kind, String hosts, FabricShape shape) {
        int[] on = Arrays.stream(hosts.split(" ")).mapToInt(Integer::parseInt).toArray();
        Sketch sketch = new Sketch();
        IntStream.range(0, on.length).forEach(sw -> sketch.addSwitch("sw-" + sw, 8));
        int row = kind.equals("grid") ? 6 : on.length;
        for (int sw = 0; sw < on.length; sw++) {
            int next = sw % row + 1 < row ? sw + 1 : sw - row + 1;
            if (next > sw || !kind.equals("line")) {
                sketch.link(sw, 1, next, 2);
            }
            if (kind.equals("grid")) {
                sketch.link(sw, 3, (sw + row) % on.length, 4);
            }
            for (int host = 0; host < on[sw]; host++) {
                sketch.addHost(sw, 5 + host);
            }
        }
        Fabric fabric = sketch.build();
        assertThat(FabricTree.of(fabric).shape()).isEqualTo(shape);
        if (kind.equals("grid")) {
            assertThat(FabricTree.of(fabric, Set.of(fabric.nodeGuid(23)), Map.of())
                            .isTree())
                    .as("as the operator says")
                    .isTrue();
        }
    }

    @Test
    void namesOtherShapes() {
        List<int[]> cube = new ArrayList<>();
        List<int[]> mesh = new ArrayList<>();
        List<int[]> full = new ArrayList<>();
        for (int sw = 0; sw < 16; sw++) {
            for (int other = sw + 1; other < 16; other++) {
                if (Integer.bitCount(sw ^ other) == 1) {
                    cube.add(new int[] {sw, other});
                }
                if (sw / 4 == other / 4 && other - sw == 1 || other - sw == 4) {
                    mesh.add(new int[] {sw, other});
                }
                full.add(new int[] {sw, other});
            }
        }
        assertThat(shape(16, cube)).isEqualTo(FabricShape.HYPERCUBE);
        assertThat(shape(16, mesh)).isEqualTo(FabricShape.MESH);
        assertThat(shape(16, full)).isEqualTo(FabricShape.FULL_MESH);
        assertThat(shape(36, dragonfly(9, 4))).isEqualTo(FabricShape.DRAGONFLY);
        assertThat(shape(2, List.of(new int[] {0, 1}))).isEqualTo(FabricShape.OTHER);
    }

    /** Groups of switches that are all joined, each with two cables to others. */
    private static List<int[]> dragonfly(int groups, int size) {
        List<int[]> cables = new ArrayList<>();
        int[] next = new int[groups];
        for (int group = 0; group < groups; group++) {
            for (int one = 0; one < size; one++) {
                for (int other = one + 1; other < size; other++) {
                    cables.add(new int[] {group * size + one, group * size + other});
                }
            }
            for (int other = group + 1; other < groups; other++) {
                cables.add(new int[] {group * size + next[group]++ / 2, other * size + next[other]++ / 2});
            }
        }
        return cables;
    }
}
