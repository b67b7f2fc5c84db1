package io.torussm.daemon.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.layout.PictureLayout.Place;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Layouts of the picture: levels of trees, and places that switches keep while others come and go. */
class LayoutMemoryTest {
    @Test
    void aFatTreeHasItsThreeLevels() {
        PictureLayout layout = layout(fatTree(4));
        assertThat(layout.slots()).containsExactly(8, 8, 4);
        Map<Long, Place> places = layout.places();
        for (int i = 0; i < 8; i++) {
            assertThat(place(places, leaf(i)).y()).isZero();
            assertThat(place(places, middle(i)).y()).isEqualTo(1);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(place(places, top(i)).y()).isEqualTo(2);
        }
    }

    /** A cable between leaves, one that skips a level, and one between spines: levels are as without them. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6, 8})
    void aTreeWithWrongCablesKeepsItsLevels(int k) {
        PictureLayout whole = layout(fatTree(k));
        List<Cable> faults = new ArrayList<>(fatTree(k));
        faults.add(new Cable(leaf(0), leaf(k)));
        faults.add(new Cable(leaf(1), top(0)));
        faults.add(new Cable(top(1), top(2)));
        faults.remove(new Cable(leaf(0), middle(0)));
        faults.remove(new Cable(leaf(1), middle(1)));
        PictureLayout layout = layout(faults);
        assertThat(layout.isTree()).isTrue();
        assertThat(layout.slots()).isEqualTo(whole.slots());
        whole.places()
                .forEach((guid, place) ->
                        assertThat(place(layout.places(), guid).y()).isEqualTo(place.y()));
        assertThat(layout(irregular(40, 1)).isTree()).isFalse();
        assertThat(layout(torus(6, 5)).isTree()).isFalse();
    }

    /** The switches of a pod are side by side, and so are tops with the same switches below them. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void podsAreStretchesOfTheirLevel(int k) {
        Map<Long, Place> places = layout(fatTree(k)).places();
        int half = k / 2;
        for (int pod = 0; pod < k; pod++) {
            int first = pod * half;
            for (IntStream slots : List.of(
                    IntStream.range(first, first + half)
                            .map(i -> (int) place(places, leaf(i)).x()),
                    IntStream.range(first, first + half)
                            .map(i -> (int) place(places, middle(i)).x()))) {
                int[] sorted = slots.sorted().toArray();
                assertThat(sorted[half - 1] - sorted[0]).isEqualTo(half - 1);
                assertThat(sorted[0] % half).isZero();
            }
        }
        for (int group = 0; group < half; group++) {
            int[] sorted = IntStream.range(group * half, (group + 1) * half)
                    .map(i -> (int) place(places, top(i)).x())
                    .sorted()
                    .toArray();
            assertThat(sorted[half - 1] - sorted[0]).isEqualTo(half - 1);
        }
    }

    @Test
    void linesOfAPlainTreeDoNotCross() {
        List<Cable> cables = new ArrayList<>();
        for (int i = 1; i < 40; i++) {
            cables.add(new Cable(scrambledGuid(i), scrambledGuid((i - 1) / 3)));
        }
        IntStream.range(13, 40).forEach(i -> cables.add(new Cable(scrambledGuid(i), scrambledGuid(i))));
        PictureLayout layout = layout(cables);
        assertThat(layout.slots()).containsExactly(27, 9, 3, 1);
        for (int i = 1; i < 40; i++) {
            for (int j = 1; j < 40; j++) {
                Place a = place(layout.places(), scrambledGuid(i));
                Place b = place(layout.places(), scrambledGuid(j));
                Place aboveA = place(layout.places(), scrambledGuid((i - 1) / 3));
                Place aboveB = place(layout.places(), scrambledGuid((j - 1) / 3));
                if (a.y() == b.y() && a.x() < b.x()) {
                    assertThat(aboveA.x()).isLessThanOrEqualTo(aboveB.x());
                }
            }
        }
    }

    /** The host of an SM on a switch of the top, where tree engines see no tree any more. */
    @Test
    void aLonelyHostDoesNotMakeALeaf() {
        List<Cable> cables = fatTree(4);
        cables.add(new Cable(top(0), top(0)));
        assertThat(layout(cables).slots()).containsExactly(8, 8, 4);
    }

    /** All of its hosts are switched off, or it is to get some. */
    @Test
    void aLeafWithoutHostsIsALeafNevertheless() {
        List<Cable> cables = fatTree(4).stream()
                .filter(cable -> cable.a() != leaf(2) || cable.b() != leaf(2))
                .toList();
        assertThat(layout(cables)).isEqualTo(layout(fatTree(4)));
    }

