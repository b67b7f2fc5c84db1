package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import io.torussm.torus2qos.discovery.TorusDiscovery;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The positions of switches on damaged and wrongly described fabrics, and the findings. */
class PlacementTest {
    private static int literalSlots(Fabric fabric, String conf) {
        return TestTorus.place(fabric, TestTorus.conf(conf), 0).slots();
    }

    private static TestTorus meshWithABrokenEdge() {
        TestTorus mesh = new TestTorus(new int[] {5, 5, 3}, "y", 1, 1, null);
        mesh.fabric.removeCables(mesh.guid(4, 3, 2), mesh.guid(4, 4, 2));
        return mesh;
    }

    @Test
    void placesTheSwitchAtTheEdgeOfAMeshThatTheSweepMisses() {
        TestTorus mesh = meshWithABrokenEdge();
        PlacementResult placed = PlacementResult.of(mesh, mesh.conf());
        assertThat(literalSlots(placed.fabric(), mesh.conf())).isEqualTo(74);
        assertThat(placed.place(mesh.guid(4, 4, 2))).isEqualTo("(4,4,2)");
        assertThat(placed.completeTorus().slots()).isEqualTo(75);
        assertThat(placed.errors()).isEmpty();
        int slot = placed.completeTorus().slotAt(4 + 5 * (4 + 5 * 2));
        assertThat(placed.completeTorus().group(slot, 2)).isEmpty();
        for (int group : new int[] {0, 1, 4, 5}) {
            int beside = placed.completeTorus().neighbour(slot, group);
            assertThat(placed.completeTorus().neighbour(beside, group ^ 1)).isEqualTo(slot);
        }
        assertThat(placed.completeTorus().group(slot, Dim.LOCAL)).containsExactly(0, 7);
    }

    @Test
    void placesThePartnerOfAFailedSwitchWhereTheRadixIsTwo() {
        TestTorus torus = new TestTorus(1, 7, 2);
        torus.fabric.remove(torus.guid(0, 3, 1));
        PlacementResult placed = PlacementResult.of(torus, torus.conf());
        assertThat(literalSlots(placed.fabric(), torus.conf())).isEqualTo(12);
        assertThat(placed.place(torus.guid(0, 3, 0))).isEqualTo("(0,3,0)");
        assertThat(placed.errors()).isEmpty();
    }

