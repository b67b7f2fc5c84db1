package io.torussm.view;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.subnet.Neighbors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cables that were present and are absent now (lost cables). Absent devices follow from lost cables. A cable
 * is removed from this list when it returns, or when one of its ends gets another cable. Immutable.
 */
public final class Absences {
    /** No absent cables. */
    public static final Absences NONE = new Absences(Map.of(), Map.of(), List.of());

    /** The maximum number of remembered cables; further lost cables are ignored. */
    static final int MAX_CABLES = 1 << 14;

    /** The lost cables, each by both of its ends. */
    private final Map<Neighbors.CableEnd, LostCable> byEnd;

    /** The absent cables that are excluded from the subnet, such as drained cables, each by both of its ends. */
    private final Map<Neighbors.CableEnd, LostCable> excludedByEnd;

    private final List<Loss> losses;

    private Absences(
            Map<Neighbors.CableEnd, LostCable> byEnd, Map<Neighbors.CableEnd, LostCable> leftOut, List<Loss> losses) {
        this.byEnd = byEnd;
        this.excludedByEnd = leftOut;
        this.losses = losses;
    }

    /**
     * An absent device.
     *
     * @param end port of the device at one of its cables
     * @param peerEnd other end of that cable; of several cables, the end that an operator finds most easily
     * @param since time of the loss; null if it was absent when this SM became master
     */
    public record Device(
            LostCable.LostEnd end,
            LostCable.LostEnd peerEnd,
            @Nullable Instant since) {}

    /**
     * Returns the absences at the start: the remembered cables that are absent.
     *
     * @param cables pairs of ends of remembered cables
     * @param device function from the port GUID of an absent device to its remembered data
     * @param isLeftOut checks whether a port is excluded from the subnet, as a drained one
     */
    public static Absences of(
            PlacedSubnet currentSubnet,
            List<Map.Entry<Neighbors.CableEnd, Neighbors.CableEnd>> cables,
            LongFunction<Known> device,
            Predicate<LostCable.LostEnd> isLeftOut) {
        Map<Long, Integer> ports = endports(currentSubnet.fabric());
        Map<Neighbors.CableEnd, LostCable> lost = new LinkedHashMap<>();
        Map<Neighbors.CableEnd, LostCable> excluded = new LinkedHashMap<>();
        for (Map.Entry<Neighbors.CableEnd, Neighbors.CableEnd> cable : cables) {
            if (!hasCable(currentSubnet.fabric(), ports, cable.getKey())
                    && !hasCable(currentSubnet.fabric(), ports, cable.getValue())) {
                LostCable.LostEnd near = end(currentSubnet, ports, cable.getKey(), device);
                LostCable.LostEnd far = end(currentSubnet, ports, cable.getValue(), device);
                put(isLeftOut.test(near) || isLeftOut.test(far) ? excluded : lost, new LostCable(near, far, null));
            }
        }
        return new Absences(lost, excluded, losses(List.of(), lost, excluded, currentSubnet, ports, null));
    }

    /** Creates absences from lost cables, without losses. */
    public static Absences of(Collection<LostCable> cables) {
        Map<Neighbors.CableEnd, LostCable> lost = new LinkedHashMap<>();
        cables.forEach(cable -> put(lost, cable));
        return new Absences(lost, Map.of(), List.of());
    }

    private static List<Loss> losses(
            List<Loss> previous,
            Map<Neighbors.CableEnd, LostCable> lost,
            Map<Neighbors.CableEnd, LostCable> leftOut,
            PlacedSubnet currentSubnet,
            Map<Long, Integer> ports,
            @Nullable Instant at) {
        return lost.isEmpty()
                ? List.of()
                : new LossGroups(
                                currentSubnet,
                                distinct(lost),
                                new HiddenDevices(distinct(leftOut), ports::containsKey),
                                end -> port(currentSubnet.fabric(), ports, end))
                        .after(previous, at);
    }

    /**
     * The remembered data of an absent device.
     *
     * @param nodeGuid node GUID, 0 if unknown
     * @param name name, empty if unknown
     * @param place coordinates of a switch, empty without any
     * @param lid LID, 0 if unknown
     */
    public record Known(long nodeGuid, String name, boolean isSwitch, String place, int lid) {}

