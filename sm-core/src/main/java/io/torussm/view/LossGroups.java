package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.Names;
import io.torussm.names.SiteMap;
import io.torussm.subnet.Neighbors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of the absent parts of a fabric to {@link Loss}es. Each absent switch or cable between switches
 * is in one loss. Exceptions are devices with other events: they do not respond although a link is up, or are
 * excluded. The new losses of one discovery are grouped:
 *
 * <ul>
 * <li>a cable is in the loss of the switch that was lost with it;
 * <li>switches of one rack are one loss;
 * <li>if more than {@value #MAX_SINGLE} losses of switches are new, they become one; the same rule applies to
 *     cables that were lost without a switch;
 * <li>if a switch is lost again before all of its cables returned, it has one loss, which begins again.
 * </ul>
 *
 * <p>An object is used once. The cost is linear in the absent parts and in the open losses.
 */
final class LossGroups {
    /** The maximum number of losses of switches, and of single cables, that one discovery reports separately. */
    static final int MAX_SINGLE = 5;

    private static final Comparator<LostCable.LostEnd> BY_NODE =
            Comparator.comparing(LostCable.LostEnd::nodeGuid, Long::compareUnsigned);
    private static final Comparator<LostCable> BY_PORT = Comparator.comparing(
                    (LostCable cable) -> cable.near().port().portGuid(), Long::compareUnsigned)
            .thenComparing(cable -> cable.near().port().portNum());

    private final PlacedSubnet currentSubnet;
    private final ToIntFunction<Neighbors.CableEnd> ports;
    private final Collection<LostCable> absent;

    /** Absent switches by port GUID, each as the end of one of its cables. */
    private final Map<Long, LostCable.LostEnd> switches = new TreeMap<>(Long::compareUnsigned);

    /** Absent cables between switches. */
    private final Set<LostCable> cables = new LinkedHashSet<>();

    /**
     * The port GUIDs of absent switches that are not lost: a link to them is up at a neighbour, or their cables are
     * excluded.
     */
    private final Set<Long> switchesNotLost = new HashSet<>();

    /**
     * Collects the absent switches and cables.
     *
     * @param absent absent cables
     * @param hidden absent devices behind excluded cables
     * @param ports function from an end to its port index in the fabric; {@link Fabric#NONE} if the end is absent
     */
    LossGroups(
            PlacedSubnet currentSubnet,
            Collection<LostCable> absent,
            HiddenDevices hidden,
            ToIntFunction<Neighbors.CableEnd> ports) {
        this.currentSubnet = currentSubnet;
        this.absent = absent;
        this.ports = ports;
        for (LostCable cable : absent) {
            addSwitch(cable.near(), cable.far());
            addSwitch(cable.far(), cable.near());
            if (cable.isBetweenSwitches()) {
                cables.add(cable);
            }
        }
        switchesNotLost.addAll(hidden.switches(absent));
    }

    private void addSwitch(LostCable.LostEnd end, LostCable.LostEnd across) {
        if (end.isSwitch() && !isPresent(end)) {
            switches.putIfAbsent(end.port().portGuid(), end);
            if (isPresent(across) && isUp(across)) {
                switchesNotLost.add(end.port().portGuid());
            }
        }
    }

    private boolean isPresent(LostCable.LostEnd end) {
        return ports.applyAsInt(new Neighbors.CableEnd(end.port().portGuid(), 0)) != Fabric.NONE
                || ports.applyAsInt(end.port()) != Fabric.NONE;
    }

    private boolean isUp(LostCable.LostEnd end) {
        int port = ports.applyAsInt(end.port());
        PortInfo info = port == Fabric.NONE ? null : currentSubnet.fabric().portInfo(port);
        return info != null && info.isLinkUp();
    }

    /**
     * Checks whether a cable may be intact: an end belongs to an absent switch that is not lost, or the ports at
     * both ends are up.
     */
    private boolean mayBeIntact(LostCable cable) {
        return isNotLost(cable.near())
                || isNotLost(cable.far())
                || (isPresent(cable.near()) && isPresent(cable.far()) && isUp(cable.near()) && isUp(cable.far()));
    }

    private boolean isNotLost(LostCable.LostEnd end) {
        return switchesNotLost.contains(end.port().portGuid());
    }

    /**
     * Returns the open losses: earlier losses with their absent parts, and new losses.
     *
     * @param at time of the discovery; null if the new losses are from before this SM was master
     */
    List<Loss> after(List<Loss> previous, @Nullable Instant at) {
        List<Loss> open = new ArrayList<>();
        Set<Long> knownSwitches = new HashSet<>(switchesNotLost);
        Set<LostCable> knownCables = new HashSet<>();
        for (Loss loss : previous) {
            Loss rest = loss.restrictedTo(switches.keySet(), cables);
            if (!rest.hasReturned()) {
                open.add(rest);
                rest.switches().forEach(end -> knownSwitches.add(end.port().portGuid()));
                knownCables.addAll(rest.cables());
            }
        }
        List<LostCable.LostEnd> newSwitches = switches.values().stream()
                .filter(end -> !knownSwitches.contains(end.port().portGuid()))
                .sorted(BY_NODE)
                .toList();
        List<LostCable> newCables = cables.stream()
                .filter(cable -> !knownCables.contains(cable) && !mayBeIntact(cable))
                .sorted(BY_PORT)
                .toList();
        for (Loss loss : grouped(newSwitches, newCables, at)) {
            List<Loss> continued = open.stream().filter(loss::continues).toList();
            open.removeAll(continued);
            open.add(continued.stream().reduce(loss, Loss::with));
        }
        return open.equals(previous) ? previous : List.copyOf(open);
    }

    /** Returns the losses of new switches and cables. */
    private List<Loss> grouped(List<LostCable.LostEnd> newSwitches, List<LostCable> newCables, @Nullable Instant at) {
        Map<Long, Group> bySwitch = new LinkedHashMap<>();
        List<Group> groups = groups(newSwitches);
        groups.forEach(
                group -> group.switches.forEach(end -> bySwitch.put(end.port().portGuid(), group)));
        List<LostCable> alone = new ArrayList<>();
        for (LostCable cable : newCables) {
            Group group = bySwitch.getOrDefault(
                    cable.near().port().portGuid(),
                    bySwitch.get(cable.far().port().portGuid()));
            (group == null ? alone : group.cables).add(cable);
        }
        List<Loss> losses = new ArrayList<>();
        groups.forEach(group -> losses.add(Loss.of(group.switches, group.cables, hosts(group), at)));
        if (alone.size() > MAX_SINGLE) {
            losses.add(Loss.of(List.of(), alone, List.of(), at));
        } else {
            alone.forEach(cable -> losses.add(Loss.of(List.of(), List.of(cable), List.of(), at)));
        }
        return losses;
    }

    private record Group(List<LostCable.LostEnd> switches, List<LostCable> cables) {}

    /** Returns the groups of new switches by rack. */
    private List<Group> groups(List<LostCable.LostEnd> newSwitches) {
        Map<Object, Group> groups = new LinkedHashMap<>();
        for (LostCable.LostEnd end : newSwitches) {
            String rack = rack(end, currentSubnet.fabric().names());
            Object key = rack.isEmpty() ? (Object) end.port().portGuid() : rack;
            groups.computeIfAbsent(key, any -> new Group(new ArrayList<>(), new ArrayList<>()))
                    .switches
                    .add(end);
        }
        return groups.size() > MAX_SINGLE
                ? List.of(new Group(newSwitches, new ArrayList<>()))
                : List.copyOf(groups.values());
    }

    /** Returns the row and rack of a device; empty if its rack is unknown. */
    static String rack(LostCable.LostEnd end, Names names) {
        SiteMap.Site site = end.site(names);
        return site.rack().isEmpty() ? "" : new SiteMap.Site(site.rack(), site.row(), "").toString();
    }

    /** Returns the hosts that were attached to the switches of a group, each once. */
    private List<LostCable.LostEnd> hosts(Group group) {
        Set<Long> groupSwitches = new HashSet<>();
        group.switches.forEach(end -> groupSwitches.add(end.port().portGuid()));
        Map<Long, LostCable.LostEnd> hosts = new LinkedHashMap<>();
        for (LostCable cable : absent) {
            for (LostCable.LostEnd end : List.of(cable.near(), cable.far())) {
                if (!end.isSwitch()
                        && groupSwitches.contains(cable.across(end).port().portGuid())) {
                    hosts.putIfAbsent(end.nodeGuid() == 0 ? end.port().portGuid() : end.nodeGuid(), end);
                }
            }
        }
        return List.copyOf(hosts.values());
    }
}
