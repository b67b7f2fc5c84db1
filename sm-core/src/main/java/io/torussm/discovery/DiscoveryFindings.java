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
 * The findings of a discovery so far: devices, cables, anomalies and silent devices. Owner thread: the loop.
 */
final class DiscoveryFindings {
    private final FabricBuilder seen;

    /** Formatted at the end, when names are known. */
    private final List<Supplier<DeviceText>> oddities = new ArrayList<>();

    /** Ports whose PortInfo is missing, by NodeGUID, with the reason of the first. */
    private final Map<Long, Untold> untold = new TreeMap<>();

    private final Map<Object, Unanswered> silent = new LinkedHashMap<>();

    private final SubnetMemory memory;

    private record Untold(BitSet ports, String why) {}

    /** @param memory previous locations and names of devices */
    DiscoveryFindings(FabricBuilder seen, SubnetMemory memory) {
        this.seen = seen;
        this.memory = memory;
    }

    FabricBuilder seen() {
        return seen;
    }

    /** Notes an anomaly, to be formatted when names are known. */
    void report(Supplier<DeviceText> oddity) {
        oddities.add(oddity);
    }

    /** Notes an anomaly of a device. */
    void about(long nodeGuid, String message) {
        report(() -> DeviceText.of(device(nodeGuid), message));
    }

    /** Returns a device by name; by GUID if it was dropped meanwhile. */
    DeviceText device(long nodeGuid) {
        return seen.knows(nodeGuid)
                ? seen.device(nodeGuid)
                : DeviceText.named(Guid.format(nodeGuid), EventField.GUID.of(nodeGuid));
    }

    /** Notes a port whose PortInfo is missing. There is one report for each device. */
    void untold(long nodeGuid, int portNum, String reason) {
        untold.computeIfAbsent(nodeGuid, guid -> new Untold(new BitSet(), reason))
                .ports
                .set(portNum);
    }

    /** Adds all anomalies to the fabric. */
    void reportOddities() {
        untold.forEach((guid, which) -> {
            int first = which.ports.nextSetBit(0);
            int count = which.ports.cardinality();
            String ports = count == 1 ? "port " + first : count + " ports, port " + first + " the first of them";
            report(() -> DeviceText.of(
                    device(guid).with(EventField.PORT.of(first)),
                    " does not answer for PortInfo of " + ports + which.why));
        });
        oddities.forEach(oddity -> seen.report(oddity.get()));
    }

    /** Notes that the device at the end of a route did not answer for an attribute. */
    void noteSilent(DrPath path, AttributeType<?> type, int modifier) {
        Unanswered request = new Unanswered(path, type, modifier);
        silent.putIfAbsent(request.key(), request);
    }

    /**
     * Notes that the device at the end of a route shows the GUID of another one. It may recover, and no
     * device would report that.
     */
    void noteDoubted(DrPath path, NodeInfo claim) {
        Unanswered request = new Unanswered(path, NodeInfo.TYPE, 0, claim);
        silent.putIfAbsent(request.key(), request);
    }

    /** Notes that the answer is correct after all. */
    void noteBelieved(DrPath path) {
        silent.remove(new Unanswered(path, NodeInfo.TYPE, 0).key());
    }

    List<Unanswered> silent() {
        return List.copyOf(silent.values());
    }

    /** Returns the last description of a node; empty if it is not known. */
    String formerDescription(long nodeGuid) {
        return memory.places().description(nodeGuid);
    }

    /** Returns a device that was seen before. */
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

    /** Returns the operator's name of a port. */
    DeviceText where(@Nullable NodePort port) {
        if (port == null) {
            return DeviceText.of("the local port");
        }
        DeviceText device = device(port.nodeGuid());
        return device.as(device + " port " + port.portNum()).with(EventField.PORT.of(port.portNum()));
    }
}
