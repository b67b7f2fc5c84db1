package io.torussm.daemon.config.files;

import io.torussm.sim.model.VendorModel;
import java.util.Set;
import java.util.regex.Pattern;

/** The firmware of one entry of a file of {@link SimulatedDevices}. */
final class SimulatedFirmware {
    static final Set<String> KEYS = Set.of("firmware");

    private static final Pattern VERSION = Pattern.compile("\\d{1,2}\\.\\d{1,5}\\.\\d{1,5}");

    private SimulatedFirmware() {}

    /** Returns the vendor attributes of a device with the firmware of an entry. */
    static VendorModel change(VendorModel previous, HoconObject entry) {
        if (!entry.has("firmware")) {
            return previous;
        }
        String version = entry.text("firmware");
        if (!VERSION.matcher(version).matches()) {
            entry.addProblem("firmware", "is a version such as 28.39.1002, not \"" + version + "\"");
            return previous;
        }
        return previous.withFirmware(version);
    }
}
