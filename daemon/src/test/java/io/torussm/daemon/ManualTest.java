package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.cli.OptionPages;
import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.testing.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manual pages, docs/operator/options.md, reference.conf and the completion match the program. A test writes its
 * part of a file again with {@code -Dregenerate=true}.
 */
class ManualTest {
    private static final String MAN = "../packaging/man/";

    @TempDir
    Path dir;

    @Test
    void theManualOfTorusSmNamesEveryOptionAndSubcommand() throws IOException {
        GeneratedPart.check(MAN + "torus-sm.8", OptionPages.troff());
    }

    @Test
    void theManualOfTorusSmConfNamesEverySetting() throws IOException {
        GeneratedPart.check(MAN + "torus-sm.conf.5", Reference.troff());
    }

    @Test
    void theListOfOptionsNamesEverySetting() throws IOException {
        GeneratedPart.check("../docs/operator/options.md", Reference.markdown());
    }

    @Test
    void referenceConfHasTheDefaultOfEverySetting() throws IOException {
        GeneratedPart.check("src/main/resources/reference.conf", Reference.conf());
    }

    @Test
    void theManualAndTheCompletionOfTorusSmctlNameEveryCommand() throws Exception {
        List<String> help = help();
        assertThat(help).anyMatch(line -> line.startsWith("  status "));
        GeneratedPart.check(
                MAN + "torus-smctl.8",
                ".EX\n"
                        + help.stream()
                                .map(line -> GeneratedPart.troff(line) + "\n")
                                .collect(Collectors.joining()) + ".EE\n");
        String words = help.stream()
                .filter(line -> line.matches("  [a-z].*"))
                .map(line -> line.strip().replaceFirst("[^a-z-].*", ""))
                .distinct()
                .sorted()
                .collect(Collectors.joining(" "));
        GeneratedPart.check("../packaging/completion/torus-smctl", "_torus_smctl_commands='" + words + "'\n");
    }

    @Tag("interop")
    @Test
    void bashCompletesOptionsAndCommandsAlone() throws Exception {
        assertThat(completed("torus-smctl", "--j")).containsExactly("--json");
        assertThat(completed("torus-smctl", "--socket", "/s", "stat")).containsExactly("status");
        assertThat(completed("torus-smctl", "--json", "swee")).containsExactly("sweep");
        assertThat(completed("torus-smctl", "--tcp", "a")).isEmpty();
    }

    /** The program of the test prints its arguments and 0,1,2 as proposals. */
    @Tag("interop")
    @Test
    void bashAsksTheProgramForArgumentsOfCommands() throws Exception {
        assertThat(completed("torus-smctl", "--socket", "/s", "path", "\"host one\"", "h"))
                .containsExactly("--complete", "--socket", "/s", "path", "host\\ one", "h", "0,1,2");
        assertThat(completed("torus-smctl", "path", "\"h")).contains("h", "0,1,2");
    }

    /** Returns the proposals of bash for the last word of a line. */
    private List<String> completed(String... line) throws Exception {
        Path program = dir.resolve("torus-smctl");
        Files.writeString(program, "#!/bin/sh\nprintf '%s\\n' \"$@\" 0,1,2\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        List<String> command = new ArrayList<>(List.of(
                Programs.requireProgram("bash"),
                "-c",
                ". ../packaging/completion/torus-smctl; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _torus_smctl;"
                        + " [ -z \"${COMPREPLY[*]}\" ] || printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash"));
        command.addAll(List.of(line));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", dir.toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        List<String> proposals = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).isZero();
        return proposals;
    }

    /** Returns a daemon's response to {@code help} at its socket. */
    private List<String> help() throws Exception {
        Path socket = dir.resolve("control.sock");
        SmOptions options = Configuration.read(
                null,
                Map.of(
                        Settings.CONTROL_SOCKET,
                        new Configuration.CommandLineValue("test", socket.toString()),
                        Settings.HTTP_LISTEN,
                        new Configuration.CommandLineValue("test", "none")));
        CompletableFuture<Boolean> started = new CompletableFuture<>();
        Daemon daemon = new Daemon(
                new Daemon.Setup(options, false, List.of(), () -> options),
                (wanted, host) -> idle(started),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        CompletableFuture<ExitCode> end = CompletableFuture.supplyAsync(() -> {
            try {
                return daemon.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        started.get(30, TimeUnit.SECONDS);
        try {
            return execute(socket);
        } finally {
            daemon.stop("the test");
            end.get(30, TimeUnit.SECONDS);
        }
    }

    /** Returns a subnet manager that does nothing. When the daemon begins to watch it, the console is open. */
    private static SubnetManagerService idle(CompletableFuture<Boolean> started) {
        return (SubnetManagerService) Proxy.newProxyInstance(
                ManualTest.class.getClassLoader(),
                new Class<?>[] {SubnetManagerService.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("callPeriodically")) {
                        started.complete(true);
                    }
                    return method.getReturnType() == SmControl.class ? new FakeControl() : null;
                });
    }

    private static List<String> execute(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap("help\n".getBytes(StandardCharsets.UTF_8)));
            StringBuilder answer = new StringBuilder();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            while (!answer.toString().endsWith(".ok\n") && channel.read(buffer) >= 0) {
                answer.append(StandardCharsets.UTF_8.decode(buffer.flip()));
                buffer.clear();
            }
            return answer.toString().lines().filter(line -> !line.equals(".ok")).toList();
        }
    }
}
