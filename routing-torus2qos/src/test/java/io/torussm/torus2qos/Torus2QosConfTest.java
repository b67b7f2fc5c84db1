package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.conf.CNumber;
import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.routing.Plan;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Parsed;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The grammar of torus-2QoS.conf, compared with OpenSM's where its manual page leaves a choice. Most texts are a size
 * line and the three seed links of a 3x3x3 torus, which is routed to see the coordinates of the seed, switch 0x200000.
 */
class Torus2QosConfTest {
    private static final String SIZE_LINE = "torus 3 3 3\n";
    private static final String SEED_LINKS =
            "xp_link 0x200000 0x200090\nyp_link 0x200000 0x200030\nzp_link 0x200000 0x200010\n";
    private static final TestTorus CUBE = new TestTorus(3, 3, 3);

    private static List<String> errors(String text) {
        Parsed parsed = TestTorus.parse(text);
        List<String> errors = texts(parsed, Severity.ERROR);
        assertThat(parsed.conf() == null).isEqualTo(!errors.isEmpty());
        return errors;
    }

    private static List<String> texts(Parsed parsed, Severity severity) {
        return parsed.findings().stream()
                .filter(finding -> finding.severity() == severity)
                .map(Finding::text)
                .toList();
    }

    /** Returns the coordinates of the seed in the plan that the engine makes with a file. */
    private static String placeOfSeed(String text) {
        Plan plan = CUBE.plan(text);
        return plan.coordinates(plan.subnet().fabric().nodeByGuid(0x200000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                SEED_LINKS + SIZE_LINE,
                SIZE_LINE + "next_seed\n" + SEED_LINKS,
                "torus 3x 3q 3\n" + SEED_LINKS,
                "torus 0x3 03 3\n" + SEED_LINKS,
                "torus +3 3t 3T\n" + SEED_LINKS,
                "torus 3 3 3 foo # x\n" + SEED_LINKS,
                "mesh 3t 3T 3t\n" + SEED_LINKS,
                SIZE_LINE + "xp_link 0x200000 0x999999\n" + SEED_LINKS,
                SIZE_LINE + SEED_LINKS + "port_order 7 3 3 7 # 5 ports\n",
                SIZE_LINE + SEED_LINKS + "port_order\n",
                SIZE_LINE + SEED_LINKS + "portgroup_max_ports 2",
                SIZE_LINE + SEED_LINKS + "max_changes 0",
                "   # a comment\n\n\t\t \n#torus 4 4 4\n  torus\t3  3 3\r\n" + SEED_LINKS,
                "torus 3 3 3\nxp_link 2097152 2097296\r\nyp_link 010000000 0x200030\nzp_link 0x200000 0X200010"
            })
    void aFileThatOpenSmAcceptsIsAccepted(String text) {
        assertThat(errors(text)).isEmpty();
        assertThat(placeOfSeed(text)).isEqualTo("(0,0,0)");
    }

    /** A number is read as strtol does: up to the first character that is no digit. */
    @ParameterizedTest(name = "x_dateline {0} places the seed at x = {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "2|1", "-2|2", "0x1|2", "1z|2", "z|0", "0|0", "+1|2", "-1|1", "02|1",
            })
    void aDatelineShiftsTheOrigin(String dateline, int x) {
        assertThat(placeOfSeed(SIZE_LINE + SEED_LINKS + "x_dateline " + dateline))
                .isEqualTo("(" + x + ",0,0)");
    }

