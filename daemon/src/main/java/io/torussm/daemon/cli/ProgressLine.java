package io.torussm.daemon.cli;

import io.torussm.daemon.planning.WhatIf;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * The progress line of a long command, on a terminal; each text replaces the previous one. Nothing is printed
 * if standard error is no terminal. Any thread.
 */
final class ProgressLine implements WhatIf.Progress, AutoCloseable {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final Pattern TERMINAL = Pattern.compile("/dev/(pts/\\d+|tty.*|console)");

    /** Pause between two texts, so that output to the terminal takes little time. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long TICK_MS = 1_000;

    /** Lines that are cleared if Ctrl-C ends the process before they are closed: one shutdown hook for all. */
    static final class Open {
        static final Set<ProgressLine> LINES = ConcurrentHashMap.newKeySet();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> LINES.forEach(ProgressLine::end)));
        }

        private Open() {}
    }

    private final String program;
    private final PrintStream err;
    private final boolean isTerminal;
    private final LongSupplier nanoTime;
    private Runnable onClose = () -> {};
    private String step = "";
    private long startNs;
    private long lastShownNs;
    private int width;

    /**
     * Creates a line on a stream.
     *
     * @param program name of the program, with which each text begins
     * @param nanoTime the time that passes, as {@link System#nanoTime} has it
     */
    ProgressLine(String program, PrintStream err, boolean isTerminal, LongSupplier nanoTime) {
        this.program = program;
        this.err = err;
        this.isTerminal = isTerminal;
        this.nanoTime = nanoTime;
    }

    /** Returns the line of a command; it stays empty unless the stream is standard error and that is a terminal. */
    static ProgressLine on(PrintStream err) {
        return of("torus-sm", err);
    }

    /** Returns the line of a command of another program. */
    static ProgressLine of(String program, PrintStream err) {
        return of(program, err, err == System.err && isTerminal(STANDARD_ERROR));
    }

    /** Returns the line of a command on a stream that is known to be a terminal, or none. */
    static ProgressLine of(String program, PrintStream err, boolean isTerminal) {
        ProgressLine line = new ProgressLine(program, err, isTerminal, System::nanoTime);
        if (isTerminal) {
            line.tickEverySecond();
        }
        return line;
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            return TERMINAL.matcher(Files.readSymbolicLink(descriptor).toString())
                    .matches();
        } catch (IOException | UnsupportedOperationException e) {
            return false; // a system without such links: the command works as in a pipe
        }
    }

    private void tickEverySecond() {
        Open.LINES.add(this);
        Timer timer = new Timer("progress", true);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        tick();
                    }
                },
                TICK_MS,
                TICK_MS);
        onClose = () -> {
            timer.cancel();
            Open.LINES.remove(this);
        };
    }

    /** Shows a step that takes a while. */
    synchronized void begin(String text) {
        startNs = nanoTime.getAsLong();
        step = text;
        show(text);
    }

    /** Begins a step that is usually over before it is worth showing: the first tick shows it. */
    synchronized void await(String text) {
        startNs = nanoTime.getAsLong();
        lastShownNs = startNs;
        step = text;
    }

    /** Shows how long a step takes that does not count. */
    synchronized void tick() {
        long now = nanoTime.getAsLong();
        if (!step.isEmpty() && now - lastShownNs >= TimeUnit.MILLISECONDS.toNanos(TICK_MS) / 2) {
            show(String.format(Locale.ROOT, "%s, %,d s", step, TimeUnit.NANOSECONDS.toSeconds(now - startNs)));
        }
    }

    /** Begins with failures of which each is routed. */
    void beginFailures() {
        begin("failures");
    }

    @Override
    public void simulated(int done, int all) {
        count("failure", done, all);
    }

    /**
     * Shows the progress of a step that counts.
     *
     * @param unit singular noun of the counted things
     */
    synchronized void count(String unit, long done, long all) {
        long now = nanoTime.getAsLong();
        if (0 < done && done < all && now - lastShownNs >= PAUSE_NS) {
            step = ""; // it says how far it is, and needs no tick
            long leftSeconds = TimeUnit.NANOSECONDS.toSeconds((long) ((double) (now - startNs) / done * (all - done)));
            show(String.format(Locale.ROOT, "%s %,d of %,d, %,d s left", unit, done, all, leftSeconds));
        }
    }

    private void show(String text) {
        if (isTerminal) {
            lastShownNs = nanoTime.getAsLong();
            print(program + ": " + text);
        }
    }

    /** Prints a line that stays, and shows the step again below it. */
    synchronized void printMessage(String text) {
        String current = step;
        end();
        err.println(text);
        if (!current.isEmpty()) {
            step = current;
            show(current);
        }
    }

    /** Clears the line, before anything else is printed. */
    synchronized void end() {
        step = "";
        if (width > 0) {
            print("");
            err.print('\r');
            err.flush();
            width = 0;
        }
    }

    @Override
    public void close() {
        onClose.run();
        end();
    }

    private void print(String text) {
        err.print('\r' + text + " ".repeat(Math.max(0, width - text.length())));
        err.flush();
        width = text.length();
    }
}
