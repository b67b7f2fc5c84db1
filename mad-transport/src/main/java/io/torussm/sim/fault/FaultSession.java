package io.torussm.sim.fault;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session of one user of the console. Lines are executed in order, each after the end of the one before.
 * {@code Wait} delays only this session, and {@code !file} inserts the lines of a file before the lines that were typed
 * since.
 *
 * <p>Owner thread: the loop of the fabric.
 */
public final class FaultSession {
    private static final int MAX_WAITING = 100_000;
    private static final int MAX_DEPTH = 8;

    private final FaultConsole console;
    private final String who;
    private final @Nullable Reader files;
    private final Screen screen;
    private final Deque<Typed> waiting = new ArrayDeque<>();
    private boolean isBusy;
    private boolean isOver;

    /** Reads the lines of a file, for users with the permissions of the process only. */
    @FunctionalInterface
    public interface Reader {
        List<String> read(String name) throws IOException;
    }

    /** Where answers are shown. */
    public interface Screen {
        /** Receives the response of the console to a line or to a line of a file. */
        void show(ConsoleReply answer);

        /** Shows a prompt after a typed line was executed. */
        void prompt();
    }

    /** @param depth 0 for a typed line, else the number of nested files around it */
    private record Typed(String line, int depth) {}

    /**
     * Creates a session.
     *
     * @param client for the log
     * @param files null if this session may not read any
     */
    public FaultSession(FaultConsole console, String client, @Nullable Reader files, Screen screen) {
        this.console = console;
        this.who = client;
        this.files = files;
        this.screen = screen;
    }

    /**
     * Types a line.
     *
     * @return false if too many lines wait, and this one is forgotten
     */
    public boolean type(String line) {
        console.faults().loop().check();
        if (waiting.size() >= MAX_WAITING) {
            return false;
        }
        waiting.addLast(new Typed(line, 0));
        go();
        return true;
    }

    /** Drops the lines that were not executed yet. */
    public void end() {
        isOver = true;
        waiting.clear();
    }

    private void go() {
        while (!isBusy && !isOver) {
            Typed next = waiting.pollFirst();
            if (next == null) {
                return;
            }
            ConsoleReply answer = next.line().strip().startsWith("!") ? file(next) : console.run(next.line(), who);
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
        if (!isOver) {
            promptIfDone();
            go();
        }
    }

    /** Shows a prompt for each line that was typed, when the files that it named are executed. */
    private void promptIfDone() {
        Typed next = waiting.peekFirst();
        if (next == null || next.depth() == 0) {
            screen.prompt();
        }
    }

    private ConsoleReply file(Typed typed) {
        String name = typed.line().strip().substring(1).strip();
        if (name.isEmpty()) {
            return ConsoleReply.bad("no file name; write !filename");
        } else if (files == null) {
            return ConsoleReply.bad("files are read only for the console of the process itself; send the lines");
        } else if (typed.depth() >= MAX_DEPTH) {
            return ConsoleReply.bad("files that run files are " + MAX_DEPTH + " deep already: " + name);
        }
        try {
            List<String> lines = files.read(name);
            if (waiting.size() + lines.size() > MAX_WAITING) {
                return ConsoleReply.bad(name + " has too many lines; " + MAX_WAITING + " can wait");
            }
            for (int i = lines.size() - 1; i >= 0; i--) {
                waiting.addFirst(new Typed(lines.get(i), typed.depth() + 1));
            }
            return ConsoleReply.DONE;
        } catch (IOException e) {
            return ConsoleReply.bad("cannot read file '" + name + "': " + e.getMessage());
        }
    }
}
