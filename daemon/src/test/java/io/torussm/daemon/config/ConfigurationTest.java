package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.torussm.daemon.config.files.ConfigurationCheck;
import io.torussm.daemon.config.files.GeneratedKeys;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.LinkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of configuration files and of the command line: defaults, forms of values, and all errors of a file. */
class ConfigurationTest {
    @TempDir
    Path dir;

    /** Operators need not choose an engine; a torus-2QoS.conf keeps torus-2QoS. */
    @ParameterizedTest
    @CsvSource({
        "'', auto",
        "torus_config = /t.conf, torus-2QoS",
        "torus-2QoS { torus_config = /t.conf }, torus-2QoS",
        "routing_engine = minhop, minhop",
        "routing_engine = torus-2QoS, torus-2QoS"
    })
    void anEngineThatIsNotNamedIsTheOneThatFits(String text, String engines) throws Exception {
        assertThat(read(text).routing().engines()).isEqualTo(engines);
    }

    @Test
    void hasADefaultForEverySetting() throws Exception {
        SmOptions options = read("");
        assertThat(options.routing().engines()).isEqualTo("auto");
        assertThat(options.sweep().gidPrefix()).isEqualTo(0xfe80_0000_0000_0000L);
        assertThat(options.sweep().links()).isEqualTo(LinkSettings.DEFAULT);
        assertThat(options.sweep().subnetTimeout()).isEqualTo(18);
        assertThat(options.sweep().packetLifeTime()).isEqualTo(0x12);
        assertThat(options.files().stateDir()).isEqualTo(Path.of("/var/lib/torus-sm"));
        assertThat(options.files().dumpDir()).isNull();
    }

    @Test
    void hasTheDefaultsThatReferenceConfShows() throws Exception {
        assertThat(Configuration.read(Path.of("src/main/resources/reference.conf"), Map.of())
                        .values())
                .hasToString(SettingValues.defaults().toString());
    }

    @Test
    void readsAnOldNameAndSaysTheNewOne() throws Exception {
        SmOptions options = read("lmc = 1\nrehearsals = 9");
        assertThat(options.sweeps().failurePrechecks()).isEqualTo(9);
        assertThat(options.values().warnings())
                .singleElement()
                .asString()
                .matches(".*sm.conf:2: rehearsals is the old name of failure_prechecks, .*; write failure_prechecks");
        assertThat(read("failure_prechecks = 9").values().warnings()).isEmpty();
        assertThat(problems("rehearsals = 9\nfailure_prechecks = 9"))
                .containsExactly("FILE:2: failure_prechecks is there twice, under its old name rehearsals, too; remove"
                        + " rehearsals");
        assertThat(problems("rehearsals = 1001"))
                .containsExactly("FILE:1: failure_prechecks must be 0 to 1000, not \"1001\"");
    }

