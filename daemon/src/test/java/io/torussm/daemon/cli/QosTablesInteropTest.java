package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * SL2VL and VL arbitration tables that OpenSM and this SM program for the same options, read from the
 * devices. Entries without weight are not compared: they do nothing, and only OpenSM writes them.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QosTablesInteropTest {
    private static final String TORUS = "torus:3x2x1,hosts=1";
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";
    private static final String FAIR = "0:8,1:8,2:8,3:8,4:1,5:1,6:1,7:1";

    /** Directed routes from the tool's host: its own port, and port 0, a cable and a host of its switch. */
    private static final Map<String, String> PORTS =
            Map.of("CA", "0 1", "port 0", "0,1 0", "link", "0,1 1", "host", "0,1 7");

    /** Option sets, in the words of both. */
    private enum Options {
        DEFAULTS(),
        FEW_VLS("qos_max_vls 2", "qos_vlarb_low 0:3,1:3,2:3,3:3", "qos_vlarb_high 1:1"),
        HIGH_LIMIT("qos_high_limit 9", "qos_vlarb_high 0:4,1:4", "qos_vlarb_low " + FAIR),
        ARBITRATION("qos_vlarb_high 4:9,5:9,6:9,7:9", "qos_vlarb_low 4:1,5:1,6:1,7:1,0:64,1:64,2:64,3:64"),
        SL2VL("qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,15", "qos_vlarb_low " + FAIR, "qos_vlarb_high 0:1"),
        BY_KIND(
                "qos_ca_vlarb_low 0:64,1:8",
                "qos_swe_vlarb_low 0:5,1:5,2:5,3:5,4:2,5:2,6:2,7:2",
                "qos_sw0_vlarb_high 1:3",
                "qos_rtr_vlarb_low 0:1",
                "qos_vlarb_low 0:7,1:7",
                "qos_vlarb_high 0:2",
                "qos_ca_sl2vl 0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1",
                "qos_swe_sl2vl 7,6,5,4,3,2,1,0,7,6,5,4,3,2,1,0",
                "qos_sw0_sl2vl 1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2",
                "qos_sl2vl 3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3");

        private final String text;

        Options(String... lines) {
            text = String.join("\n", lines);
        }

        List<String> lines() {
            return text.lines().toList();
        }
    }

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void torus2QosGivesEveryPortWhatOpenSmGivesIt() throws Exception {
        compare("torus-2QoS", (options, port, table) -> options != Options.DEFAULTS || !table.startsWith("vlarb"));
    }

    @Test
    void minhopGivesEveryPortWhatOpenSmGivesIt() throws Exception {
        compare("minhop", (options, port, table) -> true);
    }

    /** The test whether both are expected to program the same. */
    private interface EqualityExpectation {
        boolean isExpected(Options options, String port, String table);
    }

    private void compare(String engine, EqualityExpectation agreement) throws Exception {
        Map<String, List<String>> wanted = new LinkedHashMap<>();
        Map<String, List<String>> found = new LinkedHashMap<>();
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, TOOL_HOST, dir)) {
            torus.routeWith(engine);
            for (Options options : Options.values()) {
                TorusOnIbSim.Sm sm = torus.openSm(SM_HOST, options.lines());
                sm.await("SUBNET UP");
                read(torus, options, agreement, wanted);
                sm.end();
            }
        }
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, TOOL_HOST, dir)) {
            torus.routeWith(engine);
            for (Options options : Options.values()) {
                Path settings = Files.writeString(dir.resolve("torus-sm.conf"), hocon(options.lines()));
                TorusOnIbSim.Sm sm = torus.torusSm(SM_HOST, "-F", settings.toString(), "--on_credit_loop", "warn");
                sm.await(SmEvent.SUBNET_UP.code());
                // The programmed VL arbitration is read, and written if it differs, once the subnet is up.
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
                do {
                    read(torus, options, agreement, found);
                } while (!wanted.entrySet().containsAll(found.entrySet()) && System.nanoTime() < end);
                sm.end();
            }
        }
        assertThat(found).isEqualTo(wanted);
    }

    private static void read(
            TorusOnIbSim torus, Options options, EqualityExpectation agreement, Map<String, List<String>> tables)
            throws IOException, InterruptedException {
        for (Map.Entry<String, String> port : PORTS.entrySet()) {
            for (String table : List.of("vlarb", "sl2vl")) {
                if (agreement.isExpected(options, port.getKey(), table)) {
                    String text = torus.tool(("smpquery -D " + table + " " + port.getValue()).split(" ", -1));
                    tables.put(options + " " + port.getKey() + " " + table, rows(text));
                }
            }
        }
    }

    private static String hocon(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceFirst(" (.*)", " = \"$1\"\n"))
                .collect(Collectors.joining());
    }

    /** Returns SL2VL rows as they are printed, and of each arbitration table the entries with a weight. */
    private static List<String> rows(String text) {
        List<String> rows = new ArrayList<>();
        List<String> vls = List.of();
        for (String line : text.lines().toList()) {
            if (line.startsWith("ports:")) {
                rows.add(line);
            } else if (line.startsWith("VL ")) {
                vls = cells(line);
            } else if (line.startsWith("WEIGHT:")) {
                rows.add(nonZeroWeights(vls, cells(line)));
            }
        }
        return rows;
    }

    private static String nonZeroWeights(List<String> vls, List<String> weights) {
        return IntStream.range(0, vls.size())
                .filter(i -> !weights.get(i).equals("0x0"))
                .mapToObj(i -> vls.get(i) + ":" + weights.get(i))
                .collect(Collectors.joining(","));
    }

    private static List<String> cells(String line) {
        return List.of(line.substring(line.indexOf('|') + 1).replace(" ", "").split("\\|"));
    }
}