    @Test
    void theOrderOfDiscoveryDoesNotMatter() {
        for (List<Cable> cables : List.of(fatTree(4), irregular(60, 1), torus(6, 5))) {
            List<Cable> shuffled = new ArrayList<>(cables);
            Collections.shuffle(shuffled, Seeds.random(7));
            shuffled.replaceAll(cable -> new Cable(cable.b(), cable.a()));
            assertThat(layout(shuffled)).isEqualTo(layout(cables));
        }
    }

    @Test
    void stayingSwitchesKeepTheirPlacesAndReturningOnesGetThemAgain() {
        for (List<Cable> cables : List.of(fatTree(4), irregular(60, 2))) {
            LayoutMemory memory = new LayoutMemory();
            PictureLayout whole = memory.layout(graph(cables));
            long gone = cables.get(3).a();
            PictureLayout hurt = memory.layout(graph(without(cables, gone)));
            Map<Long, Place> rest = new TreeMap<>(whole.places());
            rest.remove(gone);
            assertThat(hurt.places()).containsExactlyInAnyOrderEntriesOf(rest);
            Cable cut = cables.stream()
                    .filter(cable -> cable.a() != cable.b())
                    .findFirst()
                    .orElseThrow();
            List<Cable> others =
                    cables.stream().filter(cable -> !cable.equals(cut)).toList();
            assertThat(memory.layout(graph(others))).isEqualTo(whole);
            assertThat(memory.layout(graph(cables))).isEqualTo(whole);
        }
    }

    /** A new switch is placed near its neighbours, in a free place. */
    @Test
    void aNewDeviceMovesNoOther() {
        for (List<Cable> cables : List.of(fatTree(4), irregular(60, 3))) {
            LayoutMemory memory = new LayoutMemory();
            PictureLayout before = memory.layout(graph(cables));
            long newcomer = scrambledGuid(9000);
            List<Cable> more = new ArrayList<>(cables);
            more.add(new Cable(newcomer, newcomer));
            Cable beside = cables.stream()
                    .filter(cable -> cable.a() != cable.b())
                    .findFirst()
                    .orElseThrow();
            more.add(new Cable(newcomer, beside.b()));
            Map<Long, Place> after = new TreeMap<>(memory.layout(graph(more)).places());
            Place place = Objects.requireNonNull(after.remove(newcomer));
            assertThat(after).containsExactlyInAnyOrderEntriesOf(before.places());
            assertThat(before.places()).doesNotContainValue(place);
            if (!before.hasLevels()) {
                Place near = place(before.places(), beside.b());
                assertThat(Math.hypot(place.x() - near.x(), place.y() - near.y()))
                        .isLessThan(3);
            }
        }
    }

    @Test
    void anotherFabricIsDrawnAfresh() {
        LayoutMemory memory = new LayoutMemory();
        memory.layout(graph(irregular(40, 4)));
        assertThat(memory.layout(graph(torus(9, 9)))).isEqualTo(layout(torus(9, 9)));
        assertThat(memory.layout(graph(fatTree(4)))).isEqualTo(layout(fatTree(4)));
    }

    /** Neighbours are nearer than others, and no two switches lie at one place. */
    @Test
    void distancesAreHops() {
        for (List<Cable> cables : List.of(torus(8, 8), irregular(300, 5))) {
            List<Place> places = List.copyOf(layout(cables).places().values());
            Map<Long, Place> byGuid = layout(cables).places();
            double neighbours = cables.stream()
                    .filter(cable -> cable.a() != cable.b())
                    .mapToDouble(cable -> distance(place(byGuid, cable.a()), place(byGuid, cable.b())))
                    .average()
                    .orElseThrow();
            double all = 0;
            double least = Double.MAX_VALUE;
            int pairs = places.size() * (places.size() - 1) / 2;
            for (int i = 0; i < places.size(); i++) {
                for (Place other : places.subList(0, i)) {
                    all += distance(places.get(i), other) / pairs;
                    least = Math.min(least, distance(places.get(i), other));
                }
            }
            assertThat(neighbours).isLessThan(0.6 * all);
            assertThat(least).isPositive();
        }
    }