    /** HOCON takes the last of them without a word. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lmc = 1\nqos = true\nlmc = 2",
                "lmc = 1 # lmc = 3\n# lmc = 0\n  \"lmc\" : 2",
                "{\nlmc = 1,\n\n\"lmc\" = 2\n}",
                "lmc = 1\ntorus-2QoS {\n torus_config = \"{\"\n}\nlmc = 2"
            })
    void saysWhereASettingIsRepeated(String text) throws Exception {
        SmOptions options = read(text);
        assertThat(options.sweep().lmc()).isEqualTo(2);
        assertThat(options.values().warnings())
                .singleElement()
                .asString()
                .matches(".*sm.conf:[345]: lmc is there twice; its value in line [12] is not used, remove one of them");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lmc = 1\n#lmc = 2\n//lmc = 3",
                "log_file = /a\nlog_file = ${log_file}/b",
                "torus-2QoS {\n torus_config = /a\n}\nminhop {\n}\n"
            })
    void saysNothingOfWhatOnlyLooksRepeated(String text) throws Exception {
        assertThat(read(text).values().warnings()).isEmpty();
    }

    @Test
    void aLineOfALongTextIsNoRepeatedKey() {
        assertThat(RepeatedKeys.of("FILE", "alert_program = \"\"\"/a\nlmc = 1\"\"\"\nlmc = 2"))
                .isEmpty();
    }

    @Test
    void settingsOfAnEngineStandInAnObjectWithItsName() throws Exception {
        Map<String, String> both = Map.of(
                "torus-2QoS.torus_config", "/t.conf",
                "torus-2QoS.accept_unplaced_switches", "true");
        assertThat(read("torus-2QoS { torus_config = /t.conf, accept_unplaced_switches = yes }")
                        .routing()
                        .engineSettings())
                .isEqualTo(both);
        assertThat(read("torus_config = /t.conf\naccept_unplaced_switches = true")
                        .routing()
                        .engineSettings())
                .as("their old names")
                .isEqualTo(both);
        assertThat(read("torus-2QoS { balance = ties }").routing().engineSettings())
                .isEqualTo(Map.of("torus-2QoS.balance", "ties"));
        assertThat(read("torus-2QoS { balance = off }").routing().engineSettings())
                .isEmpty();
        assertThatThrownBy(() -> read("torus-2QoS.balance = even")).hasMessageContaining("balance");
        assertThatThrownBy(() -> read("torus-2QoS.dateline = 1"))
                .hasMessageContaining("no setting torus-2QoS.dateline")
                .hasMessageContaining("torus_config");
    }

    @Test
    void readsAFileInHocon() throws Exception {
        SmOptions options = read("routing_engine = [torus-2QoS, minhop]\nqos = yes, guid = 0x2c9030061a2b0\n"
                + "sm_priority = 0xf // highest\nm_key = 0xffffffffffffffff\nlog_file = /tmp/x.log");
        assertThat(options.routing().engines()).isEqualTo("torus-2QoS,minhop");
        assertThat(options.routing().qos()).isTrue();
        assertThat(options.routing().engineSettings()).isEmpty();
        assertThat(options.port().guid()).isEqualTo(0x2c9030061a2b0L);
        assertThat(options.mastership().priority()).isEqualTo(15);
        assertThat(options.sweep().mKey()).isEqualTo(-1);
        assertThat(options.log().logFile()).isEqualTo(Path.of("/tmp/x.log"));
    }

    @Test
    void enginesNeedNoQuotes() throws Exception {
        SmOptions options = read("# a comment\nrouting_engine = torus-2QoS, minhop # two\nlmc = 1");
        assertThat(options.routing().engines()).isEqualTo("torus-2QoS, minhop");
        assertThat(options.sweep().lmc()).isEqualTo(1);
        assertThatThrownBy(() -> read("lmc = 1\nrouting_engine = torus-2QoS,minhopp"))
                .hasMessageContaining(":2: routing_engine: there is no engine \"minhopp\"")
                .hasMessageContaining("\"minhop\"");
    }

    @Test
    void theCheckWarnsOfKeysThatProtectNothing() throws Exception {
        String state = "routing_engine = minhop\nstate_dir = " + dir + "\n";
        assertThat(keyWarnings(state)).singleElement().asString().contains("m_key", "sm_key", "torus-smctl keys new");
        assertThat(keyWarnings(state + "m_key = 5\nsm_key = 6\n"))
                .singleElement()
                .asString()
                .contains("m_key_protection_level");
        assertThat(keyWarnings(state + "m_key = 5\nsm_key = 6\nm_key_protection_level = 1\n"))
                .isEmpty();
        assertThat(keyWarnings("simulate = \"torus:3x3x1\"\nrouting_engine = minhop\n"))
                .isEmpty();
        Path keys = Files.writeString(dir.resolve("keys"), "0x0000000000000005 0x0000000000000006 0 0x1 7\n");
        assertThat(keyWarnings(state)).as("not one that is damaged").hasSize(1);
        StateDirectory directory = StateDirectory.open(dir, new VirtualLoop());
        directory.write(GeneratedKeys.FILE, () -> new GeneratedKeys(5, 6, 0, 1, 7).lines());
        directory.flush();
        assertThat(keys).content().doesNotStartWith("0x");
        assertThat(keyWarnings(state)).isEmpty();
    }

    @Test
    void theCheckReadsAllNamedFiles() throws Exception {
        Path bad = file("""
                routing_engine = minhop
                log_file = /nonexist/x.log
                control_socket_group = nosuchgroup
                state_dir = /dev/null/state
                partition_config_file = /nonexist/partitions.conf
                qos = true
                qos_policy_file = /nonexist/qos-policy.conf
                """);
        SmOptions options = Configuration.read(bad, Map.of());
        assertThatThrownBy(() -> ConfigurationCheck.warnings(options))
                .hasMessageContaining("log_file")
                .hasMessageContaining("nosuchgroup")
                .hasMessageContaining("state_dir")
                .hasMessageContaining("partitions.conf")
                .hasMessageContaining("qos-policy.conf");
        SmOptions absent = Configuration.read(file("routing_engine = minhop\nstate_dir = /nonexist/sm"), Map.of());
        assertThat(ConfigurationCheck.warnings(absent)).anyMatch(text -> text.contains("/nonexist/sm"));
    }

    @Test
    void aSimulatedFabricLeavesFilesOfAProductionSmAlone() throws Exception {
        Path file = file("state_dir = /var/lib/sm\nlog_file = /var/log/sm.log\ndump_files_dir = /var/dumps\nlmc = 2\n"
                + "replication_listen = \"10.0.0.1:7800\"\nreplication_peers = \"10.0.0.2:7800\"");
        Configuration.CommandLineValue torus = new Configuration.CommandLineValue("--simulate", "torus:3x3x1");
        SmOptions options = Configuration.read(file, Map.of(Settings.SIMULATE, torus));
        assertThat(options.sweep().lmc()).isEqualTo(2);
        assertThat(options.files().stateDir()).isNull();
        assertThat(options.files().dumpDir()).isNull();
        assertThat(options.log().logFile()).isNull();
        assertThat(options.replication().peers()).isEmpty();
        assertThat(options.values().warnings()).hasSize(5).allMatch(text -> text.contains("simulated fabric"));
    }

    @Test
    void aSimulatedFabricKeepsItsStateInADirectoryOfItsOwn() throws Exception {
        Configuration.CommandLineValue torus = new Configuration.CommandLineValue("--simulate", "torus:3x3x1");
        Configuration.CommandLineValue mine = new Configuration.CommandLineValue("--state-dir", "/tmp/mine");
        SmOptions named = Configuration.read(
                file("state_dir = /var/lib/sm"), Map.of(Settings.SIMULATE, torus, Settings.STATE_DIR, mine));
        assertThat(named.files().stateDir()).isEqualTo(Path.of("/tmp/mine"));
        assertThat(named.values().warnings()).isEmpty();
        assertThat(read("simulate = \"torus:3x3x1\"\nstate_dir = /tmp/its")
                        .files()
                        .stateDir())
                .as("a file that was written for a simulated fabric")
                .isEqualTo(Path.of("/tmp/its"));
        assertThat(read("simulate = \"torus:3x3x1\"").files().stateDir()).isNull();
    }

    @Test
    void prefersTheCommandLine() throws Exception {
        Path file = file("sm_priority = 3\nlmc = 2");
        SmOptions options =
                Configuration.read(file, Map.of(Settings.SM_PRIORITY, new Configuration.CommandLineValue("-p", "0x5")));
        assertThat(options.mastership().priority()).isEqualTo(5);
        assertThat(options.sweep().lmc()).isEqualTo(2);
    }

    @Test
    void namesFileLineAndNearestNameOfAllErrors() throws IOException {
        assertThat(problems("""
                        sm_priorty = 3
                        lmc = 9

                        qos = maybe
                        log_level = inf
                        port { number = 1 }
                        sweep_interval = null
                        max-op-vls = 5
                        """))
                .containsExactly(
                        "FILE:1: there is no setting \"sm_priorty\"; did you mean \"sm_priority\"?",
                        "FILE:2: lmc must be 0 to 7, not \"9\"",
                        "FILE:4: qos must be true or false, not \"maybe\"",
                        "FILE:5: log_level must be one of error, warn, info, debug, trace, not \"inf\"",
                        "FILE:6: port must be a single value, not a list or an object",
                        "FILE:7: sweep_interval is null; leave the line out to have the default",
                        "FILE:8: there is no setting \"max-op-vls\"; did you mean \"max_op_vls\"?");
    }

    @ParameterizedTest
    @CsvSource({
        "lmc, 1.5",
        "lmc, -1",
        "lmc, 99999999999999999999",
        "lmc, 0x",
        "lmc, #1",
        "lmc, +#1",
        "lmc, 0x+1",
        "guid, -1",
        "guid, 0xg",
        "guid, 0x10000000000000000",
        "sm_priority, 16",
        "max_op_vls, 0",
        "vl_stall_count, 8"
    })
    void refusesNumbersOutOfRange(String key, String value) throws IOException {
        assertThat(problems(key + " = \"" + value + "\""))
                .singleElement()
                .asString()
                .startsWith("FILE:1: " + key);
    }

    @Test
    void readsWhereReplicationPeersAre() throws Exception {
        SmOptions.Replication off = read("").replication();
        assertThat(off.listen()).isNull();
        SmOptions.Replication on = read("replication_listen = \"10.0.0.1:7800\", replication_key_file = /k\n"
                        + "replication_peers = \"sm2.example:7801, [fd00::3]:7802\"")
                .replication();
        assertThat(on.listen()).hasToString("10.0.0.1/<unresolved>:7800");
        assertThat(on.peers().toString()).contains("sm2.example", "7801", "fd00::3", "7802");
        assertThat(on.keyFile()).isEqualTo(Path.of("/k"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replication_listen = \"10.0.0.1\" | FILE:1: replication_listen must be HOST:PORT,...",
                "replication_listen = \"h:0\" | FILE:1: replication_listen must be HOST:PORT,...",
                "replication_listen = \"h:65536\" | FILE:1: replication_listen must be HOST:PORT,...",
                "replication_peers = \"a:1,,b:2\" | FILE:1: replication_peers must be HOST:PORT,...",
                "console_listen = \"10.0.0.1:10000\" | console_listen must be one address of this host's loopback",
                "console_listen = \"0.0.0.0:10000\" | console_listen must be one address of this host's loopback",
                "console_listen = \"127.0.0.1:1,127.0.0.1:2\" | console_listen must be one address",
                "replication_listen = \"h:1\" | replication needs all three",
                "replication_peers = \"h:1\" | replication needs all three",
                "replication_listen = \"h:1,h:2\", replication_peers = \"p:1\" | replication needs all three",
                "replication_listen = \"h:1\", replication_peers = \"p:1\", replication_key_file = \"\""
                        + " | replication needs all three",
                "replication_listen = \"0.0.0.0:1\", replication_peers = \"p:1\" | the address that the peers know",
                "replication_listen = \"0:1\", replication_peers = \"p:1\" | the address that the peers know",
                "replication_listen = \"[::]:1\", replication_peers = \"p:1\" | the address that the peers know",
                "replication_listen = \"[0:0:0:0:0:0:0:0]:1\", replication_peers = \"p:1\" | the address that the peers",
                "replication_listen = \"[::ffff:0.0.0.0]:1\", replication_peers = \"p:1\" | the address that the peers",
                "replication_listen = \"h:1\", replication_peers = \"p:1,h:1\" | name the others only",
                "replication_listen = \"h:1\", replication_peers = \"a:1,a:2,a:3,a:4,a:5,a:6,a:7,a:8\" | more than 7"
            })
    void refusesReplicationThatCannotWork(String file, String problem) throws IOException {
        assertThat(problems(file)).singleElement().asString().contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alert_url = \"ftp://a/b\" | FILE:1: alert_url must be http",
                "alert_url = \"http://a b\" | FILE:1: alert_url must be http",
                "alert_url = \"https://me:secret@a/b\" | FILE:1: alert_url must be http",
                "alert_level = debug | FILE:1: alert_level must be one of error, warn, info",
                "alert_codes = TSM-9999 | FILE:1: alert_codes must be codes of the events reference",
                "alert_codes = \"TSM-4007,host\" | FILE:1: alert_codes must be codes of the events reference"
            })
    void refusesAlertsForNobody(String file, String problem) throws IOException {
        assertThat(problems(file)).singleElement().asString().contains(problem).doesNotContain("secret");
    }

    @Test
    void readsALeadingZeroAsDecimal() throws Exception {
        assertThat(read("subnet_timeout = 017").sweep().subnetTimeout()).isEqualTo(17);
    }

    @Test
    void showsNoKeysInMessagesOrText() throws Exception {
        assertThat(problems("m_key = secretish").get(0)).doesNotContain("secretish");
        assertThat(read("m_key = 0x1234567, sm_key = 0x7654321").toString())
                .doesNotContain(String.valueOf(0x1234567), String.valueOf(0x7654321));
    }

    /** The path of such an address is often a secret, and recordings are attached to reports. */
    @Test
    void recordingsHaveNoAddressOfAlerts() throws Exception {
        String text = SettingsText.of(read("lmc = 1, alert_url = \"https://alerts.example.org/hook/Tsecret\""));
        assertThat(text).contains("lmc = ").doesNotContain("alert_url", "Tsecret", "example.org");
    }

