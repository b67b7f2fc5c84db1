package io.torussm.daemon.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code packaging/torus-sl.c}, which gives connections the SLs of a map, before a stub of libibverbs (in the
 * resources {@code torus-sl}).
 */
@Tag("interop")
class TorusSlTest {
    private static final Path PACKAGING = Path.of("..", "packaging");
    private static final Path STUB = Path.of("src", "test", "resources", "torus-sl");

    /** The SL that the program itself requests. */
    private static final int OWN = 9;

    @TempDir
    Path dir;

    private Path map = Path.of("");

    @BeforeEach
    void compile() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/include/infiniband/verbs.h")), "libibverbs-dev is not installed");
        map = dir.resolve("fabric.slmap");
        Path versions = Files.writeString(dir.resolve("stub.versions"), "IBVERBS_1.1 { global: ibv_*; stub_*; };");
        gcc(
                "-shared",
                "-fPIC",
                "-Wl,-soname,libibverbs.so.1,--version-script=" + versions,
                "-o",
                dir.resolve("libibverbs.so.1").toString(),
                STUB.resolve("libibverbs.c").toString());
        gcc(
                "-shared",
                "-fPIC",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wl,--version-script=" + PACKAGING.resolve("torus-sl.versions"),
                "-o",
                dir.resolve("libtorus-sl.so").toString(),
                PACKAGING.resolve("torus-sl.c").toString());
        gcc(
                "-o",
                dir.resolve("program").toString(),
                STUB.resolve("program.c").toString(),
                dir.resolve("libibverbs.so.1").toString());
    }

    /** In the way of each kind of call, as NCCL finds functions, too. */
    @Test
    void everyPairHasTheSlOfThePlan() throws Exception {
        Plan plan = written(1);
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        List<String> lines = new ArrayList<>();
        List<String> wanted = new ArrayList<>();
        String[] ways = {"qp", "alt", "ah", "dlvsym"};
        for (int from = 0; from < fabric.portCount(); from++) {
            for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
                int to = subnet.portOfLid(dlid);
                if (isHost(fabric, from) && to != Fabric.NONE && isHost(fabric, to) && from != to) {
                    int bits = dlid % 2;
                    lines.add(line(ways[lines.size() % ways.length], subnet.lid(from), 1, dlid, bits));
                    wanted.add(Integer.toString(plan.pathSl(subnet.lid(from) + bits, dlid, 0)));
                }
            }
        }
        assertThat(wanted).hasSize(30 * 29 * 2).contains("0", "1", "2", "3");
        assertThat(run(map.toString(), lines)).isEqualTo(wanted);
    }

    /**
     * No address, multicast, Ethernet, a LID that the map does not have, no variable; and errors of
     * libibverbs are the program's.
     */
    @Test
    void otherFilesStay() throws Exception {
        written(0);
        List<String> lines = List.of(
                line("state", 1, 0, 4, 0),
                line("ah", 1, 0, 0xc000, 0),
                "qp 1 0 4 2 0 0",
                line("qp", 0xbfff, 0, 4, 0),
                line("qp", 1, 0, 0xbfff, 0),
                line("qp", 0, 0, 4, 0));
        assertThat(run(map.toString(), lines))
                .containsOnly(Integer.toString(OWN))
                .hasSize(lines.size());
        assertThat(run("", List.of(line("qp", 1, 0, 4, 0)))).containsExactly(Integer.toString(OWN));
        assertThat(run(map.toString(), List.of("qp 1 0 4 1 0 22", "ah 1 0 4 1 0 22")))
                .doesNotContain("result", "errno")
                .hasSize(2);
    }

    /** The next connection has the SL of the map that took the old one's place. */
    @Test
    void aNewMapCountsAtOnce() throws Exception {
        Plan plan = written(0);
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int[] hosts = IntStream.range(0, fabric.portCount())
                .filter(port -> isHost(fabric, port))
                .map(subnet::lid)
                .toArray();
        int from = hosts[0];
        int to = hosts[hosts.length - 1];
        Path other = dir.resolve("other.slmap");
        Dumps.writeSlMap(plan, 8, 0, other);
        String connect = line("qp", from, 0, to, 0);
        assertThat(run(map.toString(), List.of(connect, "map " + other + " " + map, connect)))
                .containsExactly("" + plan.pathSl(from, to, 0), "renamed", "" + plan.pathSl(from, to, 8));
    }

    /** Said once, and the program goes on with its own SLs. */
    @Test
    void aMapThatCannotBeUsedIsNamed() throws Exception {
        written(0);
        String connect = line("qp", 1, 0, 4, 0);
        assertThat(run(dir.resolve("absent").toString(), List.of(connect, connect)))
                .hasSize(3)
                .anyMatch(line -> line.contains("absent: No such file or directory"));
        assertThat(run(dir.toString(), List.of(connect))).anyMatch(line -> line.contains("not a regular file"));
        Files.setPosixFilePermissions(map, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(run(map.toString(), List.of(connect))).anyMatch(line -> line.contains("everybody may write to it"));
    }

    /** Cut short, or with a byte changed: the program ends well, with an SL of four bits for every connection. */
    @Test
    void brokenMapsAreHarmless() throws Exception {
        written(0);
        byte[] good = Files.readAllBytes(map);
        Random random = Seeds.random(1);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            byte[] broken = i % 2 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            if (i % 2 == 1) {
                broken[random.nextInt(i % 4 == 1 ? 32 : broken.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Path file = dir.resolve("broken-" + i);
            Files.write(file, broken);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            lines.add("map " + file + " " + map);
            lines.add(line("qp", 1 + random.nextInt(70), 0, 1 + random.nextInt(70), 0));
        }
        assertThat(run(map.toString(), lines).stream().filter(line -> line.matches("\\d|1[0-5]")))
                .hasSize(400);
    }

    private static void gcc(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Programs.requireProgram("gcc")));
        command.addAll(List.of(arguments));
        IbSim.ProgramResult ended = IbSim.run(new ProcessBuilder(command).redirectErrorStream(true));
        assertThat(ended.status()).as(ended.text()).isZero();
    }

    private List<String> run(String mapName, List<String> lines) throws IOException, InterruptedException {
        Path input = Files.write(dir.resolve("input"), lines);
        ProcessBuilder program = new ProcessBuilder(dir.resolve("program").toString()).redirectInput(input.toFile());
        program.environment().put("LD_LIBRARY_PATH", dir.toString());
        program.environment().put("LD_PRELOAD", dir.resolve("libtorus-sl.so").toString());
        program.environment().put("TORUS_SL_MAP", mapName);
        IbSim.ProgramResult ended = IbSim.run(program.redirectErrorStream(true));
        assertThat(ended.status()).as(ended.text()).isZero();
        return ended.text().lines().toList();
    }

    private Plan written(int lmc) throws Exception {
        Plan plan = SlMapTest.plan("torus:6x5x1,hosts=1", "torus-2QoS", lmc);
        Dumps.writeSlMap(plan, 0, 0, map);
        Files.setPosixFilePermissions(map, PosixFilePermissions.fromString("rw-r--r--"));
        return plan;
    }

    /** Returns a line of the program's input: an end port of InfiniBand, without an error. */
    private static String line(String outcome, int slid, int lmc, int dlid, int bits) {
        return outcome + " " + slid + " " + lmc + " " + dlid + " 1 " + bits + " 0";
    }

    private static boolean isHost(Fabric fabric, int port) {
        return fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
    }
}
