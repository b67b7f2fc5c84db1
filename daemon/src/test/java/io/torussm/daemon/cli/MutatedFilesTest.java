package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import io.torussm.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files with flipped bits, without their ends, or with parts twice: they are good, or there is an error that names
 * them.
 */
class MutatedFilesTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 25);
    private static final int LONG = 5_000;
    private static final int MANY = 20_000;

    /** Characters of all messages together. */
    private static final int MAX_MESSAGE_CHARACTERS = 40_000;

    @TempDir
    Path dir;

    private String output = "";

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void aFileIsGoodOrTheErrorNamesIt(String option, String engine, String escaped) throws Exception {
        byte[] whole = escaped.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
        Path file = dir.resolve("the-file");
        Files.write(file, whole);
        assertThat(check("-Q", "-R", engine, option, file.toString()))
                .as(output)
                .isEqualTo(ExitCode.OK);
        int bad = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Files.write(file, mutate(whole, Seeds.random(seed)));
            ExitCode code = check("-Q", "-R", engine, option, file.toString());
            assertThat(code).as("seed %d: %s", seed, output).isIn(ExitCode.OK, ExitCode.BAD_CONFIGURATION);
            assertThat(output).as("seed %d", seed).doesNotContain("internal error", "Exception");
            if (code == ExitCode.BAD_CONFIGURATION) {
                bad++;
                assertThat(output).as("seed %d", seed).contains("the-file");
            }
        }
        assertThat(bad).as("most are noticed").isGreaterThan(SEEDS / 5);
    }

    /**
     * Whole files of another shape: other line ends, a mark at the beginning, the same lines again and again, one
     * endless line, deep nesting, other characters, and a sparse file of 2 GiB.
     */
    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void aFileOfAnotherShapeIsGoodOrTheErrorNamesIt(String option, String engine, String escaped) throws Exception {
        String whole = escaped.replace("\\n", "\n");
        Path file = dir.resolve("the-file");
        Map<String, String> shapes = Map.of(
                "CRLF", whole.replace("\n", "\r\n"),
                "CR", whole.replace("\n", "\r"),
                "BOM", "\ufeff" + whole,
                "again", whole.repeat(MANY),
                "one line", whole.replace("\n", " ").repeat(MANY),
                "deep", "{([\"".repeat(10 * MANY),
                "NUL", whole + "\0".repeat(MANY) + "\n",
                "Unicode", whole.replace(' ', '\u2028') + "\u202e\ud83d\ude00\n",
                "numbers", whole.replaceAll("[0-9]+", "9".repeat(MANY)));
        for (Map.Entry<String, String> shape : shapes.entrySet()) {
            Files.writeString(file, shape.getValue());
            checkFile(shape.getKey(), option, engine, file);
        }
        Files.write(file, new byte[] {(byte) 0xc3, '(', (byte) 0xff, (byte) 0xfe, '\n'});
        checkFile("no UTF-8", option, engine, file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[1]), 1L << 31);
        }
        assertThat(checkFile("sparse", option, engine, file)).isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    private ExitCode check(String... arguments) throws InterruptedException {
        ConfigurationCheck done = ConfigurationCheck.run(arguments);
        output = done.output();
        return done.code();
    }

    /** Returns the options of all files, each with an engine that reads it and a good file. */
    private static List<Arguments> files() {
        return Stream.of(
                        "--config|minhop|lmc = 1\\nsweep_interval = 10 # s\\ntorus-2QoS { torus_config = \"/t.conf\" }\\n",
                        "--torus_config|torus-2QoS|torus 5 5 1\\nxp_link 0x1 0x2\\nyp_link 0x1 0x3\\nx_dateline 2\\n",
                        "--Pconfig|minhop|Default=0x7fff, ipoib : ALL=limited, SELF=full;\\nA=0x5, rate=7 : 0x10=full, 0x11;\\n",
                        "--qos_policy_file|minhop|qos-ulps\\n  default : 0\\n  any, pkey 0x5 : 2\\nend-qos-ulps\\n",
                        "--prefix_routes_file|minhop|* *\\n0xfec0000000000001 0x10\\n",
                        "--node_name_map_name|minhop|# names\\n0x10 \"leaf 1\"\\n0x11 leaf-2\\n",
                        "--site_map|minhop|node 0x10 rack=R7 row=B\\nplace 0,1,2 rack=\"R 8\"\\ncable 0x10/7 label=C-1\\n",
                        "--root_guid_file|updn|0x10 # a root\\n0x11\\n",
                        "--hop_weights_file|minhop|0x10 1 3\\n0x11 2 255\\n",
                        "--lfts_file|file|Unicast lids [0-2] of switch Lid 2 guid 0x10 ('a'):\\n0x0001 001 # x portguid 0x20: 'h'\\n",
                        "--lid_matrix_file|file|Switch: guid 0x10\\n0x0002: 00 01 ff # portguid 0x10\\n")
                .map(row -> Arguments.of((Object[]) row.split("\\|")))
                .toList();
    }

    private ExitCode checkFile(String shape, String option, String engine, Path file) throws InterruptedException {
        ExitCode code = check("-Q", "-R", engine, option, file.toString());
        assertThat(code).as("%s: %s", shape, output).isIn(ExitCode.OK, ExitCode.BAD_CONFIGURATION);
        assertThat(output).as(shape).doesNotContain("internal error", "Exception", "OutOfMemory");
        assertThat(output.length()).as(shape).isLessThan(MAX_MESSAGE_CHARACTERS);
        if (code == ExitCode.BAD_CONFIGURATION) {
            assertThat(output).as(shape).contains("the-file");
        }
        return code;
    }

    private static byte[] mutate(byte[] whole, Random random) {
        byte[] bytes = whole;
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            int at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(5)) {
                case 0 -> Arrays.copyOf(bytes, at);
                case 1 -> splice(bytes, at, Arrays.copyOfRange(bytes, 0, at));
                case 2 -> {
                    byte[] noise = new byte[1 + random.nextInt(8)];
                    random.nextBytes(noise);
                    yield splice(bytes, at, noise);
                }
                case 3 -> splice(bytes, at, "9".repeat(1 + random.nextInt(LONG)).getBytes(StandardCharsets.US_ASCII));
                default -> {
                    byte[] flipped = bytes.clone();
                    flipped[at] ^= (byte) (1 << random.nextInt(8));
                    yield flipped;
                }
            };
        }
        return bytes;
    }

    private static byte[] splice(byte[] bytes, int at, byte[] more) {
        byte[] all = Arrays.copyOf(bytes, bytes.length + more.length);
        System.arraycopy(more, 0, all, at, more.length);
        System.arraycopy(bytes, at, all, at + more.length, bytes.length - at);
        return all;
    }
}
