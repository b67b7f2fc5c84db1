package io.torussm.view;

import io.torussm.names.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Switches and cables between switches that were lost together, as far as they are still absent. A lost switch has the cables in it
 * that were lost with it. Immutable.
 *
 * @param id names it from its beginning to its end, whatever is back meanwhile
 * @param switches that are still absent, each as the end of one of its cables, by NodeGUID
 * @param cables that are still absent, by port GUID and port number of the near end
 */
public record Loss(Id id, List<LostCable.End> switches, List<LostCable> cables) {
    public Loss {
        switches = List.copyOf(switches);
        cables = List.copyOf(cables);
    }

    /**
     * A loss as it began.
     *
     * @param first its first switch, or the near end of its first cable
     * @param since when it was found; null if that was before this SM was master
     * @param size what was lost
     */
    public record Id(LostCable.End first, @Nullable Instant since, Size size) {}

    /** Numbers of what is lost: switches, cables between switches, and hosts that were cabled to these switches. */
    public record Size(int switches, int cables, int hosts) {}

    /** The shape of a loss, which decides the event. */
    enum Kind {
        CABLE,
        SWITCH,
        MANY
    }

    static Loss of(List<LostCable.End> switches, List<LostCable> cables, int hosts, @Nullable Instant since) {
        LostCable.End first = switches.isEmpty() ? cables.get(0).near() : switches.get(0);
        return new Loss(new Id(first, since, new Size(switches.size(), cables.size(), hosts)), switches, cables);
    }

    Kind kind() {
        Size size = id.size();
        return size.switches() == 1 ? Kind.SWITCH : size.switches() == 0 && size.cables() == 1 ? Kind.CABLE : Kind.MANY;
    }

    /** Returns what is still absent. */
    Size left() {
        return new Size(switches.size(), cables.size(), 0);
    }

    /** Checks whether a part of it is back. */
    boolean isPartlyBack() {
        return switches.size() < id.size().switches()
                || cables.size() < id.size().cables();
    }

    /** Checks whether nothing of it is absent any more. */
    boolean isOver() {
        return switches.isEmpty() && cables.isEmpty();
    }

    /**
     * Returns what is left of it.
     *
     * @param goneSwitches port GUIDs of the switches that are absent
     * @param goneCables the cables that are absent
     */
    Loss amid(Set<Long> goneSwitches, Set<LostCable> goneCables) {
        List<LostCable.End> stillSwitches = switches.stream()
                .filter(end -> goneSwitches.contains(end.port().portGuid()))
                .toList();
        List<LostCable> stillCables =
                cables.stream().filter(goneCables::contains).toList();
        return stillSwitches.size() == switches.size() && stillCables.size() == cables.size()
                ? this
                : new Loss(id, stillSwitches, stillCables);
    }

    /** Checks whether this is of the kind and of the switch of an earlier loss, so that events would not tell them apart. */
    boolean continues(Loss earlier) {
        return kind() == earlier.kind()
                && kind() != Kind.CABLE
                && id.first().port().portGuid() == earlier.id.first().port().portGuid();
    }

    /** Returns this with what is left of an earlier loss. */
    Loss with(Loss earlier) {
        List<LostCable.End> allSwitches = new ArrayList<>(switches);
        allSwitches.addAll(earlier.switches);
        List<LostCable> allCables = new ArrayList<>(cables);
        allCables.addAll(earlier.cables);
        Size size = new Size(allSwitches.size(), allCables.size(), id.size().hosts());
        return new Loss(new Id(id.first(), id.since(), size), allSwitches, allCables);
    }

    /** Returns what this has and a later state of it has not: what is back, or forgotten. */
    Loss without(Loss later) {
        return new Loss(id, minus(switches, later.switches), minus(cables, later.cables));
    }

    private static <T> List<T> minus(List<T> all, Collection<T> some) {
        List<T> rest = new ArrayList<>(all);
        rest.removeAll(new HashSet<>(some));
        return rest;
    }

    /** Returns the rack of its switches; empty if they stand in several, or nobody knows. */
    String rack(Names names) {
        List<String> racks = switches.stream()
                .map(end -> LossGroups.rack(end, names))
                .distinct()
                .toList();
        return racks.size() == 1 ? racks.get(0) : "";
    }
}
