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
    private final FabricBuilder builder;

    /** Anomalies. They are formatted at the end, when names are known. */
    private final List<Supplier<DeviceText>> anomalies = new ArrayList<>();

    /** Ports whose PortInfo is missing, by NodeGUID. */
    private final Map<Long, MissingPortInfos> missingPortInfos = new TreeMap<>();

    /** Missing or doubtful responses by {@link UnansweredRequest#key}. */
    private final Map<Object, UnansweredRequest> unansweredRequests = new LinkedHashMap<>();

    private final SubnetMemory memory;

    /** Port numbers of a device whose PortInfo is missing, and the reason for the first of them. */
    private record MissingPortInfos(BitSet ports, String reason) {}

    /**
     * Creates an instance without anomalies.
     *
     * @param seen the fabric as known so far
     * @param memory previous locations and names of devices
     */
    DiscoveryFindings(FabricBuilder seen, SubnetMemory memory) {
        this.builder = seen;
        this.memory = memory;
    }

    FabricBuilder builder() {
        return builder;
    }

    /** Records an anomaly, which is formatted when names are known. */
    void report(Supplier<DeviceText> oddity) {
        anomalies.add(oddity);
    }

    /** Records an anomaly of a device. */
    void reportDevice(long nodeGuid, String message) {
        report(() -> DeviceText.of(device(nodeGuid), message));
    }

    /** Returns a device as events name it; only its GUID if the device is no longer known. */
    DeviceText device(long nodeGuid) {
        return builder.knows(nodeGuid)
                ? builder.device(nodeGuid)
                : DeviceText.ofDevice(Guid.format(nodeGuid), EventField.GUID.of(nodeGuid));
    }

    /** Records a port whose PortInfo is missing. Each device gets one report for all its ports. */
    void addMissingPortInfo(long nodeGuid, int portNum, String reason) {
        missingPortInfos
                .computeIfAbsent(nodeGuid, guid -> new MissingPortInfos(new BitSet(), reason))
                .ports
                .set(portNum);
    }

    /** Adds all anomalies to the fabric. */
    void addAnomaliesToFabric() {
        missingPortInfos.forEach((guid, missing) -> {
            int first = missing.ports.nextSetBit(0);
            int count = missing.ports.cardinality();
            String ports = count == 1 ? "port " + first : count + " ports, port " + first + " the first of them";
            report(() -> DeviceText.of(
                    device(guid).with(EventField.PORT.of(first)),
                    " does not answer for PortInfo of " + ports + missing.reason));
        });
        anomalies.forEach(oddity -> builder.report(oddity.get()));
    }

    /** Records that the device at the end of a route did not respond to a Get of an attribute. */
    void addUnanswered(DrPath path, AttributeType<?> type, int modifier) {
        UnansweredRequest request = new UnansweredRequest(path, type, modifier);
        unansweredRequests.putIfAbsent(request.key(), request);
    }

    /**
     * Records that the device at the end of a route reports the GUID of another device. It may recover, which no device
     * would report, so light sweeps read it again.
     */
    void addDoubtful(DrPath path, NodeInfo claim) {
        UnansweredRequest request = new UnansweredRequest(path, NodeInfo.TYPE, 0, claim);
        unansweredRequests.putIfAbsent(request.key(), request);
    }

    /** Removes the record of the NodeInfo at the end of a route, which proved correct. */
    void removeDoubtful(DrPath path) {
        unansweredRequests.remove(new UnansweredRequest(path, NodeInfo.TYPE, 0).key());
    }

    List<UnansweredRequest> unansweredRequests() {
        return List.copyOf(unansweredRequests.values());
    }

    /** Returns the last description of a switch with coordinates; empty if unknown. */
    String lastDescription(long nodeGuid) {
        return memory.places().description(nodeGuid);
    }

    /** Returns an absent device as events name it, from the end of its last known cable. */
    DeviceText absentDevice(Neighbors.CableEnd cabled) {
        long guid = cabled.portGuid();
        DeviceNames.Name host = memory.hosts().name(guid);
        return memory.places()
                .device(guid, builder.names())
                .map(device -> device.withText("switch " + device))
                .orElseGet(() -> DeviceText.ofDevice(
                        host == null
                                ? "the device with port GUID " + Guid.format(guid)
                                : "host " + Guid.format(guid) + " \""
                                        + builder.names().of(host.nodeGuid(), host.description()) + "\"",
                        EventField.GUID.of(guid)));
    }

    /** Returns a port as events name it; null stands for the local port. */
    DeviceText devicePort(@Nullable NodePort port) {
        if (port == null) {
            return DeviceText.of("the local port");
        }
        DeviceText device = device(port.nodeGuid());
        return device.withText(device + " port " + port.portNum()).with(EventField.PORT.of(port.portNum()));
    }
}
