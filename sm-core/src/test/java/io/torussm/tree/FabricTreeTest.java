package io.torussm.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.TreeSketch;
import io.torussm.testing.TreeSketch.CableEnd;
import io.torussm.testing.TreeSketch.TreeCable;
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

/**
 * The analysis of trees, complete and damaged. A {@link TreeSketch} has hosts of each leaf, then by level the switches
 * below and above each switch, and the parallel cables of each connection. A test damages the sketch, and compares the
 * levels and faults that the analysis finds with it.
 */
class FabricTreeTest {
    /** The GUID of a device that is not in the fabric. */
    private static final long ABSENT_GUID = 0x77;

    /** Returns a tree of two levels: leaves 0 to 15 with eight hosts each, and spines 16 to 19. */
    private static TreeSketch sixteenLeavesAndFourSpines() {
        return new TreeSketch(8, new int[] {16}, new int[] {4}, 1);
    }

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

    /** Asserts that a fabric is a tree, and that switches with a known level have that of the sketch. */
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
        for (TreeCable cable : sketch.cables()) {
            assertThat(tree.direction(fabric.port(cable.lower(), cable.lowerPort())))
                    .isEqualTo(Direction.UP);
            assertThat(tree.direction(fabric.port(cable.upper(), cable.upperPort())))
                    .isEqualTo(Direction.DOWN);
        }
    }

    @Test
    void switchesThatAreConnectedBelowTheSpinesAreAGroup() {
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
    void lostCablesAreReportedAsMissingUplinks(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        List<TreeCable> lost = sketch.lose(
                random, 1 + random.nextInt(Math.max(1, sketch.cables().size() / 50)), 2);
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        assertThat(tree.faults()).allMatch(fault -> fault.kind() == FaultType.MISSING_UPLINK);
        assertThat(tree.faults().stream().map(fault -> cable(tree.fabric(), fault.port(), fault.far())))
                .containsExactlyInAnyOrderElementsOf(lost);
    }

    /** Returns the cable between two ports of a fabric. */
    private static TreeCable cable(Fabric fabric, int port, int far) {
        return new TreeCable(fabric.nodeOf(port), fabric.portNum(port), fabric.nodeOf(far), fabric.portNum(far));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theLossOfASpineAndOfFivePercentOfCablesChangesNoLevel(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        int spines = sketch.firstSwitch(sketch.levels() - 1);
        sketch.remove(spines + random.nextInt(sketch.switches() - spines));
        sketch.lose(random, sketch.cables().size() / 20, 2);
        assertLevels(FabricTree.of(sketch.build()), sketch);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void twoExchangedCablesAreReportedWithTheirRemedy(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        TreeCable one = sketch.cables().get(random.nextInt(sketch.cables().size()));
        List<TreeCable> elsewhere = sketch.cables().stream()
                .filter(cable -> !cable.isAt(one.lower()) && !cable.isAt(one.upper()))
                .toList();
        TreeCable other = elsewhere.get(random.nextInt(elsewhere.size()));
        sketch.exchange(one, randomEnd(random), other, randomEnd(random));
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        List<TreeFault> faults = tree.faults().stream()
                .filter(fault -> fault.kind().isWrongCable())
                .toList();
        assertThat(faults).as("%s %s", one, other).hasSize(2);
        assertThat(faults).allMatch(fault -> fault.move().exchanged() != Fabric.NONE);
        assertThat(faults.stream()
                        .map(fault -> upwardCable(
                                tree, fault.move().end(), fault.move().to())))
                .containsExactlyInAnyOrder(one, other);
    }

    private static CableEnd randomEnd(Random random) {
        return random.nextInt(2) == 0 ? CableEnd.LOWER : CableEnd.UPPER;
    }

    private static TreeCable upwardCable(FabricTree tree, int port, int far) {
        Fabric fabric = tree.fabric();
        boolean isUp = tree.level(fabric.nodeOf(port)) < tree.level(fabric.nodeOf(far));
        return isUp ? cable(fabric, port, far) : cable(fabric, far, port);
    }

    /** Connects the lower ends of two lost cables. */
    private static void connectLowerEnds(TreeSketch sketch, TreeCable one, TreeCable other) {
        sketch.cables().add(new TreeCable(one.lower(), one.lowerPort(), other.lower(), other.lowerPort()));
    }

    @Test
    void theRemedyForACableBetweenLeavesIsTheMissingUplink() {
        TreeSketch sketch = TreeSketch.kAry(4, 3);
        TreeCable one = sketch.lose(0);
        TreeCable other = sketch.lose(15);
        connectLowerEnds(sketch, one, other);
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        TreeFault wrong = tree.faults().get(0);
        assertThat(wrong.kind()).isEqualTo(FaultType.WITHIN_LEVEL);
        assertThat(wrong.move().toSwitch()).isEqualTo(one.upper());
        assertThat(tree.fabric().portNum(wrong.move().to())).isEqualTo(one.upperPort());
        assertThat(tree.missingUplinks(one.lower())).isEqualTo(1);
        assertThat(tree.missingUplinks(other.lower())).isEqualTo(1);
        assertThat(tree.direction(wrong.port())).isEqualTo(Direction.WRONG);
    }

    @Test
    void aLeafWhoseOnlyCableLeadsToAnotherLeafIsALeafWithoutUplinks() {
        TreeSketch sketch = new TreeSketch(3, new int[] {12}, new int[] {3}, 1);
        int lastLeaf = 11;
        TreeCable onlyCable = sketch.loseUplink(lastLeaf);
        TreeCable ofFirstLeaf = sketch.lose(0);
        sketch.cables().removeIf(cable -> cable.lower() == lastLeaf);
        connectLowerEnds(sketch, onlyCable, ofFirstLeaf);
        FabricTree tree = FabricTree.of(sketch.build());
        assertLevels(tree, sketch);
        assertThat(tree.missingUplinks(lastLeaf)).isEqualTo(3);
        assertThat(tree.faults().get(0).kind()).isEqualTo(FaultType.WITHIN_LEVEL);
    }

    /**
     * Two trees of leaves 0 to 3 and spines 4 and 5, leaves 6 to 9 and spines 10 and 11. Without the cable between them
     * they would be two fabrics, so no other place is better for it.
     */
    @ParameterizedTest(name = "switches {0} and {1}")
    @CsvSource({"4, 10", "5, 9", "0, 6", "3, 9"})
    void aCableThatAloneJoinsTwoTreesIsNotWrong(int one, int other) {
        Sketch sketch = new Sketch();
        IntStream.range(0, 12).forEach(sw -> sketch.addSwitch("sw-" + sw, 12));
        for (int leaf : new int[] {0, 1, 2, 3, 6, 7, 8, 9}) {
            int firstSpine = leaf < 6 ? 4 : 10;
            int spinePort = 1 + leaf % 6;
            sketch.addHost(leaf, 1);
            sketch.addHost(leaf, 2);
            sketch.link(leaf, 5, firstSpine, spinePort);
            sketch.link(leaf, 6, firstSpine + 1, spinePort);
        }
        sketch.link(one, 9, other, 9);
        FabricTree tree = FabricTree.of(sketch.build());
        assertThat(tree.isTree()).isTrue();
        assertThat(tree.faults().stream().filter(fault -> fault.kind().isWrongCable()))
                .isEmpty();
    }

    @Test
    void hostsOnASpineDoNotHideTheTree() {
        for (TreeSketch sketch : List.of(TreeSketch.kAry(4, 3), sixteenLeavesAndFourSpines())) {
            sketch.addHost(sketch.switches() - 1);
            FabricTree tree = FabricTree.of(sketch.build());
            assertLevels(tree, sketch);
            assertThat(tree.faults()).singleElement().satisfies(fault -> {
                assertThat(fault.kind()).isEqualTo(FaultType.HOSTS_ABOVE);
                assertThat(fault.sw()).isEqualTo(sketch.switches() - 1);
            });
        }
    }

    /** Leaves 0 to 7, spines 8 to 11, and four switches without any cable. Roots are not given. */
    @Test
    void aLeafWithoutHostsIsALeaf() {
        Sketch sketch = new Sketch();
        IntStream.range(0, 16).forEach(sw -> sketch.addSwitch("sw-" + sw, 12));
        int leafWithoutHost = 3;
        int hostPort = 5;
        for (int leaf = 0; leaf < 8; leaf++) {
            for (int spine = 8; spine < 12; spine++) {
                sketch.link(leaf, spine - 7, spine, leaf + 1);
            }
            if (leaf != leafWithoutHost) {
                sketch.addHost(leaf, hostPort);
            }
        }
        FabricTree tree = FabricTree.of(sketch.build());
        assertThat(tree.leaves()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(tree.faults()).isEmpty();
    }

    @Test
    void rootsDecideTheLevelsOfATreeWithFewHosts() {
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
    void theGuidOfAHostNamesItsSwitchAndThatOfAnAbsentDeviceNone() {
        TreeSketch sketch = new TreeSketch(1, new int[] {4}, new int[] {2}, 1);
        Fabric fabric = sketch.build();
        NamedSwitches switches = new NamedSwitches(fabric);
        int host = fabric.switchCount();
        assertThat(switches.of(fabric.nodeGuid(host))).containsExactly(fabric.switchOf(fabric.port(host, 1)));
        assertThat(switches.of(fabric.portGuid(fabric.port(host, 1))))
                .containsExactly(fabric.switchOf(fabric.port(host, 1)));
        assertThat(switches.of(fabric.nodeGuid(3))).containsExactly(3);
        assertThat(switches.of(ABSENT_GUID)).isEmpty();
    }

    /** The second spine has one cable left, and looks like a leaf without hosts. The first one is lost. */
    @Test
    void aDamagedTreeKeepsThePlacesOfTheCompleteOne() {
        Map<Long, FabricTree.TreePlace> known =
                FabricTree.of(sixteenLeavesAndFourSpines().build()).places();
        TreeSketch sketch = sixteenLeavesAndFourSpines();
        int firstSpine = 16;
        int secondSpine = 17;
        sketch.cables().removeIf(cable -> cable.upper() == secondSpine && cable.lower() > 0);
        sketch.remove(firstSpine);
        FabricTree tree = FabricTree.of(sketch.build(), Set.of(), known);
        assertLevels(tree, sketch);
        assertThat(tree.place(secondSpine)).isEqualTo("spine 2");
        assertThat(tree.place(tree.fabric().nodeGuid(secondSpine))).isEqualTo("spine 2");
        assertThat(tree.places()).isEqualTo(known);
    }

    /** The leaves of a group without hosts look like switches of a higher level; levels are known, numbers not. */
    @Test
    void levelsThatAreKnownWithoutNumbersAreKept() {
        TreeSketch sketch = TreeSketch.kAry(2, 3);
        FabricTree whole = FabricTree.of(sketch.build());
        Map<Long, FabricTree.TreePlace> levels = new HashMap<>();
        whole.places()
                .forEach((guid, known) ->
                        levels.put(guid, new FabricTree.TreePlace(known.level(), FabricTree.NO_LEVEL)));
        FabricTree tree = FabricTree.of(sketch.removeHosts(0).removeHosts(1).build(), Set.of(), levels);
        assertLevels(tree, sketch);
        assertThat(tree.places()).isEqualTo(whole.places());
    }

    @Test
    void anAbsentSwitchWithoutANumberIsPlacedByItsLevel() {
        FabricTree.TreePlace place = new FabricTree.TreePlace(1, FabricTree.NO_LEVEL);
        FabricTree tree = FabricTree.of(TreeSketch.kAry(2, 3).build(), Set.of(), Map.of(ABSENT_GUID, place));
        assertThat(tree.place(ABSENT_GUID)).isEqualTo("middle");
    }

    /**
     * Leaves 0 to 3 have two cables to each of the spines 4 and 5. Leaf 2 lost both to spine 4, leaves 0 and 1 lost one
     * to spine 5.
     */
    @Test
    void lostCablesMakeNoOtherCableWrong() {
        TreeSketch sketch = new TreeSketch(3, new int[] {4}, new int[] {2}, 2);
        FabricTree whole = FabricTree.of(sketch.build());
        Map<NodePort, NodePort> lost = new HashMap<>();
        for (int[] ends : new int[][] {{2, 4}, {2, 4}, {0, 5}, {1, 5}}) {
            putEnds(lost, whole.fabric(), sketch.loseBetween(ends[0], ends[1]));
        }
        lost.put(new NodePort(ABSENT_GUID, 1), new NodePort(ABSENT_GUID + 1, 1));
        FabricTree damaged = whole.after(sketch.build(), Set.of());
        assertThat(damaged.faults()).anyMatch(fault -> fault.kind().isWrongCable());
        assertThat(damaged.withoutFaultsFromLosses(lost, whole).faults())
                .allMatch(fault -> fault.kind() == FaultType.MISSING_UPLINK);
        assertThat(damaged.withoutFaultsFromLosses(lost, null).faults())
                .as("if the tree before the losses is not known")
                .allMatch(fault -> fault.kind() == FaultType.MISSING_UPLINK);
        assertThat(damaged.withoutFaultsFromLosses(lost, null).missingUplinks(2))
                .isEqualTo(2);
    }

    private static void putEnds(Map<NodePort, NodePort> lost, Fabric fabric, TreeCable cable) {
        lost.put(
                fabric.nodePort(fabric.port(cable.lower(), cable.lowerPort())),
                fabric.nodePort(fabric.port(cable.upper(), cable.upperPort())));
    }

    /** A cable connects the first and the last leaf. Then another cable is lost. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aWrongCableStaysWrongAfterTheLossOfAnother(long seed) {
        Random random = Seeds.random(seed);
        TreeSketch sketch = randomSketch(random);
        TreeCable ofFirstLeaf = sketch.lose(0);
        TreeCable ofLastLeaf = sketch.loseUplink(sketch.firstSwitch(1) - 1);
        connectLowerEnds(sketch, ofFirstLeaf, ofLastLeaf);
        FabricTree before = FabricTree.of(sketch.build());
        TreeCable lostCable = sketch.lose(random.nextInt(sketch.cables().size() - 1));
        Fabric fabric = sketch.build();
        Map<NodePort, NodePort> lost = new HashMap<>();
        putEnds(lost, fabric, lostCable);
        FabricTree after = before.after(fabric, Set.of());
        for (FabricTree known : Arrays.asList(before, null)) {
            assertThat(after.withoutFaultsFromLosses(lost, known).faults())
                    .anyMatch(fault -> fault.kind() == FaultType.WITHIN_LEVEL);
        }
    }

    @Test
    void anAbsentSwitchKeepsItsPlace() {
        FabricTree tree = FabricTree.of(
                sixteenLeavesAndFourSpines().build(), Set.of(), Map.of(ABSENT_GUID, new FabricTree.TreePlace(1, 9)));
        assertThat(tree.place(ABSENT_GUID)).isEqualTo("spine 9");
        assertThat(tree.place(ABSENT_GUID + 1)).isEmpty();
    }

    /** The last eight leaves have cables to two of the four spines only. */
    @Test
    void aTreeThatIsUnevenByDesignHasNoFault() {
        TreeSketch sketch = sixteenLeavesAndFourSpines();
        sketch.cables().removeIf(cable -> cable.lower() >= 8 && cable.upper() >= 18);
        assertThat(FabricTree.of(sketch.build()).faults()).isEmpty();
    }

    @Test
    void oneSwitchWithAHostIsATreeOfOneLevel() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw-1", 4);
        sketch.addHost(0, 1);
        FabricTree tree = FabricTree.of(sketch.build());
        assertThat(tree.levels()).isEqualTo(1);
        assertThat(tree.faults()).isEmpty();
    }

    @Test
    void aFabricWithoutASwitchIsNoTree() {
        Sketch sketch = new Sketch();
        sketch.addHostPair();
        assertThat(FabricTree.of(sketch.build()).isTree()).isFalse();
    }
}
