package io.torussm.firmware;

import java.util.Comparator;

/**
 * The firmware that a device reported.
 *
 * @param nodeGuid NodeGUID
 * @param deviceId NodeInfo.DeviceID
 * @param psid kind of board; empty if the device reports none. Boards of different PSID have different firmware
 * @param version such as {@code 28.39.1002}
 */
public record DeviceFirmware(long nodeGuid, int deviceId, String psid, String version) {
    /** Returns the order of lists: kinds of devices together, and then the devices of a version. */
    static Comparator<DeviceFirmware> order() {
        return Comparator.comparingInt(DeviceFirmware::deviceId)
                .thenComparing(DeviceFirmware::psid)
                .thenComparing(DeviceFirmware::version)
                .thenComparing(DeviceFirmware::nodeGuid, Long::compareUnsigned);
    }
}
