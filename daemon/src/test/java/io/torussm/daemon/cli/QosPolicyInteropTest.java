package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.dump.Ibdmchk;
import io.torussm.event.SmEvent;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.Seeds;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Paths under a policy file, by OpenSM and by this SM: SL, MTU, rate and packet life time of each path are equal, and
 * ibdmchk finds no credit loop for any mixture of the two levels of SLs. P_Keys are not compared: OpenSM grants any
 * that both ends share, and that of a level without the membership bit.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QosPolicyInteropTest {
    private static final String TORUS = "torus:3x3x3,hosts=1";
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";

    /** A dump of torus-sm: node GUID of the source, LID of the destination and SL of all paths, at level 0. */
    private static final String PATH_SLS = "opensm-path-sl.dump";

    /** The bit of an SL that the second QoS level sets. */
    private static final int SECOND_LEVEL = 8;

    private static final long SEED = 1;

    private static final String PARTITIONS = """
            Default=0x7fff : ALL=full ;
            Storage=0x10 : 0x100000301=full, 0x100000501=full, 0x100000601=full ;
            """;

    private static final String POLICY = """
            port-groups
              port-group
                name: Servers
                port-guid: 0x100000301, 0x100000701-0x100000501
              end-port-group
              port-group
                name: Members
                partition: Storage
              end-port-group
            end-port-groups
            qos-levels
              qos-level
                name: DEFAULT
                sl: 0
              end-qos-level
              qos-level
                name: WholeSet
                sl: 9
                mtu-limit: 3
                rate-limit: 3
                packet-life: 16
              end-qos-level
              qos-level
                name: Part
                sl: 010
                pkey: 020
              end-qos-level
            end-qos-levels
            qos-match-rules
              qos-match-rule
                use: by class
                qos-class: 5-6,9
                destination: servers
                qos-level-name: wholeset
              end-qos-match-rule
              qos-match-rule
                source: Members
                destination: Members
                service-id: 0x99
                qos-level-name: Part
              end-qos-match-rule
            end-qos-match-rules
            qos-ulps
              default : 3
              any, service-id 0x1060cbc : 8
              sdp, port-num 80 : 0
              sdp : 8
              any, pkey 0x10 : 8
              any, target-port-guid 0x100000a01 : 8
            end-qos-ulps
            """;

    /** Low 32 bits of port GUIDs: source, destination. */
    private static final int[][] PAIRS = {
        {0x301, 0x501}, {0x401, 0x601}, {0x301, 0x1801}, {0xa01, 0x1a01}, {0x1a01, 0xa01}
    };

    /** Options of saquery: each reaches another rule of the policy, or none. */
    private static final List<String> REQUESTS = List.of(
            "",
            "--qos_class 5",
            "--qos_class 9",
            "--qos_class 7",
            "--service_id 0x1060cbc",
            "--service_id 0x10050",
            "--service_id 0x10051",
            "--service_id 0x99",
            "--pkey 0x8010",
            "--pkey 0xffff",
            "--qos_class 5 --service_id 0x99",
            "--qos_class 5 --mtu 4",
            "--service_id 0x99 --pkey 0xffff",
            "--sl 0",
            "--sl 8");

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void pathsHaveTheSlAndTheLimitsThatOpenSmGivesThem() throws Exception {
        String policy =
                Files.writeString(dir.resolve("qos-policy.conf"), POLICY).toString();
        String partitions =
                Files.writeString(dir.resolve("partitions.conf"), PARTITIONS).toString();
        // ibsim acknowledges no segments; retransmissions would reach the next saquery
        String settings = Files.writeString(dir.resolve("torus-sm.conf"), "kernel_rmpp = true\n")
                .toString();
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, TOOL_HOST, dir)) {
            TorusOnIbSim.Sm reference = torus.openSm(SM_HOST, "-Y", policy, "-P", partitions);
            reference.await("SUBNET UP");
            Map<String, String> wanted = pathParametersByQuery(answers(torus));
            reference.end();
            TorusOnIbSim.Sm sm = torus.torusSm(
                    SM_HOST, "-F", settings, "-Y", policy, "-P", partitions, "--dump-dir", dumps().toString());
            sm.await(SmEvent.SUBNET_UP.code());
            Map<String, String> found = answers(torus);
            sm.end();
            assertThat(pathParametersByQuery(found)).isEqualTo(wanted);
            assertThat(sls(found.values())).isNotEmpty().isSubsetOf(twoLevels());
            assertThatNoMixtureOfLevelsHasACreditLoop();
            assertPolicyDecides(wanted);
        }
    }

    /**
     * Asserts that the policy has an effect: some paths have a limited MTU, others the full one, others are refused.
     */
    private static void assertPolicyDecides(Map<String, String> parametersByQuery) {
        assertThat(parametersByQuery.values())
                .anyMatch(parameters -> parameters.contains("0x83"))
                .anyMatch(parameters -> parameters.contains("0x84"))
                .contains("");
    }

    /** Returns the output of saquery for each pair and request, by command line. */
    private static Map<String, String> answers(TorusOnIbSim torus) throws IOException, InterruptedException {
        Map<String, String> answers = new LinkedHashMap<>();
        for (int[] pair : PAIRS) {
            for (String request : REQUESTS) {
                String command = "saquery PR --sgid fe80::1:0:%x --dgid fe80::1:0:%x %s"
                        .formatted(pair[0], pair[1], request)
                        .strip();
                answers.put(command, torus.tool(command.split(" ", -1)));
            }
        }
        return answers;
    }

    private Path dumps() {
        return dir.resolve("dumps");
    }

    /** Returns the paths in the output of saquery as lines of {@link #PATH_SLS}. */
    private static List<String> sls(Collection<String> records) {
        Pattern record = Pattern.compile(
                "sgid\\.+fe80::1:0:([0-9a-f]+)01$.*^\\s*dlid\\.+(\\d+)$.*^\\s*sl\\.+0x([0-9A-F]+)$",
                Pattern.MULTILINE | Pattern.DOTALL);
        return records.stream()
                .flatMap(text -> record.matcher(text).results())
                .map(found -> "0x00000001%08x %s %d"
                        .formatted(
                                Integer.parseInt(found.group(1), 16) << 8,
                                found.group(2),
                                Integer.parseInt(found.group(3), 16)))
                .toList();
    }

    /** Returns the dumped paths of level 0, and the same with level 1. */
    private List<String> twoLevels() throws IOException {
        List<String> paths = new ArrayList<>();
        for (String path : Files.readAllLines(dumps().resolve(PATH_SLS))) {
            paths.add(path);
            paths.add(withLevel(path, 1));
        }
        return paths;
    }

    private void assertThatNoMixtureOfLevelsHasACreditLoop() throws Exception {
        List<String> paths = Files.readAllLines(dumps().resolve(PATH_SLS));
        Random random = Seeds.random(SEED);
        for (IntSupplier level : List.<IntSupplier>of(() -> 0, () -> 1, () -> random.nextInt(2))) {
            Files.write(
                    dumps().resolve(PATH_SLS),
                    paths.stream()
                            .map(path -> withLevel(path, level.getAsInt()))
                            .toList());
            assertThat(Ibdmchk.verdict(dumps()))
                    .contains("no credit loops found")
                    .doesNotContain("-E-");
        }
    }

    private static String withLevel(String path, int level) {
        int at = path.lastIndexOf(' ') + 1;
        return path.substring(0, at) + (Integer.parseInt(path.substring(at)) | SECOND_LEVEL * level);
    }

    private static Map<String, String> pathParametersByQuery(Map<String, String> answers) {
        Map<String, String> parameters = new LinkedHashMap<>();
        answers.forEach((query, record) -> parameters.put(query, pathParameters(record)));
        return parameters;
    }

    /** Returns SL, MTU, rate and packet life time of a path; an empty text if there is none. */
    private static String pathParameters(String record) {
        return record.lines()
                .map(String::strip)
                .filter(line -> line.matches("(sl|mtu|rate|pkt_life)\\..*"))
                .collect(Collectors.joining(" "));
    }
}
