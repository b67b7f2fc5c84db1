package io.torussm.daemon.cli;

import io.torussm.daemon.console.client.ConsoleClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Terminal;

/**
 * Commands for a running daemon that are typed on a terminal. A command that takes longer than a second shows its
 * progress. Ctrl-C ends the wait for its response, and the terminal takes the next command.
 */
final class TypedCommands implements AutoCloseable {
    private static final String PROGRAM = "torus-smctl";

    private final SocketAddress address;
    private final Terminal terminal;
    private final PrintStream screen;
    private ConsoleClient client;

    /**
     * Connects a terminal to a daemon.
     *
     * @throws IOException if no daemon listens
     */
    TypedCommands(SocketAddress address, Terminal terminal) throws IOException {
        this.address = address;
        this.terminal = terminal;
        screen = new PrintStream(terminal.output(), true, StandardCharsets.UTF_8);
        client = ConsoleClient.connect(address);
    }

    /**
     * Runs one command and prints its response.
     *
     * @throws IOException if the daemon does not respond
     */
    void run(String line) throws IOException {
        List<String> words = Shell.parser().parse(line, 0).words();
        if (Watch.isWatch(words)) {
            watch(words);
        } else {
            execute(line, words.get(0));
        }
    }

    private void execute(String line, String name) throws IOException {
        Terminal.SignalHandler previous = terminal.handle(Terminal.Signal.INT, signal -> interrupt(line));
        try (ProgressLine progress = ProgressLine.of(PROGRAM, screen, true)) {
            if (!SmctlMain.isFollowing(line) || !line.startsWith("events")) {
                progress.await(name);
            }
            client.execute(line, SmctlMain.responseTimeoutMs(line), text -> {
                progress.end();
                screen.println(text);
            });
        } catch (InterruptedIOException e) {
            client.close();
            client = ConsoleClient.connect(address);
            screen.println(PROGRAM + ": the response to " + name + " is not awaited any longer; a change continues");
        } finally {
            terminal.handle(Terminal.Signal.INT, previous);
        }
    }

    /** Ends a response without an end in the daemon; any other one is abandoned here. */
    private void interrupt(String line) {
        if (!SmctlMain.isFollowing(line)) {
            client.abandon();
            return;
        }
        try {
            client.interrupt();
        } catch (IOException e) {
            screen.println(PROGRAM + ": " + e.getMessage());
        }
    }

    /** Repeats a command until Ctrl-C. */
    private void watch(List<String> words) throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        Terminal.SignalHandler previous = terminal.handle(Terminal.Signal.INT, signal -> end.countDown());
        try {
            new Watch(client, screen::println, ms -> !awaitEnd(end, ms), true).repeat(Watch.parse(words));
        } catch (IllegalArgumentException e) {
            screen.println(e.getMessage());
        } finally {
            terminal.handle(Terminal.Signal.INT, previous);
        }
    }

    private static boolean awaitEnd(CountDownLatch end, long ms) {
        try {
            return end.await(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
