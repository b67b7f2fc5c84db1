package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.ServedFabric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Congestion control of the embedded fabric as ibccconfig sets it and ibccquery shows it. ibsim has no such agents.
 */
@Tag("interop")
class CongestionInteropTest {
    private static final Path TWO_HOSTS = Path.of("src/test/resources/ibsim/two-hosts.topo");

    /** The host of the programs, by its node ID. */
    private static final String HOST = "H-0000000000100000";

    private static final long SWITCH_GUID = 0x200000;
    private static final String SWITCH_LID = "7";
    private static final long OTHER_HOST_GUID = 0x100010;
    private static final String HOST_LID = "5";
    private static final HexFormat HEX = HexFormat.of();

    @TempDir
    Path directory;

    private String run(ServedFabric fabric, String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.requireProgram(program)));
        command.addAll(List.of(arguments));
        IbSim.ProgramResult ended = IbSim.run(fabric.client(HOST, command, directory));
        assertThat(ended.status()).as(ended.text()).isZero();
        return ended.text();
    }

    /** Starts a fabric with LIDs and active links. */
    private ServedFabric start() throws Exception {
        ServedFabric fabric = ServedFabric.start(
                TWO_HOSTS,
                DeviceModels.PERFECT.with(
                        node -> true,
                        model -> model.counters(counters -> counters.withCongestion(CongestionProfile.DEFAULT))));
        IbSim.ProgramResult ended = IbSim.run(fabric.client(HOST, IbSim.java(PerfProbe.class.getName()), directory));
        assertThat(ended.status()).as(ended.text()).isZero();
        return fabric;
    }

    private static CongestionAgent agent(ServedFabric fabric, long guid, int port) throws Exception {
        return fabric.query(sim -> sim.portCounters().congestion(guid, port));
    }

    @Test
    void aSwitchCongestionSettingIsSetAndShown() throws Exception {
        try (ServedFabric fabric = start()) {
            run(fabric, "ibccconfig", "SS", SWITCH_LID, "0x1F", "0xfe", "0x0", "0xF", "8", "5", "1:16", "100");
            CongestionAgent agent = agent(fabric, SWITCH_GUID, 0);
            assertThat(HEX.formatHex(agent.settings().ofSwitch().toBytes()))
                    .isEqualTo("0000001f" + "00".repeat(31) + "fe" + "00".repeat(32) + "f008500040100064");
            assertThat(run(fabric, "ibccquery", "SS", SWITCH_LID))
                    .contains("Control_Map:.....................0x0000001f", "Threshold:.......................0x0f")
                    .contains("CS_ReturnDelay:..................0x4010", "Marking_Rate:....................100");
        }
    }

    @Test
    void aCaCongestionSettingIsSetAndShown() throws Exception {
        try (ServedFabric fabric = start()) {
            run(fabric, "ibccconfig", "CS", HOST_LID, "1", "0x3", "150", "1", "0", "0");
            CongestionAgent agent = agent(fabric, OTHER_HOST_GUID, 1);
            assertThat(HEX.formatHex(agent.settings().ofAdapter().toBytes()))
                    .isEqualTo("00010003" + "0096010000000000".repeat(2) + "00".repeat(112));
            assertThat(run(fabric, "ibccquery", "CS", HOST_LID))
                    .contains("Port_Control:....................0x0001", "CCTI_Timer:......................150");
        }
    }

    @Test
    void aCongestionControlTableIsSetAndShown() throws Exception {
        try (ServedFabric fabric = start()) {
            run(fabric, "ibccconfig", "CT", HOST_LID, "2", "0", "0:0", "3:5", "1:16");
            CongestionAgent agent = agent(fabric, OTHER_HOST_GUID, 1);
            assertThat(HEX.formatHex(agent.settings().table(0).toBytes()))
                    .isEqualTo("000200000000c0054010" + "00".repeat(122));
            assertThat(run(fabric, "ibccquery", "CT", HOST_LID))
                    .contains("CCTI_Limit:......................2", "CCT_Multiplier:..................16");
        }
    }

    @Test
    void aSwitchPortCongestionSettingIsSetAndShown() throws Exception {
        try (ServedFabric fabric = start()) {
            run(fabric, "ibccconfig", "SP", SWITCH_LID, "3", "1", "0", "15", "8", "1");
            assertThat(run(fabric, "ibccquery", "SP", SWITCH_LID, "3"))
                    .contains("Valid:...........................1", "Threshold:.......................0x0f");
        }
    }

    @Test
    void theOtherAttributesAreShown() throws Exception {
        try (ServedFabric fabric = start()) {
            assertThat(run(fabric, "ibccquery", "CP", SWITCH_LID)).contains("ClassVersion:....................2");
            assertThat(run(fabric, "ibccquery", "CI", HOST_LID)).contains("ControlTableCap:.................2");
            assertThat(run(fabric, "ibccquery", "CL", SWITCH_LID)).contains("LogType:.........................1");
            assertThat(run(fabric, "ibccquery", "TI", SWITCH_LID)).contains("Timestamp:");
        }
    }

    @Test
    void aKeyIsShownOnlyToRequestsThatHaveIt() throws Exception {
        try (ServedFabric fabric = start()) {
            run(fabric, "ibccconfig", "CK", SWITCH_LID, "0x77", "1", "60", "0");
            run(fabric, "ibccconfig", "-c", "0x77", "CK", SWITCH_LID, "0x0011223344556677", "1", "60", "5");
            CongestionKeyInfo key = agent(fabric, SWITCH_GUID, 0).key();
            assertThat(HEX.formatHex(key.toBytes())).isEqualTo("00112233445566778000003c0000");
            assertThat(run(fabric, "ibccquery", "CK", SWITCH_LID))
                    .contains("CC_Key:..........................0x0000000000000000");
            assertThat(run(fabric, "ibccquery", "-c", "0x0011223344556677", "CK", SWITCH_LID))
                    .contains("CC_Key:..........................0x0011223344556677");
        }
    }
}
