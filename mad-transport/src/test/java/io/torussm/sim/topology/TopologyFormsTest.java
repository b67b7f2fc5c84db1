package io.torussm.sim.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All forms in which ibnetdiscover prints a fabric; the files are its own, of ibsim's fabric, but for the chassis,
 * made by hand.
 */
class TopologyFormsTest {
    private static final String[] MESSAGES = {
        "ibwarn: [31434] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1,14)\n",
        "ibwarn: [7] out_switch_port: port 0x55b8c06a7320:1 remoteport 0x55b8c06a5840\n",
        "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,1,31 Attr 0x11:0) bad status 110; Connection timed out\n",
        "./libibnetdisc/ibnetdisc.c:456; Query Port Info; DR path slid 0; dlid 0; 0,1 (0x8f10400410020):1\n",
        "/builddir/build/BUILD/rdma-core-28.0/libibnetdisc/chassis.c:597; Unexpected node found: guid 0x8f1\n",
        "DR path slid 0; dlid 0; 0,1 -> new Switch {0008f10400410020} portnum 0 lid 4-4\"Line 1\"\n",
    };
    private static final String[] LINES = {
        "Chassis 2 (guid 0x200000)\n",
        "Non-Chassis Nodes\n",
        "Hostname: a \"b\" c\n",
        "[root@node7 ~]# ibnetdiscover\n",
        "Warning: Permanently added 'node7' (ED25519) to the list of known hosts.\n",
        "\t \n",
        "Switches follow\n",
    };

