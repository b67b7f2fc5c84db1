package io.torussm.daemon.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.migration.ConvertedConf;
import io.torussm.daemon.config.migration.OpenSmMigration;
import io.torussm.registration.SaContents;
import io.torussm.subnet.VPortLids;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files from which OpenSM continues the work of this SM. The migration of opensm.conf back gives the same settings.
 */
class OpenSmFilesTest {
    @TempDir
    Path dir;

    private Path state = Path.of("");
    private VPortLids vports = VPortLids.NONE;

    @BeforeEach
    void makeState() throws Exception {
        state = Files.createDirectories(dir.resolve("state"));
    }

    @Test
    void writtenStateFilesHaveOneKeyForEachPortAndNoLinesOfTorusSm() throws Exception {
        Files.writeString(
                state.resolve("guid2lid"), "# torus-sm guid2lid version 1\n\n0x01 0x0001 0x0001\n\n# end crc32c 0x0\n");
        Files.writeString(state.resolve("guid2mkey"), "# torus-sm\n\n0x01 0x0a\n\n0x01 0x0b\n\n0x02 0x0a\n\n# end\n");
        OpenSmFiles.WriteResult all = write(options("sm_priority = 3"), "");
        assertThat(all.files()).containsExactly("guid2lid", "guid2mkey", "neighbors", "opensm-sa.dump", "opensm.conf");
        assertThat(readWritten("guid2lid")).isEqualTo("0x01 0x0001 0x0001\n\n");
        assertThat(readWritten("guid2mkey")).isEqualTo("0x01 0x0a\n\n0x02 0x0a\n\n");
        assertThat(readWritten("neighbors")).isEmpty();
        assertThat(dir.resolve("opensm/opensm.conf.tmp")).doesNotExist();
    }

    @Test
    void theWrittenConfigurationHasTheSameSettings() throws Exception {
        SmOptions options = options(
                "routing_engine = \"torus-2QoS\"",
                "torus_config = \"/etc/torus-sm/torus-2QoS.conf\"",
                "qos = true",
                "sm_priority = 9",
                "lmc = 1",
                "m_key = 0x1122334455667788",
                "m_key_protection_level = 2",
                "subnet_prefix = 0xfe80000000000007",
                "partition_config_file = \"/etc/torus-sm/partitions.conf\"");
        write(options, "torus-2QoS");
        assertThat(readWritten("opensm.conf").lines())
                .contains(
                        "routing_engine torus-2QoS",
                        "torus_config /etc/torus-sm/torus-2QoS.conf",
                        "qos TRUE",
                        "sm_priority 9",
                        "lmc 1",
                        "m_key 0x1122334455667788",
                        "m_key_protection_level 2",
                        "subnet_prefix 0xfe80000000000007",
                        "partition_config_file /etc/torus-sm/partitions.conf",
                        "honor_guid2lid_file TRUE",
                        "qos_vlarb_low 0:64,1:64",
                        "sa_db_file " + dir.resolve("opensm/opensm-sa.dump"))
                .noneMatch(line -> line.startsWith("max_wire_smps"));
    }

    @Test
    void anEngineThatOpenSmLacksIsWrittenAsTheOneItChose() throws Exception {
        write(options("routing_engine = \"auto\"", "qos_vlarb_low = \"0:7\"", "qos = true"), "updn");
        assertThat(readWritten("opensm.conf"))
                .contains("routing_engine updn\n", "qos_vlarb_low 0:7\n")
                .doesNotContain("qos_swe_vlarb_low");
    }

    /** There and back. */
    @Test
    void aMigrationBackGivesTheSameSettings() throws Exception {
        SmOptions options = options(
                "routing_engine = \"updn\"",
                "qos = true",
                "sm_priority = 9",
                "lmc = 2",
                "m_key = 0x5",
                "congestion_control = true",
                "cc_sw_cong_setting_credit_starvation_return_delay = \"1:2\"",
                "cc_ca_cong_setting_ccti_timer = \"1:5,2:7\"",
                "cc_cct = \"0:1,1:2\"",
                "subnet_timeout = 17");
        write(options, "updn");
        assertThat(readWritten("opensm.conf"))
                .contains("cc_ca_cong_setting_ccti_timer 1 5\ncc_ca_cong_setting_ccti_timer 2 7\n");
        ConvertedConf back = OpenSmMigration.toPrint(dir.resolve("opensm/opensm.conf"));
        SmOptions again = options(back.text().lines().toArray(String[]::new));
        assertThat(again.values().changed(options.values()).stream()
                        .map(Object::toString)
                        .toList())
                .isEqualTo(List.of());
    }

    @Test
    void namesTheLidsOfVirtualPortsThatOpenSmHasNoFileFor() throws Exception {
        vports = VPortLids.NONE.with(0x77, new VPortLids.VPortLid(40, 0x42, true));
        assertThat(write(options(), "minhop").leftOut()).anySatisfy(line -> assertThat(line)
                .startsWith("LIDs of 1 virtual ports, such as 40 of 0x0000000000000077: no public"));
    }

    private SmOptions options(String... lines) throws Exception {
        return Configuration.read(Files.writeString(dir.resolve("torus-sm.conf"), String.join("\n", lines)), Map.of());
    }

    private OpenSmFiles.WriteResult write(SmOptions options, String engine) throws Exception {
        return OpenSmFiles.write(
                dir.resolve("opensm"),
                new OpenSmFiles.Legacy(
                        options,
                        engine,
                        SaContents.NONE,
                        guid -> 0x77 == guid ? 40 : 0,
                        vports,
                        state,
                        1_795_609_800L));
    }

    private String readWritten(String name) throws Exception {
        Path file = dir.resolve("opensm").resolve(name);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        return Files.readString(file);
    }
}
