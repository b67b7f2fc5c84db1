package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.RecordingAnswer;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.journal.Journal;
import io.torussm.transport.capture.MadTap;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The commands that show events, and write dumps, recordings and captures. */
public final class RecordCommands {
    /** The option to follow events. The session implements it. */
    public static final String FOLLOW = "--follow";

    /** The line between events of the previous process and of this process. */
    private static final String STARTED = "-- torus-sm was started --";

    /** The option before the number of events. It may be omitted. */
    private static final String COUNT = "-n";

    private static final int EVENTS_SHOWN = 20;
    private static final int DUMP_TIMEOUT_S = 60;
    private static final int DEFAULT_CAPTURE_S = 10;
    private static final int MAX_CAPTURE_S = 3600;
    private static final long MAX_CAPTURE_BYTES = 64L << 20;

    /** The error text if no directory for files is configured. */
    static final String NO_DIR = "dump_files_dir names no directory to write into";

    private final SmControl control;

    /**
     * Some of the last events.
     *
     * @param last number of the last event in the journal
     * @param events events to show, the oldest first
     */
    public record Events(long last, List<Journal.Entry> events) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            long previous = 1;
            for (Journal.Entry event : events) {
                if (previous <= 0 && event.number() > 0) {
                    lines.add(STARTED);
                }
                previous = event.number();
                lines.add(line(event));
            }
            return lines;
        }
    }

    private record Capture(MadTap.@Nullable Capture capture) implements Facts {
        @Override
        public List<String> lines() {
            return List.of(
                    capture == null
                            ? "nothing was captured yet"
                            : capture.file() + ": " + capture.mads() + " MADs"
                                    + (capture.dropped() == 0 ? "" : ", " + capture.dropped() + " left out")
                                    + (capture.isRunning() ? ", continues" : ", complete"));
        }
    }

    public RecordCommands(SmControl control) {
        this.control = control;
    }

    public List<Command> commands() {
        return List.of(
                Command.query(
                        "events [--follow] [-n COUNT]",
                        "the last events, " + EVENTS_SHOWN + " by default, and with --follow new ones",
                        this::events,
                        "The last " + Journal.CAPACITY
                                + " lines of the log from level info on are kept, over restarts too. With --follow",
                        "new ones follow until the connection ends or a line is sent; with --json, one document a line."),
                Command.change("dump", "write the dump files now", Command.withoutArguments(this::dump)),
                Command.change(
                        "record [FILE]",
                        "write the last minutes of the flight recorder to a file for torus-sm replay",
                        this::record,
                        "FILE is the name of a new file in dump_files_dir, or without one in state_dir/recordings. It contains M_Keys, and",
                        "only its owner may read it."),
                Command.setting(
                        "capture [FILE|stop] [SECONDS]",
                        "write MADs to a pcap file, for " + DEFAULT_CAPTURE_S
                                + " s; or show the last capture, or end it",
                        this::capture,
                        "FILE is the name of a new file in dump_files_dir. It ends after SECONDS, at most "
                                + MAX_CAPTURE_S + ", or",
                        (MAX_CAPTURE_BYTES >> 20) + " MiB. It holds M_Keys, and is for its owner only."));
    }

    /** Returns the line of an event in the output of {@code events}. */
    public static String line(Journal.Entry entry) {
        return entry.time() + " " + entry.level() + " " + Printable.text(entry.line(), Integer.MAX_VALUE);
    }

    private Answer events(List<String> arguments) {
        List<String> rest = arguments.stream()
                .filter(word -> !word.equals(FOLLOW))
                .collect(Collectors.toCollection(ArrayList::new));
        boolean isCounted = rest.remove(COUNT);
        if (rest.size() > 1
                || (isCounted && rest.isEmpty())
                || (!rest.isEmpty() && !rest.get(0).matches("[1-9]\\d{0,3}"))) {
            throw new UsageException("COUNT is a number from 1 to 9999");
        }
        int count = !rest.isEmpty() ? Integer.parseInt(rest.get(0)) : EVENTS_SHOWN;
        long last = control.journal().last();
        List<Journal.Entry> entries = control.journal().after(last - count).stream()
                .filter(entry -> entry.number() <= last)
                .toList();
        return Answer.of(new Events(last, entries));
    }

    private Answer dump() {
        Path dir = control.dumpDir();
        if (dir == null) {
            return Answer.refusal(NO_DIR);
        }
        return Answer.ofDiscoveredSubnet(control.state(), found -> {
            try {
                return control.writeDumps().get(DUMP_TIMEOUT_S, TimeUnit.SECONDS)
                        ? Answer.done("dump files are written to " + dir)
                        : Answer.refusal("dump files could not be written to " + dir + "; see events");
            } catch (TimeoutException e) {
                return Answer.done("dump files are being written to " + dir);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Answer.refusal("the daemon ends");
            }
        });
    }

    /**
     * A written recording.
     *
     * @param file path of the file
     * @param seconds duration of the recorded period
     * @param mads number of MADs
     * @param isFromStart true if the recording begins with the start of the SM
     */
    record Recorded(String file, double seconds, long mads, boolean isFromStart) implements Facts {
        @Override
        public List<String> lines() {
            return List.of(String.format(
                    Locale.ROOT,
                    "%s: the last %.1f s, %d MADs%s",
                    file,
                    seconds,
                    mads,
                    isFromStart ? ", from the start on" : ""));
        }
    }

    private Answer record(List<String> arguments) {
        if (arguments.size() > 1) {
            throw new UsageException();
        }
        String name = arguments.isEmpty() ? "" : fileName(arguments.get(0));
        try {
            RecordingAnswer answer = control.writeRecording(name).get(DUMP_TIMEOUT_S, TimeUnit.SECONDS);
            return answer.isWritten()
                    ? Answer.of(new Recorded(answer.file(), answer.seconds(), answer.mads(), answer.isFromStart()))
                    : Answer.refusal(answer.problem());
        } catch (TimeoutException e) {
            return Answer.done("the recording is being written");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.refusal("the daemon ends");
        }
    }

    private Answer capture(List<String> arguments) {
        MadTap tap = control.tap();
        if (arguments.isEmpty()) {
            return Answer.of(new Capture(tap.capture()));
        }
        if (arguments.equals(List.of("stop"))) {
            tap.stop();
            return Answer.of(new Capture(tap.capture()));
        }
        String name = fileName(arguments.get(0));
        if (arguments.size() > 2) {
            throw new UsageException();
        }
        if (arguments.size() == 2 && !arguments.get(1).matches("[1-9]\\d{0,3}")) {
            throw new UsageException("SECONDS is a number from 1 to " + MAX_CAPTURE_S);
        }
        int seconds = arguments.size() == 1 ? DEFAULT_CAPTURE_S : Integer.parseInt(arguments.get(1));
        if (seconds > MAX_CAPTURE_S) {
            throw new UsageException("SECONDS is a number from 1 to " + MAX_CAPTURE_S);
        }
        Path dir = control.dumpDir();
        return dir == null ? Answer.refusal(NO_DIR) : capture(tap, dir.resolve(name), seconds);
    }

    /** Returns the name of a file in the directory of dumps. */
    static String fileName(String word) {
        if (!word.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new UsageException("FILE is a name of letters, digits, dots and dashes, without a directory");
        }
        return word;
    }

    private static Answer capture(MadTap tap, Path file, int seconds) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return tap.start(file, Duration.ofSeconds(seconds), MAX_CAPTURE_BYTES)
                    ? Answer.done("capturing to " + file + " for " + seconds + " s, at most "
                            + (MAX_CAPTURE_BYTES >> 20) + " MiB")
                    : Answer.refusal("a capture is under way already; capture stop ends it");
        } catch (FileAlreadyExistsException e) {
            return Answer.refusal(file + " is there already; give another name");
        } catch (IOException e) {
            return Answer.refusal("cannot write " + file + " (" + e + ")");
        }
    }
}
