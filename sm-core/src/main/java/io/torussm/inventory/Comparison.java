package io.torussm.inventory;

import io.torussm.fabric.NodePort;
import io.torussm.inventory.Difference.DifferenceType;
import io.torussm.inventory.ExpectedFabric.Cable;
import io.torussm.inventory.ExpectedFabric.Device;
import io.torussm.inventory.ExpectedFabric.Model;
import io.torussm.mad.Guid;
import io.torussm.subnet.Drains.Drain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the expected and the found fabric; the package describes how differences are grouped.
 */
final class Comparison {
    private final Side expected;
    private final Side found;
    private final List<Drain> drains;
    private final Set<Cable> explainedFound = new HashSet<>();
    private final Set<Cable> explainedExpected = new HashSet<>();
    private final List<Difference> differences = new ArrayList<>();

    /** One of both fabrics, with its indexes. */
    private static final class Side {
        final ExpectedFabric fabric;
        final Map<Long, Device> devices = new HashMap<>();
        final Map<NodePort, Cable> cables = new HashMap<>();

        Side(ExpectedFabric fabric) {
            this.fabric = fabric;
            fabric.devices().forEach(device -> devices.put(device.guid(), device));
            fabric.cables().forEach(cable -> {
                cables.put(cable.near(), cable);
                cables.put(cable.far(), cable);
            });
        }

        boolean hasEndsOf(Cable cable) {
            return devices.containsKey(cable.near().nodeGuid())
                    && devices.containsKey(cable.far().nodeGuid());
        }
    }

    private Comparison(ExpectedFabric expected, ExpectedFabric found, List<Drain> drains) {
        this.expected = new Side(expected);
        this.found = new Side(found);
        this.drains = drains;
    }

    /** Returns all differences, the worst first. */
    static List<Difference> of(ExpectedFabric expected, ExpectedFabric found) {
        return of(expected, found, List.of());
    }

    /**
     * Returns all differences, the worst first, and drained parts last.
     *
     * @param drains devices and cables that are absent because they are drained
     */
    static List<Difference> of(ExpectedFabric expected, ExpectedFabric found, List<Drain> drains) {
        return new Comparison(expected, found, drains).findDifferences();
    }

    /** Checks whether a cable is drained: at one of its ends, or with a switch. */
    private boolean isDrained(Cable cable) {
        return isDrained(cable.near()) || isDrained(cable.far());
    }

    private boolean isDrained(NodePort end) {
        return drains.stream()
                .anyMatch(drain ->
                        drain.nodeGuid() == end.nodeGuid() && (drain.isSwitch() || drain.portNum() == end.portNum()));
    }

    /** Checks whether a device is drained: itself, or all cables to it. */
    private boolean isDrained(Device device) {
        List<Cable> cables = drains.isEmpty() ? List.of() : cablesOf(device.guid());
        return drains.stream().anyMatch(drain -> drain.isSwitch() && drain.nodeGuid() == device.guid())
                || (!cables.isEmpty() && cables.stream().allMatch(this::isDrained));
    }

    private List<Cable> cablesOf(long guid) {
        return expected.fabric.cables().stream()
                .filter(cable -> cable.near().nodeGuid() == guid || cable.far().nodeGuid() == guid)
                .toList();
    }

    private List<Difference> findDifferences() {
        compareDevices();
        expected.fabric.cables().forEach(this::compareRates);
        expected.fabric.cables().forEach(this::reportExchanged);
        expected.fabric.cables().forEach(this::reportMoved);
        for (Cable cable : found.fabric.cables()) {
            if (!explainedFound.contains(cable) && expected.hasEndsOf(cable)) {
                add(DifferenceType.EXTRA_CABLE, text(cable));
            }
        }
        revisions();
        differences.sort(Comparator.comparing(Difference::kind));
        return List.copyOf(differences);
    }

    private void compareDevices() {
        for (Device device : expected.fabric.devices()) {
            Device current = found.devices.get(device.guid());
            if (current == null) {
                add(isDrained(device) ? DifferenceType.DRAINED : DifferenceType.MISSING_NODE, text(device));
            } else if (current.kind() != device.kind()
                    || current.ports() != device.ports()
                    || differs(device.model().vendor(), current.model().vendor())
                    || differs(device.model().device(), current.model().device())) {
                add(DifferenceType.CHANGED_NODE, text(device) + " is now " + text(current));
            }
        }
        for (Device device : found.fabric.devices()) {
            if (!expected.devices.containsKey(device.guid())) {
                add(DifferenceType.EXTRA_NODE, text(device));
            }
        }
    }

    /** Compares two numbers; 0 in a hand-written file means that any number is expected. */
    private static boolean differs(int expected, int found) {
        return expected != 0 && expected != found;
    }

