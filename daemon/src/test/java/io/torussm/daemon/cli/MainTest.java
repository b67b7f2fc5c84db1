package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.ReplicaKeys;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.transport.MadClient;
import io.torussm.transport.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command line of {@code torus-sm}: options as those of OpenSM, configuration files, and {@code --check-config}.
 */
class MainTest {
    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void optionsHaveTheNamesOfOpenSm() throws Exception {
        SmOptions options = options(
                "-g",
                "0x10",
                "-R",
                "torus-2QoS,no_fallback",
                "-Q",
                "--torus_config",
                "/t.conf",
                "-p",
                "7",
                "-s",
                "0",
                "-f",
                "stdout",
                "-l",
                "1",
                "-k",
                "0x2",
                "-n",
                "64",
                "-t",
                "100",
                "--retries",
                "5",
                "--subnet_prefix",
                "0xfe80000000000001",
                "-r",
                "--sm_sl",
                "8",
                "--dump_files_dir",
                "/d",
                "--capture",
                "/c.pcap");
        assertThat(options.port().guid()).isEqualTo(16);
        assertThat(options.routing())
                .isEqualTo(new SmOptions.Routing(
                        "torus-2QoS,no_fallback",
                        OnCreditLoop.REFUSE,
                        OnCreditLoop.REFUSE,
                        Map.of("torus-2QoS.torus_config", "/t.conf"),
                        true,
                        8));
        assertThat(options.mastership().priority()).isEqualTo(7);
        assertThat(options.sweeps().intervalS()).isZero();
        assertThat(options.log().logFile()).isNull();
        assertThat(options.sweep().gidPrefix()).isEqualTo(0xfe80_0000_0000_0001L);
        assertThat(options.sweep().lmc()).isEqualTo(1);
        assertThat(options.sweep().lmcEsp0()).isFalse();
        assertThat(options.sweep().reassignLids()).isTrue();
        assertThat(options.mastership().trust().smKey()).isEqualTo(BAD_USAGE);
        assertThat(options.mads()).isEqualTo(new MadClient.Settings(64, 4, 100, 5));
        assertThat(options.files().dumpDir()).isEqualTo(Path.of("/d"));
        assertThat(options.files().capture()).isEqualTo(Path.of("/c.pcap"));
    }

    @Test
    void optionsOfCongestionControlHaveTheNamesOfOpenSm() throws Exception {
        SmOptions options = options("--congestion_control", "--cc_key", "0x5");
        assertThat(options.values().text(Objects.requireNonNull(Settings.ofKey("congestion_control"))))
                .isEqualTo("true");
        assertThat(options.values().text(Objects.requireNonNull(Settings.ofKey("cc_key"))))
                .isEqualTo("0x5");
    }

    @Test
    void theLogLevelFollowsFromFlagsAndVerbosity() throws Exception {
        assertThat(options().log().logLevel()).isEqualTo("info");
        assertThat(options("-v").log().logLevel()).isEqualTo("debug");
        assertThat(options("-vv").log().logLevel()).isEqualTo("trace");
        assertThat(options("-D", "0x03").log().logLevel()).isEqualTo("info");
        assertThat(options("-D", "0x43", "-v").log().logLevel()).isEqualTo("debug");
        assertThat(options("-D", "0x1").log().logLevel()).isEqualTo("error");
        assertThat(options("--log_level", "warn").log().logLevel()).isEqualTo("warn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-F", "-c", "--config"})
    void aConfigurationFileIsReadByEachOfItsOptions(String option) throws Exception {
        Path file = Files.writeString(dir.resolve("a.conf"), "lmc = 3");
        assertThat(options(option, file.toString()).sweep().lmc()).isEqualTo(3);
    }

