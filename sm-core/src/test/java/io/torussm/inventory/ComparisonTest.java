package io.torussm.inventory;

import static io.torussm.inventory.Difference.DifferenceType.CHANGED_NODE;
import static io.torussm.inventory.Difference.DifferenceType.EXCHANGED_CABLES;
import static io.torussm.inventory.Difference.DifferenceType.EXTRA_CABLE;
import static io.torussm.inventory.Difference.DifferenceType.EXTRA_NODE;
import static io.torussm.inventory.Difference.DifferenceType.FIRMWARE_MIX;
import static io.torussm.inventory.Difference.DifferenceType.MISSING_CABLE;
import static io.torussm.inventory.Difference.DifferenceType.MISSING_NODE;
import static io.torussm.inventory.Difference.DifferenceType.MOVED_CABLE;
import static io.torussm.inventory.Difference.DifferenceType.NARROW_LINK;
import static io.torussm.inventory.Difference.DifferenceType.SLOW_LINK;
import static io.torussm.inventory.Difference.DifferenceType.WRONG_CABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.NodePort;
import io.torussm.inventory.ExpectedFabric.Cable;
import io.torussm.inventory.ExpectedFabric.Device;
import io.torussm.inventory.ExpectedFabric.DeviceType;
import io.torussm.inventory.ExpectedFabric.Model;
import io.torussm.testing.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Differences between an expected and a discovered fabric: two switches of 6 ports, or a random fabric with changes.
 */
class ComparisonTest {
    private static final int PORTS = 6;

    /** Returns two switches of six ports, cabled by their ports 1 and 2. */
    private static ExpectedFabric pair(Cable... cables) {
        return new ExpectedFabric(List.of(device(1, 0), device(2, 0)), List.of(cables));
    }

    private static Device device(long guid, int revision) {
        return new Device(guid, DeviceType.SWITCH, PORTS, new Model(0x2c9, 0xcb20, revision), "sw-" + guid);
    }

    private static Cable cable(int nearPort, int farPort) {
        return new Cable(new NodePort(1, nearPort), new NodePort(2, farPort), 4, "25");
    }

    @Test
    void exchangedCablesAreOneLineWithBoth() {
        assertThat(Comparison.of(pair(cable(1, 1), cable(2, 2)), pair(cable(1, 2), cable(2, 1))))
                .containsExactly(
                        new Difference(
                                EXCHANGED_CABLES,
                                "0x0000000000000001 \"sw-1\" port 1 - 0x0000000000000002 \"sw-2\" port 1 and"
                                        + " 0x0000000000000001 \"sw-1\" port 2 - 0x0000000000000002 \"sw-2\" port 2 are exchanged"));
    }

    @Test
    void aWrongCableNamesBothPorts() {
        assertThat(Comparison.of(pair(cable(1, 1), cable(2, 2)), pair(cable(1, 2))))
                .extracting(Difference::kind)
                .containsExactly(WRONG_CABLE, MISSING_CABLE);
        assertThat(Comparison.of(pair(cable(1, 1)), pair(cable(1, 3))))
                .containsExactly(new Difference(
                        MOVED_CABLE,
                        "0x0000000000000001 \"sw-1\" port 1 is cabled to 0x0000000000000002 \"sw-2\" port 3,"
                                + " expected 0x0000000000000002 \"sw-2\" port 1"));
    }

    @Test
    void threeCablesThatChangedPlacesInTurnAreThreeWrongOnes() {
        assertThat(Comparison.of(
                        pair(cable(1, 1), cable(2, 2), cable(3, 3)), pair(cable(1, 2), cable(2, 3), cable(3, 1))))
                .extracting(Difference::kind)
                .containsExactly(WRONG_CABLE, WRONG_CABLE, WRONG_CABLE);
    }

    @Test
    void aFasterLinkAndAnUnknownOneAreFine() {
        Cable slow = new Cable(new NodePort(1, 1), new NodePort(2, 1), 1, "2.5");
        Cable unknown = new Cable(new NodePort(1, 1), new NodePort(2, 1), 0, "?");
        assertThat(Comparison.of(pair(slow), pair(cable(1, 1)))).isEmpty();
        assertThat(Comparison.of(pair(cable(1, 1)), pair(unknown))).isEmpty();
        assertThat(Comparison.of(pair(unknown), pair(slow))).isEmpty();
    }

    @Test
    void aMixOfRevisionsThatIsExpectedIsNone() {
        ExpectedFabric mixed = new ExpectedFabric(List.of(device(1, 1), device(2, 2)), List.of());
        ExpectedFabric pure = new ExpectedFabric(List.of(device(1, 1), device(2, 1)), List.of());
        assertThat(Comparison.of(mixed, mixed)).isEmpty();
        assertThat(Comparison.of(mixed, pure)).isEmpty();
        assertThat(Comparison.of(pure, mixed))
                .containsExactly(new Difference(FIRMWARE_MIX, "devices 0xcb20 have revisions 0x1, 0x2"));
    }

