package io.torussm.daemon.cli;

import io.torussm.daemon.planning.WhatIf;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * The progress line of a long command, on a terminal; each text replaces the previous one. Nothing is printed
 * if standard error is no terminal. Any thread.
 */
final class ProgressLine implements WhatIf.Progress {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final Pattern TERMINAL = Pattern.compile("/dev/(pts/\\d+|tty.*|console)");

    /** Pause between two texts, so that output to the terminal takes little time. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PrintStream err;
    private final boolean isTerminal;
    private final LongSupplier nanoTime;
    private long beganNs;
    private long shownNs;
    private int width;

    /**
     * A line on a stream.
     *
     * @param nanoTime the time that passes, as {@link System#nanoTime} has it
     */
    ProgressLine(PrintStream err, boolean isTerminal, LongSupplier nanoTime) {
        this.err = err;
        this.isTerminal = isTerminal;
        this.nanoTime = nanoTime;
    }

    /** Returns the line of a command; it stays empty unless the stream is standard error and that is a terminal. */
    static ProgressLine on(PrintStream err) {
        return new ProgressLine(err, err == System.err && isTerminal(STANDARD_ERROR), System::nanoTime);
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            return TERMINAL.matcher(Files.readSymbolicLink(descriptor).toString())
                    .matches();
        } catch (IOException | UnsupportedOperationException e) {
            return false; // a system without such links: the command works as in a pipe
        }
    }

    /** Shows a step that takes a while. */
    synchronized void begin(String text) {
        beganNs = nanoTime.getAsLong();
        show(text);
    }

    /** Begins with failures of which each is routed. */
    void beginFailures() {
        begin("failures");
    }

    @Override
    public synchronized void played(int done, int all) {
        long now = nanoTime.getAsLong();
        if (done < all && now - shownNs >= PAUSE_NS) {
            long leftSeconds = TimeUnit.NANOSECONDS.toSeconds((now - beganNs) / done * (all - done));
            show(String.format(Locale.ROOT, "failure %,d of %,d, %,d s left", done, all, leftSeconds));
        }
    }

    private void show(String text) {
        if (isTerminal) {
            shownNs = nanoTime.getAsLong();
            print("torus-sm: " + text);
        }
    }

    /** Clears the line, before anything else is printed. */
    synchronized void end() {
        if (width > 0) {
            print("");
            err.print('\r');
            err.flush();
            width = 0;
        }
    }

    private void print(String text) {
        err.print('\r' + text + " ".repeat(Math.max(0, width - text.length())));
        err.flush();
        width = text.length();
    }
}
