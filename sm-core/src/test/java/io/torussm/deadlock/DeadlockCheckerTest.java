package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Certificates, cycles and broken tables of the checker, on tori of {@link TorusSketch} ({@code of(x, y, z, parallel
 * cables, hosts of each switch)}) and on rings. On a ring, port 1 of a switch leads to the previous switch, port 2 to
 * the next one and port 3 to the host.
 */
class DeadlockCheckerTest {
    private final DeadlockChecker checker = new DeadlockChecker(2);

    @Test
    void certifiesDimensionOrderWithDatelines() {
        TorusSketch torus = TorusSketch.of(5, 4, 3, 1, 2);
        PlanSketch plan = DatelineRouter.route(torus);

        Certificate certificate = (Certificate) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(certificate.destinationCount()).isEqualTo(60 * 3); // port 0 and two hosts of each switch
        assertThat(certificate.verify(plan.plan(), TestRouting.QOS)).isTrue();
        assertThat(certificate.text())
                .isEqualTo("free of credit loops: " + certificate.dependencyCount() + " dependencies between "
                        + certificate.channelCount() + " channels, 180 destination LIDs");
    }

    @Test
    void findsTheRingsThatShareOneLaneWhenTheDatelineBitIsTakenOut() {
        TorusSketch torus = TorusSketch.of(5, 4, 3, 1, 1);
        PlanSketch plan = DatelineRouter.route(torus);
        plan.rows = (sw, in, out) -> DatelineRouter.row(torus.group(out) / 2, false);

        Cycle cycle = (Cycle) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(cycle.waits()).hasSize(5); // a ring in x
        assertThat(cycle.waits()).allMatch(wait -> wait.vl() == 0);
    }

    @Test
    void refusesToVerifyTablesThatACertificateIsNotFor() {
        TorusSketch torus = TorusSketch.of(5, 1, 1, 1, 1);
        PlanSketch plan = DatelineRouter.route(torus);
        Certificate certificate = (Certificate) checker.check(plan.plan(), TestRouting.QOS);

        plan.rows = (sw, in, out) -> DatelineRouter.row(torus.group(out) / 2, false);

        assertThat(certificate.verify(plan.plan(), TestRouting.QOS)).isFalse();
    }

    @Test
    void usesTheProgrammedVlsNotTheConfiguredOnes() {
        PlanSketch plan = DatelineRouter.route(TorusSketch.of(5, 5, 1, 1, 1));

        assertThat(checker.check(plan.plan(), TestRouting.qosWithVls(2))).isInstanceOf(Certificate.class);
        assertThat(checker.check(plan.plan(), TestRouting.qosWithVls(1))).isInstanceOf(Cycle.class);
        assertThat(checker.check(plan.plan(), TestRouting.NO_QOS)).isInstanceOf(Cycle.class);
    }

    @Test
    void certifiesParallelCablesAndRingsOfTwo() {
        for (int parallel = 1; parallel <= 3; parallel++) {
            PlanSketch plan = DatelineRouter.route(TorusSketch.of(4, 2, 2, parallel, 3));
            Certificate certificate = (Certificate) checker.check(plan.plan(), TestRouting.QOS);
            assertThat(certificate.verify(plan.plan(), TestRouting.QOS)).isTrue();
        }
    }

    @Test
    void showsTheOperatorTheCycleOfMinHopOnARing() {
        TorusSketch torus = TorusSketch.of(5, 1, 1, 1, 1);
        Subnet subnet = torus.subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, TestRouting.QOS);

        Cycle cycle = (Cycle) checker.check(plan, TestRouting.QOS);