    private static String text(String file) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(TopologyFormsTest.class.getResourceAsStream("/sim/ibnetdiscover/" + file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Topology read(String text) throws IOException, TopologyException {
        return TopologyText.read("net", new StringReader(text));
    }

    /** A file of another kind, such as an image of a disk, may be one line that fills the memory. */
    @ParameterizedTest
    @ValueSource(strings = {"\0", "x", "[1] ", "x ibwarn: [1] y\n"})
    void aLineWithoutEndIsRefused(String repeated) {
        Reader endless = new Reader() {
            private int at;

            @Override
            public int read(char[] chars, int from, int length) {
                for (int i = 0; i < length; i++) {
                    chars[from + i] = repeated.charAt(at++ % repeated.length());
                }
                return length;
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> TopologyText.read("disk.img", endless))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("disk.img:")
                .hasMessageContaining("more than 65536 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r", "\r\n"})
    void linesEndAsOnAnySystem(String end) throws Exception {
        Topology other = read(text("plain.topo").replace("\n", end));
        assertThat(other).isEqualTo(read(text("plain.topo")));
    }

    @Test
    void plainAndFullOutputNeedNoWarning() throws Exception {
        assertThat(read(text("plain.topo")).nodes()).hasSize(4);
        assertThat(read(text("plain.topo")).warning()).isEmpty();
        assertThat(read(text("full.topo"))).isEqualTo(read(text("plain.topo")));
        assertThat(read(text("full.topo")).warning()).isEmpty();
    }

    @Test
    void groupsProgressAndMessagesArePassedOverAndCounted() throws Exception {
        Topology grouped = read(text("grouped.topo"));
        assertThat(grouped).isEqualTo(read(text("plain.topo")));
        assertThat(grouped.warning())
                .isEqualTo("net: passed over 6 lines, first line 1: \"ibwarn: [2217] mad_rpc: _do_madrpc failed; dport"
                        + " (DR path sl..\"; 1 node listed again, passed over");
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void messagesBetweenAndWithinLinesChangeNothing(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        String whole = text("full.topo");
        StringBuilder mixed = new StringBuilder(whole);
        int[] places = random.ints(random.nextInt(1, 40), 0, whole.length() + 1)
                .map(at -> random.nextInt(3) > 0 ? whole.lastIndexOf('\n', at - 1) + 1 : at)
                .sorted()
                .toArray();
        for (int i = places.length - 1; i >= 0; i--) {
            boolean isBetween = places[i] == 0 || whole.charAt(places[i] - 1) == '\n';
            String[] kind = isBetween && random.nextBoolean() ? LINES : MESSAGES;
            mixed.insert(places[i], kind[random.nextInt(kind.length)]);
        }
        String spaced = mixed.toString().replace("\t", random.nextBoolean() ? "   " : "\t");
        String text = random.nextBoolean() ? spaced.replace("\n", "\r\n") : spaced;
        assertThat(read(text)).as(text).isEqualTo(read(text("plain.topo")));
        assertThat(read(text).warning()).as(text).startsWith("net: passed over ");
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void damagedOutputIsReadOrRefusedWithFileAndLine(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            StringBuilder damaged = new StringBuilder(text("grouped.topo"));
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.setCharAt(at, (char) random.nextInt(1, 128));
                    case 1 -> damaged.delete(at, Math.min(damaged.length(), at + random.nextInt(1, 30)));
                    default -> damaged.insert(at, damaged.substring(at, Math.min(damaged.length(), at + 20)));
                }
            }
            try {
                assertThat(read(damaged.toString()).nodes()).isNotEmpty();
            } catch (TopologyException e) {
                assertThat(e).hasMessageMatching("(?s)net:\\d+: .*");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lid 4 4xQDR s=4 w=2 v=4 | lid 4 1xQDR s=4 w=1 v=4 | 1xQDR",
                "lid 4 4xQDR s=4 w=2 v=4 | lid 4 4xSDR             | 4xSDR",
                "lid 4 4xQDR s=4 w=2 v=4 | lid 4 2xNDR             | 4xQDR",
                "lid 4 4xQDR s=4 w=2 v=4 | lid 4 12xSDR            | 12xSDR",
            })
    void theSlowerOfTwoRatesIsTaken(String rate, String other, String taken) throws Exception {
        // only the first of the two ends of a cable of host hA1
        String text = text("full.topo").replaceFirst("(\\[1\\]\\(1001\\).*)" + rate, "$1" + other);
        Topology topology = read(text);
        assertThat(String.valueOf(topology.nodes().get(1).rate(1))).isEqualTo(taken);
        assertThat(topology.warning()).isEqualTo("net: 1 cable with unlike rates at its ends, the slower one is taken");
    }

    @Test
    void anUnknownRateOfIbnetdiscoverIsTakenFromTheOtherEnd() throws Exception {
        String text = text("plain.topo").replaceFirst("4xSDR", "4x???");
        assertThat(read(text)).isEqualTo(read(text("plain.topo")));
        assertThat(read(text).warning()).contains("1 end of unknown rate (\"???\")");
    }

    @Test
    void hostsOnOneCableAreReadAsTheyArePrinted() throws Exception {
        Topology pair = read("""
                caguid=0x1000
                Ca\t1 "H-0000000000001000"\t\t# "a"
                [1](1001) \t"H-0000000000002000"[1] (2001) \t\t# lid 1 lmc 0 "b" lid 2 4xEDR

                caguid=0x2000
                Ca\t1 "H-0000000000002000"\t\t# "b"
                [1](2001) \t"H-0000000000001000"[1] (1001) \t\t# lid 2 lmc 0 "a" lid 1 4xEDR
                """);
        assertThat(pair.nodes().get(0).peer(1))
                .isEqualTo(new Topology.PortRef(pair.nodes().get(1), 1));
        assertThat(pair.warning()).isEmpty();
    }

    @Test
    void namesOfANameMapMayBeLong() throws Exception {
        Topology topology = read(text("plain.topo").replace("\"hA1\"", "\"" + "\u00e4".repeat(40) + "\""));
        assertThat(topology.nodes().get(3).description()).isEqualTo("\u00e4".repeat(32));
        assertThat(topology.warning()).isEqualTo("net: 1 description longer than 64 bytes, shortened");
    }

    @Test
    void bytesOfAnotherCharacterSetAreReplaced(@TempDir Path directory) throws Exception {
        String text = "\ufeff" + text("plain.topo").replace("\"hA1\"", "\"h\u00e41\"");
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(directory.resolve("net.topo"), bytes);
        assertThat(TopologyText.read(file).nodes().get(3).description()).isEqualTo("h\u00e41");
        Files.write(file, text.substring(1).getBytes(StandardCharsets.ISO_8859_1));
        Topology latin = TopologyText.read(file);
        assertThat(latin.nodes().get(3).description()).isEqualTo("h\ufffd1");
        assertThat(latin.warning()).isEqualTo(file + ": characters that are not UTF-8, replaced");
    }

    @ParameterizedTest
    @ValueSource(strings = {"list.txt", "ports.txt"})
    void listsAreRefusedWithTheOptionThatPrintedThem(String file) throws Exception {
        String text = text(file);
        assertThatThrownBy(() -> read(text))
                .hasMessageContaining("net:1: no node in the file, but \"")
                .hasMessageContaining("without -l, -H, -S, -R and -p");
        assertThat(read(text + text("plain.topo"))).isEqualTo(read(text("plain.topo")));
    }

    @Test
    void changesOfTheMeaningAreRefused() throws Exception {
        String text = text("plain.topo");
        assertThatThrownBy(() -> read("include \"other.net\"\n" + text))
                .hasMessageContaining("net:1: cannot understand");
        assertThatThrownBy(() -> read(text.replaceFirst("\\[2\\]", "< [2]")))
                .hasMessageContaining("ibnetdiscover --diff");
        assertThatThrownBy(() -> read("Segmentation fault\n"))
                .hasMessageContaining("net:1: no node in the file, but \"Seg");
    }
}