    private void compareRates(Cable cable) {
        Cable current = found.cables.get(cable.near());
        if (current == null
                || !current.near().equals(cable.near())
                || !current.far().equals(cable.far())) {
            return;
        }
        markExplained(cable, current);
        if (cable.isWiderThan(current)) {
            add(
                    DifferenceType.NARROW_LINK,
                    text(cable) + ": " + current.lanes() + "x, expected " + cable.lanes() + "x");
        }
        if (cable.isFasterThan(current)) {
            add(
                    DifferenceType.SLOW_LINK,
                    text(cable) + ": " + current.speed() + " Gb/s a lane, expected " + cable.speed());
        }
    }

    /** Reports two cables whose four ends are cabled crosswise. */
    private void reportExchanged(Cable cable) {
        Cable one = unexplainedCable(cable.near());
        Cable two = unexplainedCable(cable.far());
        if (explainedExpected.contains(cable) || one == null || two == null || one.equals(two)) {
            return;
        }
        NodePort a = across(one, cable.near());
        NodePort b = across(two, cable.far());
        Cable other = expected.cables.get(a);
        if (other != null
                && !explainedExpected.contains(other)
                && across(other, a).equals(b)) {
            markExplained(cable, one);
            markExplained(other, two);
            add(DifferenceType.EXCHANGED_CABLES, text(cable) + " and " + text(other) + " are exchanged");
        }
    }

    /** Reports an expected cable that is at another port. */
    private void reportMoved(Cable cable) {
        if (explainedExpected.contains(cable) || !found.hasEndsOf(cable)) {
            return;
        }
        Cable near = unexplainedCable(cable.near());
        Cable current = near == null ? unexplainedCable(cable.far()) : near;
        if (current == null) {
            add(isDrained(cable) ? DifferenceType.DRAINED : DifferenceType.MISSING_CABLE, text(cable));
            return;
        }
        NodePort kept = near == null ? cable.far() : cable.near();
        NodePort misplaced = across(current, kept);
        markExplained(cable, current);
        add(
                expected.cables.containsKey(misplaced) ? DifferenceType.WRONG_CABLE : DifferenceType.MOVED_CABLE,
                text(kept) + " is cabled to " + text(misplaced) + ", expected " + text(across(cable, kept)));
    }

    /** Returns the cable at an end, if no other difference includes it yet. */
    private @Nullable Cable unexplainedCable(NodePort end) {
        Cable cable = found.cables.get(end);
        return cable == null || explainedFound.contains(cable) ? null : cable;
    }

    private void markExplained(Cable cable, Cable current) {
        explainedExpected.add(cable);
        explainedFound.add(current);
    }

    private static NodePort across(Cable cable, NodePort from) {
        return cable.near().equals(from) ? cable.far() : cable.near();
    }

    /** Reports devices of one model with several revisions, unless that is expected. */
    private void revisions() {
        Map<Integer, Set<Integer>> wanted = revisions(expected.fabric);
        revisions(found.fabric).forEach((make, current) -> {
            if (current.size() > 1 && !wanted.getOrDefault(make, Set.of()).containsAll(current)) {
                List<String> all = current.stream()
                        .map(revision -> String.format(Locale.ROOT, "0x%x", revision))
                        .toList();
                add(
                        DifferenceType.FIRMWARE_MIX,
                        String.format(Locale.ROOT, "devices 0x%04x have revisions %s", make, String.join(", ", all)));
            }
        });
    }

    private static Map<Integer, Set<Integer>> revisions(ExpectedFabric fabric) {
        Map<Integer, Set<Integer>> all = new TreeMap<>();
        for (Device device : fabric.devices()) {
            Model model = device.model();
            all.computeIfAbsent(model.device(), make -> new TreeSet<>()).add(model.revision());
        }
        return all;
    }

    private void add(DifferenceType kind, String text) {
        differences.add(new Difference(kind, text));
    }

    private static String text(Device device) {
        String kind = device.kind() == ExpectedFabric.DeviceType.CA
                ? "host"
                : device.kind().name().toLowerCase(Locale.ROOT);
        return kind + " " + Guid.format(device.guid()) + " \"" + device.name() + "\" with " + device.ports()
                + (device.ports() == 1 ? " port" : " ports");
    }

    private String text(Cable cable) {
        return text(cable.near()) + " - " + text(cable.far());
    }

    private String text(NodePort end) {
        Device device = expected.devices.getOrDefault(end.nodeGuid(), found.devices.get(end.nodeGuid()));
        String name = device == null || device.name().isEmpty() ? "" : " \"" + device.name() + "\"";
        return Guid.format(end.nodeGuid()) + name + " port " + end.portNum();
    }
}
