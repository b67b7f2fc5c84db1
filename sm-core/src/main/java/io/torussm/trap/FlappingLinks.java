package io.torussm.trap;

import io.torussm.event.ClockTime;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.names.Names;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.Subnet;
import io.torussm.view.CableHistory;
import io.torussm.view.PlacedSubnet;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The switches that report changes of their links again and again. Trap 128 names no port. If both ends of a cable
 * report, they are one event with one end, and it names the cable. If sweeps have found changes of other cables of
 * each end, and none of this one, each of the two has an event. Owner thread: the loop.
 */
final class FlappingLinks {
    private static final EventLog EVENTS = EventLog.of(FlappingLinks.class);

    /** Time between two reports of a link that does not become quiet. */
    private static final long REMINDER_NS = TimeUnit.MINUTES.toNanos(10);

    /** The port of a condition of a switch whose flapping cable is not known. So it differs from those of its ports. */
    private static final EventField.Value UNKNOWN_PORT = EventField.PORT.of(0);

    private final Traps.Effects effects;
    private final Neighbors neighbors;
    private final IntFunction<DeviceText> device;

    /** By the LIDs of the switches at both ends. */
    private final Map<Long, FlappingLink> openReports = new HashMap<>();

    private static final class FlappingLink {
        /** The device that the first report names; the end of the condition names the same. */
        final DeviceText device;

        final Set<Long> ends = new HashSet<>();
        final Set<Long> reporting = new HashSet<>();
        Cabling cabling;

        /** Time of the first report; earlier changes of the cable do not count. */
        Instant since;

        int reports;
        long durationNs;
        long reportedNs;

        FlappingLink(DeviceText device, long lid, Cabling cabling, Instant since) {
            this.device = device;
            this.cabling = cabling;
            this.since = since;
            this.ends.add(lid);
        }

        boolean isCableOf(long portGuid) {
            FlappingCable cable = cabling.cable();
            return cable != null && cable.has(portGuid);
        }
    }

    /**
     * The cabling of two switches.
     *
     * @param cable the cable that flaps; null if it is not known
     * @param text text that follows the first switch if the cable is not known; empty without a known neighbour
     */
    private record Cabling(@Nullable FlappingCable cable, String text) {
        static final Cabling NONE = new Cabling(null, "");

        boolean isKnown() {
            return cable != null || !text.isEmpty();
        }

        boolean canHave(long portGuid) {
            return cable == null || cable.has(portGuid);
        }
    }

    /**
     * Creates it without reports.
     *
     * @param neighbors the cables, also of links that are down
     * @param device describes a switch by its LID
     */
    FlappingLinks(Traps.Effects effects, Neighbors neighbors, IntFunction<DeviceText> device) {
        this.effects = effects;
        this.neighbors = neighbors;
        this.device = device;
    }

