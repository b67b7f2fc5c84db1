package io.torussm.daemon.control;

import io.torussm.fabric.Fabric;
import io.torussm.firmware.FirmwareCensus;
import io.torussm.mad.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The firmware of the devices of one kind, by name. Devices choose their answers, so the lists are limited.
 *
 * @param deviceId NodeInfo.DeviceID
 * @param psid kind of board; empty if the devices report none
 * @param versions the most frequent ones, that of most devices first
 * @param more number of further versions that are not listed
 */
public record FirmwareKind(String deviceId, String psid, List<FirmwareVersion> versions, int more) {
    /** Kinds that are listed. */
    private static final int MAX_KINDS = 100;

    private static final int MAX_VERSIONS = 8;
    private static final int MAX_NAMES = 3;

    public FirmwareKind {
        versions = List.copyOf(versions);
    }

    /**
     * A version and its devices.
     *
     * @param version version of the firmware
     * @param devices number of devices
     * @param names first few devices; empty for the most frequent version
     */
    public record FirmwareVersion(String version, int devices, List<String> names) {
        public FirmwareVersion {
            names = List.copyOf(names);
        }

        String text() {
            int unnamed = devices - names.size();
            String list = names.isEmpty()
                    ? ""
                    : " (" + String.join(", ", names) + (unnamed > 0 ? " and " + unnamed + " more" : "") + ")";
            return version + " at " + devices + (devices == 1 ? " device" : " devices") + list;
        }
    }

    /**
     * Returns the kinds of devices, those with different versions first.
     *
     * @param fabric fabric that names the devices; null for GUIDs
     */
    public static List<FirmwareKind> of(FirmwareCensus census, @Nullable Fabric fabric) {
        return census.models().stream()
                .limit(MAX_KINDS)
                .map(model -> of(model, fabric))
                .toList();
    }

    private static FirmwareKind of(FirmwareCensus.Model model, @Nullable Fabric fabric) {
        List<FirmwareVersion> versions = new ArrayList<>();
        for (FirmwareCensus.Version version : model.versions()
                .subList(0, Math.min(MAX_VERSIONS, model.versions().size()))) {
            List<String> names = versions.isEmpty()
                    ? List.of()
                    : version.nodeGuids().stream()
                            .limit(MAX_NAMES)
                            .map(guid -> name(fabric, guid))
                            .toList();
            versions.add(
                    new FirmwareVersion(version.version(), version.nodeGuids().size(), names));
        }
        return new FirmwareKind(
                String.format("0x%04x", model.deviceId()),
                model.psid(),
                versions,
                model.versions().size() - versions.size());
    }

    /** Returns the name of a device; its NodeGUID if the fabric lacks it, or is null. */
    public static String name(@Nullable Fabric fabric, long nodeGuid) {
        int node = fabric == null ? Fabric.NONE : fabric.nodeByGuid(nodeGuid);
        return fabric == null || node == Fabric.NONE ? Guid.format(nodeGuid) : fabric.nodeName(node);
    }

    /** Checks whether devices of the kind have different versions. */
    public boolean isMixed() {
        return versions.size() > 1;
    }

    /** Returns one line: {@code 0x101b MT_0000000223: 28.39.1002 at 12 devices, 28.35.2000 at 1 device (node-7)}. */
    public String text() {
        String kind = psid.isEmpty() ? deviceId : deviceId + " " + psid;
        return kind + ": "
                + versions.stream().map(FirmwareVersion::text).collect(Collectors.joining(", "))
                + (more > 0 ? ", and " + more + " more versions" : "");
    }
}
