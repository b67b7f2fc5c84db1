package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.config.GeneratedKeys;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateSuccessor;
import io.torussm.transport.Loop;
import java.util.function.Consumer;

/**
 * The keys that this program drew: read when it starts, changed when an operator asks for it, and taken over from the master by a
 * standby. New keys are in force once they are on the disk. Owner thread: sm.
 */
final class KeyRing implements StateSuccessor<GeneratedKeys> {
    private static final EventLog EVENTS = EventLog.of(KeyRing.class);

    private final StateDirectory state;
    private final LiveSettings settings;
    private final Loop sm;
    private Runnable whenChanged = () -> {};

    /** The keys of a state directory, in force from now on. */
    KeyRing(StateDirectory state, LiveSettings settings, Loop sm) {
        this.state = state;
        this.settings = settings;
        this.sm = sm;
        settings.use(state.read(GeneratedKeys.FILE, new GeneratedKeys.Lines()).orElse(GeneratedKeys.NONE));
        state.follow(GeneratedKeys.FILE, GeneratedKeys.Lines::new, this);
    }

    /** Who programs keys that have changed. */
    void whenChanged(Runnable newListener) {
        whenChanged = newListener;
    }

    /**
     * Writes new keys, and puts them in force then. If they cannot be written, the former ones are written again: a peer may
     * have the new ones already.
     *
     * @param then whether they are in force; on the loop
     */
    void change(GeneratedKeys next, Consumer<Boolean> then) {
        GeneratedKeys before = settings.keys();
        state.write(
                GeneratedKeys.FILE,
                next::lines,
                isWritten -> sm.execute(() -> {
                    if (isWritten) {
                        use(next);
                    } else {
                        state.write(GeneratedKeys.FILE, before::lines);
                    }
                    then.accept(isWritten);
                }));
    }

    private void use(GeneratedKeys next) {
        settings.use(next);
        settings.reportKeys();
        EVENTS.report(
                SmEvent.KEYS_CHANGED, EventField.ACTION.of(next.isThere() ? "new keys are" : "no generated keys are"));
        whenChanged.run();
    }

    @Override
    public void replace(GeneratedKeys adopted) {
        if (!adopted.equals(settings.keys())) {
            use(adopted);
        }
    }

    /** Ports have the newest keys, whatever this SM began with. */
    @Override
    public void complete(GeneratedKeys adopted) {
        state.write(GeneratedKeys.FILE, adopted::lines);
        replace(adopted);
    }
}
