package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.control.Condition;
import io.torussm.testing.IbSim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes that a start loads before its first SMP. Each costs a tenth of a millisecond. */
@Tag("slow")
class StartClassesTest {
    /**
     * Classes for operators, replication and files in XML. Classes that are generated at run time and in no
     * archive: proxies, jnr-ffi, methods of records, the serializable lambdas of Comparator. Classes for
     * languages and time zones, which search every jar for more of them.
     */
    private static final Predicate<String> LATER = Pattern.compile("(io\\.netty\\.(channel|buffer|handler|bootstrap)"
                    + "|com\\.fasterxml|org\\.jgroups|io\\.prometheus|io\\.torussm\\.daemon\\.http"
                    + "|com\\.sun\\.org\\.apache|sun\\.management|jnr|jdk\\.proxy\\d+|java\\.time\\.zone|sun\\.util\\.cldr"
                    + "|ch\\.qos\\.logback\\.core\\.pattern)\\..*"
                    + "|java\\.lang\\.runtime\\.ObjectMethods|java\\.util\\.Comparator\\$\\$Lambda.*")
            .asMatchPredicate();

    /**
     * Classes of the first request over HTTP. Methods woven for records may come earlier: a repeated SMP loads
     * them.
     */
    private static final Predicate<String> AFTER_THE_START = Pattern.compile(
                    "(com\\.fasterxml\\.jackson\\.databind|io\\.prometheus|sun\\.management)\\..*")
            .asMatchPredicate();

    /**
     * The first class that the end of the first sweep loads. Other threads write the log and the history, so
     * some of their classes may come before the line SUBNET UP.
     */
    private static final String SWEEP_ENDED = Condition.class.getName();

    /** From the JVM's first class to the first SMP; 58 of 3,043 are those of virtual ports. */
    private static final int MAX_CLASSES = 3_060;

    @TempDir
    Path dir;

    @Test
    void operatorClassesAreLoadedAfterTheFirstSmp() throws IOException {
        List<String> loadedClasses = classesUntil("NOT-ACTIVE -> DISCOVERING");
        assertThat(loadedClasses.stream().filter(LATER))
                .as("classes before the first SMP")
                .isEmpty();
        assertThat(loadedClasses.size()).as("classes before the first SMP").isBetween(500, MAX_CLASSES);
    }

    @Test
    void requestClassesAreLoadedByTheFirstRequest() throws IOException {
        List<String> loadedClasses = classesUntil("SUBNET UP");
        assertThat(loadedClasses).contains("io.torussm.daemon.http.server.HttpServer");
        assertThat(loadedClasses.stream()
                        .takeWhile(name -> !name.equals(SWEEP_ENDED))
                        .filter(AFTER_THE_START))
                .as("classes before the end of the first sweep")
                .isEmpty();
        assertThat(loadedClasses.indexOf("io.torussm.daemon.system.Signals"))
                .as("the first SMP goes out before anything is opened for operators")
                .isGreaterThan(loadedClasses.indexOf("io.torussm.transport.DeviceQueues$FirstHop"));
    }

    @Test
    void theRehearsalLoadsTheWayToTheWireAndWhatServesOperators() throws IOException {
        List<String> loaded = classes(run("TSM-2002", "io.torussm.daemon.cli.ClassRehearsal", dir.toString()));
        assertThat(loaded)
                .contains(
                        "io.torussm.daemon.http.server.HttpServer",
                        "io.torussm.daemon.console.server.ConsoleServer",
                        "io.torussm.daemon.http.StaticFiles",
                        "io.prometheus.metrics.instrumentation.jvm.JvmMetrics",
                        "io.torussm.sweep.state.SweepResult",
                        "io.torussm.transport.umad.UmadTransport",
                        "io.torussm.transport.MadClient",
                        "io.torussm.daemon.cli.Main")
                .as("what the program itself begins with")
                .anyMatch(name -> name.startsWith("io.torussm.daemon.cli.Main$$Lambda"))
                .noneMatch(name -> name.startsWith("jnr."));
        assertThat(loaded.stream().filter(AFTER_THE_START))
                .as("classes that the other tests forbid before a time exist by these names")
                .isNotEmpty();
        assertThat(loaded.stream().filter(LATER)).isNotEmpty();
    }

    /** Returns the output of a process, with the classes that it loaded. */
    private static List<String> run(String until, String... command) throws IOException {
        List<String> words = new ArrayList<>(IbSim.java(command));
        words.add(1, "-Xlog:class+load:stdout:none");
        // With the archive that tests share, classes are not verified, for which the JVM loads others.
        words.removeIf(word -> word.startsWith("-XX:SharedArchiveFile="));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try (var lines = process.inputReader(UTF_8)) {
            List<String> said = new ArrayList<>();
            String line = lines.readLine();
            while (line != null && !line.contains(until)) {
                said.add(line);
                line = lines.readLine();
            }
            assertThat(line).as("says " + until).isNotNull();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> classes(List<String> said) {
        return said.stream()
                .filter(line -> line.contains(" source: "))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    /** The classes of a daemon with console and web server on an embedded torus until it says something. */
    private List<String> classesUntil(String output) throws IOException {
        Path file = Files.writeString(dir.resolve("torus-sm.conf"), "history_mib = 8\nrecorder_mib = 4\n");
        return classes(run(
                output,
                "io.torussm.daemon.cli.Main",
                "--config",
                file.toString(),
                "--simulate",
                "torus:3x3x1,hosts=1",
                "-R",
                "updn",
                "--control-socket",
                dir.resolve("control.sock").toString(),
                "--http-listen",
                "127.0.0.1:0",
                "--state-dir",
                dir.toString()));
    }
}
