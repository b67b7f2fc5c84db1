package io.torussm.vport;

import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The end ports of the subnet that was published last, by PortGUID. A port is looked up when it is needed, since each
 * sweep publishes another subnet while visits are in progress. Owner thread: the loop.
 */
final class PublishedPorts {
    /** By PortGUID: index of an end port in the fabric; in the order of indexes. */
    private final Map<Long, Integer> byGuid = new LinkedHashMap<>();

    /** Null before the first sweep, and while another SM is master. */
    private @Nullable Subnet subnet;

    /**
     * An end port.
     *
     * @param guid PortGUID
     * @param nodeGuid NodeGUID
     * @param path directed route from the SM, along which SMPs need no tables of switches
     * @param info PortInfo by the last sweep
     */
    record PhysicalPort(long guid, long nodeGuid, DrPath path, PortInfo info) {
        boolean isActive() {
            return info.portState() == PortInfo.STATE_ACTIVE;
        }
    }

    /** Replaces the ports by those with a LID of another subnet. */
    void replace(Subnet published) {
        clear();
        subnet = published;
        Fabric fabric = published.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && published.lid(port) != 0) {
                byGuid.put(fabric.portGuid(port), port);
            }
        }
    }

    void clear() {
        subnet = null;
        byGuid.clear();
    }

    /** Returns the published fabric; null if there is none. */
    @Nullable
    Fabric fabric() {
        return subnet == null ? null : subnet.fabric();
    }

    /** Returns the index of an end port in the fabric; {@link Fabric#NONE} if it is absent. */
    int index(long portGuid) {
        return byGuid.getOrDefault(portGuid, Fabric.NONE);
    }

    boolean contains(long portGuid) {
        return byGuid.containsKey(portGuid);
    }

    /** Returns a port; null if it is absent, or its PortInfo was not read. */
    @Nullable
    PhysicalPort get(long portGuid) {
        int port = index(portGuid);
        Fabric fabric = fabric();
        PortInfo info = fabric == null || port == Fabric.NONE ? null : fabric.portInfo(port);
        return fabric == null || info == null
                ? null
                : new PhysicalPort(portGuid, fabric.nodeGuid(fabric.nodeOf(port)), fabric.pathTo(port), info);
    }

    /** Returns the name of a port in events; null if it is absent. */
    @Nullable
    DeviceText device(long portGuid) {
        int port = index(portGuid);
        Fabric fabric = fabric();
        return fabric == null || port == Fabric.NONE ? null : fabric.devicePort(port);
    }

    /** Checks whether a port is present, belongs to a channel adapter and announces virtualization. */
    boolean isVirtual(long portGuid) {
        int port = index(portGuid);
        Fabric fabric = fabric();
        if (fabric == null || port == Fabric.NONE || fabric.isSwitch(fabric.nodeOf(port))) {
            return false;
        }
        PortInfo info = fabric.portInfo(port);
        return info != null && info.hasCapability2(PortInfo.CAP2_VIRTUALIZATION);
    }

    /** Checks whether a port is present, and announces no virtualization. A port without PortInfo may have vports. */
    boolean isWithoutVPorts(long portGuid) {
        int port = index(portGuid);
        Fabric fabric = fabric();
        boolean isKnown = fabric != null && port != Fabric.NONE && fabric.portInfo(port) != null;
        return isKnown && !isVirtual(portGuid);
    }

    /** Checks whether a port has a LID itself. */
    boolean isLidOfPort(int lid) {
        return subnet != null && LidSpace.isOfPort(subnet, lid);
    }

    /** Returns the PortGUIDs of the ports that announce virtualization, in the order of the fabric. */
    List<Long> virtualPorts() {
        return byGuid.keySet().stream().filter(this::isVirtual).toList();
    }

    /** Returns the PortGUID of the port with a LID, if it announces virtualization; otherwise null. */
    @Nullable
    Long virtualPortOfLid(int lid) {
        int port = subnet == null ? Fabric.NONE : subnet.portOfLid(lid);
        Fabric fabric = fabric();
        if (fabric == null || port == Fabric.NONE) {
            return null;
        }
        long portGuid = fabric.portGuid(port);
        return isVirtual(portGuid) ? portGuid : null;
    }

    /** Returns the NodeGUIDs of the devices with an end port. */
    Set<Long> nodeGuids() {
        Set<Long> nodeGuids = new HashSet<>();
        Fabric fabric = fabric();
        if (fabric != null) {
            byGuid.values().forEach(port -> nodeGuids.add(fabric.nodeGuid(fabric.nodeOf(port))));
        }
        return nodeGuids;
    }
}
