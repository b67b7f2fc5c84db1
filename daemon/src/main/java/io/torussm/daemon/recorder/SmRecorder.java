package io.torussm.daemon.recorder;

import io.torussm.daemon.assembly.SmPlatform;
import io.torussm.daemon.assembly.SmSettings;
import io.torussm.daemon.config.SettingsText;
import io.torussm.daemon.config.SmOptions;
import io.torussm.recording.FlightRecorder;
import io.torussm.recording.NoteKind;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.LocalPort;
import io.torussm.transport.Loop;
import io.torussm.transport.MadTransport;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The recorder of all input of an SM: the initial state, received MADs, durations of background work, and commands of
 * operators. It wraps the platform, the settings and the listener of the SM. Thread-safe.
 */
public final class SmRecorder {
    /** Letter of the executor of routing in notes of tasks. */
    public static final char ROUTING = 'r';

    /** Letter of the executor of the checks of possible failures in notes of tasks. */
    public static final char PRECHECK = 'p';

    /** Letter of the loop of the disk in notes of tasks. */
    public static final char DISK = 'd';

    /** Max length of a recorded file. A longer state file is not recorded, another longer file without its content. */
    private static final int MAX_FILE_BYTES = 4 << 20;

    private final FlightRecorder ring;

    /** Last recorded contents of the files that the options name. */
    private final Map<Path, byte[]> files = new HashMap<>();

    private volatile Consumer<String> troubleListener = reason -> {};

    /** The commands of an operator that change the actions of the SM. */
    public enum Command {
        /** Start a light sweep. */
        LIGHT,
        /** Start a heavy sweep. */
        HEAVY,
        /** Compute the routes again. */
        REROUTE,
        /** Read the configuration again. */
        REREAD,
        /** Suspend the sweeps. */
        SUSPEND,
        /** Resume the sweeps. */
        RESUME,
        /** End the SM in order. */
        END
    }

    /**
     * Creates a recorder.
     *
     * @param ring ring buffer of the recorded entries
     */
    public SmRecorder(FlightRecorder ring) {
        this.ring = ring;
    }

    /** Returns the ring buffer of the recorded entries. */
    public FlightRecorder ring() {
        return ring;
    }

    /**
     * Sets the listener to faults of the SM or the fabric.
     *
     * @param newListener callback; called on any thread with the reason, must not block
     */
    public void setTroubleListener(Consumer<String> newListener) {
        troubleListener = newListener;
    }

    /**
     * Records the start of the SM; called before all other methods that record.
     *
     * @param version version of this program
     * @param stateDir state directory, before the SM reads it; null for none
     */
    public void recordStart(String version, MadTransport port, SmOptions options, @Nullable Path stateDir) {
        LocalPort local = port.localPort();
        String start = "version " + version + "\nguid " + Long.toHexString(local.portGuid()) + "\nport "
                + local.portNum() + "\noutstanding " + port.maxOutstanding() + "\ngmps " + port.maxOutstandingGmps()
                + "\nreturns " + port.returnsTimedOutRequests() + "\ndevice " + local.caName() + "\n";
        ring.noteStart(NoteKind.START, start.getBytes(StandardCharsets.UTF_8));
        stateFiles(stateDir).forEach((name, content) -> ring.noteStart(NoteKind.STATE, withName(name, content)));
        recordSettings(options);
    }

    /**
     * Reads the files of a state directory, without temporary files, logs and locks. A file that disappears or cannot
     * be read is omitted, because a recording without it is better than none.
     *
     * @return content by name of the file
     */
    static Map<String, byte[]> stateFiles(@Nullable Path dir) {
        Map<String, byte[]> contents = new HashMap<>();
        File[] files = dir == null ? null : dir.toFile().listFiles(File::isFile);
        for (File file : files == null ? new File[0] : files) {
            boolean isState = !file.getName().matches(".*\\.(log|tmp|bad)|lock");
            if (isState && file.length() <= MAX_FILE_BYTES) {
                content(file.toPath()).ifPresent(bytes -> contents.put(file.getName(), bytes));
            }
        }
        return contents;
    }