    /** A changed fabric, and the list of its changes. Each change affects other parts. */
    private static final class Changes {
        final List<Device> devices = new ArrayList<>();
        final List<Cable> cables = new ArrayList<>();
        final Deque<Cable> untouched = new ArrayDeque<>();
        final List<Difference.DifferenceType> expectedTypes = new ArrayList<>();
        final ExpectedFabric before;

        Changes(Random random) {
            int size = 8 + random.nextInt(20);
            List<NodePort> free = new ArrayList<>();
            for (int node = 1; node <= size; node++) {
                devices.add(device(node * 1000L, 0));
                for (int port = 1; port <= PORTS - 1; port++) { // The last port remains free.
                    free.add(new NodePort(node * 1000L, port));
                }
            }
            Collections.shuffle(free, random);
            for (int end = 0; end + 1 < free.size(); end += 2) {
                cables.add(new Cable(free.get(end), free.get(end + 1), 4, "25"));
            }
            before = new ExpectedFabric(devices, cables);
            untouched.addAll(cables);
        }

        private Cable next() {
            Cable cable = untouched.remove();
            cables.remove(cable);
            return cable;
        }

        void change(Random random, long turn) {
            Cable one = next();
            NodePort spare = new NodePort(one.near().nodeGuid(), PORTS);
            switch (random.nextInt(8)) {
                case 0 -> expectedTypes.add(MISSING_CABLE);
                case 1 -> replace(NARROW_LINK, new Cable(one.near(), one.far(), 1, "25"));
                case 2 -> replace(SLOW_LINK, new Cable(one.near(), one.far(), 4, "14"));
                case 3 -> {
                    Cable two = next();
                    cables.add(new Cable(one.near(), two.near(), 4, "25"));
                    replace(EXCHANGED_CABLES, new Cable(one.far(), two.far(), 4, "25"));
                }
                case 4 -> {
                    cables.add(one);
                    devices.add(device(turn + 1, 0));
                    expectedTypes.add(EXTRA_NODE);
                }
                case 5 -> {
                    Cable two = next();
                    expectedTypes.add(MISSING_CABLE);
                    replace(WRONG_CABLE, new Cable(one.near(), two.near(), 4, "25"));
                }
                case 6 -> {
                    cables.add(one);
                    if (isFree(spare)
                            && isFree(new NodePort(one.far().nodeGuid(), PORTS))
                            && spare.nodeGuid() != one.far().nodeGuid()) {
                        replace(
                                EXTRA_CABLE,
                                new Cable(spare, new NodePort(one.far().nodeGuid(), PORTS), 4, "25"));
                    }
                }
                default -> {
                    if (isFree(spare)) {
                        replace(MOVED_CABLE, new Cable(spare, one.far(), 4, "25"));
                    } else {
                        cables.add(one);
                    }
                }
            }
        }

        private boolean isFree(NodePort end) {
            return cables.stream()
                    .noneMatch(cable -> cable.near().equals(end) || cable.far().equals(end));
        }

        private void replace(Difference.DifferenceType kind, Cable with) {
            cables.add(with);
            expectedTypes.add(kind);
        }

        /** Loses a device without other changes. This is the last change, because its cables are part of it. */
        void loseADevice() {
            for (Device device : List.copyOf(devices)) {
                List<Cable> its = cables.stream()
                        .filter(cable -> cable.near().nodeGuid() == device.guid()
                                || cable.far().nodeGuid() == device.guid())
                        .toList();
                if (its.size() == 5 && untouched.containsAll(its)) {
                    cables.removeAll(its);
                    devices.remove(device);
                    expectedTypes.add(MISSING_NODE);
                    return;
                }
            }
        }

        void replaceADevice() {
            Device first = devices.remove(0);
            devices.add(new Device(first.guid(), DeviceType.ROUTER, first.ports(), first.model(), first.name()));
            expectedTypes.add(CHANGED_NODE);
        }
    }

    @Test
    void reportsExactlyTheChanges() {
        for (int seed = 0; seed < 400; seed++) {
            Random random = Seeds.random(seed);
            Changes changes = new Changes(random);
            for (int turn = random.nextInt(6); turn >= 0; turn--) {
                changes.change(random, turn);
            }
            if (random.nextBoolean()) {
                changes.loseADevice();
            } else {
                changes.replaceADevice();
            }
            Collections.shuffle(changes.devices, random);
            Collections.shuffle(changes.cables, random);
            Collections.sort(changes.expectedTypes);
            ExpectedFabric found = new ExpectedFabric(changes.devices, changes.cables);
            assertThat(Comparison.of(changes.before, found))
                    .as("seed %d", seed)
                    .extracting(Difference::kind)
                    .containsExactlyElementsOf(changes.expectedTypes);
            assertThat(Comparison.of(found, found)).isEmpty();
        }
    }
}
