package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import io.torussm.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command {@code migrate-conf} on a configuration, LIDs and registrations of OpenSM. */
class MigrateCommandTest extends CommandHarness {
    /** The second range has LMC 2, so its first LID is a multiple of 4. */
    private static final String LIDS = "0x0000000000200060 0x0003 0x0003\n\n0x0000000100000001 0x0004 0x0007\n\n";

    private static final String GROUP_DUMP = """
            MC Group 0xc007 : mgid=0xff12123400000000:0x0000000000000003 port_gid=0xfe80000000000000:0x0000000100000401 \
            qkey=0x00000007 mlid=0xc007 mtu=0x84 tclass=0x00 pkey=0xffff rate=0x87 pkt_life=0x80 sl_flow_hop=0x00000000 \
            scope_state=0x01 proxy_join=0x0

            mcm_port: port_gid=0xfe80000000000000:0x0000000100000401 scope_state=0x01 proxy_join=0x0

            """;

    private String conf = "";

    @BeforeEach
    void writeConf() throws Exception {
        conf = write("opensm.conf", "sm_priority 3\n");
    }

    @Test
    void migrateConfPrintsIfNoFileIsNamed() throws Exception {
        assertMigrates(conf);
        assertThat(out()).contains("sm_priority = 3");
        assertThat(err()).contains("taken over:");
    }

    @Test
    void migrateConfWritesAFileThatTheSmReads() throws Exception {
        String output = dir.resolve("torus-sm.conf").toString();
        assertMigrates(conf, "--output", output);
        assertThat(Path.of(output)).content().contains("sm_priority = 3");
        ConfigurationCheck check = ConfigurationCheck.run("-F", output);
        assertThat(check.code()).as(check.output()).isEqualTo(ExitCode.OK);
    }

    @Test
    void migrateConfRefusesToOverwriteAFile() throws Exception {
        Path output = Files.writeString(dir.resolve("torus-sm.conf"), "");
        assertRefuses("is there already and is not overwritten", conf, "--output", output.toString());
        assertThat(output).isEmptyFile();
    }

    @Test
    void migrateConfWritesTheLidsThatTheSmReads() throws Exception {
        assertMigrates(conf, "--guid2lid", write("old", LIDS), "--state-dir", dir.toString());
        assertThat(err()).contains("LIDs of 2 ports taken over");
        assertThat(dir.resolve("guid2lid")).hasContent(LIDS);
    }

    @Test
    void migrateConfRefusesToOverwriteLids() throws Exception {
        Path present = Files.writeString(dir.resolve("guid2lid"), "");
        assertRefuses(
                present + " is there already", conf, "--guid2lid", write("old", LIDS), "--state-dir", dir.toString());
        assertThat(present).isEmptyFile();
    }

    @Test
    void migrateConfRefusesAMisalignedLid() throws Exception {
        String lids = write("old", LIDS.replace("0x0007", "0x0006"));
        assertRefuses(lids + " is no guid2lid", conf, "--guid2lid", lids, "--state-dir", dir.toString());
        assertThat(err()).contains("aligned");
        assertThat(dir.resolve("guid2lid")).doesNotExist();
    }

    @Test
    void migrateConfRefusesLidsWithoutAStateDirectory() throws Exception {
        assertRefuses("--state-dir DIR, belong together", conf, "--guid2lid", write("old", LIDS));
    }

    @Test
    void migrateConfWritesTheGroupsThatTheSmReads() throws Exception {
        assertMigrates(conf, "--sa-dump", write("opensm-sa.dump", GROUP_DUMP), "--state-dir", dir.toString());
        assertThat(err())
                .contains("1 multicast groups with 1 members, 0 services, 0 event subscriptions, 0 alias GUIDs taken"
                        + " over");
        assertThat(dir.resolve("sa-state")).content().contains("MLID=0xc007").contains("member 0xfe80000000000000:");
        assertThat(MigratedFilesTest.mode(dir.resolve("sa-services"))).isEqualTo("rw-------");
    }

    @Test
    void migrateConfWritesNoServicesIfTheGroupsExist() throws Exception {
        Path present = Files.writeString(dir.resolve("sa-state"), "");
        String dump = write("opensm-sa.dump", GROUP_DUMP);
        assertRefuses(present + " is there already", conf, "--sa-dump", dump, "--state-dir", dir.toString());
        assertThat(dir.resolve("sa-services")).as("all or nothing").doesNotExist();
        assertThat(present).isEmptyFile();
    }

    @Test
    void migrateConfRefusesADumpWithoutAStateDirectory() throws Exception {
        assertRefuses("--state-dir DIR, belong together", conf, "--sa-dump", write("opensm-sa.dump", GROUP_DUMP));
    }

    @Test
    void migrateConfRefusesAnAbsentFile() throws Exception {
        assertRefuses("there is no such file", dir.resolve("absent").toString());
    }

    @Test
    void migrateConfRefusesToRunWithoutAFile() throws Exception {
        assertRefuses("Missing required parameter: 'FILE'");
    }

    @Test
    void migrateConfRefusesOptionsOfTheSm() throws Exception {
        assertThat(run("-Q", "migrate-conf", conf)).as(err()).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("migrate-conf: there is no option -Q");
    }

    /** The file that the OpenSM of this machine writes, comments and all. */
    @Test
    @Tag("interop")
    void migrateConfReadsTheFileOfOpenSm() throws Exception {
        Path written = dir.resolve("opensm-written.conf");
        Process opensm = new ProcessBuilder(Programs.requireProgram("opensm"), "-c", written.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(opensm.waitFor(1, TimeUnit.MINUTES)).as("opensm ends").isTrue();
        assertThat(opensm.exitValue()).as("exit status of opensm").isZero();
        assertMigrates(written.toString());
        assertThat(err())
                .contains("left at OpenSM's default, which is ours too")
                .doesNotContain("set, but without a counterpart");
    }

    private void assertMigrates(String... arguments) throws Exception {
        ExitCode code = migrate(arguments);
        assertThat(code).as(err()).isEqualTo(ExitCode.OK);
    }

    private void assertRefuses(String message, String... arguments) throws Exception {
        ExitCode code = migrate(arguments);
        assertThat(code).as(err()).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(message);
    }

    private ExitCode migrate(String... arguments) throws Exception {
        return run(Stream.concat(Stream.of("migrate-conf"), Arrays.stream(arguments))
                .toArray(String[]::new));
    }

    private String write(String name, String text) throws Exception {
        return Files.writeString(dir.resolve(name), text).toString();
    }
}
