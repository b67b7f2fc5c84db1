package io.torussm.daemon.config.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.testing.Programs;
import io.torussm.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated files, migrated as they are and as OpenSM writes them after reading them: the settings are the same. */
class OpenSmConfInteropTest {
    private static final List<String> FILES = List.of(
            "root_guid_file", "cn_guid_file", "dimn_ports_file", "port_search_ordering_file", "node_name_map_name");
    private static final List<String> FLAGS =
            List.of("qos", "port_shifting", "perfmgr", "m_key_lookup", "connect_roots");
    private static final List<String> NUMBERS =
            List.of("sm_priority", "lmc", "sweep_interval", "subnet_timeout", "m_key_lease_period", "log_flags");
    private static final List<String> TEXTS = List.of("qos_sl2vl", "qos_vlarb_high", "part_enforce", "routing_engine");
    private static final List<String> COMMENTS =
            List.of("", "", "", " # x", "#x", "\t# qos TRUE", " #", "# it's \"so\"");
    private static final List<String> SPACES = List.of(" ", "\t", "  ", " \t ");
    private static final List<String> ENDS = List.of("", "", " ", "\t", "\r", " \r");

    /** Their last parts differ: of files with one name the first keeps it, and OpenSM writes in its own order. */
    private static final List<String> PATHS =
            List.of("/a", "/a b/c", "/a/b.conf", "(null)", "/it's", "/a\"b", "'/q", "/q'", "", "/\u00e4", "= /z");

    @TempDir
    Path dir;

    private final Random random = Seeds.random(Long.getLong("seed", 1));

    @Test
    @Tag("interop")
    @Tag("slow")
    void readsWhatOpenSmReads() throws Exception {
        compares(200);
    }

    @Test
    @Tag("campaign")
    void readsWhatOpenSmReadsInAThousandFiles() throws Exception {
        compares(1_000);
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String quoted(String value) {
        return switch (random.nextInt(5)) {
            case 0 -> '"' + value + '"';
            case 1 -> '\'' + value + '\'';
            default -> value;
        };
    }

    private String number() {
        int value = random.nextInt(8);
        return switch (random.nextInt(4)) {
            case 0 -> "0x" + value;
            case 1 -> "0" + value;
            case 2 -> '"' + Integer.toString(value) + '"';
            default -> Integer.toString(value);
        };
    }

    private String line() {
        String blank = one(SPACES);
        String item =
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> one(FILES) + blank + quoted(one(PATHS));
                    case 3, 4 -> one(FLAGS) + blank + quoted(one(List.of("TRUE", "FALSE", "true", "TRUE x", "1", "")));
                    case 5 -> one(NUMBERS) + blank + number();
                    case 6 -> {
                        String name = one(TEXTS);
                        yield name
                                + blank
                                + switch (name) {
                                    case "qos_sl2vl" ->
                                        quoted("0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7")
                                                .replace("\" ", "\"");
                                    case "qos_vlarb_high" -> "0:4,1:8";
                                    case "part_enforce" -> one(List.of("in", "out", "off", "both"));
                                    default -> one(List.of("updn", "ftree, updn", "dor,", ",lash", "minhop\tnue"));
                                };
                    }
                    default ->
                        one(List.of(
                                "",
                                "# qos TRUE",
                                "unknown_option 5",
                                "#" + "x".repeat(1021) + "qos TRUE",
                                "#" + "x".repeat(1021) + "# qos TRUE"));
                };
        return one(List.of("", "", " ", "\t")) + item + one(COMMENTS) + one(ENDS);
    }

    /** Returns the values of all settings of a migrated file. */
    private Map<String, Object> settings(Path conf) throws Exception {
        Path ours = Files.writeString(
                dir.resolve("torus-sm.conf"),
                OpenSmMigration.toDirectory(conf, Path.of("/etc/torus-sm")).text());
        SmOptions options = Configuration.read(ours, Map.of());
        return Settings.all().stream().collect(Collectors.toMap(Setting::key, options.values()::get));
    }

    private void compares(int count) throws Exception {
        String opensm = Programs.requireProgram("opensm");
        Path conf = dir.resolve("opensm.conf");
        Path out = dir.resolve("written.conf");
        for (int i = 0; i < count; i++) {
            String text = random.ints(1 + random.nextInt(8), 0, 1)
                    .mapToObj(zero -> line())
                    .collect(Collectors.joining("\n", "", random.nextBoolean() ? "\n" : ""));
            Files.writeString(conf, text, StandardCharsets.UTF_8);
            Files.deleteIfExists(out);
            Process process = new ProcessBuilder(opensm, "-F", conf.toString(), "-c", out.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(settings(conf)).as("file %d:%n%s%n%s", i, text, output).isEqualTo(settings(out));
        }
    }
}
