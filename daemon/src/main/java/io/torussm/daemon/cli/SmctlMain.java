package io.torussm.daemon.cli;

import io.torussm.daemon.console.client.CommandHelp;
import io.torussm.daemon.console.client.Completion;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.system.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code torus-smctl}: its arguments are one command for a running daemon; without any, commands are read from the
 * terminal or from standard input. No options parser: it must start fast.
 */
public final class SmctlMain {
    /** Exit codes. */
    static final int REFUSED = 1;

    static final int USAGE = 2;

    /** The group that the package gives the socket to. */
    private static final String GROUP = "rdma";

    private static final int NO_DAEMON = 4;

    /** Time-out for a response of the daemon. */
    static final int RESPONSE_TIMEOUT_MS = 90_000;

    private static final String USAGE_TEXT =
            "usage: torus-smctl [--socket PATH | --tcp HOST:PORT] [--json] [COMMAND [ARGUMENTS]];"
                    + " torus-smctl help lists the commands; without one they are read, one a line";
    private static final String HELP = "help";
    private static final String COMPLETE = "--complete";

    /** Set by the start script if the commands are typed. */
    private static final String TERMINAL_PROPERTY = "torussm.terminal";

    private SmctlMain() {}

    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments), System.in, System.out, System.err));
    }

    /** Runs a command; returns the exit code: 0 done, 1 the daemon refused, 2 usage, 4 no daemon answers. */
    static int run(List<String> arguments, InputStream in, PrintStream out, PrintStream err) {
        if (!arguments.isEmpty() && arguments.get(0).equals(COMPLETE)) {
            return complete(arguments.subList(1, arguments.size()), out);
        }
        ClientOptions options;
        try {
            options = ClientOptions.of(arguments);
        } catch (IllegalArgumentException e) {
            err.println("torus-smctl: " + e.getMessage());
            err.println(USAGE_TEXT);
            return USAGE;
        }
        List<String> words = options.words();
        if (!words.isEmpty() && words.get(0).startsWith("-")) {
            return option(words.get(0), out, err);
        }
        try {
            String request = ConsoleClient.request(options.command());
            return words.isEmpty() ? readCommands(options, in, out, err) : execute(options, request, out, err);
        } catch (IllegalArgumentException e) {
            err.println("torus-smctl: " + e.getMessage());
            return USAGE;
        } catch (IOException | RuntimeException e) {
            if (!words.isEmpty() && words.get(0).equals(HELP)) {
                CommandHelp.Text help = CommandHelp.of(ConsoleClient.request(options.command()));
                help.lines().forEach(out::println);
                return help.isGood() ? 0 : USAGE;
            }
            err.println("torus-smctl: no torus-sm answers on " + options.address() + " (" + e.getMessage()
                    + "); is it running" + group(options.address()) + "?");
            return NO_DAEMON;
        }
    }

    /**
     * Asks for membership in the group that may use a socket: that of the socket, or of its directory, or the
     * packaged one.
     */
    private static String group(SocketAddress address) {
        if (!(address instanceof UnixDomainSocketAddress socket)) {
            return " and listening there";
        }
        Path file = socket.getPath().toAbsolutePath();
        String group = groupOf(file)
                .or(() -> Optional.ofNullable(file.getParent()).flatMap(SmctlMain::groupOf))
                .orElse(GROUP);
        return ", and are you in the group " + group;
    }

    /** Returns the group of a file; empty if it cannot be read. */
    private static Optional<String> groupOf(Path file) {
        try {
            return Optional.of(Files.readAttributes(file, PosixFileAttributes.class)
                    .group()
                    .getName());
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /** Handles options that need no daemon. */
    private static int option(String option, PrintStream out, PrintStream err) {
        if (option.equals("--help") || option.equals("-h")) {
            out.println(USAGE_TEXT);
            CommandHelp.of(HELP).lines().forEach(out::println);
            return 0;
        }
        if (option.equals("--version") || option.equals("-V")) {
            out.println(Version.TEXT);
            return 0;
        }
        err.println("torus-smctl: there is no option " + option);
        err.println(USAGE_TEXT);
        return USAGE;
    }

    /** Prints the completions of the last word, for shells; without a daemon, as far as possible. */
    private static int complete(List<String> line, PrintStream out) {
        ClientOptions options;
        try {
            options = ClientOptions.of(line);
        } catch (IllegalArgumentException e) {
            return USAGE;
        }
        List<String> words = options.words();
        Completion completion = new Completion(request -> {
            List<String> lines = Shell.execute(options.address(), request);
            return lines.isEmpty() && request.startsWith(HELP)
                    ? CommandHelp.of(request).lines()
                    : lines;
        });
        (words.isEmpty() ? List.<String>of() : completion.candidates(words)).forEach(out::println);
        return 0;
    }

    private static int execute(ClientOptions options, String request, PrintStream out, PrintStream err)
            throws IOException {
        try (ConsoleClient client = ConsoleClient.connect(options.address())) {
            if (Watch.isWatch(options.words())) {
                return new Watch(
                                client,
                                line -> printLine(line, out),
                                SmctlMain::sleep,
                                Boolean.getBoolean(TERMINAL_PROPERTY))
                        .repeat(Watch.parse(options.command()));
            }
            boolean isGood = execute(client, request, out, err);
            return isGood ? 0 : client.wasMisused() ? USAGE : REFUSED;
        }
    }

    /** Shows on a terminal that the daemon is at work, until the first line of its response. */
    private static boolean execute(ConsoleClient client, String request, PrintStream out, PrintStream err)
            throws IOException {
        if (isFollowing(request) && request.startsWith("events")) {
            return client.execute(request, responseTimeoutMs(request), line -> printLine(line, out));
        }
        try (ProgressLine progress = ProgressLine.of("torus-smctl", err)) {
            progress.await(request.split(" ", 2)[0]);
            return client.execute(request, responseTimeoutMs(request), line -> {
                progress.end();
                printLine(line, out);
            });
        }
    }

    private static void printLine(String line, PrintStream out) {
        out.println(line);
        out.flush();
    }

    /** Waits; false when the process is interrupted. */
    private static boolean sleep(long ms) {
        try {
            return !new CountDownLatch(1).await(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    private static int readCommands(ClientOptions options, InputStream in, PrintStream out, PrintStream err)
            throws IOException {
        if (Boolean.getBoolean(TERMINAL_PROPERTY)) {
            return Shell.onTerminal(options.address());
        }
        try (ConsoleClient client = ConsoleClient.connect(options.address())) {
            return Shell.onStream(client, in, out, err);
        }
    }

    /** Returns the time-out for a response of the daemon; 0 for none, if a response may take arbitrarily long. */
    static int responseTimeoutMs(String request) {
        return isFollowing(request) ? 0 : RESPONSE_TIMEOUT_MS;
    }

    /** Checks whether the response is endless, or may take arbitrarily long. */
    static boolean isFollowing(String request) {
        return (request.startsWith("events") && request.contains("--follow"))
                || request.contains("--wait")
                || request.contains("--after");
    }
}
