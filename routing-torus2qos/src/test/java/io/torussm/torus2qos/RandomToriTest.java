package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plans for tori and meshes of random sizes, parallel cables, hosts, port numbers, GUIDs, seeds and LMCs, compared with
 * {@link NaiveTorus}, and followed packet by packet.
 */
class RandomToriTest {
    private static final int TORI_PER_SEED = 12;

    /** The bit of an SL that the second QoS level sets. */
    private static final int SECOND_LEVEL = 8;

    /** A torus, the order of its ports, and its configuration. */
    private record Case(TestTorus torus, List<Integer> portOrder, String conf, int lmc) {

        static Case draw(Random random) {
            int[] radix = new int[3];
            do {
                for (int d = 0; d < 3; d++) {
                    radix[d] = random.nextInt(4) == 0 ? 1 : 2 + random.nextInt(6);
                }
            } while (radix[0] * radix[1] * radix[2] > 150 || dimensions(radix) < 2);
            StringBuilder mesh = new StringBuilder();
            for (int d = 0; d < 3; d++) {
                mesh.append(random.nextInt(4) == 0 ? "xyz".substring(d, d + 1) : "");
            }
            TestTorus torus = new TestTorus(radix, mesh.toString(), 1 + random.nextInt(3), random.nextInt(4), random);
            int[] seed = torus.at(random.nextInt(torus.count()));
            Set<Integer> order = new LinkedHashSet<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                order.add(random.nextInt(6 * torus.links + torus.hosts + 1));
            }
            StringBuilder conf = new StringBuilder(torus.sizes() + torus.seed(seed) + "port_order");
            order.forEach(port -> conf.append(' ').append(port));
            for (int port = 0; port < 255; port++) {
                order.add(port);
            }
            return new Case(torus, new ArrayList<>(order), conf + "\n", random.nextInt(3));
        }

        private static int dimensions(int[] radix) {
            return (radix[0] > 1 ? 1 : 0) + (radix[1] > 1 ? 1 : 0) + (radix[2] > 1 ? 1 : 0);
        }

