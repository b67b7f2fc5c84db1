package io.torussm.daemon.replay;

import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.Loop;
import io.torussm.transport.MadTransport;
import io.torussm.view.FabricState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The run of an SM against a recording, in virtual time and in the calling thread. Two replays of a recording with one
 * version of this program make equal decisions, byte for byte.
 *
 * <p>If the recording begins with the SM, the replayed SM starts with the recorded state, settings and transaction IDs.
 * It gets the recorded commands and responses at the recorded times. If the recording begins later, the replayed SM
 * starts a minute before the recording, on a simulated fabric with the recorded registers of devices. The decisions in
 * this minute are ignored.
 */
public final class Replay {
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(60);

    /** Time after the end of the recording, so that the tasks that are due at the end are run. */
    private static final long TAIL_NS = 1;

    private final Recording recording;
    private final String name;
    private final VirtualSm.Start.Source settings;

    /** Options with which the recorded SM began; null before the first run. */
    private @Nullable SmOptions options;

    private BiConsumer<FabricState, Instant> fabricListener = (state, at) -> {};

    /**
     * The statistics of a replay.
     *
     * @param isFromStart true if the recording began with the SM
     * @param recorded number of requests whose outcome was taken from the recording
     * @param byTwin number of requests that the simulated fabric handled, because no such request was recorded near the
     *     time
     * @param requests number of requests in the recording
     * @param version version of the program that made the recording
     */
    public record Outcome(boolean isFromStart, long recorded, long byTwin, long requests, String version) {}

    /**
     * Creates a replay of a recording.
     *
     * @param name name of the file of the recording, for messages
     */
    public Replay(Recording recording, String name) {
        this(recording, name, VirtualSm.Start.Source.LIVE);
    }

    /**
     * Creates a replay of a recording whose settings have another source.
     *
     * @param name name of the file of the recording, for messages
     * @param settings source of the settings
     */
    Replay(Recording recording, String name, VirtualSm.Start.Source settings) {
        this.recording = recording;
        this.name = name;
        this.settings = settings;
    }

    /**
     * Sets the listener to discovered fabrics.
     *
     * @param newListener callback; called with the state and the time after each discovery
     */
    public void setFabricListener(BiConsumer<FabricState, Instant> newListener) {
        fabricListener = newListener;
    }

    /**
     * Returns the options with which the recorded SM began. The files that they name are deleted at the end of the
     * replay.
     *
     * @throws IllegalStateException before the first run
     */
    public SmOptions options() {
        SmOptions known = options;
        if (known == null) {
            throw new IllegalStateException("nothing was replayed");
        }
        return known;
    }

    /** Returns the decisions of the original run. */
    public List<Decision> recordedDecisions() {
        return Decisions.recorded(recording);
    }

    /**
     * Runs the replay.
     *
     * @param untilNs end of the run, as time in ns since the begin of the recording; a later end than that of the
     *     recording has no effect
     * @param taker callback; called with each decision during the run
     * @throws IOException if the recording is incomplete
     * @throws ConfigurationException if this version does not accept the recorded settings
     */
    public Outcome run(long untilNs, Consumer<Decision> taker) throws IOException, ConfigurationException {
        StartNote start = StartNote.of(recording);
        Entry.Note active = recording
                .notes(NoteKind.SETTINGS)
                .findFirst()
                .orElseThrow(() -> new IOException(name + ": the recording has no settings"));
        long beginNs = recording.beginNs();
        long endNs = recording.endNs() - beginNs <= untilNs ? recording.endNs() : beginNs + untilNs;
        VirtualLoop clock = new VirtualLoop();
        clock.runFor(recording.isFromStart() ? beginNs : Math.max(0, beginNs - WARM_UP_NS));
        RecordedWire wire = new RecordedWire(recording);
        try (ReplayFiles files = new ReplayFiles(recording)) {
            SmOptions recorded = files.options(active);
            options = recorded;
            TwinFabric twin = TwinFabric.of(recording, name, clock);
            ReplayPort port = new ReplayPort(clock, wire, start, twin.port(), beginNs);
            Decisions decisions = new Decisions(clock::nowNs, beginNs, files::withRecordedNames, taker) {
                @Override
                public void onSweepEvent(SweepEvent event) {
                    super.onSweepEvent(event);
                    if (event instanceof SweepEvent.FabricRead read) {
                        fabricListener.accept(read.after(), read.at());
                    }
                }
            };
            twin.scheduleLinkChanges();
            VirtualSm sm = start(clock, port, recorded, files, decisions, beginNs);
            scheduleInput(clock, sm, port, files);
            clock.runFor(endNs - clock.nowNs() + TAIL_NS);
            sm.kill();
            return new Outcome(
                    recording.isFromStart(), port.recorded(), port.byTwin(), wire.exchanges(), start.version());
        }
    }

