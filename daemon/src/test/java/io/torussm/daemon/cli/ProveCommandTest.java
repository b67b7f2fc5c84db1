package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.proof.ProvableFiles;
import io.torussm.daemon.system.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code prove} for tables of any SM: the proof of files, the certificate, and its check. */
class ProveCommandTest {
    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void aTorusIsFreeInEveryRespectAndHasACertificate() throws Exception {
        Path files = ProvableFiles.torus("torus:4x3x2", dir.resolve("dump"));
        Path certificate = dir.resolve("certificate");
        assertThat(run(files, "--certificate", certificate)).isEqualTo(ExitCode.OK);
        assertThat(out())
                .contains("24 switches, 24 ports of hosts, 1 groups, 552 paths of hosts")
                .contains("certificate: " + certificate)
                .doesNotContain("note:", "LOST");
        assertThat(out().lines().filter(line -> line.contains(": ") && line.contains("free of credit loops")))
                .hasSize(4);
        assertThat(certificate)
                .content()
                .startsWith("torus-sm certificate 1\nmade-by torus-sm ")
                .contains("\ncovers hosts switches groups\nfile links opensm-subnet.lst ")
                .endsWith("\nend\n");
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("is a proof for these files");
        assertThat(run(files, "--certificate", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("is there already");
    }

    @Test
    void twoHostsOnOneCableAreFreeInEveryRespect() throws Exception {
        Path files = ProvableFiles.routed("pair", Map.of(), dir.resolve("dump"));
        assertThat(run(files)).isEqualTo(ExitCode.OK);
        assertThat(out())
                .contains("0 switches, 2 ports of hosts", "2 paths of hosts")
                .doesNotContain("note:", "unknown");
    }

    /**
     * The certificate names two channels of which one is held while the other is waited for: their ranks
     * change places.
     */
    @Test
    void aCertificateWithAWrongRankIsNoProof() throws Exception {
        Path files = ProvableFiles.torus("torus:4x3x1", dir.resolve("dump"));
        Path certificate = dir.resolve("certificate");
        assertThat(run(files, "--certificate", certificate)).isEqualTo(ExitCode.OK);
        String text = Files.readString(certificate);
        Files.writeString(certificate, text.replaceAll("(?m)^(0x\\w+ \\d+ \\d+) \\d+$", "$1 7"));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.NO_PROOF);
        assertThat(out()).contains("NO PROOF: ").contains("but rank 7 is not below 7");
        Files.writeString(
                certificate,
                text.replaceFirst("(?m)^0x.*\n", "").replaceFirst("channels \\d+", "channels " + (channels(text) - 1)));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.NO_PROOF);
        assertThat(out()).contains("is used and has no rank");
        Files.writeString(certificate, text.substring(0, text.lastIndexOf("0x")));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(certificate.toString()).contains("the certificate is cut off");
    }

    /** An option without effect would let exit code 0 pass for a proof. */
    @ParameterizedTest
    @ValueSource(strings = {"--check", "--links", "--tables", "--sl2vl", "--sls", "--groups"})
    void anOptionThatANetworkHasNoUseForIsRefused(String option) throws Exception {
        Path file = Files.writeString(
                dir.resolve("free.json"), "{\"format\":\"torus-sm-network\",\"version\":1,\"routes\":[[\"a\",\"b\"]]}");
        assertThat(run(file, option, dir.resolve("absent"))).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(option + " does not apply to a network: omit it");
        for (String number : List.of("--sl", "--switch-sl", "--group-sls", "--lmc")) {
            assertThat(run(file, number, "1")).as(number).isEqualTo(ExitCode.BAD_CONFIGURATION);
            assertThat(err()).contains(number + " does not apply to a network");
        }
    }

    @Test
    void aCheckRefusesOptionsOfAProof() throws Exception {
        Path files = ProvableFiles.torus("torus:3x3x1", dir.resolve("dump"));
        Path certificate = dir.resolve("certificate");
        assertThat(run(files, "--certificate", certificate)).isEqualTo(ExitCode.OK);
        for (String number : List.of("--sl", "--switch-sl", "--group-sls", "--lmc")) {
            assertThat(run(files, "--check", certificate, number, "0"))
                    .as(number)
                    .isEqualTo(ExitCode.BAD_CONFIGURATION);
            assertThat(err()).contains(number + " does not apply to --check: omit it");
        }
        assertThat(run(files, "--check", certificate, "--certificate", dir.resolve("other")))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(dir.resolve("other")).doesNotExist();
        assertThat(run(files, "--check", certificate, "--json")).isEqualTo(ExitCode.OK);
        assertThat(new ObjectMapper().readTree(out()).get("verdict").asText()).isEqualTo("proof");
    }

