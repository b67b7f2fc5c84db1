package io.torussm.sim.agent;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.firmware.FirmwareInfo;
import io.torussm.sim.model.VendorModel;
import io.torussm.sim.topology.Topology;
import java.util.Arrays;

/** The agent of the vendor class 0x0A, with the attributes that {@code vendstat -N} requests. */
public final class FirmwareAgent {
    private static final String PSID = "SIM_0000000001";

    private FirmwareAgent() {}

    /** Checks whether a device answers requests of a class in this way. */
    public static boolean isForAgent(VendorModel device, int mgmtClass) {
        return mgmtClass == MgmtClass.MELLANOX && !device.firmware().isEmpty();
    }

    /** Answers a request in its own bytes. Returns the status. */
    public static int answer(VendorModel device, Topology.Node node, byte[] mad) {
        if (MadHeader.CLASS_VERSION.get(mad, 0) != FirmwareInfo.CLASS_VERSION) {
            return MadStatus.UNSUPPORTED_VERSION;
        } else if (MadHeader.method(mad) != Method.GET) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        } else if (MadHeader.attributeId(mad) == ClassPortInfo.TYPE.id()) {
            ClassPortInfo.TYPE
                    .zero()
                    .with(ClassPortInfo.BASE_VERSION, 1)
                    .with(ClassPortInfo.CLASS_VERSION, FirmwareInfo.CLASS_VERSION)
                    .write(mad, FirmwareInfo.CLASS_PORT_INFO_OFFSET);
            return MadStatus.OK;
        } else if (MadHeader.attributeId(mad) != FirmwareInfo.TYPE.id()) {
            return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }
        int[] version = Arrays.stream(device.firmware().split("\\."))
                .mapToInt(Integer::parseInt)
                .toArray();
        FirmwareInfo.of(node.identity().deviceId(), PSID, version[0], version[1], version[2])
                .write(mad, FirmwareInfo.DATA_OFFSET);
        return MadStatus.OK;
    }
}
