package io.torussm.sim.fault;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session of one client of the console. Lines are executed one after the other. {@code Wait} delays only this
 * session. {@code !file} inserts the lines of a file before the lines that were typed since.
 *
 * <p>Owner thread: the loop of the fabric.
 */
public final class FaultSession {
    private static final int MAX_WAITING = 100_000;

    /** Max depth of files that run files. */
    private static final int MAX_DEPTH = 8;

    private final FaultConsole console;
    private final String clientName;
    private final @Nullable Reader files;
    private final Screen screen;
    private final Deque<QueuedLine> waiting = new ArrayDeque<>();

    /** True during a {@code Wait}. */
    private boolean isBusy;

    private boolean isEnded;

    /** A reader of files, for clients with the permissions of the process only. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Returns the lines of a file.
         *
         * @throws IOException if the file cannot be read
         */
        List<String> read(String name) throws IOException;
    }

    /** The display of a client. */
    public interface Screen {
        /** Shows the response to a typed line or a line of a file. */
        void show(ConsoleReply answer);

        /** Shows a prompt after a typed line was executed. */
        void prompt();
    }

    /**
     * A waiting line.
     *
     * @param line line as typed
     * @param depth number of nested files that contain the line; 0 for a typed line
     */
    private record QueuedLine(String line, int depth) {}

    /**
     * Creates a session.
     *
     * @param client name of the client for the log
     * @param files reader of files; null if this client may not read files
     */
    public FaultSession(FaultConsole console, String client, @Nullable Reader files, Screen screen) {
        this.console = console;
        this.clientName = client;
        this.files = files;
        this.screen = screen;
    }

    /**
     * Queues a typed line and executes it as soon as possible.
     *
     * @return false if too many lines wait, so that this one is dropped
     */
    public boolean enqueue(String line) {
        console.faults().loop().requireInLoop();
        if (waiting.size() >= MAX_WAITING) {
            return false;
        }
        waiting.addLast(new QueuedLine(line, 0));
        executeWaitingLines();
        return true;
    }

    /** Ends the session. Waiting lines are dropped. */
    public void end() {
        isEnded = true;
        waiting.clear();
    }

    /** Executes waiting lines until a {@code Wait} or the end. */
    private void executeWaitingLines() {
        while (!isBusy && !isEnded) {
            QueuedLine next = waiting.pollFirst();
            if (next == null) {
                return;
            }
            ConsoleReply answer =
                    next.line().strip().startsWith("!") ? file(next) : console.run(next.line(), clientName);
            screen.show(answer);
            if (answer.isEnd()) {
                end();
            } else if (answer.pauseNs() > 0) {
                isBusy = true;
                console.faults().loop().schedule(answer.pauseNs(), this::resume);
            } else {
                promptIfDone();
            }
        }
    }

    private void resume() {
        isBusy = false;
        if (!isEnded) {
            promptIfDone();
            executeWaitingLines();
        }
    }

    /** Shows a prompt after a typed line and all lines of its files. */
    private void promptIfDone() {
        QueuedLine next = waiting.peekFirst();
        if (next == null || next.depth() == 0) {
            screen.prompt();
        }
    }

    /** Inserts the lines of a file before the waiting lines. */
    private ConsoleReply file(QueuedLine typed) {
        String name = typed.line().strip().substring(1).strip();
        if (name.isEmpty()) {
            return ConsoleReply.failure("no file name; write !filename");
        } else if (files == null) {
            return ConsoleReply.failure("files are read only for the console of the process itself; send the lines");
        } else if (typed.depth() >= MAX_DEPTH) {
            return ConsoleReply.failure("files that run files are " + MAX_DEPTH + " deep already: " + name);
        }
        try {
            List<String> lines = files.read(name);
            if (waiting.size() + lines.size() > MAX_WAITING) {
                return ConsoleReply.failure(name + " has too many lines; " + MAX_WAITING + " can wait");
            }
            for (int i = lines.size() - 1; i >= 0; i--) {
                waiting.addFirst(new QueuedLine(lines.get(i), typed.depth() + 1));
            }
            return ConsoleReply.DONE;
        } catch (IOException e) {
            return ConsoleReply.failure("cannot read file '" + name + "': " + e.getMessage());
        }
    }
}
