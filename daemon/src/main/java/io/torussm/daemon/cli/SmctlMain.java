package io.torussm.daemon.cli;

import io.torussm.daemon.console.ConsoleClient;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code torus-smctl}: its arguments are one command for a running daemon. No options parser: it must start fast. */
public final class SmctlMain {
    private static final String DEFAULT_SOCKET = "/run/torus-sm/control.sock";
    private static final int SILENCE_MS = 30_000;
    private static final int REFUSED = 1;
    private static final int USAGE = 2;
    private static final int NO_DAEMON = 4;

    private SmctlMain() {}

    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments), System.out, System.err));
    }

    /** Exit code: 0 done, 1 the daemon would not, 2 usage, 4 no daemon answers. */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        List<String> words = new ArrayList<>(arguments);
        String socket = DEFAULT_SOCKET;
        if (!words.isEmpty() && words.get(0).equals("--socket") && words.size() > 1) {
            socket = words.get(1);
            words = words.subList(2, words.size());
        }
        if (words.isEmpty()
                || words.get(0).startsWith("-")
                || words.stream().anyMatch(word -> word.matches("(?s).*[\"\\r\\n].*"))) {
            err.println("usage: torus-smctl [--socket PATH] COMMAND [ARGUMENTS]; torus-smctl help lists the commands");
            return USAGE;
        }
        String request = String.join(" ", words.stream().map(SmctlMain::quoted).toList());
        try {
            boolean isGood = ConsoleClient.ask(Path.of(socket), request, SILENCE_MS, out::println);
            out.flush();
            return isGood ? 0 : REFUSED;
        } catch (IOException | RuntimeException e) {
            err.println("torus-smctl: no torus-sm answers on " + socket + " (" + e.getMessage()
                    + "); is it running, and are you in its group?");
            return NO_DAEMON;
        }
    }

    private static String quoted(String word) {
        return word.isEmpty() || word.contains(" ") ? "\"" + word + "\"" : word;
    }
}
