package io.torussm.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.TreeSketch;
import io.torussm.tree.FabricTree.Direction;
import io.torussm.tree.TreeFault.FaultType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The analysis of trees, complete and damaged. */
class FabricTreeTest {
    static LongStream seeds() {
        return Seeds.few();
    }

    static Stream<TreeSketch> whole() {
        return Stream.of(
                TreeSketch.kAry(2, 2),
                TreeSketch.kAry(2, 3),
                TreeSketch.kAry(4, 2),
                TreeSketch.kAry(4, 3),
                TreeSketch.kAry(3, 4),
                new TreeSketch(8, new int[] {16}, new int[] {4}, 1),
                new TreeSketch(8, new int[] {16}, new int[] {4}, 2),
                new TreeSketch(6, new int[] {4, 6}, new int[] {3, 4}, 1),
                new TreeSketch(1, new int[] {8}, new int[] {1}, 4),
                new TreeSketch(12, new int[] {6, 5}, new int[] {6, 2}, 1));
    }

    private static TreeSketch randomSketch(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> TreeSketch.kAry(4, 3);
            case 1 -> new TreeSketch(8, new int[] {16}, new int[] {4 + random.nextInt(5)}, 1);
            case 2 -> new TreeSketch(6, new int[] {6, 6}, new int[] {6, 3 + random.nextInt(4)}, 1);
            default -> TreeSketch.kAry(6, 3);
        };
    }

    private static void assertLevels(FabricTree tree, TreeSketch sketch) {
        assertThat(tree.isTree()).isTrue();
        for (int sw = 0; sw < sketch.switches(); sw++) {
            if (tree.level(sw) != FabricTree.NO_LEVEL) {
                assertThat(tree.level(sw)).as("switch %d", sw).isEqualTo(sketch.level(sw));
            }
        }
        assertThat(tree.levels()).isEqualTo(sketch.levels());
    }

    @ParameterizedTest
    @MethodSource("whole")
    void aWholeTreeHasItsLevelsAndNoFault(TreeSketch sketch) {
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        assertThat(tree.faults()).isEmpty();
        assertThat(tree.confidence()).isEqualTo(1);
        assertThat(tree.place(0)).isEqualTo("leaf 1");
        assertThat(tree.place(sketch.switches() - 1))
                .isEqualTo("spine " + (sketch.switches() - sketch.firstSwitch(sketch.levels() - 1)));
        Fabric fabric = tree.fabric();
        for (int[] cable : sketch.cables()) {
            assertThat(tree.direction(fabric.port(cable[0], cable[1]))).isEqualTo(Direction.UP);
            assertThat(tree.direction(fabric.port(cable[2], cable[3]))).isEqualTo(Direction.DOWN);
        }
    }

    @Test
    void groupsAreWhatSpinesConnect() {
        TreeSketch sketch = new TreeSketch(6, new int[] {4, 6}, new int[] {3, 4}, 1);
        FabricTree tree = FabricTree.of(sketch.build());
        assertThat(tree.groups()).isEqualTo(6);
        assertThat(IntStream.range(0, 8).map(tree::group)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(tree.group(tree.spines()[0])).isEqualTo(FabricTree.NO_LEVEL);
        assertThat(tree.uplinks(0)).isEqualTo(3);
        assertThat(tree.oversubscription(0)).isEqualTo(2);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lostCablesAreTheMissingOnes(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        List<int[]> lost = sketch.lose(
                random, 1 + random.nextInt(Math.max(1, sketch.cables().size() / 50)), 2);
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        assertThat(tree.faults()).allMatch(fault -> fault.kind() == FaultType.MISSING_UPLINK);
        assertThat(tree.faults().stream().map(fault -> ends(tree.fabric(), fault.port(), fault.far())))
                .containsExactlyInAnyOrderElementsOf(
                        lost.stream().map(Arrays::toString).toList());
    }

    private static String ends(Fabric fabric, int port, int far) {
        return Arrays.toString(
                new int[] {fabric.nodeOf(port), fabric.portNum(port), fabric.nodeOf(far), fabric.portNum(far)});
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void levelsStayWithFiveInAHundredCablesLostAndASpine(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        int spines = sketch.firstSwitch(sketch.levels() - 1);
        sketch.remove(spines + random.nextInt(sketch.switches() - spines));
        sketch.lose(random, sketch.cables().size() / 20, 2);
        assertLevels(FabricTree.of(sketch.build()), sketch);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void twoExchangedCablesAreFoundWithTheirMend(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        int[] one = sketch.cables().get(random.nextInt(sketch.cables().size()));
        List<int[]> elsewhere = sketch.cables().stream()
                .filter(cable -> !isAt(cable, one[0]) && !isAt(cable, one[2]))
                .toList();
        int[] other = elsewhere.get(random.nextInt(elsewhere.size()));
        int end = 2 * random.nextInt(2);
        int otherEnd = 2 * random.nextInt(2);
        List<String> right = Stream.of(one, other).map(Arrays::toString).toList();
        sketch.exchange(one, end, other, otherEnd);
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        List<TreeFault> faults = tree.faults().stream()
                .filter(fault -> fault.kind().isWrongCable())
                .toList();
        assertThat(faults)
                .as("%s %s", Arrays.toString(one), Arrays.toString(other))
                .hasSize(2);
        assertThat(faults).allMatch(fault -> fault.move().exchanged() != Fabric.NONE);
        assertThat(faults.stream()
                        .map(fault ->
                                upwards(tree, fault.move().end(), fault.move().to())))
                .containsExactlyInAnyOrderElementsOf(right);
    }

    /** Checks whether one end of a cable is at a switch. */
    private static boolean isAt(int[] cable, int sw) {
        return cable[0] == sw || cable[2] == sw;
    }

    private static String upwards(FabricTree tree, int a, int b) {
        Fabric fabric = tree.fabric();
        boolean isUp = tree.level(fabric.nodeOf(a)) < tree.level(fabric.nodeOf(b));
        return isUp ? ends(fabric, a, b) : ends(fabric, b, a);
    }

    @Test
    void aCableBetweenLeavesShouldGoUp() {
        TreeSketch sketch = TreeSketch.kAry(4, 3);
        int[] one = sketch.lose(0);
        int[] other = sketch.lose(15);
        sketch.cables().add(new int[] {one[0], one[1], other[0], other[1]});
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        TreeFault wrong = tree.faults().get(0);
        assertThat(wrong.kind()).isEqualTo(FaultType.WITHIN_LEVEL);
        assertThat(wrong.move().toSwitch()).isEqualTo(one[2]);
        assertThat(tree.fabric().portNum(wrong.move().to())).isEqualTo(one[3]);
        assertThat(tree.missingUplinks(one[0])).isEqualTo(1);
        assertThat(tree.missingUplinks(other[0])).isEqualTo(1);
        assertThat(tree.direction(wrong.port())).isEqualTo(Direction.WRONG);
    }

    /** The only cable of leaf 11 leads to another leaf. */
    @Test
    void aLeafBehindALeafIsALeafWithoutUplinks() {
        TreeSketch sketch = new TreeSketch(3, new int[] {12}, new int[] {3}, 1);
        int[] kept = sketch.cables().stream()
                .filter(cable -> cable[0] == 11)
                .findFirst()
                .orElseThrow();
        int[] free = sketch.lose(0);
        sketch.cables().removeIf(cable -> cable[0] == 11);
        sketch.cables().add(new int[] {11, kept[1], free[0], free[1]});
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        assertThat(tree.missingUplinks(11)).isEqualTo(3);
        assertThat(tree.faults().get(0).kind()).isEqualTo(FaultType.WITHIN_LEVEL);
    }

    /** Without this cable the fabric would be two fabrics, so no other place is better for the cable. */
    @ParameterizedTest
    @CsvSource({"4, 10", "5, 9", "0, 6", "3, 9"})
    void aCableThatAloneJoinsTwoTreesIsNotWrong(int one, int other) {
        Sketch sketch = new Sketch();
        IntStream.range(0, 12).forEach(sw -> sketch.addSwitch("sw-" + sw, 12));
        for (int leaf : new int[] {0, 1, 2, 3, 6, 7, 8, 9}) {
            int first = leaf < 6 ? 4 : 10;
            sketch.addHost(leaf, 1);
            sketch.addHost(leaf, 2);
            sketch.link(leaf, 5, first, 1 + leaf % 6);
            sketch.link(leaf, 6, first + 1, 1 + leaf % 6);
        }
        sketch.link(one, 9, other, 9);
        FabricTree tree = FabricTree.of(sketch.build());
        assertThat(tree.isTree()).isTrue();
        assertThat(tree.faults().stream().filter(fault -> fault.kind().isWrongCable()))
                .isEmpty();
    }

    @Test
    void hostsOnASpineDoNotHideTheTree() {
        for (TreeSketch sketch : List.of(TreeSketch.kAry(4, 3), new TreeSketch(8, new int[] {16}, new int[] {4}, 1))) {
            sketch.addHost(sketch.switches() - 1);
            FabricTree tree = FabricTree.of(sketch.build());
            assertLevels(tree, sketch);
            assertThat(tree.faults()).singleElement().satisfies(fault -> {
                assertThat(fault.kind()).isEqualTo(FaultType.HOSTS_ABOVE);
                assertThat(fault.sw()).isEqualTo(sketch.switches() - 1);
            });
        }
    }

    /** The tree has leaves and a whole group without a host; roots are not needed to see that. */
    @Test
    void leavesWithoutHostsAreLeaves() {
        Sketch sketch = new Sketch();
        IntStream.range(0, 16).forEach(sw -> sketch.addSwitch("sw-" + sw, 12));
        int[] used = new int[16];
        for (int leaf = 0; leaf < 8; leaf++) {
            for (int spine = 8; spine < 12; spine++) {
                sketch.link(leaf, ++used[leaf], spine, ++used[spine]);
            }
            if (leaf != 3) {
                sketch.addHost(leaf, ++used[leaf]);
            }
        }
        FabricTree tree = FabricTree.of(sketch.build());
        assertThat(tree.leaves()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(tree.faults()).isEmpty();
    }

    @Test
    void rootsDecideWhereHostsSayLittle() {
        TreeSketch sketch = new TreeSketch(0, new int[] {4, 4}, new int[] {4, 4}, 1);
        sketch.addHost(0).addHost(1);
        Fabric fabric = sketch.build();
        Set<Long> roots = IntStream.range(sketch.firstSwitch(2), sketch.switches())
                .mapToObj(fabric::nodeGuid)
                .collect(Collectors.toSet());
        FabricTree tree = FabricTree.of(fabric, roots, Map.of());
        assertLevels(tree, sketch);
        assertThat(tree.faults()).isEmpty();
        assertThat(FabricTree.of(fabric).after(fabric, roots)).isEqualTo(tree);
        assertThat(tree.after(fabric, roots).roots()).isEqualTo(roots);
    }

    @Test
    void hostsStandForTheirSwitchesAndAbsentDevicesForNone() {
        TreeSketch sketch = new TreeSketch(1, new int[] {4}, new int[] {2}, 1);
        Fabric fabric = sketch.build();
        NamedSwitches switches = new NamedSwitches(fabric);
        int host = fabric.switchCount();
        assertThat(switches.of(fabric.nodeGuid(host))).containsExactly(fabric.switchOf(fabric.port(host, 1)));
        assertThat(switches.of(fabric.portGuid(fabric.port(host, 1))))
                .containsExactly(fabric.switchOf(fabric.port(host, 1)));
        assertThat(switches.of(fabric.nodeGuid(3))).containsExactly(3);
        assertThat(switches.of(0x77)).isEmpty();
    }

    /** A spine with one cable left looks like a leaf without hosts; numbers stay when others are lost. */
    @Test
    void placesOfTheCompleteTreeAreKept() {
        TreeSketch whole = new TreeSketch(8, new int[] {16}, new int[] {4}, 1);
        Map<Long, FabricTree.TreePlace> known = FabricTree.of(whole.build()).places();
        TreeSketch sketch = new TreeSketch(8, new int[] {16}, new int[] {4}, 1);
        sketch.cables().removeIf(cable -> cable[2] == 17 && cable[0] > 0);
        sketch.remove(16);
        FabricTree tree = FabricTree.of(sketch.build(), Set.of(), known);
        assertLevels(tree, sketch);
        assertThat(tree.place(17)).isEqualTo("spine 2");
        assertThat(tree.place(tree.fabric().nodeGuid(17))).isEqualTo("spine 2");
        assertThat(tree.places()).isEqualTo(known);
    }

    /** Leaves of a whole group without hosts look like switches of a higher level. */
    @Test
    void levelsThatWereKeptCountWithoutNumbers() {
        TreeSketch sketch = TreeSketch.kAry(2, 3);
        FabricTree whole = FabricTree.of(sketch.build());
        Map<Long, FabricTree.TreePlace> levels = new HashMap<>();
        whole.places()
                .forEach((guid, known) ->
                        levels.put(guid, new FabricTree.TreePlace(known.level(), FabricTree.NO_LEVEL)));
        FabricTree tree = FabricTree.of(sketch.removeHosts(0).removeHosts(1).build(), Set.of(), levels);
        assertLevels(tree, sketch);
        assertThat(tree.places()).isEqualTo(whole.places());
        assertThat(FabricTree.of(
                                whole.fabric(),
                                Set.of(),
                                Map.of(0x77L, new FabricTree.TreePlace(1, FabricTree.NO_LEVEL)))
                        .place(0x77L))
                .as("absent, of no number")
                .isEqualTo("middle");
    }

    /** Both cables of a leaf to one spine are lost, and of its siblings one of two to the other. */
    @Test
    void lostCablesMakeNoOtherCableWrong() {
        TreeSketch sketch = new TreeSketch(3, new int[] {4}, new int[] {2}, 2);
        FabricTree whole = FabricTree.of(sketch.build());
        Map<NodePort, NodePort> lost = new HashMap<>();
        for (int[] ends : new int[][] {{2, 4}, {2, 4}, {0, 5}, {1, 5}}) {
            int[] cable = sketch.lose(IntStream.range(0, sketch.cables().size())
                    .filter(i -> sketch.cables().get(i)[0] == ends[0]
                            && sketch.cables().get(i)[2] == ends[1])
                    .findFirst()
                    .orElseThrow());
            Fabric fabric = whole.fabric();
            lost.put(
                    fabric.nodePort(fabric.port(cable[0], cable[1])), fabric.nodePort(fabric.port(cable[2], cable[3])));
        }
        lost.put(new NodePort(0x77, 1), new NodePort(0x78, 1));
        FabricTree now = whole.after(sketch.build(), Set.of());
        assertThat(now.faults()).anyMatch(fault -> fault.kind().isWrongCable());
        assertThat(now.withoutFaultsFromLosses(lost, whole).faults())
                .allMatch(fault -> fault.kind() == FaultType.MISSING_UPLINK);
        assertThat(now.withoutFaultsFromLosses(lost, null).faults())
                .allMatch(fault -> fault.kind() == FaultType.MISSING_UPLINK);
        assertThat(now.withoutFaultsFromLosses(lost, null).missingUplinks(2)).isEqualTo(2);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void wrongCablesStayWrongWhileOthersAreLost(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        int[] one = sketch.lose(0);
        int leaf = sketch.firstSwitch(1) - 1;
        int[] other = sketch.lose(IntStream.range(0, sketch.cables().size())
                .filter(i -> sketch.cables().get(i)[0] == leaf)
                .findFirst()
                .orElseThrow());
        sketch.cables().add(new int[] {one[0], one[1], other[0], other[1]});
        FabricTree first = FabricTree.of(sketch.build());
        int[] cable = sketch.lose(random.nextInt(sketch.cables().size() - 1));
        Fabric fabric = sketch.build();
        Map<NodePort, NodePort> lost = Map.of(
                fabric.nodePort(fabric.port(cable[0], cable[1])), fabric.nodePort(fabric.port(cable[2], cable[3])));
        FabricTree now = first.after(fabric, Set.of());
        for (FabricTree before : Arrays.asList(first, null)) {
            assertThat(now.withoutFaultsFromLosses(lost, before).faults())
                    .anyMatch(fault -> fault.kind() == FaultType.WITHIN_LEVEL);
        }
    }

    @Test
    void absentSwitchesKeepTheirPlaces() {
        long absent = 0x77;
        FabricTree tree = FabricTree.of(
                new TreeSketch(8, new int[] {16}, new int[] {4}, 1).build(),
                Set.of(),
                Map.of(absent, new FabricTree.TreePlace(1, 9)));
        assertThat(tree.place(absent)).isEqualTo("spine 9");
        assertThat(tree.place(0x78L)).isEmpty();
    }

    @Test
    void unevenTreesByDesignHaveNoFault() {
        TreeSketch sketch = new TreeSketch(8, new int[] {16}, new int[] {4}, 1);
        sketch.cables().removeIf(cable -> cable[0] >= 8 && cable[2] >= 18);
        assertThat(FabricTree.of(sketch.build()).faults()).isEmpty();
    }

    @Test
    void oneSwitchIsATreeOfOneLevel() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw-1", 4);
        sketch.addHost(0, 1);
        FabricTree tree = FabricTree.of(sketch.build());
        assertThat(tree.levels()).isEqualTo(1);
        assertThat(tree.faults()).isEmpty();
        Sketch none = new Sketch();
        none.addHostPair();
        assertThat(FabricTree.of(none.build()).isTree()).isFalse();
    }
}
