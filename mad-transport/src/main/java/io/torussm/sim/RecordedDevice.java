package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyBuilder;
import io.torussm.snapshot.DeviceRegisters;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A device of a capture or of a snapshot: its first responses, and the requests that it rejected or ignored. */
final class RecordedDevice {
    private static final int SPEEDS_BIT = 1 << 31;

    private final NodeInfo nodeInfo;
    private final Map<Integer, Long> portGuids = new TreeMap<>();
    /** First responses to Gets, without those after a Set of the attribute: the 64 bytes of SMP data. */
    private final Map<Key, byte[]> responses = new LinkedHashMap<>();
    /** Outcomes of requests, by attribute and method. */
    private final Map<RequestType, Tally> tallies = new LinkedHashMap<>();

    /** Attributes with a successful Set, after which responses do not show the initial state. */
    private final Set<Integer> changedAttributes = new HashSet<>();

    /** A request. The port is the one that received it, or 0 for a switch. */
    private record Key(int attributeId, int modifier, int inPort) {}

    private record RequestType(int attributeId, int method) {}

    private static final class Tally {
        private int requests;
        private int unanswered;
        private final Map<Integer, Integer> refusals = new TreeMap<>();

        /** Checks whether all requests had one error status, or none was answered. */
        private boolean isConstantFailure() {
            return requests > 0 && (unanswered == requests || refusals.containsValue(requests));
        }
    }

    RecordedDevice(NodeInfo first) {
        nodeInfo = first;
    }

    /** Creates a device with the registers of a snapshot. It rejects or ignores the same requests. */
    static RecordedDevice of(DeviceRegisters registers) {
        RecordedDevice device = new RecordedDevice(registers.nodeInfo());
        registers.endports().forEach(port -> device.portGuids.put(port, registers.portGuid(port)));
        registers.forEach((id, value) -> {
            device.responses.put(new Key(id.attributeId(), id.modifier(), id.port()), value);
            device.tally(id.attributeId(), Method.GET).requests++;
        });
        registers.failures().forEach((id, status) -> {
            for (int method : new int[] {Method.GET, Method.SET}) {
                Tally tally = device.tally(id.attributeId(), method);
                tally.requests++;
                if (status == DeviceRegisters.NO_ANSWER) {
                    tally.unanswered++;
                } else {
                    tally.refusals.merge(status, 1, Integer::sum);
                }
            }
        });
        // Only constant outcomes are kept, and those of Sets only if Gets have one, too: a snapshot records no Sets.
        device.tallies.values().removeIf(tally -> !tally.isConstantFailure());
        device.tallies
                .keySet()
                .removeIf(kind -> kind.method() == Method.SET
                        && !device.tallies.containsKey(new RequestType(kind.attributeId(), Method.GET)));
        return device;
    }

    private Tally tally(int attributeId, int method) {
        return tallies.computeIfAbsent(new RequestType(attributeId, method), kind -> new Tally());
    }

    /** Records number and GUID of the port that answered with NodeInfo. */
    void recordPort(NodeInfo answer) {
        portGuids.putIfAbsent(answer.localPortNum(), answer.portGuid());
    }

    long guid() {
        return nodeInfo.nodeGuid();
    }

    private boolean isSwitch() {
        return nodeInfo.nodeType() == NodeInfo.SWITCH;
    }

    /**
     * Counts a request and its outcome.
     *
     * @param inPort port that received the request
     * @param answer response; null if there was none
     */
    void recordOutcome(byte[] request, int inPort, byte @Nullable [] answer) {
        int attributeId = MadHeader.attributeId(request);
        int method = MadHeader.method(request);
        Tally tally = tally(attributeId, method);
        tally.requests++;
        if (answer == null) {
            tally.unanswered++;
            return;
        }
        int status = MadHeader.status(answer);
        if (status != 0) {
            tally.refusals.merge(status, 1, Integer::sum);
        } else if (method == Method.SET) {
            changedAttributes.add(attributeId);
        } else if (method == Method.GET && !changedAttributes.contains(attributeId)) {
            int modifier = MadHeader.attributeModifier(request);
            responses.putIfAbsent(
                    new Key(attributeId, modifier, isSwitch() ? 0 : inPort),
                    Arrays.copyOfRange(answer, Smp.DATA_OFFSET, Smp.DATA_OFFSET + Smp.DATA_SIZE));
        }
    }

    Topology.Identity identity() {
        byte[] description = firstResponse(NodeDescription.TYPE.id());
        byte[] switchInfo = firstResponse(SwitchInfo.TYPE.id());
        boolean isEnhanced = switchInfo != null && SwitchInfo.ENHANCED_PORT0.get(switchInfo, 0) != 0;
        return new Topology.Identity(
                (isSwitch() ? "S-" : "H-") + String.format("%016x", guid()),
                description == null
                        ? ""
                        : cutDescription(
                                NodeDescription.TYPE.read(description, 0).text()),
                nodeInfo.nodeType(),
                guid(),
                nodeInfo.systemImageGuid(),
                (int) nodeInfo.get(NodeInfo.VENDOR_ID),
                (int) nodeInfo.get(NodeInfo.DEVICE_ID),
                isEnhanced);
    }

