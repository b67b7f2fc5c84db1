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
 * Switches and cables between switches that were lost together and are still absent. The cables that were
 * lost with a switch are part of it. Immutable.
 *
 * @param id identity from begin to end, independent of returned parts
 * @param switches the absent switches, each as the end of one of its cables, by NodeGUID
 * @param cables the absent cables, by port GUID and port number of the near end
 */
public record Loss(Id id, List<LostCable.LostEnd> switches, List<LostCable> cables) {
    public Loss {
        switches = List.copyOf(switches);
        cables = List.copyOf(cables);
    }

    /**
     * The identity of a loss: its state at the begin.
     *
     * @param first first switch, or the near end of its first cable
     * @param since time of its discovery; null if that was before this SM was master
     * @param size numbers of lost parts
     * @param hosts some of the hosts that were attached to its switches, at most {@link LossEvents#MAX_NAMED}
     */
    public record Id(LostCable.LostEnd first, @Nullable Instant since, Size size, List<LostCable.LostEnd> hosts) {
        public Id {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * Numbers of lost parts: switches, cables between switches, and hosts that were attached to these
     * switches.
     */
    public record Size(int switches, int cables, int hosts) {}

    /** The shape of a loss, which determines the event. */
    enum LossType {
        CABLE,
        SWITCH,
        MANY
    }

    static Loss of(
            List<LostCable.LostEnd> switches,
            List<LostCable> cables,
            List<LostCable.LostEnd> hosts,
            @Nullable Instant since) {
        LostCable.LostEnd first = switches.isEmpty() ? cables.get(0).near() : switches.get(0);
        Size size = new Size(switches.size(), cables.size(), hosts.size());
        List<LostCable.LostEnd> named = hosts.subList(0, Math.min(hosts.size(), LossEvents.MAX_NAMED));
        return new Loss(new Id(first, since, size, named), switches, cables);
    }

    LossType kind() {
        Size size = id.size();
        return size.switches() == 1
                ? LossType.SWITCH
                : size.switches() == 0 && size.cables() == 1 ? LossType.CABLE : LossType.MANY;
    }

    /** Returns the numbers of absent parts. */
    Size left() {
        return new Size(switches.size(), cables.size(), 0);
    }

    /** Checks whether a part of it returned. */
    boolean isPartlyBack() {
        return switches.size() < id.size().switches()
                || cables.size() < id.size().cables();
    }

    /** Checks whether all of it returned. */
    boolean isOver() {
        return switches.isEmpty() && cables.isEmpty();
    }

    /**
     * Returns the rest of this loss: the parts that are still absent.
     *
     * @param goneSwitches port GUIDs of the absent switches
     * @param goneCables the absent cables
     */
    Loss amid(Set<Long> goneSwitches, Set<LostCable> goneCables) {
        List<LostCable.LostEnd> stillSwitches = switches.stream()
                .filter(end -> goneSwitches.contains(end.port().portGuid()))
                .toList();
        List<LostCable> stillCables =
                cables.stream().filter(goneCables::contains).toList();
        return stillSwitches.size() == switches.size() && stillCables.size() == cables.size()
                ? this
                : new Loss(id, stillSwitches, stillCables);
    }

    /**
     * Checks whether this has the shape and switch of an earlier loss, so that events could not distinguish
     * them.
     */
    boolean continues(Loss earlier) {
        return kind() == earlier.kind()
                && kind() != LossType.CABLE
                && id.first().port().portGuid() == earlier.id.first().port().portGuid();
    }

    /** Returns this together with the rest of an earlier loss. */
    Loss with(Loss earlier) {
        List<LostCable.LostEnd> allSwitches = new ArrayList<>(switches);
        allSwitches.addAll(earlier.switches);
        List<LostCable> allCables = new ArrayList<>(cables);
        allCables.addAll(earlier.cables);
        Size size = new Size(allSwitches.size(), allCables.size(), id.size().hosts());
        return new Loss(new Id(id.first(), id.since(), size, id.hosts()), allSwitches, allCables);
    }

    /** Returns the parts that a later state of this loss lacks: they returned or were forgotten. */
    Loss without(Loss later) {
        return new Loss(id, minus(switches, later.switches), minus(cables, later.cables));
    }

    private static <T> List<T> minus(List<T> all, Collection<T> some) {
        List<T> rest = new ArrayList<>(all);
        rest.removeAll(new HashSet<>(some));
        return rest;
    }

    /** Returns the rack of its switches; empty if they stand in several racks, or the rack is unknown. */
    String rack(Names names) {
        List<String> racks = switches.stream()
                .map(end -> LossGroups.rack(end, names))
                .distinct()
                .toList();
        return racks.size() == 1 ? racks.get(0) : "";
    }
}
