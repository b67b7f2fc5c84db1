package io.torussm.daemon.cli;

import io.torussm.daemon.console.client.CommandHelp;
import io.torussm.daemon.console.client.ConsoleClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * The repetition of a read-only command on one connection. A request is sent only after the response to the
 * last one, so a slow daemon gets fewer requests.
 */
final class Watch {
    private static final String WORD = "watch";
    private static final String INTERVAL = "-n";
    private static final int DEFAULT_INTERVAL_S = 2;

    /** Erases a terminal and goes to its first line (ECMA-48 CUP and ED). */
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    private final ConsoleClient client;
    private final Consumer<String> out;
    private final LongPredicate pause;
    private final boolean isTerminal;

    /**
     * The command to be repeated.
     *
     * @param words words of the command
     * @param seconds pause between a response and the next request, 1 to 3,600
     */
    record RepeatedCommand(List<String> words, int seconds) {}

    /**
     * Prepares a repetition on a connection.
     *
     * @param out receives lines
     * @param pause waits for a number of milliseconds; false to end
     * @param isTerminal true if each response replaces the previous one
     */
    Watch(ConsoleClient client, Consumer<String> out, LongPredicate pause, boolean isTerminal) {
        this.client = client;
        this.out = out;
        this.pause = pause;
        this.isTerminal = isTerminal;
    }

    /** Checks whether a request is a repetition of another. */
    static boolean isWatch(List<String> words) {
        return words.size() > 1 && words.get(0).equals(WORD);
    }

    /**
     * Returns the command after the word.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    static RepeatedCommand parse(List<String> words) {
        List<String> rest = words.subList(1, words.size());
        if (!rest.get(0).equals(INTERVAL)) {
            return new RepeatedCommand(rest, DEFAULT_INTERVAL_S);
        }
        if (rest.size() < 3 || !rest.get(1).matches("[1-9]\\d{0,2}|[12]\\d{3}|3[0-5]\\d\\d|3600")) {
            throw new IllegalArgumentException("usage: watch [-n SECONDS] COMMAND..., SECONDS from 1 to 3600");
        }
        return new RepeatedCommand(rest.subList(2, rest.size()), Integer.parseInt(rest.get(1)));
    }

    /**
     * Repeats until the pause returns false, or the request is invalid. It continues after a rejection by the
     * daemon, which may be temporary.
     *
     * @return the exit code of the last response
     * @throws IOException if the daemon does not respond any more
     */
    int repeat(RepeatedCommand wanted) throws IOException {
        String request = ConsoleClient.request(wanted.words());
        if (SmctlMain.isFollowing(request) || !isReadOnly(wanted.words())) {
            out.accept("only what changes nothing and comes to an end can be repeated, not " + request);
            return SmctlMain.USAGE;
        }
        int code;
        do {
            List<String> lines = new ArrayList<>();
            boolean isGood = client.execute(request, SmctlMain.RESPONSE_TIMEOUT_MS, lines::add);
            code = isGood ? 0 : client.wasMisused() ? SmctlMain.USAGE : SmctlMain.REFUSED;
            if (isTerminal) {
                lines.add(0, CLEAR_SCREEN + "every " + wanted.seconds() + " s: " + request);
                lines.add(1, "");
            }
            lines.forEach(out);
        } while (code != SmctlMain.USAGE && pause.test(wanted.seconds() * 1000L));
        return code;
    }

    /** Checks the daemon's own help for the command; the daemon itself rejects an unknown word. */
    private boolean isReadOnly(List<String> words) throws IOException {
        List<String> help = new ArrayList<>();
        client.execute(
                ConsoleClient.request(List.of("help", words.get(0), "--json")),
                SmctlMain.RESPONSE_TIMEOUT_MS,
                help::add);
        return CommandHelp.isReadOnly(help, words);
    }
}