    @Test
    void reportsErrorsInFilesThatAreNotHocon() throws IOException {
        assertThat(problems("lmc = 1\nx = [\n")).singleElement().asString().startsWith("FILE:");
        assertThat(problems("lmc = ${nowhere}")).singleElement().asString().startsWith("FILE:1: ");
        assertThat(problems("routing_engine = \" \""))
                .singleElement()
                .asString()
                .contains("names no engine");
        assertThat(problems("state_dir = \"\"")).singleElement().asString().contains("state_dir is empty");
        Files.write(dir.resolve("binary.conf"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        for (String name : List.of("binary.conf", "absent.conf", ".")) {
            Path path = dir.resolve(name);
            ConfigurationException e =
                    catchThrowableOfType(ConfigurationException.class, () -> Configuration.read(path, Map.of()));
            assertThat(e.problems()).singleElement().asString().contains(path.toString());
        }
    }

    /** A file that would hang or end a master which reads it again gives an error. */
    @ParameterizedTest
    @ValueSource(strings = {"deep", "grows", "url", "file", "address", "names"})
    void refusesWhatWouldTakeItsMemoryItsStackOrItsTime(String attack) throws IOException {
        String text =
                switch (attack) {
                    case "deep" -> "a={".repeat(100_000);
                    case "grows" -> {
                        StringBuilder levels = new StringBuilder("a0 = " + "x".repeat(1000) + "\n");
                        for (int i = 0; i < 30; i++) {
                            levels.append("a" + (i + 1) + " = ${a" + i + "}${a" + i + "}\n");
                        }
                        yield levels.toString();
                    }
                    case "url" -> "include url(\"http://127.0.0.1:1/torus-sm.conf\")";
                    case "file" -> "include file(\"/dev/zero\")";
                    case "address" -> "include \"http://127.0.0.1:1/torus-sm.conf\"";
                    default -> "routing_engine = updn" + ", updn".repeat(100_000);
                };
        Path file = file(text);
        ConfigurationException refusal =
                catchThrowableOfType(ConfigurationException.class, () -> Configuration.read(file, Map.of()));
        assertThat(refusal.problems()).singleElement().asString().contains(file.toString());
    }

    @Test
    @Timeout(20)
    void readsRegularFilesOnly() throws Exception {
        Path fifo = dir.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        Path loop = Files.createSymbolicLink(dir.resolve("loop"), dir.resolve("loop"));
        for (Path file : List.of(fifo, Path.of("/dev/zero"), dir, loop)) {
            ConfigurationException refusal =
                    catchThrowableOfType(ConfigurationException.class, () -> Configuration.read(file, Map.of()));
            assertThat(refusal).hasMessageContaining(file.toString());
            assertThat(refusal.problems()).hasSize(1);
        }
        Configuration.read(Path.of("/dev/null"), Map.of());
        Path link = Files.createSymbolicLink(dir.resolve("link"), file("lmc = 1"));
        Configuration.read(link, Map.of());
    }

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("sm.conf"), text);
    }

    private SmOptions read(String text) throws IOException, ConfigurationException {
        return Configuration.read(file(text), Map.of());
    }

    private List<String> problems(String text) throws IOException {
        Path file = file(text);
        ConfigurationException e =
                catchThrowableOfType(ConfigurationException.class, () -> Configuration.read(file, Map.of()));
        return e.problems().stream()
                .map(problem -> problem.replace(file.toString(), "FILE"))
                .toList();
    }

    private List<String> keyWarnings(String conf) throws Exception {
        return ConfigurationCheck.warnings(Configuration.read(file(conf), Map.of())).stream()
                .filter(text -> text.contains("_key"))
                .toList();
    }
}
