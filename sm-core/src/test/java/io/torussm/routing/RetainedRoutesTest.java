package io.torussm.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Routes that stay active, on a torus of 4 x 4 switches with two hosts each. The SM is switch 0. */
class RetainedRoutesTest {
    private final TorusSketch torus = TorusSketch.of(4, 4, 1, 1, 2);
    private final Subnet previousSubnet = torus.subnet();
    private final Fabric fabric = previousSubnet.fabric();
    private final Plan routedPlan = (Plan) new UpDownEngine().route(previousSubnet, TestRouting.QOS);

    private Subnet changedSubnet(Consumer<FabricBuilder> change) {
        FabricBuilder now = FabricBuilder.of(fabric);
        change.accept(now);
        now.retrace();
        return previousSubnet.restrictedTo(now.build());
    }

    private Plan remainingPlan(Consumer<FabricBuilder> change) {
        return RetainedRoutes.ofRefused(routedPlan, null, changedSubnet(change)).orElseThrow();
    }

    private int lid(int sw, int portNum) {
        int port = fabric.port(sw, portNum);
        return previousSubnet.lid(portNum == 0 ? port : fabric.peer(port));
    }

    private int host(int sw, int i) {
        return lid(sw, torus.port(6, i));
    }

    /** Checks whether tables have a path from the switch of a LID to another LID, on a fabric. */
    private static boolean leads(Plan plan, int from, int to) {
        Fabric now = plan.subnet().fabric();
        int sw = plan.subnet().switchOfLid(from);
        int end = plan.subnet().portOfLid(to);
        for (int hop = 0; hop <= now.switchCount(); hop++) {
            int out = plan.lft(sw)[to] & 0xff;
            int far = out == 0 ? now.port(sw, 0) : out > now.numPorts(sw) ? Fabric.NONE : now.peer(now.port(sw, out));
            if (far == end || far == Fabric.NONE || !now.isSwitch(now.nodeOf(far))) {
                return far == end;
            }
            sw = now.nodeOf(far);
        }
        return false;
    }

    /** Paths are given where tables lead, and only there, as they were. */
    private int assertPathsAreThoseLeft(Plan plan) {
        int lost = 0;
        for (int from = 1; from <= previousSubnet.topLid(); from++) {
            for (int to = 1; to <= previousSubnet.topLid(); to++) {
                boolean isThere = plan.subnet().portOfLid(from) != Fabric.NONE
                        && plan.subnet().portOfLid(to) != Fabric.NONE
                        && leads(plan, from, to);
                int sl = isThere ? routedPlan.pathSl(from, to, 3) : -1;
                assertThat(plan.pathSl(from, to, 3)).as("%d to %d", from, to).isEqualTo(sl);
                lost += isThere ? 0 : 1;
            }
        }
        assertThat(new DeadlockChecker(1).check(plan, TestRouting.QOS)).isInstanceOf(Certificate.class);
        return lost;
    }