    @Test
    void theVersionIsPrinted() throws Exception {
        assertThat(run("--version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("torus-sm ");
    }

    @Test
    void theHelpListsOptionsAndExitCodes() throws Exception {
        assertThat(run("-h")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--routing_engine=NAMES")
                .contains("Exit codes:");
    }

    @Test
    void errorsOfUsageAreRefusedWithARemedy() throws Exception {
        assertThat(run("--torus_confg", "x")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--torus_config");
        err.reset();
        assertThat(run("-l", "8")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("option -l: lmc must be 0 to 7, not \"8\"");
        err.reset();
        assertThat(run("-B")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("systemd");
        assertThat(run("--explain", "a,b")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(run("-D", "0x100")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(run("stray")).isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    @Test
    void aConfigurationIsCheckedWithoutAStart() throws Exception {
        assertThat(run("--check-config", "-R", "minhop")).isEqualTo(ExitCode.OK);
        assertOnlyKeysAreMissing();
        assertThat(run("--check-config", "-R", "minhop", "-A")).isEqualTo(ExitCode.OK); // as OpenSM's scripts say it

        assertThat(run("--check-config", "-F", dir.resolve("absent").toString()))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    @Test
    void theProgramForAlertsIsChecked() throws Exception {
        Path conf = Files.writeString(dir.resolve("alerts.conf"), "alert_program = " + dir.resolve("absent") + "\n");
        assertThat(run("--check-config", "-R", "minhop", "-F", conf.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("alert_program: " + dir.resolve("absent"), "chmod +x");
    }

    @Test
    void theTorusConfigurationIsChecked() throws Exception {
        Path conf = dir.resolve("torus-2QoS.conf");
        assertThat(run("--check-config", "--torus_config", conf.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(conf.toString());
        Files.writeString(conf, "torus 5 5 1\nxp_link 0x1\n");
        assertThat(run("--check-config", "--torus_config", conf.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(conf + ":2: ");
        Files.writeString(conf, "torus 5 5 1\nxp_link 0x1 0x2\nyp_link 0x1 0x3\n");
        err.reset();
        assertThat(run("--check-config", "-Q", "--torus_config", conf.toString()))
                .isEqualTo(ExitCode.OK);
        assertOnlyKeysAreMissing();
        assertThat(run("--check-config", "--torus_config", conf.toString())).isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("refuse to route without QoS");
    }

    @Test
    void theKeyOfTheReplicationIsChecked() throws Exception {
        Path key = dir.resolve("key.p12");
        Path file = Files.writeString(
                dir.resolve("torus-sm.conf"),
                "routing_engine = minhop\nreplication_listen = \"127.0.0.1:7800\"\n"
                        + "replication_peers = \"127.0.0.1:7801\"\nreplication_key_file = \"" + key + '"');
        assertThat(run("--check-config", "-F", file.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("replication_key_file: there is no " + key);
        ReplicaKeys.make(dir, "key.p12");
        assertThat(run("--check-config", "-F", file.toString())).isEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "qos_vlarb_low = \"0:4,1:8\" | links between switches (configured qos_vlarb_low)",
                "qos_swe_max_vls = 4 | configured qos_swe_max_vls",
                "qos_rtr_high_limit = 255, qos_rtr_vlarb_high = \"0:1\" | 255 of routers",
                "qos_sl2vl = \"0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7\" | qos_sl2vl is ignored"
            })
    void aQosSettingThatMayBeAMistakeIsAWarning(String setting, String warning) throws Exception {
        Path file = Files.writeString(dir.resolve("torus-sm.conf"), setting + "\nqos = true");
        assertThat(run("--check-config", "--simulate", "torus:3x3x1", "-F", file.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("torus-sm: warning: ", warning);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "qos_vlarb_low = \"0:4,1\"",
                "qos_ca_vlarb_high = \"15:4\"",
                "qos_sw0_high_limit = 256",
                "qos_max_vls = 16",
                "qos_rtr_sl2vl = \"0,1\""
            })
    void aQosSettingThatMakesNoTableIsRefused(String setting) throws Exception {
        Path file = Files.writeString(dir.resolve("torus-sm.conf"), "\n" + setting);
        assertThat(run("--check-config", "-F", file.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(file + ":2: " + setting.replaceFirst(" .*", "") + " must be ");
    }

    @Test
    void torusSmctlPrintsHelpAndVersionWithoutADaemon() {
        String socket = dir.resolve("none.sock").toString();
        InputStream nothing = InputStream.nullInputStream();
        for (List<String> words : List.of(
                List.of("--help"), List.of("--socket", socket, "help"), List.of("--socket", socket, "--help"))) {
            out.reset();
            assertThat(SmctlMain.run(words, nothing, stream(out), stream(err))).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).contains("status ", "partitions ");
        }
        out.reset();
        assertThat(SmctlMain.run(List.of("--version"), nothing, stream(out), stream(err)))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("torus-sm ");
    }

    /** Exit codes of torus-smctl. */
    private static final int NO_DAEMON = 4;

    private static final int BAD_USAGE = 2;

    @Test
    void torusSmctlReportsThatNoDaemonAnswers() {
        String socket = dir.resolve("none.sock").toString();
        InputStream nothing = InputStream.nullInputStream();
        assertThat(SmctlMain.run(List.of("--socket", socket, "status"), nothing, stream(out), stream(err)))
                .isEqualTo(NO_DAEMON);
        assertThat(SmctlMain.run(List.of("--socket", socket), nothing, stream(out), stream(err)))
                .isEqualTo(NO_DAEMON);
        assertThat(SmctlMain.run(List.of("--socket", socket, "--json", "status"), nothing, stream(out), stream(err)))
                .as("--json may stand in any place")
                .isEqualTo(NO_DAEMON);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no torus-sm answers on " + socket);
    }

    @Test
    void torusSmctlRejectsAMissingValueAndALineBreak() {
        InputStream nothing = InputStream.nullInputStream();
        assertThat(SmctlMain.run(List.of("--socket"), nothing, stream(out), stream(err)))
                .isEqualTo(BAD_USAGE);
        assertThat(SmctlMain.run(List.of("path", "a\nquit", "b"), nothing, stream(out), stream(err)))
                .isEqualTo(BAD_USAGE);
    }

    /** Scripts for OpenSM use these options. Each reaches all engines that have the setting. */
    @ParameterizedTest
    @CsvSource({
        "--root_guid_file=/r, updn.root_guid_file, /r",
        "-a/r, updn.root_guid_file, /r",
        "--ids_guid_file=/i, updn.ids_guid_file, /i",
        "--connect_roots, updn.connect_roots, true",
        "-z, updn.connect_roots, true",
        "--guid_routing_order_file=/o, minhop.guid_routing_order_file, /o",
        "--ignore_guids=/p, dnup.port_prof_ignore_file, /p",
        "--hop_weights_file=/w, minhop.hop_weights_file, /w",
        "--port_search_ordering_file=/s, dor.port_search_ordering_file, /s",
        "--dimn_ports_file=/s, dor.port_search_ordering_file, /s",
        "--scatter-ports=0x10, minhop.scatter_ports, 16",
        "--scatter_ports=7, minhop.scatter_ports, 7",
        "--port-shifting, dor.port_shifting, true",
        "--port_shifting, dor.port_shifting, true"
    })
    void settingsOfEnginesHaveTheOptionsOfOpenSm(String option, String setting, String value) throws Exception {
        assertThat(options(option).routing().engineSettings()).containsEntry(setting, value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "none",
            value = {
                "frobnicate        | there is no command frobnicate        | none       | torus-sm --help lists commands and options",
                "plann             | there is no command plann             | plan       | torus-sm --help lists commands and options",
                "plna              | there is no command plna              | plan       | torus-sm --help lists commands and options",
                "--frobnicate      | there is no option --frobnicate       | none       | torus-sm --help lists commands and options",
                "--simlate=pair    | there is no option --simlate=pair     | --simulate | torus-sm --help lists commands and options",
                "plan --jsno pair  | plan: there is no option --jsno       | --json     | torus-sm plan --help lists options",
                "plan pair another | plan: there is no argument another    | none       | torus-sm plan --help lists options",
            })
    void theErrorOfAnUnknownWordProposesASimilarOneAndNamesTheHelp(String line, String fault, String like, String help)
            throws Exception {
        String proposal = like == null ? "" : "Did you mean: " + like + "?\n";
        assertThat(outputOf(line.split(" "))).isEqualTo("torus-sm: " + fault + "\n" + proposal + help + "\n");
    }

    @Test
    void theErrorOfAnAbsentFileNamesIt() throws Exception {
        Path missing = dir.resolve("nosuch");
        assertThat(outputOf("replay", missing.toString()))
                .isEqualTo("torus-sm: cannot read " + missing + ": there is no such file\n");
        assertThat(outputOf("replay", dir.toString())).contains("it is a directory");
        assertThat(outputOf("prove", missing.toString()))
                .isEqualTo("torus-sm: there is no directory and no file " + missing + "\n");
        assertThat(outputOf("prove", dir.toString())).contains("has no file of links");
    }

    private ExitCode run(String... arguments) throws InterruptedException {
        return Main.run(arguments, MainTest::noPort, stream(out), stream(err));
    }

    private static SubnetManagerService noPort(SmOptions options, SubnetManagerService.Host host)
            throws TransportException {
        throw new TransportException("no port in this test");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static SmOptions options(String... arguments) throws ConfigurationException {
        return TorusSmCommand.request(TorusSmCommand.commandLine().parseArgs(arguments))
                .parameters()
                .options();
    }

    private void assertOnlyKeysAreMissing() {
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("keys new");
    }

    private String outputOf(String... arguments) throws InterruptedException {
        err.reset();
        assertThat(run(arguments)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        return err.toString(StandardCharsets.UTF_8);
    }
}
