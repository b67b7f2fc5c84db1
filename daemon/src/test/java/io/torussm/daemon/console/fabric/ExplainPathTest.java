package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.console.fabric.ExplainPath.Explanation;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.testing.TestRouting;
import io.torussm.view.PublishedView;
import org.junit.jupiter.api.Test;

/**
 * The explanation of a path for operators, on the fabric of {@link Views#twoSwitches}. Its engine {@code hand} grants
 * SL 9, and no path at level 15.
 */
class ExplainPathTest {
    private final PublishedView view = Views.twoSwitches();
    private final ExplainPath explain = new ExplainPath(view);

    @Test
    void tellsSwitchPortsAndVlOfEachHop() {
        Explanation path = explain.explain("host-0", "host-1", 0);
        assertThat(path.isGood()).isTrue();
        assertThat(path.lines())
                .containsExactly(
                        "from \"host-0\" port 1, LID 3, GUID 0x0000001000000001",
                        "to   \"host-1\" port 1, LID 4, GUID 0x0000001000000101",
                        "SL   9 (level wanted: 0), routed by hand",
                        "hop  node    place    in  out  VL  why",
                        "0    host-0               1    1   source",
                        "1    sw-a    (1,0,0)  1   3    3   +x  towards LID 4 from port 1",
                        "2    sw-b    (0,0,0)  3   2    2   +x  towards LID 4 from port 3",
                        "arrives at \"host-1\", after 2 switches");
    }

    @Test
    void findsEndsByNameGuidAndLid() {
        Explanation byName = explain.explain("host-0", "sw-b", 3);
        assertThat(byName.isGood()).isTrue();
        assertThat(explain.explain("0x1000000000", "0x200001", 3)).isEqualTo(byName);
        assertThat(explain.explain("0x1000000001", "2", 3)).isEqualTo(byName);
        assertThat(ExplainPath.ofPair(view, "3,2").lines().get(1))
                .isEqualTo(byName.lines().get(1));
    }

    @Test
    void startsAtASwitchAsWell() {
        assertThat(explain.explain("sw-a", "host-1", 0).lines())
                .contains("1    sw-a  (1,0,0)  0   3    3   +x  towards LID 4 from port 0");
    }

    @Test
    void findsSwitchesByTheirPlace() {
        Explanation byName = explain.explain("sw-a", "sw-b", 0);
        assertThat(explain.explain("(1,0,0)", "0,0,0", 0)).isEqualTo(byName);
        assertThat(ExplainPath.ofPair(view, "1,0,0,0,0,0")).isEqualTo(byName);
        assertThat(explain.explain("1,0,0", "(9,0,0)", 0).lines()).containsExactly("no switch stands at (9,0,0)");
        assertThat(explain.explain("(1,0,0", "1,0", 0).lines()).hasSize(2).allMatch(line -> line.startsWith("no end"));
    }

    @Test
    void tellsTheVlsOfBothLevels() {
        assertThat(ExplainPath.levels("both")).containsExactly(0, 8);
        assertThat(ExplainPath.levels("15")).containsExactly(15);
        assertThat(ExplainPath.levels("16")).isEmpty();
        assertThat(ExplainPath.levels("-1")).isEmpty();
        assertThat(explain.explain("host-0", "host-1", 0, 8).lines())
                .contains(
                        "SL   9 (level wanted: 0) and 9 (level wanted: 8), routed by hand",
                        "hop  node    place    in  out  VL   why",
                        "1    sw-a    (1,0,0)  1   3    3/3  +x  towards LID 4 from port 1");
    }

    /** The SM writes no SL2VL tables then; SL 0 is on VL 0 everywhere, and others are where devices have them. */
    @Test
    void tellsTheVlOfSl0WithoutQos() {
        PublishedView off = Views.withoutQos((Plan) new MinHopEngine().route(view.subnet(), TestRouting.NO_QOS));
        assertThat(new ExplainPath(off).explain("host-0", "host-1", 0).lines())
                .contains("hop  node    in  out  VL  why", "0    host-0      1    0   source");
        assertThat(new ExplainPath(off).explain("host-0", "host-1", 5).lines())
                .contains("0    host-0      1    ?   source");
    }

    @Test
    void saysWhichEndIsUnknown() {
        Explanation path = explain.explain("host-7", "17", 0);
        assertThat(path.isGood()).isFalse();
        assertThat(path.lines())
                .containsExactly(
                        "no end port has the name, GUID or LID \"host-7\"; did you mean \"host-0\" or \"host-1\"?",
                        "no end port has the name, GUID or LID \"17\"");
    }

    @Test
    void saysThatTheEngineHasNoPath() {
        Explanation path = explain.explain("3", "4", 15);
        assertThat(path.isGood()).isFalse();
        assertThat(path.lines()).contains("hand has no path for this pair");
    }

    @Test
    void seesPacketsGoInCircles() {
        view.plan().lft(1)[4] = 3;
        Explanation path = explain.explain("3", "4", 0);
        assertThat(path.isGood()).isFalse();
        assertThat(path.lines()).endsWith("LOST: the packet goes in circles");
    }

    @Test
    void seesTablesThatLeadNowhere() {
        view.plan().lft(1)[4] = (byte) 0xff;
        assertThat(explain.explain("3", "4", 0).lines())
                .endsWith("LOST: 0x0000000000200001 \"sw-b\" (0,0,0) has no port for LID 4");
        view.plan().lft(1)[4] = 1;
        assertThat(explain.explain("3", "4", 0).lines())
                .endsWith("LOST: 0x0000000000200001 \"sw-b\" port 1 has no link");
    }

    @Test
    void refusesOtherArgumentsThanAPair() {
        assertThat(ExplainPath.ofPair(view, "host-0").lines()).containsExactly("\"host-0\" is not SRC,DST");
    }
}
