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
 * The cables that were once present and are absent now. Absent devices follow from them. A cable is forgotten
 * when it returns, or when one of its ends gets another cable. Immutable.
 */
public final class Absences {
    /** No absent cables. */
    public static final Absences NONE = new Absences(Map.of(), Map.of(), List.of());

    /** The limit of remembered cables; further lost cables are ignored. */
    static final int MAX = 1 << 14;

    /** By both of their ends. */
    private final Map<Neighbors.CableEnd, LostCable> byEnd;

    /** By both of their ends: absent cables that are excluded from the subnet, such as drained ones. */
    private final Map<Neighbors.CableEnd, LostCable> leftOut;

    private final List<Loss> losses;

    private Absences(
            Map<Neighbors.CableEnd, LostCable> byEnd, Map<Neighbors.CableEnd, LostCable> leftOut, List<Loss> losses) {
        this.byEnd = byEnd;
        this.leftOut = leftOut;
        this.losses = losses;
    }

    /**
     * An absent device.
     *
     * @param end port of the device, at the first of its cables
     * @param at the other end of that cable
     * @param since time of the loss; null if it was absent when this SM became master
     */
    public record Device(
            LostCable.LostEnd end,
            LostCable.LostEnd at,
            @Nullable Instant since) {}

    /**
     * Returns the absent ones of the cables that a state directory remembers.
     *
     * @param device describes an absent device by its port GUID
     * @param isLeftOut checks whether a port is excluded from the subnet, as a drained one
     */
    public static Absences of(
            PlacedSubnet currentSubnet,
            List<Map.Entry<Neighbors.CableEnd, Neighbors.CableEnd>> cables,
            LongFunction<Known> device,
            Predicate<LostCable.LostEnd> isLeftOut) {
        Map<Long, Integer> ports = endports(currentSubnet.fabric());
        Map<Neighbors.CableEnd, LostCable> lost = new LinkedHashMap<>();
        Map<Neighbors.CableEnd, LostCable> apart = new LinkedHashMap<>();
        for (Map.Entry<Neighbors.CableEnd, Neighbors.CableEnd> cable : cables) {
            if (!isTaken(currentSubnet.fabric(), ports, cable.getKey())
                    && !isTaken(currentSubnet.fabric(), ports, cable.getValue())) {
                LostCable.LostEnd near = end(currentSubnet, ports, cable.getKey(), device);
                LostCable.LostEnd far = end(currentSubnet, ports, cable.getValue(), device);
                put(isLeftOut.test(near) || isLeftOut.test(far) ? apart : lost, new LostCable(near, far, null));
            }
        }
        return new Absences(lost, apart, losses(List.of(), lost, apart, currentSubnet, ports, null));
    }

    /** Makes absences of these cables, without losses. */
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
     * The remembered data of an absent device: its node GUID (or 0), name and coordinates (or empty), and LID
     * (or 0).
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

    /** Returns the absences after another discovery in which no lost cable came back unseen. */
    public Absences after(
            PlacedSubnet previousSubnet,
            PlacedSubnet currentSubnet,
            Predicate<LostCable.LostEnd> isLeftOut,
            Instant at) {
        return after(previousSubnet, currentSubnet, isLeftOut, List.of(), at);
    }

