package io.torussm.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.congestion.CongestionSettings;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.ServedFabric;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of devices of the embedded fabric after OpenSM, beside those of this program for the same options. */
@Tag("interop")
class CongestionOpenSmTest {
    private static final Path TWO_HOSTS = Path.of("../mad-transport/src/test/resources/ibsim/two-hosts.topo");
    private static final String TABLE =
            IntStream.range(0, 70).mapToObj(i -> i % 4 + ":" + i).collect(Collectors.joining(","));

    @TempDir
    Path directory;

    @Test
    void theSameOptionsMakeTheSameBytes() throws Exception {
        Path conf = Files.writeString(directory.resolve("opensm.conf"), """
                congestion_control TRUE
                cc_sw_cong_setting_control_map 0x1f
                cc_sw_cong_setting_victim_mask 0x1fe
                cc_sw_cong_setting_credit_mask 0x6
                cc_sw_cong_setting_threshold 0xf
                cc_sw_cong_setting_packet_size 8
                cc_sw_cong_setting_credit_starvation_threshold 5
                cc_sw_cong_setting_credit_starvation_return_delay 1:16
                cc_sw_cong_setting_marking_rate 100
                cc_ca_cong_setting_port_control 1
                cc_ca_cong_setting_control_map 0xffff
                cc_ca_cong_setting_ccti_timer 0 150
                cc_ca_cong_setting_ccti_timer 15 151
                cc_ca_cong_setting_ccti_increase 0 1
                cc_ca_cong_setting_trigger_threshold 1 9
                cc_ca_cong_setting_ccti_min 1 2
                cc_cct\s""" + TABLE + "\n");
        CongestionOptions options = new CongestionOptions(
                true,
                0,
                500,
                new CongestionOptions.Marking(
                        0x1f,
                        CongestionOptions.mask("0x1fe"),
                        BigInteger.valueOf(6),
                        15,
                        8,
                        5,
                        CongestionOptions.delay("1:16"),
                        100),
                new CongestionOptions.Reaction(
                        1,
                        0xffff,
                        CongestionOptions.bySl("0:150,15:151", 0xffff),
                        CongestionOptions.bySl("0:1", 0xff),
                        CongestionOptions.bySl("1:9", 0xff),
                        CongestionOptions.bySl("1:2", 0xff)),
                CongestionOptions.table(TABLE));
        DeviceModels models = DeviceModels.PERFECT.with(
                node -> true, model -> model.counters(each -> each.withCongestion(CongestionProfile.DEFAULT)));
        try (ServedFabric fabric = ServedFabric.start(TWO_HOSTS, models)) {
            ProcessBuilder opensm = fabric.client(
                    "H-0000000000100000",
                    List.of(Programs.requireProgram("opensm"), "-o", "-F", conf.toString(), "-f", "opensm.log"),
                    directory);
            opensm.environment().put("OSM_TMP_DIR", directory.toString());
            opensm.environment().put("OSM_CACHE_DIR", directory.toString());
            IbSim.ProgramResult ended = IbSim.run(opensm);
            assertThat(ended.status()).as(ended.text()).isZero();
            CongestionSettings ofSwitch = fabric.query(sim -> sim.portCounters().congestion(0x200000, 0))
                    .settings();
            assertThat(ofSwitch.ofSwitch()).isEqualTo(options.marking().attribute());
            for (long guid : new long[] {0x100000, 0x100010}) {
                CongestionSettings host = fabric.query(sim -> sim.portCounters().congestion(guid, 1))
                        .settings();
                assertThat(host.ofAdapter()).isEqualTo(options.reaction().attribute());
                assertThat(List.of(host.table(0), host.table(1))).isEqualTo(options.table());
            }
        }
    }
}