    @Test
    void theLastDatelineOfEachDimensionCounts() {
        assertThat(placeOfSeed(SIZE_LINE + SEED_LINKS + "x_dateline 1\ny_dateline -1\nz_dateline -2\nz_dateline 1"))
                .isEqualTo("(2,1,2)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x_dateline 3|above -3 and below 3",
                "x_dateline -3|above -3 and below 3",
                "x_dateline 99999999999999999999|above -3 and below 3",
                "x_dateline 4294967297|above -3 and below 3",
                "y_dateline|needs the number of steps",
                "torus 3 3 3|already given in line 1",
                "mesh 3 3 3|already given in line 1",
                "Torus 3 3 3|unknown keyword",
                "foo 1|unknown keyword",
                "xp_link 0x200000|xp_link needs two NodeGUIDs",
                "zm_link|neighbour in -z; 0 of 2 given",
                "portgroup_max_ports|needs the number of ports",
                "max_changes|needs the number of changes"
            })
    void theErrorOfABadLineNamesFileLineTextAndRemedy(String line, String fault) {
        List<String> errors = errors(SIZE_LINE + SEED_LINKS + line + "\n");
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0))
                .startsWith("torus-2QoS.conf:5: \"" + line + "\": ")
                .contains(fault);
    }

    @Test
    void anErrorDoesNotEndTheReadingOfTheFile() {
        assertThat(errors("torus 3 3\nfoo\n" + SEED_LINKS + "max_changes\nbar 1 2"))
                .extracting(text -> text.replaceAll(": .*", ""))
                .containsExactly("torus-2QoS.conf:1", "torus-2QoS.conf:2", "torus-2QoS.conf:6", "torus-2QoS.conf:7");
    }

    @Test
    void aDatelineBeforeTheSizeLineIsRefused() {
        assertThat(errors("x_dateline 0\n" + SIZE_LINE + SEED_LINKS))
                .singleElement()
                .asString()
                .contains("move the torus or mesh line");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "torus 0 3 3|:1: \"torus 0 3 3\": the radix \"0\" of x",
                "torus 3 z 3|the radix \"z\" of y",
                "torus 3 3|torus needs three radices",
                "mesh|mesh needs three radices",
                "torus 300 300 3|more than 49151 switches",
                "torus 4294967295 4294967295 -1|more than 49151 switches",
                "# nothing|there is no torus or mesh line"
            })
    void aSizeLineWithoutThreeUsableRadicesIsRefused(String line, String fault) {
        assertThat(errors(line + "\n" + SEED_LINKS)).singleElement().asString().contains(fault);
    }

    /**
     * A ring of four switches needs links both ways, since two steps lead to the same switch. A plus after a link: it
     * starts at switch 0x200001 instead of 0x200000. An empty last column: the seed is accepted.
     */
    @ParameterizedTest(name = "torus {0} with {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "3 3 3|xp yp zp|",
                "3 3 3|xm ym zm|",
                "3 3 3|xp xm yp zp|",
                "3 3 3|yp zp|seed 0 has no link in x; add xp_link or xm_link",
                "3 3 3|xp zp|seed 0 has no link in y; add yp_link or ym_link",
                "3 3 3|xp yp|seed 0 has no link in z; add zp_link or zm_link",
                "1 3 3|yp zp|",
                "3 1 3|xp zp|",
                "3 3 1|xp yp|",
                "4 3 3|xp yp zp|seed 0 needs the links both ways in x, since the torus has radix 4 there; add xm_link",
                "3 4 3|xp ym zp|needs the links both ways in y, since the torus has radix 4 there; add yp_link",
                "3 3 4|xp yp|add zp_link and zm_link",
                "4m 4M 3|xp yp zp|",
                "2 2 2|xp ym zp|",
                "4 4 4|xp xm yp ym zp zm|",
                "3 3 3|xp yp+ zp|the link in +y starts at 0x0000000000200001 but that in +x at 0x0000000000200000",
                "3 3 3|xp yp zm+|the link in -z starts at 0x0000000000200001 but that in +x at 0x0000000000200000",
                "1 3 3|yp zp+|",
                "4 3 3|xp xm+ yp zp|xm_link starts at 0x0000000000200001 but xp_link at 0x0000000000200000",
            })
    void aSeedNeedsLinksInEachDimensionOfMoreThanOneSwitch(String sizes, String links, String refusal) {
        StringBuilder text = new StringBuilder("torus " + sizes + "\n");
        for (String link : links.split(" ", -1)) {
            text.append(link, 0, 2).append(link.endsWith("+") ? "_link 0x200001 0x2\n" : "_link 0x200000 0x1\n");
        }
        if (refusal == null) {
            assertThat(errors(text.toString())).isEmpty();
        } else {
            assertThat(errors(text.toString())).singleElement().asString().contains(refusal);
        }
    }

    @Test
    void aSecondSeedIsCheckedLikeTheFirst() {
        assertThat(errors(SIZE_LINE + SEED_LINKS + "next_seed"))
                .hasSize(3)
                .allMatch(text -> text.startsWith("torus-2QoS.conf:5: seed 1 has no link in "));
    }

    @Test
    void aFileWithoutASeedIsRefused() {
        assertThat(errors(SIZE_LINE))
                .singleElement()
                .asString()
                .contains("there is no seed; add xp_link, yp_link, zp_link");
    }

    @Test
    void portsThatAPortOrderDoesNotListFollowInAscendingOrder() {
        Torus2QosConf conf = TestTorus.conf(SIZE_LINE + SEED_LINKS + "port_order 7 3");
        assertThat(IntStream.rangeClosed(0, 8).map(conf::portOrder)).containsExactly(7, 3, 0, 1, 2, 4, 5, 6, 8);
        assertThat(conf.portOrder(254)).isEqualTo(254);
    }

    /** OpenSM reads {@code #} as 0 here, and the words after it as ports. */
    @Test
    void repeatedPortsAndCommentsOfAPortOrderAreReported() {
        String text = SIZE_LINE + SEED_LINKS + "port_order 7 3 3 7 # 5 ports";
        Parsed parsed = TestTorus.parse(text);
        assertThat(IntStream.rangeClosed(0, 8).map(TestTorus.conf(text)::portOrder))
                .containsExactly(7, 3, 0, 5, 1, 2, 4, 6, 8);
        assertThat(texts(parsed, Severity.INFO))
                .extracting(finding -> finding.replaceAll(".*: port (\\d+) is .*", "$1"))
                .as("ports that are given twice")
                .containsExactly("3", "7", "0");
        assertThat(texts(parsed, Severity.WARNING)).singleElement().asString().contains("port_order has no comments");
    }

    @Test
    void settingsThatAFileDoesNotGiveHaveOpenSmsDefaults() {
        Torus2QosConf conf = TestTorus.conf(SIZE_LINE + SEED_LINKS);
        assertThat(conf.portgroupMaxPorts()).isEqualTo(16);
        assertThat(conf.maxChanges()).isEqualTo(32);
        assertThat(conf.portOrder(0)).isZero();
        assertThat(conf.portOrder(200)).isEqualTo(200);
    }

    @Test
    void theLastOfRepeatedSettingsCounts() {
        Torus2QosConf conf = TestTorus.conf(
                SIZE_LINE + SEED_LINKS
                        + "max_changes 5\nportgroup_max_ports 3\nport_order 9\nmax_changes 6\nport_order 8\nportgroup_max_ports 4");
        assertThat(conf.maxChanges()).isEqualTo(6);
        assertThat(conf.portgroupMaxPorts()).isEqualTo(4);
        assertThat(conf.portOrder(0)).isEqualTo(8);
        assertThat(conf.portOrder(1)).isZero();
    }

    /** The suffix m opens a dimension, t closes it. Two switches make no ring. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "torus 3 3 3, ring ring ring",
        "mesh 3 3 3, open open open",
        "torus 3m 3 3M, open ring open",
        "mesh 3t 3 3T, ring open ring",
        "torus 2 2T 3, open open ring",
        "mesh 1 5 5, open open open"
    })
    void aDimensionIsARingUnlessItIsAMeshOrHasTwoSwitches(String sizes, String expected) {
        Torus2QosConf conf = TestTorus.conf(sizes + "\n" + SEED_LINKS);
        assertThat(IntStream.range(0, 3).mapToObj(dimension -> conf.isMesh(dimension) ? "open" : "ring"))
                .containsExactly(expected.split(" ", -1));
    }

    @Test
    void aLineThatIsReadOtherwiseThanItLooksIsReported() {
        Parsed parsed =
                TestTorus.parse("torus 3x 3 3 extra\nmax_changes many\n" + SEED_LINKS + "xp_link 0x200000 0x200090");
        assertThat(texts(parsed, Severity.WARNING))
                .anyMatch(text -> text.contains(":1: \"3x\" is read as 3"))
                .anyMatch(text -> text.contains(":2: \"many\" is no plain number; it is read as 0"))
                .anyMatch(text -> text.contains(":6: xp_link of this seed was already given in line 3"));
        assertThat(texts(parsed, Severity.INFO)).anyMatch(text -> text.contains(":1: the words from \"extra\" on"));
    }

    @Test
    void aFileWithManyBadLinesHasOneHundredErrorsAndTheNumberOfTheOthers() {
        List<String> errors = errors("bogus \u0001\u00e9\n".repeat(100_000));
        assertThat(errors).hasSize(101);
        assertThat(errors.get(0)).contains("\"bogus ??\"");
        assertThat(errors.get(100)).contains("99900 more errors");
    }

    @Test
    void anEngineWithoutAReadableFileRefusesToRoute() {
        Parsed parsed = Torus2QosConf.unreadable("/etc/x.conf", "No such file");
        assertThat(TestTorus.refusal(new Torus2QosEngine(parsed).route(CUBE.fabric.subnet(0), TestTorus.QOS))
                        .reason())
                .contains("cannot read /etc/x.conf (No such file)", "torus_config");
    }

    /** The end is the number of characters that were read. The value is unsigned: -1 is 2^64 - 1. */
    @ParameterizedTest
    @CsvSource({
        "12,12,2",
        "0x1F,31,4",
        "017,15,3",
        "08,0,1",
        "0x,0,1",
        "0xg,0,1",
        "-1,-1,2",
        "+5,5,2",
        "-,0,0",
        "m,0,0",
        "18446744073709551615,-1,20",
        "12m,12,2"
    })
    void aNumberIsReadAsStrtoulDoes(String token, long value, int end) {
        assertThat(CNumber.parse(token)).isEqualTo(new CNumber(value, end, end > 0, false));
    }

    /** 2^64, which strtoul reads as 2^64 - 1 with the error ERANGE. */
    @ParameterizedTest
    @ValueSource(strings = {"18446744073709551616", "-18446744073709551616"})
    void aNumberOfMoreThan64BitsOverflows(String token) {
        assertThat(CNumber.parse(token)).isEqualTo(new CNumber(-1, token.length(), true, true));
    }
}
