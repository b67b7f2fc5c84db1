package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options that {@code bin/torus-sm} gives to a JVM. An option that a JVM does not have would end it. */
class LauncherTest {
    private static final Path LAUNCHER = Path.of("../packaging/bin/torus-sm");

    private static final Path LIBRARY = LAUNCHER.resolveSibling("torus-jvm.sh");

    @TempDir
    Path home;

    /** A JVM under locale C rejects a file name beyond ASCII; so does one under a locale that is not installed. */
    @ParameterizedTest
    @ValueSource(strings = {"", "C", "POSIX", "xx_YY.UTF-8"})
    void fileNamesBeyondAsciiAreReadUnderEveryLocale(String locale) throws IOException {
        Path conf = Files.writeString(home.resolve("\u00e4.conf"), "sm_priority 9\n");
        String classPath = System.getProperty("java.class.path");
        String script = ". \"$0\" && exec \"$java\" -cp \"$CP\" io.torussm.daemon.cli.Main migrate-conf \"$1\"";
        ProcessBuilder command = new ProcessBuilder(
                        "sh", "-c", "self=$0 && " + script, LIBRARY.toString(), conf.toString())
                .redirectErrorStream(true);
        command.environment().put("CP", classPath);
        command.environment().put("LC_ALL", locale);
        assertThat(lines(command)).contains("sm_priority = 9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17.0.9+9", "17.0.15+6-Debian-1deb12u1", "21.0.1+12-LTS", "22+36", "25.0.3+9-LTS"})
    void freeMemoryGoesBackFromWithinTheHeapOfC(String version) throws IOException {
        assertThat(words(version, ""))
                .contains("-XX:+UnlockExperimentalVMOptions")
                .anyMatch(word -> word.startsWith("-XX:TrimNativeHeapInterval="))
                .endsWith("io.torussm.daemon.cli.Main", "--version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17+35", "17.0.1+12", "17.0.8.1+1", "18.0.2+9", "19+36", "20.0.2+9", "21+35-LTS"})
    void notWithJvmsThatCannotDoThat(String version) throws IOException {
        assertThat(words(version, ""))
                .noneMatch(word -> word.contains("TrimNativeHeap"))
                .endsWith("io.torussm.daemon.cli.Main", "--version");
    }

    @Test
    void heapSizesBelongToTheChosenCollector() throws IOException {
        assertThat(words("17.0.15+6", "")).contains("-XX:+UseSerialGC", "-Xms32m");
        assertThat(words("17.0.15+6", "-XX:+UseG1GC"))
                .contains("-XX:+UseG1GC")
                .doesNotContain("-XX:+UseSerialGC", "-Xms32m");
    }

    @Test
    void theHeapHasHugePagesWhereTheKernelGivesThem() throws IOException {
        Path kernel = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        boolean areThere = Files.exists(kernel) && !Files.readString(kernel).contains("[never]");
        assertThat(words("17.0.15+6", "").contains("-XX:+UseTransparentHugePages"))
                .isEqualTo(areThere);
    }

    @Test
    void itFindsItsHomeBehindALink() throws IOException {
        Path link = Files.createSymbolicLink(home.resolve("torus-sm"), LAUNCHER.toRealPath());
        assertThat(words(link, "17.0.15+6", "")).contains("-cp").anyMatch(word -> word.contains("packaging/lib/*"));
    }

    /** Returns the words by which a JVM of a version would be started. */
    private List<String> words(String version, String options) throws IOException {
        return words(LAUNCHER, version, options);
    }

    private List<String> words(Path launcher, String version, String options) throws IOException {
        Files.writeString(
                home.resolve("release"),
                "JAVA_VERSION=\"" + version.replaceAll("[+-].*", "") + "\"\n" + "JAVA_RUNTIME_VERSION=\"" + version
                        + "\"\n");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        ProcessBuilder command = new ProcessBuilder("sh", launcher.toString(), "--version").redirectErrorStream(true);
        command.environment().put("JAVA_HOME", home.toString());
        command.environment().put("JAVA_OPTS", options);
        return lines(command);
    }

    private static List<String> lines(ProcessBuilder command) throws IOException {
        return new String(command.start().getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
    }
}