        assertThat(cycle.text()).isEqualTo("""
                        credit loop of 5 channels; each waits for the next, the last for the first:
                          0x0000000000200000 "sw(0,0,0)" port 1 VL 0, held by packets from 0x0000000000200000 \
                        "sw(0,0,0)" port 0 to LID 4 (0x0000000000200003 "sw(3,0,0)") with SL 0
                          0x0000000000200004 "sw(4,0,0)" port 1 VL 0, held by packets from 0x0000000000200004 \
                        "sw(4,0,0)" port 0 to LID 3 (0x0000000000200002 "sw(2,0,0)") with SL 0
                          0x0000000000200003 "sw(3,0,0)" port 1 VL 0, held by packets from 0x0000000000200003 \
                        "sw(3,0,0)" port 0 to LID 2 (0x0000000000200001 "sw(1,0,0)") with SL 0
                          0x0000000000200002 "sw(2,0,0)" port 1 VL 0, held by packets from 0x0000000000200002 \
                        "sw(2,0,0)" port 0 to LID 1 (0x0000000000200000 "sw(0,0,0)") with SL 0
                          0x0000000000200001 "sw(1,0,0)" port 1 VL 0, held by packets from 0x0000000000200001 \
                        "sw(1,0,0)" port 0 to LID 5 (0x0000000000200004 "sw(4,0,0)") with SL 0""");
    }

    /**
     * A ring of three whose hosts are next to each other: {@code 0 -> 1} and so on take one hop. Only packets to and
     * from port 0 of switches take the long way, two hops clockwise, and close a credit loop.
     */
    @Test
    void countsPacketsToAndFromPortZeroOfSwitches() {
        PlanSketch plan = ringOfThree();
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Certificate.class);

        for (int sw = 0; sw < 3; sw++) {
            plan.lfts[sw][lidOfSwitch(plan, (sw + 2) % 3)] = 2;
        }

        Cycle cycle = (Cycle) checker.check(plan.plan(), TestRouting.QOS);
        Fabric fabric = plan.subnet().fabric();
        assertThat(cycle.waits()).hasSize(3).allSatisfy(wait -> {
            int destination = plan.subnet().portOfLid(wait.dlid());
            assertThat(fabric.isSwitch(fabric.nodeOf(destination))).isTrue();
        });
    }

    /** On a ring of three without hosts, ports 0 of switches are the only sources and destinations. */
    @Test
    void countsPortZeroAsASourceWhereThereAreNoHosts() {
        Sketch sketch = new Sketch();
        ring(sketch, 3);
        PlanSketch plan = new PlanSketch(Subnets.of(sketch.build()));
        for (int sw = 0; sw < 3; sw++) {
            plan.lfts[sw][lidOfSwitch(plan, (sw + 1) % 3)] = 2;
            plan.lfts[sw][lidOfSwitch(plan, (sw + 2) % 3)] = 2;
        }
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Cycle.class);
    }

    /**
     * All paths of a ring of four go clockwise, at most two hops. A packet takes VL 0 at its source and VL 1 if it
     * comes from the ring, so VL 0 waits for VL 1 only. By output port alone this would be a credit loop.
     */
    @Test
    void keepsApartPacketsOfDifferentInputPorts() {
        PlanSketch plan = clockwiseRing(4, 2);
        plan.rows = (sw, in, out) -> in == 1 ? 0x1111_1111_1111_1111L : 0;
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Certificate.class);

        plan.rows = (sw, in, out) -> 0;
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Cycle.class);
    }

    /**
     * The rows of input ports 1 and 2, from the ring, map all SLs to VL 0. The rows of the other input ports map each
     * SL to its VL, and SLs follow the dateline. So only the rows by input port show the credit loop.
     */
    @Test
    void findsACycleThatOnlyTheInputPortMakes() {
        PlanSketch plan = DatelineRouter.route(TorusSketch.of(7, 1, 1, 1, 1));
        Plan.SwitchRows byOutput = plan.rows;
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Certificate.class);

        plan.rows = (sw, in, out) -> in == 1 || in == 2 ? 0 : byOutput.row(sw, in, out);
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Cycle.class);
    }

    @Test
    void namesTheSwitchWhereALidIsNotKnown() {
        PlanSketch plan = clockwiseRing(4, 3);
        int lid = plan.subnet().topLid();
        plan.lfts[1][lid] = (byte) 0xff;

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.kind()).isEqualTo(BrokenTables.TableFault.DEAD_END);
        assertThat(broken.dlid()).isEqualTo(lid);
        assertThat(broken.text()).contains("stops at 0x0000000000200001 \"sw1\", which has no entry for it");
    }

    @Test
    void doesNotMindAHoleThatNoPathIsPromisedThrough() {
        PlanSketch plan = clockwiseRing(4, 3);
        int lid = plan.subnet().topLid();
        plan.lfts[3][lid] = (byte) 0xff;
        plan.masks = (from, to) -> to == 3 ? 0 : 1;
        plan.rows = (sw, in, out) -> sw == 0 ? 0x1111_1111_1111_1111L : 0;

        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isNotInstanceOf(BrokenTables.class);
    }

    @Test
    void showsALoopOfTheForwardingTables() {
        PlanSketch plan = clockwiseRing(4, 3);
        int lid = lidOfSwitch(plan, 3);
        plan.lfts[1][lid] = 2;
        plan.lfts[2][lid] = 1;

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.kind()).isEqualTo(BrokenTables.TableFault.LOOP);
        assertThat(broken.text()).contains("goes in circles through", "\"sw1\"", "\"sw2\"");
    }

    @Test
    void seesThatAPacketIsHandedToTheWrongHost() {
        PlanSketch plan = clockwiseRing(3, 2);
        plan.lfts[0][plan.subnet().topLid()] = 3;

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.kind()).isEqualTo(BrokenTables.TableFault.MISDELIVERY);
        assertThat(broken.text()).contains("whose entry is port 3, where another end port is");
    }

    @Test
    void objectsToVl15OnTheWayAtDeliveryAndAtTheSource() {
        PlanSketch plan = clockwiseRing(3, 2);
        long vl15 = SlToVlMappingTable.pack(15);
        plan.masks = (from, to) -> 1;
        plan.rows = (sw, in, out) -> in == 1 && out == 2 ? vl15 : 0x1111_1111_1111_1111L;
        assertThat(((BrokenTables) checker.check(plan.plan(), TestRouting.QOS)).kind())
                .isEqualTo(BrokenTables.TableFault.VL15);
        plan.rows = (sw, in, out) -> sw == 2 && out == 3 ? vl15 : 0;
        BrokenTables delivery = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);
        assertThat(delivery.text())
                .contains("discarded at 0x0000000000200002 \"sw2\", which maps them to VL15 on port 3");
        plan.rows = (sw, in, out) -> 0;
        plan.sourceRows = endport -> vl15;
        assertThat(((BrokenTables) checker.check(plan.plan(), TestRouting.QOS)).text())
                .contains("discarded at their source");
    }

    @Test
    void certifiesAFabricWithoutSwitches() {
        PlanSketch plan = new PlanSketch(Subnets.of(twoHostsBackToBack()));
        assertThat(((Certificate) checker.check(plan.plan(), TestRouting.QOS)).channelCount())
                .isZero();
    }

    private static Fabric twoHostsBackToBack() {
        Sketch sketch = new Sketch();
        sketch.addHostPair();
        return sketch.build();
    }

    private static int lidOfSwitch(PlanSketch plan, int sw) {
        return plan.subnet().lid(plan.subnet().fabric().port(sw, 0));
    }

    /** Adds a ring: port 1 leads to the previous switch, port 2 to the next one; port 3 is for a host. */
    private static void ring(Sketch sketch, int switches) {
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw" + sw, 3);
        }
        for (int sw = 0; sw < switches; sw++) {
            sketch.link(sw, 2, (sw + 1) % switches, 1);
        }
    }

    private static PlanSketch ringOfThree() {
        Sketch sketch = new Sketch();
        ring(sketch, 3);
        for (int sw = 0; sw < 3; sw++) {
            sketch.addHost(sw, 3);
        }
        PlanSketch plan = new PlanSketch(Subnets.of(sketch.build()));
        forward(plan, 3, 1);
        return plan;
    }

    /**
     * On a ring of four, the path to a switch two hops off is clockwise, and the path to its host counterclockwise.
     * Paths to switches 0 and 1 have SL 0, to their hosts SL 1; for switches 2 and 3 the SLs are exchanged. So no SL
     * has a credit loop around the ring. With both SLs for all LIDs there would be one.
     */
    @Test
    void walksTheSlsOfEachLidAndNotThoseOfItsSwitch() {
        PlanSketch plan = clockwiseRing(4, 2);
        Fabric fabric = plan.subnet().fabric();
        boolean[] isHost = new boolean[plan.subnet().topLid() + 1];
        for (int lid = 1; lid < isHost.length; lid++) {
            isHost[lid] = !fabric.isSwitch(fabric.nodeOf(plan.subnet().portOfLid(lid)));
            for (int sw = 0; sw < 4; sw++) {
                if (isHost[lid] && Math.abs(plan.subnet().switchOfLid(lid) - sw) == 2) {
                    plan.lfts[sw][lid] = 1;
                }
            }
        }
        plan.rows = (sw, in, out) -> 0x1010_1010_1010_1010L;
        plan.masks = (from, to) -> 0b11;
        assertThat(checker.check(plan.plan(), TestRouting.QOS))
                .as("SLs of all LIDs of a switch")
                .isInstanceOf(Cycle.class);
        plan.masksByLid = (from, dlid) -> plan.subnet().switchOfLid(dlid) < 2 == isHost[dlid] ? 0b10 : 0b01;
        assertThat(checker.check(plan.plan(), TestRouting.QOS))
                .as("SLs of each LID")
                .isInstanceOf(Certificate.class);
        plan.rows = (sw, in, out) -> 0;
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).as("on one VL").isInstanceOf(Cycle.class);
    }

    /** Two rings without a cable between them. All paths are clockwise. */
    @ParameterizedTest
    @CsvSource({"5, 3", "3, 5"})
    void reportsTheShorterOfTwoCreditLoops(int firstRing, int secondRing) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < firstRing + secondRing; sw++) {
            sketch.addSwitch("sw" + sw, 2);
        }
        for (int sw = 0; sw < firstRing + secondRing; sw++) {
            boolean isLast = sw == firstRing - 1 || sw == firstRing + secondRing - 1;
            sketch.link(sw, 2, isLast ? (sw < firstRing ? 0 : firstRing) : sw + 1, 1);
        }
        PlanSketch plan = new PlanSketch(Subnets.of(sketch.build()));
        plan.masks = (from, to) -> from < firstRing == to < firstRing ? 1 : 0;
        for (int to = 0; to < firstRing + secondRing; to++) {
            for (int sw = 0; sw < firstRing + secondRing; sw++) {
                if (sw != to && plan.masks.sls(sw, to) != 0) {
                    plan.lfts[sw][lidOfSwitch(plan, to)] = 2;
                }
            }
        }

        Cycle cycle = (Cycle) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(cycle.waits()).hasSize(Math.min(firstRing, secondRing));
    }

    private static PlanSketch clockwiseRing(int switches, int clockwise) {
        Sketch sketch = new Sketch();
        ring(sketch, switches);
        for (int sw = 0; sw < switches; sw++) {
            sketch.addHost(sw, 3);
        }
        PlanSketch plan = new PlanSketch(Subnets.of(sketch.build()));
        forward(plan, switches, clockwise);
        return plan;
    }

    /** Fills tables with paths that are clockwise up to a number of hops, and counterclockwise beyond. */
    private static void forward(PlanSketch plan, int switches, int clockwise) {
        for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
            int to = plan.subnet().switchOfLid(lid);
            for (int sw = 0; sw < switches; sw++) {
                int away = (to - sw + switches) % switches;
                if (away != 0) {
                    plan.lfts[sw][lid] = (byte) (away <= clockwise ? 2 : 1);
                }
            }
        }
    }
}
