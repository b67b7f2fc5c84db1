package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.ConfigurationCheck;
import io.torussm.daemon.config.files.ServiceAccount;
import io.torussm.daemon.system.ExitCode;
import io.torussm.testing.Programs;
import io.torussm.transport.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code migrate-conf}, which makes the configuration and the state of this SM from files of OpenSM. */
class MigrateCommandTest {
    private static final String LIDS = "0x0000000000200060 0x0003 0x0003\n\n0x0000000100000001 0x0004 0x0007\n\n";

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

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
                .contains("1 multicast groups with 1 members, 0 services, 0 event subscriptions, 0 alias GUIDs taken"
                        + " over");
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
    void refusesOtherFilesThanGuid2lidAndBadUsage() throws Exception {
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
        new ProcessBuilder(Programs.requireProgram("opensm"), "-c", conf.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        assertThat(run("migrate-conf", conf.toString())).isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("set, but without a counterpart");
    }

    @Test
    void copiesTheFilesThatTheConfigurationNames() throws Exception {
        Path there = Files.createDirectory(dir.resolve("opensm"));
        Path here = Files.createDirectory(dir.resolve("here"));
        for (String name : List.of("roots", "compute", "io", "ids", "names", "weights", "order", "parts", "kept")) {
            Files.writeString(there.resolve(name), "# " + name + "\n");
            Files.setPosixFilePermissions(there.resolve(name), PosixFilePermissions.fromString("rw-r--r--"));
        }
        Files.setPosixFilePermissions(there.resolve("roots"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(here.resolve("kept"), "mine");
        Path packaged = Files.writeString(here.resolve("torus-sm.conf"), "");
        Files.setPosixFilePermissions(packaged, PosixFilePermissions.fromString("rw-rw-r--"));
        Path output = here.resolve("new.conf");
        String conf = file(
                "opensm.conf",
                String.join(
                        "\n",
                        "root_guid_file " + there.resolve("roots"),
                        "cn_guid_file " + there.resolve("compute"),
                        "io_guid_file " + there.resolve("io"),
                        "ids_guid_file " + there.resolve("ids"),
                        "guid_routing_order_file " + there.resolve("kept"),
                        "node_name_map_name " + there.resolve("names"),
                        "hop_weights_file " + there.resolve("weights"),
                        "dimn_ports_file " + there.resolve("order"),
                        "partition_config_file " + there.resolve("parts"),
                        "lfts_file " + there.resolve("absent")));
        assertThat(run("migrate-conf", conf, "--output", output.toString())).isEqualTo(ExitCode.OK);
        assertThat(mode(output)).isEqualTo("rw-rw-r--");
        for (String name : List.of("roots", "compute", "io", "ids", "names", "weights", "order")) {
            assertThat(here.resolve(name)).hasContent("# " + name + "\n");
            assertThat(output).content().contains(" = \"" + here.resolve(name) + "\"");
        }
        assertThat(here.resolve("partitions.conf")).hasContent("# parts\n");
        assertThat(output).content().contains("partition_config_file = \"" + here.resolve("partitions.conf") + "\"");
        assertThat(mode(here.resolve("roots"))).isEqualTo("rw-r-----");
        assertThat(mode(here.resolve("compute"))).isEqualTo("rw-r--r--");
        assertThat(here.resolve("kept")).as("not overwritten").hasContent("mine");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(there.resolve("roots") + " copied to " + here.resolve("roots"))
                .contains(here.resolve("kept") + " is there already and is not overwritten, but differs")
                .contains(there.resolve("absent") + " is not there, or no file; once it is: install -m 0644 ");
    }

    @Test
    void keepsGroupAndModeOfAFileThatOthersCannotRead() throws Exception {
        Path packaged = Files.writeString(dir.resolve("torus-sm.conf"), "");
        Files.setPosixFilePermissions(packaged, PosixFilePermissions.fromString("rw-rw----"));
        Path output = dir.resolve("new.conf");
        assertThat(run("migrate-conf", file("opensm.conf", "m_key 0x5\n"), "--output", output.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(mode(output)).isEqualTo("rw-rw----");
        assertThat(Files.getAttribute(output, "posix:group")).isEqualTo(Files.getAttribute(packaged, "posix:group"));
    }

    /** The package of EL has the output of "opensm -c" with its own directory, that of SLES the upstream one. */
    @ParameterizedTest
    @ValueSource(strings = {"rdma", "opensm"})
    void theFileOfADistributionNamesNoFileThatIsNotThere(String directory) throws Exception {
        String conf = file("opensm.conf", """
                partition_config_file /etc/%1$s/partitions.conf
                qos_policy_file /etc/%1$s/qos-policy.conf
                prefix_routes_file /etc/%1$s/prefix-routes.conf
                torus_config /etc/%1$s/torus-2QoS.conf
                per_module_logging_file /etc/%1$s/per-module-logging.conf
                sm_priority 3
                """.formatted(directory));
        Path output = dir.resolve("torus-sm.conf");
        assertThat(run("migrate-conf", conf, "--output", output.toString())).isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("sm_priority")
                .doesNotContain("is not there")
                .doesNotContain("per_module_logging_file /etc");
        assertThat(output).content().contains("sm_priority = 3").doesNotContain("partition_config_file");
        assertThat(run("--check-config", "-F", output.toString())).isEqualTo(ExitCode.OK);
    }

    /** As root all can be read, and the service then cannot. */
    @Test
    void namesFilesThatTheServiceCannotRead() throws Exception {
        Path roots = Files.writeString(dir.resolve("roots"), "");
        Files.setPosixFilePermissions(roots, PosixFilePermissions.fromString("rw-r-----"));
        Path conf = Files.writeString(dir.resolve("torus-sm.conf"), "root_guid_file = \"" + roots + "\"\n");
        Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
        SmOptions options = Configuration.read(conf, Map.of());
        GroupPrincipal group = (GroupPrincipal) Files.getAttribute(roots, "posix:group");
        assertThat(ConfigurationCheck.unreadable(new ServiceAccount("absent-user", group.getName()), conf, options))
                .isEmpty();
        assertThat(ConfigurationCheck.unreadable(new ServiceAccount("absent-user", "another"), conf, options))
                .singleElement()
                .asString()
                .contains("user absent-user cannot read " + roots + " (rw-r-----")
                .contains("chgrp another " + roots);
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
        assertThat(ConfigurationCheck.unreadable(new ServiceAccount("absent-user", "another"), conf, options))
                .singleElement()
                .asString()
                .contains("may not enter " + dir);
    }

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

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
