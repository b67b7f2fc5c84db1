package io.torussm.daemon.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.planning.OfflineRouting;
import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The file with the SLs of all pairs of hosts. A reader of its own, by the description in docs/operator/host-sls.md,
 * compares it with the plan.
 */
class SlMapTest {
    private static final int NO_INDEX = 0xffff;

    @TempDir
    Path dir;

    static Plan plan(String topology, String engine, int lmc) throws Exception {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        Map.of(
                        Settings.SIMULATE,
                        topology,
                        Settings.ROUTING_ENGINE,
                        engine,
                        Settings.LMC,
                        lmc + "",
                        Settings.QOS,
                        "true")
                .forEach((setting, value) -> values.put(setting, new Configuration.CommandLineValue("test", value)));
        OfflineRouting.Outcome outcome = OfflineRouting.route(Configuration.read(null, values));
        return Objects.requireNonNull(outcome.view(), outcome.findings()::toString)
                .plan();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = ";",
            value = {
                "torus:5x4x3,hosts=2; torus-2QoS; 0; 0",
                "torus:5x4x1; torus-2QoS; 1; 8",
                "torus:4x3x2,hosts=2; lash; 0; 0",
                "torus:4x3x2,hosts=2; dfsssp; 1; 0",
                "torus:4x3x2,hosts=2; nue; 1; 0",
                "torus:4x3x2,hosts=2; minhop; 0; 3"
            })
    void hasTheSlOfEveryPairOfHosts(String topology, String engine, int lmc, int level) throws Exception {
        Plan plan = plan(topology, engine, lmc);
        assertSame(writeAndRead(plan, level), plan, level);
    }

    @Test
    void tellsPairsWithoutPathFromSl15() throws Exception {
        Plan torus = plan("torus:4x3x1", "torus-2QoS", 0);
        Plan plan = with(new PseudoRandomSls(5, 15), torus);
        SlMapReader map = writeAndRead(plan, 0);
        assertThat(map.file().get(11)).isZero();
        assertSame(map, plan, 0);
        assertThatThrownBy(() -> writeAndRead(with(new PseudoRandomSls(5, 16), torus), 0))
                .isInstanceOf(IOException.class);
    }

    @Test
    void takesThePlaceOfAnOlderMapAndOfNothingElse() throws Exception {
        Plan plan = plan("torus:3x3x1", "torus-2QoS", 0);
        writeAndRead(plan, 0);
        writeAndRead(plan, 8);
        Path other = Files.writeString(dir.resolve("fabric.topo"), "a topology, not a map");
        assertThatThrownBy(() -> Dumps.writeSlMap(plan, 0, 0, other)).isInstanceOf(IOException.class);
        assertThat(other).hasContent("a topology, not a map");
        assertThat(dir.toFile().list()).containsExactlyInAnyOrder("test.slmap", "fabric.topo");
    }

    /** An SL map as docs/operator/host-sls.md has its reader. */
    private record SlMapReader(ByteBuffer file) {
        int topLid() {
            return file.getInt(12);
        }

        int rows() {
            return file.getInt(16);
        }

        int columns() {
            return file.getInt(20);
        }

        /** Returns the number of a LID in a list: 0 for rows, 1 for columns. */
        int number(int list, int lid) {
            return file.getShort(32 + 2 * (list * (topLid() + 1) + lid)) & 0xffff;
        }

        int sl(int slid, int dlid) {
            int cells = 32 + 4 * (topLid() + 1);
            int at = cells + number(0, slid) * ((columns() + 1) / 2) + number(1, dlid) / 2;
            int sl = file.get(at) >> (number(1, dlid) % 2 == 0 ? 4 : 0) & 15;
            return sl == (file.get(11) & 0xff) ? -1 : sl;
        }
    }

    private SlMapReader writeAndRead(Plan plan, int level) throws IOException {
        Path file = dir.resolve("test.slmap");
        Dumps.writeSlMap(plan, level, 7, file);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        assertThat(new String(bytes.array(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("TSMSLMAP");
        assertThat(bytes.getShort(8)).isEqualTo((short) 1);
        assertThat(bytes.get(10)).isEqualTo((byte) level);
        assertThat(bytes.getLong(24)).isEqualTo(7);
        SlMapReader map = new SlMapReader(bytes);
        assertThat(bytes.capacity()).isEqualTo(32 + 4 * (map.topLid() + 1) + map.rows() * ((map.columns() + 1) / 2));
        return map;
    }

    private static void assertSame(SlMapReader map, Plan plan, int level) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        assertThat(map.topLid()).isEqualTo(subnet.topLid());
        for (int slid = 0; slid <= subnet.topLid(); slid++) {
            int source = subnet.portOfLid(slid);
            boolean isHost = source != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(source));
            assertThat(map.number(0, slid) != NO_INDEX).isEqualTo(isHost);
            assertThat(map.number(1, slid) != NO_INDEX).isEqualTo(isHost);
            for (int dlid = 1; isHost && dlid <= subnet.topLid(); dlid++) {
                if (subnet.portOfLid(dlid) != source && map.number(1, dlid) != NO_INDEX) {
                    assertThat(map.sl(slid, dlid)).as(slid + " to " + dlid).isEqualTo(plan.pathSl(slid, dlid, level));
                }
            }
        }
    }

    /** Returns a plan with empty tables, since the map depends on the SLs of paths only. */
    private static Plan with(PathSls sls, Plan other) {
        byte[][] lfts =
                new byte[other.subnet().fabric().switchCount()][other.subnet().topLid() + 1];
        return Plan.builder("sls", other.subnet(), lfts).sls(sls).build();
    }

    private record PseudoRandomSls(int none, int modulus) implements PathSls {
        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            return (srcLid + dstLid) % none == 0 ? -1 : 15 - (7 * srcLid + 3 * dstLid) % modulus;
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return 0xffff;
        }

        @Override
        public boolean isBySwitch() {
            return false;
        }
    }
}