    @Test
    void placesTheFlatSwitchThatLostADimension() {
        GoldenFabric golden = new GoldenFabric("65_link_nT_To");
        PlacementResult placed = PlacementResult.of(golden.fabric, golden.conf, false);
        Torus literal = TestTorus.place(golden.fabric, TestTorus.conf(golden.conf), 0);
        assertThat(literal.slotAt(3 + 6)).isNegative();
        assertThat(placed.completeTorus().slotAt(3 + 6)).isEqualTo(29);
        assertThat(placed.errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesOutWhatTheReferenceLeavesOutIfTold(boolean acceptsUnplaced) {
        TestTorus mesh = meshWithABrokenEdge();
        PlacementResult placed = PlacementResult.of(mesh.fabric.fabric(), mesh.conf(), acceptsUnplaced);
        assertThat(placed.place(mesh.guid(4, 4, 2))).isEqualTo(acceptsUnplaced ? "none" : "(4,4,2)");
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .filteredOn(text -> text.contains("\"sw-4-4-2\" is cut off: its cables go from port ")
                        && text.contains("it may be the one missing at (4,4,2); it and its hosts get no routes"))
                .hasSize(acceptsUnplaced ? 1 : 0);
    }

    @Test
    void refusesASwitchThatMayBeTheMissingOne() {
        TestTorus torus = new TestTorus(6, 5, 1);
        for (int[] to : new int[][] {{2, 1, 0}, {4, 1, 0}, {3, 2, 0}}) {
            torus.fabric.removeCables(torus.guid(3, 1, 0), torus.guid(to));
        }
        PlacementResult placed = PlacementResult.of(torus, torus.conf());
        assertThat(placed.errors())
                .singleElement()
                .asString()
                .contains("\"sw-3-1-0\" is cut off", "(3,0,0) ", "\"sw-3-0-0\" port 3", "one missing at (3,1,0)")
                .contains("accept_unplaced_switches = true");
        PlacementResult accepted = PlacementResult.of(torus.fabric.fabric(), torus.conf(), true);
        assertThat(accepted.errors()).isEmpty();
        assertThat(accepted.warnings()).anyMatch(text -> text.contains("\"sw-3-1-0\" is cut off"));
    }

    @Test
    void guessesNothingWhereTwoSwitchesWantAPosition() {
        // If the order of ports is random, no port is known to be for hosts.
        TestTorus torus = new TestTorus(new int[] {6, 5, 1}, "", 1, 2, Seeds.random(1));
        torus.fabric.remove(torus.guid(3, 1, 0));
        for (int stranger = 0; stranger < 2; stranger++) {
            torus.fabric.addSwitch(0x700 + stranger, 4, "stranger-" + stranger);
            for (int y : new int[] {0, 2}) {
                int port = torus.hostPort(torus.index(3, y, 0), stranger);
                torus.fabric.unplug(torus.guid(3, y, 0), port);
                torus.fabric.cable(0x700 + stranger, 1 + y, torus.guid(3, y, 0), port);
            }
        }
        PlacementResult placed = PlacementResult.of(torus, torus.conf());
        assertThat(placed.completeTorus().slots()).isEqualTo(29);
        assertThat(placed.errors())
                .hasSize(2)
                .allMatch(text -> text.contains("is cut off") && text.contains("missing at (3,1,0)"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7})
    void placesARingBesideAStray(int length) {
        for (int at = 0; at < length; at++) {
            TestTorus ring = new TestTorus(new int[] {length, 1, 1}, "", 1, 1, null);
            ring.fabric.addSwitch(0x700, 4, "stray");
            ring.fabric.unplug(ring.guid(at, 0, 0), 7);
            ring.fabric.cable(0x700, 1, ring.guid(at, 0, 0), 7);
            PlacementResult placed = PlacementResult.of(ring, ring.conf());
            assertThat(placed.place(0x700)).isEqualTo("none");
            assertThat(placed.completeTorus().slots()).isEqualTo(length);
        }
    }

    @Test
    void neverPlacesAStray() {
        TestTorus torus = new TestTorus(new int[] {5, 5, 1}, "", 1, 1, null);
        torus.fabric.addSwitch(0x700, 4, "stray");
        torus.fabric.unplug(torus.guid(1, 1, 0), 7);
        torus.fabric.unplug(torus.guid(3, 3, 0), 7);
        torus.fabric.cable(0x700, 1, torus.guid(1, 1, 0), 7);
        torus.fabric.cable(0x700, 2, torus.guid(3, 3, 0), 7);
        PlacementResult whole = PlacementResult.of(torus, torus.conf());
        assertThat(whole.place(0x700)).isEqualTo("none");
        assertThat(whole.errors()).isEmpty();
        assertThat(whole.warnings())
                .singleElement()
                .asString()
                .contains("\"stray\" is no part of the torus: its cables go from port 1 to (1,1,0) 0x", "no routes");

        torus.fabric.remove(torus.guid(2, 1, 0));
        PlacementResult damaged = PlacementResult.of(torus, torus.conf());
        assertThat(damaged.place(0x700)).isEqualTo("none");
        assertThat(damaged.errors()).isEmpty();

        torus.fabric.unplug(torus.guid(1, 1, 0), 7);
        torus.fabric.cable(0x700, 1, torus.guid(1, 1, 0), 1);
        PlacementResult suspect = PlacementResult.of(torus, torus.conf());
        assertThat(suspect.place(0x700)).isEqualTo("none");
        assertThat(suspect.errors()).singleElement().asString().contains("\"stray\" is cut off", "missing at (2,1,0);");
    }

    @Test
    void placesAChainOfSwitchesOneAfterTheOther() {
        TestTorus torus = new TestTorus(6, 6, 1);
        torus.fabric.removeCables(torus.guid(2, 1, 0), torus.guid(3, 1, 0));
        torus.fabric.removeCables(torus.guid(4, 0, 0), torus.guid(4, 1, 0));
        torus.fabric.removeCables(torus.guid(4, 1, 0), torus.guid(4, 2, 0));
        PlacementResult placed = PlacementResult.of(torus, torus.conf());
        assertThat(literalSlots(placed.fabric(), torus.conf())).isEqualTo(34);
        assertThat(placed.place(torus.guid(3, 1, 0))).isEqualTo("(3,1,0)");
        // next to one switch that the sweep placed, and to the one that was added
        assertThat(placed.place(torus.guid(4, 1, 0))).isEqualTo("(4,1,0)");
    }

    /**
     * On damaged tori no switch that the search by squares placed moves, and added switches are where they
     * were cabled.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void addsOnlyTrueNeighboursAfterAllThatTheSweepPlaced(long seed) {
        Random random = Seeds.random(seed);
        int added = 0;
        for (int i = 0; i < 40; i++) {
            int[] radix = {2 + random.nextInt(5), 2 + random.nextInt(5), 1 + random.nextInt(3)};
            TestTorus torus = new TestTorus(radix, random.nextBoolean() ? "x" : "", 1, 1, random);
            String conf = torus.conf();
            for (int hit = random.nextInt(6); hit > 0; hit--) {
                int victim = 1 + random.nextInt(torus.count() - 1);
                int d = random.nextInt(3);
                if (random.nextInt(4) > 0) {
                    torus.fabric.unplug(torus.guid(torus.at(victim)), torus.plusPort(victim, d, 0));
                } else if (!conf.contains(String.format("0x%x\n", torus.guid(torus.at(victim))))) {
                    torus.fabric.remove(torus.guid(torus.at(victim)));
                }
            }
            Fabric fabric = torus.fabric.fabric();
            Torus literal = new TorusDiscovery(fabric, TestTorus.conf(conf))
                    .place(TestTorus.conf(conf).seeds().get(0), new ArrayList<>());
            PlacementResult placed = PlacementResult.of(fabric, conf, false);
            if (literal == null) {
                assertThat(placed.torus()).isNull();
                continue;
            }
            added += placed.completeTorus().slots() - literal.slots();
            assertThat(TestTorus.installOrder(placed.completeTorus())).startsWith(TestTorus.installOrder(literal));
            for (int slot = literal.slots(); slot < placed.completeTorus().slots(); slot++) {
                int[] at = torus.at(
                        indexOf(torus, fabric.nodeGuid(placed.completeTorus().switchOf(slot))));
                assertThat(placed.completeTorus()
                                .formatPosition(placed.completeTorus().positionOf(slot)))
                        .as(conf)
                        .isEqualTo("(" + at[0] + "," + at[1] + "," + at[2] + ")");
            }
        }
        assertThat(added).isPositive();
    }

    private static int indexOf(TestTorus torus, long guid) {
        for (int i = 0; i < torus.count(); i++) {
            if (torus.guid(torus.at(i)) == guid) {
                return i;
            }
        }
        throw new AssertionError(guid);
    }
}