    private VirtualSm start(
            VirtualLoop clock,
            MadTransport port,
            SmOptions options,
            ReplayFiles files,
            Decisions decisions,
            long beginNs)
            throws ConfigurationException {
        RecordedDelays delays = new RecordedDelays(recording);
        Iterator<Integer> seeds = recording
                .notes(NoteKind.SEED)
                .map(note -> Integer.parseInt(note.text()))
                .iterator();
        VirtualSm.Start.State state = loop -> open(files, delays.taskLoop(SmRecorder.DISK, loop, beginNs));
        return VirtualSm.start(
                clock,
                port,
                new VirtualSm.Start(
                        options, state, settings, () -> seeds.hasNext() ? seeds.next() : 1, new VirtualSm.Pool() {
                            @Override
                            public Executor routing(Loop loop) {
                                return delays.taskLoop(SmRecorder.ROUTING, loop, beginNs)::execute;
                            }

                            @Override
                            public Executor prechecks(Loop loop) {
                                return delays.taskLoop(SmRecorder.PRECHECK, loop, beginNs)::execute;
                            }
                        }),
                decisions);
    }

    private static StateDirectory open(ReplayFiles files, Loop disk) {
        try {
            return StateDirectory.open(files.state(), disk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Schedules the recorded input of the SM, except MADs, for the recorded times. */
    private void scheduleInput(VirtualLoop clock, VirtualSm sm, ReplayPort port, ReplayFiles files) {
        boolean isFirst = true;
        for (Entry entry : recording.entries()) {
            if (!(entry instanceof Entry.Note note)) {
                continue;
            }
            long delayNs = Math.max(0, note.timeNs() - clock.nowNs());
            if (note.kind() == NoteKind.SETTINGS && isFirst) {
                isFirst = false; // the SM has started with these settings
            } else if (note.kind() == NoteKind.SETTINGS) {
                clock.schedule(delayNs, () -> reconfigure(sm, files, note));
            } else if (note.kind() == NoteKind.FILE) {
                clock.schedule(delayNs, () -> files.write(note));
            } else if (note.kind() == NoteKind.PORT) {
                clock.schedule(delayNs, () -> port.changed(note.text()));
            } else if (note.kind() == NoteKind.COMMAND) {
                clock.schedule(delayNs, () -> command(sm, note.text()));
            }
        }
    }

    private static void reconfigure(VirtualSm sm, ReplayFiles files, Entry.Note note) {
        try {
            sm.reconfigure(files.options(note));
        } catch (ConfigurationException | IOException e) {
            throw new IllegalStateException("settings of the recording cannot be used: " + e.getMessage(), e);
        }
    }

    private static void command(VirtualSm sm, String word) {
        SmAssembly parts = sm.parts();
        sm.executeNow(() -> {
            switch (SmRecorder.Command.valueOf(word)) {
                case LIGHT -> parts.mastership().sweepLight();
                case HEAVY -> parts.mastership().sweepHeavy();
                case REROUTE -> parts.sweeper().reroute();
                case REREAD -> {
                    parts.mastership().settingsChanged();
                    parts.mastership().sweepHeavy();
                }
                case SUSPEND -> parts.sweeper().suspend(true);
                case RESUME -> parts.sweeper().suspend(false);
                case END -> sm.end();
            }
        });
    }
}