        Plan plan(int threads) {
            return TestTorus.plan(
                    new Torus2QosEngine(TestTorus.parse(conf), threads).route(torus.fabric.subnet(lmc), TestTorus.QOS));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void tablesAndSlsAreThoseOfANaiveModel(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < TORI_PER_SEED; i++) {
            Case drawn = Case.draw(random);
            TestTorus torus = drawn.torus();
            Plan plan = drawn.plan(1);
            Subnet subnet = plan.subnet();
            Fabric fabric = subnet.fabric();
            List<Integer> installOrder = new ArrayList<>();
            Torus placed = TestTorus.place(fabric, TestTorus.conf(drawn.conf()), 0);
            for (int slot = 0; slot < placed.slots(); slot++) {
                installOrder.add(torus.index(
                        placed.coordinate(slot, 0), placed.coordinate(slot, 1), placed.coordinate(slot, 2)));
            }
            NaiveTorus naive = new NaiveTorus(torus, subnet, drawn.portOrder(), installOrder);
            for (int at = 0; at < torus.count(); at++) {
                int[] xyz = torus.at(at);
                int sw = fabric.nodeByGuid(torus.guid(xyz));
                assertThat(plan.coordinates(sw))
                        .as(drawn.conf())
                        .isEqualTo("(" + xyz[0] + "," + xyz[1] + "," + xyz[2] + ")");
                assertThat(plan.lft(sw)).as(drawn.conf()).isEqualTo(naive.table(at));
                for (int dst = 0; dst < torus.count(); dst++) {
                    int dlid = subnet.lid(fabric.port(fabric.nodeByGuid(torus.guid(torus.at(dst))), 0));
                    int slid = subnet.lid(fabric.port(sw, 0));
                    assertThat(plan.pathSl(slid, dlid, SECOND_LEVEL + 1)).isEqualTo(naive.sl(at, dst) | SECOND_LEVEL);
                    assertThat(plan.pathSl(dlid, slid, SECOND_LEVEL - 1)).isEqualTo(naive.sl(at, dst));
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void packetsTakeAShortestWayWithoutAnIllegalTurn(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 3; i++) {
            Case drawn = Case.draw(random);
            Plan plan = drawn.plan(2);
            for (int sw = 0; sw < plan.subnet().fabric().switchCount(); sw++) {
                for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
                    if (plan.subnet().portOfLid(lid) != Fabric.NONE) {
                        walk(drawn, plan, sw, lid);
                    }
                }
            }
        }
    }

    /** Follows a packet to a LID, and verifies its VLs, the number of its hops, and the port at which it arrives. */
    private static void walk(Case drawn, Plan plan, int from, int dlid) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int home = subnet.switchOfLid(dlid);
        int endport = subnet.portOfLid(dlid);
        int sl = plan.pathSl(subnet.lid(fabric.port(from, 0)), dlid, 0);
        assertThat(plan.slMask(from, dlid)).isEqualTo(1 << sl | 1 << (sl | SECOND_LEVEL));
        int sw = from;
        int in = 0;
        int hops = 0;
        while (sw != home) {
            int out = plan.lft(sw)[dlid] & 0xff;
            assertThat(SlToVlMappingTable.vl(plan.sl2vl(sw, in, out), sl))
                    .as("VLs 2 and 3 are for illegal turns")
                    .isLessThan(2);
            int far = fabric.peer(fabric.port(sw, out));
            sw = fabric.nodeOf(far);
            in = fabric.portNum(far);
            assertThat(++hops).isLessThan(30);
        }
        assertThat(hops).isEqualTo(distance(drawn.torus(), plan.coordinates(from), plan.coordinates(home)));
        int last = plan.lft(home)[dlid] & 0xff;
        assertThat(last == 0 ? fabric.port(home, 0) : fabric.peer(fabric.port(home, last)))
                .isEqualTo(endport);
    }

    /** Returns the number of hops between two coordinates, such as {@code (1,0,2)}. */
    private static int distance(TestTorus torus, String from, String to) {
        String[] a = from.replaceAll("[()]", "").split(",", -1);
        String[] b = to.replaceAll("[()]", "").split(",", -1);
        int distance = 0;
        for (int d = 0; d < 3; d++) {
            int straight = Math.abs(Integer.parseInt(a[d]) - Integer.parseInt(b[d]));
            distance += torus.mesh[d] || torus.radix[d] == 2 ? straight : Math.min(straight, torus.radix[d] - straight);
        }
        return distance;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void tablesDoNotDependOnTheNumberOfThreads(long seed) {
        Case drawn = Case.draw(Seeds.random(seed));
        Plan one = drawn.plan(1);
        for (int threads : new int[] {2, 3, 8}) {
            Plan many = drawn.plan(threads);
            for (int sw = 0; sw < one.subnet().fabric().switchCount(); sw++) {
                assertThat(many.lft(sw)).isEqualTo(one.lft(sw));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void slsDoNotDependOnTheSeedSwitchPortNumbersOrGuids(long seed) {
        Random random = Seeds.random(seed);
        Case drawn = Case.draw(random);
        TestTorus plain = new TestTorus(
                drawn.torus().radix, meshOf(drawn.torus()), drawn.torus().links, drawn.torus().hosts, null);
        Plan shuffled = drawn.plan(1);
        Plan straight = plain.plan(plain.conf());
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < plain.count(); i++) {
            all.add(i);
        }
        Collections.shuffle(all, random);
        for (int src : all.subList(0, Math.min(20, all.size()))) {
            for (int dst : all) {
                assertThat(sl(shuffled, drawn.torus(), src, dst)).isEqualTo(sl(straight, plain, src, dst));
            }
        }
    }

    private static int sl(Plan plan, TestTorus torus, int src, int dst) {
        return plan.pathSl(lid(plan, torus, src), lid(plan, torus, dst), 0);
    }

    private static int lid(Plan plan, TestTorus torus, int at) {
        Fabric fabric = plan.subnet().fabric();
        return plan.subnet().lid(fabric.port(fabric.nodeByGuid(torus.guid(torus.at(at))), 0));
    }

    private static String meshOf(TestTorus torus) {
        return (torus.mesh[0] ? "x" : "") + (torus.mesh[1] ? "y" : "") + (torus.mesh[2] ? "z" : "");
    }
}