    /** Above the bounds there are levels, around the switch with the most neighbours. */
    @Test
    void largeOrDenseGraphsAreDrawnInLevels() {
        List<Cable> cables = irregular(50, 6);
        IntStream.range(1, 9).forEach(i -> cables.add(new Cable(scrambledGuid(1), scrambledGuid(5 * i))));
        CableGraph graph = graph(cables);
        assertThat(new LayoutMemory(50, graph.links()).layout(graph).hasLevels())
                .isFalse();
        for (LayoutMemory small : List.of(new LayoutMemory(49, 1000), new LayoutMemory(50, graph.links() - 1))) {
            PictureLayout layout = small.layout(graph);
            assertThat(layout.slots()).endsWith(1).hasSizeGreaterThan(2);
            assertThat(place(layout.places(), scrambledGuid(1)).y())
                    .isEqualTo(layout.slots().size() - 1);
        }
    }

    @Test
    void drawsTheSmallest() {
        assertThat(new LayoutMemory().layout(graph(List.of())).places()).isEmpty();
        assertThat(layout(List.of(new Cable(5, 5))).slots()).containsExactly(1);
        PictureLayout two = layout(List.of(new Cable(5, 5), new Cable(6, 6), new Cable(5, 6)));
        assertThat(distance(place(two.places(), 5L), place(two.places(), 6L))).isBetween(0.9, 1.1);
    }

    /** A cable between two switches, or a host of one if both are the same. */
    private record Cable(long a, long b) {}

    private static CableGraph graph(List<Cable> cables) {
        CableGraph.Builder builder = new CableGraph.Builder();
        for (Cable cable : cables) {
            if (cable.a() == cable.b()) {
                builder.add(cable.a(), 1);
            } else {
                builder.link(cable.a(), cable.b());
            }
        }
        return builder.build();
    }

    private static PictureLayout layout(List<Cable> cables) {
        return new LayoutMemory().layout(graph(cables));
    }

    private static long scrambledGuid(int number) {
        return number * 0x9E3779B97F4A7C15L;
    }

    /**
     * Returns a fat tree of k-port switches: k pods of k/2 leaves and k/2 switches above them, and k*k/4 on top. GUIDs
     * do not depend on pods.
     */
    private static List<Cable> fatTree(int k) {
        List<Cable> cables = new ArrayList<>();
        int half = k / 2;
        for (int pod = 0; pod < k; pod++) {
            for (int i = 0; i < half; i++) {
                long leaf = leaf(pod * half + i);
                cables.addAll(Collections.nCopies(half, new Cable(leaf, leaf)));
                for (int j = 0; j < half; j++) {
                    cables.add(new Cable(leaf, middle(pod * half + j)));
                    cables.add(new Cable(middle(pod * half + i), top(i * half + j)));
                }
            }
        }
        return cables;
    }

    private static Place place(Map<Long, Place> places, long guid) {
        return Objects.requireNonNull(places.get(guid));
    }

    private static long leaf(int number) {
        return scrambledGuid(1000 + number);
    }

    private static long middle(int number) {
        return scrambledGuid(3000 + number);
    }

    private static long top(int number) {
        return scrambledGuid(5000 + number);
    }

    /** Returns a ring with chords, and a host at every switch. */
    private static List<Cable> irregular(int switches, long seed) {
        Random random = Seeds.random(seed);
        List<Cable> cables = new ArrayList<>();
        for (int i = 0; i < switches; i++) {
            cables.add(new Cable(scrambledGuid(i + 1), scrambledGuid(i + 1)));
            cables.add(new Cable(scrambledGuid(i + 1), scrambledGuid((i + 1) % switches + 1)));
            cables.add(new Cable(scrambledGuid(i + 1), scrambledGuid(random.nextInt(switches) + 1)));
        }
        return cables;
    }

    private static List<Cable> torus(int wide, int high) {
        List<Cable> cables = new ArrayList<>();
        for (int i = 0; i < wide * high; i++) {
            int right = i / wide * wide + (i + 1) % wide;
            cables.add(new Cable(scrambledGuid(i + 1), scrambledGuid(i + 1)));
            cables.add(new Cable(scrambledGuid(i + 1), scrambledGuid(right + 1)));
            cables.add(new Cable(scrambledGuid(i + 1), scrambledGuid((i + wide) % (wide * high) + 1)));
        }
        return cables;
    }

    private static List<Cable> without(List<Cable> cables, long guid) {
        return cables.stream()
                .filter(cable -> cable.a() != guid && cable.b() != guid)
                .toList();
    }

    private static double distance(Place a, Place b) {
        return Math.hypot(a.x() - b.x(), a.y() - b.y());
    }
}
