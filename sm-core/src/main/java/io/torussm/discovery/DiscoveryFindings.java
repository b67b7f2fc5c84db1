package io.torussm.discovery;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.subnet.DeviceNames;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.SubnetMemory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a discovery so far: the fabric, anomalies for the operator, and devices that do not respond. Owner
 * thread: the loop.
 */
final class DiscoveryFindings {
    private final FabricBuilder seen;

    /** Anomalies. They are formatted at the end, when names are known. */
    private final List<Supplier<DeviceText>> oddities = new ArrayList<>();

    /** Ports whose PortInfo is missing, by NodeGUID. */
    private final Map<Long, Untold> untold = new TreeMap<>();

    /** Missing or doubtful responses by {@link Unanswered#key}. */
    private final Map<Object, Unanswered> silent = new LinkedHashMap<>();

    private final SubnetMemory memory;

    /** Port numbers of a device whose PortInfo is missing, and the reason for the first of them. */
    private record Untold(BitSet ports, String why) {}

    /**
     * Creates an instance without anomalies.
     *
     * @param seen the fabric as known so far
     * @param memory previous locations and names of devices
     */
    DiscoveryFindings(FabricBuilder seen, SubnetMemory memory) {
        this.seen = seen;
        this.memory = memory;
    }

    FabricBuilder seen() {
        return seen;
    }

    /** Records an anomaly, which is formatted when names are known. */
    void report(Supplier<DeviceText> oddity) {
        oddities.add(oddity);
    }

    /** Records an anomaly of a device. */
    void about(long nodeGuid, String message) {
        report(() -> DeviceText.of(device(nodeGuid), message));
    }

    /** Returns a device as events name it; only its GUID if the device is no longer known. */
    DeviceText device(long nodeGuid) {
        return seen.knows(nodeGuid)
                ? seen.device(nodeGuid)
                : DeviceText.named(Guid.format(nodeGuid), EventField.GUID.of(nodeGuid));
    }

    /** Records a port whose PortInfo is missing. Each device gets one report for all its ports. */
    void untold(long nodeGuid, int portNum, String reason) {
        untold.computeIfAbsent(nodeGuid, guid -> new Untold(new BitSet(), reason))
                .ports
                .set(portNum);
    }

    /** Adds all anomalies to the fabric. */
    void reportOddities() {
        untold.forEach((guid, missing) -> {
            int first = missing.ports.nextSetBit(0);
            int count = missing.ports.cardinality();
            String ports = count == 1 ? "port " + first : count + " ports, port " + first + " the first of them";
            report(() -> DeviceText.of(
                    device(guid).with(EventField.PORT.of(first)),
                    " does not answer for PortInfo of " + ports + missing.why));
        });
        oddities.forEach(oddity -> seen.report(oddity.get()));
    }

    /** Records that the device at the end of a route did not respond to a Get of an attribute. */
    void noteSilent(DrPath path, AttributeType<?> type, int modifier) {
        Unanswered request = new Unanswered(path, type, modifier);
        silent.putIfAbsent(request.key(), request);
    }

    /**
     * Records that the device at the end of a route reports the GUID of another device. It may recover, which no device
     * would report, so light sweeps read it again.
     */
    void noteDoubted(DrPath path, NodeInfo claim) {
        Unanswered request = new Unanswered(path, NodeInfo.TYPE, 0, claim);
        silent.putIfAbsent(request.key(), request);
    }

    /** Removes the record of the NodeInfo at the end of a route, which proved correct. */
    void noteBelieved(DrPath path) {
        silent.remove(new Unanswered(path, NodeInfo.TYPE, 0).key());
    }

    List<Unanswered> silent() {
        return List.copyOf(silent.values());
    }

    /** Returns the last description of a switch with coordinates; empty if unknown. */
    String formerDescription(long nodeGuid) {
        return memory.places().description(nodeGuid);
    }

    /** Returns an absent device as events name it, from the end of its last known cable. */
    DeviceText remembered(Neighbors.CableEnd cabled) {
        long guid = cabled.portGuid();
        DeviceNames.Name host = memory.hosts().name(guid);
        return memory.places()
                .device(guid, seen.names())
                .map(device -> device.as("switch " + device))
                .orElseGet(() -> DeviceText.named(
                        host == null
                                ? "the device with port GUID " + Guid.format(guid)
                                : "host " + Guid.format(guid) + " \""
                                        + seen.names().of(host.nodeGuid(), host.description()) + "\"",
                        EventField.GUID.of(guid)));
    }

    /** Returns a port as events name it; null stands for the local port. */
    DeviceText where(@Nullable NodePort port) {
        if (port == null) {
            return DeviceText.of("the local port");
        }
        DeviceText device = device(port.nodeGuid());
        return device.as(device + " port " + port.portNum()).with(EventField.PORT.of(port.portNum()));
    }
}
