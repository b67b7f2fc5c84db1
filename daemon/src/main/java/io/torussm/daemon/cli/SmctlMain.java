package io.torussm.daemon.cli;

import io.torussm.daemon.Version;
import io.torussm.daemon.console.CommandHelp;
import io.torussm.daemon.console.ConsoleClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * {@code torus-smctl}: its arguments are one command for a running daemon; without any, commands are read from the
 * terminal or from standard input. No options parser: it must start fast.
 */
public final class SmctlMain {
    private static final String DEFAULT_SOCKET = "/run/torus-sm/control.sock";
    private static final String USAGE_TEXT =
            "usage: torus-smctl [--socket PATH | --tcp HOST:PORT] [COMMAND [ARGUMENTS]];"
                    + " torus-smctl help lists the commands; without one they are read, one a line";
    private static final String HELP = "help";

    /** Set by the start script if somebody types the commands. */
    private static final String TERMINAL = "torussm.terminal";

    private static final int SILENCE_MS = 90_000;
    private static final int REFUSED = 1;
    private static final int USAGE = 2;
    private static final int NO_DAEMON = 4;

    private SmctlMain() {}

    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments), System.in, System.out, System.err));
    }

    /** Exit code: 0 done, 1 the daemon would not, 2 usage, 4 no daemon answers. */
    static int run(List<String> arguments, InputStream in, PrintStream out, PrintStream err) {
        List<String> words = arguments;
        SocketAddress address = UnixDomainSocketAddress.of(DEFAULT_SOCKET);
        if (words.size() > 1 && words.get(0).equals("--socket")) {
            address = UnixDomainSocketAddress.of(Path.of(words.get(1)));
            words = words.subList(2, words.size());
        } else if (words.size() > 1
                && words.get(0).equals("--tcp")
                && words.get(1).matches(".+:\\d{1,5}")) {
            String[] parts = words.get(1).split(":(?=\\d+$)", 2);
            address = new InetSocketAddress(parts[0], Math.min(65_535, Integer.parseInt(parts[1])));
            words = words.subList(2, words.size());
        }
        boolean isCommand = words.size() > 1 && words.get(0).equals("--json");
        if (!words.isEmpty() && words.get(0).startsWith("-") && !isCommand) {
            return option(words.get(0), out, err);
        }
        try {
            String request = ConsoleClient.request(words);
            return words.isEmpty() ? read(address, in, out, err) : ask(address, request, out);
        } catch (IllegalArgumentException e) {
            err.println("torus-smctl: " + e.getMessage());
            return USAGE;
        } catch (IOException | RuntimeException e) {
            if (!words.isEmpty() && words.get(0).equals(HELP)) {
                CommandHelp.lines(String.join(" ", words)).forEach(out::println);
                return 0;
            }
            err.println("torus-smctl: no torus-sm answers on " + address + " (" + e.getMessage()
                    + "); is it running, and are you in its group?");
            return NO_DAEMON;
        }
    }

    /** What needs no daemon. */
    private static int option(String option, PrintStream out, PrintStream err) {
        if (option.equals("--help") || option.equals("-h")) {
            out.println(USAGE_TEXT);
            CommandHelp.lines(HELP).forEach(out::println);
            return 0;
        }
        if (option.equals("--version") || option.equals("-V")) {
            out.println(Version.TEXT);
            return 0;
        }
        err.println(USAGE_TEXT);
        return USAGE;
    }

    private static int ask(SocketAddress address, String request, PrintStream out) throws IOException {
        try (ConsoleClient client = ConsoleClient.connect(address)) {
            boolean isGood = client.ask(request, silenceMs(request), line -> {
                out.println(line);
                out.flush();
            });
            return isGood ? 0 : client.wasMisused() ? USAGE : REFUSED;
        }
    }

    private static int read(SocketAddress address, InputStream in, PrintStream out, PrintStream err)
            throws IOException {
        if (Boolean.getBoolean(TERMINAL)) {
            return Shell.onTerminal(address);
        }
        try (ConsoleClient client = ConsoleClient.connect(address)) {
            return Shell.onStream(client, in, out, err);
        }
    }

    /** How long the daemon may say nothing; 0 for ever, where there may be nothing to say for long. */
    static int silenceMs(String request) {
        return isFollowing(request) ? 0 : SILENCE_MS;
    }

    /** Whether the answer goes on until it is ended. */
    static boolean isFollowing(String request) {
        return request.startsWith("events") && request.contains("--follow");
    }
}
