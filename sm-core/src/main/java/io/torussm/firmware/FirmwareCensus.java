package io.torussm.firmware;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The firmware of all devices of a subnet at one moment. Hosts choose their answers, so any number of versions and
 * kinds may differ. Immutable.
 *
 * @param isRead whether firmware is read at all
 * @param outcomes number of devices by outcome
 * @param devices devices with a version, by kind
 */
public record FirmwareCensus(boolean isRead, Map<FirmwareOutcome, Integer> outcomes, List<DeviceFirmware> devices) {
    /** Nothing is read. */
    public static final FirmwareCensus NONE = new FirmwareCensus(false, Map.of(), List.of());

    /** Copies both collections. */
    public FirmwareCensus {
        outcomes = Collections.unmodifiableMap(new TreeMap<>(outcomes));
        devices = devices.isEmpty()
                ? List.of() // at the start, without the classes of an order
                : devices.stream().sorted(DeviceFirmware.order()).toList();
    }

    /**
     * The devices of one kind: of the same DeviceID and PSID.
     *
     * @param deviceId NodeInfo.DeviceID
     * @param psid kind of board; may be empty
     * @param versions versions, that of most devices first
     */
    public record Model(int deviceId, String psid, List<Version> versions) {
        public Model {
            versions = List.copyOf(versions);
        }

        /** Checks whether devices have different versions. */
        public boolean isMixed() {
            return versions.size() > 1;
        }
    }

    /**
     * The devices of one kind that have the same version.
     *
     * @param version version of the firmware
     * @param nodeGuids their NodeGUIDs
     */
    public record Version(String version, List<Long> nodeGuids) {
        public Version {
            nodeGuids = List.copyOf(nodeGuids);
        }
    }

    /**
     * Counts outcomes.
     *
     * @param outcomes outcome of each device
     * @param devices devices with a version
     */
    static FirmwareCensus of(Collection<FirmwareOutcome> outcomes, Collection<DeviceFirmware> devices) {
        Map<FirmwareOutcome, Integer> counts = new EnumMap<>(FirmwareOutcome.class);
        outcomes.forEach(outcome -> counts.merge(outcome, 1, Integer::sum));
        return new FirmwareCensus(true, counts, List.copyOf(devices));
    }

    /** Returns the number of devices with an outcome. */
    public int count(FirmwareOutcome outcome) {
        return outcomes.getOrDefault(outcome, 0);
    }

    /** Returns the kinds of devices, those with different versions first. */
    public List<Model> models() {
        Map<String, List<DeviceFirmware>> kinds = devices.stream()
                .collect(Collectors.groupingBy(
                        device -> String.format("%04x%s", device.deviceId(), device.psid()),
                        TreeMap::new,
                        Collectors.toList()));
        return kinds.values().stream()
                .map(FirmwareCensus::model)
                .sorted(Comparator.comparing(model -> !model.isMixed()))
                .toList();
    }

    private static Model model(List<DeviceFirmware> devices) {
        Map<String, List<Long>> versions = devices.stream()
                .collect(Collectors.groupingBy(
                        DeviceFirmware::version,
                        TreeMap::new,
                        Collectors.mapping(DeviceFirmware::nodeGuid, Collectors.toList())));
        List<Version> sorted = versions.entrySet().stream()
                .map(entry -> new Version(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(version -> -version.nodeGuids().size()))
                .toList();
        return new Model(devices.get(0).deviceId(), devices.get(0).psid(), sorted);
    }
}
