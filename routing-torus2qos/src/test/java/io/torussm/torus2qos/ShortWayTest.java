package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.discovery.ShortWay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The direction of paths around a ring, the pairs of coordinates whose path crosses the dateline (between the last
 * switch and the first), and the load of the links. Ties are pairs at half the radix.
 */
class ShortWayTest {
    private static final int[] BOTH_SIDES = {0, 1};

    private static ShortWay unsplit(int radix) {
        return new ShortWay(radix, Balance.OFF, false, false);
    }

    private static ShortWay split(int radix) {
        return new ShortWay(radix, Balance.TIES, false, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1; ''",
                "2; ''",
                "3; 0-2",
                "4; 0-3",
                "5; 0-3 0-4 1-4",
                "6; 0-4 0-5 1-5",
                "7; 0-4 0-5 0-6 1-5 1-6 2-6",
                "8; 0-5 0-6 0-7 1-6 1-7 2-7"
            })
    void crossesTheDatelineOnTheWayThatIsShorterForIt(int radix, String pairs) {
        assertThat(crossing(radix, unsplit(radix))).isEqualTo(pairs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1; ''",
                "2; ''",
                "3; 0-2",
                "4; 0-3",
                "5; 0-3 0-4 1-4",
                "6; 0-4 0-5 1-4 1-5",
                "8; 0-5 0-6 0-7 1-5 1-6 1-7 2-6 2-7"
            })
    void hasTheBitForSomeTiesIfTheyAreSplit(int radix, String pairs) {
        assertThat(crossing(radix, split(radix))).isEqualTo(pairs);
    }

    private static String crossing(int radix, ShortWay way) {
        List<String> crossing = new ArrayList<>();
        for (int s = 0; s < radix; s++) {
            for (int t = s; t < radix; t++) {
                assertThat(way.hasDatelineBit(t, s)).isEqualTo(way.hasDatelineBit(s, t));
                if (way.hasDatelineBit(s, t)) {
                    crossing.add(s + "-" + t);
                }
            }
        }
        return String.join(" ", crossing);
    }

    @ParameterizedTest
    @CsvSource({
        "6, 1, 4, 1",
        "6, 4, 1, -1",
        "6, 0, 4, -1",
        "6, 4, 0, 1",
        "6, 5, 0, 1",
        "6, 0, 3, 1",
        "6, 3, 0, -1",
        "5, 0, 2, 1",
        "5, 0, 3, -1",
        "5, 3, 0, 1",
        "5, 4, 1, 1",
        "4, 0, 2, 1",
        "4, 2, 0, -1",
        "4, 0, 3, -1",
        "4, 3, 0, 1",
        "2, 0, 1, 1",
        "2, 1, 0, -1",
        "5, 3, 3, 0"
    })
    void prefersTheShortWayAndInATieTheOneThatDoesNotCross(int radix, int s, int t, int direction) {
        assertThat(unsplit(radix).direction(s, t, 0)).isEqualTo(direction);
        assertThat(unsplit(radix).direction(s, t, 1)).isEqualTo(direction);
        if (2 * Math.abs(t - s) != radix || radix == 2) {
            assertThat(split(radix).direction(s, t, 0)).isEqualTo(direction);
            assertThat(split(radix).direction(s, t, 1)).isEqualTo(direction);
        }
    }

    /** Max load by mean load of a link, for paths between all switches, to one or two destinations at each. */
    @ParameterizedTest
    @CsvSource({
        "4, 1.5, 1, 1",
        "5, 1, 1, 1",
        "6, 1.3333, 1.1111, 1",
        "8, 1.25, 1, 1",
        "10, 1.2, 1.04, 1.04",
        "12, 1.1667, 1.0556, 1.0278",
        "14, 1.1429, 1.0204, 1.0204",
        "16, 1.125, 1.0313, 1.0156"
    })
    void sharesOutTiesOverTheLinksOfARing(int radix, double before, double toOne, double toTwo) {
        int[] ports = {0, 1};
        assertThat(maxToMean(radix, unsplit(radix), ports)).isCloseTo(before, within(1e-4));
        assertThat(maxToMean(radix, split(radix), 0)).isCloseTo(toOne, within(1e-4));
        assertThat(maxToMean(radix, split(radix), ports)).isCloseTo(toTwo, within(1e-4));
    }

    /** Sides take turns along the ring, and by port. */
    private static double maxToMean(int radix, ShortWay way, int... ports) {
        int[] load = new int[2 * radix];
        for (int s = 0; s < radix; s++) {
            for (int t = 0; t < radix; t++) {
                for (int port : ports) {
                    walk(radix, way, s, t, t + port & 1).forEach(link -> load[link]++);
                }
            }
        }
        return Arrays.stream(load).max().orElse(0)
                / Arrays.stream(load).average().orElse(0);
    }

    /**
     * Links in order, twice the switch that they leave, and 1 more in direction +; the way must not change underway.
     */
    private static IntStream walk(int radix, ShortWay way, int s, int t, int side) {
        int direction = way.direction(s, t, side);
        List<Integer> links = new ArrayList<>();
        for (int at = s; at != t; at = Math.floorMod(at + direction, radix)) {
            assertThat(way.direction(at, t, side)).isEqualTo(direction);
            links.add(2 * at + (direction > 0 ? 1 : 0));
        }
        assertThat(2 * links.size()).isLessThanOrEqualTo(radix);
        return links.stream().mapToInt(Integer::intValue);
    }

    /** Packets with one bit that go in one direction: no circle, if there is a switch that none of them passes by. */
    @Test
    void packetsOfABitAndADirectionLeaveOutASwitch() {
        for (int radix = 3; radix <= 64; radix++) {
            boolean[][] passed = new boolean[4][radix];
            for (int s = 0; s < radix; s++) {
                for (int t = 0; t < radix; t++) {
                    for (int side : BOTH_SIDES) {
                        int bit = split(radix).hasDatelineBit(s, t) ? 2 : 0;
                        walk(radix, split(radix), s, t, side)
                                .skip(1)
                                .forEach(link -> passed[bit + link % 2][link / 2] = true);
                    }
                }
            }
            for (boolean[] bySwitch : passed) {
                assertThat(bySwitch).as("radix " + radix).contains(false);
            }
        }
    }
}
