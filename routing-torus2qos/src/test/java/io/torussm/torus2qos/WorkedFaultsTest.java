package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Damaged fabrics whose results the reference SM gave. Sizes are as in torus-2QoS.conf; faults are {@code 311} for a
 * switch at (3,1,1) and {@code 311x} for its link to the next switch in x.
 */
class WorkedFaultsTest {
    private static DamagedTorus damagedTorus(String sizes, String faults) {
        String[] words = sizes.split(" ", -1);
        int[] radix = new int[3];
        StringBuilder mesh = new StringBuilder();
        for (int d = 0; d < 3; d++) {
            radix[d] = Integer.parseInt(words[d].replace("m", ""));
            mesh.append(words[d].endsWith("m") ? "xyz".substring(d, d + 1) : "");
        }
        DamagedTorus damaged = new DamagedTorus(new TestTorus(radix, mesh.toString(), 1, 1, null));
        for (String fault : faults.isEmpty() ? new String[0] : faults.split(" ", -1)) {
            if (fault.length() == 3) {
                damaged.failSwitch(at(fault));
            } else {
                damaged.failLink("xyz".indexOf(fault.charAt(3)), at(fault));
            }
        }
        return damaged;
    }

    /** Returns a torus with faults, with all remaining switches in their places. */
    static Torus placedTorus(String sizes, String faults) {
        DamagedTorus damaged = damagedTorus(sizes, faults);
        return TestTorus.place(damaged.torus.fabric.fabric(), TestTorus.conf(damaged.torus.conf()), 0);
    }

    private static int[] at(String digits) {
        return new int[] {digits.charAt(0) - '0', digits.charAt(1) - '0', digits.charAt(2) - '0'};
    }

    private static ChainResult route(DamagedTorus damaged) {
        return TestTorus.chain(damaged.torus.conf(), damaged.torus.fabric.subnet(0));
    }

    @ParameterizedTest
    @CsvSource({
        "6 5 1, '', 110 210 310 320 330, 0, 0000",
        "6 5 1, 110x, 110 010 510 410 310 320 330, 0, 000000",
        "6 5 1, 210x, 110 010 510 410 310 320 330, 0, 000000",
        "6 5 1, 310, 110 210 220 320 330, 0, 0020",
        "1 6 6, 031 032, 011 021 022 023 033 034, 0, 00020",
        "6 1 6, 301 302, 101 201 202 203 303 304, 0, 00020",
        "5 5 3, 211, 011 111 121 221 231, 0, 0020",
        "5 5 3, 211, 011 111 112 212, 0, 002",
        "5 5 3, 211, 201 202 212, 0, 02",
        "5 5 3, 211, 411 311 321 221 222, 0, 0020",
        "5 5 3, 211, 111 011 411 311, 0, 000",
        "5 5 3, 211, 011 411 311, 1, 11",
        "5 5 3, 211, 221 231 241 201, 0, 000",
        "5 5 3, 211, 000 400 300 340 342, 7, 1111"
    })
    void takesTheWayOfTheReferenceOnItsVls(String sizes, String faults, String way, int sl, String vls) {
        DamagedTorus damaged = damagedTorus(sizes, faults);
        Plan plan = TestTorus.plan(route(damaged));
        String[] places = way.split(" ", -1);
        for (int level = 0; level <= 1; level++) {
            Walk walk = new Walk(damaged.torus, plan, at(places[0]), at(places[places.length - 1]), 8 * level);
            assertThat(String.join(" ", walk.places)).isEqualTo(way);
            assertThat(walk.sl).isEqualTo(sl + 8 * level);
            for (int hop = 0; hop < walk.vls.size(); hop++) {
                assertThat(walk.vls.get(hop)).isEqualTo(vls.charAt(hop) - '0' + 4 * level);
            }
        }
    }

    /** A packet from switch to switch, by the tables. */
    private static final class Walk {
        final List<String> places = new ArrayList<>();
        final List<Integer> vls = new ArrayList<>();
        final int sl;