    /**
     * Returns the absences after another discovery. An excluded cable is not missed. If it is absent when its
     * exclusion ends, it is missed from then on.
     *
     * @param isLeftOut checks whether a port is excluded from the subnet, as a drained one
     * @param unseen cables that were lost while a switch was not part of the fabric, see {@link UnseenLosses}
     * @param at the time
     */
    public Absences after(
            PlacedSubnet previousSubnet,
            PlacedSubnet currentSubnet,
            Predicate<LostCable.LostEnd> isLeftOut,
            Collection<LostCable> unseen,
            Instant at) {
        Fabric oldFabric = previousSubnet.fabric();
        Fabric fabric = currentSubnet.fabric();
        if (oldFabric == fabric && leftOut.isEmpty()) {
            return this;
        }
        Map<Neighbors.CableEnd, LostCable> apart = new LinkedHashMap<>(leftOut);
        for (int port = 0; port < oldFabric.portCount(); port++) {
            int far = oldFabric.peer(port);
            if (far > port && PlacedSubnet.isLost(oldFabric, port, fabric)) {
                put(
                        apart,
                        new LostCable(
                                LostCable.LostEnd.of(previousSubnet, port),
                                LostCable.LostEnd.of(previousSubnet, far),
                                at));
            }
        }
        Map<Neighbors.CableEnd, LostCable> lost = new LinkedHashMap<>(byEnd);
        List<LostCable> candidates = distinct(apart);
        apart.values().removeIf(cable -> !isLeftOut.test(cable.near()) && !isLeftOut.test(cable.far()));
        boolean isAnyAbsent = !candidates.isEmpty() || !lost.isEmpty() || !unseen.isEmpty();
        Map<Long, Integer> ports = isAnyAbsent ? endports(fabric) : Map.of();
        HiddenDevices hidden = new HiddenDevices(distinct(apart), ports::containsKey);
        for (LostCable cable : candidates) {
            if (isLeftOut(cable) && hidden.hides(cable)) {
                put(apart, cable);
            } else if (!apart.containsKey(cable.near().port())) {
                put(lost, new LostCable(cable.near(), cable.far(), at));
            }
        }
        unseen.forEach(cable -> put(lost, cable));
        forgetTaken(apart, fabric, ports);
        forgetTaken(lost, fabric, ports);
        List<Loss> open = losses(losses, lost, apart, currentSubnet, ports, at);
        return lost.equals(byEnd) && apart.equals(leftOut) && open.equals(losses)
                ? this
                : new Absences(lost, apart, open);
    }

    private static void forgetTaken(
            Map<Neighbors.CableEnd, LostCable> cables, Fabric fabric, Map<Long, Integer> ports) {
        distinct(cables).stream()
                .filter(cable -> isTaken(fabric, ports, cable.near().port())
                        || isTaken(fabric, ports, cable.far().port()))
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
        return leftOut.containsKey(cable.near().port());
    }

    private static void put(Map<Neighbors.CableEnd, LostCable> lost, LostCable cable) {
        if (lost.size() < 2 * MAX) {
            lost.putIfAbsent(cable.near().port(), cable);
            lost.putIfAbsent(cable.far().port(), cable);
        }
    }

    /** Returns end ports by port GUID; port 0 of a switch. */
    static Map<Long, Integer> endports(Fabric fabric) {
        Map<Long, Integer> ports = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                ports.put(fabric.portGuid(port), port);
            }
        }
        return ports;
    }

    static int port(Fabric fabric, Map<Long, Integer> ports, Neighbors.CableEnd end) {
        Integer endport = ports.get(end.portGuid());
        int node = endport == null ? Fabric.NONE : fabric.nodeOf(endport);
        return endport == null || end.portNum() > fabric.numPorts(node)
                ? Fabric.NONE
                : fabric.port(node, end.portNum());
    }

    private static boolean isTaken(Fabric fabric, Map<Long, Integer> ports, Neighbors.CableEnd end) {
        int port = port(fabric, ports, end);
        return port != Fabric.NONE && fabric.peer(port) != Fabric.NONE;
    }

    /** Returns the lost switches and cables between switches, grouped as they were lost. */
    public List<Loss> losses() {
        return losses;
    }

    /**
     * Checks whether a finding of an engine is about a missing switch or cable, of hosts, too. A finding is
     * identified by its device and port, or by coordinates alone.
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

    /** Returns the lost cable of a port; null if there is none. */
    public @Nullable LostCable at(PlacedSubnet placed, int port) {
        return byEnd.get(LostCable.LostEnd.of(placed, port).port());
    }

    /** Returns the devices that are absent from a fabric, by port GUID. */
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
                        (one, other) -> rank(other.at(), present) > rank(one.at(), present) ? other : one);
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

    /**
     * Ranks the other end of a cable by how easily an operator finds it: a present switch first, an absent
     * host last.
     */
    private static int rank(LostCable.LostEnd at, Map<Long, Integer> present) {
        return (at.isSwitch() ? 2 : 0) + (present.containsKey(at.port().portGuid()) ? 1 : 0);
    }
}
