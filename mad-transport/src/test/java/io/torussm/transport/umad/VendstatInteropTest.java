package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.model.DeviceModels;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.ServedFabric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Firmware of the embedded fabric as vendstat shows it. ibsim has no such agents. */
@Tag("interop")
class VendstatInteropTest {
    private static final Path TWO_HOSTS = Path.of("src/test/resources/ibsim/two-hosts.topo");
    private static final String HOST = "H-0000000000100000";
    private static final String SWITCH_LID = "7";
    private static final String HOST_LID = "5";

    @TempDir
    Path directory;

    private IbSim.ProgramResult vendstat(ServedFabric fabric, String lid) throws Exception {
        return IbSim.run(fabric.client(HOST, List.of(Programs.requireProgram("vendstat"), "-N", lid), directory));
    }

    private ServedFabric start(DeviceModels models) throws Exception {
        String text = Files.readString(TWO_HOSTS).replace("devid=0x2", "devid=0x101b");
        ServedFabric fabric = ServedFabric.start(Files.writeString(directory.resolve("fabric.topo"), text), models);
        IbSim.ProgramResult ended = IbSim.run(fabric.client(HOST, IbSim.java(PerfProbe.class.getName()), directory));
        assertThat(ended.status()).as(ended.text()).isZero();
        return fabric;
    }

    @Test
    void versionsOfBothFormsAreShown() throws Exception {
        try (ServedFabric fabric = start(DeviceModels.PERFECT.with(
                node -> true, model -> model.vendor(vendor -> vendor.withFirmware("28.39.1002"))))) {
            assertThat(vendstat(fabric, HOST_LID).text())
                    .as("of a DeviceID with the extended form")
                    .contains("hw_dev_id:   0x101b", "fw_version:  28.39.1002", "fw_psid:     'SIM_0000000001'");
            assertThat(vendstat(fabric, SWITCH_LID).text())
                    .as("of another DeviceID, in bytes")
                    .contains("fw_version:  28.39.234");
        }
    }

    @Test
    void aDeviceWithoutThatAgentHasNoFirmware() throws Exception {
        try (ServedFabric fabric = start(DeviceModels.PERFECT)) {
            assertThat(vendstat(fabric, HOST_LID).text()).doesNotContain("fw_version");
        }
    }
}