        Walk(TestTorus torus, Plan plan, int[] from, int[] to, int wanted) {
            Subnet subnet = plan.subnet();
            Fabric fabric = subnet.fabric();
            int sw = fabric.nodeByGuid(torus.guid(from));
            int dlid = subnet.lid(fabric.port(fabric.nodeByGuid(torus.guid(to)), 0));
            sl = plan.pathSl(subnet.lid(fabric.port(sw, 0)), dlid, wanted);
            int in = 0;
            places.add(place(plan, sw));
            for (int out = plan.lft(sw)[dlid]; out != 0; out = plan.lft(sw)[dlid]) {
                vls.add(SlToVlMappingTable.vl(plan.sl2vl(sw, in, out), sl));
                int far = fabric.peer(fabric.port(sw, out));
                sw = fabric.nodeOf(far);
                in = fabric.portNum(far);
                places.add(place(plan, sw));
            }
        }

        private static String place(Plan plan, int sw) {
            return plan.coordinates(sw).replaceAll("\\D", "");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "5 5 3, '', 221",
        "5 5 3, 211, 220",
        "5 5 3, 220 221 222, 111",
        "5 5 4, 220 221, 222",
        "6 5 1, '', 320",
        "6 5 1, 220x, 320",
        "6 5 1, 320, 210"
    })
    void growsTheTreeFromTheRootOfTheReference(String sizes, String faults, String root) {
        Plan plan = TestTorus.plan(route(damagedTorus(sizes, faults)));
        int actual = plan.multicastTree().orElseThrow().root();
        assertThat(plan.coordinates(actual).replaceAll("\\D", "")).isEqualTo(root);
    }

    @Test
    void forwardsAGroupOfTwoAlongThreeSwitches() {
        TestTorus torus = new TestTorus(new int[] {3, 3, 3}, "", 1, 2, null);
        Plan plan = torus.plan(torus.conf());
        Fabric fabric = plan.subnet().fabric();
        int one = fabric.peer(fabric.port(fabric.nodeByGuid(torus.guid(0, 0, 1)), 7));
        int other = fabric.peer(fabric.port(fabric.nodeByGuid(torus.guid(1, 1, 1)), 8));
        MulticastTree tree = plan.multicastTree().orElseThrow();
        Map<String, Long> ports = new TreeMap<>();
        tree.route(0xc000, new int[] {one, other}).forEach((sw, mask) -> ports.put(plan.coordinates(sw), mask[0]));
        assertThat(ports)
                .isEqualTo(
                        Map.of("(0,0,1)", 1L << 3 | 1 << 7, "(0,1,1)", 1L << 1 | 1 << 4, "(1,1,1)", 1L << 2 | 1 << 8));
    }

    /** The reference refuses 220 230 and 020 021 022. */
    @ParameterizedTest
    @CsvSource({
        "5 5 1, 000x, 25",
        "5 5 1, 100x, 25",
        "5 5 4, 220 221, 98",
        "5 5 3, 220 221 222, 72",
        "1 5 3, 020 021 022, 12",
        "5m 5m 3m, 442, 74",
        "5 5 3, 220 230, 73",
        "5m 1 1, '', 5",
        "5 1 1, 200, 4",
        "3 1 1, '', 3",
        "2 1 1, '', 2"
    })
    void routesWithAllThatIsLeft(String sizes, String faults, int switches) {
        DamagedTorus damaged = damagedTorus(sizes, faults);
        TestTorus pristine = damagedTorus(sizes, "").torus;
        Plan before = pristine.plan(pristine.conf());
        Plan after = TestTorus.plan(route(damaged));
        Fabric fabric = after.subnet().fabric();
        assertThat(fabric.switchCount()).isEqualTo(switches);
        for (int from = 0; from < switches; from++) {
            for (int to = 0; to < switches; to++) {
                assertThat(after.slMask(from, TestTorus.lid(after, to)))
                        .isEqualTo(before.slMask(
                                before.subnet().fabric().nodeByGuid(fabric.nodeGuid(from)),
                                TestTorus.lid(before, before.subnet().fabric().nodeByGuid(fabric.nodeGuid(to)))));
            }
        }
    }

    /** The reference takes the last one, and leaves (4,4,2) out. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5 5 1|000x 100x|(0,0,0)",
                "5 5 4|220 222|the ring (2,2,*)",
                "5m 5m 3m|221|(2,2,1)",
                "5m 5m 3m|111x|(1,1,1)",
                "5 5m 3|432y|(4,4,2)"
            })
    void refusesAndNamesThePlace(String sizes, String faults, String named) {
        ChainResult result = route(damagedTorus(sizes, faults));
        assertThat(result.isAccepted()).isFalse();
        assertThat(result.refusals().stream().map(Refusal::reason).collect(Collectors.joining("; ")))
                .contains(named)
                .doesNotContain("defect");
    }
}