    private static LostCable.LostEnd end(
            PlacedSubnet currentSubnet, Map<Long, Integer> ports, Neighbors.CableEnd end, LongFunction<Known> device) {
        int port = port(currentSubnet.fabric(), ports, end);
        if (port != Fabric.NONE) {
            return LostCable.LostEnd.of(currentSubnet, port);
        }
        Known known = device.apply(end.portGuid());
        return new LostCable.LostEnd(end, known.nodeGuid(), known.name(), known.isSwitch(), known.place(), known.lid());
    }

    /** Returns the absences after another discovery, without unseen losses. */
    public Absences after(
            PlacedSubnet previousSubnet,
            PlacedSubnet currentSubnet,
            Predicate<LostCable.LostEnd> isLeftOut,
            Instant at) {
        return after(previousSubnet, currentSubnet, isLeftOut, List.of(), at);
    }

    /**
     * Returns the absences after another discovery. An excluded cable does not count as lost. If it is absent when
     * its exclusion ends, it counts as lost from that time on.
     *
     * @param previousSubnet subnet of the previous discovery
     * @param currentSubnet subnet of this discovery
     * @param isLeftOut checks whether a port is excluded from the subnet, as a drained one
     * @param unseen cables that were lost while a switch was not part of the fabric, see {@link UnseenLosses}
     * @param at time of this discovery
     */
    public Absences after(
            PlacedSubnet previousSubnet,
            PlacedSubnet currentSubnet,
            Predicate<LostCable.LostEnd> isLeftOut,
            Collection<LostCable> unseen,
            Instant at) {
        Fabric oldFabric = previousSubnet.fabric();
        Fabric fabric = currentSubnet.fabric();
        if (oldFabric == fabric && excludedByEnd.isEmpty()) {
            return this;
        }
        Map<Neighbors.CableEnd, LostCable> excluded = new LinkedHashMap<>(excludedByEnd);
        for (int port = 0; port < oldFabric.portCount(); port++) {
            int far = oldFabric.peer(port);
            if (far > port && PlacedSubnet.isLost(oldFabric, port, fabric)) {
                put(
                        excluded,
                        new LostCable(
                                LostCable.LostEnd.of(previousSubnet, port),
                                LostCable.LostEnd.of(previousSubnet, far),
                                at));
            }
        }
        Map<Neighbors.CableEnd, LostCable> lost = new LinkedHashMap<>(byEnd);
        List<LostCable> candidates = distinct(excluded);
        excluded.values().removeIf(cable -> !isLeftOut.test(cable.near()) && !isLeftOut.test(cable.far()));
        boolean isAnyAbsent = !candidates.isEmpty() || !lost.isEmpty() || !unseen.isEmpty();
        Map<Long, Integer> ports = isAnyAbsent ? endports(fabric) : Map.of();
        HiddenDevices hidden = new HiddenDevices(distinct(excluded), ports::containsKey);
        for (LostCable cable : candidates) {
            if (isLeftOut(cable) && hidden.hides(cable)) {
                put(excluded, cable);
            } else if (!excluded.containsKey(cable.near().port())) {
                put(lost, new LostCable(cable.near(), cable.far(), at));
            }
        }
        unseen.forEach(cable -> put(lost, cable));
        removeRecabled(excluded, fabric, ports);
        removeRecabled(lost, fabric, ports);
        List<Loss> open = losses(losses, lost, excluded, currentSubnet, ports, at);
        return lost.equals(byEnd) && excluded.equals(excludedByEnd) && open.equals(losses)
                ? this
                : new Absences(lost, excluded, open);
    }

    /** Removes the cables of which one end has a cable again. */
    private static void removeRecabled(
            Map<Neighbors.CableEnd, LostCable> cables, Fabric fabric, Map<Long, Integer> ports) {
        distinct(cables).stream()
                .filter(cable -> hasCable(fabric, ports, cable.near().port())
                        || hasCable(fabric, ports, cable.far().port()))
                .forEach(cable -> remove(cables, cable));
    }

    private static void remove(Map<Neighbors.CableEnd, LostCable> cables, LostCable cable) {
        cables.remove(cable.near().port());
        cables.remove(cable.far().port());
    }

    private static List<LostCable> distinct(Map<Neighbors.CableEnd, LostCable> cables) {
        return cables.values().stream().distinct().toList();
    }

    /** Checks whether a cable is excluded from the subnet, so that it may be present. */
    boolean isLeftOut(LostCable cable) {
        return excludedByEnd.containsKey(cable.near().port());
    }

    /** Adds a cable by both of its ends, unless the limit is reached or an end already has a lost cable. */
    private static void put(Map<Neighbors.CableEnd, LostCable> lost, LostCable cable) {
        if (lost.size() < 2 * MAX_CABLES) {
            lost.putIfAbsent(cable.near().port(), cable);
            lost.putIfAbsent(cable.far().port(), cable);
        }
    }

