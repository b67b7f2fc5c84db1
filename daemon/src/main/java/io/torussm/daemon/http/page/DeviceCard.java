package io.torussm.daemon.http.page;

import io.torussm.daemon.control.Condition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.SiteMap;
import io.torussm.view.Absences;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.vport.VPortTable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The data of one device, for the page. Immutable.
 *
 * @param name name for display
 * @param description NodeDescription as reported; empty for an absent device
 * @param kind {@code switch}, {@code ca} or {@code router}
 * @param guid GUID of the node; that of a port if the NodeGUID is unknown
 * @param place coordinates of a switch in a torus or tree; empty if it has no coordinates
 * @param site position in the machine room; null if unknown
 * @param lid LID of the switch, or of the first port with a LID; 0 without a LID
 * @param isThere true if the device is present
 * @param since time of its loss; null if it is present, or the time is unknown
 * @param vports numbers of virtual ports of all its ports; null without virtual ports
 * @param ports external ports
 * @param conditions open conditions that name the device
 * @param history history of its cables, the newest first
 */
public record DeviceCard(
        String name,
        String description,
        String kind,
        String guid,
        String place,
        SiteMap.@Nullable Site site,
        int lid,
        boolean isThere,
        @Nullable Instant since,
        String vendorId,
        String deviceId,
        String revision,
        VPortTable.@Nullable VPortCount vports,
        List<Port> ports,
        List<Condition> conditions,
        List<Change> history) {
    /** Maximum number of changes of cables that are shown. */
    static final int MAX_CHANGES = 100;

    /**
     * A port.
     *
     * @param number port number
     * @param guid PortGUID; empty for an external port of a switch
     * @param lid LID; 0 without a LID
     * @param state PortState by its name in logs; empty if the port was not read
     * @param width width of the link, such as {@code 4x}; empty without a link
     * @param speed speed in Gb/s per lane; empty without a link
     * @param mtu MTU of the link in bytes; 0 without a link
     * @param cable label of the cable; empty if unknown
     * @param peer present or former device at the other end; null if unknown
     * @param isLost true if the cable is absent
     * @param lostSince time of the loss; null if the cable is present, or the time is unknown
     */
    record Port(
            int number,
            String guid,
            int lid,
            String state,
            String width,
            String speed,
            int mtu,
            String cable,
            @Nullable Peer peer,
            boolean isLost,
            @Nullable Instant lostSince) {}

    /**
     * The other end of a cable.
     *
     * @param name description of the device
     * @param guid NodeGUID
     * @param place coordinates, or place in a tree; empty if it has no place
     * @param port port number
     * @param isSwitch whether the device is a switch
     */
    record Peer(String name, String guid, String place, int port, boolean isSwitch) {}

    /**
     * The change of a cable.
     *
     * @param at time of the change
     * @param kind name of a {@link CableHistory.EntryType}
     * @param port port number of this device
     * @param far device and port at the other end
     */
    record Change(Instant at, String kind, int port, String far) {}

    /**
     * Returns the device with a NodeGUID or a PortGUID; empty if it is neither present nor a lost part of the fabric.
     *
     * @param conditions all open conditions
     */
    static Optional<DeviceCard> of(
            FabricState state,
            PlacedSubnet seen,
            VPortTable vports,
            List<Condition> conditions,
            CableHistory history,
            long guid) {
        Fabric fabric = seen.fabric();
        int node = fabric.nodeByGuid(guid);
        if (node == Fabric.NONE) {
            int port = fabric.endport(guid);
            node = port == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(port);
        }
        return node != Fabric.NONE
                ? Optional.of(present(state, seen, vports, conditions, history, node))
                : state.absences().devices(fabric).stream()
                        .filter(device -> device.end().port().portGuid() == guid
                                || device.end().nodeGuid() == guid)
                        .findFirst()
                        .map(device -> absent(state, conditions, history, device));
    }

    private static DeviceCard present(
            FabricState state,
            PlacedSubnet seen,
            VPortTable vports,
            List<Condition> conditions,
            CableHistory history,
            int node) {
        Fabric fabric = seen.fabric();
        NodeInfo info = fabric.node(node).info();
        SiteMap.Site site = seen.site(node);
        List<Integer> ports = IntStream.rangeClosed(fabric.isSwitch(node) ? 0 : 1, fabric.numPorts(node))
                .mapToObj(number -> fabric.port(node, number))
                .toList();
        int lid = ports.stream()
                .mapToInt(port -> fabric.isEndport(port) ? seen.subnet().lid(port) : 0)
                .filter(each -> each != 0)
                .findFirst()
                .orElse(0);
        Set<Long> guids =
                ports.stream().filter(fabric::isEndport).map(fabric::portGuid).collect(Collectors.toSet());
        return new DeviceCard(
                fabric.nodeName(node),
                fabric.node(node).description(),
                fabric.isSwitch(node) ? "switch" : info.nodeType() == NodeInfo.ROUTER ? "router" : "ca",
                Guid.format(fabric.nodeGuid(node)),
                seen.place(node),
                site.isUnknown() ? null : site,
                lid,
                true,
                null,
                String.format("0x%06x", info.get(NodeInfo.VENDOR_ID)),
                String.format("0x%04x", info.get(NodeInfo.DEVICE_ID)),
                String.format("0x%08x", info.get(NodeInfo.REVISION)),
                vports.count(guids),
                ports.stream()
                        .filter(port -> fabric.portNum(port) != 0)
                        .map(port -> port(state, seen, port))
                        .toList(),
                conditionsOf(conditions, fabric.nodeName(node), seen.place(node)),
                changes(history, guids));
    }

    private static DeviceCard absent(
            FabricState state, List<Condition> conditions, CableHistory history, Absences.Device device) {
        LostCable.LostEnd end = device.end();
        long guid = end.nodeGuid() == 0 ? end.port().portGuid() : end.nodeGuid();
        List<Port> ports = state.absences().cables().stream()
                .filter(cable -> isOf(cable.near(), device) || isOf(cable.far(), device))
                .map(cable -> {
                    LostCable.LostEnd own = isOf(cable.near(), device) ? cable.near() : cable.far();
                    return new Port(
                            own.port().portNum(),
                            "",
                            0,
                            "",
                            "",
                            "",
                            0,
                            "",
                            peer(cable.across(own)),
                            true,
                            cable.since());
                })
                .toList();
        return new DeviceCard(
                end.name(),
                "",
                end.isSwitch() ? "switch" : "ca",
                Guid.format(guid),
                end.place(),
                null,
                end.lid(),
                false,
                device.since(),
                "",
                "",
                "",
                null,
                ports,
                conditionsOf(conditions, end.name(), end.place()),
                changes(history, Set.of(end.port().portGuid())));
    }

    private static boolean isOf(LostCable.LostEnd end, Absences.Device device) {
        return end.port().portGuid() == device.end().port().portGuid();
    }

    private static Port port(FabricState state, PlacedSubnet seen, int port) {
        Fabric fabric = seen.fabric();
        PortInfo info = fabric.portInfo(port);
        int far = fabric.peer(port);
        PortInfo linked = far == Fabric.NONE ? null : info;
        LostCable lost = far == Fabric.NONE ? state.absences().lostCable(seen, port) : null;
        LostCable.LostEnd own = LostCable.LostEnd.of(seen, port);
        return new Port(
                fabric.portNum(port),
                fabric.isEndport(port) ? Guid.format(fabric.portGuid(port)) : "",
                fabric.isEndport(port) ? seen.subnet().lid(port) : 0,
                stateOf(info),
                linked == null ? "" : linked.widthText(""),
                linked == null ? "" : linked.speedText(""),
                linked == null ? 0 : PortInfo.mtuBytes(linked.neighborMtu()),
                fabric.cableLabel(port),
                far != Fabric.NONE
                        ? peer(LostCable.LostEnd.of(seen, far))
                        : lost == null ? null : peer(lost.near().port().equals(own.port()) ? lost.far() : lost.near()),
                lost != null,
                lost == null ? null : lost.since());
    }

    private static Peer peer(LostCable.LostEnd end) {
        long guid = end.nodeGuid() == 0 ? end.port().portGuid() : end.nodeGuid();
        return new Peer(end.name(), Guid.format(guid), end.place(), end.port().portNum(), end.isSwitch());
    }

    /** Returns the conditions about the device, and those with its name or place in their text. */
    private static List<Condition> conditionsOf(List<Condition> conditions, String name, String place) {
        Pattern quotedName = Pattern.compile(Pattern.quote("\"" + name + "\""));
        // "leaf 1" is not in "leaf 12".
        Pattern wholePlace = Pattern.compile("(?<!\\w)" + Pattern.quote(place) + "(?!\\w)");
        // The place of an absent switch may be the word of its level alone.
        boolean isPlaceUnique = place.chars().anyMatch(Character::isDigit);
        return conditions.stream()
                .filter(each -> (!name.isEmpty() && isNamed(each, name, quotedName))
                        || (isPlaceUnique && isNamed(each, place, wholePlace)))
                .toList();
    }

    private static boolean isNamed(Condition condition, String name, Pattern inText) {
        return condition.place().equals(name)
                || inText.matcher(condition.text()).find();
    }

    private static List<Change> changes(CableHistory history, Set<Long> guids) {
        List<CableHistory.Entry> all = history.entries().stream()
                .filter(entry -> guids.contains(entry.near().port().portGuid())
                        || guids.contains(entry.far().port().portGuid()))
                .toList();
        return IntStream.range(0, Math.min(MAX_CHANGES, all.size()))
                .mapToObj(i -> change(all.get(all.size() - 1 - i), guids))
                .toList();
    }

    private static Change change(CableHistory.Entry entry, Set<Long> guids) {
        boolean isNear = guids.contains(entry.near().port().portGuid());
        CableHistory.NamedEnd own = isNear ? entry.near() : entry.far();
        CableHistory.NamedEnd far = isNear ? entry.far() : entry.near();
        return new Change(entry.at(), entry.kind().toString(), own.port().portNum(), far.text());
    }

    /** Returns the port state by its name in logs; empty for a port without PortInfo. */
    public static String stateOf(@Nullable PortInfo info) {
        return info == null
                ? ""
                : switch (info.portState()) {
                    case PortInfo.STATE_INITIALIZE -> "INIT";
                    case PortInfo.STATE_ARMED -> "ARMED";
                    case PortInfo.STATE_ACTIVE -> "ACTIVE";
                    default -> "DOWN";
                };
    }
}
