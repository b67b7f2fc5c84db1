package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.IbSim;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The program as a process of its own, with unusable input, as seen by the shell and the operator. Each time
 * there is one message, no stack trace, and the files in the state directory are unchanged, even if they are
 * damaged.
 */
@Tag("interop")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class BadInputProcessTest {
    private static final String MAIN = "io.torussm.daemon.cli.Main";
    private static final String DAMAGED = "0x0000000100000001 0x0001 0x0001\nthis is no line of guid2lid\n";
    private static final String LINKS = "xp_link 0x200000 0x200030\nyp_link 0x200000 0x200010\n";

    @TempDir
    Path dir;

    private Path state = Path.of("");

    @BeforeEach
    void aStateDirectoryWithContents() throws IOException {
        state = Files.createDirectory(dir.resolve("state"));
        Files.writeString(state.resolve("guid2lid"), DAMAGED);
    }

    @Test
    void namesThePackageOfAMissingLibrary() throws Exception {
        List<String> command = new ArrayList<>(torusSm("-R", "minhop"));
        command.add(1, "-Dtorussm.umad.library=libnothere.so.9");
        assertRefused(plain(command), ExitCode.NO_PORT, "libnothere.so.9", "apt install libibumad3");
    }

    @Test
    void namesTheDriverWhereThereIsNoPort() throws Exception {
        Assumptions.assumeFalse(Files.exists(Path.of("/sys/class/infiniband")), "this host has a real adapter");
        assertRefused(ExitCode.NO_PORT, List.of("-R", "minhop"), "no InfiniBand channel adapter", "modprobe ib_umad");
    }

    @Test
    void doesNotMakeAStateDirectoryWhereThereIsNoPort() throws Exception {
        Assumptions.assumeFalse(Files.exists(Path.of("/sys/class/infiniband")), "this host has a real adapter");
        state = dir.resolve("absent");
        Ended ended = run(plain(torusSm("-R", "minhop")));
        assertThat(ended.exitCode()).as(ended.text()).isEqualTo(ExitCode.NO_PORT.number());
        assertThat(state).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "-g, 0x1234, no port with GUID 0x0000000000001234",
        "--ca, mlx5_0, no port of channel adapter \"mlx5_0\"",
        "--port, 2, no port 2"
    })
    void listsThePortsWhereTheWantedOneIsNot(String option, String value, String message) throws Exception {
        IbSim.assumeInstalled();
        String topology = file("fabric.topo", topology("torus:3x3x1"));
        try (IbSim sim = IbSim.start(Path.of(topology))) {
            assertRefused(
                    sim.client("H-0000000100000000", torusSm("-R", "minhop", option, value), dir),
                    ExitCode.NO_PORT,
                    message,
                    "ibsim0 port 1, GUID 0x0000000100000001");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "foo 1, 2, foo",
        "Torus 3 3 1, 2, lower case",
        "xp_link 0x200000, 2, 1 of 2",
        "torus 3 3 1, 2, already given in line 1",
        "x_dateline 3, 2, below 3",
        "x_dateline -3, 2, above -3",
        "max_changes, 2, 0 of 1"
    })
    void namesTheLineOfAWrongTorusConfiguration(String line, int number, String word) throws Exception {
        String conf = file("torus-2QoS.conf", "torus 3 3 1\n" + line + "\n" + LINKS);
        assertRefused(
                ExitCode.BAD_CONFIGURATION,
                List.of("-Q", "-R", "torus-2QoS", "--torus_config", conf),
                conf + ":" + number + ":",
                word);
    }

    @Test
    void namesTheFirstLineWhenARadixIsMissing() throws Exception {
        String conf = file("torus-2QoS.conf", "torus 3 3\n" + LINKS);
        assertRefused(
                ExitCode.BAD_CONFIGURATION,
                List.of("-Q", "-R", "torus-2QoS", "--torus_config", conf),
                conf + ":1:",
                "three radices");
    }

    @ParameterizedTest
    @ValueSource(strings = {"absent", "directory", "locked"})
    void namesATorusConfigurationThatCannotBeRead(String outcome) throws Exception {
        Path conf = dir.resolve("torus-2QoS.conf");
        if (outcome.equals("directory")) {
            Files.createDirectory(conf);
        } else if (outcome.equals("locked")) {
            Files.writeString(conf, "torus 3 3 1\n" + LINKS);
            Files.setPosixFilePermissions(conf, java.util.Set.of());
            Assumptions.assumeFalse(Files.isReadable(conf), "this user reads every file");
        }
        assertRefused(
                ExitCode.BAD_CONFIGURATION,
                List.of("-Q", "-R", "torus-2QoS", "--torus_config", conf.toString()),
                conf.toString());
    }

    @Test
    void namesTheNearestKeyOfAnUnknownOne() throws Exception {
        String conf = file("sm.conf", "qos = true\nsweep_intervall = 5\n");
        assertRefused(
                ExitCode.BAD_CONFIGURATION,
                List.of("-F", conf, "--simulate", "torus:3x3x1", "-R", "minhop"),
                conf + ":2:",
                "\"sweep_intervall\"",
                "did you mean \"sweep_interval\"?");
    }

    @Test
    void namesTheCableWithoutAnOtherEndInATruncatedTopologyFile() throws Exception {
        String whole = topology("torus:3x3x1");
        List<String> half = whole.substring(0, whole.length() / 2).lines().toList();
        String file = file("half.topo", String.join("\n", half) + "\n");
        String cable = "\"S-0000000000200020\"[7]";
        int line = 1;
        while (!half.get(line - 1).contains(cable)) {
            line++;
        }
        assertRefused(
                ExitCode.BAD_CONFIGURATION,
                List.of("--simulate", file, "-R", "minhop"),
                file + ":" + line + ":",
                cable,
                "is the file cut short?");
    }

    @Test
    void namesTheLastLineOfATopologyFileCutInAName() throws Exception {
        String whole = topology("torus:3x3x1");
        String part = whole.substring(0, whole.indexOf('"', whole.length() / 2) + 2);
        String file = file("part.topo", part);
        assertRefused(
                ExitCode.BAD_CONFIGURATION,
                List.of("--simulate", file, "-R", "minhop"),
                file + ":" + part.lines().count() + ":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "torus:0x3x1",
                "torus:3",
                "torus:3x3x1,colour=red",
                "torus:200x200x2",
                "torus:3x3x1,hosts=99999",
                "torus:99999x99999x99999",
                "/nowhere/fabric.topo"
            })
    void saysWhatItWantsInsteadOfABadSpec(String spec) throws Exception {
        assertRefused(ExitCode.BAD_CONFIGURATION, List.of("--simulate", spec, "-R", "minhop"), "--simulate", spec);
    }

    /** The exit code and the output of a process. */
    private record Ended(int exitCode, List<String> lines) {
        String text() {
            return String.join("\n", lines);
        }
    }

    private List<String> torusSm(String... arguments) {
        List<String> commandLine = new ArrayList<>(List.of(MAIN, "--once", "--state-dir", state.toString()));
        commandLine.addAll(List.of(arguments));
        return IbSim.java(commandLine.toArray(String[]::new));
    }

    private ProcessBuilder plain(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
        builder.environment().remove("LD_PRELOAD");
        return builder;
    }

    private static Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Ended(process.waitFor(), output.lines().toList());
        } finally {
            process.destroyForcibly();
        }
    }

    private Map<Path, String> contentsOf(Path directory) throws IOException {
        Map<Path, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(directory.relativize(file), Files.readString(file));
            }
        }
        return contents;
    }

    /**
     * Asserts that an input is refused with a code and one line that has all of these words, besides those at INFO, and
     * that the state directory is unchanged.
     */
    private void assertRefused(ProcessBuilder builder, ExitCode code, String... words) throws Exception {
        Ended ended = run(builder);
        assertThat(ended.exitCode()).as(ended.text()).isEqualTo(code.number());
        assertThat(ended.lines().stream().filter(line -> !line.contains(" INFO ")))
                .as(ended.text())
                .hasSize(1);
        assertThat(ended.text()).contains(words).doesNotContain("Exception");
        assertThat(contentsOf(state)).isEqualTo(Map.of(Path.of("guid2lid"), DAMAGED));
    }

    private void assertRefused(ExitCode code, List<String> arguments, String... words) throws Exception {
        assertRefused(plain(torusSm(arguments.toArray(String[]::new))), code, words);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    private static String topology(String spec) throws IOException {
        StringWriter text = new StringWriter();
        TopologyText.write(TorusSpec.parse(spec).topology(), text);
        return text.toString();
    }
}
