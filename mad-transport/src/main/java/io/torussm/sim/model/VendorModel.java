package io.torussm.sim.model;

import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * The vendor attributes of a device. Immutable.
 *
 * @param capabilities bits of GeneralInfo, 0 to 127; empty if the device rejects the attribute
 * @param vports virtual ports of each port of a channel adapter
 * @param firmware version that the vendor class reports, such as {@code 28.39.1002}; empty without an agent of this
 *     class
 */
public record VendorModel(List<Integer> capabilities, VPortModel vports, String firmware) {
    /** No vendor attributes. */
    public static final VendorModel NONE = new VendorModel(List.of(), VPortModel.NONE, "");

    /** Copies the list. */
    public VendorModel {
        capabilities = List.copyOf(capabilities);
    }

    /** Returns a copy with one more capability in GeneralInfo. */
    public VendorModel announcing(int capability) {
        List<Integer> more = new ArrayList<>(capabilities);
        more.add(capability);
        return new VendorModel(more, vports, firmware);
    }

    /** Returns a copy with other virtual ports, announced in GeneralInfo. */
    public VendorModel with(VPortModel newVPorts) {
        return new VendorModel(capabilities, newVPorts, firmware)
                .announcing(GeneralInfo.VIRTUALIZATION)
                .announcing(GeneralInfo.VPORT_GUID_INFO);
    }

    /** Returns a copy with other firmware. */
    public VendorModel withFirmware(String version) {
        return new VendorModel(capabilities, vports, version);
    }

    /** Returns a copy without virtual ports, which a switch cannot have. */
    public VendorModel ofSwitch() {
        return new VendorModel(capabilities, VPortModel.NONE, firmware);
    }

    /** Returns GeneralInfo with the capabilities. */
    public GeneralInfo generalInfo() {
        return GeneralInfo.of(capabilities.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Returns a copy of PortInfo that announces virtual ports, if the device has them. */
    public PortInfo applyTo(PortInfo info) {
        return vports.count() == 0
                ? info
                : info.with(
                        PortInfo.CAPABILITY_MASK2, info.get(PortInfo.CAPABILITY_MASK2) | PortInfo.CAP2_VIRTUALIZATION);
    }
}
