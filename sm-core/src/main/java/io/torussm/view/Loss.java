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
 * Switches and cables between switches that were lost together and are still absent. The cables that were lost
 * with a switch are part of the loss. Immutable.
 *
 * @param id identity, which stays while parts return
 * @param switches absent switches, each as the end of one of its cables, sorted by NodeGUID
 * @param cables absent cables, sorted by port GUID and port number of the near end
 */
public record Loss(Id id, List<LostCable.LostEnd> switches, List<LostCable> cables) {
    public Loss {
        switches = List.copyOf(switches);
        cables = List.copyOf(cables);
    }

    /**
     * The identity of a loss: its state at the beginning.
     *
     * @param first first switch; without switches the near end of the first cable
     * @param since time of its discovery; null if it was discovered before this SM became master
     * @param size numbers of lost parts
     * @param hosts all hosts that were attached to its switches
     */
    public record Id(LostCable.LostEnd first, @Nullable Instant since, Size size, List<LostCable.LostEnd> hosts) {
        public Id {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * Numbers of lost parts.
     *
     * @param switches number of switches
     * @param cables number of cables between switches
     * @param hosts number of hosts that were attached to these switches
     */
    public record Size(int switches, int cables, int hosts) {}

    /** The type of a loss, which determines its event. */
    enum LossType {
        CABLE,
        SWITCH,
        MANY
    }

    /**
     * Creates a new loss.
     *
     * @param hosts all hosts that were attached to the switches
     * @param since time of its discovery; null before this SM was master
     */
    static Loss of(
            List<LostCable.LostEnd> switches,
            List<LostCable> cables,
            List<LostCable.LostEnd> hosts,
            @Nullable Instant since) {
        LostCable.LostEnd first = switches.isEmpty() ? cables.get(0).near() : switches.get(0);
        Size size = new Size(switches.size(), cables.size(), hosts.size());
        return new Loss(new Id(first, since, size, hosts), switches, cables);
    }

    LossType kind() {
        Size size = id.size();
        return size.switches() == 1
                ? LossType.SWITCH
                : size.switches() == 0 && size.cables() == 1 ? LossType.CABLE : LossType.MANY;
    }

    /** Returns the numbers of parts that are still absent; hosts are not counted. */
    Size remaining() {
        return new Size(switches.size(), cables.size(), 0);
    }

    /** Checks whether a part of the loss has returned. */
    boolean hasPartlyReturned() {
        return switches.size() < id.size().switches()
                || cables.size() < id.size().cables();
    }

    /** Checks whether the whole loss has returned. */
    boolean hasReturned() {
        return switches.isEmpty() && cables.isEmpty();
    }

    /**
     * Returns this loss with only the parts that are still absent.
     *
     * @param goneSwitches port GUIDs of all absent switches
     * @param goneCables the absent cables
     */
    Loss restrictedTo(Set<Long> goneSwitches, Set<LostCable> goneCables) {
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
     * Checks whether this loss and an earlier loss have the same type and the same first switch, so that their
     * events could not be distinguished.
     */
    boolean continues(Loss earlier) {
        return kind() == earlier.kind()
                && kind() != LossType.CABLE
                && id.first().port().portGuid() == earlier.id.first().port().portGuid();
    }

    /** Returns the union of this loss and the rest of an earlier loss, with the identity of this loss. */
    Loss with(Loss earlier) {
        List<LostCable.LostEnd> allSwitches = new ArrayList<>(switches);
        allSwitches.addAll(earlier.switches);
        List<LostCable> allCables = new ArrayList<>(cables);
        allCables.addAll(earlier.cables);
        Size size = new Size(allSwitches.size(), allCables.size(), id.size().hosts());
        return new Loss(new Id(id.first(), id.since(), size, id.hosts()), allSwitches, allCables);
    }

    /** Returns the parts that a later state of this loss lacks: they returned, or another cable replaced them. */
    Loss without(Loss later) {
        return new Loss(id, minus(switches, later.switches), minus(cables, later.cables));
    }

    private static <T> List<T> minus(List<T> all, Collection<T> some) {
        List<T> rest = new ArrayList<>(all);
        rest.removeAll(new HashSet<>(some));
        return rest;
    }

    /** Returns the rack of the switches; empty if they are in several racks, or the rack is unknown. */
    String rack(Names names) {
        List<String> racks = switches.stream()
                .map(end -> LossGroups.rack(end, names))
                .distinct()
                .toList();
        return racks.size() == 1 ? racks.get(0) : "";
    }
}