    /** Returns the indexes of end ports by port GUID; for a switch, its port 0. */
    static Map<Long, Integer> endports(Fabric fabric) {
        Map<Long, Integer> ports = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                ports.put(fabric.portGuid(port), port);
            }
        }
        return ports;
    }

    /**
     * Returns the port index of an end of a cable; {@link Fabric#NONE} if the fabric has no such port.
     *
     * @param ports end ports by port GUID, see {@link #endports}
     */
    static int port(Fabric fabric, Map<Long, Integer> ports, Neighbors.CableEnd end) {
        Integer endport = ports.get(end.portGuid());
        int node = endport == null ? Fabric.NONE : fabric.nodeOf(endport);
        return endport == null || end.portNum() > fabric.numPorts(node)
                ? Fabric.NONE
                : fabric.port(node, end.portNum());
    }

    /** Checks whether an end is present and has a cable. */
    private static boolean hasCable(Fabric fabric, Map<Long, Integer> ports, Neighbors.CableEnd end) {
        int port = port(fabric, ports, end);
        return port != Fabric.NONE && fabric.peer(port) != Fabric.NONE;
    }

    /** Returns the lost switches and cables between switches. Parts that were lost together are one loss. */
    public List<Loss> losses() {
        return losses;
    }

    /**
     * Checks whether a finding of an engine is about a lost switch or a lost cable, including cables of hosts. The
     * finding names its device and port, or only coordinates.
     */
    public boolean isLoss(Finding finding) {
        String guid = text(finding, EventField.GUID);
        String port = text(finding, EventField.PORT);
        String place = text(finding, EventField.COORDINATES);
        return finding.severity() != Finding.Severity.ERROR
                && (port.isEmpty()
                        ? losses.stream()
                                .flatMap(loss -> loss.switches().stream())
                                .anyMatch(end -> guid.isEmpty()
                                        ? !place.isEmpty() && end.place().equals(place)
                                        : Guid.format(end.nodeGuid()).equals(guid))
                        : byEnd.values().stream()
                                .anyMatch(cable -> isAt(cable.near(), guid, port) || isAt(cable.far(), guid, port)));
    }

    private static boolean isAt(LostCable.LostEnd end, String guid, String port) {
        return Guid.format(end.nodeGuid()).equals(guid)
                && Integer.toString(end.port().portNum()).equals(port);
    }

    private static String text(Finding finding, EventField field) {
        return finding.values().stream()
                .filter(value -> value.field() == field)
                .map(EventField.Value::text)
                .findFirst()
                .orElse("");
    }

    /** Returns all lost cables. */
    public List<LostCable> cables() {
        return distinct(byEnd);
    }

    /** Returns the lost cable of a port (by index); null if the port has no lost cable. */
    public @Nullable LostCable lostCable(PlacedSubnet placed, int port) {
        return byEnd.get(LostCable.LostEnd.of(placed, port).port());
    }

    /** Returns the absent devices, sorted by port GUID: the ends of lost cables that are not in a fabric. */
    public Collection<Device> devices(Fabric currentFabric) {
        if (byEnd.isEmpty()) {
            return List.of();
        }
        Map<Long, Integer> present = endports(currentFabric);
        Map<Long, Device> absent = new TreeMap<>(Long::compareUnsigned);
        byEnd.forEach((port, cable) -> {
            if (!present.containsKey(port.portGuid())) {
                LostCable.LostEnd end = cable.end(port);
                absent.merge(
                        port.portGuid(),
                        new Device(end, cable.across(end), cable.since()),
                        (one, other) -> rank(other.peerEnd(), present) > rank(one.peerEnd(), present) ? other : one);
            }
        });
        return new ArrayList<>(absent.values());
    }

    /** Returns the node GUIDs of the switches that are absent from a fabric. */
    public List<Long> switches(Fabric currentFabric) {
        return devices(currentFabric).stream()
                .filter(device -> device.end().isSwitch())
                .map(device -> device.end().nodeGuid())
                .toList();
    }

    /** Returns how easily an operator finds an end of a cable, 0 (an absent host) to 3 (a present switch). */
    private static int rank(LostCable.LostEnd at, Map<Long, Integer> present) {
        return (at.isSwitch() ? 2 : 0) + (present.containsKey(at.port().portGuid()) ? 1 : 0);
    }
}
