package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulation;
import io.torussm.testing.Simulator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Counters of ibsim, set at its console, read through the real libibumad, against what perfquery prints of the same
 * ports.
 */
@Tag("interop")
@BothSimulators
class PerfInteropTest {
    private static final Path TWO_HOSTS = Path.of("src/test/resources/ibsim/two-hosts.topo");
    private static final String HOST = "H-0000000000100000";
    private static final Pattern PROBE_LINE = Pattern.compile("(\\w+)=0x([0-9a-f]+)");
    private static final Pattern PERFQUERY = Pattern.compile("(?m)^(\\w+):\\.+(0x)?(\\w+)$");

    /** Counters of errors, which stay, and a value for each that is like no other. */
    private static final Map<String, Integer> ERRORS = new LinkedHashMap<>();

    static {
        ERRORS.put("SymbolErrorCounter", 5);
        ERRORS.put("LinkErrorRecoveryCounter", 6);
        ERRORS.put("LinkDownedCounter", 7);
        ERRORS.put("PortRcvErrors", 1_008);
        ERRORS.put("PortRcvRemotePhysicalErrors", 1_009);
        ERRORS.put("PortRcvSwitchRelayErrors", 1_010);
        ERRORS.put("PortXmitDiscards", 1_011);
        ERRORS.put("PortXmitConstraintErrors", 12);
        ERRORS.put("PortRcvConstraintErrors", 13);
        ERRORS.put("LocalLinkIntegrityErrors", 14);
        ERRORS.put("ExcessiveBufferOverrunErrors", 15);
        ERRORS.put("VL15Dropped", 1_016);
        ERRORS.put("PortXmitWait", 100_017);
    }

    private final Path directory;

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    PerfInteropTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static void set(Simulation sim, String port, String counter, long value) throws Exception {
        assertThat(sim.command("PerformanceSet " + port + " " + counter + "=" + value))
                .contains("has been set to " + value);
    }

    private String run(Simulation sim, List<String> command) throws Exception {
        IbSim.ProgramResult ended = IbSim.run(sim.client(HOST, command, directory));
        assertThat(ended.status()).as(ended.text()).isZero();
        return ended.text();
    }

    private List<String> probe(Simulation sim) throws Exception {
        return run(sim, IbSim.java(PerfProbe.class.getName())).lines().toList();
    }

    private static Map<String, Long> probeCounters(String line) {
        Map<String, Long> values = new LinkedHashMap<>();
        Matcher matcher = PROBE_LINE.matcher(line);
        while (matcher.find()) {
            values.put(matcher.group(1), Long.parseUnsignedLong(matcher.group(2), 16));
        }
        return values;
    }

    private Map<String, Long> perfqueryCounters(Simulation sim, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("perfquery"));
        command.addAll(List.of(arguments));
        Map<String, Long> values = new LinkedHashMap<>();
        Matcher matcher = PERFQUERY.matcher(run(sim, command));
        while (matcher.find()) {
            values.put(matcher.group(1), Long.parseUnsignedLong(matcher.group(3), matcher.group(2) == null ? 10 : 16));
        }
        return values;
    }

    /** Counters of traffic go on while we ask; of the others none may differ. */
    private static void assertAgree(Map<String, Long> ours, Map<String, Long> theirs) {
        assertThat(theirs).isNotEmpty();
        theirs.forEach((name, value) -> {
            if (name.matches("Port(Xmit|Rcv)(Data|Pkts)")) {
                assertThat(ours.get(name)).as(name).isPositive().isLessThanOrEqualTo(value);
            } else if (name.matches("PortUnicast(Xmit|Rcv)Pkts")) { // ibsim does not count MADs there
                assertThat(ours.get(name)).as(name).isNotNegative().isLessThanOrEqualTo(value);
            } else if (!name.equals("QP1Dropped")) { // perfquery prints VL15Dropped there
                assertThat(ours).as(name).containsEntry(name, value);
            }
        });
    }

    @Test
    void readsWhatPerfqueryReads() throws Exception {
        String port = "\"S-0000000000200000\"[1]";
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            for (Map.Entry<String, Integer> error : ERRORS.entrySet()) {
                set(sim, port, "PortCounters." + error.getKey(), error.getValue());
            }
            set(sim, port, "PortCounters.PortXmitData", 3_405_691_582L);
            set(sim, port, "PortCountersExtended.PortRcvData", 0x1234_5678_9abcL);
            set(sim, port, "PortCountersExtended.PortUnicastRcvPkts", 0x1_0000_0002L);
            set(sim, port, "PortRcvErrorDetails.PortLoopingErrors", 21);
            set(sim, port, "PortXmitDiscardDetails.PortSwHOQLifetimeLimitDiscards", 22);
            set(sim, "\"S-0000000000200000\"[2]", "PortCounters.SymbolErrorCounter", 30);
            set(sim, "\"H-0000000000100010\"[1]", "PortCounters.PortRcvErrors", 40);

            List<String> lines = probe(sim);
            Map<String, Long> switchPort = probeCounters(onlyLine(lines, "lid 7 PortCounters{PortSelect=0x1 "));
            ERRORS.forEach((name, value) -> assertThat(switchPort).containsEntry(name, value.longValue()));
            assertThat(switchPort.get("PortXmitData")).isGreaterThan(3_405_691_582L);
            assertAgree(switchPort, perfqueryCounters(sim, "7", "1"));
            assertAgree(
                    probeCounters(onlyLine(lines, "lid 7 PortCountersExtended{")),
                    perfqueryCounters(sim, "-x", "7", "1"));
            assertAgree(
                    probeCounters(onlyLine(lines, "lid 7 PortRcvErrorDetails{")),
                    perfqueryCounters(sim, "-E", "7", "1"));
            assertAgree(
                    probeCounters(onlyLine(lines, "lid 7 PortXmitDiscardDetails{")),
                    perfqueryCounters(sim, "-D", "7", "1"));
            assertAgree(probeCounters(onlyLine(lines, "lid 5 PortCounters{")), perfqueryCounters(sim, "5", "1"));
            assertAgree(
                    probeCounters(onlyLine(lines, "lid 7 PortCounters{PortSelect=0xff")),
                    perfqueryCounters(sim, "7", "255"));
            assertThat(probeCounters(onlyLine(lines, "lid 7 PortCounters{PortSelect=0xff")))
                    .containsEntry("SymbolErrorCounter", 35L);
            assertThat(probeCounters(onlyLine(lines, "lid 7 ClassPortInfo{"))).containsEntry("CapabilityMask", 0x1300L);
            assertThat(lines).contains("lid 5 status 0x001c");
        }
    }

    @Test
    void clearsSelectedCounters() throws Exception {
        String port = "\"S-0000000000200000\"[1]";
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            for (Map.Entry<String, Integer> error : ERRORS.entrySet()) {
                set(sim, port, "PortCounters." + error.getKey(), error.getValue());
            }
            assertThat(run(sim, IbSim.java(PerfProbe.class.getName(), "clear"))).contains("lid 9 timeout");
            Map<String, Long> left = perfqueryCounters(sim, "7", "1");
            ERRORS.forEach((name, value) -> {
                boolean isCleared = name.equals("SymbolErrorCounter") || name.equals("PortXmitWait");
                assertThat(left.get(name)).as(name).isBetween(isCleared ? 0L : value, isCleared ? 0L : value + 1L);
            });
        }
    }

    private static String onlyLine(List<String> lines, String start) {
        List<String> found =
                lines.stream().filter(line -> line.startsWith(start)).toList();
        assertThat(found).as(start + " in " + lines).hasSize(1);
        return found.get(0);
    }
}
