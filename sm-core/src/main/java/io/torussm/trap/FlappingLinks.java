package io.torussm.trap;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.Subnet;
import io.torussm.view.CableHistory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The switches that report changes of their links again and again. Trap 128 names no port. If both ends of a cable
 * report, they are one event with one end, and it names the cable. If sweeps have found changes of other cables of
 * each end, and none of this one, each of the two has an event. Owner thread: the loop.
 */
final class FlappingLinks {
    private static final EventLog EVENTS = EventLog.of(FlappingLinks.class);

    private final Supplier<@Nullable Subnet> addressed;
    private final Neighbors neighbors;
    private final Supplier<List<CableHistory.Ends>> changedCables;
    private final IntFunction<DeviceText> device;

    /** By the LIDs of the switches at both ends. */
    private final Map<Long, FlappingLink> open = new HashMap<>();

    private static final class FlappingLink {
        final DeviceText device;
        final Set<Long> ends = new HashSet<>();
        final Set<Long> reporting = new HashSet<>();
        String cable;
        int count;
        long durationNs;

        FlappingLink(DeviceText device, long lid, String cable) {
            this.device = device;
            this.cable = cable;
            this.ends.add(lid);
        }
    }

    /**
     * Creates it without reports.
     *
     * @param neighbors the cables, also of links that are down
     * @param changedCables cables that sweeps have found changed in the last half minute
     * @param device describes a switch by its LID
     */
    FlappingLinks(
            Supplier<@Nullable Subnet> addressed,
            Neighbors neighbors,
            Supplier<List<CableHistory.Ends>> changedCables,
            IntFunction<DeviceText> device) {
        this.addressed = addressed;
        this.neighbors = neighbors;
        this.changedCables = changedCables;
        this.device = device;
    }

    /**
     * Reports a switch, unless the switch at the other end of its flapping cable was reported.
     *
     * @param count number of changes
     * @param active LIDs of all switches with several changes
     */
    void flaps(long lid, int count, List<Long> active) {
        FlappingLink known = open.get(lid);
        Map<Long, Set<Long>> changed = known == null ? changes() : Map.of();
        if (known == null) {
            known = atOtherEnd(lid, changed);
        }
        if (known == null) {
            known = begin(lid, active, changed);
            EVENTS.report(
                    SmEvent.LINK_FLAPPING,
                    EventField.NAME.of(known.device),
                    EventField.TEXT.of(known.cable),
                    EventField.COUNT.of(count));
        }
        known.reporting.add(lid);
    }

    /** Returns the report of the only neighbour that has one without a known other end, and adds this end to it. */
    private @Nullable FlappingLink atOtherEnd(long lid, Map<Long, Set<Long>> changed) {
        List<FlappingLink> near = open.values().stream()
                .filter(link -> link.ends.size() == 1)
                .filter(link ->
                        !cable(link.ends.iterator().next(), lid, changed).isEmpty())
                .toList();
        if (near.size() != 1) {
            return null;
        }
        FlappingLink link = near.get(0);
        link.cable = cable(link.ends.iterator().next(), lid, changed);
        link.ends.add(lid);
        open.put(lid, link);
        return link;
    }

    private FlappingLink begin(long lid, List<Long> active, Map<Long, Set<Long>> changed) {
        List<Long> others = active.stream()
                .filter(other -> other != lid
                        && !open.containsKey(other)
                        && !cable(lid, other, changed).isEmpty())
                .toList();
        String cable = others.size() == 1 ? cable(lid, others.get(0), changed) : "";
        FlappingLink link = new FlappingLink(device.apply((int) lid), lid, cable);
        open.put(lid, link);
        if (others.size() == 1) {
            link.ends.add(others.get(0));
            open.put(others.get(0), link);
        }
        return link;
    }

    /** Returns the port GUIDs at the other ends of the changed cables of each device, by its port GUID. */
    private Map<Long, Set<Long>> changes() {
        Map<Long, Set<Long>> changed = new HashMap<>();
        for (CableHistory.Ends ends : changedCables.get()) {
            long one = ends.one().portGuid();
            long other = ends.other().portGuid();
            changed.computeIfAbsent(one, any -> new HashSet<>()).add(other);
            changed.computeIfAbsent(other, any -> new HashSet<>()).add(one);
        }
        return changed;
    }

    /**
     * Checks whether sweeps have found changed cables of each of two switches, but none between the two. A changed
     * cable of one of them does not explain the traps of the other.
     */
    private static boolean haveOtherCauses(Map<Long, Set<Long>> changed, long guid, long otherGuid) {
        Set<Long> neighbours = changed.get(guid);
        return neighbours != null && changed.containsKey(otherGuid) && !neighbours.contains(otherGuid);
    }

    /**
     * Returns the text of the flapping cable between two switches; without ports if there are several, empty if there
     * is none.
     *
     * @param changed the changed cables, read once for all pairs
     */
    private String cable(long near, long far, Map<Long, Set<Long>> changed) {
        Subnet subnet = addressed.get();
        int one = subnet == null ? Fabric.NONE : TrapHandler.nodeOf(subnet, (int) near);
        int other = subnet == null ? Fabric.NONE : TrapHandler.nodeOf(subnet, (int) far);
        if (subnet == null || one == Fabric.NONE || other == Fabric.NONE) {
            return "";
        }
        Fabric fabric = subnet.fabric();
        long guid = fabric.portGuid(fabric.port(one, 0));
        long otherGuid = fabric.portGuid(fabric.port(other, 0));
        if (haveOtherCauses(changed, guid, otherGuid)) {
            return "";
        }
        int[] ports = IntStream.rangeClosed(1, fabric.numPorts(one))
                .filter(portNum -> {
                    Neighbors.CableEnd end = neighbors.far(guid, portNum);
                    return end != null && end.portGuid() == otherGuid;
                })
                .toArray();
        if (ports.length == 0) {
            return "";
        }
        Neighbors.CableEnd end = neighbors.far(guid, ports[0]);
        DeviceText otherDevice = device.apply((int) far);
        return ports.length > 1 || end == null
                ? ", cabled to " + otherDevice
                : " port " + ports[0] + ", cabled to " + otherDevice + " port " + end.portNum();
    }

    /** Handles a reported switch that is quiet; reports the end if the other end is quiet, too. */
    void quiet(long lid, int count, long durationNs) {
        FlappingLink link = open.get(lid);
        if (link == null) {
            return;
        }
        link.count = Math.max(link.count, count);
        link.durationNs = Math.max(link.durationNs, durationNs);
        link.reporting.remove(lid);
        if (link.reporting.isEmpty()) {
            link.ends.forEach(open::remove);
            EVENTS.report(
                    SmEvent.LINK_QUIET,
                    EventField.NAME.of(link.device),
                    EventField.TEXT.of(link.cable),
                    EventField.COUNT.of(link.count),
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(link.durationNs)));
        }
    }

    /** Forgets all reports. */
    void forget() {
        open.clear();
    }
}