    /**
     * Reports a switch, unless the switch at the other end of its flapping cable was reported. A link that continues to
     * flap is reported again after {@link #REMINDER_NS}.
     *
     * @param reports number of reports of the switch
     * @param durationNs time from the first to the last change
     * @param active LIDs of all switches with several changes
     */
    void onFlapping(long lid, int reports, long durationNs, List<Long> active) {
        Instant since = effects.timeOfDay().minus(Duration.ofNanos(durationNs)).truncatedTo(ChronoUnit.MILLIS);
        FlappingLink known = openReports.get(lid);
        Set<CableHistory.Ends> changed = known == null ? new LinkedHashSet<>(effects.changedCables()) : Set.of();
        if (known == null) {
            known = atOtherEnd(lid, changed);
        }
        boolean isNew = known == null;
        FlappingLink link = known == null ? begin(lid, active, changed, since) : known;
        link.since = since.isBefore(link.since) ? since : link.since;
        link.reporting.add(lid);
        if (isNew || durationNs - link.reportedNs >= REMINDER_NS) {
            link.reportedNs = durationNs;
            CableChanges changes = changes(link, reports);
            EVENTS.report(
                    SmEvent.LINK_FLAPPING,
                    EventField.NAME.of(name(link)),
                    EventField.TEXT.of(text(link)),
                    EventField.STATE.of(state(link)),
                    EventField.REASON.of(changes.text()),
                    EventField.COUNT.of(changes.count()),
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(durationNs)));
        }
    }

    private DeviceText name(FlappingLink link) {
        FlappingCable cable = link.cabling.cable();
        return cable == null
                ? link.device
                : link.device.withText(cable.device(names()).text());
    }

    private String text(FlappingLink link) {
        FlappingCable cable = link.cabling.cable();
        return cable == null ? link.cabling.text() : cable.text(names());
    }

    private String state(FlappingLink link) {
        FlappingCable cable = link.cabling.cable();
        return cable == null ? FlappingCable.UNKNOWN : cable.state(effects.state());
    }

    /**
     * Checks whether routes use a link, and if they follow from its state, the time of its last change, whose sweep
     * set them. Empty if its state is not known.
     */
    private String use(FlappingCable cable, CableChanges changes) {
        String use = cable.use(effects.state());
        Instant last = changes.last();
        return last == null || !use.startsWith(FlappingCable.AS_EXPECTED)
                ? use
                : use + " since " + ClockTime.of(last, effects.timeOfDay());
    }

    private Names names() {
        PlacedSubnet found = effects.state().found();
        return found == null ? Names.NONE : found.fabric().names();
    }

    /** Returns the report of the only neighbour that has one without a known other end, and adds this end to it. */
    private @Nullable FlappingLink atOtherEnd(long lid, Set<CableHistory.Ends> changed) {
        List<FlappingLink> near = openReports.values().stream()
                .filter(link -> link.ends.size() == 1 && link.cabling.canHave(portGuid(lid)))
                .filter(link ->
                        cabling(link.ends.iterator().next(), lid, changed).isKnown())
                .toList();
        if (near.size() != 1) {
            return null;
        }
        FlappingLink link = near.get(0);
        if (link.cabling.cable() == null) {
            link.cabling = cabling(link.ends.iterator().next(), lid, changed);
        }
        link.ends.add(lid);
        openReports.put(lid, link);
        return link;
    }

    private FlappingLink begin(long lid, List<Long> active, Set<CableHistory.Ends> changed, Instant since) {
        List<Long> others = active.stream()
                .filter(other -> other != lid
                        && !openReports.containsKey(other)
                        && cabling(lid, other, changed).isKnown())
                .toList();
        Cabling cabling =
                switch (others.size()) {
                    case 0 -> changedCabling(lid, changed);
                    case 1 -> cabling(lid, others.get(0), changed);
                    default -> Cabling.NONE;
                };
        FlappingCable cable = cabling.cable();
        DeviceText name = cable == null ? device.apply((int) lid).with(UNKNOWN_PORT) : cable.device(names());
        FlappingLink link = new FlappingLink(name, lid, cabling, since);
        openReports.put(lid, link);
        if (others.size() == 1) {
            link.ends.add(others.get(0));
            openReports.put(others.get(0), link);
        }
        return link;
    }

    /**
     * Returns the only changed cable of a switch. A host sends no trap about its cable, and the other switch may be
     * reached through the flapping cable only.
     */
    private Cabling changedCabling(long lid, Set<CableHistory.Ends> changed) {
        long guid = portGuid(lid);
        List<CableHistory.Ends> cables = changed.stream()
                .filter(ends -> ends.one().portGuid() == guid || ends.other().portGuid() == guid)
                .toList();
        FlappingCable cable = cables.size() == 1 ? FlappingCable.of(effects.state(), cables.get(0)) : null;
        return cable == null ? Cabling.NONE : new Cabling(cable, "");
    }

    /** Returns the port GUID of the switch with a LID; 0 if no switch has it. */
    private long portGuid(long lid) {
        Subnet subnet = effects.addressed();
        int node = subnet == null ? Fabric.NONE : TrapHandler.nodeOf(subnet, (int) lid);
        return subnet == null || node == Fabric.NONE
                ? 0
                : subnet.fabric().portGuid(subnet.fabric().port(node, 0));
    }

    /**
     * Checks whether sweeps have found changed cables of each of two switches, but none between the two. A changed
     * cable of one of them does not explain the traps of the other.
     */
    private static boolean haveOtherCauses(Set<CableHistory.Ends> changed, long guid, long otherGuid) {
        boolean isOneChanged = false;
        boolean isOtherChanged = false;
        for (CableHistory.Ends ends : changed) {
            boolean hasOne = ends.one().portGuid() == guid || ends.other().portGuid() == guid;
            boolean hasOther =
                    ends.one().portGuid() == otherGuid || ends.other().portGuid() == otherGuid;
            if (hasOne && hasOther) {
                return false;
            }
            isOneChanged |= hasOne;
            isOtherChanged |= hasOther;
        }
        return isOneChanged && isOtherChanged;
    }

    /**
     * Returns the cabling between two switches, without a cable if there are several. Of these, the only changed one
     * flaps.
     *
     * @param changed the changed cables, read once for all pairs
     */
    private Cabling cabling(long nearLid, long farLid, Set<CableHistory.Ends> changed) {
        long guid = portGuid(nearLid);
        long otherGuid = portGuid(farLid);
        Subnet subnet = effects.addressed();
        if (subnet == null || guid == 0 || otherGuid == 0) {
            return Cabling.NONE;
        }
        int numPorts = subnet.fabric().numPorts(TrapHandler.nodeOf(subnet, (int) nearLid));
        List<CableHistory.Ends> cables = new ArrayList<>();
        for (int portNum = 1; portNum <= numPorts; portNum++) {
            Neighbors.CableEnd end = neighbors.far(guid, portNum);
            if (end != null && end.portGuid() == otherGuid) {
                cables.add(new CableHistory.Ends(new Neighbors.CableEnd(guid, portNum), end));
            }
        }
        if (cables.isEmpty() || haveOtherCauses(changed, guid, otherGuid)) {
            return Cabling.NONE;
        }
        List<CableHistory.Ends> flapping =
                cables.size() > 1 ? cables.stream().filter(changed::contains).toList() : cables;
        FlappingCable cable = flapping.size() == 1 ? FlappingCable.of(effects.state(), flapping.get(0)) : null;
        return new Cabling(cable, ", cabled to " + device.apply((int) farLid));
    }

    /** Handles a reported switch that is quiet; reports the end if the other end is quiet, too. */
    void onQuiet(long lid, int reports, long durationNs) {
        FlappingLink link = openReports.get(lid);
        if (link == null) {
            return;
        }
        link.reports = Math.max(link.reports, reports);
        link.durationNs = Math.max(link.durationNs, durationNs);
        link.reporting.remove(lid);
        if (link.reporting.isEmpty()) {
            link.ends.forEach(openReports::remove);
            FlappingCable cable = link.cabling.cable();
            CableChanges changes = changes(link, link.reports);
            EVENTS.report(
                    SmEvent.LINK_QUIET,
                    EventField.NAME.of(name(link)),
                    EventField.TEXT.of(text(link)),
                    EventField.STATE.of(state(link)),
                    EventField.ACTION.of(cable == null ? "" : use(cable, changes)),
                    EventField.REASON.of(changes.text()),
                    EventField.COUNT.of(changes.count()),
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(link.durationNs)));
        }
    }

    /** Returns the changes of a link since its first report. */
    private CableChanges changes(FlappingLink link, int reports) {
        FlappingCable cable = link.cabling.cable();
        return CableChanges.of(cable == null ? List.of() : effects.changesOf(cable.ends(), link.since), reports);
    }

    /** Checks whether a switch is an end of a link that is reported. */
    boolean hasEnd(long nodeGuid) {
        Subnet subnet = effects.addressed();
        int node = subnet == null ? Fabric.NONE : subnet.fabric().nodeByGuid(nodeGuid);
        if (subnet == null || node == Fabric.NONE || openReports.isEmpty()) {
            return false;
        }
        long portGuid = subnet.fabric().portGuid(subnet.fabric().port(node, 0));
        return openReports.entrySet().stream()
                .anyMatch(each ->
                        portGuid(each.getKey()) == portGuid || each.getValue().isCableOf(portGuid));
    }

    /** Forgets all reports. */
    void forget() {
        openReports.clear();
    }
}
