package io.torussm.daemon.config.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.congestion.CongestionOptions;
import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.qos.QosSettings;
import io.torussm.qos.VlWeight;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The conversion of an opensm.conf. Its template is the file that OpenSM 3.3.23 writes with {@code opensm -c}. */
class OpenSmMigrationTest {
    @TempDir
    Path dir;

    @Test
    void knowsEveryOptionOfTheTemplateAndNamesEachInItsReport() throws Exception {
        ConvertedConf result = migrate(template());
        String report = String.join("\n", result.report());
        List<String> names = template()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst(" .*", ""))
                .distinct()
                .toList();
        assertThat(names).hasSize(160).allSatisfy(name -> assertThat(report).containsPattern("\\b" + name + "\\b"));
        assertThat(OpenSmOption.all().keySet()).containsAll(names);
        assertThat(report).doesNotContain("set, but without a counterpart");
        assertThat(options(result).routing().engines()).isEqualTo("minhop");
    }

    @Test
    void hasASettingForEveryOptionThatIsTheSame() {
        assertThat(Settings.keys())
                .containsAll(OpenSmOption.all().values().stream()
                        .filter(option -> option.disposition() == OpenSmOption.Disposition.SAME)
                        .map(OpenSmOption::name)
                        .toList());
        assertThat(OpenSmOption.all().values())
                .allSatisfy(option -> assertThat(option.reason().isEmpty())
                        .as(option.name())
                        .isEqualTo(option.disposition() != OpenSmOption.Disposition.NONE));
    }

    @Test
    void takesCongestionControlWithALineForEachSl() throws Exception {
        ConvertedConf result = migrate("""
                congestion_control TRUE
                cc_key 0x77
                cc_sw_cong_setting_control_map 0x1F
                cc_sw_cong_setting_victim_mask 0xFE
                cc_sw_cong_setting_credit_starvation_return_delay 1:16
                cc_ca_cong_setting_ccti_timer 0 150
                cc_ca_cong_setting_ccti_increase 0 0
                cc_ca_cong_setting_ccti_timer 15 151
                cc_cct 0:0,3:5
                """);
        CongestionOptions taken = options(result).congestion();
        assertThat(taken.isCongestionControlled()).isTrue();
        assertThat(taken.congestionKey()).isEqualTo(0x77);
        assertThat(taken.marking().victimMask()).isEqualTo(CongestionOptions.mask("0xfe"));
        assertThat(taken.marking().starvationDelay()).isEqualTo(0x4010);
        assertThat(taken.reaction().cctiTimer()).isEqualTo(CongestionOptions.bySl("0:150,15:151", 0xffff));
        assertThat(taken.delayTable()).containsExactly(0, 0xc005);
        assertThat(result.holdsKeys()).isTrue();
        assertThat(result.text()).doesNotContain("ccti_increase").contains("= \"0:150,15:151\"");
    }

    /** A change of the SM does not change the tables of ports, even if these are unfair. */
    @Test
    void keepsTheArbitrationThatOpenSmWroteUnderTorus2Qos() throws Exception {
        ConvertedConf result = migrate("routing_engine torus-2QoS\nqos TRUE\nqos_vlarb_low (null)\n");
        QosSettings.Arbitration kept = options(result).qos().settings().of(PortClass.CA);
        assertThat(kept.high()).containsExactly(new VlWeight(0, 4));
        assertThat(kept.low()).hasSize(14).allSatisfy(each -> assertThat(each.weight())
                .isEqualTo(4));
        assertThat(String.join("\n", result.report())).contains("remove qos_vlarb_high and qos_vlarb_low one day");
        for (String other : List.of(
                "routing_engine torus-2QoS\n",
                "qos TRUE\n",
                "routing_engine torus-2QoS\nqos TRUE\nqos_vlarb_high 0:1\nqos_vlarb_low 0:9\n")) {
            assertThat(migrate(other).text()).as(other).doesNotContain("1:4,2:4");
        }
    }

    @Test
    void takesTheDecisionOfTheOperator() throws Exception {
        ConvertedConf result = migrate(String.join(
                "\n",
                "# a comment",
                "routing_engine\ttorus-2QoS,chains,no_fallback",
                "torus_config " + dir.resolve("t.conf"),
                "qos TRUE",
                "sm_priority 3",
                "sm_priority 0xd",
                "lmc 02",
                "sminfo_polling_timeout 10000",
                "qos_vlarb_high \"0:64,1:64\"",
                "log_flags 0x07",
                "log_file /var/log/mine.log",
                "m_key 0x77",
                "use_ucast_cache TRUE",
                "babbling_port_policy yes",
                "no_such_option 1"));
        SmOptions options = options(result);
        assertThat(options.routing())
                .isEqualTo(new SmOptions.Routing(
                        "torus-2QoS,no_fallback",
                        OnCreditLoop.REFUSE,
                        OnCreditLoop.REFUSE,
                        Map.of("torus-2QoS.torus_config", "/etc/torus-sm/torus-2QoS.conf"),
                        true,
                        0));
        assertThat(options.mastership().priority()).isEqualTo(13);
        assertThat(options.mastership().pollMs()).isEqualTo(1000);
        assertThat(options.sweep().lmc()).isEqualTo(2);
        assertThat(options.log().logLevel()).isEqualTo("debug");
        assertThat(options.log().logFile()).isEqualTo(Path.of("/var/log/torus-sm/torus-sm.log"));
        assertThat(options.sweep().mKey()).isEqualTo(0x77);
        assertThat(result.text()).contains("(line 6: sm_priority 0xd)").contains("(line 12: m_key ...)");
        String report = String.join("\n", result.report());
        assertThat(report)
                .contains("opensm.conf:13: use_ucast_cache TRUE: hosts leave and return")
                .contains("opensm.conf:2: routing_engine torus-2QoS,chains,no_fallback: there is no engine chains")
                .contains("opensm.conf:14: babbling_port_policy yes: neither TRUE nor FALSE")
                .contains("opensm.conf:15: no_such_option 1: not an option of upstream OpenSM; if yours supports it, ")
                .contains("sminfo_polling_timeout: 10000 there, 1000 here")
                .contains("install -m 0644 " + dir.resolve("t.conf") + " /etc/torus-sm/torus-2QoS.conf")
                .doesNotContain("0x77");
    }

    @Test
    void takesOnlyCapitalsForTrueAsOpenSmDoes() throws Exception {
        ConvertedConf result = migrate("routing_engine lash\nqos true\ndo_mesh_analysis True\n");
        assertThat(options(result).routing().qos()).isFalse();
        assertThat(options(result).values().engineSettings()).isEmpty();
        assertThat(String.join("\n", result.report()))
                .contains("opensm.conf:2: qos true: neither TRUE nor FALSE, which OpenSM takes for FALSE")
                .contains("opensm.conf:3: do_mesh_analysis True: neither TRUE nor FALSE, which OpenSM takes for FALSE");
    }

    @Test
    void asksForAnEngineWhereThereIsNoneOfThatName() throws Exception {
        ConvertedConf result = migrate("routing_engine chains\n");
        assertThat(options(result).routing().engines()).isEqualTo("minhop");
        assertThat(String.join("\n", result.report())).contains("choose a routing_engine");
    }

    /** minhop is what OpenSM has; where it can deadlock it would be DEGRADED for ever. */
    @Test
    void proposesAutoWhereOpenSmHasNoEngine() throws Exception {
        for (String conf : List.of("", "routing_engine (null)\n")) {
            ConvertedConf result = migrate(conf);
            assertThat(options(result).routing().engines()).isEqualTo("minhop");
            assertThat(String.join("\n", result.report()))
                    .contains("routing_engine = \"auto\"", "DEGRADED")
                    .doesNotContain("choose a routing_engine");
        }
        assertThat(String.join("\n", migrate("routing_engine updn\n").report())).doesNotContain("\"auto\"");
    }

    @Test
    void copiesFilesThatAreThere() throws Exception {
        Path partitions = Files.writeString(dir.resolve("mine.conf"), "");
        ConvertedConf result = migrate("partition_config_file " + partitions + "\nprefix_routes_file /no/such\n");
        assertThat(String.join("\n", result.report()))
                .contains("install -m 0644 " + partitions + " /etc/torus-sm/partitions.conf\n")
                .contains("install -m 0644 /no/such /etc/torus-sm/prefix-routes.conf   # which is not there now");
    }

    /** The second file is the same as the first one, or another one of that name. */
    @Test
    void namesOfCopiesDoNotDependOnTheOrderOfOptions() throws Exception {
        List<String> lines = List.of(
                "cn_guid_file /a/list",
                "io_guid_file /b/list",
                "ids_guid_file /a/list",
                "root_guid_file /c/io_guid_file-list");
        Set<Map<String, String>> ways = new HashSet<>();
        for (int first = 0; first < lines.size(); first++) {
            List<String> turned = new ArrayList<>(lines);
            Collections.rotate(turned, first);
            ConvertedConf result = migrate(String.join("\n", turned) + "\n");
            ways.add(result.files().stream()
                    .collect(Collectors.toMap(
                            file -> file.from().toString(), file -> file.to().toString())));
        }
        assertThat(ways)
                .containsExactly(Map.of(
                        "/a/list", "/etc/torus-sm/list",
                        "/b/list", "/etc/torus-sm/io_guid_file-list",
                        "/c/io_guid_file-list", "/etc/torus-sm/root_guid_file-io_guid_file-list"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lmc 8|:2: lmc must be 0 to 7, not \"8\"",
                "sm_priority high|:2: sm_priority must be a whole number",
                "log_flags loud|:2: log_flags must be a number",
                "part_enforce some|:2: part_enforce must be one of",
                "lmc|:2: lmc must be a whole number, 0 to 7, decimal or 0x..., not \"\"; correct it, or remove the"
                        + " line",
                "torus_config|:2: torus_config has no value",
                "sm_priority 08|:2: sm_priority begins with 0, so that its digits must be 0 to 7",
                "<conf>|:2: no line of an opensm.conf",
            })
    void refusesWithFileAndLine(String line, String message) {
        assertThatThrownBy(() -> migrate("qos TRUE\n" + line + "\n"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("opensm.conf" + message);
    }

    @Test
    void refusesLinesThatOpenSmTakesForTwo() {
        assertThatThrownBy(() -> migrate("log_prefix " + "x".repeat(1020) + "\n"))
                .hasMessageContaining("opensm.conf:1: longer than 1022 characters");
    }

    /** The published files of which the values were taken for others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "root_guid_file /a/b # spines|root_guid_file|/etc/torus-sm/b",
                "root_guid_file /a/b#c|root_guid_file|/etc/torus-sm/b",
                "root_guid_file '/a b/c'|root_guid_file|/etc/torus-sm/c",
                "root_guid_file \"/a b/c\" \t# x|root_guid_file|/etc/torus-sm/c",
                "root_guid_file \"/a/b#c\"|root_guid_file|/etc/torus-sm/b",
                "root_guid_file /a/\u00e4|root_guid_file|/etc/torus-sm/\u00e4",
                "sm_priority 9   # primary|sm_priority|9",
                "m_key_lookup FALSE\t# no|m_key_lookup|false",
                "qos TRUE # for storage|qos|true",
                "qos 'TRUE'|qos|true",
                "routing_engine updn, # up and down|routing_engine|updn",
                "dimn_ports_file /etc/opensm/order.conf|port_search_ordering_file|/etc/torus-sm/order.conf",
                "port_search_ordering_file /x|port_search_ordering_file|/etc/torus-sm/x",
            })
    void readsValuesAsOpenSmDoes(String line, String setting, String value) throws Exception {
        String written = value.matches("\\d+|true|false") ? value : '"' + value + '"';
        assertThat(migrate(line + "\n").text()).contains("\n" + setting + " = " + written + "\n");
    }

    @Test
    void namesTheSecondOfTwoFilesAfterItsOption() throws Exception {
        ConvertedConf result = migrate("root_guid_file /a/guids\ncn_guid_file /a/guids\nio_guid_file /b/guids\n");
        assertThat(result.text())
                .contains("\nroot_guid_file = \"/etc/torus-sm/guids\"\n")
                .contains("\ncn_guid_file = \"/etc/torus-sm/guids\"\n")
                .contains("\nio_guid_file = \"/etc/torus-sm/io_guid_file-guids\"\n");
        assertThat(String.join("\n", result.report()))
                .contains("install -m 0644 /b/guids /etc/torus-sm/io_guid_file-guids");
    }

    @Test
    void takesAnEmptyNameForNone() throws Exception {
        ConvertedConf result = migrate("routing_engine dor\ndimn_ports_file\nroot_guid_file # none\nqos\n");
        assertThat(result.text()).doesNotContain("port_search_ordering_file =").doesNotContain("root_guid_file =");
        assertThat(String.join("\n", result.report()))
                .contains("opensm.conf:2: port_search_ordering_file : it has no value, and is taken as not set")
                .contains("opensm.conf:4: qos : neither TRUE nor FALSE");
    }

    /** A comment is cut where OpenSM cuts it, and the rest is a line of its own. */
    @Test
    void cutsLongLinesAsOpenSmDoes() throws Exception {
        assertThat(options(migrate("#" + "x".repeat(1021) + "qos TRUE\n"))
                        .routing()
                        .qos())
                .isTrue();
        assertThatThrownBy(() -> migrate("#" + "x".repeat(1021) + "and, of course\n"))
                .hasMessageContaining(":1: longer than 1022 characters");
        assertThat(options(migrate("log_prefix " + "x".repeat(1011) + "\n"))
                        .routing()
                        .qos())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "virt_tracking,virtual ports",
        "virt_max_ports_in_process,64 here",
        "virt_default_hop_limit,HopLimit",
        "enable_virt_rec_ext,NodeRecord and PortInfoRecord",
        "virt_dump_file,torus-smctl vports all",
        "ar_mode,adaptive routing",
        "shield_mode,adaptive routing",
        "pfrn_over_router_enabled,adaptive routing",
        "adv_routing_engine,adaptive routing",
        "sharp_enabled,SHARP",
        "hm_unhealthy_ports_checks,isolate_flapping_links",
        "m_key_per_port,protection.md",
        "pgrp_policy_file,groups of ports",
        "mlnx_congestion_control,congestion control",
        "qos_sw2sw_sl2vl,qos_swe_sl2vl",
        "routing_threads_num,no such setting"
    })
    void saysWhatAnOptionOfAnotherOpenSmDoes(String option, String remark) throws Exception {
        assertThat(String.join("\n", migrate(option + " 1\n").report()))
                .containsPattern(option + " 1: not an option of upstream OpenSM; if yours supports it, .*" + remark)
                .doesNotContain("ignores it too");
    }

    @ParameterizedTest
    @CsvSource({"ar_updn,updn", "ar_ftree,ftree", "ar_torus,torus-2QoS", "pqft,ftree", "kdor-hc,dor"})
    void takesTheEngineForTheSameShape(String theirs, String ours) throws Exception {
        ConvertedConf result = migrate("routing_engine " + theirs + "\n");
        assertThat(options(result).routing().engines()).isEqualTo(ours);
        assertThat(String.join("\n", result.report())).contains(theirs + " is not an engine of upstream OpenSM");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "2,2", "0x2,2"})
    void takesTheModeOfVirtualPorts(String theirs, int ours) throws Exception {
        ConvertedConf result = migrate("virt_enabled " + theirs + "\n");
        assertThat(options(result).sweeps().virtEnabled()).isEqualTo(ours);
        assertThat(result.text().contains("virt_enabled = ")).isEqualTo(ours != 0);
        assertThat(String.join("\n", result.report()).contains("never used it on a device"))
                .isEqualTo(ours != 0);
    }

    @Test
    void rejectsAnUnknownModeOfVirtualPorts() {
        assertThatThrownBy(() -> migrate("virt_enabled 3\n")).hasMessageContaining("opensm.conf:1: virt_enabled");
    }

    @ParameterizedTest
    @CsvSource({
        "virt_max_ports_in_process,64",
        "virt_default_hop_limit,0x02",
        "enable_virt_rec_ext,FALSE",
        "virt_dump_file,(null)"
    })
    void losesNoOptionThatHasNoOtherEffect(String option, String value) throws Exception {
        ConvertedConf result = migrate(option + ' ' + value + '\n');
        assertThat(String.join("\n", result.report())).doesNotContain("without a counterpart");
        assertThat(result.text()).doesNotContain("Without a counterpart");
    }

    /** Returns the output of {@code opensm -c}. */
    private static String template() throws Exception {
        try (InputStream in = OpenSmMigrationTest.class.getResourceAsStream("opensm-3.3.23.conf")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private ConvertedConf migrate(String text) throws Exception {
        return OpenSmMigration.toPrint(Files.writeString(dir.resolve("opensm.conf"), text));
    }

    /** Reads the migrated configuration by the program that it is for. */
    private SmOptions options(ConvertedConf result) throws Exception {
        return Configuration.read(Files.writeString(dir.resolve("torus-sm.conf"), result.text()), Map.of());
    }
}
