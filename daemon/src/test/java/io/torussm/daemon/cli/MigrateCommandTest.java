package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ExitCode;
import io.torussm.testing.Programs;
import io.torussm.transport.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateCommandTest {
    private static final String LIDS = "0x0000000000200060 0x0003 0x0003\n\n0x0000000100000001 0x0004 0x0007\n\n";

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private ExitCode run(String... arguments) throws InterruptedException {
        out.reset();
        err.reset();
        return Main.run(
                arguments,
                (options, host) -> {
                    throw new TransportException("no port in this test");
                },
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String file(String name, String text) throws Exception {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    @Test
    void printsOrWritesAndNeverOverwrites() throws Exception {
        String conf = file("opensm.conf", "sm_priority 3\n");
        assertThat(run("migrate-conf", conf)).isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("sm_priority = 3");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("taken over:");
        Path output = dir.resolve("torus-sm.conf");
        assertThat(run("migrate-conf", conf, "--output", output.toString())).isEqualTo(ExitCode.OK);
        assertThat(output).content().contains("sm_priority = 3");
        assertThat(run("--check-config", "-F", output.toString())).isEqualTo(ExitCode.OK);
        assertThat(run("migrate-conf", conf, "--output", output.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("is there already and is not overwritten");
    }

    @Test
    void keepsKeysFromOthers() throws Exception {
        Path output = dir.resolve("torus-sm.conf");
        String conf = file("opensm.conf", "m_key 0x1122334455667788\n");
        assertThat(run("migrate-conf", conf, "--output", output.toString())).isEqualTo(ExitCode.OK);
        assertThat(output).content().contains("m_key = 0x1122334455667788");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(output)))
                .isEqualTo("rw-r-----");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("it holds keys")
                .doesNotContain("1122334455667788");
    }

    @Test
    void takesOverLidsThatTheDaemonReads() throws Exception {
        String conf = file("opensm.conf", "sm_priority 3\n");
        String lids = file("old", LIDS);
        assertThat(run("migrate-conf", conf, "--guid2lid", lids, "--state-dir", dir.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("LIDs of 2 ports taken over");
        assertThat(dir.resolve("guid2lid")).hasContent(LIDS);
        assertThat(run("migrate-conf", conf, "--guid2lid", lids, "--state-dir", dir.toString()))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    @Test
    void takesOverGroupsThatTheDaemonReads() throws Exception {
        String conf = file("opensm.conf", "sm_priority 3\n");
        String dump = file("opensm-sa.dump", """
                MC Group 0xc007 : mgid=0xff12123400000000:0x0000000000000003 port_gid=0xfe80000000000000:0x0000000100000401 \
                qkey=0x00000007 mlid=0xc007 mtu=0x84 tclass=0x00 pkey=0xffff rate=0x87 pkt_life=0x80 sl_flow_hop=0x00000000 \
                scope_state=0x01 proxy_join=0x0

                mcm_port: port_gid=0xfe80000000000000:0x0000000100000401 scope_state=0x01 proxy_join=0x0

                """);
        assertThat(run("migrate-conf", conf, "--sa-dump", dump, "--state-dir", dir.toString()))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(
                        "1 multicast groups with 1 members, 0 services, 0 event subscriptions, 0 alias GUIDs taken over");
        assertThat(dir.resolve("sa-state")).content().contains("MLID=0xc007").contains("member 0xfe80000000000000:");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("sa-services"))))
                .isEqualTo("rw-------");
        Files.delete(dir.resolve("sa-services"));
        assertThat(run("migrate-conf", conf, "--sa-dump", dump, "--state-dir", dir.toString()))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("sa-state is there already");
        assertThat(dir.resolve("sa-services")).as("all or nothing").doesNotExist();
        assertThat(run("migrate-conf", conf, "--sa-dump", dump)).isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    @Test
    void refusesWhatIsNoGuid2lidAndBadUsage() throws Exception {
        String conf = file("opensm.conf", "sm_priority 3\n");
        String lids = file("old", LIDS.replace("0x0007", "0x0006"));
        assertThat(run("migrate-conf", conf, "--guid2lid", lids, "--state-dir", dir.toString()))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("is no guid2lid")
                .contains("aligned");
        assertThat(dir.resolve("guid2lid")).doesNotExist();
        assertThat(run("migrate-conf", conf, "--guid2lid", lids)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(run("migrate-conf", dir.resolve("absent").toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("there is no such file");
        assertThat(run("-Q", "migrate-conf", conf)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(run("migrate-conf")).isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    @Test
    void printsTheCompletionOfItsOptionsAndWords() throws Exception {
        assertThat(run("generate-completion")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--routing_engine", "--check-config", "migrate-conf", "--guid2lid", "complete -F");
    }

    /** The file that the OpenSM of this machine writes, comments and all. */
    @Test
    @Tag("interop")
    void readsWhatOpenSmWrites() throws Exception {
        Path conf = dir.resolve("opensm.conf");
        new ProcessBuilder(Programs.need("opensm"), "-c", conf.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        assertThat(run("migrate-conf", conf.toString())).isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("set, but without a counterpart");
    }
}
