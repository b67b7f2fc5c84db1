package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulation;
import io.torussm.testing.Simulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * P_Key tables on ibsim, read by smpquery: those of OpenSM and ours, for the same partitions.conf on the same fabric.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionInteropTest {
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";
    private static final int HOSTS = 6;

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Default=0x7fff,ipoib:ALL=full;",
                "Default=0x7fff,ipoib : ALL, SELF=full ;\nA=0x10 : $1=full, $2 ;\n"
                        + "B=0x20, defmember=full : $1, $2=both, $3=limited;\nC : ALL_SWITCHES=full ;",
                "Default=0x7fff : $1=full, $2=both ;\nI=0x30,indx0,ipoib : $1=full, SELF=full, $2=full;\nI=0x30 : $2;",
                "A=0x8005:ALL_CAS;\nB=0x6,defmember=full:ALL,$4=limited,NONE;\n:$5=full\n,$3;\nA=5:$1=full;"
            })
    void tablesAreThoseOfOpenSm(String text) throws Exception {
        Topology topology = fabric();
        String conf = conf(topology, text);
        List<String> reference;
        try (Simulation sim = simulator.start(dir.resolve("fabric.topo"))) {
            ProcessBuilder opensm = sim.client(
                    SM_HOST,
                    List.of(
                            "opensm",
                            "-o",
                            "-R",
                            "minhop",
                            "-P",
                            conf,
                            "-f",
                            dir.resolve("osm.log").toString()),
                    dir);
            opensm.environment().put("OSM_CACHE_DIR", dir.toString());
            opensm.environment().put("OSM_TMP_DIR", dir.toString());
            run(opensm);
            reference = tables(sim);
        }
        try (Simulation sim = simulator.start(dir.resolve("fabric.topo"))) {
            run(sim.client(SM_HOST, torusSm(conf, "--once"), dir));
            assertThat(tables(sim)).isEqualTo(reference);
        }
    }

    @Test
    void saqueryReceivesItsPartitionsOnly() throws Exception {
        Topology topology = fabric();
        String conf = conf(
                topology,
                "Default=0x7fff,ipoib:ALL,SELF=full;A=0x10,ipoib,mtu=5:$1=full,$2;B=0x20,ipoib:$3=full,$4=full;");
        try (Simulation sim = simulator.start(dir.resolve("fabric.topo"))) {
            Process sm = sim.client(SM_HOST, torusSm(conf), dir)
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader log = sm.inputReader(UTF_8)) {
                String line = log.readLine();
                while (line != null && !line.contains(SmEvent.SUBNET_UP.code())) {
                    line = log.readLine();
                }
                assertThat(line).isNotNull();
                assertThat(tool(sim, "saquery", "-g"))
                        .contains(
                                "ff12:401b:ffff::ffff:ffff",
                                "ff12:401b:8010::ffff:ffff",
                                "Mtu.....................0x85")
                        .doesNotContain("8020");
                String[] lids = lids(sim, hosts(topology));
                assertThat(tool(sim, "saquery", "--src-to-dst", lids[1] + ":" + lids[2]))
                        .contains("pkey....................0x8010");
                assertThat(tool(sim, "saquery", "NR", lids[2])).contains("node_guid...............0x0000000100000200");
                assertThat(tool(sim, "saquery", "NR", lids[3])).doesNotContain("node_guid");
                assertThat(tool(sim, "saquery", "PIR", lids[0])).contains("IsSM");
                assertThat(tool(sim, "saquery", "PIR", lids[3])).doesNotContain("EndPortLid");
            } finally {
                sm.destroyForcibly();
            }
        }
    }

    private Topology fabric() throws IOException {
        Topology topology = TorusSpec.parse("torus:3x2x1,hosts=1").topology();
        try (Writer writer = Files.newBufferedWriter(dir.resolve("fabric.topo"))) {
            TopologyText.write(topology, writer);
        }
        return topology;
    }

    private static List<Topology.Node> hosts(Topology topology) {
        return topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .sorted(Comparator.comparing(Topology.Node::nodeGuid))
                .toList();
    }

    /** Writes the file with port GUIDs instead of $0 to $5, the hosts by GUID, and returns its name. */
    private String conf(Topology topology, String text) throws IOException {
        String conf = text;
        List<Topology.Node> hosts = hosts(topology);
        for (int host = 0; host < HOSTS; host++) {
            String guid = String.format(Locale.ROOT, "0x%016x", hosts.get(host).portGuid(1));
            conf = conf.replace("$" + host, guid);
        }
        Path file = dir.resolve("partitions.conf");
        Files.writeString(file, conf);
        return file.toString();
    }

    private static String run(ProcessBuilder builder) throws IOException, InterruptedException {
        IbSim.ProgramResult ended = IbSim.run(builder);
        assertThat(ended.status()).as(ended.text()).isZero();
        return ended.text();
    }

    private String tool(Simulation sim, String... command) throws IOException, InterruptedException {
        return run(sim.client(TOOL_HOST, List.of(command), dir));
    }

    /** Returns the tables of all end ports and of the switch ports that face them, a line each. */
    private List<String> tables(Simulation sim) throws IOException, InterruptedException {
        List<String> tables = new ArrayList<>();
        for (int lid = 1; lid <= 2 * HOSTS; lid++) {
            String type = tool(sim, "smpquery", "nodeinfo", Integer.toString(lid));
            boolean isSwitch = type.contains("NodeType:........................Switch");
            String name = type.lines()
                    .filter(line -> line.startsWith("Guid:"))
                    .findFirst()
                    .orElseThrow();
            int ports = isSwitch ? numPorts(type) : 0;
            for (int portNum = 0; portNum <= ports; portNum++) {
                String[] command = isSwitch
                        ? new String[] {"smpquery", "pkeys", Integer.toString(lid), Integer.toString(portNum)}
                        : new String[] {"smpquery", "pkeys", Integer.toString(lid)};
                String keys = tool(sim, command)
                        .lines()
                        .filter(line -> line.matches(" *[0-9]+: 0x.*"))
                        .reduce("", String::concat)
                        .replaceAll(" +", " ");
                tables.add(name + " " + portNum + " " + keys);
            }
        }
        tables.sort(null);
        return tables;
    }

    /** Returns the LIDs of hosts. They are read by SMPs, since ibsim shortens the tables of an SA. */
    private String[] lids(Simulation sim, List<Topology.Node> hosts) throws IOException, InterruptedException {
        String[] lids = new String[hosts.size()];
        for (int lid = 1; lid <= 2 * HOSTS; lid++) {
            String description = tool(sim, "smpquery", "nodedesc", Integer.toString(lid));
            for (int host = 0; host < lids.length; host++) {
                if (description.contains(hosts.get(host).description())) {
                    lids[host] = Integer.toString(lid);
                }
            }
        }
        return lids;
    }

    private static int numPorts(String nodeInfo) {
        return Arrays.stream(nodeInfo.split("\n", -1))
                .filter(line -> line.startsWith("NumPorts:"))
                .map(line -> Integer.parseInt(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    private List<String> torusSm(String conf, String... more) {
        List<String> command = new ArrayList<>(IbSim.java(
                "io.torussm.daemon.cli.Main",
                "-R",
                "minhop",
                "--on_credit_loop",
                "warn",
                "-P",
                conf,
                "--state-dir",
                dir.resolve("state").toString()));
        command.addAll(List.of(more));
        return command;
    }
}