    /** Returns a description cut to 64 bytes: text of bytes that are not UTF-8 may be longer than the register. */
    private static String cutDescription(String description) {
        return NodeDescription.of(description).text();
    }

    /** Returns the first response with an attribute, at any port; null without such a response. */
    private byte @Nullable [] firstResponse(int attributeId) {
        return responses.entrySet().stream()
                .filter(entry -> entry.getKey().attributeId() == attributeId)
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** Returns the GUID of each port by number. The GUID of an unrecorded port is NodeGUID plus port number. */
    long[] portGuids() {
        if (isSwitch()) {
            return TopologyBuilder.switchPortGuids(nodeInfo.numPorts(), nodeInfo.portGuid());
        }
        long[] guids = new long[nodeInfo.numPorts() + 1];
        for (int port = 1; port < guids.length; port++) {
            guids[port] = portGuids.getOrDefault(port, guid() + port);
        }
        return guids;
    }

    /** Writes the recorded registers and tables into a device of a fabric. */
    void load(SimDevice device, SubnetAgent agent) {
        responses.forEach((key, answer) -> {
            int attributeId = key.attributeId();
            if (attributeId == NodeInfo.TYPE.id()) {
                System.arraycopy(answer, 0, device.nodeInfo, 0, device.nodeInfo.length);
            } else if (attributeId == NodeDescription.TYPE.id()) {
                System.arraycopy(answer, 0, device.description, 0, device.description.length);
            } else if (attributeId == SwitchInfo.TYPE.id()) {
                System.arraycopy(answer, 0, device.switchInfo, 0, device.switchInfo.length);
            } else if (attributeId == PortInfo.TYPE.id()) {
                loadPort(device, key, answer);
            } else {
                loadTable(device, key, answer, agent);
            }
        });
        device.profile = profile().and(device.profile);
    }

    private static void loadPort(SimDevice device, Key key, byte[] answer) {
        int asked = key.modifier() & ~SPEEDS_BIT;
        SimPort port = device.port(device.isSwitch || asked != 0 ? asked : key.inPort());
        if (port != null) {
            System.arraycopy(answer, 0, port.info, 0, port.info.length);
            port.set(PortInfo.CAPABILITY_MASK, port.get(PortInfo.CAPABILITY_MASK) & ~PortInfo.CAP_IS_SM & 0xffffffffL);
        }
    }

    /** Writes a table by a Set with the recorded content. */
    private static void loadTable(SimDevice device, Key key, byte[] answer, SubnetAgent agent) {
        SimPort in = device.port(key.inPort());
        if (in != null) {
            byte[] set = Smp.directed(Method.SET, 0, key.attributeId(), key.modifier(), 0, DrPath.LOCAL);
            System.arraycopy(answer, 0, set, Smp.DATA_OFFSET, Smp.DATA_SIZE);
            agent.answer(in, set, false);
        }
    }

    /**
     * Returns the faults of the agent: rejections at the recorded rate, and drops of attributes without any response.
     */
    private AgentProfile profile() {
        AgentProfile profile = AgentProfile.CONFORMING;
        for (Map.Entry<RequestType, Tally> entry : tallies.entrySet()) {
            RequestType kind = entry.getKey();
            Tally tally = entry.getValue();
            for (Map.Entry<Integer, Integer> refusal : tally.refusals.entrySet()) {
                double share = (double) refusal.getValue() / tally.requests;
                profile = profile.refusing(kind.attributeId(), kind.method(), refusal.getKey(), share);
            }
            if (tally.unanswered == tally.requests) {
                profile = profile.dropping(kind.attributeId(), kind.method(), 1);
            }
        }
        return profile.showing(hidesSpeeds() ? AgentProfile.ExtendedSpeeds.HIDDEN : AgentProfile.ExtendedSpeeds.SHOWN);
    }

    /** Checks whether a port shows other speeds if AttributeModifier bit 31 is set. */
    private boolean hidesSpeeds() {
        return responses.entrySet().stream().anyMatch(entry -> {
            Key key = entry.getKey();
            byte[] bare = responses.get(new Key(key.attributeId(), key.modifier() & ~SPEEDS_BIT, key.inPort()));
            return key.attributeId() == PortInfo.TYPE.id()
                    && key.modifier() < 0
                    && bare != null
                    && PortInfo.LINK_SPEED_EXT_SUPPORTED.get(bare, 0)
                            != PortInfo.LINK_SPEED_EXT_SUPPORTED.get(entry.getValue(), 0);
        });
    }
}