    private static Optional<byte[]> content(Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static byte[] withName(String name, byte[] content) {
        byte[] head = (name + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] both = Arrays.copyOf(head, head.length + content.length);
        System.arraycopy(content, 0, both, head.length, content.length);
        return both;
    }

    /** Records options that become effective now, and the files that they name. */
    public synchronized void recordSettings(SmOptions options) {
        recordFiles(options);
        ring.noteSettings(NoteKind.SETTINGS, SettingsText.of(options).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Records the files that options name, if their contents have changed since they were last recorded; called before
     * the SM reads the files again.
     */
    public synchronized void recordFiles(SmOptions options) {
        for (Path file : SettingsText.files(options)) {
            try {
                byte[] content = Files.size(file) <= MAX_FILE_BYTES ? Files.readAllBytes(file) : new byte[0];
                if (!Arrays.equals(content, files.put(file, content))) {
                    ring.noteSettings(NoteKind.FILE, withName(file.toString(), content));
                }
            } catch (IOException e) {
                files.remove(file); // without a log line, because the SM reports a file that it cannot read
            }
        }
    }

    /** Records a command of an operator. */
    public void recordCommand(Command command) {
        ring.note(NoteKind.COMMAND, command.name());
    }

    /**
     * Records an event.
     *
     * @param line text of the event in the log
     * @param isTrouble true if the listener to faults is called
     */
    public void recordEvent(String line, boolean isTrouble) {
        ring.note(NoteKind.EVENT, line);
        if (isTrouble) {
            troubleListener.accept(line);
        }
    }

    /** Wraps a platform so that its MADs, seeds and durations of tasks are recorded. */
    public SmPlatform wrap(SmPlatform inner) {
        return new SmPlatform(
                new RecordedPort(inner.port(), ring),
                inner.sm(),
                inner.sa(),
                inner.perf(),
                inner.saWorkers(),
                new TimedExecutor(inner.pool(), ROUTING),
                new TimedExecutor(inner.prechecks(), PRECHECK),
                inner.readyPlans(), // not recorded, because no MAD depends on the plans, which may be thousands
                () -> {
                    int seed = inner.seeds().getAsInt();
                    ring.noteStart(NoteKind.SEED, Integer.toString(seed).getBytes(StandardCharsets.UTF_8));
                    return seed;
                },
                inner.defects());
    }

    /** Wraps the loop of the disk so that the durations of its tasks are recorded. */
    public Loop wrapDiskLoop(Loop inner) {
        TimedExecutor timed = new TimedExecutor(inner::execute, DISK);
        return new Loop() {
            @Override
            public void execute(Runnable task) {
                timed.execute(task);
            }

            @Override
            public Timer schedule(long delayNs, Runnable task) {
                return inner.schedule(delayNs, task);
            }

            @Override
            public long nowNs() {
                return inner.nowNs();
            }

            @Override
            public Instant timeOfDay() {
                return inner.timeOfDay();
            }

            @Override
            public boolean isInLoop() {
                return inner.isInLoop();
            }
        };
    }

    /** An executor that records the duration of each task, from its submission to its end. */
    private final class TimedExecutor implements Executor {
        private final Executor inner;
        private final char where;
        private final AtomicInteger next = new AtomicInteger();

        TimedExecutor(Executor inner, char where) {
            this.inner = inner;
            this.where = where;
        }

        @Override
        public void execute(Runnable task) {
            int number = next.getAndIncrement();
            long beganNs = ring.nowNs();
            inner.execute(() -> {
                try {
                    task.run();
                } finally {
                    ring.note(NoteKind.TASK, where + " " + number + " " + (ring.nowNs() - beganNs));
                }
            });
        }
    }

    /** Wraps settings so that changed files are recorded. */
    public SmSettings wrap(SmSettings inner) {
        return new RecordedSettings(inner, this);
    }

    /** Wraps a listener so that the ends of sweeps and the registers of devices are recorded before each call. */
    public Consumer<SweepEvent> wrap(Consumer<SweepEvent> inner) {
        return event -> {
            recordSweep(event);
            inner.accept(event);
        };
    }

    private void recordSweep(SweepEvent event) {
        String end = SweepText.of(event);
        if (end != null) {
            ring.note(NoteKind.SWEEP, end);
        }
        if (event instanceof SweepEvent.SubnetUp up) {
            long nowNs = ring.nowNs();
            ring.checkpoint(() -> KnownRegisters.snapshot(up.view(), nowNs));
        } else if (event instanceof SweepEvent.RoutingRefused) {
            troubleListener.accept("routing was refused");
        } else if (event instanceof SweepEvent.SweepFailed failed) {
            troubleListener.accept("a sweep failed: " + failed.reason());
        } else if (event instanceof SweepEvent.MastershipEnded) {
            troubleListener.accept("this SM is not master any more");
        }
    }
}