    /** As the verifier in Python: a certificate is about the files that it names, each with its digest. */
    @Test
    void aCertificateOfOtherFilesIsRefused() throws Exception {
        Path files = ProvableFiles.torus("torus:3x3x1", dir.resolve("dump"));
        Path certificate = dir.resolve("certificate");
        assertThat(run(files, "--certificate", certificate)).isEqualTo(ExitCode.OK);
        String text = Files.readString(certificate);
        Files.writeString(certificate, text.replaceFirst("file groups .*\n", ""));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("the certificate is for the files links, tables, sl2vl, sls, and these are");
        Files.writeString(certificate, text);
        Path tables = files.resolve("opensm-lfts.dump");
        Files.writeString(tables, "# another dump\n" + Files.readString(tables));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("opensm-lfts.dump is not the file of the certificate");
    }

    /** With SL 2 the certificate is about VL 2. With SL 0, which is the default, VL 0 would have no ranks. */
    @Test
    void aCheckAssumesWhatTheCertificateAssumes() throws Exception {
        ProvableFiles.recorded("updn", "ring8", dir);
        String table = Files.readAllLines(dir.resolve("slvl")).stream()
                .map(row -> row.replaceFirst("0x01", "0x00"))
                .collect(Collectors.joining("\n"));
        Files.writeString(dir.resolve("slvl"), table + "\n");
        Path certificate = dir.resolve("certificate");
        assertThat(run(dir, "--sl", "2", "--certificate", certificate))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(run(dir, "--check", certificate)).as(out()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("assumed: sl 2\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'made-by', 'madeby', is no line of a certificate",
        "'covers hosts', 'covers guests', covers",
        "'file tables', 'file cables', is no file of a certificate",
        "'assume lmc 0', 'assume lmc 8', is no assumption",
        "'assume lmc 0', 'assume lmc', is no assumption",
        "'assume group-sls 0', 'assume group-sls 16', is no assumption",
        "'assume group-sls 0', 'assume group-sls', is no assumption",
        "'channels', 'canals', is no line of a certificate",
    })
    void anUnknownLineOfACertificateIsRefused(String old, String replacement, String fault) throws Exception {
        Path files = ProvableFiles.torus("torus:3x3x1", dir.resolve("dump"));
        Path certificate = dir.resolve("certificate");
        assertThat(run(files, "--certificate", certificate)).isEqualTo(ExitCode.OK);
        String text = Files.readString(certificate);
        assertThat(text).contains(old);
        Files.writeString(certificate, text.replaceFirst(old, replacement));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(certificate + ":").contains(fault);
        Files.writeString(certificate, text + "0x1 1 1 1\n");
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("there is a line after \"end\"");
        Files.writeString(certificate, text.replaceFirst("channels .*\n", ""));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("without a line \"channels N\" before it").doesNotContain("of -1");
        Files.writeString(certificate, text.replaceFirst("covers .*\n", ""));
        assertThat(run(files, "--check", certificate)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("no line \"covers");
    }

    /** Tables of OpenSM 3.3.23: the verdict equals that of an auditor on the wire. */
    @ParameterizedTest
    @CsvSource({
        "minhop, ring7, CREDIT_LOOP, 'hosts:                          CREDIT LOOP of '",
        "minhop, torus44, CREDIT_LOOP, 'hosts:                          CREDIT LOOP of '",
        "dnup, torus44, CREDIT_LOOP_WITH_SWITCHES, 'hosts:                          free of credit loops'",
        "updn, ring8, OK, 'hosts:                          free of credit loops'",
        "updn, cut, PACKETS_LOST, 'LOST: packets of '",
    })
    void judgesWhatOpenSmComputed(String engine, String name, ExitCode code, String output) throws Exception {
        Path files = ProvableFiles.recorded(engine, name, dir);
        assertThat(run(files, "--certificate", dir.resolve("certificate"))).isEqualTo(code);
        assertThat(Files.exists(dir.resolve("certificate")))
                .isEqualTo(code == ExitCode.OK || code == ExitCode.CREDIT_LOOP_WITH_SWITCHES);
        assertThat(out()).contains(output).contains("note: SLs of paths are not given");
    }

    /** The shortest credit loop, each step with a pair whose packets close it. */
    @Test
    void namesTheShortestLoopAndTheRoutesThatCloseIt() throws Exception {
        assertThat(run(ProvableFiles.recorded("minhop", "ring7", dir), "--json"))
                .isEqualTo(ExitCode.CREDIT_LOOP);
        JsonNode creditLoop =
                new ObjectMapper().readTree(out()).get("verdicts").get(0).get("circle");
        assertThat(creditLoop).hasSize(7);
        assertThat(creditLoop.get(0).get("source").asText()).startsWith("node-").contains(" port ");
        assertThat(creditLoop)
                .allSatisfy(wait -> assertThat(wait.get("vl").asInt()).isZero());
    }

    /**
     * Two ports of a host may have different SLs: a section by port GUID is about one of them, a line with a
     * node GUID about both.
     */
    @Test
    void slsAreOfPortsOrOfNodes() throws Exception {
        ProvableFiles.recorded("minhop", "2ports", dir);
        String link = Files.readAllLines(dir.resolve("subnet.lst")).stream()
                .filter(line -> line.matches("\\{ CA [^{]*\\{[^{]*PN:02 } .*"))
                .findFirst()
                .orElseThrow();
        String node = link.replaceFirst(".*?NodeGUID:(\\w+) .*", "$1");
        String port = link.replaceFirst(".*?PortGUID:(\\w+) .*", "$1");
        Files.writeString(dir.resolve("psl"), "Channel Adapter 0x" + port + ", base LID 9\n0x0003 : 0\n");
        run(dir);
        assertThat(out())
                .as(err())
                .contains(" 1 paths of hosts")
                .contains(" pairs of a port of a host and a LID have no path, since the SLs do not list them");
        assertThat(out()).contains("hosts and ports 0 of switches:  unknown").contains("see --switch-sl");
        Files.writeString(dir.resolve("psl"), "0x" + node + " 3 0\n");
        run(dir, "--switch-sl", "0");
        assertThat(out()).contains(" 2 paths of hosts").doesNotContain("unknown");
    }

    /** The database of ibdiagnet2 says what links and LIDs there are, as well as the list of links. */
    @Test
    void theDatabaseOfIbdiagnetIsAsGoodAsTheListOfLinks() throws Exception {
        ProvableFiles.recorded("lash", "torus44", dir);
        assertThat(run(dir)).isEqualTo(ExitCode.OK);
        String output = out();
        StringBuilder nodes =
                new StringBuilder("START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,LocalPortNum\n");
        StringBuilder ports = new StringBuilder("START_PORTS\nNodeGuid,PortGuid,PortNum,LID,LMC\n");
        StringBuilder links = new StringBuilder("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n");
        Pattern end = Pattern.compile(
                "\\{ (SW|CA) Ports:(\\w+) \\S+ NodeGUID:(\\w+) PortGUID:(\\w+) .*?\\{(\\S+)} LID:(\\w+) PN:(\\w+)");
        Set<String> seen = new HashSet<>();
        for (String line : Files.readAllLines(dir.resolve("subnet.lst"))) {
            List<String> ends = new ArrayList<>();
            end.matcher(line).results().forEach(at -> {
                int port = Integer.parseInt(at.group(7), 16);
                ends.add("0x" + at.group(3) + "," + port);
                if (seen.add(at.group(3))) {
                    nodes.append(String.format(
                            "\"%s\",%d,%d,0x%s,0x%s,1\n",
                            at.group(5),
                            Integer.parseInt(at.group(2), 16),
                            at.group(1).equals("SW") ? 2 : 1,
                            at.group(3),
                            at.group(4)));
                }
                ports.append(String.format(
                        "0x%s,0x%s,%d,%d,0\n", at.group(3), at.group(4), port, Integer.parseInt(at.group(6), 16)));
            });
            links.append(String.join(",", ends)).append('\n');
        }
        Files.delete(dir.resolve("subnet.lst"));
        Files.writeString(
                dir.resolve("ibdiagnet2.db_csv"),
                nodes + "END_NODES\n\n" + ports + "END_PORTS\n\nSTART_OTHER\nx\nEND_OTHER\n" + links + "END_LINKS\n");
        assertThat(run(dir)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).isEqualTo(output);
    }

    @Test
    void routesOfAnyNetworkAreListsOfChannels() throws Exception {
        Path file = Files.writeString(
                dir.resolve("ring.json"),
                "{\"format\":\"torus-sm-network\",\"version\":1,\"routes\":[[\"a\",\"b\"],[\"b\",\"c\"],[\"c\",\"a\"]]}");
        assertThat(run(file)).isEqualTo(ExitCode.CREDIT_LOOP);
        assertThat(out()).contains("can DEADLOCK, a credit loop of 3 channels:", "  c, held by packets of routes[2]");
        Files.writeString(file, Files.readString(file).replace("[\"c\",\"a\"]", "[\"c\",\"d 1\"]"));
        assertThat(run(file, "--certificate", dir.resolve("ranks"))).isEqualTo(ExitCode.OK);
        assertThat(dir.resolve("ranks")).content().contains("\ncovers routes\n", "\nd 1 3\nend\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"format\":\"torus-sm-network\"', ':1: this is no JSON'",
        "'{\"format\":\"other\",\"version\":1}', 'write \"format\": \"torus-sm-network\"'",
        "'{\"format\":\"torus-sm-network\",\"version\":1,\"route\":[]}', ':1: Unrecognized field \"route\"'",
        "'{\"format\":\"torus-sm-network\",\"version\":1,\"routes\":[[\"a\",\" b\"]]}', 'routes[0]: channels are"
                + " texts'",
        "'{\"format\":\"torus-sm-network\",\"version\":1,\"routes\":[[\"a\",null]]}', 'routes[0]: channels are texts'",
        "'{\"format\":\"torus-sm-network\",\"version\":1,\"routes\":[\"a\"]}', ':1: '",
    })
    void aBadNetworkIsNamed(String text, String fault) throws Exception {
        Path file = Files.writeString(dir.resolve("bad.json"), text);
        assertThat(run(file)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(file.toString()).contains(fault);
    }

    @ParameterizedTest
    @CsvSource({
        "subnet.lst, 'hello', is no link",
        "subnet.lst, '{ SW Ports:08 SystemGUID:1 NodeGUID:0000000000200000 PortGUID:1 VenID:0 DevID:0 Rev:0 {x}"
                + " LID:0002 PN:01 } { SW Ports:05 SystemGUID:1 NodeGUID:1 PortGUID:1 VenID:0 DevID:0 Rev:0 {y} LID:0fff"
                + " PN:01 } PHY=', a port has two cables",
        "fdbs, '0x0001 : oops', is no entry",
        "fdbs, '0x0001 : 099  : 00', has no port 99",
        "fdbs, 'PLFT_NUM: 1', several forwarding tables",
        "fdbs, 'dump_ucast_routes: Switch 0xzz', there should be a GUID",
        "fdbs, '0xffff : 001 : 00', there is no unicast LID 65535",
        "slvl, '0x200000 1 2 0x01 0x23', is no row",
        "slvl, '0x99 1 2 0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67', there is no switch 0x99",
        "slvl, '0x200000 1 99 0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67', has no port 99",
        "psl, '0x200000 1 16', there is no SL 16",
        "psl, '0x200000 1', this is no path",
        "psl, '0x99 1 1', there is no node or end port 0x99",
        "mcfdbs, '0xC000 : 0x001', is no entry",
    })
    void aBadLineIsNamedWithFileAndLine(String name, String line, String fault) throws Exception {
        ProvableFiles.recorded("minhop", "ring7", dir);
        Path file = dir.resolve(name);
        String before = Files.exists(file) ? Files.readString(file) : "";
        Files.writeString(file, before + line + "\n");
        assertThat(run(dir)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err())
                .contains(file + ":" + (before.lines().count() + 1) + ": ")
                .contains(fault);
    }

    @Test
    void missingFilesAndSenselessValuesAreNamed() throws Exception {
        assertThat(run(dir)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err())
                .contains(dir + " has no file of links, such as opensm-subnet.lst")
                .contains("--links");
        ProvableFiles.recorded("minhop", "ring7", dir);
        assertThat(run(dir, "--sl2vl", dir.resolve("none"))).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("cannot read " + dir.resolve("none") + ": there is no such file");
        for (String option : List.of("--sl", "--switch-sl", "--group-sls", "--lmc")) {
            assertThat(run(dir, option, "16")).as(option).isEqualTo(ExitCode.BAD_CONFIGURATION);
            assertThat(err()).contains(option);
        }
    }

    /** With SL 1 on VL 1 for all, a ring has the same credit loop on VL 1 as on VL 0. */
    @Test
    void theSlThatFilesDoNotSayCanBeGiven() throws Exception {
        ProvableFiles.recorded("minhop", "ring7", dir);
        assertThat(run(dir, "--sl", "1")).isEqualTo(ExitCode.CREDIT_LOOP);
        assertThat(out()).contains("VL 1, held by packets").doesNotContain("VL 0,");
        String table = Files.readAllLines(dir.resolve("slvl")).stream()
                .map(row -> row.replaceFirst("0x01", "0x0f"))
                .collect(Collectors.joining("\n"));
        Files.writeString(dir.resolve("slvl"), table + "\n");
        assertThat(run(dir, "--sl", "1").name().toLowerCase(Locale.ROOT)).isEqualTo("packets_lost");
        assertThat(out()).contains("which maps the SL to VL15").contains("  and 396 more");
    }

    private ExitCode run(Object... arguments) throws InterruptedException {
        out.reset();
        err.reset();
        List<String> words = new ArrayList<>(List.of("prove"));
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        return Main.run(
                words.toArray(String[]::new),
                (options, host) -> {
                    throw new AssertionError("a daemon was started");
                },
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static long channels(String certificate) {
        return certificate.lines().filter(line -> line.startsWith("0x")).count();
    }
}
