package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * The responses of OpenSM and of this SM to saquery, on the same fabric with the same LIDs: the table in
 * docs/operator/saquery.md.
 *
 * <p>Every query comes from a host of its own: the tools do not acknowledge tables on ibsim, so
 * retransmissions would reach the next tool at the same host. Only tables that fit a MAD can be compared.
 */
@Tag("interop")
@BothSimulators
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordsInteropTest {
    private static final String TORUS = "torus:4x3x1,hosts=6";
    private static final String SM_HOST = "H-0000000100000000";
    private static final String UP = "SUBNET UP";

    /** LID 1 is the SM's host, LID 2 its switch; output port 1 of which is linked, input port 2 too. */
    private static final List<String> SAME = List.of(
            "NR 1",
            "NR 2",
            "NR 900",
            "PIR 1",
            "PIR 1/1/128",
            "PIR 2/0",
            "PIR 2/1",
            "SL2VL 1",
            "SL2VL 1/0/1",
            "SL2VL 1/7/7",
            "SL2VL 2/0/1",
            "SL2VL 2/2/1",
            "PKTR 1/1/0",
            "--smkey 1 PKTR 1/1/0",
            "--smkey 1 PKTR 2/0/0",
            "--smkey 1 PKTR 2/7/0",
            "LR 1",
            "LR 1/1 2",
            "LR 2/1",
            "SR",
            "LFTR 2/0",
            "LFTR 2/1",
            "LFTR 2/7",
            "GIR 1/0",
            "GIR 1/3",
            "GIR 1/4",
            "GIR 2/0",
            "SWIR 1",
            "SWIR 2",
            "SMIR 1",
            "SMIR 2",
            "MCMR",
            "-g",
            "-m",
            "-s");

    /** The differences, with a word of this SM's response; the reasons are in docs/operator/saquery.md. */
    private static final Map<String, String> DIFFERENT = Map.of(
            "CPI", "Capability mask",
            "VLAR 1/1/1", "Block......................1",
            "VLAR 1/0/1", "Port.......................1",
            "VLAR 2/1/3", "Block......................3",
            "MFTR 2/0/0", "MFT Record dump");

    /** OpenSM 3.3.23 ends with a segmentation fault when it is asked this, so only this SM is. */
    private static final String DEADLY = "SL2VL 2/1/200";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void saqueryReceivesTheAnswerOfOpenSmOrABetterOne() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, SM_HOST, dir)) {
            List<String> queries =
                    Stream.concat(SAME.stream(), DIFFERENT.keySet().stream()).toList();
            TorusOnIbSim.Sm opensm = torus.openSm(SM_HOST);
            opensm.await(UP);
            Map<String, String> reference = answers(torus, queries);
            opensm.end();

            torus.torusSm(SM_HOST).await(UP);
            Map<String, String> ours = answers(torus, queries);
            Set<String> same = new HashSet<>(queries);
            same.removeIf(query -> !ours.getOrDefault(query, "").equals(reference.get(query)));
            assertThat(same).as("ours: %s, OpenSM's: %s", ours, reference).containsExactlyInAnyOrderElementsOf(SAME);
            DIFFERENT.forEach((query, word) -> assertThat(ours.get(query)).contains(word));
            assertThat(ask(torus, hosts().get(0), DEADLY)).isEmpty();
        }
    }

    private static List<String> hosts() {
        return TorusSpec.parse(TORUS).topology().nodes().stream()
                .filter(node -> !node.isSwitch())
                .map(node -> "H-" + String.format("%016x", node.nodeGuid()))
                .filter(host -> !host.equals(SM_HOST))
                .toList();
    }

    private static Map<String, String> answers(TorusOnIbSim torus, List<String> queries)
            throws IOException, InterruptedException {
        List<String> hosts = hosts();
        assertThat(hosts).hasSizeGreaterThan(queries.size());
        Map<String, String> answers = new LinkedHashMap<>();
        for (int i = 0; i < queries.size(); i++) {
            answers.put(queries.get(i), ask(torus, hosts.get(i + 1), queries.get(i)));
        }
        return answers;
    }

    /** Returns the output of saquery without counters that change. */
    private static String ask(TorusOnIbSim torus, String host, String query) throws IOException, InterruptedException {
        String[] command = ("saquery " + query).split(" ", -1);
        return torus.toolAt(host, command).text().replaceAll("ActCount\\.+[0-9]+", "ActCount");
    }
}