    @Test
    void losePathsAcrossALostCableAndNoOthers() {
        Plan plan = remainingPlan(now -> now.unlink(fabric.nodeGuid(0), torus.port(1, 0)));
        assertThat(assertPathsAreThoseLeft(plan)).isBetween(1, 2000);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            assertThat(plan.lft(sw)).isSameAs(routedPlan.lft(sw));
        }
        RetentionQuality facts = plan.retention().orElseThrow();
        assertThat(facts.waiting()).isEmpty();
        assertThat(facts.pairs()).isEqualTo(256);
        assertThat(facts.lostPairs()).isBetween(1L, 200L);
        assertThat(plan.asRouted()).isSameAs(routedPlan);
        assertThat(plan.onSubnet(previousSubnet)).as("routes are for engines").isEmpty();
    }

    @Test
    void surviveALostSwitchThoughAllIndexesMove() {
        long lost = fabric.nodeGuid(5);
        Plan plan = remainingPlan(now -> {
            for (int portNum = 1; portNum <= fabric.numPorts(5); portNum++) {
                now.unlink(lost, portNum);
            }
        });
        assertPathsAreThoseLeft(plan);
        Fabric part = plan.subnet().fabric();
        assertThat(part.switchCount()).isEqualTo(15);
        for (int sw = 0; sw < part.switchCount(); sw++) {
            int known = fabric.nodeByGuid(part.nodeGuid(sw));
            assertThat(plan.lft(sw)).isSameAs(routedPlan.lft(known));
            assertThat(plan.sl2vl(sw, 1, 2)).isEqualTo(routedPlan.sl2vl(known, 1, 2));
            assertThat(plan.role(sw, torus.port(6, 0))).isEqualTo(routedPlan.role(known, torus.port(6, 0)));
        }
        Plan again = RetainedRoutes.ofRefused(plan, null, previousSubnet).orElseThrow();
        assertThat(assertPathsAreThoseLeft(again)).as("it is back").isZero();
    }

    /** Entries for the previous peer of a port would lead to another device. */
    @Test
    void doNotUseACableThatIsSomewhereElse() {
        Plan plan = remainingPlan(now -> {
            now.unlink(fabric.nodeGuid(0), torus.port(1, 0));
            now.unlink(fabric.nodeGuid(9), torus.port(1, 0));
            now.link(fabric.nodeGuid(0), torus.port(1, 0), fabric.nodeGuid(9), torus.port(1, 0));
        });
        Fabric part = plan.subnet().fabric();
        assertThat(part.peer(part.port(0, torus.port(1, 0)))).isEqualTo(Fabric.NONE);
        assertThat(part.peer(part.port(9, torus.port(1, 0)))).isEqualTo(Fabric.NONE);
        assertThat(plan.retention().orElseThrow().waiting()).isNotEmpty();
        assertPathsAreThoseLeft(plan);
    }

    @Test
    void leaveOutAHostThatIsAtAnotherPort() {
        long moved = fabric.portGuid(fabric.peer(fabric.port(6, torus.port(6, 0))));
        long node = fabric.nodeGuid(fabric.nodeOf(fabric.peer(fabric.port(6, torus.port(6, 0)))));
        Plan plan = remainingPlan(now -> {
            now.unlink(fabric.nodeGuid(6), torus.port(6, 0));
            now.unlink(fabric.nodeGuid(7), torus.port(6, 1));
            now.link(fabric.nodeGuid(7), torus.port(6, 1), node, 1);
        });
        assertThat(plan.subnet().portOfLid(host(6, 0))).isEqualTo(Fabric.NONE);
        assertThat(plan.subnet().fabric().nodeByGuid(node)).isEqualTo(Fabric.NONE);
        assertThat(plan.retention().orElseThrow().waiting())
                .singleElement()
                .asString()
                .contains(Objects.requireNonNull(fabric.name(fabric.nodeByGuid(node))));
        assertThat(moved).isNotZero();
        assertPathsAreThoseLeft(plan);
    }

    @Test
    void areOfNoUseWhereTheSmItselfIsNotServed() {
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[lids.length];
        for (int port = 0; port < lids.length; port++) {
            lids[port] = previousSubnet.lid(port);
        }
        lids[fabric.port(0, 0)] = previousSubnet.topLid() + 1;
        Subnet renumbered = new Subnet(fabric, lids, lmcs, previousSubnet.gidPrefix());
        assertThat(RetainedRoutes.ofRefused(routedPlan, null, renumbered)).isEmpty();
    }

    private byte[] @Nullable [] switchTables(Plan partial) {
        byte[] @Nullable [] held = new byte[partial.subnet().fabric().switchCount()][];
        for (int sw = 0; sw < held.length; sw++) {
            held[sw] = routedPlan
                    .lft(fabric.nodeByGuid(partial.subnet().fabric().nodeGuid(sw)))
                    .clone();
        }
        return held;
    }

    private Plan partialPlan(Consumer<FabricBuilder> change) {
        return (Plan)
                new UpDownEngine().route(changedSubnet(change).withTopLid(previousSubnet.topLid()), TestRouting.QOS);
    }

    @Test
    void canBeAdoptedFromTablesOfSwitches() {
        Plan partial = partialPlan(now -> now.unlink(fabric.nodeGuid(0), torus.port(1, 0)));
        Plan plan =
                RetainedRoutes.ofAdopted(partial, switchTables(partial), null).orElseThrow();
        assertThat(assertPathsAreThoseLeft(plan)).isBetween(1, 2000);
        assertThat(plan.engine()).isEqualTo(RetainedRoutes.ADOPTED);
        assertThat(plan.isAdopted()).isTrue();
        assertThat(plan.asRouted()).isSameAs(plan);
        assertThat(plan.retention().orElseThrow().waiting()).isEmpty();
    }

    @Test
    void areNotAdoptedForSwitchesAndHostsWithoutATable() {
        Plan partial = partialPlan(now -> {});
        byte[] @Nullable [] held = switchTables(partial);
        held[5] = null;
        for (byte[] lft : held) {
            if (lft != null) {
                lft[host(10, 1)] = (byte) 0xff;
            }
        }
        Plan plan = RetainedRoutes.ofAdopted(partial, held, null).orElseThrow();
        assertPathsAreThoseLeft(plan);
        assertThat(plan.subnet().fabric().switchCount()).isEqualTo(15);
        assertThat(plan.subnet().portOfLid(host(5, 0))).isEqualTo(Fabric.NONE);
        assertThat(plan.subnet().portOfLid(host(10, 1))).isEqualTo(Fabric.NONE);
        assertThat(plan.retention().orElseThrow().waiting()).hasSize(4);
        held[0] = null;
        assertThat(RetainedRoutes.ofAdopted(partial, held, null))
                .as("the SM itself")
                .isEmpty();
    }

    /** Two switches send a LID to each other: no switch has a path to it through them. */
    @Test
    void goInCirclesForNoRequesterWithAPath() {
        Plan partial = partialPlan(now -> {});
        byte[] @Nullable [] held = switchTables(partial);
        int lid = host(10, 0);
        Objects.requireNonNull(held[0])[lid] = (byte) torus.port(1, 0);
        Objects.requireNonNull(held[1])[lid] = (byte) torus.port(0, 0);
        Plan plan = RetainedRoutes.ofAdopted(partial, held, null).orElseThrow();
        assertPathsAreThoseLeft(plan);
        assertThat(plan.pathSl(host(0, 0), lid, 0)).isEqualTo(-1);
        assertThat(plan.pathSl(host(11, 0), lid, 0)).isNotEqualTo(-1);
    }
}
